#!/usr/bin/env python3
"""Large fleets, and failures that take long: partitions, full disks, clocks that jump.

usage: fleet_long_test.py --program PROGRAM --jobs PROGRAM [--seed N] [--many N] [TEST...]
"""

import pathlib
import random
import secrets
import time

from agent_case import ACK_WAIT_SHORT, AgentCase, Storm
from fleet import path, ring, torus

FAKE_TIME = "/usr/lib/*/faketime/libfaketime.so.1"


class FleetLongTest(AgentCase):
    def begin(self, links, **how):
        fleet = self.fleet(links, **how)
        fleet.make_queues(4 * ACK_WAIT_SHORT)
        fleet.start_agents()
        return fleet, Storm(fleet, random.Random(self.options.seed), down=(0.5, 5))

    def test_sixty_four_sites_work_a_million_jobs_off_while_all_fails(self):
        fleet, storm = self.begin(torus(8))
        many = self.options.many
        storm.spread(100, many // 20, many // 2, storm.kill_an_agent)
        storm.spread(40, many // 20, many // 2, storm.kill_a_server)
        storm.spread(40, many // 20, many // 2, storm.trouble_links)
        storm.spread(4, many // 10, many // 2, lambda: self.part(fleet, storm))
        fleet.start_workers(batch=32)
        quarter = many // 4
        putting = [fleet.begin_put(fleet.sites[at], 1 + number * quarter, quarter, at_once=256)
                   for number, at in enumerate((0, 27, 36, 63))]
        storm.blow(2000)
        patience = 600 + many // 500  # seconds
        self.assertEqual([process.wait(patience) for process in putting], [0] * 4)
        fleet.wait_until_worked_off(range(1, 4 * quarter + 1), patience)
        fleet.stop_workers()
        fleet.put(fleet.sites[0], many + 1, 6400)
        print(f"level after {fleet.wait_until_level(900)[0]:.1f} s", flush=True)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, [*range(1, 4 * quarter + 1),
                                            *range(many + 1, many + 6401)], 300)
        self.expect_empty(fleet, 300)
        print(f"{fleet.doubles()} of at most {fleet.forgotten()} jobs twice", flush=True)
        self.expect_doubles_explained(fleet, storm.servers_killed)

    @staticmethod
    def part(fleet, storm):
        """Into two halves that hear nothing of each other for a while."""
        half = {site.name for site in fleet.sites[:len(fleet.sites) // 2]}
        between = [name for name in fleet.link_names
                   if len(half & set(name.split(">"))) == 1]
        fleet.links_do(stall=between)
        storm.later(lambda: fleet.links_do(heal=between), 10)

    def test_halves_that_were_apart_for_long_level_each_alone_and_then_together(self):
        fleet, _ = self.begin(ring(6))
        between = ["site0>site5", "site5>site0", "site2>site3", "site3>site2"]
        fleet.wait_until(lambda: all(site["alive"] for site in fleet.status()["sites"]), 20,
                         "agents that run")
        fleet.links_do(stall=between)
        fleet.put(fleet.sites[1], 1, 600)
        fleet.put(fleet.sites[4], 601, 60)
        fleet.wait_until(lambda: self.is_level(fleet, 0, 3) and self.is_level(fleet, 3, 6), 120,
                         "halves that are level")
        fleet.wait_until(lambda: sum(fleet.backlogs()[:3]) == 600, 30, "600 jobs in a half")
        time.sleep(60)  # longer than anything is waited for
        fleet.links_do(heal=between)
        fleet.wait_until_level(120, 660)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 661), 60)
        self.expect_none_twice(fleet)

    def test_jobs_in_doubt_for_longer_than_ids_are_remembered_are_counted(self):
        fleet = self.begin_with_jobs_in_doubt(path(2), 300, duplicates=100)
        there = fleet.sites[1]
        there.start_worker()
        fleet.wait_until(lambda: there.backlog() == 0, 20, "jobs that are worked off")
        time.sleep(110)
        self.lose_what_is_held_up(fleet)
        self.assertGreater(fleet.wait_for_event(fleet.sites[0], "repeated")["perhaps_twice"], 0)
        fleet.sites[0].start_worker()
        self.expect_each_worked_off(fleet, range(1, 301), 60)
        self.expect_empty(fleet)
        self.expect_doubles_counted(fleet)

    @staticmethod
    def is_level(fleet, first, end):
        backlogs = fleet.backlogs()[first:end]
        return max(backlogs) - min(backlogs) <= 2 and sum(backlogs) > 0

    def test_a_site_whose_disk_is_full_keeps_none_from_working_and_takes_jobs_again_later(self):
        fleet, _ = self.begin(ring(3), store_max={1: "200KB"}, has_proxies=False)
        fleet.put(fleet.sites[0], 1, 900, size=2000)  # a third would be 600 kB
        time.sleep(20)
        fleet.wait_until_holds(900)
        self.assertGreater(fleet.backlogs()[2], 100)
        self.assertLess(fleet.sites[1].backlog(), 110)
        for site in fleet.sites:
            self.assertIsNone(site.agent.poll(), site.said())
        taken = fleet.sites[1].backlog()
        fleet.sites[1].start_worker()
        fleet.wait_until(lambda: fleet.look() or len(fleet.worked) > taken + 100, 60,
                         "jobs that come where there is room again")
        fleet.sites[0].start_worker()
        fleet.sites[2].start_worker()
        self.expect_each_worked_off(fleet, range(1, 901), 120)
        self.expect_none_twice(fleet)

    def test_agents_whose_clocks_jump_lose_no_job(self):
        """Servers, which the library cannot deceive, keep their time."""
        libraries = [str(file) for file in pathlib.Path("/").glob(FAKE_TIME[1:])]
        if not libraries:
            self.skipTest("expected libfaketime, found none")
        fleet = self.fleet(ring(4), has_proxies=False)
        fleet.make_queues(ACK_WAIT_SHORT)
        chance = random.Random(self.options.seed)
        for site in fleet.sites:
            clock = site.folder / "clock"
            clock.write_text("+0", encoding="utf-8")
            site.agent_environment = {
                "LD_PRELOAD": libraries[0], "FAKETIME_TIMESTAMP_FILE": str(clock),
                "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
            site.start_agent()
        fleet.start_workers(rate=50)
        putting = fleet.begin_put(fleet.sites[0], 1, 4000, rate=400)
        for _ in range(30):
            site = chance.choice(fleet.sites)
            jump = chance.choice((-86400, -60, -5, 5, 60, 86400, 10 ** 9))
            (site.folder / "clock").write_text(f"{jump:+}", encoding="utf-8")
            time.sleep(0.5)
        self.assertEqual(putting.wait(60), 0)
        self.expect_each_worked_off(fleet, range(1, 4001), 120)
        self.expect_empty(fleet)
        self.expect_none_twice(fleet)


def add_arguments(parser):
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10 ** 9),
                        help="of what is drawn (default: a new one)")
    parser.add_argument("--many", type=int, default=10 ** 6,
                        help="jobs of the largest test (default 1000000)")


if __name__ == "__main__":
    FleetLongTest.main(__doc__, add_arguments)
