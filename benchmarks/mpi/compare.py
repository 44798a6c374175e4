#!/usr/bin/env python3
"""Compares the balancer with other ways of levelling items across ranks, side by side.

usage: compare.py PROGRAM [--ranks 4 8 16] [--items N] [--repeats N]

PROGRAM is build/bench/bin/rebalance. Prints Markdown tables of medians and ratios, then every
target with what was measured. Fails if minimum-moves moved more items than necessary, or
hierarchical more between the simulated machines than necessary: no machine can excuse that.
"""

import argparse
import os
import subprocess
import sys

HAND = "by hand"
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_plm": "isolated",
}


def measure(program, ranks, items, repeats):
    """[(ranks, distribution, method, (seconds, moved, fewest, between, fewest_between))] and what
    was skipped."""
    command = ["mpirun", "-n", str(ranks), program, str(items), str(repeats)]
    done = subprocess.run(command, env={**ENVIRONMENT, **os.environ}, stdout=subprocess.PIPE,
                          text=True, check=True)
    rows, remarks = [], []
    for line in done.stdout.splitlines():
        parts = line.split(";")
        if len(parts) == 8:
            rows.append((int(parts[0]), parts[1], parts[2],
                         (float(parts[3]), *map(int, parts[4:]))))
        elif line.startswith("skipped"):
            remarks.append(line)
    return rows, remarks


def by_case(rows):
    """{(ranks, distribution): {method: figures}} in the order of the rows."""
    cases = {}
    for ranks, distribution, method, figures in rows:
        cases.setdefault((ranks, distribution), {})[method] = figures
    return cases


def print_table(cases):
    methods = [m for m in next(iter(cases.values())) if m != HAND]
    print("| Ranks, items | by hand | " + " | ".join(methods) + " |")
    print("|---|---|" + "---|" * len(methods))
    for (ranks, distribution), found in cases.items():
        base, moved = found[HAND][:2]
        cells = [f"{ranks}, {distribution}", f"{1e3 * base:.1f} ms"]
        for method in methods:
            seconds, items = found[method][:2]
            cells.append(f"{seconds / base:.2f} ({items / moved:.2f})")
        print("| " + " | ".join(cells) + " |")


def print_between_machines(cases):
    """Items between simulated machines, by every method, beside the fewest."""
    methods = list(next(iter(cases.values())))
    print("\n| Between machines | fewest | " + " | ".join(methods) + " |")
    print("|---|---|" + "---|" * len(methods))
    for (ranks, distribution), found in cases.items():
        cells = [f"{found[method][3]:,}" for method in methods]
        print(f"| {ranks}, {distribution} | {found[HAND][4]:,} | " + " | ".join(cells) + " |")


def ratios(cases, method, other):
    """[(ratio, case)] for all cases where both were measured, worst first."""
    return sorted(((found[method][0] / found[other][0], case) for case, found in cases.items()
                   if method in found and other in found), reverse=True)


def print_targets(cases, balanced):
    targets = [("minimum-moves", HAND, 1.10), ("minimum-moves", "p4est", 1.05),
               ("minimum-moves", "Zoltan BLOCK", 1.00), ("keep-order", "p4est", 1.00)]
    print("\n| Target | Worst | Where | Cases that meet it |\n|---|---|---|---|")
    for method, other, most in targets:
        found = ratios(cases, method, other)
        if not found:
            continue
        met = sum(1 for ratio, _ in found if ratio <= most)
        worst, (ranks, distribution) = found[0]
        print(f"| {method}, at most {most:.2f} times {other} | {worst:.2f} | {ranks}, "
              f"{distribution} | {met} of {len(found)} |")
    for (ranks, _), found in balanced.items():
        ratio = found["planning"][0] / found["Allreduce"][0]
        print(f"| planning of a level input, below 2 times one MPI_Allreduce | {ratio:.2f} | "
              f"{ranks} ranks | |")


def main():
    parser = argparse.ArgumentParser(description="Compares ways of levelling items across ranks.")
    parser.add_argument("--ranks", type=int, nargs="+", default=[4, 8, 16])
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=11)
    parser.add_argument("program")
    arguments = parser.parse_args()
    rows, remarks = [], []
    for ranks in arguments.ranks:
        more, said = measure(arguments.program, ranks, arguments.items, arguments.repeats)
        rows += more
        remarks += [line for line in said if line not in remarks]
    print("\n".join(remarks))
    cases = by_case(row for row in rows if row[1] != "balanced")
    print_table(cases)
    print_between_machines(cases)
    print_targets(cases, by_case(row for row in rows if row[1] == "balanced"))
    failed = 0
    for (ranks, distribution), found in cases.items():
        for method, moved, fewest in (("minimum-moves", 1, 2), ("hierarchical", 3, 4)):
            if found[method][moved] != found[method][fewest]:
                print(f"{ranks} ranks, {distribution}: {method} moved more than it had to")
                failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
