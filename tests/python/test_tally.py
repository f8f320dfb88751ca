"""tools/tally.py counts what runners print, and never turns a crash into a success."""

import pytest
from test_tidy import load

tally = load("tally")

CTEST = """\
1: Randomness seeded to: 1
1: All tests passed (17 assertions in 12 test cases)
1/4 Test #1: sim ..............   Passed    0.04 sec
2: test cases:  9 |  7 passed | 2 failed
2: assertions: 20 | 18 passed | 2 failed
2/4 Test #2: model ............***Failed    0.01 sec
3: test cases: 3 | 1 passed | 1 failed | 1 failed as expected
3/4 Test #3: app ..............***Failed    0.01 sec
4: some output
4/4 Test #4: pipeline .........***Exception: SegFault  0.10 sec
"""


def test_ctest_counts_catch_cases_and_crashes():
    assert tally.count_ctest(CTEST) == (12 + 7 + 1, 2 + 1 + 1)


def test_single_case_and_wide_result_lines():
    text = ("10: All tests passed (1 assertion in 1 test case)\n"
            " 9/10 Test #10: a ...   Passed 0 sec\n")
    assert tally.count_ctest(text) == (1, 0)


def test_failed_suite_with_a_clean_summary_counts_as_a_failure():
    text = ("1: All tests passed (2 assertions in 2 test cases)\n"
            "1/1 Test #1: a ...***Timeout 600 sec\n")
    assert tally.count_ctest(text) == (2, 1)


def test_no_program_at_all_is_a_failure():
    assert tally.count_ctest("No tests were found!!!\n") == (0, 1)


@pytest.mark.parametrize("line, counts", [
    ("5 passed in 0.10s", (5, 0)),
    ("1 failed, 5 passed, 2 skipped in 3.10s", (5, 1)),
    ("= 5 passed, 2 errors in 63.10s (0:01:03) =", (5, 2)),
    ("no tests ran in 0.01s", (0, 1)),
    ("", (0, 1)),
])
def test_pytest_summary(line, counts):
    assert tally.count_pytest(f"...\n{line}\n") == counts


def run(tmp_path, capsys, text, *options):
    log = tmp_path / "log"
    log.write_text(text)
    code = tally.main([*options, f"pytest={log}"])
    return code, capsys.readouterr().out


def test_last_line_and_exit_code(tmp_path, capsys):
    assert run(tmp_path, capsys, "3 passed in 1.00s\n") == (0, "3 passed, 0 failed\n")
    assert run(tmp_path, capsys, "3 passed, 1 failed in 1.00s\n") == (1, "3 passed, 1 failed\n")
    assert run(tmp_path, capsys, "0 passed in 1.00s\n")[0] == 1


def test_a_runner_that_failed_without_saying_so_is_a_failure(tmp_path, capsys):
    assert run(tmp_path, capsys, "3 passed in 1.00s\n", "--failed-commands", "1") == (
        1, "3 passed, 1 failed\n")


def test_totals_into_a_file(tmp_path, capsys):
    out = tmp_path / "totals"
    assert run(tmp_path, capsys, "3 passed in 1.00s\n", "--out", str(out)) == (0, "")
    assert out.read_text() == "3 0\n"
