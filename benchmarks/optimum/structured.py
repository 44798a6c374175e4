#!/usr/bin/env python3
"""Fewest steps on networks that are hard for some method: what is proved, and at what cost.

usage: structured.py PROGRAM [SECONDS [PART]]
Plans every instance of structured.csv whose line contains PART, each for at most SECONDS (600), and
prints a line for each: the steps or the interval, the gap in percent, wall seconds, MiB at most.
Then how many are open.
"""
import collections
import csv
import json
import os
import re
import resource
import subprocess
import sys
import threading
import time

INSTANCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "structured.csv")

# A plan, its seconds of the wall and of the processor, and the most MiB that its process had.
Planned = collections.namedtuple("Planned", "plan wall processor mebibytes")


def head_of(stream):
    """What comes before the proof, the moves or windows as an object of JSON. The rest is not kept:
    a process counts what the one held that started it as its own most."""
    text = b""
    while more := stream.read(1 << 16):
        text += more
        head = re.split(b'"certificate"|"schedule"|"windows":', text)[0]
        if len(head) < len(text):
            while stream.read(1 << 16):
                pass
            return head.rstrip().rstrip(b",") + b"}"
    return text


def planned(program, row, seconds, patience=None):
    """How an instance is planned; None if the program took longer than `patience`, in seconds."""
    command = [program, "plan", "--network", row["network"], "--loads", row["loads"], "--ports",
               row["ports"], "--seconds", seconds, "--json"]
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        end = threading.Timer(patience, process.kill) if patience else None
        if end:
            end.start()
        head = head_of(process.stdout)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = 0  # waited for above
    if end:
        end.cancel()
    if os.WIFSIGNALED(status) and patience:
        return None
    return Planned(json.loads(head), time.monotonic() - began, used.ru_utime + used.ru_stime,
                   used.ru_maxrss / 1024)


def steps_of(plan):
    """The steps, or the interval."""
    if plan["exact"]:
        return f"{plan['steps']:,}"
    least, most = plan["steps_at_least"], plan["steps_at_most"]
    return f"{least:,} to {most:,}" if most else f"{least:,} or more"


def main():
    program = os.path.abspath(sys.argv[1])
    seconds = sys.argv[2] if len(sys.argv) > 2 else "600"
    part = sys.argv[3] if len(sys.argv) > 3 else ""
    with open(INSTANCES, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if part in ",".join(row.values())]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    still_open, widest = 0, 0.0
    print(f"{'network':<40} {'loads':<34} {'ports':>5} {'steps':>22} {'gap':>7} {'s':>7} "
          f"{'MiB':>6}")
    for row in rows:
        plan, wall, _, mebibytes = planned(program, row, seconds)
        gap = 0.0
        if not plan["exact"]:
            still_open += 1
            least, most = plan["steps_at_least"], plan["steps_at_most"]
            gap = (most - least) / least * 100 if most else float("inf")
            widest = max(widest, gap)
        print(f"{row['network']:<40} {row['loads']:<34} {row['ports']:>5} {steps_of(plan):>22} "
              f"{gap:>6.1f}% {wall:>7.1f} {mebibytes:>6.0f}", flush=True)
    print(f"{len(rows)} instances, {still_open} open, the widest interval {widest:.1f} %")


if __name__ == "__main__":
    main()
