"""The page of the algorithms that came after the five papers, beside an independent prototype."""

import pandas

from results.making import SCENARIOS, Paper, claim, number, table

paper = Paper("beyond", "Since the papers")

RUNS = 50
NETWORKS = {"cycle:n=64": "ring", "torus:16x16": "torus", "hypercube:d=8": "hypercube",
            "scenarios/beyond/rr4.edges": "two cycles"}
NODES = {"cycle:n=64": 64, "torus:16x16": 256, "hypercube:d=8": 256,
         "scenarios/beyond/rr4.edges": 256}
# What the prototype calls a rule, and what it is here.
RULES = {
    "fos_floor": ("diffusion", {}),
    "bc_heavy": ("dimension-exchange", {}),
    "bc_fixed": ("balancing-circuit", {}),
    "rand_diff": ("randomised-diffusion", {}),
    "sos_trunc": ("diffusion-2", {}),
    "rm_coin": ("coin-averaging", {}),
    "bc_coin": ("coin-averaging", {"matching": "periodic"}),
    "bc_alpha25": ("coin-averaging", {"matching": "periodic", "smoothing": "1/4"}),
    "send_floor": ("send-floor", {}),
    "send_round": ("send-round", {}),
    "rotor": ("rotor-router", {}),
    "rotor_star": ("rotor-router", {"variant": "star"}),
    "fos_rand": ("randomised-rounding", {"order": "first"}),
    "sos_rand": ("randomised-rounding", {"order": "second"}),
    "cheb_imit": ("chebyshev", {}),
    "opt_imit": ("optimal-polynomial", {"order": "leja"}),
}
# These hold whatever is drawn, so one run from each start is enough.
CERTAIN = {"fos_floor", "bc_heavy", "bc_fixed", "sos_trunc", "send_floor", "send_round", "rotor",
           "rotor_star", "cheb_imit", "opt_imit"}


def prototype():
    """What another program, in Python, measured: the steps T, and for runs of T and of 4T steps the
    mean and the largest of the final discrepancies of 50 runs."""
    return pandas.read_csv(SCENARIOS / paper.name / "prototype.csv")


def loads(start, nodes):
    return {"spike": f"spike:tokens={64 * nodes + nodes // 2}", "random": "between:low=0,high=129",
            "tent": "distance-from-end:rise=degree"}[start]


@paper.series("discrepancies")
def discrepancies(sweep):
    """The mean and the largest discrepancy after T steps, and after 4T."""
    rows = []
    for _, at in prototype().iterrows():
        if at.rule not in RULES:
            continue
        name, parameters = RULES[at.rule]
        once = at.rule in CERTAIN and at.start != "random"
        runs = sweep({
            "title": "a rule from a start", "networks": [at.network],
            "loads": [loads(at.start, NODES[at.network])], "seeds": [1] if once else
            list(range(1, RUNS + 1)),
            "algorithms": [{"name": name, "parameters": parameters}],
            "options": {"stop": "quiet:1000000", "max-steps": [int(at.steps), 4 * int(at.steps)]},
            "columns": ["discrepancy"]})
        claim(runs.left_out_because.isna().all(), f"{name} runs on {at.network}")
        found = {"network": at.network, "rule": at.rule, "start": at.start, "steps": at.steps}
        for words, own in zip(("", "_later"), (runs[runs.max_steps == at.steps],
                                               runs[runs.max_steps != at.steps])):
            found["mean" + words] = round(own.discrepancy.mean(), 2)
            found["most" + words] = own.discrepancy.max()
        rows.append(found)
    return pandas.DataFrame(rows)
