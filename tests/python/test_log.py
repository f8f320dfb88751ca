"""The controller's log: --run-dir, /controller/persist and `recirc log`."""

import json
import signal
import sqlite3
import subprocess
import time

import pytest
from conftest import ROOT
from test_program import start, write


@pytest.fixture
def config(tmp_path):
    """Paths come into the cache while it runs; a controller crashes."""
    return write(tmp_path / "logged.json", {
        "system": "fletch",
        "workload": {"requests": "3k", "files": "20k"},
        "cluster": {"servers": 2},
        "client": {"retransmit": {"timeout": "20ms", "tries": 1000}},
        "cache": {"files": 200},
        "faults": {"crashes": [{"component": "controller", "at": "5ms", "down_for": "2ms"}]},
        "run": {"replications": 2},
    })


def logs_of(cli, place, *options):
    done = cli("log", place, "--json", *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["logs"]


def test_a_run_with_a_directory_writes_a_log_a_replication_and_the_same_result(
        cli, config, tmp_path):
    folder = tmp_path / "made" / "on the way"
    plain = cli("run", config, "--json", "--quiet")
    logged = cli("run", config, "--json", "--quiet", "--run-dir", folder)
    assert logged.returncode == 0, logged.stderr
    assert logged.stdout == plain.stdout
    assert sorted(p.name for p in folder.iterdir()) == ["controller-r0.sqlite",
                                                        "controller-r1.sqlite"]
    result = json.loads(plain.stdout)
    for log, replication in zip(logs_of(cli, folder, "--paths", "--tokens", "--records"),
                                result["replications"]):
        assert log["state"] == "finished"
        assert log["replication"] == replication["replication"]
        assert log["active_paths"] == len(log["paths"])
        assert log["active_paths"] == replication["summary"]["cache"]["entries"]
        assert log["jobs"] == []
        assert log["paths"][0]["path"] == "/"
        assert len(log["tokens"]) >= len(log["paths"])
        assert len(log["log"]) == log["records"]
    with sqlite3.connect(folder / "controller-r0.sqlite") as there:
        admitted = there.execute("SELECT count(*) FROM records WHERE event = 'admitted'")
        assert admitted.fetchone()[0] > 0
    text = cli("log", folder, "--paths").stdout
    assert "fletch, seed 1, replication 1, finished" in text


def test_logs_that_only_the_configuration_asks_for_go_to_results(config, tmp_path):
    done = subprocess.run([ROOT / "bin/recirc", "run", config, "--set", "/controller/persist=true"],
                          cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "results/logged/controller-r1.sqlite").is_file()
    assert "results/logged" in done.stderr


def test_a_sweep_writes_a_log_a_point_and_replication(cli, config, tmp_path):
    sweep = write(tmp_path / "points.json", {
        "base": str(config), "grid": {"/system": ["nocache", "fletch"]}, "replications": 1,
        "set": {"/faults/crashes": []}})
    folder = tmp_path / "logs"
    done = cli("sweep", sweep, "--run-dir", folder, "--quiet")
    assert done.returncode == 0, done.stderr
    assert [p.name for p in folder.iterdir()] == ["controller-p1-r0.sqlite"]


def test_what_is_no_place_for_a_log_is_said_before_the_run(cli, config, tmp_path):
    def refused(folder, code, *words):
        done = cli("run", config, "--run-dir", folder, *words)
        assert done.returncode == code, done.stderr
        return done.stderr

    file = tmp_path / "a file"
    file.write_text("mine")
    assert "it is a file" in refused(file, 3)
    foreign = tmp_path / "controller-r1.sqlite"
    foreign.write_text("my notes")
    assert "left as it is" in refused(tmp_path, 3)
    assert foreign.read_text() == "my notes"
    assert not (tmp_path / "controller-r0.sqlite").exists()
    assert "names no directory" in refused("", 2)
    assert "no controller with a log" in refused(tmp_path / "x", 2, "--set", "/system=nocache",
                                                 "--set", "/faults/crashes=[]")
    assert cli("log", tmp_path / "nowhere").returncode == 3
    assert cli("log", file).returncode == 3
    assert cli("log", tmp_path, "--set", "/a=1").returncode == 2


def test_a_file_that_is_no_log_does_not_hide_the_others(cli, config, tmp_path):
    folder = tmp_path / "logs"
    assert cli("run", config, "--run-dir", folder, "--quiet").returncode == 0
    (folder / "a.sqlite").write_text("my notes")
    done = cli("log", folder)
    assert done.returncode == 3
    assert "a.sqlite" in done.stderr
    assert "replication 0" in done.stdout and "replication 1" in done.stdout


@pytest.mark.parametrize("number, state", [(signal.SIGKILL, "running"),
                                           (signal.SIGINT, "interrupted")])
def test_a_log_is_readable_whatever_ended_the_run(cli, config, tmp_path, number, state):
    folder = tmp_path / "cut"
    long = ("--set", "/workload/requests=100M", "--set", "/run/replications=1", "--set",
            "/controller/admission=on", "--set", "/workload/files=1M", "--set",
            "/cache/threshold=1")
    process = start("run", config, "--run-dir", folder, "--quiet", *long)
    try:
        deadline = time.monotonic() + 60
        seen = 0
        while seen < 500 and time.monotonic() < deadline:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
            done = cli("log", folder, "--json")  # while it is written
            seen = json.loads(done.stdout)["logs"][0]["records"] if done.returncode == 0 else 0
        assert seen >= 500
        process.send_signal(number)
        process.wait(timeout=60)
    finally:
        process.kill()
        process.communicate()
    log = logs_of(cli, folder, "--records")[0]
    assert log["state"] == state
    assert log["records"] >= seen
    numbers = [record["number"] for record in log["log"]]
    assert numbers == list(range(1, len(numbers) + 1))
    assert log["active_paths"] > 0
