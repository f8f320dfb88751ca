"""The bindings of the paper's claims: whole, and made of what the program knows."""

import json
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "experiments/claims"


@pytest.fixture(name="bindings", scope="module", params=["fletch", "callosal"])
def bindings_of(request):
    return json.loads((FOLDER / f"{request.param}.json").read_text(encoding="utf-8"))


def operands(bindings):
    for claim in bindings["claims"]:
        for part in claim["parts"]:
            yield claim, part, part["of"]
            if "to" in part:
                yield claim, part, part["to"]


def test_lists_every_claim_with_its_value_or_that_it_is_withheld(cli, bindings):
    done = cli("list", "claims", "--json")
    assert done.returncode == 0, done.stderr
    listed = {row["claim"]: row["paper"] for row in json.loads(done.stdout)}
    for claim in bindings["claims"]:
        assert (listed[claim["id"]] == "withheld") == (claim["value"] is None)


def test_every_run_of_a_claim_can_be_configured(cli, bindings, tmp_path):
    """A setting that no system knows would make a claim "not available" without a word."""
    runs = {run["name"]: run for run in bindings["runs"]}
    seen = set()
    for claim, part, operand in operands(bindings):
        run = runs[operand["run"]]
        for variation in part.get("over", [{}]):
            settings = {**run.get("set", {}), **operand.get("select", {})}
            if "saturate_at" not in operand:
                settings.update(variation.get("select", {}))
            key = json.dumps([run["file"], settings], sort_keys=True)
            if key in seen:
                continue
            seen.add(key)
            path = (FOLDER / run["file"]).resolve()
            document = json.loads(path.read_text(encoding="utf-8"))
            base = path
            if "grid" in document:
                base = (path.parent / document["base"]).resolve()
                settings = {**document.get("set", {}), **settings}
            overrides = [f"{pointer}={json.dumps(value)}" for pointer, value in settings.items()]
            words = [word for override in overrides for word in ("--set", override)]
            done = cli("check", base, *words)
            assert done.returncode == 0, f"{claim['id']}: {done.stderr}"


def test_alternatives_can_be_configured(cli, bindings):
    for other in bindings.get("alternatives", []):
        config = ROOT / f"configs/{bindings['system']}/{bindings['system']}.json"
        words = [f"{pointer}={json.dumps(value)}" for pointer, value in other["set"].items()]
        done = cli("check", config, *[word for words_of in words for word in ("--set", words_of)])
        assert done.returncode == 0, f"{other['name']}: {done.stderr}"


def test_a_small_claim_runs_and_is_kept(cli, tmp_path):
    points = tmp_path / "points.jsonl"
    words = ("claims", "fletch", "--only", "fletch.resources.values", "--points", points, "--json")
    done = cli(*words, "--strict")
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)["claims"][0]
    assert row["verdict"] == "pass" and row["mark"] == "input"
    assert [part["mean"] for part in row["parts"]] == [32, 8]


def draw(out, *words):
    return subprocess.run(["/usr/bin/python3", ROOT / "experiments/sensitivity_figure.py", "--out",
                           out, *words], capture_output=True, text=True, check=False)


def test_draws_what_sensitivity_writes(cli, tmp_path, small):
    config = tmp_path / "small.json"
    config.write_text(json.dumps(small), encoding="utf-8")
    found = tmp_path / "found.json"
    done = cli("sensitivity", config, "--only", "/network/host_delay", "--out", found, "--quiet")
    assert done.returncode == 0, done.stderr
    assert "/network/host_delay" in done.stdout
    done = draw(tmp_path / "out", found, "--name", "latency_mean_us")
    assert (done.returncode, done.stderr) == (0, "")
    assert "/network/host_delay" in (tmp_path / "out/sensitivity.svg").read_text(encoding="utf-8")


def test_says_that_a_file_is_no_sensitivity(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("{}", encoding="utf-8")
    done = draw(tmp_path / "out", path)
    assert done.returncode == 3 and "x.json" in done.stderr and "Traceback" not in done.stderr
