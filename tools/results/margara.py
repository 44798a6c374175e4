"""Margara, Pistocchi, Vassura 2004: perfect token distribution on trees."""

import collections
import re

import numpy
import pandas
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from results import margara_machines
from results.margara_messages import phase_1_states, phase_2_balance
from results.making import COLOURS, Paper, claim, exponent, number, table

paper = Paper("margara-2004", "Margara, Pistocchi, Vassura 2004")
for sweep in ("phase-1", "phase-2", "phase-3", "few-tokens", "trees", "exchanges", "worst-root",
              "memory", "tree-programs"):
    paper.sweep(sweep, tested=True)
paper.sweep("large", long=True)

PORTS = (("1", "single port", COLOURS[0], "o"), ("all", "all ports", COLOURS[1], "s"))
NUMBERS = re.compile(r"(\w+)=(\d+)")


# ---- what the rows are about

def shaped(frame):
    """The frame with D, the diameter, and d, the largest degree, of paths, stars and complete
    trees, by arithmetic."""
    def shape(network):
        at = {key: int(value) for key, value in NUMBERS.findall(network)}
        if network.startswith("path:"):
            return at["n"] - 1, 2
        if network.startswith("star:"):
            return 2, at["leaves"]
        return 2 * at["h"], at["k"] + (at["h"] > 1)
    both = [shape(network) for network in frame.network]
    frame["D"] = [diameter for diameter, _ in both]
    frame["d"] = [degree for _, degree in both]
    frame["ports"] = frame.ports.astype(str) if "ports" in frame else "all"
    return frame


def shaped_by_promises(frame):
    """The same for any trees: perfect-tree-batched promises to end within 5 D + 1 units, and
    perfect-tree within 3 D (T + d)."""
    by = ["network", "seed"]
    frame["ports"] = frame.ports.astype(str) if "ports" in frame else "all"
    promised = frame[frame.ports == "all"].groupby([*by, "algorithm"])
    first = promised[["guarantee_steps", "tokens"]].first().unstack()
    diameter = (first.guarantee_steps["perfect-tree-batched"] - 1) / 5
    degree = (first.guarantee_steps["perfect-tree"] / (3 * diameter) - first.tokens["perfect-tree"])
    claim((diameter % 1 == 0).all() and (degree % 1 == 0).all(), "promises tell D and d")
    shapes = pandas.DataFrame({"D": diameter.astype(int), "d": degree.astype(int)})
    return frame.merge(shapes, left_on=by, right_index=True)


def timed(frame):
    """The frame with how long each phase took at its last node, from the end of the one before."""
    ends = [frame[f"phases_phase_{k}_last"] for k in (1, 2, 3)]
    frame["first"], frame["second"], frame["third"] = ends[0], ends[1] - ends[0], ends[2] - ends[1]
    frame["ports"] = frame.ports.astype(str)
    return frame


def both_ports(frame):
    return ((frame[frame.ports == ports], name, colour, marker)
            for ports, name, colour, marker in PORTS)


def against(axes, frame, x, y, words):
    """Runs with either kind of ports on logarithmic axes, and a line where y is x."""
    for chosen, name, colour, marker in both_ports(frame):
        chosen = chosen[(chosen[x] > 0) & (chosen[y] > 0)]
        axes.loglog(chosen[x], chosen[y], linestyle="none", marker=marker, color=colour, label=name,
                    markerfacecolor="none" if marker == "s" else colour)
    ends = [frame[x][frame[x] > 0].min(), frame[x].max()]
    axes.loglog(ends, ends, color="0.4", linestyle="--", marker="", label=words)
    axes.legend()


# ---- Figure 2

PRINTED = (("start", "S1.1"), ("start", "S1.2"), ("S1.1", "S1.2"), ("S1.2", "S1.3"),
           ("S1.2", "S1.4"), ("S1.3", "S1.5"), ("S1.4", "S1.final"), ("S1.5", "S1.final"))


