"""Houle, Symvonis, Wood 2004: dimension exchange on trees."""

import math

import numpy

from results import houle_trees
from results.making import COLOURS, Paper, claim, exponent, number, table

paper = Paper("houle-2004", "Houle, Symvonis, Wood 2004")
paper.sweep("levelling", tested=True)
paper.sweep("levelling-large", long=True)
paper.sweep("from-stable", tested=True)
paper.sweep("small-trees", tested=True)
paper.sweep("theorem-5", tested=True)
paper.sweep("ends", tested=True)
paper.sweep("examples", tested=True)
paper.sweep("all-trees", tested=True)
paper.sweep("classes")
paper.sweep("termination", tested=True)
houle_trees.add(paper)

CLASSES = {
    "path": "paths", "star": "stars", "tree:k=2": "complete binary trees",
    "tree": "complete k-ary trees", "binomial-tree": "binomial trees",
    "caterpillar": "caterpillars", "broom": "brooms",
    "random-tree": "random trees",
}
MSD = "maximum_stable_discrepancy"
LEMMA_13 = "bounds_theorem_Lemma_13_value"
LEMMA_17 = "bounds_theorem_Lemma_17_value"
SHARPENED = "bounds_theorem_Theorem_16_sharpened_value"


def class_of(network):
    """The class of trees of a spec."""
    name = network.split(":")[0]
    return CLASSES["tree:k=2" if network.startswith("tree:k=2,") else name]


def with_classes(rows):
    """The rows with the class of each network and its number of colours, which for a tree is its
    largest degree."""
    rows["tree_class"] = rows.network.map(class_of)
    return rows


def levelled(rows):
    """Rows of runs that stop at a discrepancy of 1 or at their own end, with the number of colours,
    the bound of Observation 1 with its constant, and that of Theorem 18."""
    rows = with_classes(rows)
    ones = rows[rows.algorithm == "discrepancy-1"]
    colours = ones.groupby("network").constants_tree_colours.first()
    rows["colours"] = rows.network.map(colours).astype(int)
    rows["scale"] = rows.colours * rows.network_nodes * (rows.initial_discrepancy - 1)
    side = rows.tokens / rows.initial_discrepancy
    crossing = numpy.ceil(side * (1 - side / rows.network_nodes) * (rows.initial_discrepancy - 1))
    rows["at_least"] = rows.colours * (crossing - 1) + 1
    rows["done"] = rows.discrepancy <= 1
    return rows


def named(algorithm):
    return algorithm.upper()


@paper.figure("steps-against-bound")
def steps_against_bound(data, axes):
    rows = levelled(data["levelling"])
    for colour, marker, algorithm in ((COLOURS[0], "o", "threshold-1"),
                                      (COLOURS[1], "s", "discrepancy-1")):
        part = rows[(rows.algorithm == algorithm) & rows.done]
        stars = part.tree_class == "stars"
        look = {"linestyle": "", "color": colour, "marker": marker, "alpha": 0.7}
        axes.plot(part.scale[~stars], part.steps[~stars], label=named(algorithm), **look)
        axes.plot(part.scale[stars], part.steps[stars], label=named(algorithm) + " on stars",
                  markerfacecolor="none", **look)
    ends = numpy.array([rows.scale.min(), rows.scale.max()])
    axes.plot(ends, 2 * ends, "--", color="0.3", marker="", label="Theorem 18: 2 (Δ − 1) χ n")
    axes.plot(ends, ends / 4, ":", color="0.3", marker="",
              label="Observation 1 on a link that halves the tree: (Δ − 1) χ n / 4")
    axes.set(xscale="log", yscale="log", xlabel="(Δ − 1) χ n",
             ylabel="steps to a discrepancy of 1")
    axes.legend(fontsize=8)


