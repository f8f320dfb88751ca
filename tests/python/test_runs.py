"""Running from Python: the same bytes as the command line, other threads go on, Ctrl-C works."""

import json
import pathlib
import subprocess
import sys
import threading

import numpy as np
import pytest
import recirc
from recirc import _recirc

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENDLESS = {"/workload/requests": "4000M", "/run/replications": 1}


def expected_bytes(path):
    """What bin/recirc wrote; it may be of another revision than the module, if nothing else."""
    data = path.read_bytes()
    revision = json.loads(data)["revision"]
    return data.replace(f'"revision": "{revision}"'.encode(),
                        f'"revision": "{_recirc.revision()}"'.encode(), 1)


def test_gives_the_bytes_of_the_command_line(tmp_path, cli, small):
    config = tmp_path / "small.json"
    config.write_text(json.dumps(small))
    out = tmp_path / "out.json"
    done = cli("run", config, "--out", out, "--set", "/workload/zipf=0.7", "--set",
               "/workload/requests=1k", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    changes = {"/workload/zipf": 0.7, "/workload/requests": "1k"}
    wanted = expected_bytes(out)
    for source in (config, str(config), small):
        assert recirc.run(source, jobs=2, **changes).to_json().encode() == wanted
    assert recirc.run(small, overrides=changes).to_json().encode() == wanted


def test_finds_a_trace_beside_its_configuration_as_the_command_line_does(tmp_path, cli):
    config, out = ROOT / "configs/fletch/replay.json", tmp_path / "out.json"
    done = cli("run", config, "--out", out, "--set", "/workload/requests=500", "--set",
               "/run/replications=1")
    assert done.returncode == 0, done.stderr
    result = recirc.run(config, **{"/workload/requests": 500, "/run/replications": 1})
    assert result.to_json().encode() == expected_bytes(out)


def test_a_result_can_be_run_again(tmp_path, small):
    result = recirc.run(small)
    result.save(tmp_path / "result.json")
    document = json.loads(result.to_json())
    for source in (result, document, tmp_path / "result.json"):
        assert recirc.run(source).to_json() == result.to_json()
    assert recirc.run(result, **{"/run/seed": 7}).to_json() != result.to_json()


def test_a_result_has_its_figures(small):
    result = recirc.run(small)
    assert result.summary["ops_issued"] == 2000
    assert result.summary["ops_completed"] + result.summary["ops_failed"] == 2000
    assert result.config["workload"]["files"] == recirc.check(small)["workload"]["files"]
    assert [r["replication"] for r in result.replications] == [0, 1]
    assert result.interval95["throughput_ops_per_s"] > 0
    assert result.histograms["latency"].total > 0
    assert result.phases and result.provenance


def test_quantiles_are_those_of_the_summary(small):
    result = recirc.run(small, **{"/run/replications": 1})
    latency = result.histograms["latency"]
    scale = {"ps": 1e-6, "ns": 1e-3, "us": 1.0}[latency.unit]
    for q in (50, 95, 99):
        wanted = result.summary[f"latency_p{q}_us"]
        assert latency.quantile(q / 100) * scale == pytest.approx(wanted, rel=1e-8)


def test_settings_may_be_numpy_values(small):
    changes = {"/cluster/servers": np.int64(3), "/workload/zipf": np.float64(0.5)}
    result = recirc.run(small, **changes)
    assert result.config["cluster"]["servers"] == 3


def test_two_runs_go_on_at_once(small):
    """Both are in the middle of a run when they meet; neither would end by itself."""
    meeting = threading.Barrier(2, timeout=60)
    problems = []

    class Met(Exception):
        pass

    def meet(done, total):
        assert total == 4_000_000_000
        if done:
            meeting.wait()
            raise Met

    def work(seed):
        try:
            recirc.run(small, progress=meet, **ENDLESS, **{"/run/seed": seed})
            problems.append("the run ended by itself")
        except Met:
            pass
        except BaseException as error:  # reported by the main thread
            problems.append(repr(error))

    threads = [threading.Thread(target=work, args=(seed,), daemon=True) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    assert not problems and not any(thread.is_alive() for thread in threads)


def test_another_thread_interrupts_a_run(small):
    """It could not, if the run kept the interpreter's lock; and the run would not end."""
    code = f"""
import os, signal, threading, time, recirc
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it for what they put aside
threading.Thread(target=lambda: (time.sleep(0.3), os.kill(os.getpid(), signal.SIGINT))).start()
try:
    recirc.run({small!r}, **{ENDLESS!r})
except KeyboardInterrupt:
    print("interrupted")
print(recirc.run({small!r}).summary["ops_issued"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60,
                          check=False)
    assert (done.stdout, done.stderr) == ("interrupted\n2000.0\n", "")


def test_progress_ends_with_all_operations(small):
    seen = []
    recirc.run(small, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (4000, 4000)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_bar_goes_to_standard_error(small, capsys):
    recirc.run(small, progress=True)
    captured = capsys.readouterr()
    assert captured.out == "" and "100 %" in captured.err and captured.err.endswith("\n")
    recirc.run(small, progress=False)
    assert capsys.readouterr().err == ""


def test_compares_as_the_command_line_does(tmp_path, cli, small):
    config, out = tmp_path / "small.json", tmp_path / "out.json"
    config.write_text(json.dumps(small))
    done = cli("compare", config, "--systems", "nocache,fletch", "--out", out)
    assert done.returncode == 0, done.stderr
    wanted = recirc.load(out)
    ours = recirc.compare({"nocache": {**small, "system": "nocache"}, "fletch": small})
    assert ours.baseline == wanted.baseline == "nocache"
    assert ours.gains == wanted.gains and ours.gains["fletch"]
    for label, result in ours.results.items():
        theirs = wanted.results[label].to_json().replace(wanted.results[label].revision,
                                                         result.revision)
        assert result.to_json() == theirs


def test_compares_configurations_given_as_on_the_command_line(tmp_path, small):
    few, many = tmp_path / "few.json", tmp_path / "many.json"
    few.write_text(json.dumps(small))
    many.write_text(json.dumps({**small, "cluster": {"servers": 4, "clients": 8}}))
    labelled = recirc.compare({"few": few, "many": many})
    ours = recirc.compare(few, str(many), baseline="many")
    assert list(ours.results) == ["few", "many"] and ours.baseline == "many"
    assert recirc.compare(few, many).gains == labelled.gains
    by_system = recirc.compare(few, systems=["nocache", "fletch"], **{"/run/seed": 3})
    assert list(by_system.results) == ["nocache", "fletch"]
    assert by_system.results["nocache"].config["run"]["seed"] == 3
    assert list(recirc.compare(small, small, {**small, "system": "nocache"}).results) == [
        "fletch", "fletch (2)", "nocache"]
    for wrong in ((few,), (few, many, ["nocache"])):
        with pytest.raises((ValueError, TypeError)):
            recirc.compare(*wrong)
    with pytest.raises(ValueError, match="one configuration"):
        recirc.compare(few, many, systems=["nocache", "fletch"])
    with pytest.raises(TypeError, match="JSON pointer"):
        recirc.compare(few, many, zipf=1)


def test_refuses_pairs_that_are_none(small):
    with pytest.raises(ValueError, match="no pairs"):
        recirc.run(small).gain_over(recirc.run(small, **{"/run/seed": 2}))
    with pytest.raises(ValueError, match="nothing"):
        recirc.compare({})
    with pytest.raises(ValueError, match="other"):
        recirc.compare({"a": small}, baseline="other")


def test_names_what_there_is(cli):
    assert {"nocache", "fletch"} <= set(recirc.systems())
    assert {"alibaba", "training", "thumb", "linkedin"} <= set(recirc.mixes())
    assert recirc.__version__ in cli("--version").stdout
    assert f"project(recirc VERSION {recirc.__version__} " in (ROOT / "CMakeLists.txt").read_text()
    with pytest.raises(AttributeError, match="nonsense"):
        recirc.nonsense


def test_a_directory_for_the_controllers_logs_changes_nothing_in_the_result(small, tmp_path):
    logged = recirc.run(small, run_dir=tmp_path / "logs")
    assert logged.to_json() == recirc.run(small).to_json()
    assert len(list((tmp_path / "logs").glob("controller-r*.sqlite"))) == len(logged.replications)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(recirc.InputOutputError, match="it is a file"):
        recirc.run(small, run_dir=tmp_path / "file")
    with pytest.raises(ValueError, match="no controller with a log"):
        recirc.run(small, run_dir=tmp_path / "none", **{"/system": "nocache"})


def test_a_configuration_that_asks_for_logs_gets_them_under_results(small, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    recirc.run(small, **{"/controller/persist": True})
    assert (tmp_path / "results/fletch/controller-r0.sqlite").is_file()


@pytest.mark.parametrize("call, error, words", [
    (lambda config: recirc.run(config, jobs="2"), TypeError, "jobs is a number of threads"),
    (lambda config: recirc.run(config, jobs=1.5), TypeError, "jobs is a number of threads"),
    (lambda config: recirc.run(None), TypeError, "a configuration is the path of a file"),
    (lambda config: recirc.check(7), TypeError, "a configuration is the path of a file"),
    (lambda config: recirc.compare(config, systems="nocache,fletch"), TypeError,
     "systems is a list of names"),
    (lambda config: recirc.run(config, **{"/workload/zipf": float("nan")}), recirc.ConfigError,
     "a configuration cannot hold nan"),
])
def test_what_is_no_argument_is_said_in_words(small, call, error, words):
    with pytest.raises(error, match=words):
        call(small)
