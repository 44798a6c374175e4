#!/usr/bin/env python3
"""A client of a Redis Cluster that writes and checks all the while, and complains.

usage: checking_client.py --ports P,P,... [--keys N] [--seed N] [--heavy] [--password WORD]

It writes keys, says "ready", and goes on: it writes again, and reads whether each key still has the
value whose write was acknowledged last, through MOVED, ASK, TRYAGAIN and CLUSTERDOWN. A line "read"
or "check" on its input has it read all keys, or also look where they are; a line of JSON says what
was wrong. It ends with its input.
"""

import argparse
import collections
import itertools
import json
import random
import re
import select
import subprocess
import sys
import time

from live_cluster import (PATIENCE, Connection, ReplyError, as_bytes, die_with_parent,
                          nodes_at, slot_of)

# Answers after which the same is asked again.
AGAIN = ("CLUSTERDOWN", "LOADING", "MASTERDOWN", "READONLY", "UNBLOCKED")
COMPLAINTS_MOST = 20


class Lost(Exception):
    """The connection ended before an answer came: the command may have been done."""


class Split(Exception):
    """Of the keys of a command, some have left and some have not; nothing was done."""


class Key:
    """What a client knows of a key. Kinds: text; counter; pair, two keys of one slot that are
    written together; brief, which is often deleted; expiring, in a day."""

    def __init__(self, number, kind, size):
        self.name = f"{kind}:{number}"
        self.kind = kind
        self.size = size
        self.version = 0
        self.names = [f"{{{self.name}}}a", f"{{{self.name}}}b"] if kind == "pair" else [self.name]
        self.slot = slot_of(self.names[0])
        self.value = None  # what each of its names holds; None: nothing

    def next_value(self):
        self.version += 1
        if self.kind == "counter":
            return b"%d" % self.version
        return (b"%b %08d " % (as_bytes(self.name), self.version)).ljust(self.size, b".")

    def write(self, value):
        """The command that gives it a value."""
        if value is None:
            return ("DEL", *self.names)
        if self.kind == "expiring":
            return ("SET", self.name, value, "EX", 86400)
        return ("MSET", *(word for name in self.names for word in (name, value)))


KINDS = ("text", "text", "text", "text", "counter", "pair", "brief", "expiring")


def made_keys(count, heavy, chance):
    """Of different sizes; with `heavy` those of the lower half of the slots are ten times as
    large."""
    keys = []
    for number in range(count):
        key = Key(number, KINDS[number % len(KINDS)], 0)
        size = chance.choice((60, 100, 100, 200, 400, 1200))
        # What is often deleted is small, so that the sum of bytes stays about the same.
        if key.kind != "brief":
            key.size = size * (10 if heavy and key.slot < 8192 else 1)
        keys.append(key)
    return keys


