"""What THRESHOLD-1 keeps on meshes and tori: docs/results/kept-discrepancy.md."""

from results.making import Paper, claim, number, table

paper = Paper("kept-discrepancy", "Kept discrepancy")
paper.sweep("grids", tested=True)


@paper.block("grids")
def grids(data):
    """What stays and what is left, by network."""
    lines = []
    for name, rows in data["grids"].groupby("network", sort=False):
        promised = rows.guarantee_discrepancy.iloc[0]
        claim((rows.stopped_because == "stable").all(), f"{name} becomes stable")
        claim((rows.discrepancy <= promised).all(), f"{name} keeps the bound")
        kept = rows[rows.loads == "worst-stable"]
        claim((kept.discrepancy == promised).all(), f"{name} attains the bound")
        drawn = rows[rows.loads.str.startswith("uniform")]
        spike = rows[rows.loads.str.startswith("spike")]
        counts = drawn.discrepancy.value_counts().sort_index()
        often = ", ".join(f"{count} × {left}" for left, count in counts.items())
        lines.append([f"`{name}`", rows.network_nodes.iloc[0], promised, kept.discrepancy.max(),
                      often, spike.discrepancy.max(), number(drawn.steps.max())])
    return table(lines, ["network", "n", "Theorem 2", "`worst-stable`", "drawn: how often which",
                         "spike", "drawn: most steps"], "lrrrlrr")


@paper.figure("grids", figsize=(7.5, 3.6))
def grids_figure(data, axes):
    """What is left of drawn loads, beside what is kept for ever."""
    rows = data["grids"]
    names = list(dict.fromkeys(rows.network))
    drawn = rows[rows.loads.str.startswith("uniform")]
    often = drawn.groupby(["network", "discrepancy"]).size()
    promised = rows.groupby("network").guarantee_discrepancy.first()
    axes.bar(names, promised[names], color="0.88", label="Theorem 2, kept from worst-stable loads")
    axes.scatter([name for name, _ in often.index], [left for _, left in often.index],
                 s=6 * often, zorder=2, label="left of drawn loads; areas: how often")
    axes.tick_params("x", rotation=30)
    axes.set(ylabel="discrepancy in tokens", ylim=(-0.4, 7.9))
    axes.legend(loc="upper left")
