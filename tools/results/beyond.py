"""The page of the algorithms that came after the five papers, beside an independent prototype."""

import pandas

from results.making import SCENARIOS, Paper, claim, number, table

paper = Paper("beyond", "Since the papers")

RUNS = 50
TWO_CYCLES = "scenarios/beyond/rr4.edges"
NODES = {"cycle:n=64": 64, "torus:16x16": 256, "hypercube:d=8": 256, TWO_CYCLES: 256}
NAMES = {network: f"`{network}`" for network in NODES} | {TWO_CYCLES: "two cycles"}
STARTS = ["spike", "random", "tent"]
# What the prototype calls a rule, and what it is here.
RULES = {
    "fos_floor": ("diffusion", {}),
    "sos_trunc": ("diffusion-2", {}),
    "rand_diff": ("randomised-diffusion", {}),
    "bc_fixed": ("balancing-circuit", {}),
    "rm_coin": ("coin-averaging", {}),
    "bc_coin": ("coin-averaging", {"matching": "periodic"}),
    "bc_alpha25": ("coin-averaging", {"matching": "periodic", "smoothing": "0.25"}),
    "send_floor": ("send-floor", {}),
    "send_round": ("send-round", {}),
    "rotor": ("rotor-router", {}),
    "rotor_star": ("rotor-router", {"variant": "star"}),
    "fos_rand": ("randomised-rounding", {"order": "first"}),
    "sos_rand": ("randomised-rounding", {"order": "second"}),
    "cheb_imit": ("chebyshev", {}),
    "opt_imit": ("optimal-polynomial", {"order": "leja"}),
}
# Rules that draw nothing: from a start that is not drawn either, all runs are alike.
CERTAIN = {"fos_floor", "bc_fixed", "sos_trunc", "send_floor", "send_round", "rotor", "rotor_star",
           "cheb_imit", "opt_imit"}


def prototype():
    """What another program, in Python, measured: the steps T, and for runs of T and of 4T steps the
    mean and the largest of the final discrepancies of 50 runs."""
    return pandas.read_csv(SCENARIOS / paper.name / "prototype.csv")


def loads(start, network):
    nodes = NODES[network]
    if start == "tent" and network == TWO_CYCLES:
        return "scenarios/beyond/rr4-tent.csv"
    return {"spike": f"spike:tokens={64 * nodes + nodes // 2}", "random": "between:low=0,high=129",
            "tent": "distance-from-end:rise=degree"}[start]


def played(sweep, drawn):
    """The mean and the largest discrepancy after T steps, and after 4T, of the runs that depend on
    what is drawn, or of the others."""
    rows = []
    for _, at in prototype().iterrows():
        if (at.rule in CERTAIN and at.start != "random") == drawn:
            continue
        name, parameters = RULES[at.rule]
        steps = int(at.steps)
        runs = sweep({
            "title": "one rule from one start", "networks": [at.network],
            "loads": [loads(at.start, at.network)],
            "seeds": list(range(1, RUNS + 1)) if drawn else [1],
            "algorithms": [{"name": name, "parameters": parameters}],
            "options": {"stop": "quiet:1000000", "max-steps": [steps, 4 * steps]},
            "columns": ["discrepancy"]})
        claim(runs.left_out_because.isna().all(), f"{name} runs on {at.network}")
        row = {"network": at.network, "rule": at.rule, "start": at.start, "steps": steps}
        for words, own in (("", runs[runs.max_steps == steps]),
                           ("_later", runs[runs.max_steps == 4 * steps])):
            row["mean" + words] = round(own.discrepancy.mean(), 2)
            row["most" + words] = own.discrepancy.max()
        rows.append(row)
    return pandas.DataFrame(rows)


@paper.series("certain", tested=True)
def certain(sweep):
    return played(sweep, drawn=False)


@paper.series("drawn")
def drawn(sweep):
    return played(sweep, drawn=True)


def beside(data):
    """All rows, each with the prototype's."""
    both = pandas.concat([data["certain"], data["drawn"]])
    rows = both.merge(prototype(), on=["network", "rule", "start", "steps"],
                      suffixes=("", "_there"))
    claim(len(rows) == len(prototype()), "every row of the prototype was played")
    fixed = rows.rule.isin(CERTAIN) & (rows.start != "random")
    for moment in ("", "_later"):
        there = rows[f"mean{moment}_there"]
        far = (rows["mean" + moment] - there).abs()
        near = (far <= 0.5) | (far <= 0.15 * there) | (fixed & (far <= 1))
        for _, row in rows[~near].iterrows():
            claim(False, f"{row.rule} from {row.start} on {row.network}: mean "
                         f"{row['mean' + moment]}, there {row[f'mean{moment}_there']}")
    return rows


def words_of(rule):
    name, parameters = RULES[rule]
    said = " ".join(f"{key}={value}" for key, value in parameters.items())
    return f"[`{name}`](../algorithms/{name}.md)" + (f" {said}" if said else "")


def cell(row):
    """The mean (the largest) at T, ours beside the prototype's."""
    return " beside ".join(f"{number(row['mean' + at])} ({number(row['most' + at], 2)})"
                           for at in ("", "_there"))


@paper.block("discrepancies")
def discrepancies(data):
    """Ours and the prototype's, side by side."""
    rows = beside(data)
    text = []
    for network, name in NAMES.items():
        cells = []
        for rule in RULES:
            own = rows[(rows.network == network) & (rows.rule == rule)].set_index("start")
            cells.append([words_of(rule), f"{number(own.steps.spike)}, {number(own.steps.random)}",
                          *(cell(own.loc[start]) for start in STARTS)])
        text += [f"On {name}:", "",
                 table(cells, ["Algorithm", "T", *STARTS], "lrrrr"), ""]
    return "\n".join(text)


@paper.block("remarks")
def remarks(data):
    rows = beside(data)

    def of(rule, start=None):
        own = rows[rows.rule == rule]
        return own if start is None else own[own.start == start]

    claim(of("fos_floor", "tent")["mean"].min() >= 24, "first order stands still on tents")
    claim(of("rm_coin")["most"].max() <= 2 and of("bc_coin")["most"].max() <= 2, "coins: at most 2")
    claim(of("sos_trunc", "spike")["mean"].max() >= 20, "truncated second order freezes high")
    claim(of("sos_rand")["most"].max() <= 10, "randomised second order ends at 10 at most")
    claim(of("sos_rand")["mean"].between(4, 7).all(), "randomised second order does not finish")
    claim(of("fos_rand")["mean"].max() <= 4, "randomised first order ends near 3")
    degree = {"cycle:n=64": 2, "torus:16x16": 4, "hypercube:d=8": 8, TWO_CYCLES: 4}
    floor, ideal = of("send_floor"), of("opt_imit")
    claim((floor.most <= 2 * floor.network.map(degree) - 1).all(), "send-floor: 2d - 1")
    claim((ideal.most <= ideal.network.map(degree)).all(), "optimal-polynomial: d")
    return """
- Rounding decides. First-order diffusion with flows rounded towards 0 stays at 24 to 64 on tents;
  with randomised rounding it ends at 4 or less on average.
- Second order is faster and does not finish: truncated, it freezes at 20 and more on spikes, except
  on the two cycles; with randomised rounding it ends between 4 and 7 on average, at 10 at most. The
  hybrid switches to first order for the rest.
- Coins over matchings left at most 2 in these runs. The theorem says 3, with high probability.
- `send-floor` is within 2d - 1 after T steps, its proved end, and `optimal-polynomial` within d
  after its last round.
"""
