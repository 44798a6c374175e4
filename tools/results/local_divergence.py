"""The local divergence of cycles and tori: docs/results/local-divergence.md."""

from results.making import Paper, certificate, claim, number, table

paper = Paper("local-divergence", "Local divergence of cycles and tori")
paper.sweep("odd-cycles", tested=True)

SHOWN = (3, 5, 7, 9, 13, 21)


def rows_of(data):
    rows = data["odd-cycles"]
    rows["psi"] = rows.local_divergence_circuit_value
    rows["bound"] = rows.nodes / 2 + 1 / (2 * rows.nodes) + 1 / rows.nodes ** 2
    claim(rows.local_divergence_circuit_certified.all(), "every divergence is certified")
    claim((rows.psi >= rows.bound * (1 - 1e-6)).all(), "Theorem 2")
    return rows


@paper.block("odd-cycles")
def odd_cycles(data):
    rows = rows_of(data).set_index("nodes")
    claimed = {entry["nodes"]: entry for entry in certificate("local-divergence")["claims"]
               if entry["network"].startswith("cycle") and entry["nodes"] % 2}
    lines = []
    for nodes, entry in claimed.items():
        if nodes in rows.index:
            claim(abs(rows.psi[nodes] - entry["least"]) <= 1e-5 * nodes,
                  f"analyze and the certificate agree on {nodes} nodes")
        if nodes not in SHOWN:
            continue
        psi = (entry["least"] + entry["most"]) / 2
        bound = nodes / 2 + 1 / (2 * nodes) + 1 / nodes ** 2
        more = max(psi - bound, 0)
        lines.append([number(nodes), f"{psi:.6f}", f"{bound:.6f}",
                      f"{more:.6f}" if more > 1e-6 else "below 0.000001"])
    claim(len(lines) == len(SHOWN), "the certificate has these cycles")
    return table(lines, ["N", "Psi", "N/2 + 1/(2N) + 1/N^2", "more"], "rrrr")


@paper.figure("odd-cycles")
def odd_cycles_figure(data, axes):
    rows = rows_of(data).sort_values("nodes")
    axes.plot(rows.nodes, rows.psi - rows.nodes / 2, label="Psi − N/2, computed")
    axes.plot(rows.nodes, rows.bound - rows.nodes / 2, "k--", marker="",
              label="1/(2N) + 1/N², proved: at least")
    axes.set(xscale="log", yscale="log", xlabel="N, nodes of the cycle", ylabel="Psi − N/2")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.legend()
