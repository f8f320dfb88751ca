"""Running and checking: what turns Python values into calls of the compiled module."""

from __future__ import annotations

import json
import operator
import os
import pathlib
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

from recirc.errors import ConfigError
from recirc.result import Comparison, Result

__all__ = ["check", "compare", "mixes", "run", "schema", "systems"]

Config = Union[str, "os.PathLike[str]", Mapping[str, Any], Result]
Progress = Union[bool, Callable[[int, int], object], None]


def run(config: Config, *, overrides: Mapping[str, Any] | None = None, jobs: int = 0,
        progress: Progress = None, run_dir: str | os.PathLike[str] | None = None,
        **pointers: Any) -> Result:
    """Runs all replications of a configuration.

    ``config`` is the path of a configuration or result file, a dictionary, or a Result. Settings
    are changed by JSON pointer: ``run(path, **{"/cluster/servers": 128})`` or ``overrides=``.
    ``jobs`` is the number of threads, 0 for one a core; it changes nothing in the result.
    ``progress`` is True for a bar on standard error, or a function of the operations done and the
    operations in all (0 while unknown), called a few times a second; what it raises ends the run.
    Other Python threads go on meanwhile; Ctrl-C ends the run.
    ``run_dir`` is a directory that the controller of each replication writes its log to, an SQLite
    file ``controller-rN.sqlite``; where only ``/controller/persist`` asks for logs it is
    ``results/NAME`` with the file's name or the system's. It changes nothing in the result.
    """
    threads = _threads(jobs)
    source, changes = _source(config), _overrides(overrides, pointers)
    from recirc import _recirc

    bar = _Bar() if progress is True else None
    try:
        return Result(_recirc.run(*source, changes, threads, bar or progress or None,
                                  None if run_dir is None else os.fspath(run_dir)))
    finally:
        if bar is not None:
            bar.end()


def check(config: Config, *, overrides: Mapping[str, Any] | None = None,
          **pointers: Any) -> dict[str, Any]:
    """The effective configuration, every default included; ConfigError when there is none."""
    from recirc import _recirc

    text = _recirc.check(*_source(config), _overrides(overrides, pointers))
    effective: dict[str, Any] = json.loads(text)
    return effective


def compare(*configs: Config | Mapping[str, Config], systems: Sequence[str] | None = None,
            baseline: str | None = None, overrides: Mapping[str, Any] | None = None, jobs: int = 0,
            progress: Progress = None, **pointers: Any) -> Comparison:
    """Runs configurations and compares each with the ``baseline``: the first, or a label.

    They are given as on the command line, ``compare("a.json", "b.json")`` and
    ``compare("a.json", systems=["nocache", "fletch"])``, and labelled as there, by system, file or
    number; or by labels of your own, ``compare({"small": config, "large": other})``.
    Replication i of each sees the same operations if their workloads are the same.
    """
    entries = _contenders(configs, systems, _checked(overrides, pointers))
    if baseline is not None and baseline not in entries:
        raise ValueError(f"the baseline {baseline!r} is none of {', '.join(entries)}")
    if len(entries) < 2:
        raise ValueError("with fewer than two configurations there is nothing to compare; e.g. "
                         'compare(config, systems=["nocache", "fletch"])')
    first = next(iter(entries)) if baseline is None else baseline
    results = {label: run(config, overrides=changes, jobs=jobs, progress=progress)
               for label, (config, changes) in entries.items()}
    gains = {label: {} if label == first else result.gain_over(results[first])
             for label, result in results.items()}
    return Comparison(first, results, gains)


def schema(what: str = "any") -> dict[str, Any]:
    """The JSON Schema of any file in configs/, or of a "config", "sweep", "chip", "program"."""
    from recirc import _recirc

    document: dict[str, Any] = json.loads(_recirc.schema(what))
    return document


def systems() -> list[str]:
    """Every value of /system."""
    from recirc import _recirc

    return _recirc.systems()


