"""Rabani, Sinclair, Wanka 1998: docs/results/rabani-1998.md."""

import numpy
import pandas

from results import rabani_models
from results.making import COLOURS, MARKERS, Paper, claim, exponent, number, table

paper = Paper("rabani-1998", "Rabani, Sinclair, Wanka 1998")
paper.sweep("divergence")
paper.sweep("divergence-expanders")
paper.sweep("dimensions", tested=True)
paper.sweep("idealised", tested=True)
paper.sweep("deviation", tested=True)
paper.sweep("coarse", tested=True)
paper.sweep("uphill", tested=True)
paper.sweep("balancers")
paper.sweep("uneven", tested=True)
paper.sweep("lopsided", tested=True)
paper.sweep("counting-two", tested=True)
paper.sweep("counting-all", tested=True)
paper.sweep("counting-all-k", tested=True)
paper.sweep("counting")
paper.sweep("counting-large", long=True)
paper.sweep("counting-networks", tested=True)
paper.sweep("tori-counting", tested=True)

KINDS = {
    "cycle, even": lambda row: row.network.startswith("cycle") and row.nodes % 2 == 0,
    "cycle, odd": lambda row: row.network.startswith("cycle") and row.nodes % 2 == 1,
    "torus of 2 axes": lambda row: row.network.startswith("torus") and row.network.count("x") == 1,
    "torus of 3 axes": lambda row: row.network.startswith("torus") and row.network.count("x") == 2,
    "hypercube": lambda row: row.network.startswith("hypercube"),
    "de Bruijn": lambda row: row.network.startswith("de-bruijn"),
    "random regular, d = 4": lambda row: row.network.endswith("d=4") and "regular" in row.network,
    "random regular, d = 8": lambda row: row.network.endswith("d=8") and "regular" in row.network,
    "cube-connected cycles": lambda row: row.network.startswith("cube-connected"),
    "complete": lambda row: row.network.startswith("complete"),
}
# Networks whose local divergence has a formula that the best loads meet exactly.
EXACT = ("cycle, even", "cycle, odd", "torus of 2 axes", "torus of 3 axes", "hypercube", "complete")
# The order that the paper gives or implies: the power of N, or of ln N after "log".
IN_LOG = ("hypercube", "de Bruijn", "random regular, d = 4", "random regular, d = 8",
          "cube-connected cycles")


def with_kinds(rows):
    """The rows with short names of columns, and the class of every network."""
    rows = rows.drop(columns="deviation", errors="ignore").rename(columns={
        "network_nodes": "nodes", "local_divergence_diffusion_value": "psi",
        "local_divergence_circuit_value": "psi_circuit",
        "bounds_quantity_local_divergence_of_diffusion_value": "bound",
        "bounds_quantity_local_divergence_of_the_circuit_value": "bound_circuit",
        "constants_deviation": "deviation", "constants_deviation_bound": "deviation_bound",
        "constants_counted_after_rounds": "counted", "guarantee_discrepancy": "promised",
        "constants_counts_within_rounds": "promised_rounds", "guarantee_steps": "promised_steps",
        "constants_counted": "is_counted", "constants_round_length": "round_length"})
    rows["kind"] = [next(name for name, holds in KINDS.items() if holds(row))
                    for row in rows.itertuples()]
    return rows


def divergence_rows(data):
    return with_kinds(pandas.concat([data["divergence"], data["divergence-expanders"]]))


def by_kind(rows):
    """Pairs of a class and its rows, in the order of KINDS."""
    for name in KINDS:
        found = rows[rows.kind == name]
        if len(found):
            yield name, found


def sizes(rows):
    least, most = rows.nodes.min(), rows.nodes.max()
    return number(most) if least == most else f"{number(least)} to {number(most)}"


def growth(rows, values, in_log=IN_LOG):
    """How values grow: a power of N, or of log N for these classes."""
    if rows.kind.iloc[0] in in_log:
        return f"(log N)^{exponent(numpy.log(rows.nodes), values):.2f}"
    return f"N^{exponent(rows.nodes, values):.2f}"


