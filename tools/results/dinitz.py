"""The page of Dinitz, Dolev, Kumar 2020: deal-agreement algorithms."""

import math

import numpy

from results.making import Paper, claim, exponent, number, table

paper = Paper("dinitz-2020", "Dinitz, Dolev, Kumar 2020")
paper.sweep("table-1")
paper.sweep("table-1-networks", tested=True)
paper.sweep("growth", tested=True)
paper.sweep("growth-large", long=True)
paper.sweep("growth-in-k", tested=True)
paper.sweep("spiked-paths")
paper.sweep("one-discrepancy", tested=True)
paper.sweep("worst-small")
paper.sweep("section-3", tested=True)
paper.sweep("lucky", tested=True)
paper.sweep("three-beside-two-tiny", tested=True)
paper.sweep("three-beside-two-small")
paper.sweep("three-beside-two-six")
paper.sweep("three-beside-two-medium")
paper.sweep("three-beside-two-paths")
paper.sweep("three-beside-two-unbounded", tested=True)
paper.sweep("delays")
paper.sweep("adversaries")
paper.sweep("asynchronous-growth")
paper.sweep("asynchronous-growth-in-k")
paper.sweep("capacity")
paper.sweep("cost-of-five", tested=True)

KINDS = {"path": "path", "cycle": "cycle", "star": "star", "complete": "complete",
         "random-regular": "random 4-regular", "lollipop": "lollipop", "torus": "torus"}
TWO, THREE = "deal-agreement-2", "deal-agreement-3"


def kind(network):
    """The class of a network by its spec: "path:n=8" is a "path"."""
    return KINDS[network.split(":")[0]]


def percent(part, whole):
    return f"{100 * part / whole:.1f}%"


def spaced(loads):
    """"[1,6,0,8]" as "1 6 0 8"."""
    return loads.strip("[]").replace(",", " ")


def ticks(axis, values):
    """Marks these values on a logarithmic axis."""
    axis.set_xticks(sorted(set(values)), [number(value) for value in sorted(set(values))])
    axis.set_xticks([], minor=True)


# Table 1

# The rows of the paper's table, what runs here for each, and what it promises but for constants:
# the discrepancy and the rounds.
ROWS = [
    ("Rabani et al. [23], diffusion", "diffusion", "d ln n / gap", "ln(Kn) / gap"),
    ("Rabani et al. [23], matchings", "balancing-circuit", "d ln n / gap", "ln(Kn) / gap"),
    ("(the same idea on an edge colouring)", "dimension-exchange", "", ""),
    ("Muthukrishnan et al. [20]", "diffusion-2", "d n / gap", "ln(Kn) / gap"),
    ("Akbari et al. [2]", "flow-imitation", "sqrt(d ln n)", "d ln(Kn) / gap"),
    ("Berenbrink et al. [5]", "randomised-diffusion", "d sqrt(ln n) + sqrt(d ln n ln d / gap)",
     "ln(Kn) / gap"),
    ("Friedrich et al. [17]", "quasirandom-diffusion", "d ln ln n / gap", "ln(Kn) / gap"),
    ("Friedrich et al. [18], Sauerwald et al. [24]", "coin-averaging",
     "[18]: sqrt(ln^3 n / gap); [24]: constant", "ln(Kn) / gap"),
    ("Feuilloley et al. [15] (a stand-in)", "steepest-matching", "constant (local)", "K^3 d^K"),
    ("Elsässer et al. [13, 14]", "random-walks", "constant",
     "[13]: ln K + ln^2 n / gap; [14]: ln(Kn) / gap, or D ln n"),
    ("Algorithm 1", "deal-agreement-1", "epsilon", "nD ln(nK/epsilon)"),
    ("Algorithm 2", TWO, "1-balanced", "nD ln(nK) + nD^2"),
    ("Algorithm 3", THREE, "1-balanced", "nK^2"),
    ("Song [25]", "partially-asynchronous", "ceil(D/2)", "-"),
    ("Aiello et al. [1], Ghosh et al. [19]", "one-token-diffusion", "d^2 ln n / alpha",
     "K / alpha"),
    ("the same, single-port", "one-token-matching", "d^2 ln n / alpha", "K / alpha"),
    ("the same, asynchronous", "async-one-token-diffusion", "d^2 ln n / alpha", "K / alpha"),
    ("Algorithm 4", "async-deal-agreement", "1-balanced", "nK^2"),
    ("(Algorithm 5)", "self-stabilising", "-", "-"),
    ("(Sudo et al. [26, 27])", "rooted-target", "0, on trees", "-"),
]
ANYTIME = {"deal-agreement-1", TWO, THREE, "async-deal-agreement"}
NOT_PRINTED = {"dimension-exchange", "self-stabilising", "rooted-target"}
BESIDE_PAPER = ["torus:8x8", "cycle:n=64", "tree:k=2,h=5"]


