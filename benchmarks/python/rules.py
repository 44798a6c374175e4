"""How fast rules written in Python are beside the built-in ones, on a torus of a million nodes.

usage: PYTHONPATH=build/python /usr/bin/python3 benchmarks/python/rules.py [SIDE]

Prints links a second (millions) of THRESHOLD-2 and of diffusion as functions of NumPy arrays and as
entries of the catalogue, and the ratio; the same number of steps from the same loads, medians of
three runs of each in turn. Fails unless the function of THRESHOLD-2 plays 4 million links a second.
"""

import statistics
import sys

import numpy as np

import equipoise


@equipoise.edge_rule
def two_apart(tail, head, link, now):
    apart = tail.load - head.load
    return (apart >= 2) * 1 - (apart <= -2) * 1


@equipoise.edge_rule(links="all")
def metropolis(tail, head, link, now):
    apart = tail.load - head.load
    return np.sign(apart) * (abs(apart) // (1 + np.maximum(tail.degree, head.degree)))


STEPS = {"threshold-2": 40, "diffusion": 10}


def rate(algorithm, like, side):
    steps = STEPS[like]
    links = 2 * side * side
    run = equipoise.run(algorithm, network=f"torus:{side}x{side}",
                        loads=f"spike:tokens={100 * side * side}", max_steps=steps,
                        record_level="summary")
    active = links / 4 if like == "threshold-2" else links
    return steps * active / run.figures["seconds"] / 1e6, run.final_loads


def main():
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"{'rule':<14} {'Python':>10} {'built in':>10} {'ratio':>7}   million links a second")
    fast_enough = True
    for mine, own in ((two_apart, "threshold-2"), (metropolis, "diffusion")):
        rates = {mine: [], own: []}
        loads = {}
        for _ in range(3):
            for algorithm in (mine, own):
                figure, loads[algorithm] = rate(algorithm, own, side)
                rates[algorithm].append(figure)
        assert np.array_equal(loads[mine], loads[own])
        here, there = (statistics.median(rates[algorithm]) for algorithm in (mine, own))
        print(f"{own:<14} {here:10.1f} {there:10.1f} {there / here:7.1f}")
        fast_enough = fast_enough and (own != "threshold-2" or here >= 4)
    sys.exit(0 if fast_enough else "slower than 4 million links a second")


if __name__ == "__main__":
    main()