def log_axes(axes, x, y):
    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y)
    low, high = axes.get_ylim()
    axes.yaxis.set_major_formatter("{x:,.9g}")
    axes.yaxis.set_minor_formatter("{x:g}" if high < 12 * low else "")


def lines(axes, rows, column):
    """A line for each class, which looks the same in every figure."""
    for k, name in enumerate(KINDS):
        found = rows[rows.kind == name]
        again = {"linestyle": "--", "markerfacecolor": "white"} if k >= len(COLOURS) else {}
        if len(found):
            axes.plot(found.nodes, found[column], label=name, color=COLOURS[k % len(COLOURS)],
                      marker=MARKERS[k % len(MARKERS)], **again)


# ---- Theorem 1

@paper.block("idealised")
def idealised(data):
    rows = with_kinds(data["idealised"])
    gap = 1 - rows.constants_second_eigenvalue
    rows["part"] = rows.steps / (2 / gap * numpy.log(rows.initial_discrepancy * rows.nodes ** 2))
    claim((rows.discrepancy <= 1).all(), "every idealised run becomes 1-smooth")
    claim((rows.part <= 1).all(), "the idealised process keeps Theorem 1's bound")
    return (table([(name, sizes(found), f"{found.part.min():.2f} to {found.part.max():.2f}")
                   for name, found in by_kind(rows)],
                  ("network", "N", "rounds taken / bound of Theorem 1"), "lrr") +
            f"\n\nThe bound is {1 / rows.part.max():.0f} to {1 / rows.part.min():.0f} times "
            "what a spike takes.")


# What Section 3 says of the eigenvalue gap mu: 1 / mu grows like N, or log N, to this power.
GAPS = {"cycle, even": ("Θ(N^2)", 2), "cycle, odd": ("Θ(N^2)", 2), "torus of 2 axes": ("Θ(N)", 1),
        "torus of 3 axes": ("Θ(N^(2/3))", 2 / 3), "de Bruijn": ("Θ((log N)^2)", 2)}


@paper.block("gaps")
def gaps(data):
    out = []
    for name, found in by_kind(divergence_rows(data)):
        if name in GAPS:
            printed, power = GAPS[name]
            last = found.iloc[-2:]
            sizes_in = numpy.log(last.nodes) if name in IN_LOG else last.nodes
            diffusion, circuit = last.eigenvalue_gap_value, last.circuit_eigenvalue_gap_value
            for gap in (diffusion, circuit):
                claim(abs(exponent(sizes_in, 1 / gap) - power) < 0.3, f"1 / mu on {name}")
            out.append((name, number(last.nodes.iloc[-1]), f"{1 / diffusion.iloc[-1]:.4g}",
                        growth(last, 1 / diffusion), f"{1 / circuit.iloc[-1]:.4g}",
                        growth(last, 1 / circuit), printed))
            slopes = (numpy.diff(numpy.log(1 / found.eigenvalue_gap_value))
                      / numpy.diff(numpy.log(numpy.log(found.nodes))))
            claim(name != "de Bruijn" or (numpy.diff(slopes) > 0).all(), "the power still rises")
    return table(out, ("network", "largest N", "diffusion: 1/μ", "grows like", "circuit: 1/μ",
                       "grows like", "paper"), "lrrlrll")


# ---- Theorems 4 and 6

@paper.figure("divergence", panels=2, figsize=(9, 4.6), sharey=True)
def divergence(data, axes):
    rows = divergence_rows(data)
    for panel, column, title in zip(axes, ("psi", "psi_circuit"),
                                    ("uniform diffusion", "balancing circuit")):
        lines(panel, rows[rows[column].notna()], column)
        log_axes(panel, "nodes N", "local divergence Ψ")
        panel.set_title(title)
    axes[0].legend(fontsize=7.5)


