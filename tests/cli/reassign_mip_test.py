#!/usr/bin/env python3
"""Plans of middle sizes against the optimum that an integer program finds.

usage: reassign_mip_test.py PROGRAM [CBC] [--instances N] [--show]

Nothing that `reassign` says of all plans may be undercut by the optimum, and what it finds must
not be better. How far it is from the optimum is measured, and judged as a whole. Exit status 77:
there is no Cbc.
"""
import argparse
import json
import math
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

EFFORT = 200_000
NODES = 1000  # of a solve: instances that take more are left out, the same on every machine


class Instance:
    """Shards, or partitions with copies, on machines in racks: one to be drained, one new."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.copies = draw.choice([1, 1, 3])
        self.racks = 3 if self.copies == 3 else 2
        machines = draw.randint(5, 8) if self.copies == 1 else draw.choice([6, 7, 9])
        self.rack = [machine % self.racks for machine in range(machines)]
        self.drained = 0
        things = draw.randint(20, 45) if self.copies == 1 else draw.randint(8, 15)
        self.sizes, self.things, self.places = [], [], []
        for thing in range(things):
            size = min(max(round(100 * draw.lognormvariate(0, 0.6)), 1), 250)
            taken = set()
            for _ in range(self.copies):
                # The last machine is new.
                place = draw.choice([machine for machine in range(machines - 1)
                                     if self.copies == 1 or self.rack[machine] not in taken])
                taken.add(self.rack[place])
                self.sizes.append(size)
                self.things.append(thing)
                self.places.append(place)
        self.fewest = draw.choice(["moves", "bytes"])
        self.tolerance = draw.choice([0.05, 0.1, 0.2])
        # Some shards may be in one rack only; some machines have a target.
        self.bound = {item for item in range(len(self.sizes))
                      if self.copies == 1 and draw.random() < 0.2}
        self.target = {machine: round(sum(self.sizes) / machines)
                       for machine in range(machines) if draw.random() < 0.15}

    @property
    def machines(self):
        return range(len(self.rack))

    def limit(self):
        """What a machine that is not drained holds at most to be level."""
        total, takers = sum(self.sizes), len(self.rack) - 1
        return max(math.floor(total * (1_000_000 + round(self.tolerance * 1_000_000))
                              / (takers * 1_000_000)), -(-total // takers))

    def may_be_on(self, item, machine):
        if machine == self.drained:
            return False
        return item not in self.bound or self.rack[machine] == self.rack[self.places[item]]

    def plan(self, program, folder):
        """What the program says."""
        items = ["item,machine,bytes"]
        items += [f"t{self.things[item]},m{self.places[item]},{size}"
                  for item, size in enumerate(self.sizes)]
        machines = ["machine,rack,drain,bytes.target"]
        machines += [f"m{machine},r{rack},{'yes' if machine == self.drained else 'no'},"
                     f"{self.target.get(machine, '')}" for machine, rack in enumerate(self.rack)]
        allowed = ["item,rack"]
        allowed += [f"t{self.things[item]},r{self.rack[self.places[item]]}" for item in
                    sorted(self.bound)]
        for name, lines in (("items", items), ("machines", machines), ("allowed", allowed)):
            (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [program, "reassign", "items.csv", "--machines", "machines.csv", "--level",
                   "bytes", "--tolerance", str(self.tolerance), "--fewest", self.fewest,
                   "--effort", str(EFFORT), "--seed", "1", "--threads", "1", "--json"]
        if self.copies > 1:
            command += ["--spread", "item:rack"]
        if self.bound:
            command += ["--allowed", "allowed.csv"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=400,
                              check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)}: status {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)["scores"]

    def program(self, aims, cost):
        """The integer program in the format of CPLEX: `aims` are values to be kept."""
        places = {item: [machine for machine in self.machines if self.may_be_on(item, machine)]
                  for item in range(len(self.sizes))}
        moved = [f"{self.sizes[item] if self.fewest == 'bytes' else 1} x{item}_{machine}"
                 for item, taken in places.items() for machine in taken
                 if machine != self.places[item]]
        sums = {"over_thresholds": [f"t{machine}" for machine in self.target],
                "over_levels": [f"l{machine}" for machine in self.machines],
                "fewest": moved}
        rows = [" + ".join(f"x{item}_{machine}" for machine in taken) + " = 1"
                for item, taken in places.items()]
        for machine in self.machines:
            used = " + ".join(f"{self.sizes[item]} x{item}_{machine}"
                              for item, taken in places.items() if machine in taken)
            if not used:
                continue
            rows.append(f"{used} - l{machine} <= {self.limit()}")
            if machine in self.target:
                rows.append(f"{used} - t{machine} <= {self.target[machine]}")
        for thing in set(self.things) if self.copies > 1 else ():
            of_thing = [item for item in places if self.things[item] == thing]
            for rack in range(self.racks):
                rows.append(" + ".join(f"x{item}_{machine}" for item in of_thing
                                       for machine in places[item] if self.rack[machine] == rack)
                            + " <= 1")
        rows += [" + ".join(sums[aim]) + f" <= {value}" for aim, value in aims.items()
                 if sums[aim]]
        names = " ".join(f"x{item}_{machine}" for item, taken in places.items()
                         for machine in taken)
        return (f"Minimize\n cost: {' + '.join(sums[cost]) or '0 l0'}\nSubject To\n"
                + "".join(f" r{number}: {row}\n" for number, row in enumerate(rows))
                + f"Binaries\n {names}\nEnd\n")

    def optimum(self, cbc, folder):
        """The least values of all aims, in order; None if the solver takes too many nodes."""
        aims = {}
        for cost in ("over_thresholds", "over_levels", "fewest"):
            (folder / "program.lp").write_text(self.program(aims, cost), encoding="ascii")
            subprocess.run([cbc, "program.lp", "maxNodes", str(NODES), "ratioGap", "0", "solve",
                            "solution", "solution.txt"], cwd=folder, capture_output=True,
                           timeout=120, check=True)
            head = (folder / "solution.txt").read_text(encoding="ascii").splitlines()[0]
            if not head.startswith("Optimal"):
                return None
            aims[cost] = round(float(head.split()[-1]))
        return aims


def compare(instance, said, best):
    """The faults of one plan."""
    faults = []
    if said["after"]["broken"] != 0:
        faults.append("a rule is broken, and none must be")
    for aim in ("over_thresholds", "over_levels", "fewest"):
        after, at_least = said["after"][aim], said["at_least"][aim]
        if at_least > best[aim]:
            faults.append(f"{aim}: at least {at_least} is claimed, and {best[aim]} is possible")
        if after < best[aim]:
            faults.append(f"{aim}: {after} is planned, and {best[aim]} is least")
        if after > best[aim]:
            break  # what follows is about other plans
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("cbc", nargs="?", default=shutil.which("cbc") or "")
    parser.add_argument("--instances", type=int, default=18)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    if not given.cbc:
        print("no cbc: not compared")
        return 77
    solved = best_found = proved = 0
    excess = []
    for seed in range(given.instances):
        instance = Instance(seed)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            best = instance.optimum(given.cbc, folder)
            if best is None:
                continue
            said = instance.plan(str(Path(given.program).resolve()), folder)
        solved += 1
        faults = compare(instance, said, best)
        if faults:
            sys.exit(f"instance {seed}: " + "; ".join(faults))
        same = all(said["after"][aim] == best[aim] for aim in best)
        best_found += same
        proved += same and said["at_least"]["fewest"] == best["fewest"]
        level_reached = all(said["after"][aim] == best[aim]
                            for aim in ("over_thresholds", "over_levels"))
        if level_reached and best["fewest"] > 0:
            excess.append(said["after"]["fewest"] / best["fewest"] - 1)
        if given.show:
            print(seed, len(instance.sizes), instance.fewest, best,
                  *(said[which] for which in ("after", "at_least")))
    print(f"{solved} of {given.instances} solved; best found {best_found}, proved {proved}; "
          f"moved above the least: {max(excess, default=0):.1%} at most, "
          f"{sum(excess) / max(len(excess), 1):.2%} on average")
    if solved < given.instances * 2 // 3:
        sys.exit("too few were solved to judge")
    if best_found < solved * 3 // 4 or proved < solved * 2 // 3 or sum(excess) > 0.05 * len(excess):
        sys.exit("plans are too far from the optimum")
    return 0


if __name__ == "__main__":
    sys.exit(main())
