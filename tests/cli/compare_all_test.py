"""Every algorithm that fits a network ends on it as it promises.

usage: compare_all_test.py PROGRAM NETWORK...

A NETWORK is a spec or a file. Exit status 77, so that the test is skipped, if a file is not there.
"""

import json
import pathlib
import subprocess
import sys


def runs_on(program, network):
    """The runs of `compare --all`, and the names of those that were left out."""
    done = subprocess.run([program, "compare", "--all", "--network", network, "--loads",
                           "uniform:tokens=20000", "--seed", "1", "--json"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{network}: exit status {done.returncode}: {done.stderr}")
    left_out = set()
    for line in done.stderr.splitlines():
        if "left out: " in line:
            left_out |= set(line.split("note: ")[1].split(" left out: ")[0].split(", "))
    return json.loads(done.stdout)["results"], left_out


def broken(run):
    """What a run promised and did not keep."""
    promised = run["guarantee"]
    if not run["reached"]:
        yield f"ended by {run['stopped_because']} at {run['discrepancy']}, before its goal"
    if run["discrepancy"] > promised.get("discrepancy", run["discrepancy"]):
        yield f"left {run['discrepancy']}, promised {promised['discrepancy']}"
    if run["steps"] > promised.get("steps", run["steps"]):
        yield f"took {run['steps']} steps, promised {promised['steps']}"


def names_of(program):
    told = subprocess.run([program, "algorithms", "--json"], capture_output=True, text=True,
                          check=True)
    return {entry["name"] for entry in json.loads(told.stdout)}


def checked(program, network):
    """Whether all went well on a network; says what did not."""
    runs, left_out = runs_on(program, network)
    faults = [f"{run['algorithm']}: {words}" for run in runs for words in broken(run)]
    there = {run["algorithm"] for run in runs}
    faults += [f"{name}: neither played nor left out"
               for name in sorted(names_of(program) - there - left_out)]
    promising = sum("discrepancy" in run["guarantee"] for run in runs)
    print(f"{network}: {len(runs)} runs, {promising} with a promise, {len(left_out)} left out")
    for words in faults:
        print(f"  {words}")
    return not faults and promising > 0


def main():
    program, *networks = sys.argv[1:]
    missing = [name for name in networks if "/" in name and not pathlib.Path(name).exists()]
    if missing:
        print("skipped, not there:", *missing)
        sys.exit(77)
    sys.exit(not all([checked(program, network) for network in networks]))


if __name__ == "__main__":
    main()
