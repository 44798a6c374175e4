#!/usr/bin/env python3
"""Whether the tests of fleets would see what they look for: servers and links alone, no agents.

usage: harness_test.py --program PROGRAM --jobs PROGRAM [TEST...]
"""

import random
import time

from agent_case import ACK_WAIT, ACK_WAIT_SHORT, AgentCase, Storm
from fleet import path
from nats_client import NatsClient, NatsError


class HarnessTest(AgentCase):
    needs_agent = False

    def begin(self, links=((0, 1),), ack_wait=ACK_WAIT, **how):
        fleet = self.fleet(links, **how)
        fleet.make_queues(ack_wait)
        return fleet

    def test_servers_that_are_killed_bring_back_no_more_than_they_are_counted_to_forget(self):
        fleet = self.begin(ack_wait=ACK_WAIT_SHORT, has_proxies=False)
        fleet.put(fleet.sites[0], 1, 1500)
        fleet.sites[0].start_worker(rate=300)
        storm = Storm(fleet, random.Random(5))
        for lines in (200, 500, 800):
            storm.plan(lines, lambda: storm.kill_a_server(fleet.sites[0]))
        storm.blow(30)
        self.expect_each_worked_off(fleet, range(1, 1501), 30)
        self.expect_empty(fleet)
        self.expect_doubles_explained(fleet)
        self.assertGreater(fleet.doubles(), 0)
        with self.assertRaises(AssertionError):
            self.expect_none_twice(fleet)

    def test_a_job_that_is_lost_or_damaged_is_noticed(self):
        fleet = self.begin(has_proxies=False)
        fleet.put(fleet.sites[0], 1, 30)
        client = fleet.sites[0].client
        self.assertTrue(client.ask("STREAM.MSG.DELETE.JOBS", seq=7)["success"])
        client.request("jobs.y", b"31", headers={"Job": 31, "Job-Subject": "jobs.x",
                                                 "Job-Size": 2})
        fleet.start_workers()
        fleet.wait_until_worked_off([number for number in range(1, 32) if number != 7], 20)
        with self.assertRaisesRegex(TimeoutError, r"1 jobs are left, such as \[7\]"):
            fleet.wait_until_worked_off(range(1, 32), 1)
        self.assertEqual(fleet.broken, ["site0: broken 31 subject"])

    def test_workers_that_end_give_back_what_they_have_fetched(self):
        fleet = self.begin(has_proxies=False)
        fleet.put(fleet.sites[0], 1, 100)
        fleet.sites[0].start_worker(rate=20, batch=50)
        fleet.wait_until(lambda: fleet.look() or fleet.lines >= 3, 20, "some jobs worked off")
        fleet.stop_workers()
        fleet.sites[0].start_worker()
        self.expect_each_worked_off(fleet, range(1, 101), ACK_WAIT - 1)
        self.expect_none_twice(fleet)

    def test_links_are_slow_stalled_cut_and_lossy_as_they_are_told(self):
        fleet = self.begin(path(2))
        name = "site0>site1"
        port = fleet.port_of_link(name)
        with NatsClient(port) as client:
            client.flush()
            fleet.links_do(delay={name: 0.2})
            start = time.monotonic()
            for _ in range(10):
                client.flush()
            self.assertGreater(time.monotonic() - start, 0.5)
            fleet.links_do(delay={name: 0}, stall=[name])
            with self.assertRaises(NatsError):
                client.flush(0.3)
            self.assertFalse(client.is_over.is_set())
            fleet.links_do(heal=[name])
            client.flush()
            fleet.links_do(cut=[name])
            client.wait_until_over(2)
            self.assertTrue(client.is_over.is_set())
            with self.assertRaises((OSError, NatsError)):
                NatsClient(port, timeout=1)
        fleet.heal()
        with NatsClient(port) as client:
            fleet.links_do(drop={name: 1.0})
            client.publish("jobs.lost", b"x" * 1000)
            client.wait_until_over(2)
            self.assertTrue(client.is_over.is_set())
        self.assertEqual(fleet.backlogs(), [0, 0])


if __name__ == "__main__":
    HarnessTest.main(__doc__)
