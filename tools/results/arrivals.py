"""Arrivals on cycles, in whole tokens and in small parts: docs/results/arrivals.md."""

import math
import pathlib
import tempfile

import numpy
import pandas

from results.making import Paper, claim, table

paper = Paper("arrivals", "Arrivals on cycles")
paper.sweep("from-nothing", tested=True)

PARTS = 2 ** 20  # of a unit that can be divided
LIMIT = math.sqrt(math.pi / 2)  # of the range of a Brownian bridge
BRIDGES = 40
# What another program, in Python, measured of whole tokens in the long run.
ELSEWHERE = {16: 4.00, 32: 6.10, 64: 9.19}
SIZES = [64, 128, 256, 512, 1024]


def bridge(nodes, seed):
    """Loads that change by one token a link, half of the links upwards, in random order: of all
    walks around the cycle those whose mean squares are nearly those of the long run."""
    steps = numpy.repeat([1, -1], nodes // 2)
    numpy.random.default_rng([nodes, seed]).shuffle(steps)
    walk = numpy.concatenate([[0], numpy.cumsum(steps)[:-1]])
    return walk - walk.min()


def written(loads, path):
    lines = [f"{node},{tokens}" for node, tokens in enumerate(loads)]
    path.write_text("\n".join(["node,tokens", *lines]) + "\n", encoding="utf-8")


@paper.series("from-bridges", long=True)
def from_bridges(sweep):
    """Runs of n^2 steps from bridges, in whole tokens and in parts over the same links."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="equipoise-bridges-") as folder:
        path = pathlib.Path(folder) / "loads.csv"
        for nodes in SIZES:
            for seed in range(1, BRIDGES + 1):
                start = bridge(nodes, seed)
                row = {"nodes": nodes, "seed": seed, "start": start.max()}
                for name, parts in (("whole", 1), ("parts", PARTS)):
                    written(start * parts, path)
                    run = sweep({
                        "title": "arrivals on a cycle", "networks": [f"cycle:n={nodes}"],
                        "loads": [str(path)], "seeds": [seed],
                        "algorithms": [{"name": "coin-averaging",
                                        "parameters": {"matching": "single"}}],
                        "options": {"arrivals": f"link:tokens={parts}",
                                    "max-steps": nodes * nodes},
                        "columns": ["discrepancy"]})
                    claim(run.left_out_because.isna().all(), f"runs on {nodes} nodes")
                    row[name] = run.discrepancy.iloc[0]
                rows.append(row)
    return pandas.DataFrame(rows)


def pairs(data):
    """One row a run: the size, the start, and the discrepancies in units with whole tokens and in
    parts, over the same links."""
    runs = data["from-nothing"]
    runs["parts"] = runs.arrivals.str.endswith(str(PARTS))
    halves = [runs[runs.parts == parts].set_index(["network_nodes", "seed"]).discrepancy
              for parts in (False, True)]
    nothing = pandas.DataFrame({"whole": halves[0], "parts": halves[1]}).reset_index()
    nothing = nothing.rename(columns={"network_nodes": "nodes"}).assign(start="nothing")
    bridges = data["from-bridges"].assign(start="bridges")
    both = pandas.concat([nothing, bridges])[["start", "nodes", "seed", "whole", "parts"]]
    both["parts"] /= PARTS
    both["added"] = both.whole - both.parts
    return both


def mean(values):
    """The mean and half its 95 % confidence interval (normal)."""
    return values.mean(), 1.96 * values.std(ddof=1) / math.sqrt(len(values))


def measured(data):
    """By start and size, of all runs: means, their errors and what is largest."""
    rows = []
    for (start, nodes), runs in pairs(data).groupby(["start", "nodes"], sort=False):
        real, real_error = mean(runs.parts)
        added, added_error = mean(runs.added)
        rows.append({"start": start, "nodes": nodes, "runs": len(runs), "real": real,
                     "real_error": real_error, "added": added, "added_error": added_error,
                     "least": runs.added.min(), "most": runs.added.max(),
                     "bound": 2 * math.sqrt(math.log(nodes))})
    return pandas.DataFrame(rows)


@paper.block("measured")
def measured_table(data):
    lines = []
    for row in measured(data).itertuples():
        name = f"{row.nodes} nodes from {row.start}"
        root = math.sqrt(row.nodes)
        claim(row.added - row.added_error > 0, f"{name}: whole tokens add something")
        claim(row.added + row.added_error < row.bound, f"{name}: less than the bound")
        claim(row.most < 2 * row.bound, f"{name}: no run far above the bound")
        claim(row.real - 3 * row.real_error < LIMIT * root, f"{name}: not above the bridge's range")
        if row.start == "nothing":
            claim(abs(row.real + row.added - ELSEWHERE[row.nodes]) < row.real_error,
                  f"{name}: as another program found")
        lines.append([row.start, f"{row.nodes:,}", str(row.runs),
                      f"{row.real:.2f} ± {row.real_error:.2f}",
                      f"{row.real / root:.3f} ± {row.real_error / root:.3f}",
                      f"{LIMIT * root - row.real:.2f}",
                      f"{row.added:.2f} ± {row.added_error:.2f}",
                      f"{row.least:.2f} to {row.most:.2f}", f"{row.bound:.2f}"])
    return table(lines, ["from", "n", "runs", "discrepancy, parts", "/ √n", "√(πn/2) less it",
                         "whole tokens add", "in one run", "2 √(ln n)"], "lrrrrrrrr")


@paper.figure("gap", panels=2)
def gap(data, axes):
    rows = measured(data)
    for start, label in (("nothing", "from nothing"), ("bridges", "from bridges")):
        own = rows[rows.start == start]
        root = own.nodes ** 0.5
        axes[0].errorbar(own.nodes, own.real / root, own.real_error / root, linestyle="none",
                         capsize=2, label=f"parts, {label}")
        axes[0].errorbar(own.nodes * 1.06, (own.real + own.added) / root, own.real_error / root,
                         linestyle="none", capsize=2, label=f"whole tokens, {label}")
        axes[1].errorbar(own.nodes, own.added, own.added_error, linestyle="none", capsize=2,
                         label=f"measured, {label}")
    axes[0].axhline(LIMIT, color="0.5", marker="")
    axes[0].text(rows.nodes.min(), LIMIT + 0.01, "√(π/2)", color="0.4")
    axes[0].set(xscale="log", xlabel="nodes n", ylabel="mean discrepancy / √n",
                ylim=(0.7, 1.5))
    nodes = numpy.geomspace(rows.nodes.min(), rows.nodes.max(), 50)
    axes[1].plot(nodes, 2 * numpy.sqrt(numpy.log(nodes)), color="0.5", marker="",
                 label="at most (Theorem 1)")
    axes[1].set(xscale="log", xlabel="nodes n", ylabel="whole tokens add", ylim=(0, 6))
    for panel in axes:
        panel.xaxis.set_major_formatter("{x:g}")
        panel.set_xticks(sorted(set(rows.nodes)), minor=False)
        panel.minorticks_off()
        panel.legend(fontsize=8)