def played(data):
    runs = data["table-1"]
    return runs[runs.left_out_because.isna()]


@paper.block("table-1")
def table_1(data):
    """Each system of the table: promised, and the worst that was measured on three networks."""
    runs = played(data)
    rows = []
    for words, system, discrepancy, rounds in ROWS:
        own = runs[runs.algorithm == system]
        claim(len(own) > 0, f"{system} was played")
        cells = []
        for network in BESIDE_PAPER:
            here = own[(own.network == network) & own.loads.str.startswith("spike")]
            cells.append(f"{number(here.rounds.iloc[0])}, {number(here.discrepancy.iloc[0], 2)}"
                         if len(here) else "")
        rows.append([words, f"`{system}`", discrepancy, rounds, *cells])
    cycle = runs[(runs.network == "cycle:n=64") & runs.loads.str.startswith("spike")]
    rounds = cycle.set_index("algorithm").rounds
    claim(0.5 < rounds[TWO] / rounds["diffusion"] < 2, "Algorithm 2 and diffusion are alike there")
    for network in ["cycle:n=64", "tree:k=2,h=5"]:
        here = runs[(runs.network == network) & runs.loads.str.startswith("spike")]
        here = here.set_index("algorithm")
        claim((here.loc["balancing-circuit", ["rounds", "discrepancy"]]
               < here.loc[TWO, ["rounds", "discrepancy"]]).all(), "matchings end lower, sooner")
    claim(set(runs.algorithm) == {system for _, system, *_ in ROWS}, "every system has a row")
    return table(rows, ["Row of the paper", "Runs here", "Discrepancy, O( )", "Rounds, O( )",
                        *(f"`{network}`" for network in BESIDE_PAPER)], "llllrrr")


@paper.block("table-1-anytime")
def table_1_anytime(data):
    runs = played(data)
    rows = []
    for words, system, *_ in ROWS:
        own = runs[runs.algorithm == system]
        rows.append([words, f"`{system}`", "yes" if system in ANYTIME else
                     "-" if system in NOT_PRINTED else "no",
                     number(own.local_imbalance.max(), 2),
                     number(own.extremes_least.min()),
                     f"{(own.extremes_rises_of_most > 0).sum()} of {len(own)}",
                     f"{(own.extremes_falls_of_least > 0).sum()} of {len(own)}"])
    ours = runs[runs.algorithm.isin(ANYTIME)]
    claim((ours.extremes_least >= 0).all(), "no run of ours goes below 0")
    claim((ours.extremes_rises_of_most == 0).all(), "no largest load of ours rises")
    claim((ours.extremes_falls_of_least == 0).all(), "no smallest load of ours falls")
    claim((ours[ours.algorithm != "deal-agreement-1"].local_imbalance <= 1).all(), "1-balanced")
    below = sorted(set(runs[runs.extremes_least < 0].algorithm))
    claim(below == ["diffusion-2", "quasirandom-diffusion"],
          "second order and quasirandom diffusion alone go below 0")
    return table(rows, ["Row of the paper", "Runs here", "Anytime, in print", "Local imbalance",
                        "Least load ever", "Largest load rose", "Smallest fell"], "lllrrrr")


