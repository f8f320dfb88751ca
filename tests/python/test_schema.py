"""The files in configs/ satisfy the schema, by a validator that is not ours."""

import json
import pathlib

import jsonschema
import pytest
import recirc

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "configs").rglob("*.json"))


def name_of(path):
    return path.relative_to(ROOT / "configs").with_suffix("").as_posix()


def is_config(path):
    return "system" in json.loads(path.read_text())


CONFIGS = [path for path in FILES if is_config(path)]


def validator_of(what):
    schema = recirc.schema(what)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(name="validator", scope="module")
def validator_of_configurations():
    return validator_of("config")


def test_the_files_that_others_rely_on_are_there():
    assert {"fletch/nocache", "fletch/fletch"} <= {name_of(path) for path in CONFIGS}


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_shipped_file_satisfies_the_schema(path):
    validator_of("any").validate(json.loads(path.read_text()))


@pytest.mark.parametrize("path", CONFIGS, ids=name_of)
def test_a_configuration_is_stable_once_it_is_effective(validator, path, monkeypatch):
    monkeypatch.chdir(ROOT)
    effective = recirc.check(path)
    validator.validate(effective)
    assert recirc.check(effective) == effective


def test_the_shortest_configuration_is_complete(validator):
    short = {"system": "fletch"}
    validator.validate(short)
    assert recirc.check(short)["workload"]["files"] == 31_981_446


BROKEN = [{"system": "fletsh"}, {"system": "fletch", "sistem": 1},
          {"system": "fletch", "workload": {"zipff": 1}},
          {"system": "fletch", "workload": {"zipf": "much"}},
          {"system": "fletch", "cluster": {"servers": -1}},
          {"system": "fletch", "cluster": {"servers": 1.5}}, {"system": 3}, []]


@pytest.mark.parametrize("config", BROKEN, ids=json.dumps)
def test_the_schema_and_the_reader_refuse_the_same(validator, config, tmp_path):
    assert not validator.is_valid(config)
    assert not validator_of("any").is_valid(config)
    (tmp_path / "broken.json").write_text(json.dumps(config))
    with pytest.raises(recirc.ConfigError):
        recirc.check(tmp_path / "broken.json")


@pytest.mark.parametrize("what", ["any", "config", "sweep", "chip", "program"])
def test_it_is_the_schema_of_the_command_line(cli, what):
    done = cli("schema", what)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == recirc.schema(what)


def test_there_are_no_other_schemas():
    with pytest.raises(ValueError, match="'city'"):
        recirc.schema("city")
    assert recirc.schema() == recirc.schema("any")
