#!/usr/bin/env python3
"""Runs an example and compares what it prints with its transcript.

usage: play.py [--update] TRANSCRIPT COMMAND...

The example runs in an empty folder that holds examples/. Ranks print when they like, so lines that
begin with "rank N" come last, in the order of the ranks. --update writes the transcript.
"""

import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RANK = re.compile(r"rank (\d+)\b")


def in_order(text):
    lines = text.splitlines()
    said = [line for line in lines if RANK.match(line)]
    return [line for line in lines if not RANK.match(line)] + \
        sorted(said, key=lambda line: int(RANK.match(line)[1]))


def main(arguments):
    update = arguments[0] == "--update"
    transcript, *command = arguments[1:] if update else arguments
    transcript = Path(transcript)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "examples", os.path.join(folder, "examples"))
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120,
                              env=dict(os.environ, LC_ALL="C.UTF-8"), check=False)
    if done.returncode != 0:
        return f"{command[-1]}: exit status {done.returncode}\n{done.stdout}{done.stderr}"
    printed = in_order(done.stdout)
    if update:
        transcript.write_text("\n".join(printed) + "\n", encoding="utf-8")
        return None
    shown = transcript.read_text(encoding="utf-8").splitlines()
    difference = "\n".join(difflib.unified_diff(shown, printed, "shown", "printed", lineterm=""))
    return f"{transcript}:\n{difference}" if difference else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
