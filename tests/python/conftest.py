"""What tests of the package and of bin/recirc share."""

import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(name="cli", scope="session")
def run_program():
    """Calls bin/recirc with arguments; gives the finished process."""
    program = ROOT / "bin/recirc"
    if not program.exists():
        pytest.fail(f"there is no {program}: build it first (make build)")

    def call(*arguments):
        return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False)

    return call


@pytest.fixture(name="small")
def small_config():
    """A configuration that runs in a moment."""
    return {"system": "fletch", "workload": {"requests": "2k", "files": "5k"},
            "cluster": {"servers": 2, "clients": 8}, "cache": {"files": 50},
            "run": {"replications": 2}}
