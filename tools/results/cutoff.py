"""Averaging over random links on random regular networks: docs/results/cutoff.md."""

import math

import numpy
import pandas

from results.making import Paper, claim, table

paper = Paper("cutoff", "Cutoff on random regular networks")

NODES = 1024
MEAN = 64  # tokens a node, all on one at first
DEGREES = [3, 4, 6, 8, 10, 12, 14, 20, 30]
RUNS = 40
FRACTIONS = [k / 20 for k in range(31)]  # of the predicted cutoff
# From loads between 0 and 128, all equally likely.
VARIANCE = (129 ** 2 - 1) / 12
DRAWN = [(256, 20), (1024, 10), (4096, 5)]  # nodes and runs
DRAWN_DEGREES = [3, 10, 20]


def decay(degree):
    """How fast two walks over the same links of the tree part for good: the theory's rho_d."""
    if degree <= 10:
        return degree - 2 * math.sqrt(degree - 1)
    return (degree + 3 + math.sqrt((degree - 1) * (degree - 9))) / 4


def cutoff(nodes, degree):
    """The predicted steps."""
    return degree * nodes / 2 * math.log(nodes) / decay(degree)


class Tree:
    """The probability that both walks are at one node of the tree, by time: each link averages
    once in a unit of time on average."""

    def __init__(self, degree, distances=400):
        up = numpy.full(distances, degree - 1.0)
        down = numpy.ones(distances)
        up[0], down[0], down[1] = degree / 2, 0, 0.5
        side = numpy.sqrt(up[:-1] * down[1:])
        matrix = numpy.diag(up + down) - numpy.diag(side, 1) - numpy.diag(side, -1)
        self.rates, vectors = numpy.linalg.eigh(matrix)
        self.weights = vectors[0] ** 2

    def at(self, time):
        return float(self.weights @ numpy.exp(-self.rates * time))

    def time_of(self, probability):
        """When the probability is this."""
        least, most = 0.0, 1.0
        while self.at(most) > probability:
            most *= 2
        for _ in range(60):
            middle = (least + most) / 2
            least, most = (middle, most) if self.at(middle) > probability else (least, middle)
        return least


def curve(record, nodes, degree, loads, seed):
    """n |x - mean|^2 of a run until the discrepancy is 2, by step."""
    run = record("coin-averaging", "--param", "matching=single", "--network",
                 f"random-regular:n={nodes},d={degree}", "--loads", loads, "--seed", str(seed),
                 "--stop", "discrepancy:2")
    samples = run["samples"]
    return ([sample["step"] for sample in samples],
            [float(sample["potential"]) for sample in samples])


def between(at, steps, values):
    """The value at a step, along straight lines of logarithms."""
    return math.exp(numpy.interp(at, steps, numpy.log(values)))


@paper.records("spikes", long=True)
def spikes(record):
    """The mean of D^2 = n |x / total - 1 / n|^2 over runs, at fractions of the predicted cutoff."""
    rows = []
    for degree in DEGREES:
        curves = [curve(record, NODES, degree, f"spike:tokens={MEAN * NODES}", seed)
                  for seed in range(1, RUNS + 1)]
        for fraction in FRACTIONS:
            at = fraction * cutoff(NODES, degree)
            values = [between(at, *one) / (MEAN * NODES) ** 2 for one in curves]
            rows.append({"degree": degree, "fraction": fraction, "squares": numpy.mean(values),
                         "spread": numpy.std(values, ddof=1)})
    return pandas.DataFrame(rows)


@paper.records("drawn", long=True)
def drawn(record):
    """The times at which the mean of |x - mean|^2, over runs, is a hundredth of what is expected of
    the loads that were drawn."""
    rows = []
    for degree in DRAWN_DEGREES:
        tree = Tree(degree).time_of(0.01)
        for nodes, runs in DRAWN:
            links = degree * nodes / 2
            curves = [curve(record, nodes, degree, "between:low=0,high=128", seed)
                      for seed in range(1, runs + 1)]
            grid = numpy.linspace(0, 1.5 * tree * links, 301)
            means = [numpy.mean([between(at, *one) for one in curves]) / (nodes ** 2 * VARIANCE)
                     for at in grid]
            crossing = numpy.interp(-math.log(0.01), [-math.log(value) for value in means], grid)
            rows.append({"degree": degree, "nodes": nodes, "runs": runs, "tree": tree,
                         "time": crossing / links})
    return pandas.DataFrame(rows)


