#!/usr/bin/env python3
"""Checks what no compiler checks: sizes, include rules, vocabulary, generated pages, loose ends.

    tools/tidy.py            check the tree
    tools/tidy.py --check    the same (what tools/test runs)
    tools/tidy.py --write    write the generated pages of docs/ again, then check
    tools/tidy.py --root D   another tree

Ends with "tidy: N passed, N failed" (checks, not findings); exit 1 if one failed. Standard library
only. The rules themselves are explained in CONTRIBUTING.md.
"""

import argparse
import ast
import os
import pathlib
import re
import subprocess
import sys

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
MAX_COLUMNS = 100

SKIPPED_FOLDERS = re.compile(r"^(build.*|bin|results|\.git|__pycache__|\..*cache|.*\.egg-info)$")
CXX = (".h", ".cpp")
SCRIPT_FOLDERS = ("tools", ".ci")

# What each layer may include. src/main.cpp, bindings/, tests/ and bench/ may include anything.
LAYERS = {
    "sim": {"sim"},
    "pipeline": {"sim", "pipeline"},
    "workloads": {"sim", "workloads"},
    "model": {"sim", "pipeline", "workloads", "model"},
    "app": {"sim", "pipeline", "workloads", "model", "app"},
}
SYSTEMS = ("fletch", "netcache", "callosal", "local_fs", "nfs", "cephfs", "lambdafs")

# Headers that cost a second or more to compile: only in .cpp files, and in how many of src/.
HEAVY_HEADERS = {
    "nlohmann/json.hpp": 42,
    "boost/program_options": 16,
    "Eigen/": 4,
    "boost/math/": 4,
    "boost/graph/": 3,
    "sqlite3.h": 1,
}

# Nothing in pipeline/ outside programs/ knows what is computed on it.
POLICY_WORDS = ("fletch", "path", "paths", "lock", "locks", "page", "pages")
# Where a number comes from may be said: paper("Fletch prototype: 100G loop ports").
CITATION = re.compile(r'\b(?:paper|measured|derived|assumed)\(\s*"[^"]*"')

# The bits of these differ between CPUs and library versions; sim/portable_math has them instead,
# under the same names: inside src/sim, in a file that includes it, log(x) is recirc::sim::log.
LIBM = ("log|log2|log10|log1p|exp|exp2|expm1|pow|sqrt|cbrt|hypot|sin|cos|tan|asin|acos|atan|atan2|"
        "sinh|cosh|tanh|erf|erfc|lgamma|tgamma")
LIBM_CALL = re.compile(rf"(\bstd::|(?<!\w)::|(?<![\w:.>]))(?:{LIBM})[fl]?\s*\(")
SIMULATION_FOLDERS = ("src/sim/", "src/pipeline/", "src/workloads/", "src/model/")
# Evaluates finished runs and closed formulas; no simulated decision depends on it.
NOT_SIMULATED = ("src/sim/portable_math", "src/sim/statistics", "src/model/experiment",
                 "src/model/analytic")

LOOSE_ENDS = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")

# Page -> arguments of bin/recirc that print it.
GENERATED = {
    "docs/config.md": ["docs", "config"],
    "docs/metrics.md": ["docs", "metrics"],
}


class Tree:
    """The files of a checkout, without what was built."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        self.names = sorted(self._walk())
        self._texts = {}

    def _walk(self):
        for folder, subfolders, names in os.walk(self.root):
            subfolders[:] = [name for name in subfolders if not SKIPPED_FOLDERS.match(name)]
            for name in names:
                path = pathlib.Path(folder, name)
                if path.is_file() and not path.is_symlink():
                    yield path.relative_to(self.root).as_posix()

    def text(self, name):
        if name not in self._texts:
            self._texts[name] = (self.root / name).read_text(encoding="utf-8", errors="replace")
        return self._texts[name]

    def is_executable(self, name):
        return os.access(self.root / name, os.X_OK)

    def sources(self, *suffixes, under=""):
        return [n for n in self.names if n.endswith(suffixes) and n.startswith(under)]

    def programs(self):
        """Files written in a programming language, with a suffix or a #! line."""
        for name in self.names:
            if name.endswith(CXX + (".py", ".pyi", ".cmake", ".sh")):
                yield name
            elif name.startswith(SCRIPT_FOLDERS) and self.text(name).startswith("#!"):
                yield name


