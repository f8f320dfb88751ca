"""The Python blocks of docs/python.md run as they stand there."""

import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/python.md"


def test_the_example_runs(capsys):
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)
    assert len(blocks) == 4
    names = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    said = capsys.readouterr().out
    assert "operations per second" in said and " operations\n" in said
    assert "over 3 pairs" in said
    assert "/workload/zipff | " in said and "/cluster/servers | " in said