PAPER_ROWS = {
    "cycle, even": ("Θ(N)", "Θ(N)"), "cycle, odd": ("Θ(N)", "Θ(N)"),
    "torus of 2 axes": ("Θ(N^(1/2))", "Θ(N^(1/2))"),
    "torus of 3 axes": ("Θ(N^(1/3))", "Θ(N^(1/3))"),
    "de Bruijn": ("O((log N)^3)", "O((log N)^3)"),
    "random regular, d = 4": ("O(log N)", "O(log N)"),
    "random regular, d = 8": ("O(log N)", "O(log N)"),
}


@paper.block("psi")
def psi(data):
    rows = divergence_rows(data)
    out = []
    for name, found in by_kind(rows):
        circuit = found[found.psi_circuit.notna()]
        printed, printed_circuit = PAPER_ROWS.get(name, ("", ""))
        out.append((name, sizes(found), f"{found.psi.iloc[-1]:.4g}", growth(found, found.psi),
                    printed, f"{circuit.psi_circuit.iloc[-1]:.4g}",
                    growth(circuit, circuit.psi_circuit, (*IN_LOG, "complete")),
                    printed_circuit))
        if name.startswith("cycle"):
            claim(abs(exponent(found.nodes, found.psi) - 1) < 0.02, f"Psi is linear on {name}")
            claim(abs(exponent(circuit.nodes, circuit.psi_circuit) - 1) < 0.05,
                  f"Psi of the circuit is linear on {name}")
        if name == "de Bruijn":
            claim(1 < exponent(numpy.log(found.nodes), found.psi) < 2, "between log, log^2")
        if name.startswith("random"):
            claim(exponent(numpy.log(found.nodes), found.psi) < 1.3, "about log N on expanders")
    even = rows[rows.kind == "cycle, even"]
    odd = rows[rows.kind == "cycle, odd"]
    claim(numpy.allclose(even.psi, 3 * even.nodes / 4), "Psi = 3N/4 on even cycles")
    claim(numpy.allclose(odd.psi, 0.75 * (odd.nodes - 1 / odd.nodes)),
          "Psi = 3/4 (N - 1/N) on odd cycles")
    claim(numpy.allclose(even.psi_circuit, even.nodes / 2, rtol=1e-5), "circuits: N/2 if even")
    return table(out, ("network", "N", "Ψ at the largest N", "grows like", "paper",
                       "circuit: Ψ at the largest N", "grows like", "paper"), "lrrllrll")


@paper.block("odd-cycles")
def odd_cycles(data):
    rows = divergence_rows(data)
    rows = rows[(rows.kind == "cycle, odd") & rows.psi_circuit.notna()]
    least, most = (rows.psi_circuit / rows.nodes).min(), (rows.psi_circuit / rows.nodes).max()
    excess = rows.psi_circuit - rows.nodes / 2
    claim((excess > 0).all(), "Psi exceeds N/2 on odd cycles")
    claim(((rows.nodes * excess).iloc[-3:] - 0.5).abs().max() < 0.03, "by 1 / (2N) on long ones")
    found = with_kinds(data["deviation"])
    found = found[(found.kind == "cycle, odd") & (found.algorithm == "balancing-circuit")]
    natural = found.groupby("nodes").deviation.max()
    hill = with_kinds(data["uphill"])
    hill = hill[hill.kind == "cycle, odd"].set_index("nodes").deviation
    out = [(row.nodes, f"{row.psi_circuit:.4f}", f"{row.psi_circuit - row.nodes / 2:+.4f}",
            f"{row.psi_circuit / 2:.3f}",
            f"{natural[row.nodes]:.3f}" if row.nodes in natural else "",
            f"{hill[row.nodes]:.3f}" if row.nodes in hill else "")
           for row in rows.itertuples()]
    return (f"Ψ / N lies between {least:.3f} and {most:.3f}; Ψ − N/2 between {excess.min():+.3f} "
            f"and {excess.max():+.3f}.\n\n" +
            table(out, ("N", "Ψ", "Ψ − N/2", "bound Ψ/2", "worst deviation found, odd tokens down "
                        "the numbers", "the same, uphill"), "rrrrrr"))


