#!/usr/bin/env python3
"""Draws what tools/demo measured: Fletch against NoCache, as a PNG and an SVG.

    experiments/demo_figure.py                         the files of results/demo
    experiments/demo_figure.py --out DIR FILE...       files that `recirc compare --out` wrote

Writes DIR/figure.png and DIR/figure.svg. A file whose configuration has a trace is the replay; the
others are told apart by their number of servers. Exit 3: a file is missing or is something else.
"""

import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bindings"))  # reading results needs no compiled module

import matplotlib  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

import recirc  # noqa: E402

DEMO_FILES = ("linkedin-16.json", "linkedin-128.json", "replay.json")
NAMES = {"nocache": "NoCache", "fletch": "Fletch"}
# Okabe and Ito's colours, which colour-blind readers tell apart; hatches for print without colour.
STYLES = ({"color": "#E69F00", "hatch": "///"}, {"color": "#0072B2"}, {"color": "#009E73"},
          {"color": "#CC79A7", "hatch": "xxx"})
LATENCIES = {"mean": "latency_mean_us", "p50": "latency_p50_us", "p95": "latency_p95_us",
             "p99": "latency_p99_us"}


class Case:
    """One comparison: where it was measured and what came of each system."""

    def __init__(self, comparison):
        self.results = comparison.results
        self.gains = comparison.gains
        self.baseline = comparison.baseline
        config = next(iter(self.results.values())).config
        self.workload = config["workload"]
        self.replay = self.workload.get("trace") is not None
        self.servers = config["cluster"]["servers"]
        self.label = "audit log" if self.replay else f"{self.servers} servers"

    def figure(self, system, name, scale=1.0):
        """Mean and half-width of a figure; 0 as the half-width of a single replication."""
        result = self.results[system]
        return result.summary[name] * scale, (result.interval95[name] or 0.0) * scale


def places_of(number, styles, count):
    """Where a system's marks stand: side by side with the others' in each of `count` groups."""
    width = 0.8 / len(styles)
    return [i + (number - (len(styles) - 1) / 2) * width for i in range(count)], width


def label_values(axes, places, means, half_widths, digits, gap=3):
    for place, mean, half_width in zip(places, means, half_widths):
        axes.annotate(f"{mean:,.{digits}f}", (place, mean + half_width), (0, gap),
                      textcoords="offset points", ha="center", va="bottom", fontsize=7)


def bars(axes, labels, cases, styles, value, digits):
    """Groups of bars: value(case, system) gives mean and half-width."""
    highest = 0.0
    for number, (system, style) in enumerate(styles.items()):
        places, width = places_of(number, styles, len(labels))
        means, half_widths = zip(*(value(case, system) for case in cases))
        axes.bar(places, means, width, yerr=half_widths, capsize=3, edgecolor="white",
                 error_kw={"elinewidth": 1}, label=NAMES.get(system, system), **style)
        label_values(axes, places, means, half_widths, digits)
        highest = max(highest, *(mean + half for mean, half in zip(means, half_widths)))
    axes.set_xticks(range(len(labels)), labels)
    axes.set_ylim(0, highest * 1.18 or 1)


def head(axes, letter, title, unit):
    axes.set_title(f"({letter}) {title}", loc="left", fontsize=9.5, fontweight="bold")
    axes.set_ylabel(unit, fontsize=9)
    axes.tick_params(labelsize=8.5)
    axes.yaxis.set_major_formatter(matplotlib.ticker.StrMethodFormatter("{x:,g}"))
    axes.spines[["top", "right"]].set_visible(False)


def draw_throughput(axes, letter, title, cases, styles):
    def value(case, system):
        return case.figure(system, "throughput_ops_per_s", 1e-3)

    def label(case):
        gains = [case.gains[system].get("throughput_ops_per_s") for system in styles]
        texts = [f"{100 * gain.gain:+.1f} %" for gain in gains if gain]
        return "\n".join([case.label, *(["gain " + ", ".join(texts)] if texts else [])])

    bars(axes, [label(case) for case in cases], cases, styles, value, 0)
    head(axes, letter, title, "thousand operations per second")


def draw_latency(axes, letter, title, case, styles):
    """Points on a logarithmic axis: median and tail differ by orders of magnitude."""
    marks = zip(styles.items(), "os^D")
    for number, ((system, style), marker) in enumerate(marks):
        places, _ = places_of(number, styles, len(LATENCIES))
        means, half_widths = zip(*(case.figure(system, name) for name in LATENCIES.values()))
        axes.errorbar(places, means, half_widths, fmt=marker, markersize=7, capsize=3,
                      elinewidth=1, color=style["color"], ecolor="black",
                      label=NAMES.get(system, system))
        label_values(axes, places, means, half_widths, 0, gap=5)
    axes.set_yscale("log")
    axes.margins(x=0.08, y=0.14)
    axes.set_xticks(range(len(LATENCIES)), list(LATENCIES))
    axes.grid(axis="y", color="0.9")
    axes.set_axisbelow(True)
    head(axes, letter, title, "microseconds, logarithmic")
    axes.legend(loc="upper left", frameon=False, fontsize=8.5)