@paper.block("levelling")
def levelling(data):
    rows = levelled(data["levelling"])
    done = rows[rows.done & (rows.algorithm != "threshold-2")]
    claim((done.steps >= done.at_least).all(), "no run beats the lower bound")
    claim((done.steps <= 2 * done.scale).all(), "no run takes longer than Theorem 18 promises")
    lines = []
    for name, part in rows.groupby("tree_class", sort=False):
        largest = part[part.initial_discrepancy == part.initial_discrepancy.max()]
        cells = [name, f"{number(part.network_nodes.min())} to {number(part.network_nodes.max())}"]
        for algorithm in ("threshold-1", "discrepancy-1"):
            runs = largest[(largest.algorithm == algorithm) & largest.done]
            cells += [spread(runs.steps / runs.scale), spread(runs.steps / runs.at_least)]
        quiet = largest[largest.algorithm == "threshold-2"]
        cells.append(spread(quiet.discrepancy, 3))
        lines.append(cells)
    halved = done[done.tokens / done.initial_discrepancy * 4 > done.network_nodes]
    ratio = halved.steps / halved.at_least
    claim(ratio.max() < 2, "less than twice the lower bound if a side has a quarter of the nodes")
    return table(lines, ["trees", "n", "THRESHOLD-1: of (Δ − 1) χ n", "of the lower bound",
                         "DISCREPANCY-1: of (Δ − 1) χ n", "of the lower bound",
                         "THRESHOLD-2 leaves"]) + (
        "\n\nOver all discrepancies, where the smaller side has more than a quarter of the nodes, "
        f"both take at most {ratio.max():.2f} times the lower bound, and "
        f"{ratio.median():.2f} times at the median.")



def spread(values, digits=3):
    """The least and the largest of some values."""
    if len(values) == 0:
        return ""
    low, high = number(values.min(), digits), number(values.max(), digits)
    return low if low == high else f"{low} to {high}"


@paper.block("exponents")
def exponents(data):
    rows = levelled(data["levelling"])
    rows = rows[rows.done]
    lines, in_tokens, in_scale = [], [], []
    for name, part in rows[rows.algorithm == "discrepancy-1"].groupby("tree_class", sort=False):
        largest = part[part.scale == part[part.initial_discrepancy == 128].scale.max()].iloc[0]
        over_tokens = part[part.network == largest.network]
        over_nodes = part[part.initial_discrepancy == 128].groupby("network_nodes").first()
        by_tokens = exponent(over_tokens.initial_discrepancy - 1, over_tokens.steps)
        by_scale = exponent(over_nodes.colours * over_nodes.index, over_nodes.steps)
        in_tokens.append(by_tokens)
        in_scale.append((name, by_scale))
        lines.append([name, f"{by_tokens:.2f}", f"{by_scale:.2f}"])
    claim(all(0.9 < power < 1.1 for power in in_tokens), "steps grow linearly with the discrepancy")
    claim(all(0.9 < power < 1.2 for name, power in in_scale if name != "stars"),
          "steps grow linearly with chi n, but on stars")
    return table(lines, ["trees", "exponent of Δ − 1 (largest tree)",
                         "exponent of χ n (Δ = 128)"])


@paper.block("large")
def large(data):
    rows = levelled(data["levelling-large"])
    done = rows[rows.done & (rows.algorithm != "threshold-2")]
    claim((done.steps >= done.at_least).all(), "no run on a large tree beats the lower bound")
    claim((done.steps <= 2 * done.scale).all(), "no run on a large tree takes longer than promised")
    lines = []
    for name, part in done[done.algorithm == "discrepancy-1"].groupby("tree_class", sort=False):
        part = part.sort_values("network_nodes")
        lines.append([name, spread(part.network_nodes), spread(part.steps / part.scale),
                      spread(part.steps / part.at_least)])
    return table(lines, ["trees", "n", "DISCREPANCY-1: of (Δ − 1) χ n", "of the lower bound"])


@paper.block("theorem-5")
def theorem_5(data):
    rows = data["theorem-5"]
    two = rows[rows.algorithm == "threshold-2"]
    claim((two.discrepancy <= two.guarantee_discrepancy).all(),
          "THRESHOLD-2 leaves at most the diameter")
    ends = two[two.loads == "distance-from-end"]
    claim((ends.discrepancy == ends.guarantee_discrepancy).all(), "the bound is attained")
    lines = []
    starts = ("distance-from-end", "uniform", "spike")
    for network, part in rows.groupby("network", sort=False):
        left = {(row.algorithm, row.loads.split(":")[0]): row.discrepancy
                for row in part.itertuples()}
        lines.append([f"`{network}`", part.network_nodes.iloc[0],
                      part.guarantee_discrepancy[part.algorithm == "threshold-2"].iloc[0]]
                     + [left["threshold-2", loads] for loads in starts]
                     + [left["threshold-1", loads] for loads in starts])
    return table(lines, ["network", "n", "diameter", "THRESHOLD-2: distances", "random", "spike",
                         "THRESHOLD-1: distances", "random", "spike"])


