"""Implicit tori are played in pieces in at most 12 bytes a node; analyses are judged beforehand.

usage: memory_test.py PROGRAM

The bytes a node are the difference between the peaks of two runs over the difference in nodes, so
that what every run takes does not count. An analysis for which there is too little memory is
refused before its network is made, and none takes a list for each pair of a node and a matching.
A search for the fewest steps keeps to --memory, and so do moves that are written and bounds.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile

SIDES = (1000, 3000)
BYTES_A_NODE = 12


def held(words, most=resource.RLIM_INFINITY):
    """The exit status, the most memory held in bytes, and the errors of a program that may have
    this much memory."""
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most))
                          ) as process:
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, 1024 * usage.ru_maxrss, errors


def peak(program, algorithm, side):
    """The most memory that a run held, in bytes."""
    status, most, errors = held([program, "run", algorithm, "--network", f"torus:{side}x{side}",
                                 "--loads", "spike:tokens=60000", "--in-pieces", "--max-steps",
                                 "2", "--quiet"])
    if status > 1:
        raise AssertionError(f"{algorithm} on a torus of side {side}: {status} {errors}")
    return most


def expect(holds, what):
    """Ends the test if a claim does not hold."""
    if not holds:
        raise AssertionError(what)


def judge_analyses(program):
    """Analyses in little memory."""
    for network, nodes in (("path:n=100000000", "100000000"), ("star:leaves=99999999", "100000000"),
                           ("torus:10000x10000", "100000000"), ("complete:n=9000", "9000"),
                           ("random-regular:n=50000000,d=4", "50000000")):
        status, most, errors = held([program, "analyze", "--network", network], 3 * 2 ** 30)
        print(f"{network}: {status}, {most >> 20} MiB, {errors.strip()}")
        expect(status == 2 and f"an analysis of {nodes} nodes" in errors, network + ": refused")
        expect(errors.count("\n") == 1 and "would take" in errors, network + ": in one line")
        expect(most < 2 ** 28, network + ": before the network is made")
    status, most, errors = held([program, "analyze", "--network", "star:leaves=20000", "--quiet"])
    print(f"star:leaves=20000: {status}, {most >> 20} MiB")
    expect(status == 0 and most < 700 * 2 ** 20, "a star is analysed in less than 700 MiB")


def judge_plans(program):
    """A search that would take twice what it may have, beside one that is decided at once."""
    mib = 40
    most = {}
    for loads in ("spike:tokens=1", "corner:tokens=64000,block=8"):
        status, most[loads], errors = held(
            [program, "plan", "--network", "mesh:40x40x40", "--loads", loads, "--memory", str(mib),
             "--seconds", "60", "--quiet"])
        print(f"plan of {loads}: {status}, {most[loads] >> 20} MiB")
        expect(status in (0, 1) and errors == "", loads + ": ends with a plan")
    least, most = most.values()
    expect(most - least <= mib * 2 ** 20, "a search keeps to --memory")


def judge_memory_of_plans(program):
    """Moves that are written, bounds with delays and bounds on trees, each within --memory, beside
    checks of schedules without moves, for which nothing is searched."""
    with tempfile.TemporaryDirectory() as folder:
        moves, delays, none = (os.path.join(folder, name)
                               for name in ("moves.csv", "delays.csv", "none.csv"))
        with open(none, "w", encoding="utf-8") as file:
            file.write("step,from,to\n")
        with open(delays, "w", encoding="utf-8") as file:
            file.write("from,to,steps\n0,1,2\n")

        def planned(mib, words):
            command = [program, "plan", "--memory", str(mib), "--seconds", "60", "--quiet"]
            status, most, errors = held(command + words)
            print(f"plan {' '.join(words[1:4:2])} in {mib} MiB: {status}, {most >> 20} MiB, "
                  f"{errors.strip()}")
            return status, most, errors

        def unplanned(words):
            status, most, _ = held([program, "plan", "--check", none, "--quiet"] + words)
            expect(status == 1, "nothing is not enough")
            return most

        star = ["--network", "star:leaves=200", "--loads", "spike:tokens=1000000,node=7"]
        status, _, errors = planned(1, star + ["--schedule", moves])
        expect(status == 2 and "more than the 32768 that half of --memory (1 MiB) holds" in errors,
               "more moves than memory holds are refused")
        mib = int(re.search(r"expected --memory (\d+)", errors)[1])
        status, most, errors = planned(mib, star + ["--schedule", moves])
        expect(status == 0 and errors == "", "moves are written with the memory that was named")
        expect(most - unplanned(star) <= mib * 2 ** 20, "moves that are written keep to --memory")

        for network, words in (("torus:200x200", ["--link-delays", delays]),
                               ("random-tree:n=100000", [])):
            asked = ["--network", network, "--loads", "spikes:tokens=2000000,k=100", *words]
            status, _, errors = planned(2, asked)
            expect(status == 2 and "for the bounds" in errors, network + ": too little is refused")
            mib = int(re.search(r"expected at least (\d+) MiB", errors)[1])
            status, most, errors = planned(mib, asked)
            expect(status in (0, 1) and errors == "", network + ": enough is not")
            expect(most - unplanned(asked) <= mib * 2 ** 20, network + ": bounds keep to --memory")


def main():
    nodes = SIDES[1] ** 2 - SIDES[0] ** 2
    most = 0
    for algorithm in ("threshold-1", "diffusion", "dimension-exchange"):
        small, large = (peak(sys.argv[1], algorithm, side) for side in SIDES)
        slope = (large - small) / nodes
        print(f"{algorithm}: {slope:.2f} bytes a node")
        most = max(most, slope)
    judge_analyses(sys.argv[1])
    judge_plans(sys.argv[1])
    judge_memory_of_plans(sys.argv[1])
    sys.exit(most > BYTES_A_NODE)


if __name__ == "__main__":
    main()
