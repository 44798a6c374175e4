"""Houle, Symvonis, Wood 2004, Section 6: which spanning tree, and which exchange ratio on trees."""

import math
import pathlib
from fractions import Fraction

import numpy
import pandas

from results.making import COLOURS, MARKERS, claim, exponent, number, table

TREES = ("breadth-first", "minimum-diameter", "low-degree")
LARGE = ("torus:12x12", "mesh:12x12", "random-regular:n=144,d=4", "gnp:n=144,p=0.25",
         "complete:n=144", "hypercube:d=8", "examples/networks/karate.graph",
         "examples/networks/abilene.gml")
FAMILIES = {"path": "paths", "star": "stars", "caterpillar": "caterpillars", "broom": "brooms",
            "spider": "spiders of three legs", "tree:k=2": "complete binary trees",
            "tree:k=3": "complete ternary trees", "random-tree": "random trees"}
SHOWN = ("path:n=32", "star:leaves=32", "caterpillar:spine=16,legs=2",
         "broom:handle=16,bristles=16", "tree:k=2,h=4")


def add(paper):
    """Gives the paper its sweeps, figures and blocks on both problems."""
    paper.sweep("which-tree", tested=True)
    paper.sweep("exchange-ratio", tested=True)
    paper.sweep("exchange-ratio-large")
    paper.sweep("exchange-tokens", tested=True)
    paper.figure("which-tree", panels=2, figsize=(9.5, 4.2))(draw_trees)
    paper.block("which-tree")(which_tree)
    paper.block("which-tree-verdict")(tree_verdict)
    paper.figure("exchange-ratio", panels=2, figsize=(9.5, 4.4))(draw_ratios)
    paper.block("exchange-ratio")(best_ratios)
    paper.block("exchange-ratio-verdict")(ratio_verdict)
    paper.figure("exchange-tokens", panels=2, figsize=(9.5, 4.2))(draw_tokens)
    paper.block("exchange-tokens")(tokens_by_share)
    paper.block("exchange-tokens-verdict")(tokens_verdict)


def short(network):
    """A network as tables name it."""
    return pathlib.PurePath(network).stem if network.startswith("examples/") else network


def trees(data):
    """The runs on spanning trees, with colours and diameter of each tree, as discrepancy-1 says."""
    rows = data["which-tree"]
    known = rows[rows.algorithm == "discrepancy-1"].groupby(["network", "tree"])
    for column in ("colours", "diameter"):
        of = known["constants_tree_" + column].first()
        rows[column] = [int(of[key]) for key in zip(rows.network, rows.tree)]
    rows["chi_n"] = rows.colours * rows.network_nodes
    return rows


def which_tree(data):
    rows = trees(data)
    rows = rows[rows.loads.str.startswith("spike")].set_index(["network", "tree", "algorithm"])
    lines = []
    for network in LARGE:
        for tree in TREES:
            ours = rows.loc[network, tree, "discrepancy-1"]
            theirs = rows.loc[network, tree, "perfect-tree"]
            lines.append([f"`{short(network)}`" if tree == TREES[0] else "", tree, ours.colours,
                          ours.diameter, ours.chi_n, ours.steps, ours.exchanges, theirs.steps,
                          theirs.exchanges])
    return table(lines, ["network", "spanning tree", "χ", "diameter", "χ n", "DISCREPANCY-1: steps",
                         "exchanges", "perfect-tree: time", "exchanges"])


def by_tree(rows, values):
    """A row for each network and loads, a column for each tree."""
    return rows.pivot_table(index=["network", "loads"], columns="tree", values=values)


def tree_verdict(data):
    rows = trees(data)
    ours = rows[rows.algorithm == "discrepancy-1"]
    claim((rows.discrepancy <= 1).all(), "every run ends with a discrepancy of at most 1")
    share = ours.steps / ours.guarantee_steps
    claim((share <= 1).all(), "no run takes more steps than Theorem 18 promises")
    phases = ours.steps / ours.chi_n
    deep = phases[ours.diameter >= 40]
    claim(deep.max() < phases.max(), "deep trees do not take the most phases")
    steps, exchanges = by_tree(ours, "steps"), by_tree(ours, "exchanges")
    time = by_tree(rows[rows.algorithm == "perfect-tree"], "steps")
    fewest = (steps["low-degree"] <= steps.min(axis=1)).sum()
    most = (exchanges["low-degree"] >= exchanges.max(axis=1)).sum()
    cheapest = (exchanges["minimum-diameter"] <= exchanges.min(axis=1)).sum()
    shallow = (time[list(TREES[:2])].min(axis=1) < time["low-degree"]).sum()
    claim(fewest >= 0.9 * len(steps), "the low-degree tree needs the fewest steps nearly always")
    return (
        f"The {len(ours)} runs of DISCREPANCY-1 take {phases.min():.0f} to {phases.max():.0f} χ n "
        f"steps, at most {100 * share.max():.1f} % of what Theorem 18 promises; those on trees of "
        f"diameter 40 or more {deep.min():.0f} to {deep.max():.0f} χ n. The low-degree "
        f"tree needs the fewest steps in {fewest} of {len(steps)} pairs of network and loads, and "
        f"the most exchanges in {most}; the tree of minimum diameter needs the fewest exchanges "
        f"in {cheapest}. With perfect-tree one of the two shallow trees is faster than the "
        f"low-degree tree in {shallow}.")