def blank(match):
    """Keeps the line breaks of what is cut out, so that line numbers stay right."""
    return re.sub(r"[^\n]", " ", match[0])


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.S)


def bare_code(text):
    """C++ without comments, preprocessor lines and the contents of literals."""
    pattern = (r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'
               r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:[^\n\\]|\\.)*")
    return re.sub(pattern, blank, text, flags=re.S | re.M)


def cxx_functions(text):
    """(first line, lines) of each function body that stands at namespace or class level."""
    code = bare_code(text)
    scopes = []  # of open braces: True where a function body (or a part of one) is open
    start = 0
    for position, character in enumerate(code):
        if character == "{" and position and not code[position - 1].isspace():
            scopes.append((bool(scopes) and scopes[-1][0], False, None))  # an initialiser: a_{1}
        elif character == "{":
            head = code[start:position]
            inside = bool(scopes) and scopes[-1][0]
            opens = not inside and is_function_head(head)
            begin = start + len(head) - len(head.lstrip())
            scopes.append((inside or opens, opens, begin))
            start = position + 1
        elif character == "}":
            if scopes:
                _, opened, begin = scopes.pop()
                if opened:
                    first = code.count("\n", 0, begin) + 1
                    yield first, code.count("\n", begin, position) + 1
                if begin is not None:
                    start = position + 1
        elif character == ";":
            start = position + 1


def is_function_head(head):
    head = re.sub(r"\b(public|private|protected)\s*:", " ", head)
    if re.match(r"\s*(template\s*<.*>\s*)?(namespace|class|struct|enum|union|extern)\b", head,
                re.S):
        return False
    return "(" in head and not re.search(r"=\s*(\[|\w*$)|=\s*$", head.strip())


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1


def check_file_length(tree):
    for name in tree.programs():
        lines = tree.text(name).count("\n")
        if lines > MAX_FILE_LINES:
            yield f"{name}: {lines} lines, at most {MAX_FILE_LINES}"


def check_function_length(tree):
    for name in tree.programs():
        finder = {".h": cxx_functions, ".cpp": cxx_functions, ".py": python_functions}.get(
            pathlib.PurePath(name).suffix)
        for line, length in finder(tree.text(name)) if finder else ():
            if length > MAX_FUNCTION_LINES:
                yield f"{name}:{line}: function of {length} lines, at most {MAX_FUNCTION_LINES}"


def check_line_length(tree):
    for name in tree.programs():
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            if len(line) > MAX_COLUMNS:
                yield f"{name}:{number}: {len(line)} columns, at most {MAX_COLUMNS}"


def includes(tree, under):
    """(file, line, included) of the C++ files below a folder."""
    for name in tree.sources(*CXX, under=under):
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            if match := re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line):
                yield name, number, match[1]


def system_of(path):
    """The system a path belongs to: "model/fletch/x.h" -> "fletch"; None for shared code."""
    parts = path.split("/")
    return next((part for part in parts if part in SYSTEMS), None)


def check_layers(tree):
    for name, number, included in includes(tree, "src/"):
        layer, target = name.split("/")[1], included.split("/")[0]
        if layer in LAYERS and target in LAYERS and target not in LAYERS[layer]:
            yield f"{name}:{number}: {layer} may not include {target} ({included})"
        if (name.startswith("src/pipeline/") and not name.startswith("src/pipeline/programs/")
                and included.startswith("pipeline/programs/")):
            yield f"{name}:{number}: the switch may not include a program ({included})"


def check_systems(tree):
    for name, number, included in includes(tree, "src/"):
        own, other = system_of(name), system_of(included)
        if own and other and own != other and "/combined/" not in name:
            yield f"{name}:{number}: {own} may not include {other} ({included})"


