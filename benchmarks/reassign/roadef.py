#!/usr/bin/env python3
"""Solves an instance of the ROADEF/EURO challenge 2012, machine reassignment, by `reassign`.

usage: roadef.py MODEL INITIAL SOLUTION [--seconds S | --effort N] [--seed N] [--threads N]
                 [--program FILE]
       roadef.py --judge MODEL INITIAL SOLUTION

The instance becomes a table of items, one of machines, rules, and weighted costs. What the program
plans is written to SOLUTION in the contest's form, if the judge (roadef_judge.py) allows it.
Printed are the cost that the judge adds up, that of the initial assignment, what the program proves
that no solution undercuts, and the seconds that all of it took. With --judge, SOLUTION is only
judged.

The exit status is 0 if the solution is allowed, 1 if not, 2 for bad input.
"""

import argparse
import collections
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import roadef_files as files
import roadef_judge as judge

Options = collections.namedtuple("Options", "program seconds effort seed threads")
# places: by process; at_least: the bound, as the program gives it; reason: of it.
Solved = collections.namedtuple("Solved", "places at_least reason seconds")


class SolverError(Exception):
    """The program gave no solution."""


def write_items(model, start, path):
    """One line a process. Services with the same spread have a column of their own, since a rule
    of spread holds for all items with a value in its column."""
    spreads = sorted({service.spread for service in model.services if service.spread > 1})
    with open(path, "w", newline="", encoding="ascii") as file:
        out = csv.writer(file)
        out.writerow(["item", "machine", *(f"r{r}" for r in range(len(model.resources))),
                      "service", "price", "depends", *(f"spread{k}" for k in spreads)])
        for number, process in enumerate(model.processes):
            service = model.services[process.service]
            out.writerow([f"p{number}", f"m{start[number]}", *process.needs, f"s{process.service}",
                          process.cost, " ".join(f"s{other}" for other in service.depends),
                          *(f"s{process.service}" if service.spread == k else "" for k in spreads)])
    return spreads


def write_machines(model, path):
    kinds = range(len(model.resources))
    with open(path, "w", newline="", encoding="ascii") as file:
        out = csv.writer(file)
        out.writerow(["machine", "location", "neighbourhood", *(f"r{r}" for r in kinds),
                      *(f"r{r}.target" for r in kinds)])
        for number, machine in enumerate(model.machines):
            out.writerow([f"m{number}", f"l{machine.location}", f"n{machine.neighbourhood}",
                          *machine.capacities, *machine.safe])


def rules_of(model):
    """Transient resources are free after the last move, others at once. Processes of a service are
    on different machines in the end."""
    return {"apart": [{"label": "service", "on_the_way": False}],
            "release": {f"r{r}": "after-last" if kind.transient else "at-once"
                        for r, kind in enumerate(model.resources)}}


def objective_of(model):
    pairs = [(a, b, cost) for a, machine in enumerate(model.machines)
             for b, cost in enumerate(machine.costs) if a != b]
    # Only pairs are named whose cost is not the most frequent one.
    usual = collections.Counter(cost for _, _, cost in pairs).most_common(1)
    others = usual[0][0] if usual else 0
    return {
        "over_thresholds": {f"r{r}": kind.weight for r, kind in enumerate(model.resources)},
        "balances": [{"resource": f"r{balance.first}", "other": f"r{balance.second}",
                      "target": balance.target, "weight": balance.weight}
                     for balance in model.balances],
        "moves": {"weight": model.process_weight, "cost": "price"},
        "most_moved": {"label": "service", "weight": model.service_weight},
        "machine_pairs": {"weight": model.machine_weight, "others": others,
                          "costs": [[f"m{a}", f"m{b}", cost] for a, b, cost in pairs
                                    if cost != others]},
    }


def expect_convertible(model):
    """`--spread` asks for as many locations as a service has processes, if these are fewer, and
    says nothing of services without processes; the contest's rule then allows no solution."""
    count = collections.Counter(process.service for process in model.processes)
    for number, service in enumerate(model.services):
        if count[number] < service.spread:
            raise files.FileError(f"service {number}: expected at least {service.spread} "
                                  f"processes, as it must be in so many locations, found "
                                  f"{count[number]}")


