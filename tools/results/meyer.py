"""Meyer auf der Heide, Oesterdiekhoff, Wanka 1996: strongly adaptive token distribution."""

import functools
import math

import numpy
import pandas

from results.making import Paper, certificate, claim, exponent, number, table

paper = Paper("meyer-1996", "Meyer auf der Heide, Oesterdiekhoff, Wanka 1996")
for name in ("figure-1", "figure-2", "spikes", "tail", "small-spider", "spiders", "classes",
             "cascade", "cascade-2d", "cascade-best", "piles", "piles-best", "base", "base-best",
             "corners-3d", "corners-3d-best", "hole", "hole-best", "steps-1d", "steps-2d",
             "steps-3d"):
    paper.sweep(name, tested=name not in ("cascade-best", "figure-2"))
for name in ("blocks", "best-1d", "best-2d", "best-3d", "corners-2d", "corners-2d-best",
             "squares", "squares-best"):
    paper.sweep(name)
for name in ("figure-2-large", "blocks-large"):
    paper.sweep(name, long=True)

ALGORITHMS = ("mesh-weak", "mesh-faster", "mesh-strong", "mesh-strong-no-bus")
LOADS = {"corner": "corner", "spike": "spike in the middle", "half": "one half",
         "uniform": "uniform", "random": "random half"}


def by_target(rows, keys):
    """A row for each instance, with the bound and the fewest steps for each target."""
    wide = rows.pivot_table(index=keys, columns="target", values=["bound", "steps"], sort=False)
    wide.columns = [f"{what} {target}" for what, target in wide.columns]
    return wide.reset_index()


# Theorem 1.

INSTANCES = (  # sweep, network, loads, name, and the expected bound, T_off(0), T_off(1), two-sided
    ("spikes", "path:n=8", "spike:tokens=8", "path of 8, 8 tokens at an end", (7, 7, 6, 7)),
    ("spikes", "star:leaves=7", "spike:tokens=16", "star of 8, 16 tokens at the centre",
     (14, 14, 13, 14)),
    ("figure-1", "path:n=3", None, "Figure 1: path with 4, 3, 5", (1, 1, 0, 1)),
    ("tail", "complete-with-tail:n=8", None, "K_8 with a tail of 8, 2 tokens on each of K_8",
     (8, 8, 0, 8)),
    ("figure-2", "mesh-plus-complete:s=3", None, "Figure 2, s = 3", (10, 12, 8, 12)),
    ("figure-2", "mesh-plus-complete:s=4", None, "Figure 2, s = 4", (17, 21, 15, 21)),
    ("small-spider", "spider:2x2x1", None, "spider of 6, 3 tokens on two feet", (2, 3, 1, 3)),
    ("spikes", "mesh:8x8", "spike:tokens=256", "8 x 8 mesh, 256 tokens in a corner",
     (252, 252, 251, 252)),
    ("spikes", "mesh:3x3x3", "spike:tokens=54", "3 x 3 x 3 mesh, 54 tokens in a corner",
     (52, 52, 51, 52)),
    ("spikes", "hypercube:d=4", "spike:tokens=32", "hypercube of 16, 32 tokens on a node",
     (30, 30, 29, 30)),
)


@paper.block("instances")
def instances(data):
    rows = []
    for sweep, network, loads, name, expected in INSTANCES:
        found = data[sweep]
        found = found[found.network == network]
        if loads:
            found = found[found.loads == loads]
        row = by_target(found, ["network", "loads"]).iloc[0]
        ours = tuple(int(row[key]) for key in ("bound exact:0", "steps exact:0", "steps exact:1",
                                               "steps floor-ceil"))
        claim(ours == expected, f"{name}: {expected}")
        claim(ours[2] <= ours[0] <= ours[1] <= ours[3], f"{name}: Theorem 1")
        rows.append([name, *ours])
    return table(rows, ["Instance", "B", "T_off(0)", "T_off(1)", "two-sided"])


