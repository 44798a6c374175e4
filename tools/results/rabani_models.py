"""Rabani, Sinclair, Wanka 1998, Section 2: uneven balancers, other matrices, other roundings."""

from results.making import claim, number, table

# What the nodes of a ring give to the next one and to the one before, by the file of the matrix.
WAYS = {"cycle-both-ways.txt": "1/3, 1/3", "cycle-mostly-forth.txt": "1/2, 1/6",
        "cycle-forth.txt": "2/3, 0"}


def uneven(rows):
    """Circuits whose balancers move a share of the difference: bound and worst deviation."""
    claim((rows.deviation <= rows.deviation_bound * 1.0001).all(), "uneven: Theorem 2 holds")
    claim((rows.discrepancy <= rows.promised).all(), "uneven: Corollary 3 holds")
    claim((rows.steps <= rows.promised_steps).all(), "uneven: within Theorem 1's rounds")
    rows["share"] = rows.parameters.fillna("share=1/2").str.removeprefix("share=")
    worst = rows.loc[rows.groupby(["kind", "nodes", "share"], sort=False).deviation.idxmax()]
    out = [(row.kind, number(row.nodes), row.share, f"{1 - row.constants_second_eigenvalue:.3g}",
            f"{row.constants_local_divergence:.4g}", f"{row.deviation_bound:.4g}",
            f"{row.deviation:.3g}")
           for row in worst.itertuples()]
    even = worst[worst.share == "1/2"].set_index(["kind", "nodes"]).deviation_bound
    others = worst[worst.share != "1/2"]
    claim(all(row.deviation_bound > even[row.kind, row.nodes] for row in others.itertuples()),
          "even balancers have the least bound")
    return table(out, ("network", "N", "share", "μ", "Ψ(P^T)", "bound", "worst deviation found"),
                 "lrlrrrr")


def lopsided(rows):
    """Diffusion on a ring by matrices that are not symmetric, in both roundings."""
    rows = rows.rename(columns={
        "constants_local_divergence": "psi", "guarantee_discrepancy": "promised",
        "guarantee_steps": "promised_steps"})
    claim((rows.discrepancy <= rows.promised).all(), "lopsided: Corollary 3 holds")
    claim((rows.steps <= rows.promised_steps).all(), "lopsided: within Theorem 1's rounds")
    rows["matrix"] = rows.matrix.map(lambda path: WAYS[path.rsplit("/", 1)[1]])
    rows["rounding"] = rows.parameters.fillna("").map(
        lambda words: "each transfer, down" if "rounding=down" in words else "net flow")
    out = [(matrix, rounding, f"{found.psi.iloc[0]:.4g}", number(found.promised.max()),
            number(found.discrepancy.max()))
           for (matrix, rounding), found in rows.groupby(["matrix", "rounding"], sort=False)]
    frozen = (rows.matrix == "1/3, 1/3") & (rows.rounding == "net flow")
    claim((rows[~frozen].discrepancy <= 2).all(), "nothing but symmetric net flows freezes")
    claim(rows[frozen].discrepancy.max() > 30, "symmetric net flows freeze")
    return table(out, ("a node gives forth, back", "rounded", "Ψ(P^T)", "promised discrepancy",
                       "worst found"), "llrrr")
