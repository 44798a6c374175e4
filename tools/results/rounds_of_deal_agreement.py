"""How many rounds deal agreement takes: docs/results/rounds-of-deal-agreement.md."""

from results.making import Paper, claim, exponent, number, table

paper = Paper("rounds-of-deal-agreement", "How many rounds deal agreement takes")
paper.sweep("small")
paper.sweep("barbells")
paper.sweep("families")


@paper.block("small")
def small(data):
    """The most rounds with a deal by nodes, K and algorithm, beside nK^2/8."""
    rows = data["small"]
    claim(rows["all"].all(), "all loads were played under all numberings")
    lines = []
    for (nodes, algorithm), own in rows.groupby(["network_nodes", "algorithm"]):
        most = own.groupby("most_tokens").worst_value.max() - 1
        claim((8 * most <= nodes * most.index ** 2).all(), "nK^2/8 is kept")
        claim((8 * most[most.index >= 3] < nodes * most[most.index >= 3].index ** 2).all(),
              "and is not attained from K = 3 on")
        claim(nodes % 2 == 1 or most[2] == nodes // 2, "it is attained for K = 2 and even n")
        claim(nodes == 2 or (most[3] == nodes - 1 and most[4] == nodes),
              "n - 1 rounds with K = 3, and n with K = 4")
        lines.append([nodes, f"`{algorithm}`"] +
                     [f"{most[k]} ({nodes * k * k / 8:g})" if k in most.index else ""
                      for k in (2, 3, 4)])
    return table(lines, ["nodes", "algorithm", "K = 2", "K = 3", "K = 4"], "rlrrr")


def barbell_rounds(data):
    """The runs, with the rounds that made deals."""
    rows = data["barbells"]
    rows["deals"] = rows.rounds - 1
    return rows.rename(columns={"network_nodes": "n", "initial_discrepancy": "k"})


@paper.block("barbells")
def barbells(data):
    lines = []
    for (m, algorithm), own in barbell_rounds(data).groupby(["m", "algorithm"]):
        ratio = own.deals / (own.n * own.k)
        claim(ratio.between(0.18, 0.26).all(), "rounds are near nK/4")
        claim((own.deals * 8 >= (own.n - own.k / 2 + 1) * own.k).all(), "Theorem 3's bound")
        power = exponent(own.k, own.deals / own.n)
        claim(power < 1.1, "rounds / n grow about like K")
        lines.append([m, f"`{algorithm}`"] + [number(each) for each in own.deals] +
                     [f"{ratio.min():.3f} to {ratio.max():.3f}", f"{power:.2f}"])
    return table(lines, ["m", "algorithm"] + [f"K = {k}" for k in (8, 16, 32, 64, 128)] +
                 ["rounds / nK", "rounds / n like K to the"], "rlrrrrrrr")


@paper.figure("barbells")
def barbell_figure(data, axes):
    for (m, algorithm), own in barbell_rounds(data).groupby(["m", "algorithm"]):
        if algorithm == "deal-agreement-2":
            axes.plot(own.k, own.deals / (own.n * own.k), label=f"m = {m}")
    axes.set_xscale("log", base=2)
    axes.set_ylim(0, 0.4)
    axes.set_xlabel("K = 2D (tokens)")
    axes.set_ylabel("rounds / nK")
    axes.legend()


@paper.block("families")
def families(data):
    """What searches found, and how it grows with K at n = 32 and with n at K = 64."""
    rows = data["families"]
    rows["family"] = rows.network.str.split(":").str[0]
    rows["deals"] = rows.worst_value - 1
    lines = []
    for (family, algorithm), own in rows.groupby(["family", "algorithm"], sort=False):
        claim((8 * own.deals <= own.network_nodes * own.most_tokens ** 2 / 2).all(),
              "at most half of nK^2/8")
        long, full = own[own.network_nodes == 32], own[own.most_tokens == 64]
        powers = [exponent(long.most_tokens, long.deals), exponent(full.network_nodes, full.deals)]
        claim(max(powers) < 1.7, "far from squares of K")
        claim(family not in ("path", "cycle") or (own.deals[own.most_tokens == 4] == 4).all(),
              "4 rounds with K = 4 at every length")
        claim((powers[0] > 1) == (family in ("path", "cycle", "barbell")), "growth beyond K")
        lines.append([family, f"`{algorithm}`"] + [number(each) for each in long.deals] +
                     [number(each) for each in full.deals[:2]] + [f"{each:.1f}" for each in powers])
    return table(lines, ["family", "algorithm", "n = 32: K = 4", "K = 16", "K = 64",
                         "K = 64: n = 8", "n = 16", "like K to the", "like n to the"],
                 "llrrrrrrr")
