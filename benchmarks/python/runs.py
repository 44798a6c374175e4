"""What calling from Python costs beside the command line.

usage: PYTHONPATH=build/python /usr/bin/python3 benchmarks/python/runs.py build/bin/equipoise [SIDE]

A run of diffusion on a torus of SIDE x SIDE nodes (default 2000), in seconds of processor time: the
least of five of each in turn. And a network of 10 million links from an array, beside the reading
of the same from an edge list, in seconds on the clock: the least of three. Fails if the run takes
more than 1.03 times the program's, or the array more than 1.5 times the file.
"""

import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import equipoise

STEPS = 300
LINKS = 10_000_000


def processor_seconds(act):
    """Of this process and of those that it waited for."""
    before = os.times()
    act()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def run_ratio(program, side):
    options = {"network": f"torus:{side}x{side}", "loads": "staircase"}
    words = [word for name, value in options.items() for word in (f"--{name}", value)]

    def from_python():
        equipoise.run("diffusion", **options, max_steps=STEPS)

    def from_shell():
        subprocess.run([program, "run", "diffusion", *words, "--max-steps", str(STEPS), "--quiet"],
                       check=False)

    seconds = [(processor_seconds(from_python), processor_seconds(from_shell)) for _ in range(5)]
    ours, theirs = map(min, zip(*seconds))
    print(f"diffusion, {STEPS} steps on {options['network']}: {ours:.2f} s from Python, "
          f"{theirs:.2f} s from the shell, ratio {ours / theirs:.3f}")
    return ours / theirs


def links_ratio():
    random = np.random.default_rng(1)
    nodes = LINKS // 5
    keys = np.unique(random.integers(0, nodes * nodes, size=LINKS + LINKS // 5))
    links = np.column_stack([keys // nodes, keys % nodes])
    links = links[links[:, 0] < links[:, 1]]
    while len(links) < LINKS:
        more = random.integers(0, nodes, size=(LINKS, 2))
        more = more[more[:, 0] < more[:, 1]]
        links = np.unique(np.concatenate([links, more]), axis=0)
    links = random.permutation(links)[:LINKS]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "links.edges")
        with open(path, "w") as file:
            file.writelines(f"{tail} {head}\n" for tail, head in links.tolist())
        seconds = []
        for _ in range(3):
            begin = time.perf_counter()
            equipoise.Network(links, n=nodes)
            middle = time.perf_counter()
            equipoise.Network(path)
            seconds.append((middle - begin, time.perf_counter() - middle))
    ours, theirs = map(min, zip(*seconds))
    print(f"{LINKS:,} links: {ours:.2f} s from an array, {theirs:.2f} s from a file, "
          f"ratio {ours / theirs:.2f}")
    return ours / theirs


def main(arguments):
    side = int(arguments[1]) if len(arguments) > 1 else 2000
    good = run_ratio(arguments[0], side) <= 1.03
    return 0 if links_ratio() <= 1.5 and good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