def draw_trees(data, axes):
    rows = trees(data)
    rows = rows[rows.algorithm == "discrepancy-1"]
    for tree, colour, marker in zip(TREES, COLOURS, MARKERS):
        of = rows[rows.tree == tree]
        for axis, x, y in ((axes[0], of.chi_n, of.steps),
                           (axes[1], of.diameter, of.exchanges / of.initial_discrepancy)):
            axis.plot(x, y, marker, color=colour, label=tree, alpha=0.8)
    ends = numpy.array([rows.chi_n.min(), rows.chi_n.max()])
    axes[0].plot(ends, 10 * ends, "-", color="0.6", marker="", label="10 χ n")
    axes[0].set(xscale="log", yscale="log", xlabel="χ n of the spanning tree",
                ylabel="steps of DISCREPANCY-1")
    axes[1].set(xscale="log", yscale="log", xlabel="diameter of the spanning tree",
                ylabel="exchanges over initial discrepancy")
    axes[0].legend()


def family_of(network):
    return FAMILIES[network.split("," if network.startswith("tree:") else ":")[0]]


def ratios(data):
    """The best ratios of all trees, with rounds until what is unbalanced shrinks to 1/e."""
    rows = pandas.concat([data["exchange-ratio"], data["exchange-ratio-large"]], ignore_index=True)
    rows = rows.rename(columns={"exchange_ratio_value": "ratio",
                                "exchange_ratio_factor_value": "factor",
                                "exchange_ratio_factor_error": "error",
                                "exchange_ratio_factor_at_half_value": "at_half"})
    rows["family"] = rows.network.map(family_of)
    rows["rounds"] = -1 / numpy.log(rows.factor)
    rows["rounds_at_half"] = -1 / numpy.log(rows.at_half)
    rows["gain"] = rows.rounds_at_half / rows.rounds
    return rows


def best_ratios(data):
    rows = ratios(data)
    lines = []
    for family in FAMILIES.values():
        of = rows[(rows.family == family) & (rows.nodes >= 12)].sort_values("nodes")
        if family == "random trees":
            of = of.groupby("nodes", as_index=False).mean(numeric_only=True)
            family = "random trees (means of three)"
        for row in of.itertuples():
            lines.append([family if row.nodes == of.nodes.min() else "", number(row.nodes),
                          f"{row.ratio:.4f}", f"{row.factor:.4f}", f"{row.at_half:.4f}",
                          f"{row.rounds:.1f}", f"{row.rounds_at_half:.1f}", f"{row.gain:.1f}"])
    return table(lines, ["trees", "nodes", "best ratio", "its factor", "factor at 1/2",
                         "rounds to 1/e", "at 1/2", "gain"], "lrrrrrrr")


def ratio_verdict(data):
    rows = ratios(data).sort_values("nodes")
    claim((rows.factor <= rows.at_half + 1e-7).all(), "the best ratio is no worse than 1/2")
    claim((rows.error < 0.03).all(), "errors of factors are below 0.03")
    claim((rows.factor + rows.error >= abs(1 - 2 * rows.ratio)).all(), "the determinant's bound")
    of = {family: rows[rows.family == family] for family in FAMILIES.values()}
    paths, stars = of["paths"], of["stars"]
    sine = numpy.sin(numpy.pi / paths.nodes)
    claim((abs(paths.ratio - 1 / (1 + sine)) < 2e-6).all(), "paths have Xu and Lau's ratio")
    claim((abs(paths.factor - (1 - sine) / (1 + sine)) < 1e-5).all(), "and its factor")
    bare = paths.set_index("nodes").ratio
    for row in of["caterpillars"].itertuples():
        spine = int(row.network.split("=")[1].split(",")[0])
        claim(spine < 4 or abs(row.ratio - bare[spine]) < 2e-6, "caterpillars: that of the spine")
    leaves = stars.nodes - 1
    scaled = stars.ratio * leaves
    claim(scaled.is_monotonic_increasing and scaled.max() < 2 * math.pi, "stars: below 2 pi / k")
    grown = [exponent(some.nodes, some[column]) for some in (paths[paths.nodes > 15],
                                                             stars[stars.nodes > 30])
             for column in ("rounds", "rounds_at_half")]
    binary, ternary = of["complete binary trees"], of["complete ternary trees"]
    return (
        f"Paths: the ratio found is Xu and Lau's; from 16 nodes on, rounds grow like "
        f"n^{grown[0]:.2f} in place of n^{grown[1]:.2f}. Stars with k leaves: the best ratio times "
        f"k is {scaled.iloc[0]:.2f} for k = {leaves.iloc[0]} and {scaled.iloc[-1]:.2f} for "
        f"k = {leaves.iloc[-1]}, on its way to 2 π; from 32 leaves on, rounds grow like "
        f"n^{grown[2]:.2f} in place of n^{grown[3]:.2f}. Complete trees gain least: binary ones of "
        f"height 2 to 6 {binary.gain.min():.1f} to {binary.gain.max():.1f} times, ternary ones of "
        f"height 2 to 4 {ternary.gain.min():.1f} to {ternary.gain.max():.1f} times, with best "
        f"ratios up to {binary.ratio.max():.3f} and {ternary.ratio.max():.3f}.")


