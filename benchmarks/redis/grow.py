#!/usr/bin/env python3
"""A Redis Cluster grows from three masters to six: `equipoise reassign --execute` beside redis-cli.

usage: grow.py [--program build/bin/equipoise] [--keys 1000000] [--bytes 1024] [--repeat 5]
       [--full low|even] [--at-once N] [--port 7301] [--folder FOLDER]

Three masters hold all slots, three more hold none. Half of the slots, those below 8192 or (even)
every second one, are ten times as full as the others. Each of these brings the cluster into
balance, the whole command timed, from the same files of the servers, in turn:

  equipoise            reassign redis://... --execute
  redis-cli            --cluster rebalance --cluster-use-empty-masters
  redis-cli pipeline   the same with --cluster-pipeline 100
  bare MIGRATE         as many keys between three pairs of servers that are no cluster: nothing is
                       planned, and no slot changes hands
  bare slots           the slots that equipoise moved, without keys: by the four commands that each
                       needs, sent to all servers at once

Whatever moves keys by MIGRATE and slots by SETSLOT takes longer than the last two together.
Printed is the table of docs/performance.md, medians over the repetitions: seconds and their range,
slots and bytes moved (keys of the slots that have another owner afterwards, by MEMORY USAGE of some
of them), seconds a GB moved and their ratio to redis-cli's, what the fullest and the emptiest
master hold afterwards as multiples of the mean, bytes and slots. After each run all keys are
counted, those of a sample are read and compared, and no slot may be open.
"""

import argparse
import concurrent.futures
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import servers

MASTERS_BEFORE, MASTERS_AFTER = 3, 6
TIMES_AS_FULL = 10
SAMPLED_KEYS = 20_000
AT_ONCE = 400  # keys in a bare MIGRATE: about half a megabyte
RUN_MAX = 3600  # seconds


