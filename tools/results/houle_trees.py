"""Houle, Symvonis, Wood 2004, Section 6: which spanning tree, and which exchange ratio on trees."""

import math
from fractions import Fraction

import numpy

from results.making import COLOURS, MARKERS, claim, exponent, number, table

TREES = ("breadth-first", "minimum-diameter", "low-degree")
LARGE = ("torus:12x12", "mesh:12x12", "random-regular:n=144,d=4", "gnp:n=144,p=0.25",
         "complete:n=144", "hypercube:d=8", "examples/networks/karate.graph",
         "examples/networks/abilene.gml")
FAMILIES = {"path": "paths", "star": "stars", "caterpillar": "caterpillars", "broom": "brooms",
            "spider": "spiders of three legs", "tree:k=2": "complete binary trees",
            "tree:k=3": "complete ternary trees", "random-tree": "random trees"}


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


def short(network):
    """A network as tables name it."""
    return network.removeprefix("examples/networks/").split(".")[0]


def trees(data):
    """The runs on spanning trees; chi and diameter of the tree are those that discrepancy-1 says."""
    rows = data["which-tree"]
    known = rows[rows.algorithm == "discrepancy-1"].groupby(["network", "tree"])
    for column in ("constants_tree_colours", "constants_tree_diameter"):
        of = known[column].first()
        rows[column] = [of[key] for key in zip(rows.network, rows.tree)]
    rows["chi_n"] = rows.constants_tree_colours * rows.network_nodes
    return rows.rename(columns={"constants_tree_colours": "chi", "constants_tree_diameter": "diameter"})


def which_tree(data):
    rows = trees(data)
    rows = rows[rows.loads.str.startswith("spike")].set_index(["network", "tree", "algorithm"])
    lines = []
    for network in LARGE:
        for tree in TREES:
            ours, theirs = rows.loc[network, tree, "discrepancy-1"], rows.loc[network, tree, "perfect-tree"]
            lines.append([f"`{short(network)}`" if tree == TREES[0] else "", tree, ours.chi, ours.diameter,
                          ours.chi_n, ours.steps, ours.exchanges, theirs.steps, theirs.exchanges])
    return table(lines, ["network", "spanning tree", "χ", "diameter", "χ n", "DISCREPANCY-1: steps",
                         "exchanges", "perfect-tree: time", "exchanges"])


def tree_verdict(data):
    rows = trees(data)
    ours = rows[rows.algorithm == "discrepancy-1"].copy()
    ours["cycles"] = ours.steps / ours.chi_n
    share = ours.steps / ours.guarantee_steps
    claim((rows.discrepancy <= 1).all(), "every run ends with a discrepancy of at most 1")
    claim((share <= 1).all(), "no run takes more steps than Theorem 18 promises")
    steps = ours.pivot_table(index=["network", "loads"], columns="tree", values="steps")
    fewest = (steps["low-degree"] <= steps.min(axis=1)).sum()
    exchanges = ours.pivot_table(index=["network", "loads"], columns="tree", values="exchanges")
    most = (exchanges["low-degree"] >= exchanges.max(axis=1)).sum()
    cheapest = (exchanges["minimum-diameter"] <= exchanges.min(axis=1)).sum()
    time = rows[rows.algorithm == "perfect-tree"].pivot_table(index=["network", "loads"], columns="tree",
                                                              values="steps")
    shallow = (time[["breadth-first", "minimum-diameter"]].min(axis=1) < time["low-degree"]).sum()
    pairs = len(steps)
    return (
        f"All {len(ours)} runs of DISCREPANCY-1 take {ours.cycles.min():.0f} to {ours.cycles.max():.0f} χ n steps, "
        f"at most {100 * share.max():.1f} % of what Theorem 18 promises. The low-degree tree needs the fewest steps "
        f"in {fewest} of {pairs} pairs of network and loads, and the most exchanges in {most}; the tree of minimum "
        f"diameter needs the fewest exchanges in {cheapest}. For perfect-tree, whose time grows with the depth and "
        f"with what the busiest link has to carry, one of the two shallow trees is faster than the low-degree tree "
        f"in {shallow} of {pairs}.")


