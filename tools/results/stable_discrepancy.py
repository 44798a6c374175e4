"""The maximum stable discrepancy of complete trees: docs/results/stable-discrepancy.md."""

import pandas

from results.making import Paper, claim

paper = Paper("stable-discrepancy", "Maximum stable discrepancy of complete trees")

CHILDREN = (3, 4, 8, 16, 32)
HEIGHT = 60


@paper.answers("heights")
def heights(ask):
    """Bounds of MSD and the two values that are conjectured, by children and height."""
    rows = []
    for k in CHILDREN:
        for tree in ask("conjecture", "--k", str(k), "--h", f"1..{HEIGHT}", "--profiles", "256"):
            rows.append({"k": k, "h": tree["h"],
                         "at_least": tree.get("msd", tree.get("msd_at_least")),
                         "at_most": tree.get("msd", tree.get("msd_at_most")),
                         "low": tree["conjectured"][0], "high": tree["conjectured"][1]})
    return pandas.DataFrame(rows)


@paper.figure("heights")
def figure(data, axes):
    """How far MSD is below (k - 1) h / 2, for each child less one."""
    for k, rows in data["heights"].groupby("k"):
        claim((rows.at_most <= rows.high).all(), f"MSD is never above the conjecture, k = {k}")
        claim((rows.at_least >= rows.low)[rows.h <= 5].all(), f"it holds up to height 5, k = {k}")
        least, most = (rows.h / 2 - bound / (k - 1) for bound in (rows.at_most, rows.at_least))
        axes.plot(rows.h, least, markersize=3, linewidth=1, label=f"k = {k}")
        axes.fill_between(rows.h, least, most, alpha=0.3, linewidth=0)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set(xlabel="height h", ylabel="h / 2 − MSD / (k − 1)")
    axes.legend()
