#!/usr/bin/env python3
"""Strangers and neighbours that mean ill: no job is lost, and no memory taken.

usage: hostile_test.py --program PROGRAM --jobs PROGRAM [TEST...]
"""

import json
import pathlib
import random
import time

from agent_case import ACK_WAIT, AgentCase
from fleet import path, ring
from nats_client import NatsClient

FLOOD = 300_000  # messages
AT_ONCE = 1000  # of these
GROWTH_MAX = 50_000_000  # bytes that an agent may take more while it is attacked
PAGE = 4096
LARGEST = 2 ** 63 - 1


def subject(site, neighbour):
    """Of messages to a site's agent."""
    return f"equipoise.test.{site.name}.from.{neighbour.name}"


def memory(site):
    """Bytes that the agent has in memory."""
    return PAGE * int(pathlib.Path(f"/proc/{site.agent.pid}/statm").read_text().split()[1])


def mutated(text, chance):
    """A message with some of its bytes changed, removed or repeated."""
    text = bytearray(text)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text))
        kind = chance.randrange(4)
        if kind == 0:
            text[at] = chance.randrange(256)
        elif kind == 1:
            del text[at:at + chance.randint(1, 9)]
        elif kind == 2:
            text[at:at] = text[max(0, at - chance.randint(1, 40)):at]
        else:
            text[at:at] = chance.choice((b"9" * 20, b"-1", b"{", b"[[", b'"', b"null", b"1e999"))
        if not text:
            break
    return bytes(text)


class HostileNeighbour:
    """Speaks to the agents beside it in place of a site's own agent, with their tickets: what it
    says is well formed, and false."""

    def __init__(self, fleet, site, chance):
        self.chance = chance
        self.sent = 0
        self.incarnation = chance.randrange(1, 2 ** 60)
        self._own = site.client
        self._numbers = [
            self._own.subscribe(subject(site, neighbour), self._reply_to(site, neighbour))
            for neighbour in fleet.neighbours[site.name]]

    def close(self):
        for number in self._numbers:
            self._own.unsubscribe(number)

    def _reply_to(self, site, neighbour):
        def reply(message):
            heard = json.loads(message.data)
            for ticket in [*heard["tickets"], 1]:
                neighbour.client.publish(subject(neighbour, site), self.lie(heard, ticket))
                self.sent += 1
        return reply

    def lie(self, heard, ticket):
        amount = self.chance.choice((0, 1, 2, 1000, 4097, 10 ** 9, 2 ** 62, LARGEST))
        given = self.chance.choice((0, 1, 10 ** 6, LARGEST))
        if self.chance.random() < 0.2:
            self.incarnation = self.chance.randrange(1, 2 ** 60)
        said = heard.get("message") or {"label": 0, "bit": False}
        return json.dumps({
            "version": 1, "incarnation": self.incarnation, "ticket": ticket,
            "tickets": [self.chance.randrange(1, 2 ** 60)],
            "given": given, "settled": self.chance.choice((0, given)),
            "message": {"kind": self.chance.choice(("packet", "acknowledgement")),
                        "amount": amount, "level": self.chance.choice((0, 5, LARGEST)),
                        "load": self.chance.choice((0, 10, LARGEST)),
                        "label": self.chance.choice((said["label"], 0, 1, 255)),
                        "bit": self.chance.choice((said["bit"], not said["bit"])),
                        "closing": self.chance.random() < 0.2}}).encode()


