#!/usr/bin/env python3
"""Fleets whose agents, servers and links fail while jobs are put and worked off.

usage: fleet_test.py --program PROGRAM --jobs PROGRAM [TEST...]
"""

import itertools
import random
import shutil
import signal
import time

from agent_case import ACK_WAIT, AgentCase, Storm
from fleet import path, ring, torus

JOBS = 10_000  # of each of the two large tests
LEVELLED = 1_000  # put while nobody works, to be levelled
RATE = 75  # jobs a second of each worker


class FleetTest(AgentCase):
    # Without faults.

    def test_three_sites_level_what_is_put_at_one_and_work_it_off_once(self):
        fleet = self.fleet(ring(3), has_proxies=False)
        fleet.start_agents()  # which make the queues, too
        fleet.wait_until(lambda: self.has_queue(fleet.sites[0]), 20, "a queue")
        fleet.put(fleet.sites[0], 1, 300)
        seconds, backlogs = fleet.wait_until_level(30, 300)
        self.assertEqual(backlogs, [100, 100, 100])
        self.assertLess(seconds, 20)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 301), 30)
        fleet.stop_workers()
        self.expect_empty(fleet)
        self.expect_none_twice(fleet)
        for site in fleet.sites:
            self.assertEqual(site.end_agent(), 0)

    @staticmethod
    def has_queue(site):
        found = site.client.ask("STREAM.LIST")["streams"] or []
        return any(stream["state"]["consumer_count"] for stream in found)

    def test_jobs_put_at_the_end_of_a_path_reach_its_other_end(self):
        fleet = self.fleet(path(4), has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        fleet.start_agents()
        fleet.put(fleet.sites[0], 1, 100, size=2000)
        fleet.wait_until_level(30, 100)
        fleet.sites[3].start_worker()
        fleet.wait_until(lambda: fleet.look() or len(fleet.worked) >= 100 - (1 + 2 + 3), 60,
                         "all jobs at the other end but those that are level")
        for site in fleet.sites[:3]:
            site.start_worker()
        self.expect_each_worked_off(fleet, range(1, 101), 30)
        self.expect_none_twice(fleet)

    def test_a_server_that_begins_anew_gives_new_jobs_numbers_that_old_ones_had(self):
        """Its neighbours remember for minutes what they took from it, by number."""
        fleet = self.fleet(ring(3), has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        fleet.start_agents()
        fleet.start_workers()
        fleet.put(fleet.sites[0], 1, 300)
        self.expect_each_worked_off(fleet, range(1, 301), 30)
        self.expect_empty(fleet)
        fleet.stop_workers()
        fleet.sites[0].kill_server()
        shutil.rmtree(fleet.sites[0].folder / "store")
        fleet.sites[0].start_server()
        fleet.sites[0].wait_until_up()
        fleet.sites[0].make_queue(ACK_WAIT)
        fleet.put(fleet.sites[0], 301, 300)
        fleet.wait_until_level(30, 300)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 601), 30)
        self.expect_none_twice(fleet)

    # With faults: nine sites, each with four neighbours.

    def begin(self, seed):
        fleet = self.fleet(torus(3), seed=seed)
        fleet.make_queues(ACK_WAIT)
        fleet.start_agents()
        return fleet, Storm(fleet, random.Random(seed))

    def work_while_it_storms(self, fleet, storm):
        """Jobs are put at one site while all work; then what is left is put and levelled while
        nobody works, and worked off."""
        fleet.start_workers(rate=RATE)
        putting = fleet.begin_put(fleet.sites[0], 1, JOBS - LEVELLED, rate=1000)
        storm.blow(60)
        self.assertEqual(putting.wait(30), 0)
        fleet.stop_workers()
        fleet.put(fleet.sites[0], JOBS - LEVELLED + 1, LEVELLED)
        fleet.look()
        seconds, backlogs = fleet.wait_until_level(30)
        print(f"level after {seconds:.1f} s: {backlogs}", flush=True)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, JOBS + 1), 40)
        self.expect_empty(fleet)

    def test_agents_that_are_killed_lose_no_job_and_double_none(self):
        fleet, storm = self.begin(seed=1)
        end = JOBS * 2 // 3
        storm.spread(50, 100, end, storm.kill_an_agent)
        storm.spread(10, 300, end, storm.trouble_links)
        self.work_while_it_storms(fleet, storm)
        self.assertEqual(storm.agents_killed, 50)
        self.expect_none_twice(fleet)

    def test_agents_that_die_before_or_after_they_write_their_file_double_no_job(self):
        """Between any two of their steps; each life ends at another."""
        fleet = self.fleet(torus(3), has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        lives = itertools.cycle(range(1, 80))

        def start(site):
            site.agent_environment = {"LD_PRELOAD": self.options.sudden_death,
                                      "DIES_AT": str(next(lives)),
                                      "ASAN_OPTIONS": "verify_asan_link_order=0"}
            site.start_agent()

        for site in fleet.sites:
            start(site)
        fleet.start_workers(rate=RATE)
        putting = fleet.begin_put(fleet.sites[0], 1, 5000, rate=600)
        deaths = 0
        while putting.poll() is None or deaths < 60:
            for site in fleet.sites:
                if site.agent.poll() is not None:
                    self.assertEqual(site.agent.returncode, -signal.SIGKILL, site.said())
                    deaths += 1
                    start(site)
            time.sleep(0.05)
        print(f"{deaths} agents died", flush=True)
        for site in fleet.sites:
            site.kill_agent()
            site.agent_environment = {}
            site.start_agent()
        self.expect_each_worked_off(fleet, range(1, 5001), 40)
        self.expect_empty(fleet)
        self.expect_none_twice(fleet)

    def test_agents_that_are_away_for_long_say_how_many_jobs_may_be_done_twice(self):
        """One is stopped, as if its machine slept, one is killed, while both move jobs; workers get
        what they held, since its time is over."""
        fleet = self.fleet(ring(3), has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        fleet.start_agents()
        fleet.start_workers(rate=RATE)
        putting = fleet.begin_put(fleet.sites[0], 1, 3000, rate=600)
        fleet.wait_until(lambda: fleet.look() or fleet.lines > 200, 20, "work")
        fleet.sites[0].agent.send_signal(signal.SIGSTOP)
        fleet.sites[1].kill_agent()
        time.sleep(ACK_WAIT + 2)
        fleet.sites[0].agent.send_signal(signal.SIGCONT)
        fleet.sites[1].start_agent()
        self.assertEqual(putting.wait(30), 0)
        self.expect_each_worked_off(fleet, range(1, 3001), 40)
        self.expect_empty(fleet)
        stopped = [event for event in fleet.sites[0].events() if event["event"] == "lapsed"]
        killed = [event for event in fleet.sites[1].events() if event["event"] == "recovered"]
        self.assertEqual((len(stopped), len(killed)), (1, 1))
        self.assertGreater(stopped[0]["jobs"], 0)
        self.assertEqual(killed[0]["unfinished"], 0)
        fleet.look()
        self.assertLessEqual(fleet.doubles(),
                             stopped[0]["perhaps_twice"] + killed[0]["perhaps_twice"])

    def test_servers_that_are_killed_double_only_what_they_forgot(self):
        fleet, storm = self.begin(seed=2)
        end = JOBS * 2 // 3
        storm.spread(20, 200, end, storm.kill_a_server)
        storm.spread(20, 300, end, storm.kill_an_agent)
        storm.spread(5, 400, end, storm.trouble_links)
        self.work_while_it_storms(fleet, storm)
        self.assertEqual(storm.servers_killed, 20)
        print(f"{fleet.doubles()} of at most {fleet.forgotten()} jobs twice, "
              f"{len(fleet.again)} put again", flush=True)
        self.expect_doubles_explained(fleet)


if __name__ == "__main__":
    FleetTest.main(__doc__)
