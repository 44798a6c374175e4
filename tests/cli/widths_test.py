#!/usr/bin/env python3
"""Help and tables of text keep to the width of the terminal, and no word is cut.

usage: widths_test.py PROGRAM
"""
import os
import re
import subprocess
import sys

PROGRAM = sys.argv[1]
RULES = {"-" * length for length in range(1000)}


def printed(*arguments, columns=None):
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    if columns:
        environment["COLUMNS"] = str(columns)
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True,
                          env=environment).stdout


def expect(holds, what):
    if not holds:
        sys.exit(f"widths_test.py: {what}")


def words(text):
    """All words, without what lines are broken with."""
    return re.sub(r"\\\n", " ", text).split()


def verbs():
    listed = printed("help", columns=10000).partition("\nVerbs:\n")[2].partition("\n\n")[0]
    return re.findall(r"^  ([\w-]+)  ", listed, re.M)


def expect_width(arguments, columns, at_most):
    text = printed(*arguments, columns=columns)
    for line in text.splitlines():
        expect(len(line) <= at_most,
               f"{' '.join(arguments)} at {columns} columns: {len(line)} of them taken by {line!r}")
    return text


def main():
    known = verbs()
    expect(len(known) > 15 and "help" in known, f"the verbs are {known}")
    for arguments in [["--help"], *(["help", verb] for verb in known)]:
        whole = words(printed(*arguments, columns=10000))
        for columns in (60, 80, 120, None):
            text = expect_width(arguments, columns, columns or 80)
            expect(words(text) == whole, f"{arguments} at {columns} columns: words are cut or lost")
        expect(printed(*arguments) == printed(*arguments, columns=80),
               f"{arguments}: where there is no terminal, 80 columns are taken")
    for verb in known:
        expect(printed("help", verb) == printed(verb, "--help"), f"help {verb} is {verb} --help")
    expect(printed("help") == printed("--help"), "help without a verb is that of the program")

    # Where no word is longer than its column, tables of text fit, too.
    analysis = ["analyze", "--network", "hypercube:d=3", "--loads", "spike:tokens=100"]
    for arguments in (["algorithms"], ["algorithms", "diffusion"], ["generate", "--list"],
                      ["run", "--list"], analysis):
        whole = set(words(printed(*arguments, columns=10000))) - RULES
        for columns in (80, 120):
            text = expect_width(arguments, columns, columns)
            expect(set(words(text)) - RULES == whole,
                   f"{arguments} at {columns} columns: words are cut or lost")
        expect(printed(*arguments) == printed(*arguments, columns=10000),
               f"{arguments}: where there is no terminal, lines are whole")

    # Tables of numbers stay whole: a number never goes on in another line.
    bounds = re.findall(r"(?:<=|>=|~) [\d,.]+", printed(*analysis, columns=10000))
    expect(len(bounds) > 20, f"the bounds are {bounds}")
    narrow = printed(*analysis, columns=60)
    expect(re.findall(r"(?:<=|>=|~) [\d,.]+", narrow) == bounds, f"bounds are torn:\n{narrow}")


if __name__ == "__main__":
    main()
