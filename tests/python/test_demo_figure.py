"""The demo's figure: drawn from results, with a clear message when they are not there."""

import json
import pathlib
import subprocess
import xml.etree.ElementTree

import pytest
import results

ROOT = pathlib.Path(__file__).resolve().parents[2]


def draw(out, *files):
    # The interpreter of the demo: the one that has matplotlib.
    return subprocess.run(["/usr/bin/python3", ROOT / "experiments/demo_figure.py", "--out", out,
                           *files], capture_output=True, text=True, check=False)


@pytest.fixture(name="files")
def demo_files(tmp_path):
    return [results.write(tmp_path / "16.json", results.comparison(16)),
            results.write(tmp_path / "128.json", results.comparison(128)),
            results.write(tmp_path / "replay.json", results.comparison(8, {"file": "audit.log"}))]


def test_draws_png_and_svg(tmp_path, files):
    done = draw(tmp_path / "out", *files)
    assert (done.returncode, done.stderr) == (0, "")
    png = (tmp_path / "out/figure.png").read_bytes()
    assert png.startswith(b"\x89PNG") and len(png) > 20_000
    xml.etree.ElementTree.parse(tmp_path / "out/figure.svg")


def test_the_same_results_give_the_same_svg(tmp_path, files):
    draw(tmp_path / "one", *files)
    draw(tmp_path / "two", *reversed(files))
    assert (tmp_path / "one/figure.svg").read_bytes() == (tmp_path / "two/figure.svg").read_bytes()


def test_says_which_file_is_missing(tmp_path, files):
    done = draw(tmp_path / "out", *files, tmp_path / "nowhere.json")
    assert done.returncode == 3
    assert "nowhere.json" in done.stderr and "tools/demo" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("text", ["{", "[]", json.dumps(results.result())])
def test_says_that_a_file_is_no_comparison(tmp_path, files, text):
    (tmp_path / "16.json").write_text(text)
    done = draw(tmp_path / "out", *files)
    assert done.returncode == 3
    assert "16.json" in done.stderr and "Traceback" not in done.stderr


def test_needs_a_replay(tmp_path, files):
    done = draw(tmp_path / "out", *files[:2])
    assert done.returncode == 3 and "replay" in done.stderr


def test_draws_what_the_program_writes(tmp_path, cli):
    files = []
    for name, config in (("mix", "fletch.json"), ("replay", "replay.json")):
        files.append(tmp_path / f"{name}.json")
        done = cli("compare", ROOT / "configs/fletch" / config, "--systems", "nocache,fletch",
                   "--set", "/workload/requests=1k", "--set", "/run/replications=2",
                   "--set", "/cluster/servers=2", "--out", files[-1])
        assert done.returncode == 0, done.stderr
    done = draw(tmp_path / "out", *files)
    assert (done.returncode, done.stderr) == (0, "")
    svg = (tmp_path / "out/figure.svg").read_text(encoding="utf-8")
    assert "LinkedIn mix, 2 servers" in svg and "audit log" in svg
