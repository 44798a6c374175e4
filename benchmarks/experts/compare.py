#!/usr/bin/env python3
"""`equipoise experts` beside the published rule, on loads that others measured.

usage: compare.py --program build/bin/equipoise FOLDER [--gpus 32] [--slots 9] [--hosts 4]
       [--groups 8]

FOLDER holds loads, one JSON file of SGLang's recorder a workload. For each ordered pair of files
the rule (published_rule.py) places the experts for the first. Then loads are those of the second:
the rule places the experts again, and the program plans from the rule's first placement, once as
level as the rule is (with the bound that keeps the mean over layers from being above the rule's)
and within 1.02, 1.05 and 1.1 times the best possible. All that globally, then with groups on hosts.

Printed is the table of docs/performance.md. Levels are the largest GPU over the mean of all GPUs:
the mean over layers and, in brackets, the worst layer. Beside them stand the experts copied, in per
cent of all slots, and in brackets what every placement as level copies, proved. Seconds are those
of one thread, for all layers.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import published_rule as rule

BOUNDS = (1.02, 1.05, 1.1)


class Mode:
    """Globally, or with groups of experts whole on hosts."""

    def __init__(self, name, given, groups, hosts):
        self.name, self.groups, self.hosts = name, groups, hosts
        self.gpus, self.slots = given.gpus, given.slots
        self.program = given.program

    def place(self, loads):
        """The rule's placement of every layer."""
        return rule.place_all(loads, self.gpus, self.slots, self.groups, self.hosts)

    def levels(self, loads, placement):
        """The mean over the layers with loads, and the worst of them."""
        levels = [rule.level(row, slots, self.gpus) for row, slots in zip(loads, placement)
                  if any(row)]
        return sum(levels) / len(levels), max(levels)

    def copied(self, loads, before, after):
        """In the layers with loads."""
        return sum(rule.copied(old, new, self.gpus)
                   for row, old, new in zip(loads, before, after) if any(row))

    @staticmethod
    def write(placement, path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"physical_to_logical_map": placement}, file)

    def plan(self, loads, placement, bound):
        """What the program answers, and the seconds that it took."""
        command = [self.program, "experts", "--loads", loads, "--placement", placement,
                   "--gpus", str(self.gpus), "--slots", str(self.slots), "--threads", "1",
                   "--bound", repr(bound), "--json"]
        if self.groups > 1:
            command += ["--groups", str(self.groups), "--hosts", str(self.hosts)]
        before = os.times().children_user
        ended = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        if ended.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(command)}: exit status {ended.returncode}")
        return json.loads(ended.stdout), os.times().children_user - before


def level_text(mean, worst):
    return f"{mean:.3f} ({worst:.2f})"


def answer_text(answer):
    """Its level, what it copies, and what is proved."""
    slots = answer["all_slots"]
    transfers = answer["transfers"]
    above = len(answer["layers"]) - answer["within"]
    return (f"{level_text(answer['largest']['after'], answer['worst']['after'])}, "
            f"{100 * transfers['experts'] / slots:.1f} % "
            f"({100 * transfers['at_least'] / slots:.1f})"
            + (f", {above} above" if above else ""))


def compare(mode, files, folder):
    """Prints a row for each pair; returns the seconds of all plans."""
    all_seconds = []
    for first in files:
        placement = mode.place(rule.read_loads(first))
        path = os.path.join(folder, "placement.json")
        mode.write(placement, path)
        for then in files:
            if then == first:
                continue
            loads = rule.read_loads(then)
            again = mode.place(loads)
            made = mode.levels(loads, again)
            answers = [mode.plan(str(then), path, bound) for bound in BOUNDS]
            at_least = answers[0][0]["largest"]["at_least"]
            answers.insert(0, mode.plan(str(then), path, max(1.0, made[0] / at_least)))
            all_seconds += [seconds for _, seconds in answers]
            copied = mode.copied(loads, placement, again) / answers[0][0]["all_slots"]
            cells = [f"{first.stem} to {then.stem}", mode.name,
                     level_text(*mode.levels(loads, placement)),
                     f"{level_text(*made)}, {100 * copied:.0f} %"]
            cells += [answer_text(answer) for answer, _ in answers]
            cells.append(" ".join(f"{seconds:.1f}" for _, seconds in answers))
            print("| " + " | ".join(cells) + " |", flush=True)
    return all_seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", required=True)
    parser.add_argument("--gpus", type=int, default=32)
    parser.add_argument("--slots", type=int, default=9)
    parser.add_argument("--groups", type=int, default=8)
    parser.add_argument("--hosts", type=int, default=4)
    given = parser.parse_args()
    files = sorted(given.folder.glob("*.json"))
    if len(files) < 2:
        parser.error(f"{given.folder}: expected at least two JSON files, found {len(files)}")
    heads = ["Loads", "Mode", "Kept", "Rule: level, copied", "At its level",
             *(f"Within {bound:g}" for bound in BOUNDS), "Seconds"]
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        for mode in (Mode("global", given, 1, 1), Mode("hosts", given, given.groups, given.hosts)):
            seconds += compare(mode, files, folder)
    seconds.sort()
    print(f"\nSeconds: median {seconds[len(seconds) // 2]:.2f}, most {seconds[-1]:.2f}")


if __name__ == "__main__":
    main()