@paper.block("table-1-bounds")
def table_1_bounds(data):
    """The terms of the table's bounds on the networks that were played."""
    rows = []
    for _, at in data["table-1-networks"].iterrows():
        n, d, gap, diameter = at.nodes, at.degree_max, at.eigenvalue_gap_value, at.diameter
        k = 6300
        rows.append([f"`{at.network}`", n, d, diameter, number(gap, 2),
                     number(d * math.log(n) / gap), number(math.log(k * n) / gap),
                     number(n * diameter * math.log(n * k) + n * diameter ** 2)])
    return table(rows, ["Network", "n", "d", "D", "1 - lambda", "d ln n / gap", "ln(Kn) / gap",
                        "nD ln(nK) + nD^2"], "lrrrrrrr")


# Theorems 1 and 2: growth

@paper.figure("rounds-over-nodes", panels=2, figsize=(9, 4), sharey=True)
def rounds_over_nodes(data, axes):
    runs = data["growth"]
    sizes = numpy.array(sorted(runs.network_nodes.unique()))
    for axis, algorithm in zip(axes, ["deal-agreement-1", TWO]):
        own = runs[runs.algorithm == algorithm]
        for words, rows in own.groupby(own.network.map(kind)):
            axis.loglog(rows.network_nodes, rows.rounds, label=words)
        axis.set(title="Algorithm 1, epsilon = 1" if algorithm != TWO else "Algorithm 2",
                 xlabel="nodes", ylabel="rounds")
        for power, at, words in [(2, 400, "like n²"), (1, 14, "like n")]:
            axis.plot(sizes, at * (sizes / sizes[0]) ** power, ":", color="0.5", marker="")
            axis.annotate(words, (sizes[-1], at * (sizes[-1] / sizes[0]) ** power), fontsize=8,
                          color="0.4", ha="right", va="bottom")
        ticks(axis, sizes)
    axes[0].legend(fontsize=8)


def growth(data):
    """The rows of runs with their bound, their class and the bound over the rounds."""
    runs = data["growth"]
    runs["kind"] = runs.network.map(kind)
    runs["bound"] = runs.guarantee_steps // 3
    claim((runs.rounds <= runs.bound).all(), "no run needs more rounds than promised")
    return runs


@paper.block("growth")
def growth_table(data):
    runs = growth(data)
    largest = runs.network_nodes.max()
    rows = []
    shape = {"path": 2, "cycle": 2, "lollipop": 2, "star": 1, "complete": 1}
    for words in ["path", "cycle", "lollipop", "star", "complete", "random 4-regular"]:
        cells = [words, f"{shape[words]}" if words in shape else "1, with ln n"]
        for algorithm in ["deal-agreement-1", TWO]:
            own = runs[(runs.kind == words) & (runs.algorithm == algorithm)]
            last = own[own.network_nodes == largest].iloc[0]
            upper = own[own.network_nodes >= largest / 2]
            power = exponent(upper.network_nodes, upper.rounds)
            cells += [f"{power:.2f}", number(last.rounds), number(last.bound / last.rounds)]
            if words in shape:
                claim(power <= shape[words] + 0.05,
                      f"{algorithm} on {words}s grows no faster than nD")
        rows.append(cells)
    return table(rows, ["Network", "nD grows like n to the", "Algorithm 1: exponent",
                        f"rounds, n = {largest}", "bound / rounds", "Algorithm 2: exponent",
                        f"rounds, n = {largest}", "bound / rounds"], "lrrrrrrr")


