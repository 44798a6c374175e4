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
