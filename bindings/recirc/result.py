"""Results as Python objects. Reading them needs NumPy only, not the compiled module."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from recirc.errors import ConfigError, InputOutputError

__all__ = ["Comparison", "Gain", "Histogram", "Result", "Series", "load"]


@dataclass(frozen=True, eq=False)
class Histogram:
    """A distribution: bin ``i`` holds ``count[i]`` values from ``low[i]`` to ``high[i]``.

    Empty bins are left out. A bin is at most 0.8 % wide, and exact below 256.
    """

    unit: str
    low: np.ndarray  #: int64
    high: np.ndarray  #: int64
    count: np.ndarray  #: uint64
    min: int
    max: int
    mean: float

    @classmethod
    def _from(cls, part: Mapping[str, Any]) -> Histogram:
        bins = np.array(part["bins"], dtype=np.int64).reshape(-1, 3)
        return cls(part["unit"], bins[:, 0], bins[:, 1], bins[:, 2].astype(np.uint64),
                   part["min"], part["max"], part["mean"])

    @property
    def total(self) -> int:
        """How many values were recorded."""
        return int(self.count.sum())

    def quantile(self, q: float) -> int:
        """The smallest value, to the bin's precision, that a share ``q`` of all do not exceed.

        1 gives the exact maximum; an empty histogram gives 0.
        """
        if not 0 <= q <= 1:
            raise ValueError(f"a quantile's share is from 0 to 1, not {q}")
        if self.total == 0:
            return 0
        if q == 1:
            return self.max
        rank = max(1, int(np.ceil(q * self.total)))
        bin_ = int(np.searchsorted(np.cumsum(self.count), rank))
        low, high = int(self.low[bin_]), int(self.high[bin_])
        return min(max(low + (high - low) // 2, self.min), self.max)


@dataclass(frozen=True, eq=False)
class Series:
    """A quantity over time: one value a window of ``window_s`` seconds."""

    unit: str
    window_s: float
    values: list[np.ndarray]  #: float64, one array a replication; their lengths may differ

    @classmethod
    def _from(cls, part: Mapping[str, Any]) -> Series:
        return cls(part["unit"], part["window_s"],
                   [np.array(values, dtype=np.float64) for values in part["values"]])

    def times(self, replication: int = 0) -> np.ndarray:
        """When each window of a replication begins, in simulated seconds."""
        return np.arange(len(self.values[replication])) * self.window_s


class Result:
    """What the replications of one configuration gave.

    The dictionaries are the parts of the result file under the same names; docs/metrics.md says
    what each figure is. They are the caller's own: changing them changes nothing else.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._canonical = True  # are the numbers of _text written as the program writes them?
        document = json.loads(text)
        self.system: str = document["system"]
        self.seed: int = document["seed"]
        self.revision: str = document["revision"]
        self.complete: bool = document["complete"]  #: were all replications finished?
        self.config: dict[str, Any] = document["config"]  #: effective, with every default
        self.provenance: dict[str, str] = document["provenance"]  #: of each constant
        self.summary: dict[str, Any] = document["summary"]  #: means over the replications
        self.interval95: dict[str, Any] = document["interval95"]  #: half-widths; None for one alone
        self.replications: list[dict[str, Any]] = document["replications"]
        self.phases: list[dict[str, Any]] = document["phases"]
        self.histograms: dict[str, Histogram] = {
            name: Histogram._from(part) for name, part in document["histograms"].items()}
        self.series: dict[str, Series] = {
            name: Series._from(part) for name, part in document["series"].items()}

    @classmethod
    def _from(cls, document: Mapping[str, Any]) -> Result:
        result = cls(json.dumps(document))
        result._canonical = False
        return result

    def to_json(self) -> str:
        """The result file: in UTF-8, the bytes that ``recirc run --out`` writes."""
        if not self._canonical:
            from recirc import _recirc

            self._text = _recirc.result_text(self._text)
            self._canonical = True
        return self._text

    def save(self, path: str | os.PathLike[str]) -> None:
        Path(path).write_bytes(self.to_json().encode())

    def gain_over(self, baseline: Result) -> dict[str, Gain]:
        """How this compares with ``baseline``, replication by replication.

        Raises ValueError when the replications are no pairs: other seeds.
        """
        from recirc import _recirc

        if self.seed != baseline.seed:
            raise ValueError(f"replications of seeds {self.seed} and {baseline.seed} are no pairs")
        return _gains(json.loads(_recirc.gains(self.to_json(), baseline.to_json())))

    def __repr__(self) -> str:
        rate = self.summary.get("throughput_ops_per_s")
        return (f"<recirc.Result of {self.system}: {len(self.replications)} replications, seed "
                f"{self.seed}, {rate} operations/s>")


class Gain(NamedTuple):
    """A figure's ratio to the baseline's, minus 1, as the mean over pairs of replications."""

    gain: float  #: 0.25 is 25 % more
    interval95: float | None  #: half-width; None for a single pair
    pairs: int


def _gains(part: Mapping[str, Any] | None) -> dict[str, Gain]:
    return {name: Gain(gain["gain"], gain["interval95"], gain["pairs"])
            for name, gain in (part or {}).items()}


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several results, and how each compares with one of them."""

    baseline: str
    results: dict[str, Result]  #: by label
    gains: dict[str, dict[str, Gain]]  #: by label, then figure; nothing for the baseline


def load(path: str | os.PathLike[str]) -> Result | Comparison:
    """Reads a file that ``recirc run`` or ``recirc compare`` wrote.

    Raises InputOutputError when it cannot be read, ConfigError when it is something else.
    """
    try:
        text = Path(path).read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputOutputError(f"cannot read {os.fspath(path)}: {error}") from error
    try:
        document = json.loads(text)
        if document.get("kind") != "comparison":
            return Result(text)
        entries = document["results"]
        return Comparison(document["baseline"],
                          {entry["label"]: Result._from(entry["result"]) for entry in entries},
                          {entry["label"]: _gains(entry["gains"]) for entry in entries})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"{os.fspath(path)} is no result of recirc run or compare"
        raise ConfigError(message, [("", message, "")]) from error