class CheckingClient:
    def __init__(self, ports, count=2000, seed=1, heavy=False, password=""):
        self.ports = list(ports)
        self.password = password
        self.chance = random.Random(seed)
        self.keys = made_keys(count, heavy, self.chance)
        self.connections = {}
        self.owners = {}  # by slot: the port
        self.complaints = []
        self.met = collections.Counter()  # what servers said besides replies
        self.operations = 0

    def complain(self, text):
        if len(self.complaints) < COMPLAINTS_MOST:
            self.complaints.append(text)

    def close(self):
        for port in list(self.connections):
            self.drop(port)

    def connection(self, port):
        if port not in self.connections:
            opened = self.connections[port] = Connection(port)
            if self.password:
                opened.ask("AUTH", self.password)
        return self.connections[port]

    def drop(self, port):
        if port in self.connections:
            self.connections.pop(port).close()

    def learn(self):
        """Asks anybody who holds which slots."""
        for port in self.chance.sample(self.ports, len(self.ports)):
            try:
                nodes = nodes_at(self.connection(port))
            except (OSError, ReplyError):
                self.drop(port)
                continue
            self.owners = {slot: node.port for node in nodes for slot in node.slots()}
            return

    def ask(self, slot, *command):
        """The reply, through redirections. Raises Split, and Lost where it is not known what was
        done."""
        end = time.monotonic() + PATIENCE
        asked_at = None  # a port, after ASK
        for attempt in itertools.count():
            if attempt > 10:  # servers that send on to each other wait for somebody
                time.sleep(0.01)
            if time.monotonic() > end:
                raise TimeoutError(f"no answer to {command[:2]} of slot {slot}; met {self.met}")
            port = asked_at or self.owners.get(slot) or self.chance.choice(self.ports)
            reply = self.answer_of(port, command, asking=asked_at is not None)
            asked_at = None
            if not isinstance(reply, ReplyError):
                self.operations += 1
                return reply
            word = str(reply).split()[0]
            self.met[word] += 1
            if word in ("MOVED", "ASK"):
                named = int(re.search(r":(\d+)$", str(reply))[1])
                if word == "ASK":
                    asked_at = named
                else:
                    self.owners[slot] = named
            elif word == "TRYAGAIN":
                raise Split
            elif word in AGAIN:
                time.sleep(0.01)
                self.owners.pop(slot, None)
            else:
                raise reply

    def answer_of(self, port, command, asking):
        try:
            connection = self.connection(port)
        except (OSError, ReplyError):
            # Nobody is there: nothing was done.
            self.drop(port)
            self.met["refused"] += 1
            time.sleep(0.02)
            self.learn()
            return ReplyError("CLUSTERDOWN nobody is there")
        try:
            commands = [("ASKING",), command] if asking else [command]
            return connection.replies(commands)[-1]
        except OSError as error:
            self.drop(port)
            self.met["lost"] += 1
            raise Lost(str(error)) from error

    def ask_again(self, slot, *command):
        """The same for commands that may be done twice."""
        while True:
            try:
                return self.ask(slot, *command)
            except Lost:
                time.sleep(0.02)
                self.learn()

    def fill(self):
        """Writes all keys for the first time, many at once."""
        self.learn()
        by_port = collections.defaultdict(list)
        for key in self.keys:
            by_port[self.owners[key.slot]].append(key)
        for port, keys in by_port.items():
            for key in keys:
                key.value = key.next_value()
            for reply in self.connection(port).replies([key.write(key.value) for key in keys]):
                if isinstance(reply, ReplyError):
                    raise reply

    def step(self):
        """Reads or writes one key, unless it is one of two that are apart."""
        try:
            self.read_or_write(self.chance.choice(self.keys))
        except Split:
            pass

    def read_or_write(self, key):
        if self.chance.random() < 0.5:
            self.read(key)
        elif key.kind == "counter":
            self.count(key)
        else:
            value = key.next_value()
            if key.kind == "brief" and key.value is not None:
                value = None
            self.ask_again(key.slot, *key.write(value))
            key.value = value

    def count(self, key):
        try:
            found = self.ask(key.slot, "INCR", key.name)
        except Lost:
            found = int(self.ask_again(key.slot, "GET", key.name) or 0)
            if found == key.version:
                return
        if found != key.version + 1:
            self.complain(f"{key.name}: expected {key.version + 1} after INCR, found {found}")
        key.version = found
        key.value = b"%d" % found

    def read(self, key):
        self.compare(key, self.ask_again(key.slot, "MGET", *key.names))

    def compare(self, key, found):
        if found != [key.value] * len(key.names):
            self.complain(f"{key.name} of slot {key.slot}: expected {short(key.value)}, found "
                          f"{', '.join(short(each) for each in found)}")

    def read_all(self):
        """Reads every key through redirections."""
        for key in self.keys:
            self.compare(key, [self.ask_again(key.slot, "GET", name) for name in key.names])
            if key.kind == "expiring" and key.value is not None:
                left = self.ask_again(key.slot, "TTL", key.name)
                if not 80000 < left <= 86400:
                    self.complain(f"{key.name}: expected to expire in a day, found TTL {left}")

    def masters(self):
        nodes = {}
        for port in self.ports:
            node = next(node for node in nodes_at(self.connection(port))
                        if "myself" in node.flags)
            if node.is_master:
                nodes[port] = node
        return nodes

    def look_where_keys_are(self):
        """Every key is on one master, which owns its slot; no slot is open."""
        places = collections.defaultdict(list)
        owners = {}
        for port, node in self.masters().items():
            for key in self.connection(port).ask("KEYS", "*"):
                places[key].append(port)
            for slot in node.slots():
                if slot in owners:
                    self.complain(f"slot {slot} is of {owners[slot]} and of {port}")
                owners[slot] = port
            if node.open:
                self.complain(f"{port} has open slots: {' '.join(node.open[:5])}")
        expected = {as_bytes(name) for key in self.keys if key.value is not None
                    for name in key.names}
        for name in sorted(expected | set(places)):
            ports = places.get(name, [])
            if name in expected and not ports:
                self.complain(f"{name.decode()} is lost")
            elif name not in expected and ports:
                self.complain(f"{name.decode()} is there again, at {ports}")
            elif len(ports) > 1:
                self.complain(f"{name.decode()} is at {ports}")
            elif ports[0] != owners.get(slot_of(name)):
                self.complain(f"{name.decode()} is at {ports[0]}, its slot {slot_of(name)} of "
                              f"{owners.get(slot_of(name))}")

    def check(self):
        self.read_all()
        self.look_where_keys_are()

    def report(self):
        """What was wrong since the last report, as JSON."""
        report = {"operations": self.operations, "met": dict(self.met),
                  "complaints": self.complaints}
        self.complaints = []
        return json.dumps(report)


def short(value):
    if value is None:
        return "nothing"
    return repr(value[:40])


class ClientProcess:
    """The client as a process of its own, as it works while others are tested."""

    def __init__(self, ports, keys=2000, seed=1, heavy=False):
        self.keys = made_keys(keys, heavy, random.Random(seed))
        options = {"keys": keys, "seed": seed, **({"heavy": True} if heavy else {})}
        words = ["--ports", ",".join(str(port) for port in ports)]
        for name, value in options.items():
            words += [f"--{name}"] if value is True else [f"--{name}", str(value)]
        self.process = subprocess.Popen(
            [sys.executable, __file__, *words], text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, preexec_fn=die_with_parent)
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError("the client did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def ask(self, word):
        """Its report after "read" or "check"."""
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the client ended early")
        return json.loads(line)


def work(client, pause):
    """Steps, and what its input asks for; until that ends."""
    client.fill()
    print("ready", flush=True)
    while True:
        if not select.select([sys.stdin], [], [], pause)[0]:
            try:
                client.step()
            except (TimeoutError, ReplyError) as error:
                client.complain(str(error))
            continue
        word = sys.stdin.readline().strip()
        if not word:
            return
        if word == "read":
            client.read_all()
        else:
            client.check()
        print(client.report(), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ports", required=True)
    parser.add_argument("--keys", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--heavy", action="store_true")
    parser.add_argument("--password", default="")
    parser.add_argument("--pause", type=float, default=0.0005, help="seconds between commands")
    options = parser.parse_args()
    work(CheckingClient([int(port) for port in options.ports.split(",")], options.keys,
                        options.seed, options.heavy, options.password), options.pause)


if __name__ == "__main__":
    main()
