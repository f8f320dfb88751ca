"""What goes wrong, as exceptions. The compiled module raises these."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["ConfigError", "ConstraintViolation", "InputOutputError", "InvariantBroken", "Issue"]


class Issue(NamedTuple):
    """One thing that is wrong with a configuration."""

    pointer: str  #: JSON pointer of the offending value, "" for the whole document
    message: str  #: what is wrong
    suggestion: str  #: what to write instead, or ""


class ConfigError(ValueError):
    """A configuration that cannot be used; ``issues`` holds everything that is wrong with it."""

    def __init__(self, message: str, issues: Iterable[tuple[str, str, str]] = ()) -> None:
        self.issues: list[Issue] = [Issue(*issue) for issue in issues]
        super().__init__(message, self.issues)

    def __str__(self) -> str:
        return str(self.args[0])


class InputOutputError(OSError):
    """A file that cannot be read or written, or holds what it should not."""


class ConstraintViolation(RuntimeError):
    """A switch program asked for something that the chip does not allow."""

    def __init__(self, message: str, program: str = "", array: str = "", stage: int = -1,
                 gress_pass: int = 0, packet: int = 0) -> None:
        self.program = program
        self.array = array  #: the register array or table, or ""
        self.stage = stage  #: -1 when no single stage is to blame
        self.gress_pass = gress_pass  #: how often the packet had passed the switch before
        self.packet = packet
        super().__init__(message, program, array, stage, gress_pass, packet)

    def __str__(self) -> str:
        return str(self.args[0])


class InvariantBroken(RuntimeError):
    """A mistake in the simulator, not in what it was given. Please report it."""