def draw_trees(data, axes):
    rows = trees(data)
    rows = rows[rows.algorithm == "discrepancy-1"]
    for tree, colour, marker in zip(TREES, COLOURS, MARKERS):
        of = rows[rows.tree == tree]
        axes[0].plot(of.chi_n, of.steps, marker, color=colour, label=tree, alpha=0.8)
        axes[1].plot(of.diameter, of.exchanges / of.initial_discrepancy, marker, color=colour, label=tree, alpha=0.8)
    ends = numpy.array([rows.chi_n.min(), rows.chi_n.max()])
    axes[0].plot(ends, 10 * ends, "-", color="0.6", marker="", label="10 χ n")
    axes[0].set(xscale="log", yscale="log", xlabel="χ n of the spanning tree", ylabel="steps of DISCREPANCY-1")
    axes[1].set(xscale="log", yscale="log", xlabel="diameter of the spanning tree",
                ylabel="exchanges over initial discrepancy")
    axes[0].legend()


def family_of(network):
    name = network.split(",")[0] if network.startswith("tree:") else network.split(":")[0]
    return FAMILIES[name]


def ratios(data):
    """The best ratios of small and large trees, with rounds until what is unbalanced shrinks to 1/e."""
    rows = data["exchange-ratio"]
    rows = rows._append(data["exchange-ratio-large"], ignore_index=True)
    rows = rows.rename(columns={"exchange_ratio_value": "ratio", "exchange_ratio_factor_value": "factor",
                                "exchange_ratio_factor_error": "error",
                                "exchange_ratio_factor_at_half_value": "at_half"})
    rows["family"] = rows.network.map(family_of)
    rows["rounds"] = -1 / numpy.log(rows.factor)
    rows["rounds_at_half"] = -1 / numpy.log(rows.at_half)
    rows["gain"] = rows.rounds_at_half / rows.rounds
    return rows


