#!/usr/bin/env python3
"""Plays synchronous runs on two threads of a process and on two ranks, in turn.

usage: ranks_and_threads.py [PROGRAM] [--runs N]       (default: build/bin/equipoise, 5 runs each)

Prints the medians of the seconds that the program gives (of the run, from taking up the loads to
leaving the final ones where they are asked for), and the median of the ratios to two threads, pair
by pair. On a busy machine the spread is wide, since two ranks and two threads both wait for the one
that is held up.
"""

import argparse
import json
import os
import statistics
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TORUS = "--network torus:1024x1024 --loads uniform:tokens=10000000 --stop own-termination"
RUNS = {
    "diffusion, 100 steps": f"run diffusion {TORUS} --max-steps 100",
    "threshold-1, 100 steps": f"run threshold-1 {TORUS} --max-steps 100",
    "threshold-1, 300 steps": f"run threshold-1 {TORUS} --max-steps 300",
    "deal-agreement-2, 100 steps": f"run deal-agreement-2 {TORUS} --max-steps 100",
}
# Containers run as root, have no remote shell, and may forbid ranks to read each other's memory.
SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_plm": "isolated",
}


def seconds(command):
    """What the run says that it took; its status tells only whether it came to its end."""
    done = subprocess.run(command, env={**os.environ, **SETTINGS}, capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=str(ROOT / "build/bin/equipoise"))
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    for name, words in RUNS.items():
        one = [given.program, *words.split(), "--json"]
        ways = {
            "2 threads": [*one, "--threads", "2"],
            "2 ranks": ["mpirun", "-n", "2", *one],
            "2 ranks, in pieces": ["mpirun", "-n", "2", *one, "--in-pieces"],
        }
        took = {way: [] for way in ways}
        for _ in range(given.runs):
            for way, command in ways.items():
                took[way].append(seconds(command))
        for way, times in took.items():
            ratio = statistics.median(a / b for a, b in zip(times, took["2 threads"]))
            print(f"{name:28} {way:19} {statistics.median(times):8.3f} s "
                  f"({min(times):.3f} to {max(times):.3f})   {ratio:5.2f}")


if __name__ == "__main__":
    main()