WORLDS = {"unit delays": (), "random delays": ("--delays", "random"),
          "heavy tails": ("--delays", "heavy-tail:max=256"), "single port": ("--ports", "1"),
          "newest first": ("--adversary", "newest-first")}
TREES = ("random-tree:n=40", "random-tree:n=40,seed=7", "path:n=40", "star:leaves=39",
         "tree:k=3,h=3", "caterpillar:spine=5,legs=7")  # of 40 nodes each


def played(record, loads):
    """A run in each world on each tree: the world and the full record."""
    for world, options in WORLDS.items():
        for seed, network in enumerate(TREES):
            yield world, record("perfect-tree", "--network", network, "--loads", loads,
                                "--seed", str(seed), *options)


@paper.records("transitions", tested=True)
def transitions(record):
    """How often each transition was taken, by what delayed the messages."""
    taken = collections.defaultdict(collections.Counter)
    for world, run in played(record, "spike:tokens=0"):
        for visited in phase_1_states(run):
            taken[world].update(zip(visited, visited[1:]))
    rows = [(world, len(TREES), 40 * len(TREES), before, after, times)
            for world, counts in taken.items() for (before, after), times in sorted(counts.items())]
    return pandas.DataFrame(rows, columns=("world", "runs", "nodes", "before", "after", "times"))


@paper.figure("transitions", figsize=(8.5, 3.6))
def figure_2(data, axes):
    taken = data["transitions"].groupby(["before", "after"]).times.sum()
    at = {"S1.1": (0, 1), "S1.2": (2.6, 1), "S1.3": (5.2, 1.9), "S1.5": (7.8, 1.9),
          "S1.4": (6.5, 0.1), "S1.final": (10.4, 1)}
    meaning = {"S1.1": "S = 0, R < deg − 1", "S1.2": "S = 0, R = deg − 1",
               "S1.3": "S = 1, R = deg − 1", "S1.4": "S = 0, R = deg", "S1.5": "S = 1, R = deg",
               "S1.final": "S = deg, R = deg"}
    wide, high = 0.9, 0.27
    axes.set(xlim=(-1.0, 11.4), ylim=(-0.25, 2.4))
    axes.axis("off")
    for state, (x, y) in at.items():
        axes.add_patch(FancyBboxPatch((x - wide, y - high), 2 * wide, 2 * high, facecolor="white",
                                      boxstyle="round,pad=0,rounding_size=0.12",
                                      edgecolor=COLOURS[0], linewidth=1.4, mutation_aspect=0.6))
        axes.text(x, y + 0.09, state, ha="center", va="center", weight="bold")
        axes.text(x, y - 0.12, meaning[state], ha="center", va="center", fontsize=7.5)
    for (before, after), times in taken.items():
        x, y = at[after]
        if before == "start":
            begin, end = (x, y + high + 0.5), (x, y + high)
        elif at[before][1] == y:
            begin, end = (at[before][0] + wide, y), (x - wide, y)
        else:  # between a side and the top or bottom of a box
            down = high if at[before][1] > y else -high
            begin, end = (at[before][0] + 0.55, at[before][1] - down), (x - 0.55, y + down)
        axes.add_patch(FancyArrowPatch(begin, end, arrowstyle="-|>", mutation_scale=13,
                                       shrinkA=0, shrinkB=0, color="0.25"))
        middle = ((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2)
        level = begin[1] == end[1]
        axes.annotate(number(times), middle, ha="center" if level else "left",
                      va="bottom" if level else "center", color=COLOURS[1], fontsize=9,
                      xytext=(0, 3) if level else (6, 0), textcoords="offset points",
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5})


