#!/usr/bin/env python3
"""Stands on the links of a fleet: passes bytes on, delays them, and breaks connections.

usage: link_proxy.py [--seed N]

Reads lines of JSON and writes one for each. The first is {"NAME": PORT, ...}, from the name of each
direction of a link to the port that it leads to; the reply has the proxy's ports instead. Then:

    {"cut": [NAME, ...]}               connections are closed, new ones at once
    {"stall": [NAME, ...]}             nothing is passed on, and nobody can tell why
    {"heal": [NAME, ...]}              neither of these any more; what was held up goes on
    {"delay": {NAME: SECONDS, ...}}    each chunk of bytes comes later by up to that
    {"drop": {NAME: PROBABILITY, ...}} a chunk is lost from its middle on, with its connection

A stream that lost some of its bytes cannot go on, so that losing them means to close it.
"""

import argparse
import asyncio
import json
import random
import sys
import time

HOST = "127.0.0.1"
LARGEST = 1 << 16
WAITING = 256  # chunks of a connection that may be under way


class Link:
    """One direction of a link: connections that one agent opens to its neighbour's server."""

    def __init__(self, target, chance):
        self.target = target
        self.chance = chance
        self.is_cut = False
        self.flows = asyncio.Event()
        self.flows.set()
        self.delay = 0
        self.drop = 0
        self.writers = set()

    def close_all(self):
        for writer in list(self.writers):
            writer.transport.abort()

    async def serve(self, reader, writer):
        if self.is_cut:
            writer.transport.abort()
            return
        try:
            onward = await asyncio.open_connection(HOST, self.target)
        except OSError:
            writer.transport.abort()
            return
        both = {writer, onward[1]}
        self.writers |= both
        if self.is_cut:
            self.close_all()
        try:
            ways = [asyncio.ensure_future(self.carry(reader, onward[1])),
                    asyncio.ensure_future(self.carry(onward[0], writer))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        finally:
            self.writers -= both
            for each in both:
                each.transport.abort()

    async def carry(self, reader, writer):
        """One way of one connection, until it ends."""
        chunks = asyncio.Queue(WAITING)
        passing = asyncio.ensure_future(self.pass_on(chunks, writer))
        try:
            while data := await reader.read(LARGEST):
                if passing.done():
                    return
                late = self.chance.uniform(0, self.delay) if self.delay else 0
                is_lost = self.drop > 0 and self.chance.random() < self.drop
                await chunks.put((time.monotonic() + late, data, is_lost))
                if is_lost:
                    break
            await chunks.put((0, b"", True))
            await passing
        except OSError:
            pass
        finally:
            passing.cancel()

    async def pass_on(self, chunks, writer):
        while True:
            due, data, is_last = await chunks.get()
            late = due - time.monotonic()
            if late > 0:
                await asyncio.sleep(late)
            await self.flows.wait()
            try:
                writer.write(data[:len(data) // 2] if is_last else data)
                await writer.drain()
            except OSError:
                return
            if is_last:
                return


class Proxy:
    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.links = {}

    async def open(self, targets):
        """The proxy's ports by the names of links."""
        ports = {}
        for name, target in targets.items():
            link = self.links[name] = Link(target, random.Random(self.chance.random()))
            server = await asyncio.start_server(link.serve, HOST, 0)
            ports[name] = server.sockets[0].getsockname()[1]
        return ports

    def do(self, command):
        for verb, names in command.items():
            for name in names:
                link = self.links[name]
                if verb == "cut":
                    link.is_cut = True
                    link.close_all()
                elif verb == "stall":
                    link.flows.clear()
                elif verb == "heal":
                    link.is_cut = False
                    link.flows.set()
                elif verb in ("delay", "drop"):
                    setattr(link, verb, names[name])
                else:
                    raise ValueError(f"expected a command, found {verb!r}")


async def serve(seed):
    proxy = Proxy(seed)
    lines = asyncio.StreamReader(limit=1 << 24)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    print(json.dumps(await proxy.open(json.loads(await lines.readline()))), flush=True)
    while line := await lines.readline():
        proxy.do(json.loads(line))
        print("{}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="of delays and losses")
    asyncio.run(serve(parser.parse_args().seed))