def convert(model, start, folder):
    """Writes the instance as files of `reassign` and returns the options that name them."""
    expect_convertible(model)
    spreads = write_items(model, start, folder / "items.csv")
    write_machines(model, folder / "machines.csv")
    (folder / "rules.json").write_text(json.dumps(rules_of(model)))
    (folder / "objective.json").write_text(json.dumps(objective_of(model)))
    options = [folder / "items.csv", "--machines", folder / "machines.csv",
               "--rules", folder / "rules.json", "--objective", folder / "objective.json",
               "--at-once", "1000000"]
    if any(service.depends for service in model.services):
        options += ["--near", "service:neighbourhood"]
    for k in spreads:
        options += ["--spread", f"spread{k}:location:{k}"]
    return [str(option) for option in options]


def solve(model, start, options):
    """Runs the program; raises SolverError if it gives no solution."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [str(options.program), "reassign", *convert(model, start, folder),
                   "--seed", str(options.seed), "--threads", str(options.threads),
                   "--schedule", str(folder / "moves.csv"), "--json"]
        command += (["--effort", str(options.effort)] if options.effort is not None else
                    ["--seconds", str(options.seconds)])
        try:
            done = subprocess.run(command, check=False, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        except OSError as error:
            raise SolverError(f"{options.program}: {error.strerror}") from None
        if done.returncode not in (0, 1):
            raise SolverError(done.stderr.strip() or f"{options.program}: ended with status "
                              f"{done.returncode}")
        answer = json.loads(done.stdout)
        places = list(start)
        with open(folder / "moves.csv", newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):  # in the order of waves: the last one counts
                places[int(row["item"][1:])] = int(row["to"][1:])
    return Solved(places, answer["scores"]["at_least"]["cost"],
                  answer["at_least"]["reasons"].get("cost", ""), time.monotonic() - begin)


def print_cost(parts):
    print(f"cost {sum(parts)}")
    for name, part in zip(parts._fields, parts):
        print(f"  {name.replace('_', ' ')} {part}")


def allowed(model, start, end, path):
    """Whether the judge allows the solution; says on standard error why not."""
    found = judge.faults(model, start, end)
    for fault in found[:10]:
        print(f"{path}: {fault}", file=sys.stderr)
    if len(found) > 10:
        print(f"{path}: and {len(found) - 10} more", file=sys.stderr)
    return not found


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("initial", metavar="INITIAL")
    parser.add_argument("solution", metavar="SOLUTION")
    parser.add_argument("--judge", action="store_true", help="only judge SOLUTION")
    parser.add_argument("--seconds", type=float, default=300, help="of the search (default: 300)")
    parser.add_argument("--effort", type=int, help="iterations of the search, not seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--program", default="build/bin/equipoise")
    return parser.parse_args()


def run(asked):
    model = files.read_model(asked.model)
    start = files.read_assignment(asked.initial, model)
    if asked.judge:
        end = files.read_assignment(asked.solution, model)
        if not allowed(model, start, end, asked.solution):
            return 1
        print_cost(judge.cost(model, start, end))
        return 0
    if os.path.exists(asked.solution) and any(
            os.path.samefile(asked.solution, path) for path in (asked.model, asked.initial)):
        raise files.FileError(f"{asked.solution}: would be overwritten: it is read")
    solved = solve(model, start, Options(asked.program, asked.seconds, asked.effort, asked.seed,
                                         asked.threads))
    if not allowed(model, start, solved.places, "the plan"):
        return 1
    files.write_assignment(asked.solution, solved.places)
    print_cost(judge.cost(model, start, solved.places))
    print(f"initial {sum(judge.cost(model, start, start))}")
    print(f"at least {solved.at_least}")
    print(f"seconds {solved.seconds:.1f}")
    return 0


def reporting(script, run_script, asked):
    """Runs a script of these; its exit status. Errors are one line on standard error."""
    try:
        return run_script(asked)
    except (files.FileError, SolverError) as error:
        print(f"{script}: {error}", file=sys.stderr)
    except OSError as error:
        print(f"{script}: {error.filename}: {error.strerror}", file=sys.stderr)
    return 2


def main():
    return reporting("roadef.py", run, arguments())


if __name__ == "__main__":
    sys.exit(main())