@paper.block("theorem-4")
def theorem_4(data):
    rows = divergence_rows(data)
    claim((rows.psi <= rows.bound).all(), "diffusion: Psi is below Theorem 4's bound")
    known = rows[rows.psi_circuit.notna()]
    claim((known.psi_circuit <= known.bound_circuit).all(), "circuits: Psi is below the bound")
    out = []
    for name, found in by_kind(rows):
        last = found.iloc[-1]
        circuit = found[found.psi_circuit.notna()]
        out.append((name, last.nodes, f"{last.psi:.4g}", number(last.bound),
                    f"{(found.psi / found.bound).iloc[0]:.3f} → {last.psi / last.bound:.4f}",
                    f"{(circuit.psi_circuit / circuit.bound_circuit).iloc[0]:.3f} → "
                    f"{(circuit.psi_circuit / circuit.bound_circuit).iloc[-1]:.4f}"))
    return table(out, ("network", "largest N", "Ψ", "bound", "Ψ / bound, smallest to largest N",
                       "circuit: Ψ / bound"), "lrrrll")


# ---- The remark after Theorem 4

def expansion_rows(data):
    """Adds Psi Phi / ln N and Psi Phi / (d ln N), Phi from above: the cut that was found."""
    rows = divergence_rows(data)
    weight = rows.degree_max + 1
    rows["phi"] = rows.edge_expansion_at_most / weight
    rows["phi_least"] = rows.edge_expansion_at_least / weight
    rows["printed"] = rows.psi * rows.phi_least / numpy.log(rows.nodes)
    rows["repaired"] = rows.psi * rows.phi / (rows.degree_max * numpy.log(rows.nodes))
    return rows


@paper.figure("expansion", panels=2, figsize=(9, 4.4))
def expansion(data, axes):
    rows = expansion_rows(data)
    for panel, column, title in zip(axes, ("printed", "repaired"),
                                    ("Ψ Φ / ln N, Φ from below", "Ψ Φ / (d ln N), Φ from above")):
        lines(panel, rows, column)
        log_axes(panel, "nodes N", title)
    axes[0].legend(fontsize=7.5)


@paper.block("expansion")
def expansion_table(data):
    rows = expansion_rows(data)
    complete = rows[rows.kind == "complete"]
    power = exponent(complete.nodes, complete.printed)
    claim(complete.printed.is_monotonic_increasing and power > 0.6,
          "Psi Phi / ln N grows on complete networks")
    claim(numpy.allclose(complete.phi, complete.phi_least),
          "the edge expansion of complete networks is exact")
    claim(rows.repaired.max() < 0.5, "Psi Phi / (d ln N) stays below 1/2")
    falling = [name for name, found in by_kind(rows)
               if found.repaired.iloc[-1] < found.repaired.iloc[0]]
    claim(len(falling) == len(set(rows.kind)), "Psi Phi / (d ln N) falls on every class")
    out = [(name, sizes(found), f"{found.psi.iloc[-1]:.4g}",
            f"{found.phi_least.iloc[-1]:.4f} to {found.phi.iloc[-1]:.4f}",
            f"{found.printed.iloc[0]:.2f} → {found.printed.iloc[-1]:.2f}",
            f"{found.repaired.iloc[0]:.3f} → {found.repaired.iloc[-1]:.3f}")
           for name, found in by_kind(rows)]
    return (table(out, ("network", "N", "Ψ at the largest N", "Φ there", "Ψ Φ / ln N (at least)",
                        "Ψ Φ / (d ln N) (at most)"), "lrrrll") +
            f"\n\nOn complete networks Ψ Φ / ln N grows like N^{power:.2f}. Over all {len(rows)} "
            f"networks Ψ Φ / (d ln N) is at most {rows.repaired.max():.2f}.")


# ---- Theorem 8