def mixes() -> list[str]:
    """The named mixes of operations: values of /workload/mix."""
    from recirc import _recirc

    return _recirc.mixes()


def _threads(jobs: int) -> int:
    try:
        threads = operator.index(jobs)
    except TypeError:
        raise TypeError(f"jobs is a number of threads or 0, not {jobs!r}") from None
    if threads < 0:
        raise ValueError(f"jobs is a number of threads or 0, not {jobs}")
    return threads


def _source(config: Config) -> tuple[str, bool]:
    """Text of a configuration and False, or the path of a file and True."""
    if isinstance(config, Result):
        config = config.config
    if isinstance(config, (str, os.PathLike)):
        return os.fspath(config), True
    if not isinstance(config, Mapping):
        raise TypeError("a configuration is the path of a file, a dictionary or a Result, not "
                        f"{config!r}")
    if "schema_version" in config and isinstance(config.get("config"), Mapping):
        config = config["config"]  # a result, as a dictionary
    return _text(config), False


def _contenders(configs: Sequence[Any], systems: Sequence[str] | None,
                changes: Mapping[str, Any]) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Configurations with their settings, by label."""
    if systems is not None:
        if isinstance(systems, str):
            raise TypeError(f'systems is a list of names, e.g. ["nocache", "fletch"], not '
                            f"{systems!r}")
        if len(configs) != 1:
            raise ValueError("systems= goes with one configuration")
        return _labelled([(system, configs[0], {**changes, "/system": system})
                          for system in systems])
    if len(configs) == 1 and isinstance(configs[0], Mapping) and not _is_config(configs[0]):
        return {label: (config, dict(changes)) for label, config in configs[0].items()}
    used = [check(config, overrides=changes)["system"] for config in configs]
    names = [pathlib.PurePath(config).stem
             if used.count(system) > 1 and isinstance(config, (str, os.PathLike)) else system
             for system, config in zip(used, configs)]
    return _labelled([(name, config, dict(changes)) for name, config in zip(names, configs)])


def _labelled(entries: Sequence[tuple[str, Any, dict[str, Any]]]
              ) -> dict[str, tuple[Any, dict[str, Any]]]:
    found: dict[str, tuple[Any, dict[str, Any]]] = {}
    for number, (name, config, changes) in enumerate(entries, 1):
        found[f"{name} ({number})" if name in found else name] = (config, changes)
    return found


def _is_config(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("system"), str) or "schema_version" in value


def _checked(overrides: Mapping[str, Any] | None, pointers: Mapping[str, Any]) -> dict[str, Any]:
    for name in pointers:
        if not name.startswith("/"):
            raise TypeError(f"unexpected keyword argument {name!r}; a setting is changed by its "
                            "JSON pointer, e.g. **{'/workload/zipf': 0.99}")
    return {**(overrides or {}), **pointers}


def _overrides(overrides: Mapping[str, Any] | None,
               pointers: Mapping[str, Any]) -> list[tuple[str, str]]:
    changes = _checked(overrides, pointers)
    return [(pointer, _text(value)) for pointer, value in changes.items()]


def _text(value: Any) -> str:
    try:
        return json.dumps(value, default=_plain, allow_nan=False)
    except ValueError as error:
        message = f"a configuration cannot hold {value!r}: {error}"
        raise ConfigError(message, [("", message, "")]) from None


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays, paths and mappings, as JSON knows them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a configuration holds no {type(value).__name__}: {value!r}")


class _Bar:
    """A line on standard error that is written over and over."""

    def __init__(self) -> None:
        from recirc import _recirc

        self._start = time.monotonic()
        self._rate = _recirc.RecentRate()
        self._width = 0

    def __call__(self, done: int, total: int) -> None:
        from recirc import _recirc

        rate = self._rate.at(done, time.monotonic() - self._start)
        text = _recirc.progress_text(done, total, rate)
        self._width = max(self._width, len(text))
        print("\r" + text.ljust(self._width), end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._width:
            print(file=sys.stderr, flush=True)
