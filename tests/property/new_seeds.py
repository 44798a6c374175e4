#!/usr/bin/env python3
"""Checks all properties with seeds that were never drawn before.

usage: new_seeds.py [--seconds 300] [--first SEED] PROGRAM...

A property test is one in a file that includes tests/support/property.hpp. Every PROGRAM that holds
some plays them with one seed after the other. The first failure ends it, with the command that
plays it again.
"""

import argparse
import os
import pathlib
import re
import secrets
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
TEST = re.compile(r"^TEST(?:_F)?\((\w+),\s*(\w+)\)", re.MULTILINE)


def property_tests():
    """Their names, Suite.Name."""
    names = set()
    for path in sorted(TESTS.rglob("*_test.cpp")):
        text = path.read_text(encoding="utf-8")
        if "tests/support/property.hpp" in text:
            names.update(".".join(match) for match in TEST.findall(text))
    return names


def held_by(program, names):
    """Those of the tests that a program holds."""
    listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True,
                            check=True).stdout
    held, suite = [], ""
    for line in listed.splitlines():
        word = line.split("#")[0].strip()
        if not line.startswith(" "):
            suite = word
        elif suite + word in names:
            held.append(suite + word)
    return held


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=300, help="time to spend (default 300)")
    parser.add_argument("--first", type=int, default=secrets.randbits(62),
                        help="the first seed; the next are one larger each (default: drawn)")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    options = parser.parse_args()

    end = time.monotonic() + options.seconds
    names = property_tests()
    filters = {program: ":".join(held) for program in options.programs
               if (held := held_by(program, names))}
    if not filters:
        sys.exit("no program holds a property test")
    seed = options.first
    while True:
        for program, chosen in filters.items():
            environment = dict(os.environ, RC_PARAMS=f"seed={seed}")
            played = subprocess.run([program, "--gtest_brief=1", f"--gtest_filter={chosen}"],
                                    capture_output=True, text=True, env=environment, check=False)
            if played.returncode != 0:
                print(played.stdout + played.stderr)
                failed = re.findall(r"^\[  FAILED  \] (\w+\.\w+)", played.stdout, re.MULTILINE)
                print(f"to repeat: RC_PARAMS=seed={seed} {program} "
                      f"--gtest_filter={':'.join(dict.fromkeys(failed)) or chosen}")
                return 1
            if time.monotonic() >= end:
                print(f"all properties hold with the seeds from {options.first} to {seed}, "
                      f"as far as {program}")
                return 0
        seed += 1


if __name__ == "__main__":
    sys.exit(main())
