#!/usr/bin/env python3
"""Runs another entrant's solver of the ROADEF/EURO challenge 2012 and judges what it writes.

usage: roadef_peers.py PROGRAM MODEL INITIAL SOLUTION [--seconds S] [--seed N] [--threads N]

PROGRAM takes the options that the challenge asked of every entrant (-t -p -i -o -s). It may use as
many processors as `reassign` would get threads. docs/performance.md says which can be had, and how
they are built. The solution is written, and its cost printed, only if the judge allows it.
"""

import argparse
import collections
import os
import signal
import subprocess
import sys
import tempfile
import time

import roadef
import roadef_files as files
import roadef_judge as judge

# What a solver may take beyond its seconds before it is ended.
GRACE = 30

Options = collections.namedtuple("Options", "program seconds seed threads")


def end_group(process):
    """Ends the program with the processes that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def solve(model_path, initial_path, model, options):
    """The machine of every process as the program wrote it, and the seconds that it took."""
    if not os.access(options.program, os.X_OK):
        raise roadef.SolverError(f"{options.program}: expected a program")
    processors = sorted(os.sched_getaffinity(0))[:options.threads]
    if len(processors) < options.threads:
        raise roadef.SolverError(f"expected {options.threads} processors, found {len(processors)}")
    with tempfile.TemporaryDirectory() as folder:
        # One of them (S41) shares memory under a name made of this file, and logs in this folder.
        os.mkdir(os.path.join(folder, "statistics"))
        with open(os.path.join(folder, "thread1.c"), "w", encoding="ascii"):
            pass
        output = os.path.join(folder, "solution.txt")
        command = [os.path.abspath(options.program), "-t", str(round(options.seconds)),
                   "-p", os.path.abspath(model_path), "-i", os.path.abspath(initial_path),
                   "-o", output, "-s", str(options.seed)]
        begin = time.monotonic()
        with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              start_new_session=True,
                              preexec_fn=lambda: os.sched_setaffinity(0, processors)) as process:
            try:
                process.wait(options.seconds + GRACE)
            except subprocess.TimeoutExpired:
                pass
            finally:
                seconds = time.monotonic() - begin
                end_group(process)
        try:
            return files.read_assignment(output, model), seconds
        except files.FileError as error:
            raise roadef.SolverError(f"{options.program} wrote no solution: {error}") from None


def run(asked):
    model = files.read_model(asked.model)
    start = files.read_assignment(asked.initial, model)
    places, seconds = solve(asked.model, asked.initial, model,
                            Options(asked.program, asked.seconds, asked.seed, asked.threads))
    if not roadef.allowed(model, start, places, asked.solution):
        return 1
    files.write_assignment(asked.solution, places)
    roadef.print_cost(judge.cost(model, start, places))
    print(f"initial {sum(judge.cost(model, start, start))}")
    print(f"seconds {seconds:.1f}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("program", "model", "initial", "solution"):
        parser.add_argument(name, metavar=name.upper())
    parser.add_argument("--seconds", type=float, default=300, help="(default: 300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2, help="processors (default: 2)")
    return roadef.reporting("roadef_peers.py", run, parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
