"""bin/recirc as a process: signals, kills, full disks, pipes that close."""

import json
import os
import resource
import signal
import subprocess
import time

import pytest
from conftest import ROOT

PROGRAM = ROOT / "bin/recirc"


def write(path, document):
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.fixture(name="sweep")
def many_short_points(tmp_path, small):
    """A sweep of 60 runs of some milliseconds each."""
    small["workload"]["requests"] = "4k"
    return write(tmp_path / "sweep.json",
                 {"base": small, "replications": 10,
                  "grid": {"/system": ["nocache", "fletch"], "/workload/zipf": [0.8, 0.9, 1.0]}})


def start(*arguments):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_lines(path, count, process):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if path.exists() and path.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.001)


def keys(path):
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return [(json.dumps(line["point"]), line["replication"]) for line in map(json.loads, lines)]


def test_a_sweep_killed_again_and_again_loses_nothing_and_runs_nothing_twice(cli, sweep, tmp_path):
    points = tmp_path / "points.jsonl"
    done = 1
    for _ in range(4):
        process = start("sweep", sweep, "--out", points, "--resume", "--quiet")
        wait_for_lines(points, done + 5, process)
        process.kill()
        process.communicate()
        kept = points.read_bytes().count(b"\n") if points.exists() else 0
        assert kept >= done
        done = max(done, kept)
    finished = cli("sweep", sweep, "--out", points, "--resume", "--json")
    assert finished.returncode == 0
    assert len(keys(points)) == 60
    assert len(set(keys(points))) == 60
    whole = cli("sweep", sweep, "--json")
    assert finished.stdout == whole.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_sweep_with_its_finished_points_written(cli, sweep, tmp_path, number):
    points = tmp_path / "points.jsonl"
    process = start("sweep", sweep, "--out", points, "--quiet", "--jobs", "1")
    wait_for_lines(points, 3, process)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "--resume" in errors
    assert 2 <= len(keys(points)) < 60
    assert points.read_bytes().endswith(b"\n")


def test_a_run_interrupted_before_anything_finished_is_130_and_leaves_no_file(tmp_path, small):
    small["workload"]["requests"] = "32M"
    config = write(tmp_path / "config.json", small)
    process = start("run", config, "--out", tmp_path / "result.json")
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert sorted(os.listdir(tmp_path)) == ["config.json"]


def test_two_sweeps_cannot_write_one_file(sweep, tmp_path):
    points = tmp_path / "points.jsonl"
    first = start("sweep", sweep, "--set", "/workload/requests=300k", "--out", points, "--quiet")
    wait_for_lines(points, 1, first)
    second = start("sweep", sweep, "--set", "/workload/requests=300k", "--out", points, "--resume",
                   "--quiet")
    _, errors = second.communicate(timeout=60)
    first.kill()
    first.communicate()
    assert second.returncode == 3
    assert "another sweep" in errors


def test_a_full_disk_is_exit_code_3(tmp_path, small):
    config = write(tmp_path / "config.json", small)
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([PROGRAM, "run", config, "--quiet"], stdout=full, check=False,
                              stderr=subprocess.PIPE, text=True)
    assert done.returncode == 3
    assert "standard output" in done.stderr


def test_a_sweep_on_a_full_disk_leaves_whole_lines_and_goes_on_later(cli, sweep, tmp_path):
    points = tmp_path / "points.jsonl"

    def small_files_only():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))

    done = subprocess.run([PROGRAM, "sweep", sweep, "--out", points, "--quiet", "--jobs", "2"],
                          preexec_fn=small_files_only, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "cannot write" in done.stderr
    assert points.read_bytes().endswith(b"\n")
    assert 0 < len(keys(points)) < 60
    finished = cli("sweep", sweep, "--out", points, "--resume", "--json")
    assert finished.returncode == 0
    assert finished.stdout == cli("sweep", sweep, "--json").stdout


def test_a_table_is_the_same_from_a_run_and_from_its_points(cli, sweep, tmp_path):
    points, run, merged = (tmp_path / name for name in ("points.jsonl", "run.csv", "merged.csv"))
    assert cli("sweep", sweep, "--out", points, "--csv", run, "--jobs", "2").returncode == 0
    assert cli("merge", points, "--csv", merged).returncode == 0
    assert run.read_bytes() == merged.read_bytes()


def test_a_reader_that_went_away_is_no_crash(tmp_path, small):
    config = write(tmp_path / "config.json", small)
    process = start("run", config, "--json", "--quiet")
    process.stdout.close()
    process.stderr.read()
    assert process.wait(timeout=60) in (0, 3)


def test_results_do_not_depend_on_locale_threads_or_folder(tmp_path, small):
    config = write(tmp_path / "config.json", small)
    texts = set()
    for jobs, folder, locale in ((1, "/", "C"), (2, tmp_path, "de_DE.UTF-8")):
        done = subprocess.run([PROGRAM, "run", config, "--json", "--jobs", str(jobs)], cwd=folder,
                              env={**os.environ, "LC_ALL": locale}, capture_output=True, text=True,
                              check=True)
        texts.add(done.stdout)
    assert len(texts) == 1