@paper.block("dimensions")
def dimensions(data):
    rows = data["dimensions"]
    rows = rows.rename(columns={"local_divergence_diffusion_value": "psi",
                                "local_divergence_circuit_value": "psi_circuit"})
    rows["r"] = rows.degree_max // 2
    side = rows.nodes ** (1 / rows.r)
    claim(numpy.allclose(rows.psi, rows.r * (2 * rows.r + 1) * side / 4), "r (2r+1) s / 4")
    claim(numpy.allclose(rows.psi_circuit, rows.r * side / 2), "r s / 2")
    out = [(row.r, row.nodes, f"{row.psi:.4g}", f"{row.psi / (row.r * s):.3f}",
            f"{row.psi / (row.r ** 2 * s):.3f}", f"{row.psi_circuit:.4g}",
            f"{row.psi_circuit / (row.r * s):.3f}")
           for row, s in zip(rows.itertuples(), side)]
    return table(out, ("r", "N", "diffusion: Ψ", "Ψ / (r N^(1/r))", "Ψ / (r² N^(1/r))",
                       "circuit: Ψ", "Ψ / (r N^(1/r))"), "rrrrrrr")


# ---- Theorem 2

def deviation_rows(data):
    rows = with_kinds(data["deviation"])
    rows["part"] = rows.deviation / rows.deviation_bound
    return rows


@paper.block("deviation")
def deviation(data):
    rows = deviation_rows(data)
    hill = with_kinds(data["uphill"])
    hill["part"] = hill.deviation / hill.deviation_bound
    claim((rows.part < 1.0001).all() and (hill.part < 1.0001).all(), "no deviation is too large")
    tokens = rows[rows.algorithm == "diffusion"]
    exact = tokens[tokens.kind.isin(EXACT)].groupby("network").part.max()
    claim((exact > 0.9999).all(), "diffusion attains the bound on EXACT networks")
    level = hill[hill.kind.isin(("cycle, even", "torus of 2 axes", "torus of 3 axes", "hypercube"))]
    claim((level.part > 0.9999).all(), "circuits uphill attain the bound on these")
    rest = tokens[~tokens.kind.isin(EXACT)].groupby("network").part.max()
    claim(rest.min() > 0.8, "diffusion comes within a fifth of the bound elsewhere")
    out = []
    for name in KINDS:
        diffusion = tokens[tokens.kind == name]
        natural = rows[(rows.kind == name) & (rows.algorithm == "balancing-circuit")]
        up = hill[hill.kind == name]
        if not len(diffusion) and not len(up):
            continue
        largest = diffusion[diffusion.nodes == diffusion.nodes.max()] if len(diffusion) else None

        def span(found):
            best = found.groupby("network").part.max()
            return f"{best.min():.3f} to {best.max():.3f}" if len(best) else ""
        out.append((name,
                    "" if largest is None else f"{largest.deviation.max():.4g} of "
                    f"{largest.deviation_bound.max():.4g}",
                    span(diffusion), span(natural), span(up)))
    return (table(out, ("network", "diffusion, largest N: worst of bound",
                        "diffusion: worst / bound", "circuit, natural orientation",
                        "circuit, uphill"), "lrrrr") +
            f"\n\nWhere diffusion does not attain the bound, the worst that was found is at least "
            f"{rest.min():.2f} of it.")


@paper.block("smoothing")
def smoothing(data):
    rows = deviation_rows(data)
    claim((rows.discrepancy <= rows.promised).all(), "Corollary 3's bound is kept")
    claim((rows.steps <= rows.promised_steps).all(), "no run takes more than Theorem 1's rounds")
    out = []
    for name, found in by_kind(rows):
        def left(algorithm):
            best = found[found.algorithm == algorithm]
            last = best[best.nodes == best.nodes.max()]
            return (f"{last.discrepancy.max()} of {last.promised.max()}",
                    f"{best[best.loads.str.startswith('spike')].discrepancy.iloc[-1]}")
        out.append((name, number(found.nodes.max()), *left("diffusion"),
                    *left("balancing-circuit")))
    worst = rows.groupby(["network", "algorithm"]).discrepancy.max().unstack()
    claim((worst["balancing-circuit"] < worst["diffusion"]).all(), "circuits balance more finely")
    circuits = worst["balancing-circuit"].max()
    return (table(out, ("network", "largest N", "diffusion: worst left of promised", "from a spike",
                        "circuit: worst left of promised", "from a spike"), "lrrrrr") +
            f"\n\nCircuits never left more than {circuits} tokens.")