def crossings(data):
    """By degree: the predicted cutoff in steps a node; when D^2 is 1, on the tree and measured, as
    fractions of it; and the rates at which D^2 falls from 30 to 0.1."""
    rows = []
    for degree, runs in data["spikes"].groupby("degree"):
        tree = Tree(degree)
        claim(0 <= tree.rates.min() - decay(degree) < 0.001, f"d = {degree}: rho")
        unit = math.log(NODES) / decay(degree)  # of time
        logs = numpy.log(runs.squares.to_numpy())

        def when(value):
            return float(numpy.interp(-math.log(value), -logs, runs.fraction))

        falls = math.log(300)
        on_tree = tree.time_of(0.1 / NODES) - tree.time_of(30 / NODES)
        rows.append({"degree": degree, "steps": cutoff(NODES, degree) / NODES,
                     "tree": tree.time_of(1 / NODES) / unit, "measured": when(1),
                     "tree_rate": falls / on_tree,
                     "rate": falls / (unit * (when(0.1) - when(30))),
                     "end": runs.squares.iloc[-1]})
    return pandas.DataFrame(rows)


@paper.block("spikes")
def spikes_table(data):
    lines = []
    for row in crossings(data).itertuples():
        walk = row.degree - 2 * math.sqrt(row.degree - 1)
        claim(abs(row.measured / row.tree - 1) < 0.07, f"d = {row.degree}: falls as on the tree")
        claim(abs(row.rate / row.tree_rate - 1) < 0.05, f"d = {row.degree}: at the tree's rate")
        if row.degree > 12:
            claim(abs(row.rate - decay(row.degree)) < abs(row.rate - walk) / 3,
                  f"d = {row.degree}: the rate is rho, not that of the walk")
        claim(row.end < 0.05, f"d = {row.degree}: level at 3/2 of the cutoff")
        lines.append([str(row.degree), f"{walk:.3f}", f"{decay(row.degree):.3f}",
                      f"{row.steps:.1f}", f"{row.tree:.3f}", f"{row.measured:.3f}",
                      f"{row.tree_rate:.3f}", f"{row.rate:.3f}"])
    return table(lines, ["d", "d - 2 √(d - 1)", "ρ", "τ / n", "D² = 1 on the tree, / τ",
                         "measured", "rate on the tree", "measured"], "rrrrrrrr")


@paper.block("drawn")
def drawn_table(data):
    lines = []
    rows = data["drawn"]
    for degree, own in rows.groupby("degree"):
        claim((abs(own.time / own.tree - 1) < 0.08).all(), f"d = {degree}: as on the tree")
        own = own.set_index("nodes")
        lines.append([str(degree), f"{own.tree.iloc[0]:.3f}",
                      *(f"{own.time[nodes]:.3f}" for nodes, _ in DRAWN)])
    return table(lines, ["d", "on the tree", *(f"n = {nodes:,}" for nodes, _ in DRAWN)], "rrrrr")


@paper.figure("falls", panels=2)
def falls(data, axes):
    rows = data["spikes"]
    for degree in (3, 6, 10, 20, 30):
        own = rows[rows.degree == degree]
        axes[0].plot(own.fraction, own.squares, markersize=3, label=f"d = {degree}")
    axes[0].axhline(1 / (2 * MEAN ** 2), color="0.5", marker="")
    axes[0].text(0.02, 0.55 / MEAN ** 2, "whole tokens add at most this", color="0.4",
                 va="bottom")
    axes[0].plot([0, 1], [NODES, 1], color="0.5", marker="", linestyle="--")
    axes[0].set(yscale="log", xlabel="steps / τ", ylabel="D²")
    axes[0].legend(fontsize=8)
    found = crossings(data)
    axes[1].plot(found.degree, found.rate, linestyle="none", label="measured")
    axes[1].plot(found.degree, found.tree_rate, linestyle="none", fillstyle="none", markersize=9,
                 label="on the tree")
    degrees = numpy.linspace(3, 30, 109)
    axes[1].plot(degrees, [decay(d) for d in degrees], marker="", color="0.3", label="ρ")
    axes[1].plot(degrees, degrees - 2 * numpy.sqrt(degrees - 1), marker="", color="0.6",
                 linestyle="--", label="d - 2 √(d - 1)")
    axes[1].set(xlabel="degree d", ylabel="rate of D² from 30 to 0.1")
    axes[1].legend(fontsize=8)