@paper.block("growth-large")
def growth_large(data):
    runs = data["growth-large"]
    runs["kind"] = runs.network.map(kind)
    rows = []
    for (words, algorithm), own in runs.groupby(["kind", "algorithm"]):
        own = own.sort_values("network_nodes")
        rows.append([words, f"`{algorithm}`", *own.rounds.tolist(),
                     f"{exponent(own.network_nodes, own.rounds):.2f}"])
    sizes = sorted(runs.network_nodes.unique())
    return table(rows, ["Network", "Algorithm", *(f"n = {n}" for n in sizes), "exponent"],
                 "ll" + "r" * (len(sizes) + 1))


@paper.figure("rounds-over-discrepancy", panels=2, figsize=(9, 4))
def rounds_over_discrepancy(data, axes):
    runs = data["growth-in-k"]
    for axis, algorithm in zip(axes, ["deal-agreement-1", TWO]):
        own = runs[runs.algorithm == algorithm]
        for words, rows in own.groupby(own.network.map(kind)):
            axis.semilogx(rows.K, rows.rounds, label=words)
        axis.set(title="Algorithm 1, epsilon = 1" if algorithm != TWO else "Algorithm 2",
                 xlabel="initial discrepancy K", ylabel="rounds")
    axes[0].legend(fontsize=8)