def check_heavy_headers(tree):
    for header, limit in HEAVY_HEADERS.items():
        users = [(n, line) for n, line, inc in includes(tree, "src/") if inc.startswith(header)]
        for name, line in users:
            if name.endswith(".h"):
                yield f"{name}:{line}: {header} only in .cpp files"
        if len({name for name, _ in users}) > limit:
            yield f"src: {header} in {len(users)} files, at most {limit} (it is slow to compile)"


def check_vocabulary(tree):
    for name in tree.sources(*CXX, under="src/pipeline/"):
        if name.startswith("src/pipeline/programs/"):
            continue
        text = CITATION.sub(blank, tree.text(name))
        for number, line in enumerate(text.splitlines(), 1):
            # Identifiers are words joined by _ or by capitals: LockTable, path_key.
            for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", line):
                if word.lower() in POLICY_WORDS:
                    yield f"{name}:{number}: the switch says '{word}'"


def check_libm(tree):
    for name in tree.sources(*CXX, under="src/"):
        if not name.startswith(SIMULATION_FOLDERS) or name.startswith(NOT_SIMULATED):
            continue
        text = without_comments(tree.text(name))
        ours = name.startswith("src/sim/") and '#include "sim/portable_math.h"' in text
        for number, line in enumerate(text.splitlines(), 1):
            match = LIBM_CALL.search(line)
            if match and (match[1] or not ours):
                yield f"{name}:{number}: {match[0]}…): use sim/portable_math.h on simulation paths"


def check_loose_ends(tree):
    for name in sorted({*tree.programs(), *tree.sources(".md", ".txt", ".json", ".toml")}):
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            if match := LOOSE_ENDS.search(line):
                yield f"{name}:{number}: {match[0]} left behind"


def check_executable_bits(tree):
    for name in tree.names:
        with open(tree.root / name, "rb") as file:
            script = file.read(2) == b"#!"
        if script and name.startswith(SCRIPT_FOLDERS) and not tree.is_executable(name):
            yield f"{name}: has a #! line and is not executable"
        if not script and tree.is_executable(name):
            yield f"{name}: executable without a #! line"


def generated_page(tree, arguments):
    """What bin/recirc prints for a page; None while there is no program to ask."""
    program = tree.root / "bin" / "recirc"
    if not program.exists():
        return None
    done = subprocess.run([program, *arguments], cwd=tree.root, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False)
    return done.stdout if done.returncode == 0 else None


def check_generated_pages(tree):
    for page, arguments in GENERATED.items():
        if page in tree.names:
            printed = generated_page(tree, arguments)
            if printed is None:
                yield f"{page}: bin/recirc {' '.join(arguments)} did not run; build it first"
            elif printed != tree.text(page):
                yield f"{page}: stale; run tools/tidy.py --write"


def write_generated_pages(tree):
    for page, arguments in GENERATED.items():
        printed = generated_page(tree, arguments)
        if printed:
            (tree.root / page).parent.mkdir(exist_ok=True)
            (tree.root / page).write_text(printed, encoding="utf-8")


CHECKS = {
    "file length": check_file_length,
    "function length": check_function_length,
    "line length": check_line_length,
    "layers": check_layers,
    "systems apart": check_systems,
    "heavy headers": check_heavy_headers,
    "vocabulary of the switch": check_vocabulary,
    "portable arithmetic": check_libm,
    "loose ends": check_loose_ends,
    "executable bits": check_executable_bits,
    "generated pages": check_generated_pages,
}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--check", action="store_true", help="check only (the default)")
    parser.add_argument("--write", action="store_true", help="write generated pages first")
    options = parser.parse_args(arguments)
    if options.write:
        write_generated_pages(Tree(options.root))
    tree = Tree(options.root)
    failed = 0
    for title, check in CHECKS.items():
        findings = list(check(tree))
        print(f"{'FAILED' if findings else 'ok    '} {title}")
        for finding in findings:
            print(f"       {finding}")
        failed += bool(findings)
    print(f"tidy: {len(CHECKS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
