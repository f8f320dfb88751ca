"""Simulator of file systems that lean on a programmable switch.

    >>> import recirc
    >>> result = recirc.run({"system": "fletch"}, **{"/cluster/servers": 16})
    >>> result.summary["throughput_ops_per_s"]

docs/python.md has more. Results can be read without the compiled module; running needs it.
"""

from recirc.errors import (ConfigError, ConstraintViolation, InputOutputError, InvariantBroken,
                           Issue)
from recirc.result import Comparison, Gain, Histogram, Result, Series, load
from recirc.runs import check, compare, mixes, run, schema, systems

__version__: str

__all__ = [
    "Comparison", "ConfigError", "ConstraintViolation", "Gain", "Histogram", "InputOutputError",
    "InvariantBroken", "Issue", "Result", "Series", "__version__", "check", "compare", "load",
    "mixes", "run", "schema", "systems",
]


def __getattr__(name: str) -> str:
    # Only the compiled module knows its version, and it may be missing where results are read.
    if name == "__version__":
        from recirc import _recirc

        return _recirc.version()
    raise AttributeError(f"module 'recirc' has no attribute {name!r}")