@paper.block("ends")
def ends(data):
    random = data["ends"]
    stable = data["from-stable"]
    worst = stable[stable.algorithm == "threshold-1"].set_index("network").discrepancy
    claim((random.discrepancy <= random.network.map(worst)).all(), "no run ends above MSD")
    lines = []
    for network, part in random.groupby("network", sort=False):
        counts = part.discrepancy.value_counts().sort_index()
        lines.append([f"`{network}`", worst[network], part.discrepancy.max(),
                      ", ".join(f"{count} × {left}" for left, count in counts.items())])
    return table(lines, ["tree", "MSD, attained from `worst-stable`", "worst of 20 random starts",
                         "how often which"], "lrrl")


def printed_bound(nodes, degree):
    """Theorem 16 as printed."""
    levels = math.ceil(math.log2(nodes))
    return min(nodes // 2, 1 + (degree - 2) * levels, (degree + 1) * levels // 2)


def with_bounds(rows):
    rows["printed"] = [printed_bound(row.nodes, row.degree_max) for row in rows.itertuples()]
    return rows


@paper.block("all-trees")
def all_trees(data):
    rows = with_bounds(data["all-trees"])
    large = rows[rows.nodes >= 3]
    claim((large[MSD] <= large[SHARPENED]).all(), "the sharpened bound holds on every small tree")
    claim((rows[MSD] <= rows[LEMMA_13]).all(), "Lemma 13 holds on every small tree")
    pair = rows[rows.nodes == 2].iloc[0]
    claim(pair.printed == 0 and pair[MSD] == 1, "the printed bound fails for two nodes")
    most = int(rows[MSD].max())
    attained = large[large[MSD] == large[SHARPENED]]
    star_or_path = (attained.degree_max == 2) | (attained.degree_max == attained.nodes - 1)
    claim(star_or_path.all() and (attained.groupby("nodes").size() <= 2).all(),
          "only paths and stars attain the sharpened bound")
    lines = []
    for nodes, part in rows.groupby("nodes"):
        counts = part[MSD].value_counts()
        cells = [nodes, len(part)]
        cells += [number(counts[k]) if k in counts else "" for k in range(1, most + 1)]
        cells += [int((part[MSD] == part.printed).sum()),
                  int((part[MSD] == part[SHARPENED]).sum()) if nodes > 2 else ""]
        lines.append(cells)
    return table(lines, ["n", "trees"] + [f"MSD {k}" for k in range(1, most + 1)]
                 + ["bound as printed attained", "sharpened bound attained"])


@paper.figure("bounds-against-msd")
def bounds_against_msd(data, axes):
    rows = with_classes(with_bounds(data["classes"]))
    for name, part in rows.groupby("tree_class", sort=False):
        axes.plot(part[MSD], part[SHARPENED], linestyle="", label=name)
    most = rows[[MSD, SHARPENED]].max().max()
    axes.plot([1, most], [1, most], ":", color="0.3", marker="", label="attained")
    axes.set(xscale="log", yscale="log", xlabel="MSD, exact", ylabel="Theorem 16, sharpened")
    axes.legend(fontsize=8)


@paper.block("classes")
def classes(data):
    rows = with_bounds(data["classes"])
    claim((rows[MSD] <= rows[SHARPENED]).all() and (rows[MSD] <= rows[LEMMA_13]).all(),
          "Lemma 13 and Theorem 16 hold on every class")
    complete = rows[rows[LEMMA_17].notna()]
    claim((complete[MSD] <= complete[LEMMA_17]).all(), "Lemma 17 holds")
    chosen = ["star:leaves=64", "tree:k=2,h=3", "tree:k=2,h=7", "tree:k=3,h=5", "tree:k=6,h=3",
              "tree:k=12,h=2", "caterpillar:spine=12,legs=12", "broom:handle=64,bristles=64",
              "binomial-tree:d=8", "random-tree:n=64"]
    lines = [[f"`{row['network']}`", row["nodes"], row["degree_max"], row[MSD], row[LEMMA_13],
              row["printed"], row[SHARPENED], row[LEMMA_17]]
             for network in chosen for _, row in rows[rows.network == network].iterrows()]
    claim(len(lines) == len(chosen), "every tree of the table was analysed")
    stars = rows[rows.network.str.startswith("star")]
    claim((stars[MSD] == stars[SHARPENED]).all(), "stars attain the bound")
    binary = rows[rows.network.str.startswith("tree:k=2,") & (rows.nodes > 7)]
    claim((binary[SHARPENED] <= 2 * binary[MSD]).all(),
          "complete binary trees have half of it or more")
    brooms = rows[rows.network.str.startswith("broom")]
    claim((brooms[MSD] == 2).all(), "brooms have MSD 2")
    return table(lines, ["tree", "n", "D", "MSD", "Lemma 13", "Theorem 16, printed", "sharpened",
                         "Lemma 17"], "lrrrrrrr")


@paper.block("examples")
def examples(data):
    rows = data["examples"]
    left = rows.set_index(["algorithm", "loads", "network"]).discrepancy.sort_index()
    one = left["threshold-1", "worst-stable"]
    two = left["threshold-2", "distance-from-end"]
    lines = []
    for k in range(1, 13):
        star, path = f"star:leaves={k}", f"path:n={k + 1}"
        cells = [k, one[star], two[star], one[path], two[path]]
        claim(cells[1:] == [(k + 1) // 2, min(k, 2), 1, k],
              "stars and paths leave what Section 4.5 says")
        claim((cells[1] > cells[2]) == (k >= 5), "THRESHOLD-2 is better on stars from k = 5 on")
        lines.append(cells)
    return table(lines, ["k", "star with k leaves: THRESHOLD-1", "THRESHOLD-2",
                         "path of k + 1 nodes: THRESHOLD-1", "THRESHOLD-2"])


def theorem_18(rows):
    """Rows of DISCREPANCY-1 with Theorem 18's bound."""
    rows = rows[rows.algorithm == "discrepancy-1"].copy()
    rows["bound"] = (2 * (rows.initial_discrepancy - 1).clip(lower=0) * rows.constants_tree_colours
                     * rows.network_nodes)
    return rows[rows.initial_discrepancy >= 2]


@paper.block("from-stable")
def from_stable(data):
    rows = data["from-stable"]
    ones = rows[rows.algorithm == "threshold-1"]
    claim(((ones.discrepancy == ones.initial_discrepancy) | (ones.initial_discrepancy <= 1)).all(),
          "THRESHOLD-1 never improves these loads")
    runs = theorem_18(rows)
    claim((runs.discrepancy <= 1).all() and (runs.steps <= runs.bound).all(), "Theorem 18 holds")
    ratio = runs.steps / runs.bound
    claim(ratio.max() <= 0.75 and ratio.min() > 0.2, "from stable loads: 0.2 to 0.75 of the bound")
    left = rows[rows.algorithm == "threshold-2"].set_index("network").discrepancy
    return table([[f"`{row.network}`", row.network_nodes, int(row.constants_tree_colours),
                   row.initial_discrepancy, left[row.network], row.steps, int(row.bound),
                   f"{row.steps / row.bound:.2f}"] for row in runs.itertuples()],
                 ["tree", "n", "χ", "Δ = MSD", "THRESHOLD-2 leaves", "DISCREPANCY-1: steps",
                  "Theorem 18", "of it"], "lrrrrrrr")


@paper.block("small-trees")
def small_trees(data):
    runs = theorem_18(data["small-trees"])
    claim((runs.discrepancy <= 1).all() and (runs.steps <= runs.bound).all(), "Theorem 18 holds")
    ratio = runs.steps / runs.bound
    worst = runs.loc[ratio.idxmax()]
    claim(0.7 < ratio.max() < 1, "some run needs more than 0.7 of the bound, none all of it")
    return (f"In {len(runs)} runs from loads of 0 and 2 on all {runs.network.nunique()} trees of 4 "
            f"to 7 nodes, DISCREPANCY-1 took at most {ratio.max():.2f} of the bound 2 χ n, on "
            f"`{worst.network}` (seed {worst.seed}: {worst.steps} of {int(worst.bound)} steps), "
            f"and {ratio.mean():.2f} of it on average.")


@paper.block("termination")
def termination(data):
    rows = data["termination"]
    rows["K"] = [(int(loads.split("1=")[1].split(",")[0]) - 5) // 6 for loads in rows.loads]
    lines = []
    for K, part in rows.groupby("K"):
        printed = part[part.parameters.str.contains("local-max")].iloc[0]
        sound = part[part.parameters.str.contains("extremes")].iloc[0]
        claim(K < 4 or printed.discrepancy == printed.initial_discrepancy - 24,
              "the printed rule stops when 24 of the discrepancy are gone")
        claim(sound.discrepancy <= 1, "the repaired rule ends at a discrepancy of at most 1")
        lines.append([K, f"{6 * K + 5}, 0, {12 * K - 2}", printed.initial_discrepancy,
                      printed.steps, printed.discrepancy, sound.steps, sound.discrepancy])
    claim(rows[rows.parameters.str.contains("local-max")].discrepancy.is_monotonic_increasing,
          "what the printed rule leaves grows with K")
    return table(lines, ["K", "loads: centre, leaf, leaf", "Δ at the start", "printed rule: steps",
                         "Δ left", "repaired rule: steps", "Δ left"], "rlrrrrr")
