#!/usr/bin/env python3
"""What one can ask of agents that run: status, pause, drain, permissions; and what they refuse.

usage: verbs_test.py --program PROGRAM --jobs PROGRAM [TEST...]
"""

import json
import os
import pathlib
import pty
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request

from agent_case import ACK_WAIT, AgentCase
from fleet import path, ring
from processes import HOST, die_with_parent, free_ports

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "fleets"


class VerbsTest(AgentCase):
    def begin(self, links, *options):
        fleet = self.fleet(links, has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        fleet.start_agents(*options)
        return fleet

    def sites(self, fleet):
        """Of the status, by name."""
        return {site["name"]: site for site in fleet.status()["sites"]}

    # Status.

    def test_the_status_tells_what_the_servers_hold_and_what_was_moved(self):
        fleet = self.begin(ring(3))
        fleet.put(fleet.sites[0], 1, 90)
        fleet.wait_until_level(30, 90)
        fleet.wait_until(lambda: [site["backlog"] for site in self.sites(fleet).values()]
                         == fleet.backlogs(), 10, "a status that agrees with the servers")
        fleet.wait_until(lambda: fleet.status()["in_flight"] == 0
                         and fleet.status()["level_since_time"] is not None, 10,
                         "sites that know that they are level")
        status = fleet.status()
        sites = {site["name"]: site for site in status["sites"]}
        self.assertTrue(all(site["alive"] for site in sites.values()))
        self.assertEqual(status["discrepancy"], 0)
        self.assertGreaterEqual(status["moved"], 60)
        self.assertEqual(sum(site["moved"] for site in sites.values()), status["moved"])
        self.assertEqual(sum(site["received"] for site in sites.values()), status["moved"])

    def test_an_agent_that_was_killed_and_a_server_that_was_killed_are_told_apart(self):
        fleet = self.begin(ring(3))
        fleet.wait_until(lambda: all(site["alive"] for site in self.sites(fleet).values()), 20,
                         "three agents")
        fleet.sites[1].kill_agent()
        fleet.sites[2].kill_agent()
        fleet.sites[2].kill_server()
        sites = self.sites(fleet)
        self.assertEqual([site["alive"] for site in sites.values()], [True, False, False])
        self.assertIsNone(sites["site2"].get("backlog"))
        self.assertIn("no answer", fleet.run("status", status=(1,)))
        fleet.run("status", "--quiet", "--watch", "--seconds", "1", status=(1,))

    def test_neither_a_server_that_hangs_nor_a_page_that_is_read_keeps_anybody_for_long(self):
        fleet = self.fleet(path(2), has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        port = free_ports(1)[0]
        fleet.sites[0].agent_options = ["--metrics", str(port)]
        fleet.sites[0].start_agent()
        fleet.wait_until(lambda: self.sites(fleet)["site0"]["alive"], 20, "an agent")
        fleet.sites[1].server.send_signal(signal.SIGSTOP)
        start = time.monotonic()
        self.assertEqual([site["alive"] for site in self.sites(fleet).values()], [True, False])
        self.assertLess(time.monotonic() - start, 3.5)
        with socket.create_connection((HOST, port)) as reader:
            reader.sendall(b"GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n")
            self.assertTrue(reader.recv(100))
            start = time.monotonic()
            self.assertEqual(fleet.sites[0].end_agent(), 0)
            self.assertLess(time.monotonic() - start, 4)

    def test_the_status_is_printed_for_people_too(self):
        fleet = self.begin(ring(3))
        fleet.put(fleet.sites[0], 1, 30)
        fleet.wait_until_level(30, 30)
        said = fleet.run("status")
        for site in fleet.sites:
            self.assertIn(site.name, said)

    def test_a_watched_status_is_redrawn_on_a_terminal_and_added_to_a_file(self):
        fleet = self.begin(path(2))
        fleet.wait_until(lambda: all(site["alive"] for site in self.sites(fleet).values()), 20,
                         "two agents")
        clear = "\x1b[H\x1b[J"
        self.assertNotIn("\x1b", self.watch_two_tables(fleet, *os.pipe()))
        said = self.watch_two_tables(fleet, *pty.openpty())
        screens = said.split(clear)
        self.assertEqual(screens[0], "")
        self.assertGreaterEqual(len(screens), 3)
        self.assertTrue(all(screen.count("discrepancy") == 1 for screen in screens[1:]), said)

    def watch_two_tables(self, fleet, ours, theirs):
        """What a watched status writes until it is interrupted, in the course of a minute."""
        said, is_interrupted = "", False
        with subprocess.Popen([self.options.program, "agent", "status", "--watch", "--seconds",
                               "60", "--fleet", str(fleet.file)], stdout=theirs) as watching:
            os.close(theirs)
            try:
                while part := os.read(ours, 65536):
                    said += part.decode()
                    if not is_interrupted and said.count("figures are measured") >= 2:
                        watching.send_signal(signal.SIGINT)
                        is_interrupted = True
            except OSError:  # a terminal that nobody writes to any more
                pass
        os.close(ours)
        self.assertEqual(watching.returncode, 0)
        self.assertGreaterEqual(said.count("discrepancy"), 2)
        return said

    def test_an_agent_says_in_one_line_what_it_shares_with_whom(self):
        fleet = self.fleet(ring(3), has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        fleet.put(fleet.sites[0], 1, 1234)
        site = fleet.sites[0]
        port = free_ports(1)[0]
        site.agent_options = ["--metrics", str(port)]
        site.start_agent()
        said = site.folder / "agent.log"
        fleet.wait_until(lambda: said.read_text(encoding="utf-8"), 20, "a line")
        time.sleep(1)
        self.assertEqual(said.read_text(encoding="utf-8"),
                         f"site0 shares 1,234 jobs of JOBS at {site.url} with site1, site2; page "
                         f"and metrics at http://127.0.0.1:{port}\n")
        quiet = fleet.sites[1]
        quiet.agent_options = ["--quiet"]
        quiet.start_agent()
        fleet.sites[2].kill_server()
        fleet.sites[2].start_agent()
        waits = fleet.sites[2].folder / "agent.log"
        fleet.wait_until(lambda: waits.read_text(encoding="utf-8"), 20, "a line")
        self.assertIn(f"site2 waits for {fleet.sites[2].url}: ", waits.read_text(encoding="utf-8"))
        self.assertEqual((quiet.folder / "agent.log").read_text(encoding="utf-8"), "")
        self.assertEqual(fleet.sites[2].agent.poll(), None)

    def test_an_agent_says_in_the_words_of_its_server_why_it_cannot_make_the_stream(self):
        fleet = self.fleet(path(2), has_proxies=False)
        fleet.sites[0].client.ask("STREAM.CREATE.OTHER", name="OTHER", subjects=["jobs.>"],
                                  retention="workqueue", storage="file")
        fleet.sites[0].start_agent()
        said = fleet.sites[0].folder / "agent.log"
        fleet.wait_until(lambda: said.read_text(encoding="utf-8"), 20, "a line")
        self.assertIn("stream JOBS: subjects overlap with an existing stream",
                      said.read_text(encoding="utf-8"))

    def test_jobs_that_no_offer_needs_go_back_though_nobody_works(self):
        fleet = self.begin(ring(3))
        fleet.put(fleet.sites[0], 1, 3000)
        fleet.wait_until_level(60, 3000)
        self.expect_none_held(fleet)
        time.sleep(6)  # they are not taken again
        self.assertEqual([site["held"] for site in self.sites(fleet).values()], [0, 0, 0])
        self.assertEqual(fleet.backlogs(), [1000, 1000, 1000])
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 3001), 30)
        self.expect_none_twice(fleet)

    def expect_none_held(self, fleet):
        fleet.wait_until(lambda: not any(site["held"] for site in self.sites(fleet).values()), 30,
                         "agents that hold nothing")

    def test_prometheus_reads_the_metrics(self):
        fleet = self.fleet(ring(3), has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        ports = free_ports(3)
        for site, port in zip(fleet.sites, ports):
            site.agent_options = ["--metrics", f"{HOST}:{port}"]
            site.start_agent()
        fleet.put(fleet.sites[0], 1, 30)
        fleet.wait_until_level(30, 30)
        fleet.wait_until(lambda: self.samples(ports[0]).get(
            'equipoise_backlog_count{site="site0"}') == 10, 10, "a backlog that is shown")
        self.assertEqual(self.samples(ports[0])['equipoise_up{site="site0"}'], 1)
        fleet.sites[0].kill_server()
        fleet.wait_until(lambda: self.samples(ports[0])['equipoise_up{site="site0"}'] == 0, 10,
                         "a server that is shown to be away")

    def test_the_page_shows_sites_that_the_file_names_later(self):
        fleet = self.fleet(path(2), has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        whole = fleet.file.read_text(encoding="utf-8")
        fleet.file.write_text("".join(line for line in whole.splitlines(True)
                                      if "site1" not in line and "edge" not in line),
                              encoding="utf-8")
        port = free_ports(1)[0]
        fleet.sites[0].agent_options = ["--metrics", str(port)]
        fleet.sites[0].start_agent()

        def shown():
            try:
                sites = json.loads(self.served(port, "fleet.json"))["sites"]
            except OSError:  # not yet
                return None
            return [site["name"] for site in sites if site["alive"]]

        fleet.wait_until(lambda: shown() == ["site0"], 20, "a page of one site")
        self.assertNotIn("site1", self.served(port))
        fleet.file.write_text(whole, encoding="utf-8")
        fleet.sites[1].start_agent()
        fleet.wait_until(lambda: shown() == ["site0", "site1"], 20, "a page of both sites")
        self.assertIn("site1", self.served(port))

    @staticmethod
    def served(port, page=""):
        with urllib.request.urlopen(f"http://{HOST}:{port}/{page}", timeout=10) as answer:
            return answer.read().decode()

    def samples(self, port):
        """Of the metrics that Prometheus would read."""
        with urllib.request.urlopen(f"http://{HOST}:{port}/metrics", timeout=10) as answer:
            self.assertIn("text/plain", answer.headers["Content-Type"])
            lines = answer.read().decode().splitlines()
        return {name: float(value) for name, value in
                (line.rsplit(" ", 1) for line in lines if line and not line.startswith("#"))}

    def test_the_log_tells_of_jobs_that_moved_in_lines_of_json(self):
        fleet = self.begin(path(2))
        fleet.put(fleet.sites[0], 1, 20)
        fleet.wait_until_level(30, 20)
        fleet.wait_until(lambda: fleet.status()["moved"] == 10, 10, "ten jobs that are counted")
        for site in fleet.sites:
            self.assertEqual(site.end_agent(), 0)
        given, taken = (site.events() for site in fleet.sites)
        self.assertEqual(sum(event["jobs"] for event in given if event["event"] == "moved"), 10)
        self.assertEqual(given[0]["event"], "started")
        self.assertTrue(all(abs(event["time"] - time.time()) < 600 and event["site"] == "site1"
                            for event in taken))

    # Options.

    def test_jobs_that_shall_stay_stay(self):
        fleet = self.fleet(path(2), has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        fleet.sites[0].agent_options = ["--leave-at-least", "80"]
        fleet.sites[0].start_agent()
        fleet.sites[1].start_agent()
        fleet.put(fleet.sites[0], 1, 100)
        fleet.wait_until(lambda: fleet.backlogs() == [90, 10], 20, "20 jobs that are levelled")
        time.sleep(2)
        self.assertEqual(fleet.backlogs(), [90, 10])
        fleet.put(fleet.sites[1], 101, 100)
        fleet.wait_until(lambda: fleet.backlogs() == [140, 60], 20, "120 jobs that are levelled")

    def test_jobs_that_were_moved_often_enough_stay_until_their_site_is_drained(self):
        fleet = self.fleet(path(3), has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        for site in fleet.sites:
            site.agent_options = ["--transfers-max", "1"]
            site.start_agent()
        fleet.put(fleet.sites[0], 1, 90)
        fleet.wait_until(lambda: fleet.backlogs() == [45, 45, 0], 30, "jobs that move once")
        time.sleep(3)
        self.assertEqual(fleet.backlogs(), [45, 45, 0])
        fleet.wait_until(lambda: [site["backlog"] for site in self.sites(fleet).values()]
                         == [45, 45, 0], 10, "a status that counts them")
        fleet.run("drain", "--name", "site1")
        self.assertEqual(fleet.sites[1].agent.wait(30), 0)
        fleet.sites[1].agent = None
        self.assertEqual(fleet.sites[1].backlog(), 0)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 91), 30)
        self.expect_none_twice(fleet)

    # Pause, resume, drain.

    def test_a_paused_site_neither_gives_nor_takes_until_it_is_resumed(self):
        fleet = self.begin(ring(3))
        fleet.put(fleet.sites[0], 1, 90)
        fleet.wait_until_level(30, 90)
        fleet.run("pause", "--name", "site1")
        fleet.put(fleet.sites[0], 91, 60)
        fleet.wait_until(lambda: fleet.backlogs() == [60, 30, 60], 20,
                         "two sites that are level without the third")
        time.sleep(2)
        self.assertEqual(fleet.backlogs(), [60, 30, 60])
        fleet.run("resume", "--name", "site1")
        self.assertEqual(fleet.wait_until_level(30, 150)[1], [50, 50, 50])

    def test_a_site_that_is_paused_with_jobs_on_offer_gives_them_back_to_workers(self):
        fleet = self.fleet(path(2))
        fleet.make_queues(ACK_WAIT)
        fleet.sites[0].agent_options = ["--batch", "5"]  # so that there are many offers
        fleet.start_agents()
        fleet.wait_until(lambda: all(site["alive"] for site in self.sites(fleet).values()), 20,
                         "two agents")
        fleet.put(fleet.sites[0], 1, 3000)

        def has_open_offer():
            """Which nobody answers, as the link is stalled; if there is none, it goes on."""
            fleet.links_do(stall=fleet.link_names)
            if self.sites(fleet)["site0"]["offered"] > 0:
                return True
            fleet.heal()
            return False

        fleet.wait_until(has_open_offer, 20, "an offer")
        fleet.run("pause", "--name", "site0")
        fleet.wait_until(lambda: self.sites(fleet)["site0"]["held"] == 0, 12, "jobs that go back")
        fleet.heal()
        fleet.run("resume", "--name", "site0")
        fleet.wait_until_level(60, 3000)

    def test_a_drained_site_gives_all_it_has_and_ends(self):
        fleet = self.begin(ring(4))
        fleet.put(fleet.sites[2], 1, 120)
        fleet.wait_until_level(30, 120)
        fleet.run("drain", "--name", "site2")
        self.assertEqual(fleet.sites[2].agent.wait(30), 0)
        fleet.sites[2].agent = None
        self.assertEqual(fleet.sites[2].backlog(), 0)
        said = (fleet.sites[2].folder / "agent.log").read_text(encoding="utf-8")
        handed = re.search(r"^site2 is drained: it has handed (\d+) jobs over$", said, re.M)
        self.assertGreaterEqual(int(handed[1]), 20, said)
        fleet.wait_until_holds(120)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 121), 30)
        self.expect_none_twice(fleet)

    def test_a_second_agent_of_a_site_or_a_port_is_refused(self):
        fleet = self.begin(path(2))
        site = fleet.sites[0]
        fleet.wait_until(lambda: site.held_file.with_suffix(".lock").exists(), 10, "an agent")
        said = self.refused("--fleet", str(fleet.file), "--name", "site0", "--state",
                            str(site.folder))
        self.assertIn("found one that runs", said)
        with socket.create_server((HOST, 0)) as other:
            port = other.getsockname()[1]
            said = self.refused("--fleet", str(fleet.file), "--name", "site1", "--state",
                                str(site.folder), "--metrics", str(port))
        self.assertIn("expected an address of this machine with a port that is free, found "
                      f'"{port}"', said)
        foreign = f"192.0.2.1:{port}"  # kept for documentation: nobody's
        said = self.refused("--fleet", str(fleet.file), "--name", "site1", "--state",
                            str(site.folder), "--metrics", foreign)
        self.assertIn(f'expected an address of this machine with a port that is free, found '
                      f'"{foreign}"', said)
        said = self.refused("--fleet", str(fleet.file), "--name", "site1", "--metrics", "99999")
        self.assertIn('expected [HOST:]PORT with a PORT from 1 to 65535, found "99999"', said)

    def test_an_agent_that_cannot_begin_ends_though_its_page_is_served_already(self):
        fleet = self.fleet(path(2), has_proxies=False)
        port = free_ports(1)[0]
        for _ in range(20):
            said = self.refused("--fleet", str(fleet.file), "--name", "site0", "--state",
                                "missing", "--metrics", str(port))
            self.assertIn("missing: expected a folder", said)

    def test_a_stream_or_consumer_that_may_lose_jobs_is_refused(self):
        fleet = self.fleet(path(2), has_proxies=False)
        site = fleet.sites[0]
        for settings, expected in (
                ({"max_msgs_per_subject": 3, "discard": "new"},
                 "a stream that takes no new job of a full subject either "
                 "(discard_new_per_subject), found one that deletes old ones"),
                ({"storage": "memory"}, "a stream that is kept in files, found one in memory"),
                ({"no_ack": True},
                 "a stream that says when a job is stored, found one that does not (no_ack)"),
                ({"max_bytes": 10_000_000, "discard": "old"},
                 "a stream that takes no new job when it is full (discard: new), found one that "
                 "deletes old ones"),
                ({"max_age": 3_600_000_000_000},
                 "a stream that keeps jobs until they are done (max_age 0), found one that "
                 "deletes them after 3600000 ms")):
            site.client.ask("STREAM.CREATE.JOBS", **{
                "name": "JOBS", "subjects": ["jobs.>"], "retention": "workqueue",
                "storage": "file", **settings})
            said = self.refused("--fleet", str(fleet.file), "--name", "site0", "--state",
                                str(site.folder))
            self.assertIn("stream JOBS: expected " + expected, said)
            site.client.ask("STREAM.DELETE.JOBS")
        site.make_queue(ACK_WAIT, consumer={"headers_only": True})
        said = self.refused("--fleet", str(fleet.file), "--name", "site0", "--state",
                            str(site.folder))
        self.assertIn("expected a consumer WORKERS that hands jobs out whole, found one of their "
                      "headers only", said)

    def test_a_stream_that_refuses_what_is_too_much_is_used(self):
        fleet = self.fleet(path(2), has_proxies=False)
        for site in fleet.sites:
            site.client.ask("STREAM.CREATE.JOBS", name="JOBS", subjects=["jobs.>"],
                            retention="workqueue", storage="file", max_bytes=10_000_000,
                            max_msgs_per_subject=100_000, discard="new",
                            discard_new_per_subject=True)
        fleet.start_agents()
        fleet.wait_until(lambda: all(site["alive"] for site in self.sites(fleet).values()), 20,
                         "two agents")
        fleet.put(fleet.sites[0], 1, 40)
        fleet.wait_until_level(30, 40)

    def test_a_consumer_of_which_few_jobs_may_be_asked_for_shortly_is_used(self):
        fleet = self.fleet(path(2), has_proxies=False)
        for site in fleet.sites:
            site.make_queue(ACK_WAIT, consumer={"max_batch": 3, "max_expires": 200_000_000})
        fleet.start_agents()
        fleet.put(fleet.sites[0], 1, 40)
        fleet.wait_until_level(30, 40)

    def test_the_page_is_served_at_an_address_with_colons_too(self):
        try:
            with socket.create_server(("::1", 0), family=socket.AF_INET6) as other:
                port = other.getsockname()[1]
        except OSError:
            self.skipTest("expected IPv6, found none")
        fleet = self.fleet(path(2), has_proxies=False)
        site = fleet.sites[0]
        site.agent_options = ["--metrics", f"[::1]:{port}"]
        site.start_agent()
        said = site.folder / "agent.log"
        fleet.wait_until(lambda: said.read_text(encoding="utf-8"), 20, "a line")
        self.assertIn(f"page and metrics at http://[::1]:{port}\n",
                      said.read_text(encoding="utf-8"))
        with urllib.request.urlopen(f"http://[::1]:{port}/", timeout=10) as answer:
            self.assertEqual(answer.status, 200)

    def test_the_page_shows_a_site_whose_answer_is_long_on_its_way(self):
        fleet = self.fleet(path(2))
        fleet.make_queues(ACK_WAIT)
        fleet.links_do(delay={"site0>site1": 0.25})  # up to that, each way
        port = free_ports(1)[0]
        fleet.sites[0].agent_options = ["--metrics", str(port)]
        fleet.sites[0].start_agent()
        fleet.sites[1].start_agent()
        fleet.wait_until(lambda: all(site["alive"] for site in self.sites(fleet).values()), 20,
                         "two agents")
        shown = []
        for _ in range(4):
            sites = json.loads(self.served(port, "fleet.json"))["sites"]
            shown.append([site["alive"] for site in sites])
            time.sleep(1.1)
        self.assertGreaterEqual(shown.count([True, True]), 3, shown)

    def test_a_site_that_is_drained_stays_so_and_a_pause_ends_with_the_agent(self):
        fleet = self.begin(path(2))
        fleet.put(fleet.sites[0], 1, 20)
        fleet.wait_until_level(30, 20)
        fleet.sites[1].kill_agent()  # so that site0 cannot hand its jobs over
        fleet.run("pause", "--name", "site0")
        self.assertEqual(self.sites(fleet)["site0"]["state"], "paused")
        fleet.sites[0].kill_agent()
        fleet.sites[0].start_agent()
        fleet.wait_until(lambda: self.sites(fleet)["site0"].get("state") == "running", 10,
                         "an agent that is not paused")
        fleet.run("drain", "--name", "site0")
        said = self.refused("resume", "--fleet", str(fleet.file), "--name", "site0")
        self.assertIn("site0: expected a site that stays, found one that is drained", said)
        self.assertEqual(self.sites(fleet)["site0"]["state"], "draining")

    def test_an_agent_that_ends_gives_back_what_it_holds(self):
        fleet = self.fleet(path(2), has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        for site, port in zip(fleet.sites, free_ports(2)):
            site.agent_options = ["--metrics", str(port)]
            site.start_agent()
        fleet.wait_until(lambda: all(site.held_file.with_suffix(".lock").exists()
                                     for site in fleet.sites), 10, "two agents")
        fleet.put(fleet.sites[0], 1, 500)
        self.assertEqual([site.end_agent() for site in fleet.sites], [0, 0])
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 501), ACK_WAIT - 1)  # none had to be waited for
        self.expect_none_twice(fleet)

    def test_an_agent_that_had_to_wait_says_that_it_goes_on(self):
        fleet = self.begin(path(2))
        fleet.put(fleet.sites[0], 1, 20)
        fleet.wait_until_level(30, 20)
        site = fleet.sites[0]
        said = site.folder / "agent.log"
        fleet.wait_until(lambda: "shares" in said.read_text(encoding="utf-8"), 20, "a line")
        site.kill_server()
        fleet.wait_until(lambda: "waits for" in said.read_text(encoding="utf-8"), 20, "a wait")
        site.start_server()
        site.wait_until_up()
        fleet.wait_until(lambda: "goes on" in said.read_text(encoding="utf-8"), 20, "a line")
        lines = said.read_text(encoding="utf-8").splitlines()
        self.assertRegex(lines[-1],
                         f"^site0 goes on, and shares [0-9]+ jobs of JOBS at {site.url}$")
        self.assertEqual(sum("goes on" in line for line in lines), 1)

    def test_the_example_application_takes_no_farewell_of_a_server_for_a_job(self):
        fleet = self.fleet(path(2), has_proxies=False)
        fleet.make_queues(ACK_WAIT)
        site = fleet.sites[0]
        fleet.put(site, 1, 3)
        with subprocess.Popen([sys.executable, EXAMPLES / "jobs.py", "work", str(site.port), "0"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              preexec_fn=die_with_parent) as worker:
            for number in range(1, 4):
                self.assertTrue(worker.stdout.readline().startswith(f"{number} done"))
            time.sleep(0.5)  # it waits for another job
            site.server.terminate()
            said, complaint = worker.communicate(timeout=30)
        self.assertEqual((said, complaint), ("", "the server hung up\n"))

    # Links that come and go.

    def test_links_come_and_go_while_agents_run(self):
        fleet = self.begin(path(3))
        fleet.put(fleet.sites[0], 1, 30)
        fleet.wait_until_level(30, 30)
        fleet.links = [(1, 2)]
        fleet.write_file()
        for site in fleet.sites[:2]:
            fleet.wait_until(lambda site=site: any(event["event"] == "links"
                                                   for event in site.events()), 10,
                             "an agent that knows the new links")
        alone = fleet.backlogs()[0]
        fleet.put(fleet.sites[0], 31, 30)
        fleet.put(fleet.sites[1], 61, 30)
        fleet.wait_until_level(30, 90)
        self.assertEqual(fleet.backlogs()[0], alone + 30)
        fleet.links = [(0, 2), (1, 2)]
        fleet.put(fleet.sites[2], 91, 60)
        fleet.write_file()
        fleet.wait_until_level(30, 150)
        fleet.start_workers()
        self.expect_each_worked_off(fleet, range(1, 151), 30)
        self.expect_none_twice(fleet)

    def test_a_level_fleet_whose_file_changes_moves_hardly_a_job(self):
        """An agent that begins its program anew knows how many jobs its site has."""
        fleet = self.begin(ring(3))
        fleet.put(fleet.sites[0], 1, 1500)
        fleet.wait_until_level(60, 1500)
        fleet.wait_until(lambda: fleet.status()["level_since_time"], 30, "agents that know it")
        moved = fleet.status()["moved"]
        fleet.links = [(2, 1), (2, 0), (1, 0)]  # the same in another order: nothing begins anew
        fleet.write_file()
        time.sleep(4)
        self.assertFalse(any(event["event"] == "links" for site in fleet.sites
                             for event in site.events()))
        fleet.links = path(3)
        fleet.write_file()
        for site in fleet.sites[::2]:
            fleet.wait_until(lambda site=site: any(event["event"] == "links"
                                                   for event in site.events()), 10,
                             "an agent that knows the new links")
        time.sleep(3)
        self.assertLessEqual(fleet.status()["moved"] - moved, 15)
        fleet.wait_until_level(30, 1500)

    # What is refused.

    def test_bad_input_is_one_line_that_names_what_was_expected(self):
        fleet = self.fleet(path(2), has_proxies=False)
        file = str(fleet.file)
        self.assertIn("site7", self.refused("--fleet", file, "--name", "site7"))
        self.assertIn("--batch: expected at least 1, found 0",
                      self.refused("--fleet", file, "--name", "site0", "--batch", "0"))
        for option, most in (("--batch", "100000"), ("--leave-at-least", "2305843009213693951")):
            self.assertIn(f"{option}: expected at most {most}, found 18446744073709551615",
                          self.refused("--fleet", file, "--name", "site0", option,
                                       "18446744073709551615"))
        self.assertIn("nowhere.gml", self.refused("--fleet", "nowhere.gml", "--name", "site0"))
        text = fleet.file.read_text(encoding="utf-8")
        bad = fleet.folder / "bad.gml"
        for found, instead, expected in (
                (f' server "{fleet.sites[1].url}"', "", "server"),
                (f'"{fleet.sites[1].url}"', '"ftp://127.0.0.1"', "ftp"),
                ('label "site1"', 'label "site 1"', "site 1"),
                ('label "site1"', 'label "site0"', "site0"),
                ("target 1", "target 5", "5")):
            with self.subTest(found=found, instead=instead):
                bad.write_text(text.replace(found, instead), encoding="utf-8")
                said = self.refused("--fleet", str(bad), "--name", "site0")
                self.assertIn("bad.gml", said)
                self.assertIn(expected, said)


if __name__ == "__main__":
    VerbsTest.main(__doc__)