def figure_2_rows(data):
    rows = pandas.concat([data["figure-2"], data["figure-2-large"]])
    wide = by_target(rows, ["s"])
    wide["nodes"] = 2 * wide.s ** 2
    return wide.sort_values("s")


@paper.block("figure-2")
def figure_2(data):
    wide = figure_2_rows(data)
    claim((wide["bound exact:0"] == wide.s ** 2 + 1).all(), "T = p/2 + 1")
    claim((wide["steps exact:0"] == wide["bound exact:0"] + 2 * wide.s - 4).all(),
          "T_off(0) = T + 2 sqrt(T - 1) - 4")
    rows = [[r.s, r.nodes, r["bound exact:0"], r["bound exact:0"] + 2 * r.s - 4,
             r["steps exact:0"], r["steps exact:1"]] for _, r in wide.iterrows()]
    return table(rows, ["s", "p = N", "T, the bound", "printed lower bound", "T_off(0)",
                        "T_off(1)"])


@paper.block("spiders")
def spiders(data):
    wide = by_target(data["spiders"], ["D"])
    bound, steps = wide["bound exact:0"], wide["steps exact:0"]
    claim((bound == 2 * wide.D).all(), "B = 2 D")
    claim((steps == 3 * wide.D - 1).all(), "T_off(0) = 3 D - 1")
    rows = [[r.D, 4 * r.D, r["bound exact:0"], r["steps exact:0"],
             r["steps exact:0"] - r["bound exact:0"],
             number(r["bound exact:0"] + 2 * math.sqrt(r["bound exact:0"] - 1) - 4)]
            for _, r in wide.iterrows()]
    return table(rows, ["D", "p = N", "T, the bound", "T_off(0)", "more",
                        "T + 2 √(T − 1) − 4"])


def block_rows(data):
    rows = pandas.concat([data["blocks"], data["blocks-large"]], ignore_index=True)
    rows["n"] = rows.network.str.extract(r"(\d+)x").astype(int)
    rows["block"] = rows.loads.str.extract(r"block=(\d+)").astype(int)
    rows["more"] = rows.steps - rows.bound
    return rows


def worst_blocks(data):
    rows = block_rows(data)
    return rows.loc[rows.groupby("n").more.idxmax()]


@paper.block("blocks")
def blocks(data):
    worst = worst_blocks(data)
    claim((worst.more >= worst.n / 8 - 1).all(), "the excess grows with the side of the mesh")
    claim((worst.more <= worst.n / 6).all(), "the excess stays below n/6")
    rows = [[r.n, r.block, r.bound, r.steps, r.more] for _, r in worst.iterrows()]
    return table(rows, ["n", "side of the block", "B", "T_off(0)", "more"])


@paper.block("classes")
def classes(data):
    rows = data["classes"]
    rows["more"] = rows.steps - rows.bound
    claim((rows.more >= 0).all(), "B is a lower bound")
    claim(rows.more.max() <= 2, "never more than two steps")
    found = rows.groupby("network", sort=False).agg(
        tried=("more", "size"), above=("more", lambda more: int((more > 0).sum())),
        most=("more", "max"))
    zero = found[found.most == 0].index
    exact = {"path:n=16", "cycle:n=16", "complete:n=16", "star:leaves=15"}
    claim(exact <= set(zero), "no excess on paths, cycles, complete networks and stars")
    return table([[f"`{name}`", r.tried, r.above, r.most] for name, r in found.iterrows()],
                 ["Network", "loads tried", "B too low on", "by at most"])


