#!/usr/bin/env python3
"""Kills a sweep without warning, starts it again and compares with one that nobody killed.

usage: sweep_kill_test.py PROGRAM
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

SCENARIO = {
    "title": "many short runs",
    "networks": ["torus:{n}x{n}", "random-tree:n=150"],
    "sizes": [12, 16, 20],
    "loads": ["spike:tokens=20000", "zipf:tokens=20000"],
    "seeds": list(range(1, 9)),
    "algorithms": ["threshold-2", "deal-agreement-2", "discrepancy-1"],
}
KILLS = 3
ROWS_BETWEEN_KILLS = 20


def rows(path):
    """All rows of a table, without the seconds that runs took."""
    with open(path, encoding="utf-8", newline="") as file:
        return [{key: value for key, value in row.items() if key != "seconds"}
                for row in csv.DictReader(file)]


def lines_in(path):
    try:
        with open(path, "rb") as file:
            return file.read().count(b"\n")
    except FileNotFoundError:
        return 0


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as directory:
        scenario = os.path.join(directory, "scenario.json")
        with open(scenario, "w", encoding="utf-8") as file:
            json.dump(SCENARIO, file)
        killed = os.path.join(directory, "killed.csv")
        whole = os.path.join(directory, "whole.csv")
        command = [program, "sweep", scenario, "--threads", "2", "--csv"]

        kills = 0
        for kill in range(1, KILLS + 1):
            with subprocess.Popen(command + [killed], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as sweep:
                while (sweep.poll() is None
                       and lines_in(killed + ".partial") < kill * ROWS_BETWEEN_KILLS):
                    time.sleep(0.001)
                if sweep.poll() is None:
                    kills += 1
                sweep.kill()
            if os.path.exists(killed):
                break
        if kills == 0:
            sys.exit("the sweep was over before it could be killed")
        kept = lines_in(killed + ".partial")
        done = subprocess.run(command + [killed], capture_output=True, text=True, timeout=120,
                              check=True)
        if f"{kept} from before" not in done.stdout:
            sys.exit(f"expected {kept} runs from before, found: {done.stdout}")
        subprocess.run(command + [whole], capture_output=True, timeout=120, check=True)
        if rows(killed) != rows(whole):
            sys.exit("a sweep that was killed and resumed has other rows than a whole one")
        print(f"killed {kills} times, {kept} of {len(rows(whole))} rows kept, all the same")


if __name__ == "__main__":
    main()
