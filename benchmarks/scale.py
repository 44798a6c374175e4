#!/usr/bin/env python3
"""What fits where: memory and time of each kind of job as its size grows, and the law between them.

usage: scale.py [--long] [--only WORD] PROGRAM          (PROGRAM: build/bench/bin/equipoise)

Every job runs at sizes that grow about fourfold. Two laws are drawn through the first and the last
but one of them:

  bytes   = a + b SIZE          peak memory of the process
  seconds = c SIZE^e WORK       processor time of the whole command; WORK is messages a node for
                                asynchronous runs, 1 for others

and the last columns are the largest run over what the laws say of it. `--long` adds sizes that take
minutes and gigabytes. Prints the tables of docs/scale.md.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Callable

STEPS = "8"


@dataclass(frozen=True)
class Job:
    name: str
    unit: str  # of size
    command: Callable[[int], list]  # of a size parameter
    sizes: list  # size parameters
    long: list
    size: Callable[[dict], int]  # of the JSON that the program prints
    work: Callable[[dict], float] = lambda found: 1.0


def grid(algorithm, side):
    return ["run", algorithm, "--network", f"torus:{side}x{side}", "--loads",
            f"uniform:tokens={10 * side * side}", "--max-steps", STEPS, "--in-pieces"]


def nodes(found):
    return found["network"]["nodes"]


def links(found):
    return found["network"]["links"]


JOBS = [
    Job("threshold-1, torus in pieces", "node", lambda side: grid("threshold-1", side),
        [1000, 2000, 4000, 8000], [23170], nodes),
    Job("diffusion, torus in pieces", "node", lambda side: grid("diffusion", side),
        [1000, 2000, 4000], [8000, 23170], nodes),
    Job("dimension-exchange, torus in pieces", "node",
        lambda side: grid("dimension-exchange", side),
        [1000, 2000, 4000], [8000, 23170], nodes),
    Job("diffusion, random 8-regular, stored", "link",
        lambda n: ["run", "diffusion", "--network", f"random-regular:n={n},d=8", "--loads",
                   f"uniform:tokens={10 * n}", "--max-steps", STEPS, "--threads", "1"],
        [62_500, 250_000, 1_000_000], [4_000_000], links),
    Job("diffusion, gnp of mean degree 20, in pieces", "link",
        lambda n: ["run", "diffusion", "--network", f"gnp:n={n},p={20 / n:.12f}", "--loads",
                   f"uniform:tokens={10 * n}", "--max-steps", STEPS, "--in-pieces"],
        [62_500, 250_000, 1_000_000], [10_000_000], links),
    Job("perfect-tree, random tree, asynchronous", "node",
        lambda n: ["run", "perfect-tree", "--network", f"random-tree:n={n}", "--loads",
                   f"uniform:tokens={2 * n}"],
        [16_000, 64_000, 256_000], [1_000_000], nodes,
        lambda found: found["messages"] / nodes(found)),
    Job("plan, random 4-regular, a Zipf load", "link",
        lambda n: ["plan", "--network", f"random-regular:n={n},d=4", "--loads",
                   f"zipf:tokens={10 * n}"],
        [16_000, 64_000, 256_000], [1_000_000], links),
]


def measured(program, words):
    """What a run prints, its peak memory in bytes and its processor seconds."""
    with tempfile.NamedTemporaryFile() as out:
        process = subprocess.Popen([program, *words, "--json"], stdout=out,
                                   stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            sys.exit(f"{' '.join(words)}: exit status {process.returncode}")
        out.seek(0)
        found = json.load(out)
    return found, 1024 * usage.ru_maxrss, usage.ru_utime + usage.ru_stime


def line(points):
    """The line through the first and the last of the points: (at 0, per unit)."""
    (x0, y0), (x1, y1) = points[0], points[-1]
    slope = (y1 - y0) / (x1 - x0)
    return max(0.0, y0 - slope * x0), slope


def table(job, program, long):
    rows = []
    for parameter in job.sizes + (job.long if long else []):
        words = job.command(parameter)
        found, memory, seconds = measured(program, words)
        rows.append((job.size(found), memory, seconds, job.work(found)))
        print(f"| `{' '.join(words)}` | {rows[-1][0]:,} | {memory / 2**20:,.0f} | {seconds:.2f} |",
              flush=True)
    known = rows[:-1]
    at_zero, slope = line([(size, memory) for size, memory, _, _ in known])
    first, last = known[0], known[-1]
    exponent = (math.log(last[2] / last[3] * first[3] / first[2]) / math.log(last[0] / first[0]))
    size, memory, seconds, work = rows[-1]
    told = last[2] / last[3] * work * (size / last[0]) ** exponent
    each = 1e9 * last[2] / (last[0] * last[3])
    return (f"| {job.name} | {at_zero / 2**20:.0f} MiB + {slope:.1f} bytes a {job.unit} | "
            f"{each:,.0f} ns a {job.unit} at {last[0]:,}, as SIZE^{exponent:.2f} | "
            f"{memory / (at_zero + slope * size):.2f} | {seconds / told:.2f} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("program")
    arguments = parser.parse_args()
    print("| Run | Nodes or links | MiB | Processor seconds |\n|---|---|---|---|")
    laws = [table(job, arguments.program, arguments.long)
            for job in JOBS if arguments.only in job.name]
    print("\n| Job | Memory | Processor time | Largest run over the laws: memory | time |\n"
          "|---|---|---|---|---|")
    print("\n".join(laws))


if __name__ == "__main__":
    main()
