"""Averaging with a coin: docs/results/coin-averaging.md."""

import math

import numpy
import pandas

from results.making import Paper, certificate, claim, number, table

paper = Paper("coin-averaging", "Averaging with a coin")

RUNS = 2000
PARTS = {0.5: "3 left after half the spectral time", 1: "after the spectral time",
         1.5: "after 3/2 of it"}


def spectral_steps(nodes, part):
    """Of single links of the complete network, from a discrepancy of 3."""
    return math.ceil(part * (nodes - 1) * math.log(3 * nodes))


@paper.series("left-on-complete", tested=True)
def left_on_complete(sweep):
    """In how many runs from halves of 0 and 3 a discrepancy of 3 is left."""
    rows = []
    for nodes in (8, 16, 32, 64):
        full = ",".join(f"{node}=3" for node in range(nodes // 2))
        for part in PARTS:
            steps = spectral_steps(nodes, part)
            runs = sweep({
                "title": "single links of a complete network",
                "networks": [f"complete:n={nodes}"], "loads": [f"at:{full}"],
                "seeds": f"1..{RUNS}",
                "algorithms": [{"name": "coin-averaging", "parameters": {"matching": "single"}}],
                "options": {"stop": "quiet:1000000", "max-steps": [steps]},
                "columns": ["discrepancy"]})
            rows.append({"nodes": nodes, "part": part, "steps": steps, "runs": len(runs),
                         "left": int((runs.discrepancy > 2).sum())})
    return pandas.DataFrame(rows)


def exact():
    """The probabilities of the certificate on complete networks of 8 nodes and more."""
    rows = []
    for entry in certificate("coin-averaging")["claims"]:
        nodes = entry["nodes"]
        if nodes < 8:
            continue
        part = next(part for part in PARTS if spectral_steps(nodes, part) == entry["steps"])
        rows.append({"nodes": nodes, "part": part, "chance": entry["least"]})
    return pandas.DataFrame(rows)


def theorem_6(nodes, steps):
    """What Theorem 6 says of halves of 0 and 3: the least and the most."""
    n = float(nodes)
    a = (1 - 2 / n) ** steps * n * n / 4
    b = (1 - (3 * n - 4) / (n * (n - 1))) ** steps * (n - 2) * n * n / 4
    c = (1 - (4 * n - 8) / (n * (n - 1))) ** steps * (n / 2 - 1) ** 2 * n * n / 4
    return a * a / (a + b + c), a


@paper.block("exact")
def exact_table(data):
    rows = exact()
    for row in rows.itertuples():
        low, high = theorem_6(row.nodes, spectral_steps(row.nodes, row.part))
        claim(low <= row.chance <= high, f"Theorem 6 on {row.nodes} nodes")
    runs = data["left-on-complete"].merge(rows, on=["nodes", "part"])
    claim(len(runs) == 12, "runs on each network that has a certificate, but the largest")
    deviation = (runs.left - runs.runs * runs.chance) / numpy.sqrt(
        runs.runs * runs.chance * (1 - runs.chance))
    claim((deviation.abs() <= 4.5).all(), "runs are left with 3 as often as is exact")
    sizes = sorted(rows.nodes.unique())
    chances = rows.set_index(["part", "nodes"]).chance
    lines = [[words] + [f"{chances[part, nodes]:.{5 if part > 1 else 3 if part < 1 else 4}f}"
                        for nodes in sizes] for part, words in PARTS.items()]
    return table(lines, ["Nodes of the complete network", *map(number, sizes)],
                 "l" + "r" * len(sizes))


@paper.figure("left-on-complete")
def left_figure(data, axes):
    rows, runs = exact(), data["left-on-complete"]
    for part, words in PARTS.items():
        own = rows[rows.part == part].sort_values("nodes")
        line, = axes.plot(own.nodes, own.chance, label=words + ", exact")
        seen = runs[runs.part == part]
        axes.plot(seen.nodes, (seen.left / seen.runs).where(seen.left > 0), linestyle="",
                  marker="x", color=line.get_color(), markersize=9)
    for share in (36, 49):
        axes.axhline(1 / share, color="k", linestyle=":", linewidth=1)
    axes.set(xscale="log", yscale="log", xlabel="nodes", ylabel="probability",
             xticks=sorted(rows.nodes.unique()), ylim=(2e-6, None))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("")
    axes.legend(loc="lower left")