def most_steps(bound, surplus):
    """tau(B, w)."""
    count = 0
    while surplus > 0:
        surplus -= -(-surplus // bound)
        count += 1
    return count


@functools.cache
def largest_excess(nodes):
    """The largest tau(B, w) - B of p nodes with p tokens, a B and w that have it."""
    found = []
    for bound in range(2, nodes):
        surplus = nodes * bound // (bound + 1)
        while surplus + -(-surplus // bound) > nodes:
            surplus -= 1
        found.append((most_steps(bound, surplus) - bound, bound, surplus))
    return max(found)


@paper.block("largest-excess")
def largest_excess_table(_data):
    rows = []
    for nodes in (6, 16, 21, 64, 256, 1024):
        more, bound, surplus = largest_excess(nodes)
        rows.append([nodes, more, bound, surplus, f"{(nodes - 2) / 4:,.10g}"])
        claim((more > (nodes - 2) / 4) == (nodes > 20), f"(p - 2)/4 for p = {nodes}")
    return table(rows, ["p", "largest excess", "with B", "w", "(p − 2)/4"], "rrrrr")


@paper.figure("excess")
def excess(data, axes):
    two = figure_2_rows(data)
    axes.plot(two.nodes, two["steps exact:0"] - two["bound exact:0"], label="Figure 2")
    legs = by_target(data["spiders"], ["D"])
    axes.plot(4 * legs.D, legs["steps exact:0"] - legs["bound exact:0"], label="spiders")
    worst = worst_blocks(data)
    axes.plot(worst.n ** 2, worst.more, label="worst corner block of a square mesh")
    layers = sorted((entry["nodes"], entry["steps"] - entry["bound"])
                    for entry in certificate("meyer-1996")["claims"])
    axes.plot(*zip(*layers), linestyle="", label="certificates: τ(B, w) − B")
    nodes = [6, 8, 11, 16, 21, 32, 64, 128, 256, 512, 1024, 2304]
    limits = [largest_excess(p)[0] for p in nodes]
    axes.plot(nodes, limits, "k--", marker="", label="proved: the most of p nodes, attained")
    claim(all(more <= largest_excess(p)[0] for p, more in layers), "the certificates' excess")
    for p, more in [*zip(two.nodes, two["steps exact:0"] - two["bound exact:0"]),
                    *zip(4 * legs.D, legs["steps exact:0"] - legs["bound exact:0"])]:
        claim(p > nodes[-1] or more <= largest_excess(int(p))[0], f"the limit for p = {p}")
    axes.set(xscale="log", yscale="symlog", xlabel="p, nodes and tokens",
             ylabel="T_off(0) − B, steps", ylim=(0, None))
    axes.legend()


# Theorem 2(a).


def corner_rows(data, d):
    runs, best = data[f"corners-{d}d"], data[f"corners-{d}d-best"]
    rows = runs.merge(best[["b", "k", "bound", "steps"]].rename(
        columns={"bound": "B", "steps": "fewest"}), on=["b", "k"])
    rows["d"] = d
    rows["n"] = rows.network.str.extract(r"(\d+)x").astype(int)
    cells = rows.n ** d
    rows["full"] = rows.k >= 2 * numpy.ceil(rows.tokens / cells)
    root = (rows.tokens * rows.k ** (d - 1)) ** (1 / d)
    rows["printed"] = (1 - rows.tokens / (cells * rows.k)) * root / d
    return rows


@paper.figure("corners", panels=2, figsize=(9, 4))
def corners_figure(data, axes):
    for d, panel in zip((2, 3), axes):
        rows = corner_rows(data, d)
        rows = rows[rows.full].sort_values("printed")
        weak, faster = (rows[rows.algorithm == name] for name in ALGORITHMS[:2])
        panel.plot(weak.printed, weak.fewest, linestyle="", label="T_off(0)")
        panel.plot(weak.printed, weak.constants_distribution_steps, linestyle="",
                   label="mesh-weak, steps in which tokens move")
        panel.plot(faster.printed, faster.constants_distribution_steps, linestyle="",
                   label="mesh-faster, steps in which tokens move")
        panel.plot(weak.printed, weak.steps, linestyle="", label="mesh-weak, all steps")
        ends = numpy.array([rows.printed.min(), rows.printed.max()])
        panel.plot(ends, ends, "k--", marker="", label="printed bound")
        panel.set(xscale="log", yscale="log", xlabel="printed bound", title=f"d = {d}")
    axes[0].set_ylabel("steps")
    axes[1].set_ylim(0.1, None)  # room for the key
    axes[1].legend(fontsize=8, loc="lower right")


@paper.block("corners")
def corners(data):
    out = []
    for d in (2, 3):
        rows = corner_rows(data, d)
        full = rows[rows.full]
        claim((full.fewest >= full.printed - 1e-9).all(), "the printed bound holds")
        claim((full.fewest <= 3 * full.printed).all(), "T_off(0) is at most three printed bounds")
        moving = full[full.algorithm == "mesh-weak"]
        claim((moving.constants_distribution_steps <= 2 * moving.fewest).all(),
              "mesh-weak moves tokens for at most 2 T_off(0) steps")
        for (k, b), group in full.groupby(["k", "b"]):
            steps = group.set_index("algorithm")
            first = group.iloc[0]
            out.append([d, b, k, first.tokens, number(first.printed), first.B, first.fewest]
                       + [number(steps.loc[name].constants_distribution_steps)
                          for name in ALGORITHMS[:2]]
                       + [number(steps.loc[name].steps) for name in ALGORITHMS[:2]])
    return table(out, ["d", "side", "k", "N", "printed bound", "B", "T_off(0)", "weak: moving",
                       "faster: moving", "weak: all", "faster: all"])


# Theorems 2 and 3.


def kind_of(loads):
    if loads.startswith("corner"):
        return "half" if "block" in loads else "corner"
    return {"spike": "spike", "uniform": "uniform", "bimodal": "random"}[loads.split(":")[0]]


def largest(row):
    """The largest load; of uniform loads the initial discrepancy, which is at most as large."""
    kind = kind_of(row.loads)
    if kind in ("corner", "spike"):
        return row.tokens
    if kind in ("half", "random"):
        return 2 * row.a
    return row.initial_discrepancy


def step_rows(data):
    """All runs on meshes, with the fewest steps and what the theorems' bounds are without their
    constants."""
    parts = []
    for d in (1, 2, 3):
        runs, best = data[f"steps-{d}d"], data[f"best-{d}d"]
        rows = runs.merge(best[["network", "loads", "a", "steps"]].rename(
            columns={"steps": "fewest"}), on=["network", "loads", "a"])
        rows["d"] = d
        rows["n"] = rows.network.str.extract(r":(\d+)").astype(int)
        parts.append(rows)
    rows = pandas.concat(parts, ignore_index=True)
    rows["kind"] = rows.loads.map(kind_of)
    rows["k"] = rows.apply(largest, axis=1)
    rows["moving"] = rows.constants_distribution_steps
    rows["computing"] = rows.constants_computation_steps
    root = (rows.tokens * rows.k.astype(float) ** (rows.d - 1)) ** (1 / rows.d)
    rows["weak"] = 2.0 ** rows.d * (root + rows.n)
    rows["faster"] = rows.d * root + rows.d ** 2 * rows.n
    log_k = numpy.ceil(numpy.log2(numpy.maximum(2, rows.k.astype(float))))
    rows["strong"] = rows.d ** 3 * log_k * numpy.maximum(1, rows.fewest)
    return rows


@paper.block("constants")
def constants(data):
    rows = step_rows(data)
    out = []
    for algorithm, unit, shape, most in (
            ("mesh-weak", "weak", "2^d (root + n)", 9),
            ("mesh-faster", "faster", "d root + d² n", 10),
            ("mesh-strong", "strong", "d³ log k max(T_off, 1)", 33)):
        mine = rows[rows.algorithm == algorithm]
        ratio = mine.steps / mine[unit]
        claim((ratio <= most).all(), f"{algorithm}: never more than {most} times {shape}")
        by_d = ratio.groupby(mine.d).max()
        out.append([algorithm, shape] + [number(by_d[d], 2) for d in (1, 2, 3)])
    return table(out, ["Algorithm", "steps, at most this times", "d = 1", "d = 2", "d = 3"])


@paper.block("steps")
def steps(data):
    rows = step_rows(data)
    out = []
    for d, n in ((1, 256), (2, 32), (3, 8)):
        for kind, words in LOADS.items():
            group = rows[(rows.d == d) & (rows.n == n) & (rows.a == 8) & (rows.kind == kind)]
            named = group.set_index("algorithm")
            claim(len(named) == 4, f"four algorithms on {words}")
            out.append([f"{n}" + f" x {n}" * (d - 1), words, named.fewest.iloc[0]]
                       + [f"{named.loc[name].steps:,} ({named.loc[name].moving:,})"
                          for name in ALGORITHMS])
    return table(out, ["Mesh", "8 tokens a cell", "T_off", *ALGORITHMS], align="llrrrrr")


@paper.figure("ratio", panels=3, sharey=True, figsize=(9, 3.8))
def ratio(data, axes):
    rows = step_rows(data)
    for d, panel in zip((1, 2, 3), axes):
        for name in ALGORITHMS:
            mine = rows[(rows.d == d) & (rows.algorithm == name) & (rows.moving > 0)]
            panel.plot(mine.fewest, mine.steps / mine.fewest, linestyle="", label=name)
        panel.axhline(1, color="k", linestyle=":", linewidth=1)
        panel.set(xscale="log", yscale="log", xlabel="T_off", title=f"d = {d}")
    axes[0].set_ylabel("steps / T_off")
    axes[2].legend(fontsize=8)


@paper.figure("squares")
def squares(data, axes):
    rows = data["squares"]
    rows["n"] = rows.network.str.extract(r":(\d+)").astype(int)
    for name in ALGORITHMS:
        mine = rows[rows.algorithm == name].groupby("n").steps.mean()
        axes.plot(mine.index, mine, label=name)
    best = data["squares-best"]
    axes.plot(best.network.str.extract(r":(\d+)")[0].astype(int), best.steps, "k:", marker="",
              label="best schedule")
    axes.set(xlabel="n, side of the mesh", ylabel="steps", xscale="log", yscale="log")
    axes.set_xscale("log", base=2)
    axes.legend()


@paper.block("squares")
def squares_words(data):
    rows = data["squares"]
    rows["n"] = rows.network.str.extract(r":(\d+)").astype(int)
    mean = rows.pivot_table(index="n", columns="algorithm", values="steps")
    growth = {name: exponent(mean.index[-3:], mean[name].iloc[-3:]) for name in ALGORITHMS}
    claim(min(growth["mesh-weak"], growth["mesh-faster"]) > 0.95,
          "the weakly adaptive algorithms take time proportional to the side")
    strong = rows[rows.algorithm == "mesh-strong"]
    claim(set(strong.constants_last_round) == {2, 4}, "two rounds at most")
    one, two = (strong[strong.constants_last_round == t].steps for t in (2, 4))
    claim(one.max() / one.min() < 1.05 and two.max() / two.min() < 1.5,
          "the steps of mesh-strong depend on its last round, hardly on the mesh")
    best = data["squares-best"].steps
    weak = mean["mesh-faster"]
    return (f"While n grows from 16 to 512, the best schedule takes {best.min()} to {best.max()} "
            f"steps (known up to n = 128), and mesh-strong {number(one.min())} to "
            f"{number(one.max())} if its round t = 2 is enough, {number(two.min())} to "
            f"{number(two.max())} if it needs t = 4, in three seeds of each size. mesh-faster "
            f"takes {number(weak.iloc[0])} to {number(weak.iloc[-1])}. From n = 128 on, steps grow "
            f"like n to the power {growth['mesh-weak']:.2f} (mesh-weak), "
            f"{growth['mesh-faster']:.2f} (mesh-faster) and "
            f"{growth['mesh-strong-no-bus']:.2f} (mesh-strong-no-bus).")


@paper.figure("computation", panels=3, sharey=True, figsize=(9, 3.8))
def computation(data, axes):
    rows = step_rows(data)
    for d, panel in zip((1, 2, 3), axes):
        for name in ALGORITHMS:
            mine = rows[(rows.d == d) & (rows.algorithm == name) & (rows.moving > 0)]
            panel.plot(mine.fewest, mine.computing / mine.moving, linestyle="", label=name)
        panel.axhline(1, color="k", linestyle=":", linewidth=1)
        panel.set(xscale="log", yscale="log", xlabel="T_off", title=f"d = {d}")
    axes[0].set_ylabel("computation steps / distribution steps")
    axes[2].legend(fontsize=8)


@paper.block("computation")
def computation_words(data):
    rows = step_rows(data)
    rows = rows[rows.moving > 0]
    rows["share"] = rows.computing / rows.steps
    out = []
    for name in ALGORITHMS:
        mine = rows[rows.algorithm == name]
        cells = [name]
        for d in (1, 2, 3):
            share = 100 * mine[mine.d == d].share
            cells.append(f"{share.min():.0f} to {share.max():.0f} %")
        out.append(cells)
    few = rows[rows.fewest <= 100]
    claim(few.groupby("algorithm").share.median().min() > 0.8,
          "up to T_off = 100 each algorithm computes in most of its steps")
    many = rows[(rows.fewest >= 1500) & (rows.d > 1)]
    claim(many.share.max() < 0.5, "from T_off = 1,500 on tokens move in most steps if d > 1")
    return table(out, ["Share of computation steps", "d = 1", "d = 2", "d = 3"], align="lrrr")


@paper.block("bus")
def bus(data):
    rows = step_rows(data)
    keys = ["d", "n", "loads", "a", "fewest"]
    bus_rows = rows[rows.algorithm == "mesh-strong"]
    wide = bus_rows.merge(rows[rows.algorithm == "mesh-strong-no-bus"], on=keys,
                          suffixes=("", "_no"))
    claim((wide.moving == wide.moving_no).all(), "tokens move alike")
    rounds = numpy.log2(numpy.maximum(1, wide.constants_last_round)).astype(int)
    extent = wide.d * (wide.n - 1)
    more = (2 + rounds) * 2 * extent - (1 + 2 * rounds)
    claim((wide.steps_no - wide.steps == more).all(), "the steps without a bus are as computed")
    out = []
    for d in (1, 2, 3):
        mine = wide[(wide.d == d)]
        moved = mine[mine.moving > 0]
        share = moved.steps_no / moved.steps
        out.append([d, len(moved), number(share.min(), 3), number(share.median(), 3),
                    number(share.max(), 3)])
    return table(out, ["d", "runs", "least", "median", "most"])


# Is log k real?


def log_k_rows(data, name):
    runs, best = data[name], data[f"{name}-best"]
    rows = runs.merge(best[["network", "loads", "steps"]].rename(columns={"steps": "fewest"}),
                      on=["network", "loads"])
    rows["moving"] = rows.constants_distribution_steps / rows.fewest
    rows["computing"] = rows.constants_computation_steps / rows.fewest
    return rows


def cascade_rows(data):
    """Blocks of two cells or more: then the fewest steps are the flow."""
    rows = log_k_rows(data, "cascade")
    rows = rows[2 ** rows.levels < 8 * rows.flow]
    claim((rows.fewest == rows.flow).all(), "the fewest steps of a cascade are its flow")
    rows["k"] = rows.initial_discrepancy
    return rows


def pile_rows(data):
    rows = log_k_rows(data, "piles")
    claim((rows.fewest == 240).all(), "the fewest steps of each pile are 240")
    rows["k"] = rows.initial_discrepancy
    return rows[rows.k > 2]


@paper.figure("log-k", panels=2, figsize=(9, 4))
def log_k(data, axes):
    rows = cascade_rows(data)
    for flow, group in rows.groupby("flow"):
        for panel, what in zip(axes, ("moving", "computing")):
            panel.plot(group.k, group[what], label=f"cascade, T_off = {flow}")
    piles = pile_rows(data)
    for panel, what in zip(axes, ("moving", "computing")):
        panel.plot(piles.k, piles[what], label="corner block, T_off = 240")
        panel.set(xscale="log", xlabel="k, the largest load", ylim=(0, None))
        panel.set_xscale("log", base=2)
    axes[0].set_ylabel("distribution steps / T_off")
    axes[1].set_ylabel("computation steps / T_off")
    axes[0].legend()


@paper.block("log-k")
def log_k_words(data):
    rows = cascade_rows(data)
    large = rows[rows.flow == 256].sort_values("k")
    slope = numpy.polyfit(numpy.log2(large.k), large.moving, 1)[0]
    claim(0.7 < slope < 1.1, "distribution steps grow by about T_off for each doubling of k")
    late = large[large.k >= 64].computing
    claim(late.max() / late.min() < 1.05, "computation steps stop growing")
    piles = pile_rows(data).sort_values("k")
    pile_slope = numpy.polyfit(numpy.log2(piles.k), piles.moving, 1)[0]
    claim(0.3 < pile_slope < 0.8, "piles: about half of T_off for each doubling")
    base = log_k_rows(data, "base")
    claim(base.steps.nunique() == 1, "a common base changes no step")
    out = [[f"{flow}", number(group.k.min()), number(group.k.max()),
            number(group.sort_values("k").moving.iloc[0]),
            number(group.sort_values("k").moving.iloc[-1]),
            number(numpy.polyfit(numpy.log2(group.k), group.moving, 1)[0], 2),
            number(group.computing.max())] for flow, group in rows.groupby("flow")]
    out.append(["240, corner block", number(piles.k.min()), number(piles.k.max()),
                number(piles.moving.iloc[0]), number(piles.moving.iloc[-1]),
                number(pile_slope, 2), number(piles.computing.max())])
    words = table(out, ["T_off", "least k", "largest k", "distribution steps / T_off, first",
                        "last", "more for each doubling of k", "computation steps / T_off, most"])
    first, last = base.iloc[0], base.iloc[-1]
    return (f"{words}\n\nOne cell with 64 tokens more than all others, T_off = {first.fewest}: "
            f"for k from 64 to {number(last.m + 64)} mesh-strong always takes {first.steps:,} "
            "steps.")


@paper.block("log-k-squares")
def log_k_squares(data):
    rows = data["cascade-2d"]
    rows = rows[2 ** rows.levels < 8 * rows.flow]
    out = []
    for flow, group in rows.groupby("flow"):
        late = group[group.initial_discrepancy >= 8].sort_values("initial_discrepancy")
        moving = late.constants_distribution_steps / flow
        claim(moving.is_monotonic_increasing, "distribution steps grow with k")
        claim((late.constants_last_round == flow // 2).all(), "the last round has t = T/2")
        out += [[f"{8 * flow} x {8 * flow}", flow, r.initial_discrepancy,
                 number(r.constants_distribution_steps / flow),
                 number(r.constants_computation_steps / flow)] for _, r in late.iterrows()]
    return table(out, ["Mesh", "T_off", "k", "distribution steps / T_off",
                       "computation steps / T_off"])


@paper.block("hole")
def hole(data):
    plans = by_target(data["hole-best"], ["p"])
    rows = plans.merge(data["hole"][["p", "steps", "constants_distribution_steps",
                                     "discrepancy"]], on="p")
    claim((rows["steps exact:0"] == 0).all(), "no load is too large")
    claim((rows["steps floor-ceil"] == rows.p - 2).all(), "two-sided: p - 2")
    claim((rows.constants_distribution_steps >= rows.p - 3).all(), "the algorithm needs them")
    return table([[r.p, r["steps exact:0"], r["steps floor-ceil"],
                   r.constants_distribution_steps, r.steps] for _, r in rows.iterrows()],
                 ["p", "T_off(0)", "two-sided T_off", "mesh-strong: moving", "all steps"])