def best_ratios(data):
    rows = ratios(data)
    claim((rows.error < 1e-4).all(), "factors are certified to four digits")
    lines = []
    for family in FAMILIES.values():
        of = rows[rows.family == family].sort_values("nodes")
        sizes = [16, 32, 64, 128] if "complete" not in family else of.nodes.tolist()
        if family == "random trees":
            of = of.groupby("nodes", as_index=False).mean(numeric_only=True)
        else:
            of = of[of.network.map(lambda name: any(str(size) in name or str(size // 2) in name
                                                    for size in sizes)) | ("complete" in family)]
        for row in of.itertuples():
            lines.append([family if not lines or lines[-1][-1] != family else "", number(row.nodes),
                          f"{row.ratio:.4f}", f"{row.factor:.4f}", f"{row.at_half:.4f}", f"{row.rounds:.1f}",
                          f"{row.rounds_at_half:.1f}", f"{row.gain:.2f}", family])
    return table([line[:-1] for line in lines],
                 ["trees", "nodes", "best ratio", "its factor", "factor at 1/2", "rounds to 1/e", "at 1/2", "gain"],
                 "lrrrrrrr")


def ratio_verdict(data):
    rows = ratios(data)
    paths = rows[rows.family == "paths"]
    sine = numpy.sin(numpy.pi / paths.nodes)
    claim((abs(paths.ratio - 1 / (1 + sine)) < 2e-6).all(), "paths have Xu and Lau's ratio")
    claim((abs(paths.factor - (1 - sine) / (1 + sine)) < 1e-5).all(), "and its factor")
    claim((rows.factor <= rows.at_half + 1e-7).all(), "the best ratio is no worse than 1/2")
    stars = rows[rows.family == "stars"].sort_values("nodes")
    leaves = stars.nodes - 1
    scaled = stars.ratio * leaves
    claim(scaled.is_monotonic_increasing and scaled.iloc[-1] < 2 * math.pi, "stars near 2 pi / k from below")
    binary = rows[rows.family == "complete binary trees"].sort_values("nodes")
    ternary = rows[rows.family == "complete ternary trees"].sort_values("nodes")
    long_paths = paths[paths.nodes >= 16]
    grown = exponent(long_paths.nodes, long_paths.rounds), exponent(long_paths.nodes, long_paths.rounds_at_half)
    large = stars[stars.nodes > 30]
    star_grown = exponent(large.nodes - 1, large.rounds), exponent(large.nodes - 1, large.rounds_at_half)
    return (
        f"Paths: the ratio found is Xu and Lau's to six digits; rounds grow like n^{grown[0]:.2f} instead of "
        f"n^{grown[1]:.2f}. Stars with k leaves: the best ratio times k is {scaled.iloc[0]:.2f} for k = "
        f"{leaves.iloc[0]} and {scaled.iloc[-1]:.2f} for k = {leaves.iloc[-1]}, on its way to 2π; from 32 leaves on "
        f"rounds grow like k^{star_grown[0]:.2f} instead of k^{star_grown[1]:.2f}. Complete binary trees of height 2 "
        f"to {2 + len(binary) - 1}: the best ratio grows from {binary.ratio.iloc[0]:.3f} to {binary.ratio.iloc[-1]:.3f}, "
        f"and saves a factor of {binary.gain.min():.2f} to {binary.gain.max():.2f} of the rounds; ternary trees: "
        f"{ternary.gain.min():.2f} to {ternary.gain.max():.2f}.")


def draw_ratios(data, axes):
    rows = ratios(data)
    nodes = numpy.geomspace(4, 129, 60)
    axes[0].plot(nodes, 1 / (1 + numpy.sin(numpy.pi / nodes)), color="0.6", marker="", label="1 / (1 + sin(π/n))")
    few = nodes[nodes > 16]
    axes[0].plot(few, 2 * numpy.pi / (few - 1), "--", color="0.6", marker="", label="2π / k")
    for family, colour, marker in zip(FAMILIES.values(), COLOURS, MARKERS):
        of = rows[rows.family == family].sort_values("nodes")
        line = "" if family == "random trees" else "-"
        axes[0].plot(of.nodes, of.ratio, marker, linestyle=line, color=colour, label=family)
        axes[1].plot(of.nodes, of.gain, marker, linestyle=line, color=colour, label=family)
    axes[0].set(xscale="log", xlabel="nodes", ylabel="best exchange ratio", ylim=(0, 1.02))
    axes[1].set(xscale="log", yscale="log", xlabel="nodes", ylabel="rounds at 1/2 over rounds at the best ratio")
    axes[1].legend(fontsize=8)
    axes[0].legend(handles=axes[0].get_lines()[:2], fontsize=8, loc="lower left")


def shares(data):
    rows = data["exchange-tokens"]
    rows["ratio"] = [float(Fraction(share)) for share in rows.share]
    best = ratios(data).set_index("network").ratio
    return rows, best


def tokens_by_share(data):
    rows, best = shares(data)
    claim((rows.stopped_because == "quiet").all(), "every run comes to rest")
    lines = []
    for network, of in rows.groupby("network", sort=False):
        of = of.set_index("ratio")
        near = min(of.index, key=lambda ratio: abs(ratio - best[network]))
        winner = of.rounds.idxmin()
        half = of.loc[0.5]
        lines.append([f"`{network}`", f"{best[network]:.3f}", number(half.rounds), number(of.loc[near].rounds),
                      f"{winner:g}", number(of.loc[winner].rounds), number(half.discrepancy),
                      number(of.loc[near].discrepancy), number(half.exchanges), number(of.loc[near].exchanges)])
        claim(of.loc[near].rounds <= half.rounds * 1.7, f"{network}: the best ratio costs tokens few rounds")
    return table(lines, ["tree", "best ratio", "rounds at 1/2", "at the nearest share", "best share", "its rounds",
                         "discrepancy at 1/2", "at the nearest", "exchanges at 1/2", "at the nearest"], "lrrrrrrrrr")


def draw_tokens(data, axes):
    rows, best = shares(data)
    for axis, quantity, label in ((axes[0], "rounds", "rounds until no token moves"),
                                  (axes[1], "discrepancy", "discrepancy at the end (tokens)")):
        networks = [name for name in rows.network.unique() if "32" in name or "16" in name.split(",")[0]
                    and not name.startswith(("path", "star")) or name == "tree:k=2,h=4"]
        for network, colour, marker in zip(networks, COLOURS, MARKERS):
            of = rows[rows.network == network].sort_values("ratio")
            axis.plot(of.ratio, of[quantity], marker, linestyle="-", color=colour, label=network)
            axis.axvline(best[network], color=colour, linestyle=":", linewidth=1)
        axis.set(xlabel="share of the difference that moves", ylabel=label, yscale="log")
    axes[0].legend(fontsize=8)
