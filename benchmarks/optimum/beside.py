#!/usr/bin/env python3
"""The planner of fewest steps beside another build of it: is it slower anywhere?

usage: beside.py PROGRAM OTHER [SECONDS [PART]]
Plans every instance of structured.csv whose line contains PART with both programs, one after the
other, each for at most SECONDS (60). OTHER is ended once it has had twice PROGRAM's time and two
seconds more. Prints the steps or the interval and the processor seconds of both, then how often
which one was better: exact where the other was not, or exact in less time, by a tenth and a tenth
of a second, or, both open, with the narrower interval.
"""
import csv
import os
import sys

from structured import INSTANCES, steps_of, planned


def better(one, other):
    """Whether a plan and its seconds are better than another's; none was ended."""
    if one is None or other is None:
        return other is None and one is not None
    (plan, seconds), (other_plan, other_seconds) = one, other
    if plan["exact"] != other_plan["exact"]:
        return plan["exact"]
    if not plan["exact"]:
        return gap_of(plan) < gap_of(other_plan)
    return seconds < other_seconds / 1.1 - 0.1


def gap_of(plan):
    """Steps between the ends of an interval."""
    most = plan.get("steps_at_most")
    return most - plan["steps_at_least"] if most else float("inf")


def told(result):
    """A plan and its seconds, or that it was ended."""
    return f"{steps_of(result[0]):>24} {result[1]:>8.1f}" if result else f"{'ended':>24} {'':>8}"


def main():
    program, other = (os.path.abspath(path) for path in sys.argv[1:3])
    seconds = sys.argv[3] if len(sys.argv) > 3 else "60"
    part = sys.argv[4] if len(sys.argv) > 4 else ""
    with open(INSTANCES, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if part in ",".join(row.values())]
    wins, losses = 0, 0
    print(f"{'network':<40} {'loads':<34} {'ports':>5} {'steps':>24} {'s':>8} "
          f"{'steps, other':>24} {'s':>8}")
    for row in rows:
        ours = planned(program, row, seconds)
        theirs = planned(other, row, seconds, 2 * ours.wall + 2)
        one = (ours.plan, ours.processor)
        beside = theirs and (theirs.plan, theirs.processor)
        wins += better(one, beside)
        losses += better(beside, one)
        print(f"{row['network']:<40} {row['loads']:<34} {row['ports']:>5} {told(one)} "
              f"{told(beside)}{'  slower' if better(beside, one) else ''}", flush=True)
    print(f"{len(rows)} instances: better on {wins}, the other one on {losses}")


if __name__ == "__main__":
    main()
