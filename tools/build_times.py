#!/usr/bin/env python3
"""Says where the time of a build goes: by target, and the slowest steps, from Ninja's log.

    tools/build_times.py build [--slowest 20]

Seconds are those on the clock between a step's start and its end, so they are meaningful after a
cold build without ccache on a machine with nothing else to do; of steps that ran more than once the
last counts. Units of several files are named by the first file and the number of files.
"""
import argparse
import collections
import re
import sys
from pathlib import Path


def steps_of(folder):
    """(output, seconds) of every step whose output is still there."""
    last = {}
    for line in (folder / ".ninja_log").read_text().splitlines():
        fields = line.split("\t")
        if line.startswith("#") or len(fields) != 5:
            continue
        start, end, _, output, command = fields
        last[output] = (int(start), int(end), command)
    seen = set()
    for output, step in last.items():
        # A step with several outputs has a line for each.
        if step in seen or not (folder / output).exists():
            continue
        seen.add(step)
        yield output, (step[1] - step[0]) / 1000


def group_of(output):
    """The target that an object belongs to, or what kind of step this is."""
    if output.endswith(".gch"):
        return "precompiled headers"
    target = re.search(r"CMakeFiles/(\w+)\.dir/", output)
    if target:
        return target[1]
    return "linking" if re.search(r"^bin/|\.a$", output) else "everything else"


def name_of(folder, output):
    """The source files behind an object."""
    target = re.search(r"CMakeFiles/\w+\.dir/(.*)\.o$", output)
    if not target:
        return output
    unit = folder / output[:-2]
    if "/Unity/" not in output or not unit.exists():
        return target[1]
    files = re.findall(r'#include "(?:.*/)?([^/"]+)"', unit.read_text())
    return f"{files[0]} and {len(files) - 1} more" if len(files) > 1 else files[0]


def report(folder, slowest):
    steps = sorted(steps_of(folder), key=lambda step: -step[1])
    groups = collections.defaultdict(lambda: [0, 0.0])
    for output, seconds in steps:
        groups[group_of(output)][0] += 1
        groups[group_of(output)][1] += seconds
    lines = [f"{sum(seconds for _, seconds in steps):8.1f} s in {len(steps)} steps", ""]
    for name, (count, seconds) in sorted(groups.items(), key=lambda group: -group[1][1]):
        lines.append(f"{seconds:8.1f} s {count:4} {name}")
    lines.append("")
    for output, seconds in steps[:slowest]:
        lines.append(f"{seconds:8.1f} s {group_of(output)}: {name_of(folder, output)}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path, help="a build folder of Ninja")
    parser.add_argument("--slowest", type=int, default=20, help="how many steps to list")
    arguments = parser.parse_args()
    if not (arguments.folder / ".ninja_log").exists():
        sys.exit(f"{arguments.folder}: expected a build folder with a log of Ninja, found none")
    print(report(arguments.folder, arguments.slowest))


if __name__ == "__main__":
    main()
