"""Perfect and self-stabilising at once: docs/results/perfect-and-self-stabilising.md."""

from results.making import Paper, claim, number, table

paper = Paper("perfect-and-self-stabilising", "Perfect and self-stabilising")
paper.sweep("clean", tested=True)
paper.sweep("any-start")

PERFECT = "perfect-self-stabilising"
FEW, MANY = 1000, 100_000
WORLDS = {"capacity=1,corrupt-start": "no other faults",
          "loss=0.2,duplicate=0.1,reorder=0.1,capacity=1,crash=0.001,corrupt-start":
              "loss, duplicates, reordering, crashes"}


def diameter(network):
    """Of the families of the scenarios."""
    family, size = network.split(":")
    if family == "torus":
        return 2 * (int(size.split("x")[0]) // 2)
    size = int(size.split("=")[1])
    return {"path": size - 1, "cycle": size // 2, "hypercube": size}[family]


def means(runs):
    return runs.groupby(["network", "tokens", "algorithm"], sort=False).mean(numeric_only=True)


@paper.figure("time", panels=2, figsize=(9, 4))
def time(data, axes):
    runs = data["clean"]
    for axis, tokens in zip(axes, [FEW, MANY]):
        for algorithm, rows in runs[runs.tokens == tokens].groupby("algorithm", sort=False):
            at = rows.assign(diameter=rows.network.map(diameter)).groupby("diameter").time.mean()
            axis.loglog(at.index, at, linestyle="", marker="o", label=algorithm)
        axis.set(xlabel=f"diameter, {number(tokens)} tokens", ylabel="ticks until settled")
    axes[0].legend(fontsize=8)


@paper.block("clean")
def clean(data):
    runs = data["clean"]
    own = runs[runs.algorithm == PERFECT]
    claim((own.discrepancy <= 1).all(), "always perfect")
    claim((own.time <= 6 * own.network.map(diameter) + 20).all(), "within 6 D + 20 ticks")
    mean = means(runs)
    ratio = mean.xs(PERFECT, level="algorithm").exchanges / mean.xs(
        "self-stabilising", level="algorithm").exchanges
    claim(ratio.max() < 5.5, "about five times the exchanges at most")
    rows = []
    for network in dict.fromkeys(runs.network):
        row = [f"`{network}`", diameter(network)]
        for column in ("time", "messages", "exchanges"):
            for tokens in (FEW, MANY):
                ours, other = (mean.loc[(network, tokens, name)][column]
                               for name in (PERFECT, "self-stabilising"))
                row.append(f"{number(round(ours))} ({number(round(other))})")
        rows.append(row)
    heads = [f"{words}, {number(tokens)}" for words in ("ticks", "messages", "exchanges")
             for tokens in (FEW, MANY)]
    return table(rows, ["Network", "D", *heads], "l" + "r" * 7)


@paper.block("any-start")
def any_start(data):
    runs = data["any-start"]
    claim((runs.discrepancy <= 1).all(), "perfect from any state")
    rows = []
    for network in dict.fromkeys(runs.network):
        row = [f"`{network}`"]
        for faults in WORLDS:
            own = runs[(runs.network == network) & (runs.faults == faults)]
            nodes = own["network_nodes"].iloc[0]
            row += [number(round(own.time.mean())), number(round(own.time.mean() / nodes)),
                    number(round(own.messages.mean()))]
        rows.append([row[0], diameter(network), *row[1:]])
    heads = [f"{words}: {what}" for words in WORLDS.values()
             for what in ("ticks", "for each node", "messages")]
    return table(rows, ["Network", "D", *heads], "l" + "r" * 7)
