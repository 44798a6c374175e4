"""Implicit tori are played in pieces in at most 12 bytes a node.

usage: memory_test.py PROGRAM

The bytes a node are the difference between the peaks of two runs over the difference in nodes, so
that what every run takes does not count.
"""

import os
import subprocess
import sys

SIDES = (1000, 3000)
BYTES_A_NODE = 12


def peak(program, algorithm, side):
    """The most memory that a run held, in bytes."""
    process = subprocess.Popen([program, "run", algorithm, "--network", f"torus:{side}x{side}",
                                "--loads", "spike:tokens=60000", "--in-pieces", "--max-steps", "2",
                                "--quiet"])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode > 1:
        raise AssertionError(f"{algorithm} on a torus of side {side}: {process.returncode}")
    return 1024 * usage.ru_maxrss


def main():
    nodes = SIDES[1] ** 2 - SIDES[0] ** 2
    most = 0
    for algorithm in ("threshold-1", "diffusion", "dimension-exchange"):
        small, large = (peak(sys.argv[1], algorithm, side) for side in SIDES)
        slope = (large - small) / nodes
        print(f"{algorithm}: {slope:.2f} bytes a node")
        most = max(most, slope)
    sys.exit(most > BYTES_A_NODE)


if __name__ == "__main__":
    main()
