#!/usr/bin/env python3
"""Fleets in which one thing fails: a server that hangs or refuses, a file that cannot be used, a
stream or a neighbour that is gone.

usage: trouble_test.py --program PROGRAM --jobs PROGRAM [TEST...]
"""

import signal
import time

from agent_case import ACK_WAIT, AgentCase
from fleet import path


class TroubleTest(AgentCase):
    def begin(self, links, **how):
        fleet = self.fleet(links, **{"has_proxies": False, **how})
        fleet.make_queues(ACK_WAIT)
        return fleet

    @staticmethod
    def of(fleet, name):
        """The status of a site."""
        return next(site for site in fleet.status()["sites"] if site["name"] == name)

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
        self.assertLessEqual(fleet.doubles(), fleet.perhaps_twice())


if __name__ == "__main__":
    TroubleTest.main(__doc__)
