#!/usr/bin/env python3
"""Fleets in which one thing fails: a server that hangs or refuses, a file that cannot be used, a
neighbour that is gone.

usage: trouble_test.py --program PROGRAM --jobs PROGRAM [TEST...]
"""

import contextlib
import json
import signal
import socket
import subprocess
import time

from agent_case import ACK_WAIT, ACK_WAIT_SHORT, AgentCase
from fleet import path
from processes import HOST


class TroubleTest(AgentCase):
    def begin(self, links, **how):
        fleet = self.fleet(links, **{"has_proxies": False, **how})
        fleet.make_queues(ACK_WAIT)
        return fleet

    def test_a_neighbours_server_that_hangs_stops_nobody_for_long(self):
        """What is sent to it fills all buffers on the way."""
        fleet = self.begin(path(2))
        here, there = fleet.sites
        fleet.put(here, 1, 600, size=100_000)
        fleet.start_agents()
        fleet.wait_until(lambda: there.stored() > 0, 20, "a job that is moved")
        there.server.send_signal(signal.SIGSTOP)
        time.sleep(4)
        self.assertTrue(self.of(fleet, "site0")["alive"])
        start = time.monotonic()
        self.assertEqual(here.end_agent(15), 0)
        print(f"ended after {time.monotonic() - start:.1f} s", flush=True)
        there.server.send_signal(signal.SIGCONT)
        here.start_agent()
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 601), 40)
        self.expect_doubles_counted(fleet)

    def test_an_agent_answers_at_once_whatever_its_neighbours_server_does(self):
        """It tries to connect again and again, and hears nothing."""
        fleet = self.begin(path(2))
        here, there = fleet.sites
        there.server.send_signal(signal.SIGSTOP)
        here.start_agent()
        self.expect_quick_answers(fleet, here, 40)
        self.assertEqual(here.end_agent(15), 0)

    def expect_quick_answers(self, fleet, site, count):
        fleet.wait_for_event(site, "connected")
        waits = []
        for _ in range(count):
            start = time.monotonic()
            site.client.request(f"equipoise.test.{site.name}.ask", b"status", timeout=10)
            waits.append(time.monotonic() - start)
            time.sleep(0.1)
        self.assertLess(max(waits), 1, waits)

    def test_an_agent_lives_beside_a_server_that_asks_for_tls_and_falls_silent(self):
        """Nothing ends the attempt to connect to it."""
        fleet = self.begin(path(2))
        here, there = fleet.sites
        there.kill_server()
        with socket.create_server((HOST, there.port)) as listener:
            listener.settimeout(20)
            here.start_agent()
            with listener.accept()[0] as caller:
                caller.sendall(b'INFO {"server_id":"x","tls_required":true}\r\n')
                self.assertTrue(caller.recv(1))  # the beginning of a handshake
                self.expect_quick_answers(fleet, here, 10)
                start = time.monotonic()
                self.assertEqual(here.end_agent(15), 0)
                self.assertLess(time.monotonic() - start, 5)

    def test_an_agent_says_what_it_found_instead_of_its_server(self):
        fleet = self.begin(path(2))
        here = fleet.sites[0]
        here.kill_server()
        with socket.create_server((HOST, here.port)) as listener:
            listener.settimeout(1)
            here.start_agent()
            said = here.folder / "agent.log"
            end = time.monotonic() + 20
            while not (line := said.read_text(encoding="utf-8")) and time.monotonic() < end:
                with contextlib.suppress(TimeoutError), listener.accept()[0] as caller:
                    caller.sendall(b"SSH-2.0-OpenSSH_9.2p1\r\n")
        self.assertIn(f"site0 waits for {here.url}: ", line)
        self.assertIn("SSH-2.0", line)

    def test_a_changed_file_that_names_a_missing_file_changes_nothing(self):
        fleet = self.begin(path(2))
        fleet.start_agents()
        fleet.put(fleet.sites[0], 1, 20)
        fleet.wait_until_level(30, 20)
        text = fleet.file.read_text(encoding="utf-8")
        fleet.file.write_text(text.rstrip()[:-1] + '  node [ id 2 label "site2" server '
                              '"nats://127.0.0.1:1" ca "missing.pem" ]\n'
                              "  edge [ source 0 target 2 ]\n]\n", encoding="utf-8")
        fleet.wait_for_event(fleet.sites[0], "unreadable", 10)
        fleet.put(fleet.sites[0], 21, 20)
        fleet.wait_until_level(30, 40)
        fleet.file.write_text(text, encoding="utf-8")
        self.assertEqual([site.end_agent() for site in fleet.sites], [0, 0])

    def test_changed_credentials_of_its_own_do_not_reach_an_agent_that_runs(self):
        fleet = self.begin(path(2))
        fleet.start_agents()
        fleet.put(fleet.sites[0], 1, 20)
        fleet.wait_until_level(30, 20)
        text = fleet.file.read_text(encoding="utf-8")
        changed = text.replace('label "site0"', 'label "site0" credentials "new.creds"')
        self.assertNotEqual(changed, text)
        fleet.file.write_text(changed, encoding="utf-8")
        self.assertIn("credentials", fleet.wait_for_event(fleet.sites[0], "unreadable", 10)["why"])
        fleet.file.write_text(text, encoding="utf-8")  # for the neighbour's agent
        fleet.put(fleet.sites[0], 21, 20)
        fleet.wait_until_level(30, 40)

    def test_a_job_of_more_than_8_mib_stays_where_it_is(self):
        fleet = self.fleet(path(2), has_proxies=False)
        here, there = fleet.sites
        for site in fleet.sites:
            with open(site.configuration, "a", encoding="utf-8") as file:
                file.write("max_payload: 16MB\n")
            site.restart_server()
        fleet.make_queues(ACK_WAIT)
        fleet.put(here, 1, 1, size=9 << 20)
        fleet.put(here, 2, 1, size=7 << 20)
        fleet.put(here, 3, 20)
        fleet.start_agents()
        fleet.wait_until_level(30, 22)
        self.assertGreater(self.bytes_of_stream(here), 9 << 20)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 23), 40)
        self.expect_none_twice(fleet)

    @staticmethod
    def bytes_of_stream(site):
        return site.client.ask(f"STREAM.INFO.{site.fleet.stream}")["state"]["bytes"]

    def test_jobs_of_a_subject_that_a_neighbour_does_not_take_stay(self):
        fleet = self.fleet(path(2), has_proxies=False)
        here, there = fleet.sites
        here.make_queue(ACK_WAIT)
        there.client.ask("STREAM.CREATE.JOBS", name="JOBS", subjects=["others.>"],
                         retention="workqueue", storage="file")
        fleet.put(here, 1, 20)
        fleet.start_agents()
        event = fleet.wait_for_event(here, "refused", 20)
        self.assertIn("No responders", event["why"])
        fleet.wait_until(lambda: self.of(fleet, "site0")["in_doubt"] == 0, 20, "no doubt")
        here.start_worker()
        self.expect_each_worked_off(fleet, range(1, 21), 30)
        self.expect_none_twice(fleet)

    def test_jobs_that_are_too_large_for_a_neighbour_stay(self):
        fleet = self.begin(path(2))
        here, there = fleet.sites
        there.kill_server()
        with open(there.configuration, "a", encoding="utf-8") as file:
            file.write("max_payload: 1000\n")
        there.start_server()
        there.wait_until_up()
        fleet.put(here, 1, 60, size=2000)
        fleet.start_agents()
        fleet.wait_for_event(here, "refused", 20)
        self.assertEqual(there.stored(), 0)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 61), 30)
        self.expect_none_twice(fleet)

    def wait_until_settled(self, fleet):
        fleet.wait_until(lambda: not self.of(fleet, "site0")["in_doubt"], 40, "no job in doubt")

    def test_jobs_under_way_to_a_neighbour_that_leaves_come_back(self):
        fleet = self.begin_with_jobs_in_doubt([(0, 1), (0, 2)], 300)
        self.assertRegex(fleet.run("status", status=(0, 1)), r"\([0-9]+ doubtful\)")
        fleet.links = [(0, 2)]
        fleet.write_file()
        self.wait_until_settled(fleet)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 301), 60)
        self.assertGreater(fleet.perhaps_twice(), 0)
        self.expect_doubles_counted(fleet)

    def test_a_neighbours_server_that_restarts_may_store_jobs_again_and_they_are_counted(self):
        """Those that were worked off there before the answer came that they are stored."""
        fleet = self.begin_with_jobs_in_doubt(path(2), 300)
        there = fleet.sites[1]
        there.start_worker()
        fleet.wait_until(lambda: there.backlog() == 0, 20, "jobs that are worked off")
        there.stop_worker()
        there.wait_for_worker()
        there.restart_server()
        self.lose_what_is_held_up(fleet)
        self.assertGreater(fleet.wait_for_event(fleet.sites[0], "repeated")["perhaps_twice"], 0)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 301), 60)
        self.expect_empty(fleet)
        self.expect_doubles_counted(fleet)

    def test_a_server_that_restarts_is_not_trusted_to_know_what_it_had_handed_out(self):
        """An agent says so, also one that was away meanwhile."""
        fleet = self.begin_with_jobs_in_doubt(path(2), 300)
        here = fleet.sites[0]
        here.restart_server()
        fleet.wait_for_event(here, "restarted")
        here.kill_agent()
        held = len(json.loads(here.held_file.read_text(encoding="utf-8"))["jobs"])
        self.assertGreater(held, 0)
        here.restart_server()
        here.start_agent()
        recovered = fleet.wait_for_event(here, "recovered")
        self.assertEqual((recovered["jobs"], recovered["perhaps_twice"]), (held, held))
        fleet.heal()
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 301), 60)
        self.expect_doubles_counted(fleet)

    def test_an_agent_that_is_away_for_half_of_the_time_of_its_jobs_keeps_them(self):
        """Killed, or stopped as if its machine slept."""
        fleet = self.begin_with_jobs_in_doubt(path(2), 300)
        here = fleet.sites[0]
        away = ACK_WAIT * 17 / 30 - 1
        here.agent.send_signal(signal.SIGSTOP)
        time.sleep(away)
        here.agent.send_signal(signal.SIGCONT)
        time.sleep(1)  # until it has told its server, and written that
        here.kill_agent()
        time.sleep(away)
        here.start_agent()
        recovered = fleet.wait_for_event(here, "recovered")
        self.assertGreater(recovered["unfinished"], 0)
        self.assertEqual(recovered["perhaps_twice"], 0)
        fleet.heal()
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 301), 60)
        self.expect_none_twice(fleet)
        self.assertEqual([event for event in here.events() if event["event"] == "lapsed"], [])

    def test_an_agent_makes_a_stream_again_that_is_deleted(self):
        fleet = self.begin(path(2))
        fleet.start_agents()
        fleet.put(fleet.sites[1], 1, 100)
        fleet.wait_until_level(30, 100)
        there = fleet.sites[1].client
        there.ask("STREAM.DELETE.JOBS")
        fleet.wait_until(lambda: self.of(fleet, "site1")["state"] == "waiting", 5, "a pause")
        fleet.wait_until(lambda: any(stream["state"]["consumer_count"] for stream in
                                     there.ask("STREAM.LIST")["streams"] or []), 15, "a queue")
        fleet.put(fleet.sites[0], 101, 50)
        fleet.wait_until_level(30, 100)
        fleet.start_workers()
        fleet.wait_until_worked_off(range(101, 151), 30)

    def test_a_stream_that_is_made_anew_loses_none_of_its_jobs_for_those_it_had_before(self):
        """Its jobs have the numbers of some that are under way from the one before."""
        fleet = self.begin_with_jobs_in_doubt(path(2), 300)
        here = fleet.sites[0]
        here.client.ask("STREAM.DELETE.JOBS")
        time.sleep(1)  # while the server removes files, it stores nothing in another stream
        here.make_queue(ACK_WAIT)
        fleet.put(here, 10_001, 1000)
        # A worker takes them all and acknowledges none.
        here.client.publish("$JS.API.CONSUMER.MSG.NEXT.JOBS.WORKERS",
                            b'{"batch": 1000, "expires": 20000000000}', "_INBOX.nobody")
        time.sleep(7)  # the agent waits before it uses another stream
        fleet.heal()
        self.wait_until_settled(fleet)
        fleet.start_workers()
        fleet.wait_until_worked_off(range(10_001, 11_001), 60)

    def test_an_agent_that_never_reaches_its_server_keeps_what_the_one_before_knew(self):
        fleet = self.begin_with_jobs_in_doubt(path(2), 300)
        here = fleet.sites[0]
        here.kill_agent()
        known = here.held_file.read_bytes()
        self.assertGreater(len(json.loads(known)["jobs"]), 0)
        here.kill_server()
        here.start_agent()
        fleet.wait_for_event(here, "waiting")
        self.assertEqual(here.end_agent(), 0)
        self.assertEqual(here.held_file.read_bytes(), known)

    def test_more_jobs_than_one_request_gives_are_counted_when_they_come_back(self):
        self.expect_returned_jobs_counted({})

    def test_so_are_those_of_a_consumer_that_lets_one_request_have_little(self):
        self.expect_returned_jobs_counted({"max_batch": 700})

    def expect_returned_jobs_counted(self, consumer):
        fleet = self.fleet(path(2))
        fleet.make_queues(ACK_WAIT, consumer=consumer)
        here = fleet.sites[0]
        fleet.start_agents("--batch", "4000")
        fleet.wait_until(lambda: all(site["alive"] for site in fleet.status()["sites"]), 20,
                         "two agents")
        fleet.links_do(delay=dict.fromkeys(fleet.link_names, 0.3))
        fleet.put(here, 1, 8000, at_once=256)
        fleet.wait_until(lambda: self.of(fleet, "site0")["held"] > 2000, 30, "held jobs")
        fleet.links_do(stall=["site0>site1", "site1>site0"])
        here.kill_agent()
        jobs = here.backlog()
        here.start_agent()
        fleet.wait_for_event(here, "recovered")
        # What the one before took last may not be in its file: it comes back by itself.
        fleet.wait_until(lambda: self.of(fleet, "site0").get("backlog") == jobs, ACK_WAIT + 20,
                         "all jobs")
        time.sleep(5)  # until it has counted them
        self.assertEqual(self.of(fleet, "site0")["backlog"], jobs)

    def give_a_worker(self, fleet, site, jobs):
        """The jobs of a worker that takes this many, and acknowledges none by itself."""
        given = []
        site.client.subscribe("_INBOX.worker", given.append)
        site.client.publish("$JS.API.CONSUMER.MSG.NEXT.JOBS.WORKERS",
                            json.dumps({"batch": jobs}).encode(), "_INBOX.worker")
        fleet.wait_until(lambda: len(given) == jobs, 10, f"a worker with {jobs} jobs")
        return given

    def test_a_site_whose_workers_have_all_that_its_consumer_allows_gives_none(self):
        fleet = self.fleet(path(2), has_proxies=False)
        fleet.make_queues(ACK_WAIT, consumer={"max_ack_pending": 10})
        here, there = fleet.sites
        fleet.put(here, 1, 40)
        self.give_a_worker(fleet, here, 10)
        fleet.start_agents()
        fleet.wait_until(lambda: self.of(fleet, "site0").get("backlog") == 30, 10, "a look")
        time.sleep(4)
        self.assertEqual(there.stored(), 0)
        fleet.wait_until_level(ACK_WAIT + 20, 40)  # the worker's time is over

    def test_jobs_behind_others_that_a_server_has_lost_are_moved(self):
        """A server that was killed may have to hand out again what it no longer has, since it had
        not written that it need not. It looks for one job a request, and for all of the lost ones
        again after their time."""
        fleet = self.fleet(path(2), has_proxies=False)
        fleet.make_queues(ACK_WAIT_SHORT)
        here, there = fleet.sites
        fleet.put(here, 1, 61)
        given = self.give_a_worker(fleet, here, 61)
        fleet.wait_until(lambda: len(here.pending_on_disk()) == 61, 10, "a file of 61 jobs")
        before = here.consumer_file.read_bytes()
        for sequence in range(2, 62):
            here.client.ask("STREAM.MSG.DELETE.JOBS", seq=sequence)
        here.restart_server(lambda: here.consumer_file.write_bytes(before))
        fleet.put(here, 62, 20)

        def is_moved():
            here.client.publish(given[0].reply, b"+WPI")  # or the lost ones would be forgotten
            return there.stored() >= 10

        for _ in range(ACK_WAIT_SHORT + 1):
            self.assertFalse(is_moved())
            time.sleep(1)
        fleet.start_agents()
        fleet.wait_until(is_moved, 20, "ten jobs of twenty that are moved")
        here.client.publish(given[0].reply, b"+ACK")
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(62, 82), 30)
        self.expect_none_twice(fleet)

    def test_an_agent_whose_file_cannot_be_written_rests_until_it_can(self):
        fleet = self.begin(path(2))
        here, there = fleet.sites
        fleet.start_agents()
        fleet.put(here, 1, 20)
        fleet.wait_until_level(30, 20)
        while not here.held_file.is_dir():  # the agent may write a file in between
            here.held_file.unlink()
            with contextlib.suppress(FileExistsError):
                here.held_file.mkdir()
        fleet.put(here, 21, 200)
        fleet.wait_until(lambda: self.of(fleet, "site0")["state"] == "waiting", 10,
                         "an agent that waits")
        stored = there.stored()
        time.sleep(2)
        self.assertEqual(there.stored(), stored)
        self.assertTrue(any(str(here.held_file) in event["why"] for event in here.events()
                            if event["event"] == "waiting"), here.said())
        here.held_file.rmdir()
        fleet.wait_until_level(30, 220)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 221), 30)
        self.expect_none_twice(fleet)

    def test_a_log_that_is_full_is_complained_of_once_and_a_record_ends_the_agent(self):
        fleet = self.begin(path(2))
        run = [self.options.program, "agent", "--fleet", fleet.file, "--name", "site0", "--state",
               fleet.folder]
        with subprocess.Popen([*run, "--quiet", "--log", "/dev/full"], stderr=subprocess.PIPE,
                              text=True) as agent:
            time.sleep(2)
            agent.send_signal(signal.SIGTERM)
            self.assertRegex(agent.communicate()[1], "^equipoise: /dev/full: cannot be.*\n$")
        self.assertEqual(agent.returncode, 0)
        done = subprocess.run(["sh", "-c", 'trap "" XFSZ; ulimit -f 1; exec "$@"', "sh", *run,
                               "--record", fleet.folder], capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("site0.record: cannot be written: ", done.stderr)


if __name__ == "__main__":
    TroubleTest.main(__doc__)