@paper.block("transitions")
def transitions_table(data):
    rows = data["transitions"]
    found = set(zip(rows.before, rows.after))
    claim(found == set(PRINTED), "Figure 2's transitions are taken, and no others")
    worlds = list(dict.fromkeys(rows.world))
    times = rows.set_index(["world", "before", "after"]).times
    for world in worlds:
        runs, nodes = rows[rows.world == world][["runs", "nodes"]].iloc[0]
        claim(times[world, "S1.2", "S1.4"] == runs, "one node a run goes to S1.4")
        claim(times[world, "S1.2", "S1.3"] == nodes - runs, "all others go to S1.3")
    first = rows.groupby("world").first()
    shown = [(world, int(first.runs[world]), int(first.nodes[world]),
              *(int(times[world, before, after]) for before, after in PRINTED[:5]))
             for world in worlds]
    ways = [f"{before} → {after}" for before, after in PRINTED[:5]]
    return (table(shown, ("messages", "runs", "nodes", *ways)) + "\n\n"
            f"In all {first.runs.sum()} runs, with {first.nodes.sum():,} nodes, no transition "
            "occurs that the figure does not have. In each run exactly one node goes from S1.2 to "
            "S1.4, the root, and all others go to S1.3.")


# ---- Theorem 2 and what Section 5 says of links

@paper.records("after-phase-2", tested=True)
def after_phase_2(record):
    """What the tokens of Phase 2 alone make of the loads, and how links carry tokens."""
    rows = [{"world": world, **phase_2_balance(run)}
            for world, run in played(record, "zipf:tokens=219")]
    return pandas.DataFrame(rows)


@paper.block("after-phase-2")
def after_phase_2_text(data):
    rows = data["after-phase-2"]
    claim((rows.not_average == 0).all(), "after Phase 2 all nodes but the root hold Avg")
    claim((rows.root_above == rows.extra).all(), "the root holds what is left over")
    claim((rows.discrepancy <= rows.extra).all(), "the discrepancy is at most T mod N")
    claim((rows[["both_ways_2", "both_ways_3"]] == 0).all().all(),
          "tokens of a phase cross a link in one direction")
    return (f"*Measured* in {len(rows)} runs on trees of 40 nodes with 219 tokens: the tokens of "
            f"Phase 2 alone leave each of the {rows.others.sum():,} nodes that are not roots with "
            f"exactly Avg = {219 // 40}, and the roots with T mod N = {219 % 40} more, which is "
            f"then the discrepancy. They cross {rows.links.sum():,} links, each in one direction "
            "only, as Section 5 says, and so do those of Phase 3.")


# ---- Section 5: Phase 1

def phase_1(data):
    return shaped(data["phase-1"]).rename(columns={"phases_phase_1_last": "last"})


@paper.figure("phase-1", panels=2, figsize=(8.5, 3.9))
def phase_1_figure(data, axes):
    rows = phase_1(data)
    rows["single"], rows["multi"] = rows.D * rows.d, rows.D
    for panel, ports, x, words in ((axes[0], "1", "single", "D d"), (axes[1], "all", "multi", "D")):
        chosen = rows[rows.ports == ports]
        sizes = {2: 9, 4: 7, 8: 5, 16: 3}  # they lie upon each other where the arity does not count
        for k, part in chosen.groupby("k"):
            panel.plot(part[x], part["last"], linestyle="none", label=f"k = {k}",
                       markersize=sizes[k])
        ends = numpy.array([chosen[x].min(), chosen[x].max()])
        panel.plot(ends, 2 * ends, color="0.4", linestyle="--", marker="", label=f"2 {words}")
        panel.set(xlabel=words, ylim=(0, None),
                  title="single port" if ports == "1" else "all ports")
        panel.legend(fontsize=8)
    axes[0].set_ylabel("end of Phase 1 at the last node")


