#!/usr/bin/env python3
"""Puts jobs at a site, or works them off; an application that knows nothing of agents.

usage: jobs.py put [HOST:]PORT COUNT [FIRST]
       jobs.py work [HOST:]PORT SECONDS_A_JOB

Jobs have numbers from FIRST (default 0) on. It speaks the text protocol of NATS, so that it needs
no library; with one, it would be shorter.
"""

import itertools
import json
import socket
import sys
import time

QUEUE = "JOBS.WORKERS"  # stream and consumer


class Site:
    def __init__(self, address):
        host, _, port = address.rpartition(":")
        self.stream = socket.create_connection((host or "127.0.0.1", int(port))).makefile("rwb")
        self.stream.readline()  # INFO
        self.send('CONNECT {"verbose": false, "headers": true, "no_responders": true}',
                  f"SUB inbox.{id(self)}.> 1")

    def send(self, *lines):
        self.stream.write("".join(f"{line}\r\n" for line in lines).encode())
        self.stream.flush()

    def publish(self, subject, text, reply):
        self.send(f"PUB {subject} inbox.{id(self)}.{reply} {len(text)}", text)

    def next_message(self):
        """(subject to reply to or None, text)"""
        while line := self.stream.readline().decode().split():
            if line[0] == "PING":
                self.send("PONG")
            if line[0] in ("MSG", "HMSG"):
                data = self.stream.read(int(line[-1]) + 2)[:-2]
                head = int(line[-2]) if line[0] == "HMSG" else 0
                sizes = 2 if line[0] == "HMSG" else 1
                reply = line[3] if len(line) > 3 + sizes else None
                return reply, data[head:].decode()
        sys.exit("the server hung up")


def put(site, count, first):
    for number in range(first, first + count):
        site.publish("jobs.demo", f"job {number}", "stored")
        if "error" in (said := json.loads(site.next_message()[1] or '{"error": "no stream"}')):
            sys.exit(str(said["error"]))
    print(f"{count} jobs are stored")


def work(site, seconds):
    for number in itertools.count(1):
        site.publish(f"$JS.API.CONSUMER.MSG.NEXT.{QUEUE}", '{"batch": 1}', "job")
        acknowledge, job = site.next_message()
        while acknowledge is None:  # no job: a server that ends says so
            acknowledge, job = site.next_message()
        time.sleep(seconds)
        print(f"{number} done, the last was {job}", flush=True)
        site.publish(acknowledge, "+ACK", "done")
        site.next_message()  # the server has taken the acknowledgement


if __name__ == "__main__":
    if sys.argv[1:2] == ["put"] and len(sys.argv) in (4, 5):
        put(Site(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) == 5 else 0)
    elif sys.argv[1:2] == ["work"] and len(sys.argv) == 4:
        work(Site(sys.argv[2]), float(sys.argv[3]))
    else:
        sys.exit(__doc__)
