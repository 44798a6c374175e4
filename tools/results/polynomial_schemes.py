"""Polynomial schemes in whole tokens: docs/results/polynomial-schemes.md."""

from results.making import Paper, claim, number, table

paper = Paper("polynomial-schemes", "Polynomial schemes in whole tokens")
paper.sweep("rounds", tested=True)
paper.sweep("orders", tested=True)

NAMES = {"scenarios/polynomial-schemes/two-cycles-64.edges": "two cycles, n = 64",
         "examples/networks/karate.graph": "karate club"}


def short(rows):
    """Rows with short names, and the networks' names for people."""
    rows = rows.rename(columns={
        "network_nodes": "nodes", "constants_least_load": "least",
        "constants_distinct_eigenvalues": "distinct", "guarantee_discrepancy": "promised"})
    rows["network"] = [NAMES.get(name, name) for name in rows.network]
    return rows


def to(least, most):
    return str(least) if least == most else f"{least} to {most}"


def power(value):
    """Numbers from a billion on as powers of ten."""
    if abs(value) < 1e9:
        return number(value)
    size = len(str(int(abs(value)))) - 1
    return f"{value / 10 ** size:.1f} * 10^{size}"


def spikes(data):
    """The runs from 64.5 tokens a node, all on the first."""
    rows = short(data["orders"])
    return rows[rows.loads == [f"spike:tokens={int(64.5 * n)}" for n in nodes_of(rows)]]


def nodes_of(rows):
    """The nodes of each row's network, also where the order does not serve it."""
    known = rows.dropna(subset=["nodes"]).groupby("network").nodes.first()
    return [known[name] for name in rows.network]


def drawn(data, algorithm):
    rows = short(data["rounds"])
    return rows[rows.algorithm == algorithm]


@paper.block("rounds")
def rounds_table(data):
    spike = spikes(data).set_index(["network", "order"])
    lines = []
    for name, rows in drawn(data, "optimal-polynomial").groupby("network", sort=False):
        mine = spike.loc[(name, "descending")]
        cheb = drawn(data, "chebyshev")
        cheb = cheb[cheb.network == name]
        claim((rows.discrepancy <= rows.promised).all(), f"{name} keeps its promise")
        claim((cheb.discrepancy <= cheb.promised).all(), f"chebyshev on {name} keeps its promise")
        claim(rows.least.min() >= 0 and mine.least >= 0, f"no load below 0 on {name}")
        claim(rows.steps.nunique() == 1 and mine.steps == mine.distinct == rows.steps.iloc[0],
              f"one round for each eigenvalue on {name}")
        lines.append([name, rows.steps.iloc[0], mine.discrepancy, f"{rows.discrepancy.mean():.2f}",
                      rows.discrepancy.max(), rows.promised.iloc[0],
                      to(cheb.steps.min(), cheb.steps.max()),
                      f"{cheb.discrepancy.mean():.2f}", cheb.discrepancy.max()])
    return table(lines, ["network", "rounds", "spike", "random, mean", "largest", "promised",
                         "Chebyshev: rounds", "random, mean", "largest"],
                 "lrrrrrrrr")


@paper.block("orders")
def orders_table(data):
    lines = []
    for name, rows in spikes(data).groupby("network", sort=False):
        line = [name, rows.distinct.max()]
        for order in ("descending", "leja", "ascending"):
            run = rows[rows.order == order].iloc[0]
            if run.discrepancy != run.discrepancy:
                line += ["", ""]
                continue
            claim(run.discrepancy <= run.promised, f"{name}, {order} keeps its promise")
            claim(order != "descending" or run.least >= 0, f"{name}: descending stays at 0 or more")
            line += [number(run.steps), power(run.least)]
        lines.append([cell if isinstance(cell, str) else number(cell) for cell in line])
    claim(all(line[4] for line in lines), "Leja order serves all")
    return table(lines, ["network", "eigenvalues", "descending: rounds", "least load",
                         "Leja: rounds", "least load", "ascending: rounds", "least load"],
                 "lrrrrrrr")