@paper.block("phase-1")
def phase_1_table(data):
    rows = phase_1(data)
    single, multi = rows[rows.ports == "1"], rows[rows.ports == "all"]
    claim((single["last"] <= 2 * single.D * single.d).all(), "Phase 1 ends within 2 D d")
    claim((multi["last"] <= 2 * multi.D).all(), "with all ports Phase 1 ends within 2 D")
    claim((single["last"] == single.D * single.k).all(), "with a single port Phase 1 takes D k")
    claim((multi["last"] == multi.D).all(), "with all ports Phase 1 takes D, whatever the arity")
    both = single.merge(multi, on=["k", "h"], suffixes=("", "_all"))
    both = both[both.h.isin((1, 2, 4))]
    shown = [(r.k, r.h, r.network_nodes, r.D, r.d, r.last, 2 * r.D * r.d, r.last_all, 2 * r.D)
             for r in both.itertuples()]
    return (table(shown, ("k", "height", "N", "D", "d", "single port", "2 D d", "all ports",
                          "2 D")) + "\n\n"
            f"On all {len(single)} complete k-ary trees the last node ends Phase 1 after exactly "
            "D k units with a single port, which is D (d − 1), on stars D d; and after exactly D "
            "units with all ports.")


# ---- Section 5: Phase 2

def phase_2(data):
    rows = shaped(data["phase-2"])
    rows["T"] = rows.t
    rows["second"] = rows.phases_phase_2_last - rows.phases_phase_1_last
    rows["TD"] = rows["T"] * rows.D
    return rows


@paper.figure("phase-2", panels=2, figsize=(8.5, 3.9))
def phase_2_figure(data, axes):
    rows = phase_2(data)
    tree = rows[rows.algorithm == "perfect-tree"]
    against(axes[0], tree, "TD", "second", "T D")
    axes[0].set(xlabel="T D", ylabel="units that Phase 2 takes", title="perfect-tree")
    longest = rows[(rows.n == rows.n.max()) & (rows.ports == "all")]
    for name, chosen in longest.groupby("algorithm", sort=False):
        axes[1].loglog(chosen["T"], chosen.time, label=name)
    axes[1].set(xlabel=f"T, on a path of {longest.n.iloc[0]} nodes", ylabel="units in all",
                title="all ports")
    axes[1].legend(fontsize=8)


@paper.block("phase-2")
def phase_2_table(data):
    rows = phase_2(data)
    rows = rows[(rows.algorithm == "perfect-tree")]
    claim((rows.second[rows.ports == "all"] <= rows.TD[rows.ports == "all"]).all(),
          "Phase 2 takes at most T D units with all ports")
    claim((rows.second[rows.ports == "1"] <= 2 * rows.TD[rows.ports == "1"]).all(),
          "Phase 2 takes at most 2 T D units with a single port")
    full = rows[rows["T"] == rows["T"].max()]
    shown = []
    for n, chosen in full.groupby("n"):
        by = chosen.set_index("ports")
        shown.append((n, int(by.D.iloc[0]), int(by["T"].iloc[0]), int(by.second["1"]),
                      by.second["1"] / by.TD["1"], int(by.second["all"]),
                      by.second["all"] / by.TD["all"]))
    least = min(row[k] for row in shown for k in (4, 6))
    claim(least >= 0.25, "with all tokens at one end Phase 2 takes more than T D / 4")
    long = rows[(rows.ports == "all") & (rows.n == 65) & (rows["T"] >= 64)]
    across = full[full.ports == "all"]
    return (table(shown, ("N", "D", "T", "single port: Phase 2", "over T D", "all ports: Phase 2",
                          "over T D")) + "\n\n"
            f"On the longest path the units grow like T^{number(exponent(long['T'], long.second))} "
            f"from 64 tokens on; with {number(full['T'].iloc[0])} tokens they grow like "
            f"D^{number(exponent(across.D, across.second))}.")


@paper.block("bundles")
def bundles(data):
    rows = phase_2(data)
    chosen = rows[(rows.n == 65) & (rows["T"] == rows["T"].max())]
    time = chosen.set_index(["algorithm", "ports"]).time
    batched = rows[rows.algorithm == "perfect-tree-batched"]
    claim((batched.time[batched.ports == "all"] <= 5 * batched.D[batched.ports == "all"] + 1).all(),
          "tokens in bundles arrive within 5 D + 1")
    names = ("perfect-tree", "minimum-exchange-tree", "perfect-tree-batched")
    return table([(name, int(time[name, "1"]), int(time[name, "all"])) for name in names],
                 (f"T = {number(chosen['T'].iloc[0])}, N = 65", "single port", "all ports"))


