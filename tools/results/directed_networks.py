"""Averages over one-way arcs: docs/results/directed-networks.md."""

from results.making import ROOT, Paper, claim

paper = Paper("directed-networks", "Directed networks")


def transcript():
    """What the example prints, by network: n, rounds with masses, rounds of deals, discrepancy."""
    text = (ROOT / "examples" / "library" / "directed_averages.txt").read_text(encoding="utf-8")
    rows = {}
    for line in text.splitlines():
        name, found, numbers = line.partition(", n = ")
        if found:
            nodes, rounds, _, _, deals, discrepancy = map(int, numbers.split())
            rows.setdefault(name, []).append((nodes, rounds, deals, discrepancy))
    return rows


@paper.figure("rounds")
def rounds(_data, axes):
    for name, rows in transcript().items():
        claim(name != "directed cycle" or all(row[1] == row[0] * row[0].bit_length()
                                              for row in rows), "n (1 + log2 n) rounds")
        claim(all(nodes // 2 >= left for nodes, _, _, left in rows), f"deals keep n/2: {name}")
        nodes = [row[0] for row in rows]
        axes.plot(nodes, [row[1] for row in rows], label=f"{name}: masses")
        axes.plot(nodes, [row[2] for row in rows], label=f"{name}: deals over links")
    for power in (1, 2):
        axes.plot(nodes, [n ** power for n in nodes], ":", color="0.6", marker="")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("n (nodes)")
    axes.set_ylabel("rounds")
    axes.legend()
