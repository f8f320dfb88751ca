#!/usr/bin/env python3
"""Draws what `recirc sensitivity ... --out FILE` found: how far each constant moves a value.

    experiments/sensitivity_figure.py FILE                 the first value
    experiments/sensitivity_figure.py FILE --name latency_p99_us --out DIR --most 12

One bar a constant from the value at one end of its range to that at the other, the longest on top,
with 95 % intervals. Writes DIR/sensitivity.png and .svg. Exit 3: the file is missing or is
something else.
"""

import argparse
import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


class Unusable(Exception):
    """A file that cannot be drawn, and why."""


def load(path):
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unusable(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise Unusable(f"{path} is no JSON") from error
    if not isinstance(found, dict) or found.get("kind") != "recirc sensitivity":
        raise Unusable(f"{path} was not written by recirc sensitivity")
    return found


def move_of(moves, name):
    return next((move for move in moves if name in (None, move["name"])), None)


def bars_of(found, name):
    """(constant, [(value tried, mean, half-width)]) of all that move, farthest first."""
    scale = 1 if found["is_claim"] else 100
    middle = move_of(found["middle"], name)
    before = middle["mean"] if middle else 0.0
    bars = []
    for constant in found["constants"]:
        ends = []
        for end in constant["ends"]:
            move = move_of(end["moves"], name)
            if move is not None:
                ends.append((json.dumps(end["value"]).strip('"'), move["mean"] * scale,
                             (move["interval95"] or 0.0) * scale))
        if any(mean != before * scale for _, mean, _ in ends):
            bars.append((constant["pointer"], ends))
    bars.sort(key=lambda bar: -max(abs(mean - before * scale) for _, mean, _ in bar[1]))
    return before * scale, bars


def draw(found, name, most, out):
    before, bars = bars_of(found, name)
    if not bars:
        raise Unusable("nothing moves" if name is None else f"nothing moves {name}")
    bars = bars[:most][::-1]
    figure, axes = plt.subplots(figsize=(8, 1.2 + 0.42 * len(bars)), layout="constrained")
    for place, (_, ends) in enumerate(bars):
        means = [before] + [mean for _, mean, _ in ends]
        axes.barh(place, max(means) - min(means), left=min(means), height=0.55, color="#56B4E9")
        for value, mean, half in ends:
            axes.errorbar(mean, place, xerr=half, color="#0072B2", capsize=3, fmt="o", markersize=3)
            side = 1 if mean >= before else -1
            axes.annotate(value, (mean + side * half, place), (side * 4, 0), fontsize=7,
                          textcoords="offset points", va="center",
                          ha="left" if side > 0 else "right")
    axes.axvline(before, color="black", linewidth=0.8)
    axes.set_yticks(range(len(bars)), [pointer for pointer, _ in bars], fontsize=8)
    axes.margins(x=0.15)
    what = name or found["constants"][0]["ends"][0]["moves"][0]["name"]
    axes.set_xlabel(what if found["is_claim"] else f"change of {what}, %")
    axes.set_title(found["of"], loc="left", fontsize=9.5, fontweight="bold")
    out.mkdir(parents=True, exist_ok=True)
    figure.savefig(out / "sensitivity.png", dpi=150)
    figure.savefig(out / "sensitivity.svg", metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--name", help="figure or part of a claim; else the first")
    parser.add_argument("--most", type=int, default=15, help="constants shown (default 15)")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results"))
    options = parser.parse_args()
    plt.rcParams["svg.hashsalt"] = "recirc"
    try:
        draw(load(options.file), options.name, options.most, options.out)
    except Unusable as error:
        print(f"sensitivity_figure.py: {error}", file=sys.stderr)
        return 3
    print(f"Figure: {options.out}/sensitivity.png {options.out}/sensitivity.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
