"""What the tests of fleets share: the programs, and what is expected of a fleet."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import unittest

from fleet import Fleet
from reference_page import fields_of_events

# Seconds after which a job comes back whose worker says nothing: more than a busy machine keeps
# somebody from saying it; and fewer, for tests that wait until jobs come back.
ACK_WAIT = 15
ACK_WAIT_SHORT = 5


class AgentCase(unittest.TestCase):
    """Tests with the program and an application on fleets of their own."""

    options = None
    needs_agent = True

    def fleet(self, links, **how):
        fleet = Fleet(self.options.program, self.options.jobs, links, **how)
        self.addCleanup(fleet.close)
        self.addCleanup(self.expect_documented, fleet)
        return fleet

    @staticmethod
    def of(fleet, name):
        """The status of a site."""
        return next(site for site in fleet.status()["sites"] if site["name"] == name)

    def begin_with_jobs_in_doubt(self, links, jobs, **queues):
        """Jobs that site0 has sent to site1 and of which it hears nothing any more."""
        fleet = self.fleet(links)
        fleet.make_queues(ACK_WAIT, **queues)
        fleet.links_do(delay={"site0>site1": 0.2})
        fleet.start_agents()
        fleet.put(fleet.sites[0], 1, jobs, size=10_000)  # so that they come one after another
        fleet.wait_until(lambda: fleet.sites[1].stored() > 0, 60, "a job that is moved")
        fleet.links_do(stall=["site0>site1"])
        self.assertGreater(self.of(fleet, "site0")["in_doubt"], 0)
        return fleet

    @staticmethod
    def lose_what_is_held_up(fleet):
        """On the way from site0 to site1 and back, answers among it; then the link is whole."""
        fleet.links_do(cut=["site0>site1"])
        fleet.heal()

    def expect_documented(self, fleet):
        """What agents have logged is what the page of reference says."""
        page = fields_of_events()
        for site in fleet.sites:
            for event in site.events():
                self.assertIn(set(event) - {"time", "event", "site"}, page[event["event"]], event)
                self.assertEqual(event["site"], site.name)

    def refused(self, *words):
        """What the program says of a call that it refuses, in one line."""
        done = subprocess.run([self.options.program, "agent", *words], capture_output=True,
                              text=True, timeout=30, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return done.stderr

    def expect_each_worked_off(self, fleet, numbers, patience):
        fleet.wait_until_worked_off(numbers, patience)
        self.assertEqual(set(fleet.worked) - set(numbers), set())
        self.assertEqual(fleet.broken, [])

    def expect_none_twice(self, fleet):
        """Also after the time in which jobs come back whose acknowledgement was lost."""
        fleet.look()
        twice = {number: times for number, times in fleet.worked.items() if times > 1}
        self.assertEqual(twice, {})

    def expect_doubles_explained(self, fleet, kills=0):
        """An acknowledgement of an agent that is under way when its server is killed is seen by
        nobody who counts: one a kill is allowed."""
        fleet.look()
        self.assertLessEqual(fleet.doubles(), fleet.forgotten() + fleet.perhaps_twice() + kills)

    def expect_doubles_counted(self, fleet):
        """By agents, where no server was killed."""
        fleet.look()
        self.assertLessEqual(fleet.doubles(), fleet.perhaps_twice())

    def expect_replayed(self, fleet, lives=1):
        """All sites did what their program does, as their records tell. Nodes began this often, or
        more often."""
        for site in fleet.sites:
            self.assertEqual(site.end_agent(), 0)
        told = fleet.run("replay", "--record", str(fleet.records), timeout=120)
        count = f"{len(fleet.sites)}"
        begun = re.match(f"records of {count} of {count} sites, ([0-9]+) lives,", told)
        self.assertGreaterEqual(int(begun[1]), lives)
        self.assertIn("every site did what its program does", told)
        self.assertNotIn("without a record", told)
        print(told, flush=True)

    def expect_empty(self, fleet, patience=30):
        """Nothing is left that would still be worked off."""
        try:
            fleet.wait_until(lambda: not any(fleet.backlogs()), patience, "empty queues")
        except TimeoutError as error:
            raise TimeoutError(f"backlogs {fleet.backlogs()}\n{fleet.told()}\n{error}") from error

    @classmethod
    def main(cls, description, add_arguments=None):
        """Exit status 77 where there is nothing to test with."""
        parser = argparse.ArgumentParser(description=description.splitlines()[0])
        parser.add_argument("--program", required=True, help="the program equipoise")
        parser.add_argument("--jobs", required=True, help="the application, agent_jobs")
        parser.add_argument("--sudden-death", help="the library that kills what it is loaded into")
        if add_arguments:
            add_arguments(parser)
        cls.options, rest = parser.parse_known_args()
        cls.options.program = os.path.abspath(cls.options.program)
        cls.options.jobs = os.path.abspath(cls.options.jobs)
        if cls.options.sudden_death:
            cls.options.sudden_death = os.path.abspath(cls.options.sudden_death)
        if shutil.which("nats-server") is None:
            print("skipped: expected nats-server, found none")
            sys.exit(77)
        if cls.needs_agent and subprocess.run([cls.options.program, "agent", "--help"],
                                              capture_output=True, check=False).returncode != 0:
            print("skipped: expected a program with libnats, found one without it")
            sys.exit(77)
        if hasattr(cls.options, "seed"):
            print(f"--seed {cls.options.seed} draws the same again", flush=True)
        unittest.main(argv=sys.argv[:1] + rest)


class Storm:
    """Kills agents and servers of a fleet, and troubles its links, at fixed points of progress:
    progress is how many times jobs were worked off. What was killed is started again a little
    later; at most half of the agents, and of the servers, are away at a time, and what else was to
    be killed waits."""

    def __init__(self, fleet, chance, down=(0.1, 0.6)):
        self.fleet = fleet
        self.chance = chance
        self.down = down  # seconds, from and to
        self.agents_killed = 0
        self.servers_killed = 0
        self._due = []  # (lines of workers, what happens), in order
        self._back = []  # (time, how it is started again)

    def plan(self, lines, happens):
        """`happens` is called when this many lines were written from now on, and again later if it
        returns False: it cannot happen yet."""
        self._due.append((self.fleet.lines + lines, happens))
        self._due.sort(key=lambda each: each[0])

    def spread(self, count, first, last, happens):
        """The same, `count` times between two points."""
        for number in range(count):
            self.plan(first + (last - first) * number // count, happens)

    def kill_an_agent(self):
        running = [site for site in self.fleet.sites if site.agent]
        if 2 * len(running) <= len(self.fleet.sites):
            return False
        site = self.chance.choice(running)
        site.kill_agent()
        self.agents_killed += 1
        self.later(site.start_agent)
        return True

    def kill_a_server(self, site=None):
        """This one, or any that has run for a while, or the one that has run longest."""
        running = [site for site in self.fleet.sites if site.server]
        if 2 * len(running) <= len(self.fleet.sites):
            return False
        running.sort(key=lambda site: site.server_started)
        old = [site for site in running if time.monotonic() > site.server_started + 1]
        site = site or self.chance.choice(old or running[:1])
        site.kill_server()
        self.servers_killed += 1

        def start_again():
            site.start_server()
            site.wait_until_up()

        self.later(start_again)
        return True

    def trouble_links(self):
        """Two are cut, two stalled, two lose chunks, and all are slow; for a while."""
        names = self.chance.sample(self.fleet.link_names, 6)
        self.fleet.links_do(cut=names[:2], stall=names[2:4], drop=dict.fromkeys(names[4:], 0.05),
                            delay=dict.fromkeys(self.fleet.link_names, 0.02))
        self.later(self.fleet.heal)

    def later(self, action, seconds=None):
        """Calls it after this time, or one that is drawn."""
        seconds = self.chance.uniform(*self.down) if seconds is None else seconds
        self._back.append((time.monotonic() + seconds, action))

    def blow(self, patience):
        """Until everything has happened that was planned, and all is well again."""
        end = time.monotonic() + patience
        while self._due or self._back:
            if time.monotonic() > end:
                raise TimeoutError(
                    f"after {patience} s at {self.fleet.lines} lines, {len(self._due)} events are "
                    f"left\n" + "\n".join(site.said() for site in self.fleet.sites))
            for each in [each for each in self._back if each[0] <= time.monotonic()]:
                self._back.remove(each)
                each[1]()
            self.fleet.look()
            while self._due and self._due[0][0] <= self.fleet.lines:
                if self._due[0][1]() is False:
                    break
                self._due.pop(0)
            time.sleep(0.02)
