#!/usr/bin/env python3
"""The example fleet with TLS, users and permissions: it levels, and nobody may do more than that.

usage: secure_test.py --program PROGRAM --jobs PROGRAM [TEST...]
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.request

from agent_case import AgentCase
from nats_client import NatsClient, NatsError
from processes import HOST, die_with_parent, free_ports

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "examples" / "fleets" / "secure.sh"
SITES = ("chicago", "denver", "seattle")


class SecureTest(AgentCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="secure-test-")
        cls.folder = pathlib.Path(cls.holder.name) / "fleet"
        cls.port = free_ports(1, also=(1, 2))[0]
        cls.pages = dict(zip(SITES, free_ports(len(SITES))))
        # The script calls the program by its name.
        tools = pathlib.Path(cls.holder.name) / "bin"
        tools.mkdir()
        (tools / "equipoise").symlink_to(cls.options.program)
        subprocess.run([SCRIPT, cls.folder, str(cls.port)], check=True, timeout=60,
                       env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
        cls.ca = str(cls.folder / "ca.pem")
        cls.processes = []
        for site in SITES:
            passwords = dict(line.split("=") for line in
                             (cls.folder / f"{site}.env").read_text().splitlines())
            cls.start(["nats-server", "-c", f"{site}.conf", "-l", f"{site}.log"], **passwords)
        for site in SITES:
            cls.wait_for_server(site)
        for site in SITES:
            cls.start([cls.options.program, "agent", "--fleet", f"{site}.gml", "--name", site,
                       "--log", f"{site}.json", "--metrics", cls.pages[site]])

    @classmethod
    def tearDownClass(cls):
        for process in reversed(cls.processes):
            process.kill()
            process.wait()
        cls.holder.cleanup()

    @classmethod
    def start(cls, words, **environment):
        with open(cls.folder / "out", "a", encoding="utf-8") as log:
            process = subprocess.Popen([str(word) for word in words], cwd=cls.folder,
                                       stdout=log, stderr=log, preexec_fn=die_with_parent,
                                       env={**os.environ, **environment})
        cls.processes.append(process)
        return process

    @classmethod
    def wait_for_server(cls, site):
        """Until it lets in whom its users name."""
        port, name, password = cls.address(site, "workers")
        end = time.monotonic() + 30
        while True:
            try:
                NatsClient(port, ca=cls.ca, **{"user": name, "pass": password}).close()
                return
            except (OSError, NatsError) as error:
                if time.monotonic() > end:
                    raise TimeoutError(f"the server of {site} does not start: {error}") from error
            time.sleep(0.05)

    @classmethod
    def address(cls, site, user):
        """(port, user, password)"""
        passwords = dict(line.split("=") for line in
                         (cls.folder / f"{site}.env").read_text().splitlines())
        return (cls.port + SITES.index(site), user,
                passwords["PASSWORD_" + user.replace("-", "_").upper()])

    def client(self, site, user):
        port, name, password = self.address(site, user)
        client = NatsClient(port, ca=self.ca, **{"user": name, "pass": password})
        self.addCleanup(client.close)
        return client

    def jobs(self, verb, site, *words):
        port, name, password = self.address(site, "workers")
        return self.start([self.options.jobs, verb, "--server",
                           f"nats://{name}:{password}@{HOST}:{port}", "--ca", self.ca, "--inbox",
                           "_INBOX.workers", *words])

    def status(self):
        done = subprocess.run(
            [self.options.program, "agent", "status", "--fleet", self.folder / "fleet.gml",
             "--json"], capture_output=True, text=True, check=False, timeout=30)
        self.assertIn(done.returncode, (0, 1), done.stderr)  # 1: some do not answer yet
        return json.loads(done.stdout)

    def wait_until(self, is_so, what):
        end = time.monotonic() + 30
        while not is_so():
            if time.monotonic() > end:
                raise TimeoutError(f"{what} did not come about: {self.status()}\n"
                                   + (self.folder / "out").read_text()[-2000:])
            time.sleep(0.1)

    def test_it_levels_jobs_and_works_them_off(self):
        self.wait_until(lambda: all(site["alive"] for site in self.status()["sites"]), "agents")
        self.assertEqual(self.jobs("put", "chicago", "--count", 90).wait(30), 0)
        self.wait_until(lambda: [site.get("backlog") for site in self.status()["sites"]]
                        == [30, 30, 30], "a level fleet")
        log = self.folder / "worked"
        workers = [self.jobs("work", site, "--log", log) for site in SITES]
        self.wait_until(lambda: log.exists() and log.read_text().count("sure") >= 90,
                        "jobs worked off")
        for worker in workers:
            worker.send_signal(signal.SIGTERM)
            worker.wait(10)
        self.assertEqual(sorted(int(number) for number in
                                re.findall(r"^worked (\d+)", log.read_text(), re.M)),
                         list(range(1, 91)))

    def test_the_page_of_each_agent_shows_its_neighbours(self):
        """Agents ask as the users that they are; servers then have nothing to complain of."""
        def shown(site):
            with urllib.request.urlopen(f"http://{HOST}:{self.pages[site]}/fleet.json",
                                        timeout=10) as answer:
                return [each["alive"] for each in json.load(answer)["sites"]]

        self.wait_until(lambda: all(site["alive"] for site in self.status()["sites"]), "agents")
        logs = [self.folder / f"{site}.log" for site in SITES]
        before = [log.read_text().count("Violation") for log in logs]
        for site in SITES:
            self.wait_until(lambda site=site: shown(site) == [True] * 3, "a page with all sites")
        self.assertEqual([log.read_text().count("Violation") for log in logs], before)

    def test_a_neighbour_may_ask_how_the_site_stands_and_has_answers_in_its_own_inbox_only(self):
        self.wait_until(lambda: all(site["alive"] for site in self.status()["sites"]), "agents")
        client = self.client("chicago", "agent-denver")
        answers = []
        came = threading.Event()
        client.subscribe("_INBOX.agent-denver.1",
                         lambda message: (answers.append(json.loads(message.data)), came.set()))
        workers = self.client("chicago", "workers")
        others = []
        workers.subscribe("_INBOX.workers.1", others.append)
        workers.flush()
        asked = "equipoise.secure.chicago.status"
        client.publish(asked, b"drain", "_INBOX.workers.1")
        client.publish(asked, b"drain", "_INBOX.agent-denver.1")
        self.assertTrue(came.wait(10))
        workers.flush()
        self.assertEqual(others, [])
        self.assertEqual([(each["name"], each["state"]) for each in answers],
                         [("chicago", "running")])

    def expect_refused(self, client, action):
        before = len(client.errors)
        action(client)
        client.flush()
        self.assertEqual(len(client.errors), before + 1)
        self.assertIn("Permissions Violation", client.errors[-1])

    def test_a_neighbour_may_give_jobs_and_talk_about_its_link_only(self):
        client = self.client("chicago", "agent-denver")
        client.publish("equipoise.secure.chicago.from.denver", b"{}")
        client.flush()
        self.assertEqual(client.errors, [])
        for subject in ("$JS.API.CONSUMER.MSG.NEXT.JOBS.WORKERS", "$JS.API.STREAM.DELETE.JOBS",
                        "$JS.API.STREAM.PURGE.JOBS", "$JS.API.STREAM.MSG.GET.JOBS",
                        "$JS.ACK.JOBS.WORKERS.1.1.1.1.0", "equipoise.secure.chicago.ask",
                        "equipoise.secure.chicago.from.seattle", "$JS.API.STREAM.CREATE.OTHER"):
            with self.subTest(subject=subject):
                self.expect_refused(client, lambda one: one.publish(subject, b"{}"))
        for subject in ("jobs.>", "equipoise.>", "_INBOX.>", "$JS.ACK.>", ">"):
            with self.subTest(subject=subject):
                self.expect_refused(client, lambda one: one.subscribe(subject, print))

    def test_workers_may_not_speak_for_agents(self):
        client = self.client("chicago", "workers")
        for subject in ("equipoise.secure.chicago.from.denver", "equipoise.secure.chicago.ask",
                        "$JS.API.STREAM.DELETE.JOBS"):
            with self.subTest(subject=subject):
                self.expect_refused(client, lambda one: one.publish(subject, b"{}"))

    def test_strangers_are_not_let_in(self):
        with self.assertRaises((OSError, NatsError)):
            NatsClient(self.port, ca=self.ca)
        port, name, _ = self.address("chicago", "workers")
        with self.assertRaises((OSError, NatsError)):
            NatsClient(port, ca=self.ca, **{"user": name, "pass": "guessed"})
        with self.assertRaises((OSError, NatsError)):
            NatsClient(self.port, timeout=2)  # without TLS

    def agent(self, file, state):
        """An agent of Chicago beside the one that runs, and where it writes its lines."""
        (self.folder / state).mkdir()
        said = self.folder / state / "said"
        with open(said, "w", encoding="utf-8") as out:
            agent = subprocess.Popen(
                [self.options.program, "agent", "--fleet", file, "--name", "chicago", "--state",
                 state], cwd=self.folder, stdout=out, stderr=out, preexec_fn=die_with_parent)
        self.addCleanup(agent.wait)
        self.addCleanup(agent.kill)
        return agent, said

    def test_an_agent_says_what_its_server_has_against_it(self):
        text = (self.folder / "chicago.gml").read_text(encoding="utf-8")
        _, _, password = self.address("chicago", "agent-chicago")
        (self.folder / "guessed.gml").write_text(text.replace(password, "guessed"))
        (self.folder / "nothing.gml").write_text(text.replace(' ca "ca.pem"', ""))
        found = [(self.agent(file, "as-" + file), why) for file, why in (
            ("guessed.gml", 'expected a server that lets this agent in, found "Authorization '
                            'Violation"'),
            ("nothing.gml", "expected a server that lets this agent in, found"),
            ("denver.gml", "stream JOBS: Timeout, and the server says: Permissions Violation"))]
        for (agent, said), why in found:
            with self.subTest(why=why):
                self.wait_until(lambda said=said, why=why: why in said.read_text(), why)
                self.assertIsNone(agent.poll())
        # Nor does it end when it connects anew and its certificates are away.
        own = self.folder / "own.pem"
        shutil.copy(self.folder / "ca.pem", own)
        (self.folder / "own.gml").write_text(
            text.replace(password, "guessed").replace("ca.pem", "own.pem"))
        agent, said = self.agent("own.gml", "as-own")
        self.wait_until(lambda: "Authorization" in said.read_text(), "a refusal")
        own.unlink()
        self.wait_until(lambda: "own.pem: expected a file of certificates" in said.read_text(),
                        "a complaint")
        self.assertIsNone(agent.poll())
        words = [self.options.program, "agent", "status", "--fleet", "guessed.gml"]
        status = [subprocess.run(words + more, cwd=self.folder, capture_output=True, text=True,
                                 check=False, timeout=30) for more in ([], ["--json"])]
        self.assertEqual([each.returncode for each in status], [1, 1])
        self.assertIn("\nchicago: Authorization Violation\n", status[0].stdout)
        self.assertEqual(json.loads(status[1].stdout)["sites"][0]["why"],
                         "Authorization Violation")

    def test_files_of_certificates_that_cannot_be_used_are_refused(self):
        text = (self.folder / "chicago.gml").read_text(encoding="utf-8")
        for name, expected in (
                ("missing.pem", "missing.pem: expected a file of certificates that can be read"),
                ("fleet.gml", 'fleet.gml: expected certificates, found "')):
            with self.subTest(name=name):
                (self.folder / "other.gml").write_text(text.replace("ca.pem", name))
                agent, said = self.agent("other.gml", "as-" + name)
                self.assertEqual(agent.wait(20), 2)
                self.assertIn(expected, said.read_text())
                self.assertEqual(len(said.read_text().splitlines()), 1)

    def test_agents_outlive_a_server_that_refuses_their_password_for_a_while(self):
        port = free_ports(1)[0]
        log = self.folder / "refusing.log"

        def serve(password):
            (self.folder / "refusing.conf").write_text(
                f'listen: {HOST}:{port}\njetstream {{ store_dir: "store/refusing" }}\n'
                f'authorization {{ user: "agent-chicago", password: "{password}" }}\n')
            return self.start(["nats-server", "-c", "refusing.conf", "-l", log])

        (self.folder / "alone.gml").write_text(
            f'graph [\n  node [ id 0 label "chicago" server "nats://agent-chicago:mine@{HOST}:'
            f'{port}" ]\n]\n')
        server = serve("other")
        agents = [self.agent("alone.gml", f"alone{number}") for number in range(4)]
        time.sleep(10)
        for password, awaited in (("mine", "chicago shares 0 jobs"),
                                  ("other", 'found "Authorization Violation"'),
                                  ("mine", "chicago goes on, and shares 0 jobs")):
            server.kill()
            server.wait()
            server = serve(password)
            for agent, said in agents:
                self.wait_until(lambda said=said, awaited=awaited: awaited
                                in said.read_text().splitlines()[-1], awaited)
                self.assertIsNone(agent.poll(), said.read_text())

    def test_the_log_of_an_agent_shows_no_password(self):
        for site in SITES:
            text = (self.folder / f"{site}.json").read_text(encoding="utf-8")
            for line in (self.folder / f"{site}.env").read_text().splitlines():
                self.assertNotIn(line.split("=")[1], text)


if __name__ == "__main__":
    if shutil.which("openssl") is None:
        print("skipped: expected openssl, found none")
        raise SystemExit(77)
    SecureTest.main(__doc__)