def draw_share(axes, letter, title, cases, styles, name, unit):
    scale, digits = (100.0, 1) if unit.startswith("%") else (1.0, 2)
    bars(axes, [case.label.replace(" ", "\n") for case in cases], cases, styles,
         lambda case, system: case.figure(system, name, scale), digits)
    head(axes, letter, title, unit)


def caption(cases):
    results = [result for case in cases for result in case.results.values()]
    parts = []
    for case in cases:
        requests = next(iter(case.results.values())).summary["ops_completed"]
        what = "audit log" if case.replay else f"{case.servers} servers"
        parts.append(f"{what}: {requests:,.0f} operations × "
                     f"{len(next(iter(case.results.values())).replications)} replications")
    revisions = ", ".join(sorted({result.revision for result in results}))
    return ("Bars and points are means over replications, whiskers 95 % intervals. "
            + "; ".join(parts) + f". recirc {revisions}")


def draw(cases):
    *mixes, replay = cases
    baseline = cases[0].baseline
    systems = [baseline] + [name for name in cases[0].results if name != baseline]
    styles = dict(zip(systems, STYLES))
    cached = {name: style for name, style in styles.items()
              if any(case.results[name].summary["switch_hit_ratio"] for case in cases)}

    figure = plt.figure(figsize=(13.5, 7.8), layout="constrained")
    top, bottom = figure.subfigures(2, 1)
    first, *latencies = top.subplots(1, 1 + len(mixes))
    mix = mixes[-1].workload["mix"]
    mix = mix if isinstance(mix, str) else mix["kind"]
    mix = {"linkedin": "LinkedIn"}.get(mix, mix.capitalize())
    draw_throughput(first, "a", f"Throughput, {mix} mix", mixes, styles)
    for letter, axes, case in zip("bcd", latencies, mixes):
        draw_latency(axes, letter, f"Latency, {mix} mix, {case.label}", case, styles)

    letters = iter("cdefgh"[len(mixes) - 1:])
    throughput, latency, hits, passes, shares = bottom.subplots(
        1, 5, width_ratios=(1, 1.7, 1, 1, 1.3))
    draw_throughput(throughput, next(letters), "Replay: throughput", [replay], styles)
    draw_latency(latency, next(letters), "Replay of the audit log: latency", replay, styles)
    draw_share(hits, next(letters), "Switch hits", cases, cached or styles, "switch_hit_ratio",
               "% of reads")
    draw_share(passes, next(letters), "Recirculations", cases, styles,
               "recirculations_per_op", "per operation")
    draw_share(shares, next(letters), "Hottest server", cases, styles, "server_share_max",
               "% of all servers' requests")
    first.legend(loc="upper left", frameon=False)
    figure.suptitle("Metadata cached in the switch against no cache", x=0.01, ha="left",
                    fontweight="bold")
    figure.supxlabel(caption(cases), x=0.01, ha="left", fontsize=7.5)
    return figure


def read(paths):
    """The cases of the files; says on standard error what is wrong and exits with 3."""
    cases = []
    for path in paths:
        try:
            comparison = recirc.load(path)
        except (recirc.InputOutputError, recirc.ConfigError) as error:
            fail(f"{error}\n  tools/demo makes the files of results/demo")
        if not isinstance(comparison, recirc.Comparison):
            fail(f"{path} is the result of one configuration, not of recirc compare")
        cases.append(Case(comparison))
    if sum(case.replay for case in cases) != 1 or len(cases) < 2:
        fail("one replay of a trace is needed, and at least one comparison of a mix")
    return sorted(cases, key=lambda case: (case.replay, case.servers))


def fail(message):
    print(f"demo_figure: {message}", file=sys.stderr)
    sys.exit(3)


def settle(figure):
    """Fixes the layout to six digits: its solver's last bits differ from run to run."""
    figure.canvas.draw()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        axes.set_position([round(edge, 6) for edge in axes.get_position().bounds])


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=pathlib.Path,
                        default=[ROOT / "results/demo" / name for name in DEMO_FILES])
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "results/demo",
                        help="the folder for figure.png and figure.svg (default: results/demo)")
    options = parser.parse_args(arguments)
    # The same figure from the same results: no random identifiers in the SVG.
    matplotlib.rcParams["svg.hashsalt"] = "recirc"
    figure = draw(read(options.files))
    settle(figure)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        figure.savefig(options.out / "figure.png", dpi=150)
        figure.savefig(options.out / "figure.svg", metadata={"Date": None})
    except OSError as error:
        fail(f"cannot write the figure: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
