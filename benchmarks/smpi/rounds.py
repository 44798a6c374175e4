#!/usr/bin/env python3
"""Simulates rounds of diffusion at many ranks with SimGrid's smpirun; fits a law to their time.

usage: rounds.py [--build FOLDER] [--through-the-switch] [RANKS ...]
                 (default: build/bench, and 2 4 16 64 256 ranks; 1024 takes a minute, 4096 more than
                 a quarter of an hour)

Needs libsimgrid-dev and the libraries that `./dev bench` builds. Every rank holds two rows of a
torus that is 64, 4,096 or 65,536 nodes wide, so a round sends one message of a row to either
neighbour and makes one reduction of 14 words. Computation costs nothing here; hosts of 32
ranks pass messages within themselves through memory at 10 GB/s, and to each other at 10 GB/s and
1 us through a switch without limit. Prints simulated microseconds a round beside the law

  a + b ceil(log2 R) + c ceil(log2 H) + d S,    R ranks a host, H hosts,

where S is what the two messages of a rank would take at 10 GB/s with 8 bytes a node, and d differs
between one host and many. Its constants are fitted to all runs of at most 256 ranks; larger ones
only test it.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

from scale import RANKS_A_HOST, ROOT, THROUGH_MEMORY, THROUGH_THE_SWITCH, write_machines

WIDTHS = (64, 4096, 65536)
FITTED_MAX = 256
NODES_A_ROW_MAX = 2**24  # of all ranks: memory of the simulation
LIBRARIES = ("engine", "model_run", "load", "network", "base")


def build(folder, libraries):
    program = folder / "round_at_scale"
    subprocess.run(["smpicxx", "-O2", "-std=c++20", "-ffp-contract=off", f"-I{ROOT}",
                    str(ROOT / "benchmarks/smpi/round_at_scale.cpp"), "-o", str(program),
                    f"-L{libraries / 'equipoise'}",
                    *(f"-lequipoise_{name}" for name in LIBRARIES), "-lfmt", "-lmetis", "-lgomp"],
                   check=True)
    return program


def simulate(folder, program, ranks, width, within):
    """Simulated microseconds of a round."""
    write_machines(folder, ranks, within)
    done = subprocess.run(
        ["smpirun", "-np", str(ranks), "-hostfile", str(folder / "hosts"), "-platform",
         str(folder / "cluster.xml"), "--cfg=smpi/coll-selector:ompi",
         "--cfg=smpi/simulate-computation:no", "--cfg=contexts/stack-size:256",
         "--log=root.thres:warning", str(program), str(width), "2"],
        check=True, capture_output=True, text=True, cwd=folder)
    found = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))
    return 1e6 * found["seconds_a_round"]


def terms(ranks, width):
    """What the constants of the law are multiplied with; the last two in microseconds."""
    hosts = max(1, ranks // RANKS_A_HOST)
    messages = 1e6 * 2 * 8 * width / 10e9
    return [1.0, math.ceil(math.log2(ranks / hosts)), math.ceil(math.log2(hosts)),
            messages if hosts == 1 else 0.0, messages if hosts > 1 else 0.0]


def fit(runs):
    """The constants with the least squares of relative errors."""
    rows = numpy.array([[term / seconds for term in terms(ranks, width)]
                        for ranks, width, seconds in runs])
    return numpy.linalg.lstsq(rows, numpy.ones(len(runs)), rcond=None)[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build/bench")
    parser.add_argument("ranks", type=int, nargs="*", default=[2, 4, 16, 64, 256])
    parser.add_argument("--through-the-switch", action="store_true",
                        help="hosts pass messages within themselves through the switch, which "
                             "carries 100 GB/s; the law does not know it")
    arguments = parser.parse_args()
    within = THROUGH_THE_SWITCH if arguments.through_the_switch else THROUGH_MEMORY
    runs = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = build(folder, arguments.build.resolve())
        for ranks in arguments.ranks:
            for width in (w for w in WIDTHS if w * ranks <= NODES_A_ROW_MAX):
                runs.append((ranks, width, simulate(folder, program, ranks, width, within)))
    law = fit([run for run in runs if run[0] <= FITTED_MAX])
    print("a = {:.2f} us, b = {:.2f} us, c = {:.2f} us, d = {:.2f} in a host, {:.2f} between"
          .format(*law))
    print(f"{'ranks':>6}{'width':>8}{'simulated us':>14}{'law us':>10}{'ratio':>8}")
    for ranks, width, seconds in runs:
        told = float(numpy.dot(law, terms(ranks, width)))
        print(f"{ranks:>6}{width:>8}{seconds:>14.1f}{told:>10.1f}{seconds / told:>8.2f}")


if __name__ == "__main__":
    sys.exit(main())
