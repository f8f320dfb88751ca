#!/usr/bin/env python3
"""Adds up what test runners printed: `tally.py ctest=LOG pytest=LOG tidy=LOG`.

Catch2 test cases, pytest tests and tidy checks count one each; a program that died without saying
how far it came counts as one failure. Ends with the line "N passed, N failed" and exit 1 if
anything failed, or if nothing passed at all.
"""

import argparse
import pathlib
import re
import sys

CATCH_ALL_PASSED = re.compile(r"All tests passed \(.* in (\d+) test cases?\)")
CATCH_SUMMARY = re.compile(r"test cases: *\d+ \|(.*)")
CTEST_FAILED = re.compile(r"^\s*\d+ - (\S+) \((.*)\)$")
CTEST_RESULT = re.compile(r"^\s*\d+/\d+ Test +#(\d+): (\S+) \.+(.*)")
PYTEST_COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed|xpassed)")
TIDY_SUMMARY = re.compile(r"^tidy: (\d+) passed, (\d+) failed$")


def catch_counts(lines):
    """(passed, failed) of one Catch2 program's output, or None if it printed no summary."""
    for line in reversed(lines):
        if match := CATCH_ALL_PASSED.search(line):
            return int(match[1]), 0
        if match := CATCH_SUMMARY.search(line):
            parts = {"passed": 0, "failed": 0}
            for count, word in re.findall(r"(\d+) (passed|failed)(?! as expected)", match[1]):
                parts[word] += int(count)
            return parts["passed"], parts["failed"]
    return None


def count_ctest(text):
    """ctest -V: each program's lines start with its number; the result line says how it ended."""
    output, results = {}, {}
    for line in text.splitlines():
        if match := CTEST_RESULT.match(line):
            results[match[1]] = (match[2], match[3])
        elif match := re.match(r"^(\d+): (.*)$", line):
            output.setdefault(match[1], []).append(match[2])
    passed, failed = 0, 0 if results else 1
    for number, (_, outcome) in results.items():
        ok = "Passed" in outcome
        counts = catch_counts(output.get(number, []))
        if counts is None:
            counts = (1, 0) if ok else (0, 1)
        elif not ok and counts[1] == 0:
            counts = (counts[0], 1)
        passed += counts[0]
        failed += counts[1]
    return passed, failed


def count_pytest(text):
    for line in reversed(text.splitlines()):
        counts = dict((word.rstrip("s"), int(n)) for n, word in PYTEST_COUNT.findall(line))
        if counts and re.search(r" in [\d.]+s", line):
            return counts.get("passed", 0), counts.get("failed", 0) + counts.get("error", 0)
    return 0, 1


def count_tidy(text):
    for line in reversed(text.splitlines()):
        if match := TIDY_SUMMARY.match(line):
            return int(match[1]), int(match[2])
    return 0, 1


COUNTERS = {"ctest": count_ctest, "pytest": count_pytest, "tidy": count_tidy}


def show_ctest(text):
    """The result lines, and everything that a failed program printed."""
    failed = set()
    for line in text.splitlines():
        if match := CTEST_RESULT.match(line):
            print(line)
            if "Passed" not in match[3]:
                failed.add(match[1])
    for line in text.splitlines():
        if (match := re.match(r"^(\d+): (.*)$", line)) and match[1] in failed:
            print(match[2])
    if not CTEST_RESULT.search("\n".join(text.splitlines())) and "No tests were found" in text:
        print("no tests were found")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="+", metavar="KIND=LOG")
    parser.add_argument("--failed-commands", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print what ctest said instead")
    parser.add_argument("--out", help='write "passed failed" there instead of the last line')
    options = parser.parse_args(arguments)
    passed = failed = 0
    for item in options.logs:
        kind, _, path = item.partition("=")
        text = pathlib.Path(path).read_text(errors="replace")
        if options.show:
            show_ctest(text)
            return 0
        counts = COUNTERS[kind](text)
        print(f"{kind}: {counts[0]} passed, {counts[1]} failed", file=sys.stderr)
        passed += counts[0]
        failed += counts[1]
    # A runner that exited with an error and counted no failure broke in a way it did not count.
    failed = max(failed, options.failed_commands)
    if options.out:
        pathlib.Path(options.out).write_text(f"{passed} {failed}\n")
    else:
        print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
