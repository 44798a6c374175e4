"""Stateless diffusion and the rotor-router: docs/results/stateless-diffusion.md."""

import math

import numpy
import pandas

from results.making import CERTIFICATES, Paper, certificate, claim, number, table

paper = Paper("stateless-diffusion", "Stateless diffusion")

RUNS = 50
# Network, its degree, and the second eigenvalue of its Laplacian.
NETWORKS = {"cycle:n=64": ("ring of 64 nodes", 2, 2 - 2 * math.cos(2 * math.pi / 64)),
            "torus:16x16": ("16 by 16 torus", 4, 2 - 2 * math.cos(2 * math.pi / 16)),
            "hypercube:d=8": ("hypercube of dimension 8", 8, 2.0)}
NODES = {"cycle:n=64": 64, "torus:16x16": 256, "hypercube:d=8": 256}
# Name, D over the degree, parameters.
RULES = {"send-floor": ("send-floor", 2, {}), "send-round": ("send-round", 3, {}),
         "rotor-router": ("rotor-router", 2, {}),
         "rotor-router, star": ("rotor-router", 2, {"variant": "star"})}
LARGEST = 129


def rounds(network, rule):
    """T = (D / l2) ln(K n)."""
    _, degree, l2 = NETWORKS[network]
    return math.ceil(RULES[rule][1] * degree / l2 * math.log(LARGEST * NODES[network]))


@paper.series("measured")
def measured(sweep):
    """What is left after T rounds and after 4 T, from loads drawn from 0 to 129."""
    rows = []
    for network in NETWORKS:
        for rule, (name, _, parameters) in RULES.items():
            steps = rounds(network, rule)
            for times in (1, 4):
                runs = sweep({
                    "title": "one rule after some rounds", "networks": [network],
                    "loads": [f"between:low=0,high={LARGEST}"], "seeds": f"1..{RUNS}",
                    "algorithms": [{"name": name,
                                    "parameters": {**parameters, "rounds": str(times * steps)}}],
                    "columns": ["discrepancy"]})
                rows.append({"network": network, "rule": rule, "rounds": steps, "times": times,
                             "mean": round(runs.discrepancy.mean(), 2),
                             "most": runs.discrepancy.max()})
    return pandas.DataFrame(rows)


@paper.block("measured")
def measured_table(data):
    lines = []
    for network, (words, degree, _) in NETWORKS.items():
        for rule in RULES:
            rows = data["measured"]
            rows = rows[(rows.network == network) & (rows.rule == rule)].set_index("times")
            claim(rule != "send-floor" or (rows.most <= 2 * degree - 1).all(),
                  f"send-floor is within 2d - 1 on {network}")
            lines.append([words, rule, number(rows.rounds[1])]
                         + [f"{rows['mean'][times]:.2f}, {rows.most[times]}" for times in (1, 4)])
            words = ""
    return table(lines, ["Network", "Rule", "T", "after T", "after 4 T"], "llrrr")


def degree_of(state):
    """Of a state of a file of kept states: the links of its first node."""
    if "ports" in state:
        return len([end for end in state["ports"][0] if end != 0])
    return sum(0 in link for link in state["links"])


@paper.figure("kept", figsize=(7.5, 4.4))
def kept(data, axes):
    """What is kept for ever, by the certificates, against the degree."""
    most = {}
    for name in ("rotor-router", "send"):
        for state in certificate(name)["states"]:
            star = ", star" if state.get("star") else ""
            key = state["algorithm"] + star, degree_of(state)
            small = state["algorithm"] == "send-floor" and state["divisor"] < 2 * key[1]
            if not small:
                most[key] = max(most.get(key, 0), state["discrepancy"])
    claim({rule for rule, _ in most} == set(RULES), f"all rules have states in {CERTIFICATES}")
    degrees = numpy.array(sorted({degree for _, degree in most}))
    axes.plot(degrees, 2 * degrees - 1, "k--", marker="",
              label="send-floor, D = 2d, proved: at most 2d − 1")
    axes.plot(degrees, 2 * degrees, "k:", marker="", label="2d")
    for rule, words in (("send-floor", "send-floor, D = 2d"), ("rotor-router", "rotor-router"),
                        ("rotor-router, star", "rotor-router, star"),
                        ("send-round", "send-round, D = 3d")):
        found = sorted((degree, kept) for (name, degree), kept in most.items() if name == rule)
        axes.plot(*zip(*found), linestyle="", label=words + ", kept")
        bound = {"rotor-router": 2, "rotor-router, star": 2, "send-round": 3}.get(rule)
        claim(bound is None or all(kept <= bound * degree for degree, kept in found),
              f"{rule} keeps at most {bound} d")
    axes.set(xlabel="degree d", ylabel="discrepancy in tokens", xticks=degrees, ylim=(0, None))
    axes.legend()
