"""tools/tidy.py finds what it promises to find, and nothing in a clean tree."""

import importlib.util
import pathlib

import pytest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"


def load(name):
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tidy = load("tidy")


def findings(tmp_path, check, files):
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return list(tidy.CHECKS[check](tidy.Tree(tmp_path)))


def function(lines):
    return "int f(int a) {\n" + "  a += 1;\n" * (lines - 2) + "}\n"


BAD = [
    ("file length", {"src/sim/a.cpp": "// x\n" * 401}),
    ("file length", {"tools/a": "#!/bin/sh\n" + "true\n" * 400}),
    ("function length", {"src/sim/a.cpp": "namespace n {\n" + function(61) + "}\n"}),
    ("function length", {"src/sim/a.h": "class C : B {\n public:\n" + function(61) + "};\n"}),
    ("function length", {"src/sim/a.cpp": "C::C() : b_(1), c_{2} {\n" + "g();\n" * 60 + "}\n"}),
    ("function length", {"tests/sim/a.cpp": 'TEST_CASE("a {") {\n' + "g();\n" * 60 + "}\n"}),
    ("function length", {"tools/a.py": "def f():\n" + "    g()\n" * 60}),
    ("line length", {"src/sim/a.h": "/" * 101 + "\n"}),
    ("layers", {"src/sim/a.h": '#include "model/run.h"\n'}),
    ("layers", {"src/pipeline/a.h": '#include "workloads/namespace.h"\n'}),
    ("layers", {"src/workloads/a.cpp": '#include "pipeline/switch.h"\n'}),
    ("layers", {"src/model/a.cpp": '  #  include "app/run.h"\n'}),
    ("layers", {"src/pipeline/a.cpp": '#include "pipeline/programs/forward/wire.h"\n'}),
    ("systems apart", {"src/model/fletch/a.h": '#include "model/lambdafs/b.h"\n'}),
    ("systems apart", {"src/pipeline/programs/fletch/a.h":
                       '#include "pipeline/programs/callosal/b.h"\n'}),
    ("heavy headers", {"src/sim/a.h": "#include <nlohmann/json.hpp>\n"}),
    ("heavy headers", {"src/model/a.h": "#include <boost/graph/adjacency_list.hpp>\n"}),
    ("heavy headers", {f"src/model/{i}.cpp": "#include <Eigen/Dense>\n" for i in range(9)}),
    ("vocabulary of the switch", {"src/pipeline/a.h": "// the path of a file\n"}),
    ("vocabulary of the switch", {"src/pipeline/a.h": "int lock_counter;\n"}),
    ("vocabulary of the switch", {"src/pipeline/a.h": "class FletchHeader;\n"}),
    ("portable arithmetic", {"src/sim/a.cpp": "double x = std::log(2.0);\n"}),
    ("portable arithmetic", {"src/workloads/a.cpp": "double x = pow(a, b);\n"}),
    ("portable arithmetic", {"src/model/a.cpp": '#include "sim/portable_math.h"\nx = ::log(y);'}),
    ("portable arithmetic", {"src/sim/a.cpp": '#include "sim/portable_math.h"\nx = std::log(y);'}),
    ("loose ends", {"src/sim/a.cpp": "// TO" + "DO: later\n"}),
    ("loose ends", {"docs/a.md": "FIX" + "ME\n"}),
    ("executable bits", {"tools/a": "#!/bin/sh\n"}),
    ("generated pages", {"docs/config.md": "old\n"}),
]


@pytest.mark.parametrize("check, files", BAD)
def test_finds(tmp_path, check, files):
    assert findings(tmp_path, check, files)


GOOD = [
    ("file length", {"src/sim/a.cpp": "// x\n" * 400, "configs/a.json": "\n" * 1000}),
    ("file length", {"build/a.cpp": "// x\n" * 401, "build-asan/a.cpp": "// x\n" * 401}),
    ("function length", {"src/sim/a.cpp": "namespace n {\n" + function(60) * 3 + "}\n"}),
    ("function length", {"src/sim/a.h": "class C {\n" + "int a_; // f() {\n" * 90 + "};\n"}),
    ("function length", {"src/sim/a.cpp": "const int table[] = {\n" + "1,\n" * 90 + "};\n"}),
    ("layers", {"src/model/a.cpp": '#include "pipeline/switch.h"\n#include "workloads/a.h"\n'}),
    ("systems apart", {"src/model/fletch/a.h": '#include "pipeline/programs/fletch/b.h"\n'}),
    ("systems apart", {"src/model/combined/fletch/a.h": '#include "model/lambdafs/b.h"\n'}),
    ("heavy headers", {"src/sim/a.h": "#include <nlohmann/json_fwd.hpp>\n"}),
    ("vocabulary of the switch", {"src/pipeline/programs/fletch/a.h": "int path_key;\n",
                                  "src/pipeline/b.cpp": '.from = paper("Fletch, page 3"),',
                                  "src/pipeline/a.h": "// a block of clocks, unlocked\n"}),
    ("portable arithmetic", {"src/sim/a.cpp": "// log(x)\nx = portable::log(y) + y.exp(2);\n",
                             "src/sim/b.cpp": '#include "sim/portable_math.h"\nx = log(y);',
                             "src/app/a.cpp": "double x = std::log(2.0);\n"}),
    ("executable bits", {"experiments/a.py": "#!/usr/bin/env python3\n"}),
]


@pytest.mark.parametrize("check, files", GOOD)
def test_passes(tmp_path, check, files):
    assert findings(tmp_path, check, files) == []


def test_executable_without_interpreter_line(tmp_path):
    (tmp_path / "a.md").write_text("text\n")
    (tmp_path / "a.md").chmod(0o755)
    assert findings(tmp_path, "executable bits", {}) == ["a.md: executable without a #! line"]


def write_program(tmp_path, body):
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "recirc"
    program.write_text("#!/bin/sh\n" + body)
    program.chmod(0o755)


def test_compares_generated_pages_with_what_the_program_prints(tmp_path):
    write_program(tmp_path, 'echo "page $2"\n')
    assert findings(tmp_path, "generated pages", {"docs/config.md": "page config\n"}) == []
    stale = findings(tmp_path, "generated pages", {"docs/config.md": "page confg\n"})
    assert stale == ["docs/config.md: stale; run tools/tidy.py --write"]


def test_exit_code_and_last_line_tell(tmp_path, capsys):
    assert tidy.main(["--root", str(tmp_path), "--check"]) == 0
    (tmp_path / "a.cpp").write_text("// " + "x" * 100 + "\n")
    assert tidy.main(["--root", str(tmp_path), "--check"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == (
        f"tidy: {len(tidy.CHECKS) - 1} passed, 1 failed")