class HostileTest(AgentCase):
    def begin(self, links):
        fleet = self.fleet(links, has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        fleet.start_agents()
        fleet.wait_until(lambda: all(site["alive"] for site in fleet.status()["sites"]), 20,
                         "agents that run")
        return fleet

    def expect_all_well(self, fleet, numbers):
        """Agents run, level, and each job is worked off once."""
        for site in fleet.sites:
            self.assertIsNone(site.agent.poll(), site.said())
        fleet.wait_until_level(30, len(numbers))
        fleet.start_workers()
        self.expect_each_worked_off(fleet, numbers, 30)
        self.expect_empty(fleet)
        self.expect_none_twice(fleet)

    def counted(self, fleet, what):
        return sum(site.get(what, 0) for site in fleet.status()["sites"])

    def test_malformed_messages_are_counted_and_do_no_harm(self):
        fleet = self.begin(ring(3))
        chance = random.Random(1)
        heard = []
        number = fleet.sites[0].client.subscribe(subject(fleet.sites[0], fleet.sites[1]),
                                                 lambda message: heard.append(message.data))
        fleet.put(fleet.sites[0], 1, 150)
        fleet.wait_until(lambda: len(heard) >= 20, 20, "messages of a neighbour")
        fleet.sites[0].client.unsubscribe(number)
        before = memory(fleet.sites[0])
        bad = [b"", b"{", b"null", b"[" * 100_000, b"{\"version\": 2}", b"\xff" * 100,
               b'{"version": 1}', b'{"a":' * 5000, b"x" * 900_000,
               b'{"version": 1, "tickets": [' + b"1," * 100_000 + b"1]}"]
        bad += [mutated(chance.choice(heard), chance) for _ in range(2000)]
        for at, text in enumerate(bad):
            fleet.sites[0].client.publish(subject(fleet.sites[0], fleet.sites[1]), text)
            if at % 100 == 99:  # what comes faster than it is looked at is dropped unread
                fleet.sites[0].client.flush()
                time.sleep(0.1)
        fleet.sites[0].client.flush()
        fleet.wait_until(lambda: self.counted(fleet, "malformed") >= 500, 20,
                         "malformed messages that are counted")
        self.expect_all_well(fleet, range(1, 151))
        self.assertLess(memory(fleet.sites[0]), before + GROWTH_MAX)

    def test_a_flood_takes_no_memory_and_no_job(self):
        fleet = self.begin(ring(3))
        fleet.put(fleet.sites[0], 1, 150)
        before = memory(fleet.sites[0])
        line = json.dumps({"version": 1, "incarnation": 7, "ticket": 9, "tickets": [3], "given": 0,
                           "settled": 0, "message": {
                               "kind": "packet", "amount": 100, "level": 200, "load": 200,
                               "label": 0, "bit": True, "closing": False}}).encode()
        to = subject(fleet.sites[0], fleet.sites[1])
        line = line.ljust(1500)
        lines = b"PUB %b %d\r\n%b\r\n" % (to.encode(), len(line), line) * AT_ONCE
        answers = 0
        with NatsClient(fleet.sites[0].port) as flood:
            for at in range(0, FLOOD, AT_ONCE):
                flood.send_raw(lines)
                if at % (FLOOD // 5) == 0:
                    answers += fleet.status()["sites"][0]["alive"]
            self.assertLess(memory(fleet.sites[0]), before + GROWTH_MAX)
            self.assertTrue(fleet.status()["sites"][0]["alive"])
        self.assertGreaterEqual(answers, 3)
        self.expect_all_well(fleet, range(1, 151))

    def test_a_neighbour_that_lies_loses_no_job_and_harms_nobody_once_it_is_gone(self):
        fleet = self.begin(ring(3))
        chance = random.Random(2)
        fleet.put(fleet.sites[0], 1, 150)
        fleet.sites[1].kill_agent()
        liar = HostileNeighbour(fleet, fleet.sites[1], chance)
        fleet.wait_until(lambda: liar.sent > 500, 30, "lies")
        for site in (fleet.sites[0], fleet.sites[2]):
            self.assertIsNone(site.agent.poll(), site.said())
        self.assertLessEqual(sum(fleet.backlogs()), 150 + 150)  # copies under way, at the most
        liar.close()
        fleet.sites[1].start_agent()
        self.expect_all_well(fleet, range(1, 151))

    def test_answers_that_no_agent_gives_are_none(self):
        fleet = self.begin(path(2))
        fleet.sites[1].kill_agent()
        client = fleet.sites[1].client
        answers = iter([b"", b"{", b"[1]", b'{"version": 1, "backlog": "x"}',
                        b'{"version": 1, "name": 5, "backlog": 9223372036854775807}'] * 3)
        for verb in ("ask", "status"):
            client.subscribe(f"equipoise.test.site1.{verb}",
                             lambda message: client.publish(message.reply, next(answers)))
        for _ in range(5):
            sites = fleet.status()["sites"]
            self.assertEqual([site["alive"] for site in sites], [True, False])
            self.assertEqual(set(sites[1]), {"name", "alive", "neighbours"})
        for _ in range(5):
            said = self.refused("pause", "--fleet", str(fleet.file), "--name", "site1")
            self.assertIn("site1", said)

    def test_workers_beside_a_liar_get_all_jobs_of_their_sites(self):
        fleet = self.begin(path(3))
        fleet.sites[2].kill_agent()
        liar = HostileNeighbour(fleet, fleet.sites[2], random.Random(3))
        self.addCleanup(liar.close)
        fleet.put(fleet.sites[0], 1, 100)
        for site in fleet.sites:
            site.start_worker(rate=20)
        self.expect_each_worked_off(fleet, range(1, 101), 30)

    def test_ids_that_a_stranger_has_used_before_lose_no_job(self):
        """Whoever may publish to a neighbour's stream may guess what ids jobs will have there."""
        fleet = self.begin(path(2))
        for number in range(1, 201):
            fleet.sites[1].client.request("jobs.x", str(10_000 + number).encode(), headers={
                "Nats-Msg-Id": f"site0.JOBS.{number}", "Job": 10_000 + number,
                "Job-Subject": "jobs.x", "Job-Size": 5})
        fleet.put(fleet.sites[0], 1, 600)
        fleet.wait_until_level(30, 800)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, [*range(1, 601), *range(10_001, 10_201)], 30)
        self.expect_none_twice(fleet)

    def test_forged_headers_of_jobs_lose_no_job(self):
        fleet = self.begin(path(2))
        for number, forged in enumerate(("x", "-5", "99999999999999999999", "1e9", "0x10",
                                         "4294967296", str(LARGEST)), start=1):
            for at in range(10):
                job = 10 * number + at
                fleet.sites[0].client.request("jobs.x", str(job).encode(), headers={
                    "Equipoise-Transfers": forged, "Job": job, "Job-Subject": "jobs.x",
                    "Job-Size": len(str(job))})
        time.sleep(3)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(10, 80), 30)
        self.expect_none_twice(fleet)

    def test_requests_that_nobody_understands_are_ignored(self):
        fleet = self.begin(ring(3))
        fleet.put(fleet.sites[0], 1, 30)
        for text in (b"", b"{", b"drains", b'{"verb": 5}', b'{"version": 9, "verb": "drain"}',
                     b"[" * 100_000):
            fleet.sites[0].client.publish("equipoise.test.site0.ask", text, "nowhere")
        fleet.sites[0].client.flush()
        self.expect_all_well(fleet, range(1, 31))


if __name__ == "__main__":
    HostileTest.main(__doc__)