@paper.block("coarse")
def coarse(data):
    rows = with_kinds(data["coarse"])
    claim((rows.discrepancy <= 100).all(), "every run becomes 100-smooth")
    out = []
    sooner = set()
    for (name, nodes), found in rows.groupby(["kind", "nodes"], sort=False):
        one = found.set_index("algorithm")
        diffusion, circuit = one.loc["diffusion"], one.loc["balancing-circuit"]
        claim(name == "complete" or circuit.rounds < diffusion.rounds, f"fewer rounds: {name}")
        if circuit.steps < diffusion.steps:
            sooner.add(name)
        out.append((name, nodes, diffusion.steps, circuit.steps, circuit.rounds))
    claim(sooner == {"cycle, even", "torus of 2 axes", "hypercube", "cube-connected cycles"},
          "circuits take fewer steps on these")
    return table(out, ("network", "N", "diffusion: steps, all ports", "circuit: steps, one port",
                       "circuit: rounds"), "lrrrr")


@paper.block("uphill")
def uphill(data):
    rows = with_kinds(data["uphill"])
    even = rows[rows.kind == "cycle, even"]
    claim((rows.exchanges == 0).all(), "uphill nothing moves")
    claim((even.discrepancy == even.nodes // 2).all(), "a cycle freezes at N/2")
    return (f"On all {len(rows)} networks no token moves; the discrepancy stays at the diameter, "
            "on cycles at " + ", ".join(f"{row.discrepancy} (N = {row.nodes})"
                              for row in even.itertuples()) + ".")


# ---- Footnote 5

BALANCERS = {"": "reset, up", "initial=down": "reset, down", "initial=random": "drawn at random",
             "balancers=kept": "kept"}


def balancer_means(data):
    rows = with_kinds(data["balancers"])
    rows["balancers"] = rows.parameters.fillna("").map(BALANCERS)
    return rows.groupby(["kind", "nodes", "balancers"], sort=False)[
        ["deviation", "deviation_bound", "discrepancy"]].mean().reset_index()


@paper.figure("balancers", panels=3, figsize=(9.5, 3.9))
def balancers(data, axes):
    rows = balancer_means(data)
    for panel, (name, found) in zip(axes, by_kind(rows)):
        for words in BALANCERS.values():
            one = found[found.balancers == words]
            panel.plot(one.nodes, one.deviation, label=words)
        bound = found.drop_duplicates("nodes")
        panel.plot(bound.nodes, bound.deviation_bound, color="0.4", linestyle="--", marker="",
                   label="bound Ψ/2")
        log_axes(panel, "nodes N", "mean deviation (tokens)")
        panel.set_title(name)
    axes[0].legend(fontsize=7.5)


@paper.block("balancers")
def balancers_table(data):
    rows = balancer_means(data)
    claim((rows.deviation < rows.deviation_bound).all(), "means stay below the bound")
    out = []
    for name, found in by_kind(rows):
        for nodes in sorted(found.nodes.unique()):
            one = found[found.nodes == nodes].set_index("balancers")
            out.append((name, nodes,
                        *(f"{one.deviation[words]:.2f}" for words in BALANCERS.values()),
                        f"{one.deviation_bound.iloc[0]:.3g}"))
    cycles = rows[(rows.kind == "cycle, even") & (rows.nodes >= 16)]
    least, most = cycles.nodes.min(), cycles.nodes.max()
    powers = {words: exponent(one.nodes, one.deviation)
              for words, one in cycles.groupby("balancers", sort=False)}
    claim(min(powers["reset, up"], powers["reset, down"]) > 0.6, "reset balancers deviate with N")
    claim(max(powers["drawn at random"], powers["kept"]) < 0.2, "others hardly deviate with N")
    last = rows[rows.nodes == rows.nodes.max()].set_index("balancers").deviation
    claim(1.5 * last["drawn at random"] < last["reset, up"], "random ones help on hypercubes")
    grown = ", ".join(f"N^{power:.2f} ({words})" for words, power in powers.items())
    return (table(out, ("network", "N", *BALANCERS.values(), "bound Ψ/2"), "lrrrrrr") +
            f"\n\nFrom N = {least} to {most} the mean on cycles grows like {grown}; the bound like "
            "N.")


# ---- Section 2: uneven balancers, other matrices, other roundings

@paper.block("uneven")
def uneven(data):
    return rabani_models.uneven(with_kinds(data["uneven"]))


@paper.block("lopsided")
def lopsided(data):
    return rabani_models.lopsided(data["lopsided"])


# ---- Theorem 9

@paper.block("counting-two")
def counting_two(data):
    rows = with_kinds(data["counting-two"])
    rows = rows[rows.initial_discrepancy == 2]
    claim(rows.counted.notna().all(), "every run counts")
    worst = rows.groupby("nodes").counted.max().astype(int)
    claim((worst <= worst.index / 2 + 1).all(), "T(2) is at most N/2 + 1 in all these runs")
    every = searched(data["counting-all"])
    every = every.set_index("nodes").rounds
    claim(all(every.get(n, worst[n]) >= worst[n] for n in worst.index), "no sample is slower")
    claim((every <= every.index / 2 + 1.5).all(), "T(2) is at most N/2 + 3/2 on all loads")
    columns = sorted({*every.index, *worst.index})
    return table([("T(2), all loads", *(every.get(n) for n in columns)),
                  ("worst of thirty random loads", *(worst.get(n) for n in columns)),
                  ("bound 2N", *(2 * n for n in columns))],
                 ("N", *(str(n) for n in columns)), "l" + "r" * len(columns))


def searched(rows):
    """The most rounds until the loads are counted; one more has shown that nothing moves."""
    rows = rows.rename(columns={"network_nodes": "nodes"})
    claim(rows["all"].all(), "all loads were played")
    rows["rounds"] = rows.worst_value - 1
    return rows


@paper.block("counting-all")
def counting_all(data):
    rows = searched(data["counting-all-k"])
    rows["bound"] = 2 * rows.nodes * (rows.most - 1)
    claim((rows.rounds <= rows.bound).all(), "Theorem 9(b) holds for all loads")
    last = rows[rows.most == rows.most.max()].set_index("nodes")
    ks = sorted(rows.most.unique())
    out = [(f"N = {nodes}", *found.sort_values("most").rounds, last.bound[nodes])
           for nodes, found in rows.groupby("nodes")]
    return table(out, ("most rounds of all loads", *(f"K = {k}" for k in ks),
                       f"bound for K = {ks[-1]}"), "l" + "r" * (len(ks) + 1))


def counting_rows(data):
    rows = with_kinds(pandas.concat([data["counting"], data["counting-large"]]))
    rows["most"] = rows.loads.str.extract(r"high=(\d+)").astype(int)
    claim(rows.counted.notna().all(), "every run counts")
    claim((rows.counted <= rows.promised_rounds).all(), "no run exceeds the promised rounds")
    rows["direct"] = 2 * rows.nodes * (rows.initial_discrepancy - 1)
    rows.loc[rows.initial_discrepancy == 1, "direct"] = rows.nodes
    return rows


@paper.figure("counting", panels=2, figsize=(9, 4.2))
def counting(data, axes):
    rows = counting_rows(data)
    for most, found in rows.groupby("most"):
        worst = found.groupby("nodes")[["counted", "promised_rounds"]].max()
        axes[0].plot(worst.index, worst.counted, label=f"K = {most:,}")
    for nodes, found in rows[rows.nodes.isin((8, 9, 32, 33, 128, 512, 2048))].groupby("nodes"):
        worst = found.groupby("most").counted.max()
        axes[1].plot(worst.index, worst, label=f"N = {nodes}")
    log_axes(axes[0], "nodes N", "worst rounds found")
    log_axes(axes[1], "initial discrepancy K", "worst rounds found")
    for panel in axes:
        panel.legend(fontsize=7.5)


@paper.block("counting")
def counting_table(data):
    rows = counting_rows(data)
    out = []
    powers = []
    for most, found in rows.groupby("most"):
        worst = found.groupby("nodes")[["counted", "direct", "promised_rounds"]].max()
        powers.append(exponent(worst.index, worst.counted))
        first, last = worst.iloc[0], worst.iloc[-1]
        out.append((most, f"{worst.index[0]} to {worst.index[-1]}",
                    f"{first.counted:.0f} → {number(last.counted)}",
                    f"{number(first.direct)} → {number(last.direct)}",
                    f"{first.promised_rounds:.0f} → {number(last.promised_rounds)}",
                    f"{powers[-1]:.2f}"))
    largest = rows[rows.nodes == rows.nodes.max()].groupby("most").counted.max()
    claim(largest.iloc[-1] > largest.iloc[0], "many tokens take longer")
    in_k = exponent(largest.index[-2:], largest.iloc[-2:])
    claim(in_k < 0.7, "rounds grow far more slowly than K")
    claim(abs(powers[0] - 1) < 0.15, "about linear in N for K = 2")
    more, factor = largest.index[-1] / largest.index[-2], largest.iloc[-1] / largest.iloc[-2]
    return (table(out, ("K", "N", "worst rounds found", "2N(K − 1)", "promised: the smaller of "
                        "2N(K − 1) and Corollary 10", "rounds grow like N to the"), "rrrrrr") +
            f"\n\nOn {rows.nodes.max()} wires {number(more)} times as large a K takes "
            f"{factor:.1f} times the rounds.")


@paper.block("counting-networks")
def counting_networks(data):
    rows = with_kinds(data["counting-networks"])
    once = rows[rows.steps == rows.round_length]
    claim((once.is_counted == "yes").all(), "one round counts")
    out = []
    for nodes in sorted(once.nodes.unique()):
        log = int(nodes).bit_length() - 1
        depth = {name: once[(once.nodes == nodes) & (once.matchings == name)].round_length
                 for name in ("bitonic", "periodic")}
        claim(all(len(found) for found in depth.values()), f"both networks on {nodes} wires")
        claim((depth["bitonic"] == log * (log + 1) // 2).all(), "the depth of bitonic")
        claim((depth["periodic"] == log * log).all(), "the depth of periodic")
        out.append((nodes, int(depth["bitonic"].iloc[0]), int(depth["periodic"].iloc[0]), "yes"))
    return table(out, ("wires w", "bitonic: depth log w (log w + 1) / 2",
                       "periodic: depth (log w)²", "counted after one round"), "rrrl")


@paper.block("tori")
def tori(data):
    rows = with_kinds(data["tori-counting"])
    snake = rows[rows.matchings == "snake"]
    plain = rows[(rows.matchings == "standard")]
    claim((snake.counted <= snake.promised_rounds).all(), "snakes count in time")
    frozen = plain[plain.loads.str.startswith("at:")]
    claim((frozen.exchanges == 0).all() and (frozen.is_counted == "no").all()
          if "is_counted" in frozen else (frozen.exchanges == 0).all(), "row by row is frozen")
    others = plain[~plain.loads.str.startswith("at:")]
    out = []
    for nodes in sorted(snake.nodes.unique()):
        one = snake[snake.nodes == nodes]
        row = others[others.nodes == nodes]
        out.append((nodes, number(one.counted.max()), number(one.promised_rounds.max()),
                    f"{(row.is_counted == 'yes').sum()} of {len(row)}"))
    return table(out, ("N", "snake: worst rounds found", "promised", "row by row: of other loads "
                       "counted"), "rrrl")
