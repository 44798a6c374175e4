#!/usr/bin/env python3
"""Plays a transcript of the command line and compares what is printed.

usage: run_transcript.py [--update] PROGRAM TRANSCRIPT.golden

A transcript is a list of commands, each with what it prints and its exit status:

    $ equipoise run ...
    what goes to standard output
    ! what goes to standard error
    [exit 0]

Lines beginning with # are remarks. Commands run in bash, in a fresh directory that holds copies of
tests/cli/files, with the program's folder first in PATH. Wall times are masked. --update writes
what was printed into the transcript.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

MASKS = [
    (re.compile(r'("seconds": )[0-9.e+-]+'), r"\1S"),
    (re.compile(r" +\d+(?:\.\d+)? m?s$", re.MULTILINE), "  TIME"),
]


def masked(text):
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    return text


def play(command, directory, environment):
    done = subprocess.run(["bash", "-c", command], cwd=directory, env=environment,
                          capture_output=True, text=True, timeout=120, check=False)
    lines = masked(done.stdout).splitlines()
    lines += ["! " + line for line in masked(done.stderr).splitlines()]
    return lines + [f"[exit {done.returncode}]"]


def main():
    update = "--update" in sys.argv
    program, transcript = (os.path.abspath(word) for word in sys.argv[1:] if word != "--update")
    files = os.path.join(os.path.dirname(os.path.abspath(__file__)), "files")
    with open(transcript, encoding="utf-8") as file:
        expected = file.read().splitlines()
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    environment.pop("COLUMNS", None)  # transcripts name the width if they mean one
    environment["PATH"] = os.path.dirname(program) + os.pathsep + environment["PATH"]

    printed = []
    commands = 0
    with tempfile.TemporaryDirectory() as directory:
        shutil.copytree(files, directory, dirs_exist_ok=True)
        for line in expected:
            if line.startswith("#"):
                printed += ([""] if printed else []) + [line]
            elif line.startswith("$ "):
                separate = printed and not printed[-1].startswith("#")
                printed += ([""] if separate else []) + [line]
                printed += play(line[2:], directory, environment)
                commands += 1
    if commands == 0:
        sys.exit(f"{transcript}: expected at least one command, found none")
    if update:
        with open(transcript, "w", encoding="utf-8") as file:
            file.write("\n".join(printed) + "\n")
        return
    difference = list(difflib.unified_diff(expected, printed, "expected", "printed", lineterm=""))
    if difference:
        print("\n".join(difference))
        sys.exit(f"{transcript}: the program prints something else (--update accepts it)")


if __name__ == "__main__":
    main()
