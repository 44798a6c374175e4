#!/usr/bin/env python3
"""Runs all instances of the ROADEF/EURO challenge 2012 in a folder, and prints a table.

usage: roadef_table.py FOLDER RESULTS [--seconds S] [--seed N] [--threads N] [--program FILE]
                       [--peer NAME=PROGRAM]... [--instances A,B] [--solutions FOLDER] [--print]

FOLDER has model_X.txt and assignment_X.txt for instances X. They run one after the other, each by
`reassign` and by the peers that are named (roadef_peers.py). A line of RESULTS is written when a
run is over; what it holds already, for the same seconds, seed and threads, is not run again.
--print runs nothing. Published figures come from roadef_published.json, which names their sources.
"""

import argparse
import csv
import json
import os
import pathlib
import sys

import roadef
import roadef_files as files
import roadef_judge as judge
import roadef_peers as peers

PUBLISHED = pathlib.Path(__file__).with_name("roadef_published.json")
COLUMNS = ["instance", "solver", "seconds", "seed", "threads", "cost", "at_least", "took"]
OURS = "reassign"


def published():
    return json.loads(PUBLISHED.read_text(encoding="ascii"))


def read_results(path):
    """The rows, by instance, solver, seconds, seed and threads."""
    if not os.path.exists(path):
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        read = csv.DictReader(file)
        if read.fieldnames != COLUMNS:
            raise files.FileError(f"{path}: expected the columns {','.join(COLUMNS)}, found "
                                  f"{','.join(read.fieldnames or [])}")
        return {tuple(row[column] for column in COLUMNS[:5]): row for row in read}


def append(path, row):
    is_new = not os.path.exists(path)
    with open(path, "a", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, COLUMNS)
        if is_new:
            out.writeheader()
        out.writerow(row)


def instances_in(folder, wanted):
    """Instances by name, those of published figures first and in their order."""
    there = {path.stem.removeprefix("model_") for path in pathlib.Path(folder).glob("model_*.txt")}
    known = [name for name in published()["instances"] if name in there]
    names = known + sorted(there - set(known))
    if wanted is None:
        return names
    for name in wanted:
        if name not in there:
            raise files.FileError(f"{folder}: expected model_{name}.txt, found none")
    return [name for name in names if name in wanted]


def solve(name, solver, program, asked):
    """One run; the row of it. A solution that the judge refuses has no cost."""
    paths = [os.path.join(asked.folder, f"{kind}_{name}.txt") for kind in ("model", "assignment")]
    model = files.read_model(paths[0])
    start = files.read_assignment(paths[1], model)
    if solver == OURS:
        solved = roadef.solve(model, start, roadef.Options(program, asked.seconds, None, asked.seed,
                                                           asked.threads))
        places, at_least, took = solved.places, solved.at_least, solved.seconds
    else:
        places, took = peers.solve(*paths, model, peers.Options(program, asked.seconds, asked.seed,
                                                                asked.threads))
        at_least = ""
    is_allowed = roadef.allowed(model, start, places, f"{name} by {solver}")
    if asked.solutions and is_allowed:
        os.makedirs(asked.solutions, exist_ok=True)
        files.write_assignment(os.path.join(asked.solutions, f"{name}_{solver}.txt"), places)
    return {"cost": sum(judge.cost(model, start, places)) if is_allowed else "",
            "at_least": at_least, "took": f"{took:.1f}"}


def run_all(asked):
    solvers = [(OURS, asked.program)]
    for peer in asked.peer:
        name, _, program = peer.partition("=")
        if not program or name == OURS:
            raise files.FileError(f'--peer: expected NAME=PROGRAM, found "{peer}"')
        solvers.append((name, program))
    done = read_results(asked.results)
    for name in instances_in(asked.folder, asked.instances):
        for solver, program in solvers:
            key = dict(zip(COLUMNS, (name, solver, f"{asked.seconds:g}", str(asked.seed),
                                     str(asked.threads))))
            if tuple(key.values()) in done:
                continue
            row = key | solve(name, solver, program, asked)
            append(asked.results, row)
            print(",".join(str(row[column]) for column in COLUMNS), file=sys.stderr, flush=True)


def figure(number):
    return f"{number:,}" if isinstance(number, int) else number


def ratio(cost, reference):
    """How far a cost is from another one, in percent; nothing where that is 0."""
    return f"{100 * (cost / reference - 1):+.3f} %" if reference else ""


def rows_of_table(results, asked):
    """The head of the table, and a row an instance. Of several runs only those asked for."""
    runs = {}
    for (name, solver, *how), row in results.items():
        if how == [f"{asked.seconds:g}", str(asked.seed), str(asked.threads)]:
            runs.setdefault(name, {})[solver] = row
    others = sorted({solver for row in runs.values() for solver in row} - {OURS})
    head = ["Instance", "Initial", "Bound", "Published bound", "`reassign`", "Winner, 300 s",
            "Above it", "Best known", *others]
    known = published()["instances"]
    rows = []
    for name in [*(n for n in known if n in runs), *sorted(set(runs) - set(known))]:
        ours, public = runs[name].get(OURS), known.get(name, {})
        cost = int(ours["cost"]) if ours and ours["cost"] else None
        above = ratio(cost, public["winner"]) if cost is not None and public else ""
        rows.append([name, public.get("initial", ""), int(ours["at_least"]) if ours else "",
                     public.get("proved", public.get("bound", "")),
                     "none" if ours and cost is None else cost if ours else "",
                     public.get("winner", ""), above, public.get("best", ""),
                     *((int(runs[name][other]["cost"]) if runs[name][other]["cost"] else "none")
                       if other in runs[name] else "" for other in others)])
    return head, rows


def counts(rows):
    """How many costs of `reassign` are near the winner's, and how many below."""
    pairs = [(row[4], row[5]) for row in rows if isinstance(row[5], int) and row[4] != ""]
    near = sum(isinstance(cost, int) and cost <= winner + max(winner // 100, 1000)
               for cost, winner in pairs)
    below = sum(isinstance(cost, int) and cost < winner for cost, winner in pairs)
    return (f"Of {len(pairs)} instances {near} cost at most 1 % (or 1,000) more than the winner's, "
            f"{below} less.")


def print_table(asked):
    head, rows = rows_of_table(read_results(asked.results), asked)
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(figure(cell) for cell in row) + " |")
    print(f"\n{counts(rows)}")


def run(asked):
    if not asked.print:
        run_all(asked)
    print_table(asked)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("results", metavar="RESULTS")
    parser.add_argument("--seconds", type=float, default=300, help="of each run (default: 300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--program", default="build/bin/equipoise")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=PROGRAM")
    parser.add_argument("--instances", type=lambda text: text.split(","), metavar="A,B")
    parser.add_argument("--solutions", metavar="FOLDER", help="where allowed solutions are kept")
    parser.add_argument("--print", action="store_true", help="only print the table")
    return roadef.reporting("roadef_table.py", run, parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
