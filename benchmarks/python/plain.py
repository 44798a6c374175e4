"""The programs that one would write with NetworkX or NumPy alone, beside the package.

usage: PYTHONPATH=build/python /usr/bin/python3 benchmarks/python/plain.py [SIDE ...]

THRESHOLD-2, first-order diffusion and random matchings on the torus of SIDE x SIDE nodes (default
100 and 1000, so 10^4 and 10^6), from the same loads, on one thread. Prints links a second of the
plain loop over a NetworkX graph, of NumPy on arrays of links, and of the package, and the ratios:
the best of three of each in turn. The slow programs play fewer steps. THRESHOLD-2 and diffusion
must give the same loads as the package, token by token.
"""

import random
import sys
import time

import networkx
import numpy as np

import equipoise

LINKS_LOOPED = 1_500_000  # how many links the loop handles in each measurement


class WithNetworkX:
    """Loops over a graph and a dict of loads."""

    def __init__(self, side, loads):
        self.graph = networkx.grid_2d_graph(side, side, periodic=True)
        self.loads = {(i, j): int(loads[i * side + j]) for i in range(side) for j in range(side)}
        self.classes = [[] for _ in range(4)]
        for (i, j), (k, m) in self.graph.edges:
            along = j != m
            before = min(j, m) if along else min(i, k)
            around = abs(j - m if along else i - k) > 1
            self.classes[2 * along + (1 if around else before % 2)].append(((i, j), (k, m)))
        self.edges = list(self.graph.edges)
        self.random = random.Random(1)

    def threshold_2(self, step):
        for u, v in self.classes[step % 4]:
            if self.loads[u] >= self.loads[v] + 2:
                self.loads[u] -= 1
                self.loads[v] += 1
            elif self.loads[v] >= self.loads[u] + 2:
                self.loads[v] -= 1
                self.loads[u] += 1

    def diffusion(self, _):
        new = dict(self.loads)
        for u, v in self.graph.edges:
            apart = self.loads[u] - self.loads[v]
            flow = abs(apart) // (1 + max(self.graph.degree[u], self.graph.degree[v]))
            if apart < 0:
                flow = -flow
            new[u] -= flow
            new[v] += flow
        self.loads = new

    def random_matching(self, _):
        self.random.shuffle(self.edges)
        matched = set()
        for u, v in self.edges:
            if u in matched or v in matched:
                continue
            matched.update((u, v))
            total = self.loads[u] + self.loads[v]
            odd = self.random.randrange(2) if total % 2 else 0
            self.loads[u] = total // 2 + odd
            self.loads[v] = total - self.loads[u]

    def array(self, side):
        return np.array([self.loads[divmod(node, side)] for node in range(side * side)])


class WithNumPy:
    """Operations on arrays of links."""

    def __init__(self, side, loads):
        self.loads = loads.copy()
        self.classes = colouring(side)
        self.tails, self.heads = np.concatenate(self.classes).T
        self.random = np.random.default_rng(1)

    def threshold_2(self, step):
        tails, heads = self.classes[step % 4].T
        apart = self.loads[tails] - self.loads[heads]
        flow = (apart >= 2) * 1 - (apart <= -2) * 1
        self.loads[tails] -= flow
        self.loads[heads] += flow

    def diffusion(self, _):
        apart = self.loads[self.tails] - self.loads[self.heads]
        flow = np.sign(apart) * (abs(apart) // 5)
        np.subtract.at(self.loads, self.tails, flow)
        np.add.at(self.loads, self.heads, flow)

    def random_matching(self, _):
        rank = self.random.random(len(self.tails))
        first = np.full(len(self.loads), 2.0)
        np.minimum.at(first, self.tails, rank)
        np.minimum.at(first, self.heads, rank)
        chosen = (first[self.tails] == rank) & (first[self.heads] == rank)
        tails, heads = self.tails[chosen], self.heads[chosen]
        total = self.loads[tails] + self.loads[heads]
        odd = (total % 2) * self.random.integers(0, 2, len(total))
        self.loads[tails] = total // 2 + odd
        self.loads[heads] = total - self.loads[tails]

    def array(self, _):
        return self.loads


def colouring(side):
    """Four matchings of the torus of even side: rows and columns, even and odd."""
    node = np.arange(side * side).reshape(side, side)
    return [np.column_stack([node.ravel(), np.roll(node, -1, axis).ravel()])[
        np.indices((side, side))[axis].ravel() % 2 == odd] for axis in (0, 1) for odd in (0, 1)]


def links_a_step(method, side):
    return 2 * side * side // (4 if method == "threshold_2" else 1)


def measure_plain(make, method, side, loads, steps):
    """Links a second, and the loads in the end."""
    program = make(side, loads)
    step_of = getattr(program, method)
    begin = time.perf_counter()
    for step in range(steps):
        step_of(step)
    seconds = time.perf_counter() - begin
    final = program.array(side)
    assert final.sum() == loads.sum()
    return steps * links_a_step(method, side) / seconds, final


def measure_ours(method, side, loads, steps):
    options = {"threshold_2": {"colouring": colouring(side)}}.get(method, {})
    name = {"random_matching": "coin-averaging"}.get(method, method.replace("_", "-"))
    run = equipoise.run(name, network=f"torus:{side}x{side}", loads=loads, max_steps=steps,
                        record_level="summary", threads=1, **options)
    return run.steps * links_a_step(method, side) / run.seconds, run.final_loads


def compare(method, side, loads):
    links = links_a_step(method, side)
    few = max(1, LINKS_LOOPED // links)
    many = {WithNetworkX: few, WithNumPy: max(few, 20_000_000 // links)}
    best = {WithNetworkX: 0.0, WithNumPy: 0.0, "ours": 0.0}
    for _ in range(3):
        for make, steps in many.items():
            rate, final = measure_plain(make, method, side, loads, steps)
            best[make] = max(best[make], rate)
            if method != "random_matching":
                assert np.array_equal(final, measure_ours(method, side, loads, steps)[1]), method
        best["ours"] = max(best["ours"],
                           measure_ours(method, side, loads, max(few, 200_000_000 // links))[0])
    ours = best["ours"]
    print(f"{method.replace('_', ' '):<16} {side * side:>9,} {best[WithNetworkX] / 1e6:>9.2f} "
          f"{best[WithNumPy] / 1e6:>9.2f} {ours / 1e6:>9.1f} "
          f"{ours / best[WithNetworkX]:>9.0f} {ours / best[WithNumPy]:>9.0f}", flush=True)


def main(sides):
    print(f"{'':<26} {'million links a second':>30} {'ours, times':>18}\n"
          f"{'':<16} {'nodes':>9} {'NetworkX':>9} {'NumPy':>9} {'ours':>9} {'NetworkX':>9} "
          f"{'NumPy':>9}")
    for side in sides or [100, 1000]:
        loads = np.random.default_rng(7).integers(0, 10_000, side * side)
        for method in ("threshold_2", "diffusion", "random_matching"):
            compare(method, side, loads)


if __name__ == "__main__":
    main([int(side) for side in sys.argv[1:]])