# ---- Section 5: Phase 3

def phase_3(data):
    rows = timed(shaped(data["phase-3"]))
    rows["extra"] = rows.tokens % rows.n
    rows["Dr"] = rows.D * rows.extra
    return rows


@paper.figure("phase-3", panels=2, figsize=(8.5, 3.9))
def phase_3_figure(data, axes):
    rows = phase_3(data)
    for panel, kind in zip(axes, ("path", "star")):
        chosen = rows[rows.network.str.startswith(kind)]
        against(panel, chosen, "Dr", "third", "D (T mod N)")
        panel.set(xlabel="D (T mod N)", title=f"{kind}s")
    axes[0].set_ylabel("units that Phase 3 takes")


@paper.block("phase-3")
def phase_3_table(data):
    rows = phase_3(data)
    single = rows.ports == "1"
    bound = rows.D * (rows.extra + numpy.where(single, rows.d, 1))
    claim((rows.third <= bound).all(), "Phase 3 takes at most D (T mod N + d), or + 1")
    shown = []
    for kind in ("path", "star"):
        for extra in ("0", "1", "N/4", "N/2", "N − 1"):
            n = 129
            r = {"0": 0, "1": 1, "N/4": n // 4, "N/2": n // 2, "N − 1": n - 1}[extra]
            chosen = rows[(rows.n == n) & (rows.extra == r) & rows.network.str.startswith(kind)]
            by = chosen.set_index("ports")
            shown.append((kind, extra, int(by.Dr.iloc[0]), int(by.third["1"]),
                          int(by.third["all"])))
    path = rows[rows.network.str.startswith("path") & (rows.extra == rows.n - 1)]
    least = (path.third / path.Dr).min()
    claim(least > 0.08, "on paths Phase 3 takes a constant part of D (T mod N)")
    return (table(shown, ("129 nodes", "T mod N", "D (T mod N)", "single port: Phase 3",
                          "all ports: Phase 3")) + "\n\n"
            "On paths with N − 1 tokens too many Phase 3 takes at least "
            f"{number(least)} D (T mod N) units.")


# ---- Section 5: fewer tokens than the largest degree

def few_tokens(data):
    rows = shaped(data["few-tokens"].rename(columns={"d": "degree"}))
    rows["over"] = rows.time / (rows.t * rows.D)
    return rows


@paper.figure("few-tokens")
def few_tokens_figure(data, axes):
    rows = few_tokens(data)
    for kind, style in (("star", "-"), ("tree", ":")):
        chosen = rows[rows.network.str.startswith(kind) & (rows.t == 1)]
        for part, name, colour, marker in both_ports(chosen):
            axes.loglog(part.d, part.over, style, marker=marker, color=colour,
                        label=f"{kind}s, {name}")
    axes.set(xlabel="largest degree d", ylabel="time / (T D), T = 1")
    axes.legend()


@paper.block("few-tokens")
def few_tokens_table(data):
    rows = few_tokens(data)
    shown = []
    for (kind, t), chosen in rows.groupby([rows.network.str.extract(r"^(\w+)")[0], "t"]):
        for degree in (8, 128):
            by = chosen[chosen.d == degree].set_index("ports")
            shown.append((f"{kind}, T = {t}", degree, int(by.D.iloc[0]), int(by.time["1"]),
                          by.over["1"], int(by.time["all"]), by.over["all"]))
    multi, single = rows[rows.ports == "all"], rows[rows.ports == "1"]
    most = multi.over.max()
    claim((multi.groupby(["network", "t"]).over.max() <= 8).all(),
          "with all ports the time stays below a constant times T D")
    claim((multi[multi.t == 1].groupby(multi.network.str[:4]).time.nunique() == 1).all(),
          "with all ports and one token the degree does not matter")
    stars = single[(single.t == 1) & single.network.str.startswith("star")]
    growth = exponent(stars.d, stars.over)
    claim(abs(growth - 1) < 0.02, "with a single port the time over T D is proportional to d")
    claim((rows.time <= rows.guarantee_steps).all(), "all runs end within 3 D (T + d)")
    return (table(shown, ("tree", "d", "D", "single port: time", "over T D", "all ports: time",
                          "over T D")) + "\n\n"
            f"With all ports no run takes more than {number(most)} T D. With a single port and one "
            "token on a star the quotient is proportional to d: no constant will do. All runs end "
            "within the repaired bound, 3 D (T + d).")


# ---- Section 5: all phases on trees of many shapes

def trees(data):
    rows = timed(shaped_by_promises(data["trees"]))
    rows = rows[rows.algorithm == "perfect-tree"].copy()
    n, tokens = rows.network_nodes, rows.tokens
    single = rows.ports == "1"
    rows["bound_1"] = 2 * rows.D * numpy.where(single, rows.d, 1)
    rows["bound_2"] = rows.D * tokens * numpy.where(single, 2, 1)
    rows["bound_3"] = rows.D * (tokens % n + numpy.where(single, rows.d, 1))
    return rows


@paper.block("trees")
def trees_table(data):
    rows = trees(data)
    shown = []
    for phase, taken, words in ((1, "first", ("2 D d", "2 D")), (2, "second", ("2 D T", "D T")),
                                (3, "third", ("D (T mod N + d)", "D (T mod N + 1)"))):
        for (ports, name, *_), bound in zip(PORTS, words):
            chosen = rows[rows.ports == ports]
            share = chosen[taken] / chosen[f"bound_{phase}"]
            claim((share <= 1).all(), f"Phase {phase} ends in time")
            shown.append((f"Phase {phase}", name, bound, len(chosen), share.median(), share.max()))
    claim((rows.phases_phase_3_last <= 3 * rows.D * (rows.tokens + rows.d)).all(),
          "all runs end within 3 D (T + d)")
    longest = rows[["first", "second", "third"]].idxmax(axis=1).value_counts()
    return (table(shown, ("", "", "bound", "runs", "median of time / bound", "largest")) + "\n\n"
            f"In {int(longest.get('second', 0))} of {len(rows)} runs Phase 2 takes longest, in "
            f"{int(longest.get('third', 0))} Phase 3, in {int(longest.get('first', 0))} Phase 1.")


# ---- Section 5: exchanges

def exchanges(data):
    rows = data["exchanges"]
    rows["tokens"] = rows["T"] = rows.t
    rows = shaped_by_promises(rows)
    rows["N"] = 40
    rows["extra"] = rows["T"] % rows.N
    rows["excess"] = rows.exchanges - rows.optimum_exchanges
    return rows


@paper.figure("exchanges", panels=2, figsize=(8.5, 3.9))
def exchanges_figure(data, axes):
    rows = exchanges(data)
    rows = rows[rows.algorithm == "perfect-tree"]
    for kind, chosen in rows.groupby(rows.network.str.extract(r"^([\w-]+)")[0], sort=False):
        axes[0].plot(chosen.D * chosen.extra, chosen.excess, linestyle="none",
                     label=kind.replace("-", " ") + "s")
    ends = [0, (rows.D * rows.extra).max()]
    axes[0].plot(ends, ends, color="0.4", linestyle="--", marker="", label="D (T mod N)")
    axes[0].set(xlabel="D (T mod N), on 40 nodes", ylabel="exchanges beyond the fewest",
                title="unit delays")
    axes[0].legend(fontsize=8)
    worst = worst_root(data)
    worst = worst[worst.algorithm == "perfect-tree"]
    for kind, chosen in worst.groupby(worst.network.str[:4], sort=False):
        axes[1].loglog(chosen.printed, chosen.exchanges, linestyle="none", label=f"{kind}s")
    ends = [worst.printed.min(), worst.printed.max()]
    axes[1].loglog(ends, ends, color="0.4", linestyle="--", marker="", label="D min(T, N)")
    axes[1].loglog(ends, [2 * end for end in ends], color="0.4", linestyle=":", marker="",
                   label="2 D (T mod N)")
    axes[1].set(xlabel="D min(T, N)", title="an empty node becomes the root")
    axes[1].legend(fontsize=8)


@paper.block("exchanges")
def exchanges_table(data):
    rows = exchanges(data)
    fewest = rows[rows.algorithm == "minimum-exchange-tree"]
    claim((fewest.excess == 0).all(), "minimum-exchange-tree makes the fewest exchanges")
    rows = rows[rows.algorithm == "perfect-tree"]
    claim((rows.excess >= 0).all(), "nothing beats the fewest exchanges")
    claim((rows.excess[rows.extra == 0] == 0).all(), "the fewest exchanges when N divides T")
    claim((rows.excess <= rows.D * rows.extra).all(),
          "with unit delays at most D (T mod N) beyond the fewest")
    shown = [(t, t % 40, len(chosen), chosen.optimum_exchanges.mean(), chosen.exchanges.mean(),
              int(chosen.excess.max()),
              (chosen.excess / (chosen.D * chosen.extra)).max() if t % 40 else "")
             for t, chosen in rows.groupby("T")]
    return table(shown, ("T", "T mod N", "runs", "fewest, mean", "perfect-tree, mean",
                         "largest excess", "over D (T mod N)"))


def worst_root(data):
    rows = shaped(data["worst-root"])
    rows["N"] = rows.m + 1
    rows["printed"] = rows.D * rows[["tokens", "N"]].min(axis=1)
    rows["proved"] = 2 * rows.D * (rows.tokens % rows.N)
    return rows


@paper.block("worst-root")
def worst_root_table(data):
    rows = worst_root(data)
    fewest = rows[rows.algorithm == "minimum-exchange-tree"]
    claim((fewest.exchanges == 0).all(), "loads that are level need no exchange")
    rows = rows[rows.algorithm == "perfect-tree"]
    claim((rows.exchanges <= rows.proved).all(), "at most 2 D (T mod N) beyond the fewest")
    above = rows[rows.exchanges > rows.printed]
    stars = rows.network.str.startswith("star")
    claim((above.index == rows.index[stars]).all(), "all stars, and no paths, exceed D min(T, N)")
    claim((rows.exchanges / rows.proved)[stars].max() > 0.95, "stars come close to 2 D (T mod N)")
    shown = [(r.network.split(":")[0], r.N, r.tokens, r.exchanges, r.printed, r.proved)
             for r in rows[rows.m.isin((6, 16, 64))].itertuples()]
    return (table(shown, ("tree", "N", "T", "excess", "D min(T, N)", "2 D (T mod N)")) + "\n\n"
            f"{len(above)} of {len(rows)} runs exceed D min(T, N), the most by a factor of "
            f"{number((rows.exchanges / rows.printed).max())}; none exceeds 2 D (T mod N).")


@paper.block("tree-programs")
def tree_programs(data):
    rows = data["tree-programs"]
    by = rows.pivot(index=["network", "loads", "seed"], columns="algorithm")
    perfect = ("perfect-tree", "perfect-tree-batched", "minimum-exchange-tree", "discrepancy-1")
    claim((by.discrepancy[list(perfect)] <= 1).all().all(), "the first four are always perfect")
    fewest = by.exchanges["minimum-exchange-tree"]
    for name in perfect:
        claim((by.exchanges[name] >= fewest).all(), "none makes fewer exchanges than the fewest")
    shown = [(name, "asynchronous" if "tree" in name else "synchronous",
              int(by.discrepancy[name].max()), (by.exchanges[name] / fewest).median(),
              (by.exchanges[name] / fewest).max(),
              (by.messages[name] / by.exchanges[name]).median())
             for name in (*perfect, "threshold-1")]
    return (table(shown, ("", "", "discrepancy, largest", "exchanges over the fewest, median",
                          "largest", "messages an exchange, median")) + "\n\n"
            f"{len(by)} instances, with 16 to 257 nodes and 1,000 tokens.")


# ---- Section 5: memory

def memory(data):
    rows = shaped(data["memory"])
    rows["T"], rows["N"] = rows.t, rows.network_nodes
    rows["theta"] = rows.d * (numpy.log2(rows["T"]) + numpy.log2(rows.N))
    rows["bits"] = rows[[f"phases_phase_{k}_memory_bits" for k in (1, 2, 3)]].max(axis=1)
    return rows


@paper.figure("memory", panels=2, figsize=(8.5, 3.9))
def memory_figure(data, axes):
    rows = memory(data)
    for panel, kind in zip(axes, ("tree", "star")):
        for k, chosen in rows[rows.network.str.startswith(kind)].groupby("k"):
            panel.loglog(chosen.theta, chosen.bits, linestyle="none", label=f"k = {k}")
        panel.set(xlabel="d (log T + log N)",
                  title="complete trees" if kind == "tree" else "stars")
        ends = numpy.array([rows.theta.min(), rows.theta.max()])
        panel.loglog(ends, ends, color="0.4", linestyle="--", marker="", label="d (log T + log N)")
        panel.legend(fontsize=8)
    axes[0].set_ylabel("bits of the largest node")


@paper.block("memory")
def memory_table(data):
    rows = memory(data)
    digits = 2 + numpy.floor(numpy.log2(rows[["T", "N", "d"]]))
    most = (rows.d + 2) * (digits["T"] + digits.N) + 6 * digits.d + 4
    claim((rows.bits <= most).all(), "at most (d + 2)(log T + log N) + 6 log d + 4 bits")
    complete = rows[rows.network.str.startswith("tree")]
    low, high = (complete.bits / complete.theta).agg(["min", "max"])
    claim(low >= 0.5, "at least d (log T + log N) / 2 bits on complete trees")
    by_degree = rows.groupby("d").memory_bits.first()
    claim((rows.groupby("d").memory_bits.nunique() == 1).all(),
          "in whole words the memory depends on the degree alone")
    step = numpy.diff(by_degree) / numpy.diff(by_degree.index)
    claim((step == step[0]).all(), "a neighbour more takes as many words")
    shown = [(r.k, r.N, f"10^{len(str(r.T)) - 1}", r.d, r.theta, r.bits, r.bits / r.theta,
              most[r.Index], r.memory_bits)
             for r in complete[complete["T"].isin((100, 10 ** 6, 10 ** 12))].itertuples()]
    return (table(shown, ("k", "N", "T", "d", "d (log T + log N)", "bits", "quotient", "at most",
                          "in whole words"), "rrrrrrrrr") + "\n\n"
            "Complete trees of height 3. Over all loads the quotient lies between "
            f"{number(low)} and {number(high)}. In words of 64 bits, as the program lays numbers "
            f"out, a node takes {int(step[0])} bits for each neighbour and "
            f"{int(by_degree.iloc[0] - step[0] * by_degree.index[0])} more, whatever T and N are.")


# ---- Section 6: constant memory

margara_machines.add_to(paper)


# ---- the large runs

@paper.block("large")
def large(data):
    rows = timed(data["large"])
    promised = rows[rows.guarantee_steps.notna()]
    claim((promised.phases_phase_3_last <= promised.guarantee_steps).all(),
          "large runs end as promised")
    by = rows.set_index(["network", "ports", "algorithm"]).exchanges
    claim((by[:, "all", "perfect-tree"] == by[:, "all", "perfect-tree-batched"]).all(),
          "bundles make the same exchanges")
    shown = [(r.network, r.network_nodes, r.algorithm, "single" if r.ports == "1" else "all",
              int(r.first), int(r.second), int(r.third)) for r in rows.itertuples()]
    return (table(shown, ("tree", "N", "", "ports", "Phase 1", "Phase 2", "Phase 3")) + "\n\n"
            f"Each holds {number(rows.tokens.iloc[0])} tokens, all at node 1. With all ports "
            "bundles make the same exchanges as single tokens, and save all the waiting.")