class Keys:
    """The keys of each slot, and the value of each key, which can be computed again."""

    def __init__(self, count, size, full):
        self.size = size
        self.noise = os.urandom(size + 65_536)
        self.tags = servers.tags_of_slots()
        is_full = [slot % 2 == 0 if full == "even" else slot < servers.SLOTS // 2
                   for slot in range(servers.SLOTS)]
        weights = [TIMES_AS_FULL if each else 1 for each in is_full]
        # The first n slots get what rounds to their part of all keys.
        self.in_slot, weight, given = [], 0, 0
        for each in weights:
            weight += each
            self.in_slot.append(count * weight // sum(weights) - given)
            given += self.in_slot[-1]

    def of(self, slot):
        return [b"{%s}:%d" % (self.tags[slot], at) for at in range(self.in_slot[slot])]

    def value(self, slot, at):
        begin = (slot * 31 + at * 7919) % 65_536
        return self.noise[begin:begin + self.size]

    def fill(self, cluster):
        for server, slots in cluster.slots_by_server().items():
            commands = ((b"SET", key, self.value(slot, at))
                        for slot in slots for at, key in enumerate(self.of(slot)))
            for reply in server.ask_all(commands):
                expect(reply == b"OK", f"SET: {reply}")

    def check(self, cluster):
        """All keys are counted; those of a sample are read from the owner of their slot."""
        total = sum(self.in_slot)
        held = sum(server.ask(b"DBSIZE") for server in cluster.servers)
        expect(held == total, f"{total} keys were written, {held} are there")
        step = max(1, total // SAMPLED_KEYS)
        number = 0
        for server, slots in cluster.slots_by_server().items():
            wanted = []
            for slot in slots:
                for at in range(self.in_slot[slot]):
                    number += 1
                    if number % step == 0:
                        wanted.append((slot, at))
            read = server.ask_all((b"GET", b"{%s}:%d" % (self.tags[slot], at))
                                  for slot, at in wanted)
            for (slot, at), value in zip(wanted, read):
                expect(value == self.value(slot, at), f"key {at} of slot {slot} is {value}")


def expect(holds, words):
    if not holds:
        sys.exit(f"grow.py: {words}")


def bytes_of_slots(cluster, keys):
    """What each slot holds, by the MEMORY USAGE of its first and its last key."""
    held = [0] * servers.SLOTS
    for server, slots in cluster.slots_by_server().items():
        asked = [(slot, at) for slot in slots if keys.in_slot[slot]
                 for at in (0, keys.in_slot[slot] - 1)]
        usage = list(server.ask_all((b"MEMORY", b"USAGE", b"{%s}:%d" % (keys.tags[slot], at))
                                    for slot, at in asked))
        for (slot, _), one in zip(asked, usage):
            held[slot] += one * keys.in_slot[slot] // 2
    return held


@dataclass
class Run:
    seconds: float
    moves: dict  # slots by the ports of their owners before and afterwards
    slots_moved: int
    bytes_moved: int
    bytes_level: tuple  # the fullest and the emptiest master, as multiples of the mean
    slots_level: tuple

    @property
    def seconds_a_gigabyte(self):
        return self.seconds / (self.bytes_moved / 1e9)


def level(amounts):
    mean = sum(amounts) / len(amounts)
    return max(amounts) / mean, min(amounts) / mean


def play(command, cluster, keys, held):
    """Restores the cluster, runs the command, and checks and measures what it made."""
    cluster.restore()
    before = cluster.owners()
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_MAX)
    seconds = time.monotonic() - begin
    expect(done.returncode == 0, f"{' '.join(command)}: exit status {done.returncode}\n"
           f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    cluster.wait_until_well()
    expect(not cluster.has_open_slots(), f"{' '.join(command)} left open slots")
    after = cluster.owners()
    keys.check(cluster)
    cluster.stop()
    moved = [slot for slot in range(servers.SLOTS) if before[slot] != after[slot]]
    masters = [[slot for slot in range(servers.SLOTS) if after[slot] == port]
               for port in cluster.ports]
    moves = {}
    for slot in moved:
        moves.setdefault((before[slot], after[slot]), []).append(slot)
    return Run(seconds, moves, len(moved), sum(held[slot] for slot in moved),
               level([sum(held[slot] for slot in slots) for slots in masters]),
               level([len(slots) for slots in masters]))


def bare_migrate(folder, port, keys, count):
    """Seconds in which MIGRATE brings `count` keys from three servers to three others."""
    pairs = [[servers.Server(pathlib.Path(folder) / "bare" / str(at), at)
              for at in (port + 2 * pair, port + 2 * pair + 1)] for pair in range(3)]
    try:
        commands = []
        for source, target in pairs:
            source.start()
            target.start()
            names = [b"%d" % at for at in range(count // 3)]
            for reply in source.ask_all((b"SET", name, keys.value(0, at))
                                        for at, name in enumerate(names)):
                expect(reply == b"OK", f"SET: {reply}")
            commands.append([(b"MIGRATE", b"127.0.0.1", b"%d" % target.port, b"", b"0", b"5000",
                              b"KEYS", *names[at:at + AT_ONCE])
                             for at in range(0, len(names), AT_ONCE)])
        begin = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(3) as threads:
            replies = list(threads.map(lambda pair, own: list(pair[0].ask_all(own)), pairs,
                                       commands))
        seconds = time.monotonic() - begin
        expect(all(reply == b"OK" for own in replies for reply in own), "MIGRATE failed")
        expect(sum(target.ask(b"DBSIZE") for _, target in pairs) == count // 3 * 3,
               "keys were lost")
        return seconds
    finally:
        for server in (server for pair in pairs for server in pair):
            server.stop()


def bare_slots(folder, port, moves):
    """Seconds in which the slots of a cluster without keys get new owners. Masters that give and
    take do so in turn, as they must when there are keys."""
    with servers.Cluster(pathlib.Path(folder) / "slots", port, MASTERS_AFTER) as cluster:
        cluster.create(MASTERS_BEFORE)
        by_port = {server.port: server for server in cluster.servers}
        ids = {each: server.ask(b"CLUSTER", b"MYID") for each, server in by_port.items()}
        first = min(moves)[0]

        def hand_over(pairs):
            for where, what, other in ((1, b"IMPORTING", 0), (0, b"MIGRATING", 1), (1, b"NODE", 1),
                                       (0, b"NODE", 1)):
                commands = {}
                for pair, slots in pairs.items():
                    commands.setdefault(pair[where], []).extend(
                        (b"CLUSTER", b"SETSLOT", b"%d" % slot, what, ids[pair[other]])
                        for slot in slots)
                replies = list(threads.map(
                    lambda each, own: list(by_port[each].ask_all(own)), commands,
                    commands.values()))
                expect(all(reply == b"OK" for own in replies for reply in own), "SETSLOT failed")

        moves = {(source - first + port, target - first + port): slots
                 for (source, target), slots in moves.items()}
        givers = {source for source, _ in moves}
        rounds = [{pair: slots for pair, slots in moves.items() if pair[1] not in givers}]
        rounds += [{pair: slots for pair, slots in moves.items() if pair[1] == target}
                   for target in sorted(givers)]
        seconds = 0
        with concurrent.futures.ThreadPoolExecutor(MASTERS_AFTER) as threads:
            for pairs in rounds:
                begin = time.monotonic()
                hand_over(pairs)
                seconds += time.monotonic() - begin
                # A master gives only once all know the epoch that it got by taking.
                cluster.wait_until_well()
        owners = cluster.owners()
        expect(all(owners[slot] == target for (_, target), slots in moves.items()
                   for slot in slots), "a slot has another owner")
        return seconds


def bare_row(name, seconds, slots, moved, measure):
    """A part of what every row of the table consists of."""
    median = statistics.median(seconds)
    each = f"{median / (moved / 1e9):.3g} | {median / (moved / 1e9) / measure:.2f}"
    return (f"| {name} | {median:.1f} ({min(seconds):.1f} to {max(seconds):.1f}) | {slots:,} | "
            f"{moved / 1e9:.3g} | {each} | | |")


def table(runs):
    """`runs` by name; redis-cli's seconds a gigabyte are the measure of all others."""
    median = statistics.median
    yield ("| | Seconds (range) | Slots moved | GB moved | Seconds a GB | Beside redis-cli | "
           "Bytes: fullest, emptiest | Slots: fullest, emptiest |")
    yield "|---|---|---|---|---|---|---|---|"
    measure = median(run.seconds_a_gigabyte for run in runs["redis-cli"])
    for name, all_runs in runs.items():
        seconds = [run.seconds for run in all_runs]
        each = median(run.seconds_a_gigabyte for run in all_runs)
        yield (f"| {name} | {median(seconds):.1f} ({min(seconds):.1f} to {max(seconds):.1f}) | "
               f"{median(run.slots_moved for run in all_runs):,.0f} | "
               f"{median(run.bytes_moved for run in all_runs) / 1e9:.3g} | {each:.3g} | "
               f"{each / measure:.2f} | " + " | ".join(
                   f"{max(getattr(run, what)[0] for run in all_runs):.3f}, "
                   f"{min(getattr(run, what)[1] for run in all_runs):.3f}"
                   for what in ("bytes_level", "slots_level")) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bin/equipoise", type=pathlib.Path)
    parser.add_argument("--keys", default=1_000_000, type=int)
    parser.add_argument("--bytes", default=1024, type=int, help="of each value")
    parser.add_argument("--repeat", default=5, type=int)
    parser.add_argument("--full", default="low", choices=("low", "even"))
    parser.add_argument("--at-once", type=int, help="of equipoise")
    parser.add_argument("--port", default=7301, type=int, help="the first of six")
    parser.add_argument("--folder", help="where servers keep their files (a temporary one)")
    given = parser.parse_args()
    if why := servers.missing():
        print(f"grow.py: skipped: {why}")
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as folder, \
            servers.Cluster(folder, given.port, MASTERS_AFTER) as cluster:
        cluster.create(MASTERS_BEFORE)
        keys = Keys(given.keys, given.bytes, given.full)
        keys.fill(cluster)
        held = bytes_of_slots(cluster, keys)
        cluster.keep()
        address = f"127.0.0.1:{given.port}"
        ours = [str(given.program.resolve()), "reassign", "redis://" + address, "--execute"]
        if given.at_once:
            ours += ["--at-once", str(given.at_once)]
        theirs = ["redis-cli", "--cluster", "rebalance", address, "--cluster-use-empty-masters",
                  "--cluster-yes"]
        commands = {"equipoise": ours, "redis-cli": theirs,
                    "redis-cli pipeline": theirs + ["--cluster-pipeline", "100"]}
        runs = {name: [] for name in commands}
        for _ in range(given.repeat):
            for name, command in commands.items():
                runs[name].append(play(command, cluster, keys, held))
                run = runs[name][-1]
                print(f"{name}: {run.seconds:.1f} s, {run.slots_moved:,} slots, "
                      f"{run.bytes_moved / 1e9:.3g} GB", file=sys.stderr, flush=True)
        print(f"{given.keys:,} keys of {given.bytes:,} bytes, {sum(held) / 1e9:.3g} GB by MEMORY "
              f"USAGE; {os.cpu_count()} processors; medians of {given.repeat}\n")
        print("\n".join(table(runs)))
        cluster.stop()
        moved = statistics.median(run.bytes_moved for run in runs["equipoise"])
        count = round(moved / sum(held) * given.keys)
        seconds = [bare_migrate(folder, given.port + MASTERS_AFTER, keys, count)
                   for _ in range(given.repeat)]
        measure = statistics.median(run.seconds_a_gigabyte for run in runs["redis-cli"])
        print(bare_row("bare MIGRATE", seconds, 0, moved, measure))
        moves = runs["equipoise"][-1].moves
        seconds = [bare_slots(pathlib.Path(folder) / str(at), given.port, moves)
                   for at in range(given.repeat)]
        print(bare_row("bare slots", seconds, sum(map(len, moves.values())), moved, measure))


if __name__ == "__main__":
    main()
