#!/usr/bin/env python3
"""Puts jobs at a site, or works them off; an application that knows nothing of agents.

usage: jobs.py put PORT COUNT
       jobs.py work PORT SECONDS_A_JOB

It speaks the text protocol of NATS, so that it needs no library; with one, it would be shorter.
"""

import itertools
import json
import socket
import sys
import time

QUEUE = "JOBS.WORKERS"  # stream and consumer


class Site:
    def __init__(self, port):
        self.stream = socket.create_connection(("127.0.0.1", port)).makefile("rwb")
        self.stream.readline()  # INFO
        self.send('CONNECT {"verbose": false, "headers": true, "no_responders": true}',
                  f"SUB inbox.{id(self)}.> 1")

    def send(self, *lines):
        self.stream.write("".join(f"{line}\r\n" for line in lines).encode())
        self.stream.flush()

    def publish(self, subject, text, reply):
        self.send(f"PUB {subject} inbox.{id(self)}.{reply} {len(text)}", text)

    def next_message(self):
        """(subject to reply to, text)"""
        while line := self.stream.readline().decode().split():
            if line[0] == "PING":
                self.send("PONG")
            if line[0] in ("MSG", "HMSG"):
                data = self.stream.read(int(line[-1]) + 2)[:-2]
                head = int(line[-2]) if line[0] == "HMSG" else 0
                return line[3], data[head:].decode()
        sys.exit("the server hung up")


def put(site, count):
    for number in range(count):
        site.publish("jobs.demo", f"job {number}", "stored")
        if "error" in (said := json.loads(site.next_message()[1] or '{"error": "no stream"}')):
            sys.exit(str(said["error"]))
    print(f"{count} jobs are stored")


def work(site, seconds):
    for number in itertools.count(1):
        site.publish(f"$JS.API.CONSUMER.MSG.NEXT.{QUEUE}", '{"batch": 1}', "job")
        acknowledge, job = site.next_message()
        time.sleep(seconds)
        print(f"{number} done, the last was {job}", flush=True)
        site.publish(acknowledge, "+ACK", "done")
        site.next_message()  # the server has taken the acknowledgement


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("put", "work"):
        sys.exit(__doc__)
    at = Site(int(sys.argv[2]))
    put(at, int(sys.argv[3])) if sys.argv[1] == "put" else work(at, float(sys.argv[3]))
