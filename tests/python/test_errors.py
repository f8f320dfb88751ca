"""What is wrong with a configuration reaches Python whole, as exceptions of the package."""

import pickle

import pytest
import recirc
from recirc import _recirc


def issues_of(config, **pointers):
    with pytest.raises(recirc.ConfigError) as caught:
        recirc.check(config, **pointers)
    return caught.value.issues


def test_lists_everything_that_is_wrong(small):
    small["workload"]["zipff"] = 0.9
    small["cluster"]["servers"] = 2.5
    issues = {issue.pointer: issue for issue in issues_of(small, **{"/run/seed": -1})}
    assert set(issues) == {"/workload/zipff", "/cluster/servers", "/run/seed"}
    assert "zipf" in issues["/workload/zipff"].suggestion
    assert all(issue.message for issue in issues.values())


def test_run_raises_what_check_raises(small):
    with pytest.raises(ValueError) as caught:
        recirc.run(small, **{"/system": "fletsh"})
    assert isinstance(caught.value, recirc.ConfigError)
    assert "/system" in str(caught.value) and caught.value.issues[0].pointer == "/system"


def test_a_duplicate_key_is_an_issue(tmp_path):
    (tmp_path / "a.json").write_text('{"system": "fletch", "system": "nocache"}')
    assert issues_of(tmp_path / "a.json")[0].pointer == "/system"


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_json_is_an_issue(small, value):
    assert issues_of({**small, "workload": {"zipf": value}})
    assert issues_of(small, **{"/workload/zipf": value})


@pytest.mark.parametrize("text", ["", "[", "[]", "1", '{"system"}'])
def test_a_file_that_is_no_configuration_is_an_issue(tmp_path, text):
    (tmp_path / "a.json").write_text(text)
    assert issues_of(tmp_path / "a.json")


def test_a_missing_file_is_an_oserror(tmp_path):
    with pytest.raises(OSError, match="nowhere.json") as caught:
        recirc.run(tmp_path / "nowhere.json")
    assert isinstance(caught.value, recirc.InputOutputError)


def test_a_broken_pointer_is_an_issue(small):
    assert issues_of(small, **{"/": 1})
    with pytest.raises(recirc.ConfigError):
        recirc.check(small, overrides={"system": "nocache"})


def test_a_keyword_that_is_no_pointer_is_a_type_error(small):
    with pytest.raises(TypeError, match="'seed'.*JSON pointer"):
        recirc.run(small, seed=3)


@pytest.mark.parametrize("config", [None, 7, ["a"], object(), {"system": object()}])
def test_what_cannot_be_a_configuration_is_a_type_error(config):
    with pytest.raises(TypeError):
        recirc.check(config)


def test_a_negative_number_of_jobs_is_refused(small):
    with pytest.raises(ValueError, match="jobs"):
        recirc.run(small, jobs=-1)


def test_an_exception_survives_pickling(small):
    with pytest.raises(recirc.ConfigError) as caught:
        recirc.check(small, **{"/workload/zipff": 1})
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.issues) == (str(caught.value), caught.value.issues)
    violation = recirc.ConstraintViolation("text", "fletch", "lock_1", 3, 2, 17)
    again = pickle.loads(pickle.dumps(violation))
    assert (str(again), again.stage, again.packet) == ("text", 3, 17)


def test_what_a_progress_function_raises_ends_the_run(small):
    def fail(done, total):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        recirc.run(small, progress=fail)


def test_nonsense_given_to_the_module_is_an_exception(small):
    with pytest.raises((recirc.ConfigError, RuntimeError)):
        _recirc.gains("{}", "{}")