@paper.block("growth-in-k")
def growth_in_k(data):
    runs = data["growth-in-k"]
    runs["kind"] = runs.network.map(kind)
    claim((runs.rounds <= runs.guarantee_steps // 3).all(), "no run takes more than promised")
    rows = []
    for words in ["path", "cycle", "lollipop", "torus", "star"]:
        cells = [words]
        for algorithm in ["deal-agreement-1", TWO, THREE]:
            own = runs[(runs.kind == words) & (runs.algorithm == algorithm)]
            own = own[own.K >= 10 ** 5]  # beyond the tokens that 1-balanced states leave uneven
            slope, offset = numpy.polyfit(numpy.log(own.K), own.rounds, 1)
            off = (own.rounds - slope * numpy.log(own.K) - offset).abs().max()
            if algorithm != THREE:
                claim(off <= 2 + 0.01 * own.rounds.max(),
                      f"{algorithm} on the {words} grows by a constant with ln K")
            slope = 0 if abs(slope) < 1e-9 else slope
            nodes = own.network_nodes.iloc[0]
            cells.append(f"{slope:.3g}" if algorithm == THREE else
                         f"{slope:.3g} ({slope / nodes ** 2:.3f} n²)")
        rows.append(cells)
    return table(rows, ["Network", "Algorithm 1", "Algorithm 2", "Algorithm 3"], "lrrr")


# Spiked paths

SHAPES = {
    "spike:tokens={100*n}": "100 n at an end",
    "spike:tokens={100*n},node={n/2}": "100 n in the middle",
    "spike:tokens={n*n}": "n^2 at an end", "spike:tokens={100*n*n}": "100 n^2 at an end",
    "bimodal:high={10*n},shuffle=no": "10 n on one half", "staircase:rise=2": "stairs, rise 2",
    "staircase:rise=10": "stairs, rise 10", "uniform:tokens={100*n}": "100 n at random",
    "zipf:tokens={100*n},shuffle=no": "100 n by Zipf's law, falling",
}


def shape_of(row):
    """The spec of the scenario that a row's loads come from."""
    n = row.network_nodes
    for spec, words in SHAPES.items():
        values = {"100*n*n": 100 * n * n, "100*n": 100 * n, "10*n": 10 * n, "n*n": n * n,
                  "n/2": n // 2}
        for name, value in values.items():
            spec = spec.replace("{" + name + "}", str(value))
        if spec == row.loads:
            return words
    raise ValueError(row.loads)


def spiked(data):
    runs = data["spiked-paths"]
    runs["shape"] = runs.apply(shape_of, axis=1)
    runs["part"] = runs.rounds / runs.network_nodes ** 2
    return runs


@paper.figure("spiked-paths")
def spiked_paths(data, axes):
    runs = spiked(data)
    for words in SHAPES.values():
        own = runs[runs["shape"] == words]
        axes.semilogx(own.network_nodes, own.part, label=words.replace("^2", "²"),
                      linestyle="--" if "Zipf" in words else "-")
    axes.set(xlabel="nodes", ylabel="rounds / n²")
    ticks(axes, runs.network_nodes)
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))


@paper.block("spiked-paths")
def spiked_table(data):
    runs = spiked(data)
    claim((runs.rounds <= runs.guarantee_steps // 3).all(), "no run takes more than promised")
    sizes = sorted(runs.network_nodes.unique())
    rows = []
    for words in SHAPES.values():
        own = runs[runs["shape"] == words].sort_values("network_nodes")
        rows.append([words, *(f"{part:.3f}" for part in own.part),
                     f"{exponent(own.network_nodes, own.rounds):.2f}"])
    spike = runs[runs["shape"] == "100 n at an end"].set_index("network_nodes").part
    claim(spike.is_monotonic_decreasing, "spikes of 100 n fall below every multiple of n^2")
    claim(round(spike[16], 2) == 0.86 and round(spike[128], 2) == 0.40, "0.86 n^2, then 0.40 n^2")
    for words in ["stairs, rise 2", "stairs, rise 10"]:
        stairs = runs[runs["shape"] == words].part
        claim(stairs.max() / stairs.min() < 1.05, f"{words} take a fixed part of n^2")
    bound = runs[runs["shape"] == "stairs, rise 10"].set_index("network_nodes")
    tail = number(bound.guarantee_steps[256] / 3 / bound.rounds[256])
    return (table(rows, ["Loads", *(f"n = {n}" for n in sizes), "exponent"], "l" + "r" * 6)
            + f"\n\nFrom stairs of rise 10 on 256 nodes, Theorem 2's bound is {tail} times what "
              "was measured.")


@paper.block("one-discrepancy")
def one_discrepancy(data):
    runs = data["one-discrepancy"]
    claim((runs.initial_discrepancy == 1024).all(), "all begin with a discrepancy of 1,024")
    most = runs.groupby("loads").rounds.max().sort_values(ascending=False)
    claim(most.index[0] == "bimodal:high=1024,share=0.5,shuffle=no", "a step is the worst")
    return table([[f"`{loads}`", rounds] for loads, rounds in most.items()], ["Loads", "Rounds"])


@paper.block("worst-small")
def worst_small(data):
    runs = data["worst-small"]
    claim(runs["all"].all(), "all loads were played under all numberings")
    rows = []
    for (nodes, algorithm), own in runs.groupby(["network_nodes", "algorithm"]):
        worst = own.loc[own.worst_value.idxmax()]
        most, bound = worst.worst_value - 1, nodes * 6 ** 2 // 8
        claim(2.75 * most <= bound <= 9 * most, "nK^2/8 is 2.75 to 9 times the most rounds")
        rows.append([nodes, f"`{algorithm}`", len(own), own.numberings.sum(), own.played.sum(),
                     most, bound, f"`{worst.worst_network_spec}`", f"`{worst.worst_loads_spec}`"])
    return table(rows, ["Nodes", "Algorithm", "Networks", "Numberings", "Loads",
                        "Most rounds with a deal", "nK²/8", "On", "From"], "rlrrrrrll")


# Section 3

@paper.block("section-3")
def section_3(data):
    runs = data["section-3"].fillna({"parameters": ""})
    claim(runs.rounds.tolist() == [16, 2, 16], "1 round with deals beside 15")
    names = ["Algorithm 2", "Algorithm 3, residual drain", "Algorithm 3, minimal repair"]
    return table([[name, rounds - 1, int(tokens)] for name, rounds, tokens in
                  zip(names, runs.rounds, runs.exchanges)],
                 ["Algorithm", "Rounds with a deal", "Tokens moved"])


@paper.block("lucky")
def lucky(data):
    runs = data["lucky"]
    runs["kind"] = runs.network.map(kind)
    three = runs[runs.algorithm == THREE]
    claim((three.rounds == 2).all() and (three.discrepancy <= 1).all(),
          "Algorithm 3 levels all in one round")
    rows = []
    for words, own in runs[runs.algorithm == TWO].groupby("kind"):
        rows.append([words, *(int(rounds) - 1 for rounds in own.rounds)])
    sizes = sorted(runs.network_nodes.unique())
    rows.append(["Algorithm 3, both", *(1 for _ in sizes)])
    rows = [[name if "3" in name else f"Algorithm 2, {name}", *rest] for name, *rest in rows]
    return table(rows, ["Rounds with a deal", *(f"n = {n}" for n in sizes)])


# Is Algorithm 3 ever slower?

@paper.block("three-beside-two")
def three_beside_two(data):
    tiny = data["three-beside-two-tiny"]
    small = data["three-beside-two-small"]
    six = data["three-beside-two-six"]
    rows = []
    for nodes, own in [(2, tiny), (3, tiny), (4, tiny), (5, small), (6, six)]:
        own = own[own.network_nodes == nodes]
        own = own[own.most == own.most.max()]
        claim(own["all"].all(), "all loads were played")
        worst = own.loc[own.worst_ratio.idxmax()]
        best = own.loc[own.best_ratio.idxmin()]
        total = own.played.sum()
        slower = own.dearer.sum() > 0
        rows.append([nodes, len(own), own.most.max(), total, percent(own.dearer.sum(), total),
                     percent(own.cheaper.sum(), total),
                     f"{worst.worst_value} : {worst.worst_beside}" if slower else "-",
                     f"`{worst.network}`, {spaced(worst.worst_loads)}" if slower else "-",
                     f"{best.best_value} : {best.best_beside}"])
    fewer = tiny[tiny.network_nodes <= 3]
    claim((fewer.dearer == 0).all(), "never slower on up to three nodes")
    four = tiny[tiny.network_nodes == 4]
    least = four[four.dearer > 0].most.min()
    claim((four[four.most < least].dearer == 0).all(), "nor with less")
    return (table(rows, ["Nodes", "Networks", "Tokens a node", "Loads", "3 slower", "3 faster",
                         "Worst, 3 : 2", "There", "Best, 3 : 2"], "rrrrrrrlr")
            + f"\n\nThe smallest cases have four nodes with at most {least} tokens each.")


@paper.block("three-beside-two-medium")
def three_beside_two_medium(data):
    runs = data["three-beside-two-medium"]
    rows = []
    for network in dict.fromkeys(runs.network):
        own = runs[runs.network == network]
        worst = own.loc[own.worst_ratio.idxmax()]
        best = own.loc[own.best_ratio.idxmin()]
        claim(worst.worst_ratio > 1, f"slower somewhere on {network}")
        rows.append([f"`{network}`", f"{worst.worst_value} : {worst.worst_beside}",
                     spaced(worst.worst_loads), f"{best.best_value} : {best.best_beside}"])
    return table(rows, ["Network", "Worst, 3 : 2", "From", "Best, 3 : 2"], "lrlr")


@paper.figure("three-beside-two")
def three_over_k(data, axes):
    runs = data["three-beside-two-unbounded"]
    runs = runs[~runs.loads.str.contains("2=1")]
    for algorithm, words in [(THREE, "Algorithm 3"), (TWO, "Algorithm 2")]:
        own = runs[runs.algorithm == algorithm]
        axes.semilogx(own.K, own.rounds - 1, label=words, base=2)
    axes.set(xlabel="K", ylabel="rounds with a deal", ylim=(0, None))
    axes.legend()


@paper.block("three-beside-two-unbounded")
def three_unbounded(data):
    runs = data["three-beside-two-unbounded"]
    two = runs[runs.algorithm == TWO]
    three = runs[(runs.algorithm == THREE) & (runs.K >= 64)]
    claim((two.rounds == 2).all(), "Algorithm 2 needs one round with deals")
    claim((three.rounds == 2 * numpy.log2(three.K) - 4).all(), "2 log2 K - 4 rounds")
    last = three.iloc[-1]
    return (f"For every K that was played, from 64 to {last.K:,}, Algorithm 3 takes exactly "
            f"2 log2 K - 4 rounds, {last.rounds} in the end, where Algorithm 2 takes 2.")


@paper.block("three-beside-two-paths")
def three_paths(data):
    runs = data["three-beside-two-paths"]
    rows = []
    for nodes, own in runs.groupby("network_nodes"):
        cells = [nodes]
        for most in sorted(own.most.unique()):
            at = own[own.most == most].iloc[0]
            cells.append(f"{at.worst_value} : {at.worst_beside}")
        rows.append(cells)
    return table(rows, ["Nodes of the path", *(f"at most {m} tokens" for m in
                                               sorted(runs.most.unique()))], "rrrr")


# Algorithm 4

@paper.block("delays")
def delays(data):
    rows = []
    unit = data["delays"][data["delays"].delays == "unit"].groupby("network").messages.mean()
    for runs, most in [(data["delays"], 1.4), (data["adversaries"], 4.5)]:
        claim((runs.messages <= most * runs.network.map(unit)).all(), "few messages more")
    for words, column, runs in [("delays", "delays", data["delays"]),
                                ("adversary", "adversary", data["adversaries"])]:
        claim((runs.local_imbalance <= 1).all(), "always 1-balanced in the end")
        claim((runs.extremes_least >= 0).all(), "never below 0")
        for value in dict.fromkeys(runs[column]):
            own = runs[runs[column] == value]
            cells = [f"{words} `{value}`"]
            for network in dict.fromkeys(runs.network):
                here = own[own.network == network]
                cells += [number(here.time.mean(), 0), number(round(here.messages.mean()))]
            cells.append(f"{(own.extremes_rises_of_most > 0).sum()} of {len(own)}")
            rows.append(cells)
    names = [f"`{network}`" for network in dict.fromkeys(data["delays"].network)]
    header = ["World"]
    for name in names:
        header += [f"{name}: ticks", "messages"]
    return table(rows, [*header, "largest held load rose"], "l" + "r" * 7)


@paper.block("asynchronous-growth")
def asynchronous_growth(data):
    runs = data["asynchronous-growth"]
    runs["kind"] = runs.network.map(kind)
    by_k = data["asynchronous-growth-in-k"]
    by_k["kind"] = by_k.network.map(kind)
    rows = []
    for words in ["path", "cycle", "random 4-regular", "star", "complete"]:
        own = runs[runs.kind == words]
        last = own.loc[own.network_nodes.idxmax()]
        cells = [words, number(last.time), f"{exponent(own.network_nodes, own.time):.2f}",
                 number(last.messages), f"{exponent(own.network_nodes, own.messages):.2f}"]
        other = by_k[(by_k.kind == words) & (by_k.K >= 10 ** 5)]
        if len(other):
            slope, offset = numpy.polyfit(numpy.log10(other.K), other.time, 1)
            fit = slope * numpy.log10(other.K) + offset
            claim((fit - other.time).abs().max() <= 0.05 * other.time.max(),
                  f"time on the {words} grows by a constant with log K")
            cells.append(number(slope))
        else:
            cells.append("")
        rows.append(cells)
    return table(rows, ["Network", "Ticks, n = 64", "exponent in n", "Messages, n = 64",
                        "exponent in n", "More ticks for 10 K (n = 32)"], "lrrrrr")


# Algorithm 5

FAULTS = {"capacity": "no other faults", "loss": "loss, duplicates, reordering",
          "corrupt": "the same, from a corrupted start"}


def capacity(data):
    runs = data["capacity"]
    runs["world"] = [FAULTS["corrupt" if "corrupt" in text else
                            "loss" if "loss" in text else "capacity"] for text in runs.faults]
    claim((runs.local_imbalance <= 1).all(), "always 1-balanced in the end")
    return runs


@paper.figure("capacity", panels=2, figsize=(9, 4))
def over_capacity(data, axes):
    runs = capacity(data)
    runs = runs[runs.network == "torus:4x4"]
    for axis, column, words in zip(axes, ["time", "messages"], ["ticks until quiet", "messages"]):
        for world, rows in runs.groupby("world", sort=False):
            mean = rows.groupby("k")[column].mean()
            axis.loglog(mean.index, mean, label=world)
        axis.set(xlabel="capacity k", ylabel=words)
        ticks(axis, runs.k)
    axes[0].legend(fontsize=8)


@paper.block("capacity")
def capacity_table(data):
    runs = capacity(data)
    rows = []
    for network in dict.fromkeys(runs.network):
        for world in FAULTS.values():
            own = runs[(runs.network == network) & (runs.world == world)]
            means = own.groupby("k")[["time", "messages"]].mean()
            rows.append([f"`{network}`", world,
                         *(f"{number(round(at.time))}, {number(round(at.messages))}"
                           for _, at in means.iterrows()),
                         f"{exponent(means.index, means.time):.2f}",
                         f"{exponent(means.index, means.messages):.2f}"])
    clean = runs[runs.world != FAULTS["corrupt"]]
    claim((clean.tokens_made == 0).all() and (clean.tokens_removed == 0).all(),
          "no token is made or lost from a clean start")
    claim((clean.extremes_least >= 0).all() and (clean.extremes_rises_of_most == 0).all(),
          "monotone from a clean start")
    ks = sorted(runs.k.unique())
    return table(rows, ["Network", "Faults", *(f"k = {k}" for k in ks), "time like k to the",
                        "messages like k to the"], "ll" + "r" * (len(ks) + 2))


@paper.block("phantoms")
def phantoms(data):
    runs = capacity(data)
    own = runs[runs.world == FAULTS["corrupt"]]
    rows = []
    for k, at in own.groupby("k"):
        rows.append([k, number(at.tokens_made.mean()), number(at.tokens_removed.mean()),
                     number(at.extremes_most.max()), f"{len(at)}"])
    claim((own.extremes_least >= 0).all(), "no node holds less than nothing")
    claim((own.extremes_most > 160).any(), "a node comes to hold more than there was")
    return table(rows, ["k", "Tokens made, mean", "removed, mean", "Most ever on a node", "Runs"])


@paper.block("cost-of-five")
def cost_of_five(data):
    runs = data["cost-of-five"]
    labelled = capacity(data)
    labelled = labelled[(labelled.k == 1) & (labelled.world == FAULTS["capacity"])]
    rows = []
    for (network, loads), own in runs.groupby(["network", "loads"], sort=False):
        four = own[own.algorithm == "async-deal-agreement"].iloc[0]
        five = own[own.algorithm == "self-stabilising"].iloc[0]
        claim(five.messages <= 5 * four.messages, "a numbered link costs few messages more")
        cells = [f"`{network}`, `{loads}`", f"{four.time:,}, {four.messages:,}",
                 f"{five.time / four.time:.1f}, {five.messages / four.messages:.1f}"]
        same = labelled[(labelled.network == network) & (labelled.loads == loads)]
        cells.append(f"{same.time.mean() / four.time:.1f}, "
                     f"{same.messages.mean() / four.messages:.1f}" if len(same) else "")
        rows.append(cells)
    return table(rows, ["Instance", "Algorithm 4: ticks, messages",
                        "Algorithm 5, numbered link: times as many", "labelled link, k = 1"],
                 "lrrr")
