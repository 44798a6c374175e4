#!/usr/bin/env python3
"""Fleets whose agents, servers and links fail while jobs are put and worked off.

usage: fleet_test.py --program PROGRAM --jobs PROGRAM [TEST...]
"""

import itertools
import json
import random
import shutil
import signal
import time

from agent_case import ACK_WAIT, ACK_WAIT_SHORT, AgentCase, Storm
from fleet import path, ring, torus

JOBS = 10_000  # of each of the two large tests
LEVELLED = 1_000  # put while nobody works, to be levelled
RATE = 75  # jobs a second of each worker


class FleetTest(AgentCase):
    # Without faults.

    def test_three_sites_level_what_is_put_at_one_and_work_it_off_once(self):
        fleet = self.fleet(ring(3), has_proxies=False)
        fleet.start_recorded_agents()  # which make the queues, too
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
        self.expect_replayed(fleet)
        self.expect_changes_refused(fleet)

    def expect_changes_refused(self, fleet):
        """Of what a program did, in the record of a site."""
        file = fleet.records / "site1.record"
        lines = file.read_text(encoding="utf-8").splitlines()
        for kind in ("send", "take", "give"):
            at = [number for number, line in enumerate(lines) if f'"event":"{kind}"' in line][-1]
            event = json.loads(lines[at])
            changed = event["message"] if kind == "send" else event
            changed["load" if kind == "send" else "tokens"] += 1
            file.write_text("\n".join([*lines[:at], json.dumps(event), *lines[at + 1:]]),
                            encoding="utf-8")
            told = fleet.run("replay", "--record", str(fleet.records), status=(1,))
            self.assertIn(f"refused: {file}:{at + 1}: expected", told)

    def test_an_idle_fleet_says_and_takes_little(self):
        """At most two messages a link and second; processor time with room for slow machines."""
        fleet = self.fleet(torus(3), has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        fleet.start_agents()
        fleet.put(fleet.sites[0], 1, 90)
        fleet.wait_until_level(30, 90)
        fleet.wait_until(lambda: fleet.status()["level_since_time"], 30, "agents that know it")
        time.sleep(8)  # turns become slower step by step

        def spent():
            sent = sum(site["messages_sent"] for site in fleet.status()["sites"])
            return sent, [site.agent_seconds() for site in fleet.sites], time.monotonic()

        messages, seconds, start = spent()
        time.sleep(5)
        messages_then, seconds_then, end = spent()
        rate = (messages_then - messages) / len(fleet.links) / (end - start)
        shares = [(then - before) / (end - start) for before, then in zip(seconds, seconds_then)]
        print(f"{rate:.2f} messages a link and second; of a processor {max(shares):.2%} at most, "
              f"{sum(shares) / len(shares):.2%} on average", flush=True)
        self.assertLessEqual(rate, 2)
        self.assertLessEqual(max(shares), 0.03)

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
        # Its agent may be there before us, so it makes the queue.
        fleet.wait_until(lambda: self.has_queue(fleet.sites[0]), 20, "a queue")
        fleet.put(fleet.sites[0], 301, 300)
        fleet.wait_until_level(30, 300)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 601), 30)
        self.expect_none_twice(fleet)

    # With faults: nine sites, each with four neighbours.

    def begin(self, seed):
        fleet = self.fleet(torus(3), seed=seed)
        fleet.make_queues(ACK_WAIT_SHORT)
        fleet.start_recorded_agents()
        return fleet, Storm(fleet, random.Random(seed))

    def work_while_it_storms(self, fleet, storm):
        """Jobs are put at one site while all work; then what is left is put and levelled while
        nobody works, and worked off."""
        fleet.start_workers(rate=RATE)
        putting = fleet.begin_put(fleet.sites[0], 1, JOBS - LEVELLED, rate=1000)
        storm.blow(180)
        self.assertEqual(putting.wait(30), 0)
        fleet.stop_workers()
        fleet.put(fleet.sites[0], JOBS - LEVELLED + 1, LEVELLED)
        fleet.look()
        # A killed server may list jobs that it has deleted; each costs an agent an attempt.
        seconds, backlogs = fleet.wait_until_level(60)
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
        self.expect_replayed(fleet, lives=9 + 25)  # some may die before their program begins

    def test_agents_that_die_before_or_after_they_write_their_file_double_no_job(self):
        """Between any two of their steps; each life ends at another."""
        fleet = self.fleet(torus(3), has_proxies=False)
        fleet.make_queues(ACK_WAIT_SHORT)
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

    @staticmethod
    def stop_while_they_hold(sites):
        """Whether the agents, which are stopped then, each hold some jobs that are not stored at
        neighbours."""
        for site in sites:
            site.agent.send_signal(signal.SIGSTOP)
        held = [json.loads(site.held_file.read_text(encoding="utf-8"))["jobs"] for site in sites
                if site.held_file.exists()]
        if len(held) == len(sites) and all(any(to != "*" for _, _, to in jobs) for jobs in held):
            return True
        for site in sites:
            site.agent.send_signal(signal.SIGCONT)
        return False

    def test_agents_that_are_away_for_long_say_how_many_jobs_may_be_done_twice(self):
        """One is stopped, as if its machine slept, one is killed, while both move jobs; workers get
        what they held, since its time is over."""
        fleet = self.fleet(ring(3), has_proxies=False)
        fleet.make_queues(ACK_WAIT_SHORT)
        fleet.start_agents()
        fleet.start_workers(rate=RATE)
        putting = fleet.begin_put(fleet.sites[0], 1, 3000, rate=1000)
        fleet.wait_until(lambda: self.stop_while_they_hold(fleet.sites[:2]), 20, "held jobs")
        fleet.sites[1].kill_agent()
        time.sleep(ACK_WAIT_SHORT + 2)
        fleet.sites[0].agent.send_signal(signal.SIGCONT)
        fleet.sites[1].start_agent()
        self.assertEqual(putting.wait(30), 0)
        self.expect_each_worked_off(fleet, range(1, 3001), 40)
        self.expect_empty(fleet)
        stopped = [event for event in fleet.sites[0].events() if event["event"] == "lapsed"]
        killed = [event for event in fleet.sites[1].events() if event["event"] == "recovered"]
        self.assertEqual(len(killed), 1)
        self.assertGreaterEqual(len(stopped), 1)  # more if the machine has no time for it
        self.assertGreater(stopped[0]["jobs"], 0)
        self.assertEqual(killed[0]["unfinished"], 0)
        self.expect_doubles_counted(fleet)

    def test_servers_that_are_killed_double_only_what_they_may_have_forgotten(self):
        fleet, storm = self.begin(seed=2)
        end = JOBS * 2 // 3
        storm.spread(20, 200, end, storm.kill_a_server)
        storm.spread(20, 300, end, storm.kill_an_agent)
        storm.spread(5, 400, end, storm.trouble_links)
        self.work_while_it_storms(fleet, storm)
        self.assertEqual(storm.servers_killed, 20)
        print(f"{fleet.doubles()} of at most {fleet.forgotten()} and {fleet.perhaps_twice()} jobs "
              f"twice, {len(fleet.again)} put again", flush=True)
        self.expect_doubles_explained(fleet, storm.servers_killed)
        self.assertLess(fleet.doubles(), JOBS // 25)  # what agents count is far above what happens
        self.expect_replayed(fleet)


if __name__ == "__main__":
    FleetTest.main(__doc__)