def draw_ratios(data, axes):
    rows = ratios(data)
    nodes = numpy.geomspace(4, 129, 60)
    few = nodes[nodes > 16]
    lines = [axes[0].plot(nodes, 1 / (1 + numpy.sin(numpy.pi / nodes)), color="0.6", marker="",
                          label="1 / (1 + sin(π/n))"),
             axes[0].plot(few, 2 * numpy.pi / (few - 1), "--", color="0.6", marker="",
                          label="2π / k")]
    for family, colour, marker in zip(FAMILIES.values(), COLOURS, MARKERS):
        of = rows[rows.family == family].sort_values("nodes")
        for axis, quantity in zip(axes, (of.ratio, of.gain)):
            axis.plot(of.nodes, quantity, marker, color=colour, label=family,
                      linestyle="" if family == "random trees" else "-")
    axes[0].set(xscale="log", xlabel="nodes", ylabel="best exchange ratio", ylim=(0, 1.02))
    axes[1].set(xscale="log", yscale="log", xlabel="nodes",
                ylabel="rounds at 1/2 over rounds at the best ratio")
    axes[1].legend(fontsize=8)
    axes[0].legend(handles=[line for drawn in lines for line in drawn], fontsize=8,
                   loc="lower left")


def shares(data):
    """For each tree: its runs by the share that moves, its best ratio, and the nearest share."""
    rows = data["exchange-tokens"]
    rows["ratio"] = [float(Fraction(share)) for share in rows.share]
    best = ratios(data).set_index("network").ratio
    claim((rows.stopped_because == "quiet").all(), "every run comes to rest")
    for network, of in rows.groupby("network", sort=False):
        of = of.set_index("ratio").sort_index()
        yield network, of, best[network], min(of.index, key=lambda one: abs(one - best[network]))


def tokens_by_share(data):
    lines = []
    for network, of, best, near in shares(data):
        winner, half, ours = of.rounds.idxmin(), of.loc[0.5], of.loc[near]
        lines.append([f"`{network}`", f"{best:.3f}", number(half.rounds), f"{near:g}",
                      number(ours.rounds), f"{winner:g}", number(of.rounds[winner]),
                      number(half.discrepancy), number(ours.discrepancy), number(half.exchanges),
                      number(ours.exchanges)])
    return table(lines, ["tree", "best ratio", "rounds at 1/2", "nearest share", "its rounds",
                         "fastest share", "its rounds", "discrepancy at 1/2", "at the nearest",
                         "exchanges at 1/2", "at the nearest"], "lrrrrrrrrrr")


def tokens_verdict(data):
    found = list(shares(data))
    saved = [of.rounds[0.5] / of.rounds[near] for _, of, _, near in found]
    claim(all(abs(of.rounds.idxmin() - near) < 0.11 for _, of, _, near in found),
          "the fastest share is the nearest to the best ratio, or next to it")
    claim(min(saved) > 1, "the best ratio saves rounds with tokens on every tree")
    claim(all(near < 0.5 or of.discrepancy[near] <= of.discrepancy[0.5]
              for _, of, _, near in found), "shares above 1/2 leave no more")
    more = max(of.discrepancy[near] - of.discrepancy[0.5] for _, of, _, near in found)
    return (
        f"On each of these {len(found)} trees the fastest of nine shares is the one nearest to "
        f"the best ratio, or next to it, and the nearest one saves a factor of {min(saved):.1f} to "
        f"{max(saved):.1f} of the rounds at 1/2. Nearest shares above 1/2 leave no larger "
        f"discrepancy than 1/2 does; those of stars, which are below 1/2, up to {more} tokens "
        f"more. Large shares cost exchanges, since tokens overshoot; the small shares of stars "
        f"save them.")


def draw_tokens(data, axes):
    of = {network: (rows, best) for network, rows, best, _ in shares(data)}
    for network, colour, marker in zip(SHOWN, COLOURS, MARKERS):
        rows, best = of[network]
        for axis, quantity in zip(axes, (rows.rounds, rows.discrepancy)):
            axis.plot(rows.index, quantity, marker, linestyle="-", color=colour, label=network)
            axis.axvline(best, color=colour, linestyle=":", linewidth=1, marker="")
    for axis, label in zip(axes, ("rounds until no token moves", "discrepancy left (tokens)")):
        axis.set(xlabel="share of the difference that moves", ylabel=label, yscale="log")
    axes[0].legend(fontsize=8)
