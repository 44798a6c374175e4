#!/usr/bin/env python3
"""Simulates planning at many ranks with SimGrid's smpirun and checks its law of growth.

usage: scale.py [POLICY ...] [RANKS ...]      (default: all policies at 16 64 256 1024 ranks;
                                               4096 takes a quarter of an hour each)

Needs libsimgrid-dev and libfmt-dev. For every policy and number of ranks: simulated time of a plan,
messages that a rank sends for it, items moved beside the fewest, messages that carry items beside
their bound. Exit status 1 where
  messages a rank  >  4 ceil(log2 P) + 4     (two votes, a gathering: doublings or 4-ary trees),
  items moved      != the fewest (minimum_moves),
  item messages    >  givers + takers - 1    (minimum_moves).
"""

import collections
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RANKS_A_HOST = 32
POLICIES = ("minimum_moves", "keep_order", "hierarchical")


INCLUDE = re.compile(r'^#include "(equipoise/[^"]+)\.hpp"', re.MULTILINE)


def sources():
    """What a plan needs: from the program's includes on, the file beside each header, and those of
    its folder that have no header of their own and include it. The program itself stands in for
    topologies, which the simulated MPI does not have."""
    found = [ROOT / "benchmarks/smpi/plan_at_scale.cpp"]
    seen = set()
    for path in found:
        text = path.read_text()
        if path.with_suffix(".hpp").exists():
            text += path.with_suffix(".hpp").read_text()
        left = INCLUDE.findall(text)
        while left:
            name = left.pop()
            if name in seen:
                continue
            seen.add(name)
            header = ROOT / f"{name}.hpp"
            left += INCLUDE.findall(header.read_text())
            found += [other for other in sorted(header.parent.glob("*.cpp"))
                      if other not in found and
                      (other == header.with_suffix(".cpp") or
                       not other.with_suffix(".hpp").exists() and
                       name in INCLUDE.findall(other.read_text()))]
    return [path for path in found if path != ROOT / "equipoise/mpi/topology.cpp"]


def build(folder):
    program = folder / "plan_at_scale"
    subprocess.run(["smpicxx", "-O1", "-std=c++20", "-ffp-contract=off", f"-I{ROOT}",
                    *map(str, sources()), "-o", str(program), "-lfmt"], check=True)
    return program


THROUGH_THE_SWITCH = 'bb_bw="100GBps" bb_lat="1us"'  # also what ranks of one host say to each other
THROUGH_MEMORY = 'loopback_bw="10GBps" loopback_lat="200ns"'  # and hosts by a switch without limit


def write_machines(folder, ranks, within=THROUGH_THE_SWITCH):
    """A cluster of hosts of 32 ranks, 10 GB/s and 1 us a link; the file of hosts."""
    hosts = max(1, ranks // RANKS_A_HOST)
    (folder / "cluster.xml").write_text(
        "<?xml version='1.0'?>\n"
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
        '<platform version="4.1"><cluster id="cluster" prefix="host" suffix="" '
        f'radical="0-{hosts - 1}" speed="10Gf" core="{RANKS_A_HOST}" bw="10GBps" lat="1us" '
        f'{within}/></platform>\n')
    (folder / "hosts").write_text(
        "".join(f"host{rank // RANKS_A_HOST % hosts}\n" for rank in range(ranks)))


def messages_sent(trace, begin, end):
    """The most messages that one rank sends in a window of simulated time."""
    code = None
    sent = collections.Counter()
    with open(trace, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if words[:2] == ["%EventDef", "PajeStartLink"]:
                code = words[2]
            elif code and words and words[0] == code and begin <= float(words[1]) <= end:
                sent[words[5]] += 1
    return max(sent.values(), default=0)


def simulate(folder, program, policy, ranks):
    write_machines(folder, ranks)
    trace = folder / "trace"
    done = subprocess.run(
        ["smpirun", "-np", str(ranks), "-hostfile", str(folder / "hosts"), "-platform",
         str(folder / "cluster.xml"), "-trace", "-trace-file", str(trace),
         "--cfg=tracing/smpi/internals:yes", "--cfg=smpi/coll-selector:ompi",
         "--cfg=smpi/simulate-computation:no", "--cfg=contexts/stack-size:256",
         "--log=root.thres:warning", str(program), policy],
        check=True, capture_output=True, text=True, cwd=folder)
    found = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))
    found["messages"] = messages_sent(trace, found["begin"] - 0.25, found["end"] + 0.25)
    trace.unlink()
    return found


def complaints(found):
    ranks = found["ranks"]
    if found["messages"] > 4 * math.ceil(math.log2(ranks)) + 4:
        yield f"{found['messages']} messages a rank"
    if found["policy"] == "minimum_moves":
        if found["moved"] != found["minimum"]:
            yield "more moved than need be"
        if found["item_messages"] > found["givers"] + found["takers"] - 1:
            yield "too many messages with items"


def main(arguments):
    policies = [word for word in arguments if word in POLICIES] or POLICIES
    sizes = [int(word) for word in arguments if word not in POLICIES] or [16, 64, 256, 1024]
    failed = False
    print(f"{'policy':<15}{'ranks':>6}{'simulated us':>14}{'messages a rank':>17}"
          f"{'moved/fewest':>14}{'item messages':>15}{'bound':>7}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = build(folder)
        for policy in policies:
            for ranks in sizes:
                found = simulate(folder, program, policy, ranks)
                why = "; ".join(complaints(found))
                failed = failed or bool(why)
                print(f"{policy:<15}{ranks:>6}{1e6 * (found['end'] - found['begin']):>14.1f}"
                      f"{found['messages']:>17}{found['moved'] / max(1, found['minimum']):>14.3f}"
                      f"{found['item_messages']:>15}{found['givers'] + found['takers'] - 1:>7}"
                      f"{'   ' + why if why else ''}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
