"""Running and checking: what turns Python values into calls of the compiled module."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, Union

from recirc.result import Comparison, Result

__all__ = ["check", "compare", "mixes", "run", "schema", "systems"]

Config = Union[str, "os.PathLike[str]", Mapping[str, Any], Result]
Progress = Union[bool, Callable[[int, int], object], None]


def run(config: Config, *, overrides: Mapping[str, Any] | None = None, jobs: int = 0,
        progress: Progress = None, **pointers: Any) -> Result:
    """Runs all replications of a configuration.

    ``config`` is the path of a configuration or result file, a dictionary, or a Result. Settings
    are changed by JSON pointer: ``run(path, **{"/cluster/servers": 128})`` or ``overrides=``.
    ``jobs`` is the number of threads, 0 for one a core; it changes nothing in the result.
    ``progress`` is True for a bar on standard error, or a function of the operations done and the
    operations in all (0 while unknown), called a few times a second; what it raises ends the run.
    Other Python threads go on meanwhile; Ctrl-C ends the run.
    """
    if jobs < 0:
        raise ValueError(f"jobs is a number of threads or 0, not {jobs}")
    from recirc import _recirc

    done = _Bar() if progress is True else (progress or None)
    return Result(_recirc.run(*_source(config), _overrides(overrides, pointers), jobs, done))


def check(config: Config, *, overrides: Mapping[str, Any] | None = None,
          **pointers: Any) -> dict[str, Any]:
    """The effective configuration, every default included; ConfigError when there is none."""
    from recirc import _recirc

    text = _recirc.check(*_source(config), _overrides(overrides, pointers))
    effective: dict[str, Any] = json.loads(text)
    return effective


def compare(configs: Mapping[str, Config], *, baseline: str | None = None,
            overrides: Mapping[str, Any] | None = None, jobs: int = 0, progress: Progress = None,
            **pointers: Any) -> Comparison:
    """Runs configurations, given by label, and compares each with the ``baseline``: the first.

    Replication i of each sees the same operations if their workloads are the same.
    """
    if not configs:
        raise ValueError("there is nothing to compare")
    first = next(iter(configs)) if baseline is None else baseline
    if first not in configs:
        raise ValueError(f"the baseline {first!r} is none of {', '.join(configs)}")
    results = {label: run(config, overrides=overrides, jobs=jobs, progress=progress, **pointers)
               for label, config in configs.items()}
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


def _source(config: Config) -> tuple[str, bool]:
    """Text of a configuration and False, or the path of a file and True."""
    if isinstance(config, Result):
        config = config.config
    if not isinstance(config, Mapping):
        return os.fspath(config), True
    if "schema_version" in config and isinstance(config.get("config"), Mapping):
        config = config["config"]  # a result, as a dictionary
    return _text(config), False


def _overrides(overrides: Mapping[str, Any] | None,
               pointers: Mapping[str, Any]) -> list[tuple[str, str]]:
    for name in pointers:
        if not name.startswith("/"):
            raise TypeError(f"unexpected keyword argument {name!r}; a setting is changed by its "
                            "JSON pointer, e.g. **{'/workload/zipf': 0.99}")
    return [(pointer, _text(value)) for pointer, value in {**(overrides or {}), **pointers}.items()]


def _text(value: Any) -> str:
    return json.dumps(value, default=_plain)


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
        end = "\n" if total and done >= total else ""
        print("\r" + text.ljust(self._width), end=end, file=sys.stderr, flush=True)
