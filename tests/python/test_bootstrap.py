"""tools/bootstrap installs what is missing, and says plainly when it cannot."""

import os
import pathlib
import shutil
import subprocess

import pytest

BOOTSTRAP = pathlib.Path(__file__).resolve().parents[2] / "tools" / "bootstrap"
ALL = subprocess.run([BOOTSTRAP, "--with", "test", "--list"], capture_output=True, text=True,
                     check=True).stdout.split()


class Machine:
    """A PATH that holds only what a bare Debian has, with apt-get, dpkg-query and id pretended."""

    def __init__(self, folder):
        self.folder = folder
        for tool in ("bash", "env", "awk", "mktemp", "rm", "tail", "cat"):
            (folder / tool).symlink_to(shutil.which(tool))
        self.pretend("id", "echo 0")
        self.pretend("apt-get", f'echo "$@" >>{folder}/calls')
        self.install([])

    def pretend(self, name, body):
        (self.folder / name).write_text(f"#!{shutil.which('bash')}\n{body}\n")
        (self.folder / name).chmod(0o755)

    def install(self, packages):
        self.pretend("dpkg-query", "\n".join(f"echo {p} installed" for p in packages) or "true")

    def bootstrap(self, *arguments):
        return subprocess.run([BOOTSTRAP, *arguments], capture_output=True, text=True, check=False,
                              env={"PATH": str(self.folder), "TMPDIR": str(self.folder)})

    def calls(self):
        log = self.folder / "calls"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def machine(tmp_path):
    if "debian" not in pathlib.Path("/etc/os-release").read_text():
        pytest.skip("for Debian and its family")
    return Machine(tmp_path)


def test_nothing_missing_means_no_apt(machine):
    machine.install(ALL)
    assert machine.bootstrap("--with", "test").returncode == 0
    assert machine.calls() == []


def test_only_what_is_missing_is_installed_after_an_update(machine):
    machine.install([p for p in ALL if p not in ("cmake", "catch2")])
    assert machine.bootstrap("--with", "test").returncode == 0
    update, install = machine.calls()
    assert update.endswith("update")
    assert install.endswith("install --no-install-recommends cmake catch2")


def test_without_root_and_sudo_it_says_so(machine):
    machine.pretend("id", "echo 1000")
    done = machine.bootstrap()
    assert done.returncode == 3
    assert "there is no sudo" in done.stderr and "cmake" in done.stderr


def test_with_sudo_that_refuses_it_says_so(machine):
    machine.pretend("id", "echo 1000")
    machine.pretend("sudo", "exit 1")
    done = machine.bootstrap()
    assert done.returncode == 3 and "sudo refuses" in done.stderr


def test_sudo_is_used_by_users(machine):
    machine.pretend("id", "echo 1000")
    machine.pretend("sudo", '"$@"')
    assert machine.bootstrap().returncode == 0
    assert len(machine.calls()) == 2


def test_a_failure_of_apt_is_shown(machine):
    machine.pretend("apt-get", "echo E: no such package; exit 100")
    done = machine.bootstrap()
    assert done.returncode == 1 and "no such package" in done.stderr


@pytest.mark.parametrize("arguments", [["--with"], ["--with", "all"], ["install"]])
def test_wrong_arguments(machine, arguments):
    assert machine.bootstrap(*arguments).returncode == 2


def test_the_scripts_need_no_more_than_bash():
    # A minimal root has no git, make, python or sudo; bootstrap may use what is essential only.
    assert os.access(BOOTSTRAP, os.X_OK)
    for script in ("demo", "test", "test-pip"):
        text = (BOOTSTRAP.parent / script).read_text()
        before = text[:text.index("tools/bootstrap\n" if script == "demo" else "tools/bootstrap ")]
        assert not any(f"\n{word} " in before for word in ("git", "make", "python3", "sudo"))
