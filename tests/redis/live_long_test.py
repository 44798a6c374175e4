#!/usr/bin/env python3
"""Moves slots of clusters of twelve servers while a client writes and checks every key.

The program or servers are killed at random moments, and replicas take over.

usage: live_long_test.py --program PROGRAM [--seed N] [--rounds N] [TEST...]
"""

import random
import secrets
import subprocess
import time

from checking_client import CheckingClient, ClientProcess
from live_case import TIMEOUT, LiveCase
from live_cluster import LiveCluster, ReplyError, nodes_at


class LiveLongTest(LiveCase):
    def setUp(self):
        self.chance = random.Random(f"{self.options.seed} {self.id()}")
        self.cluster = None

    def begin(self, masters, filled, replicas=0, **settings):
        self.cluster = LiveCluster(masters, filled=filled, replicas=replicas, **settings)
        self.addCleanup(self.cluster.close)

    def client(self, keys):
        client = ClientProcess(self.cluster.ports, keys=keys, seed=self.chance.randrange(10 ** 6))
        self.addCleanup(client.__exit__)
        return client

    def some_moves(self, count):
        """Of slots drawn at random, each to a master that does not own it."""
        masters = self.cluster.masters_now()
        owners = self.cluster.owners()
        held = {server.port: owners.count(server) for server in masters}
        moves = {}
        for slot in self.chance.sample(range(len(owners)), count):
            # A master that gives all it has would become a replica.
            if held[owners[slot].port] > 100:
                held[owners[slot].port] -= 1
                moves[slot] = self.chance.choice(
                    [server for server in masters if server is not owners[slot]])
        return moves

    def finish(self, moves, client):
        """Goes on to the end, from whatever state; then nothing is lost."""
        self.cluster.wait_until(self.is_all_up)
        self.execute(self.cluster, *self.places(moves))
        self.expect_places(self.cluster, moves)
        self.expect_nothing_wrong(client.ask("check"), "finished")

    def is_all_up(self):
        """Servers need not yet agree on slots: what was left open is for the next call."""
        try:
            return next((f"{server.name} takes another for dead" for server in self.cluster.servers
                         for node in nodes_at(server.connection) if not node.is_well), None)
        except (OSError, ReplyError) as error:
            for server in self.cluster.servers:
                server.disconnect()
            return str(error)

    def ended(self, process):
        """What the program said, which ends by itself with one of these."""
        try:
            output, errors = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        self.assertIn(process.returncode, (0, 1, 2), output + errors)
        if process.returncode == 2:
            self.assertEqual(len(errors.splitlines()), 1, errors)
        return output + errors

    def test_killed_at_random_moments_it_goes_on(self):
        self.begin(12, filled=6)
        client = self.client(keys=6000)
        for number in range(self.options.rounds):
            moves = self.some_moves(600)
            for _ in range(self.chance.randint(1, 4)):
                with self.start(self.cluster, "--execute", *self.places(moves)) as process:
                    time.sleep(self.chance.uniform(0.1, 2))
                    process.kill()
                self.expect_nothing_wrong(client.ask("read"), f"killed in round {number}")
            self.finish(moves, client)

    def test_servers_that_are_killed_lose_nothing_with_appendfsync_always(self):
        self.begin(12, filled=6, appendonly="yes", appendfsync="always")
        client = self.client(keys=4000)
        for _ in range(self.options.rounds):
            moves = self.some_moves(600)
            with self.start(self.cluster, "--execute", *self.places(moves)) as process:
                for _ in range(self.chance.randint(1, 3)):
                    time.sleep(self.chance.uniform(0.1, 1.5))
                    server = self.chance.choice(self.cluster.servers)
                    server.kill()
                    time.sleep(self.chance.choice((0, self.chance.uniform(0, 4))))
                    server.start()
                said = self.said = self.ended(process)
            self.assertNotIn("a master that crashes", said)  # there is nothing to warn of
            self.finish(moves, client)

    # Replicas: server n + 6 is one of server n, or the other way round.

    def pair(self, number):
        """(master, replica)"""
        pair = self.cluster.servers[number], self.cluster.servers[number + 6]
        return pair if pair[0].itself().is_master else pair[::-1]

    def fail_over(self, number):
        """The replica takes over, as somebody asks it to: again, where the masters did not vote
        for it because the epoch had changed meanwhile."""
        master, replica = self.pair(number)
        asked = -10.0

        def is_replica():
            nonlocal asked
            if replica.itself().is_master:
                return None
            if time.monotonic() > asked + 6:  # after 5 seconds it gives up
                asked = time.monotonic()
                replica.ask("CLUSTER", "FAILOVER")
            return "no failover"

        self.cluster.wait_until(is_replica)
        return master

    def die(self, number):
        """The master is killed, when its replica has all that it has acknowledged: what it had not
        yet sent would be lost, with or without moves."""
        master, replica = self.pair(number)
        replies = master.replies([("MULTI",), ("CLIENT", "PAUSE", 60000, "ALL"),
                                  ("INFO", "replication"), ("EXEC",)])
        offset = value_in(replies[-1][1], b"master_repl_offset")
        self.cluster.wait_until(
            lambda: value_in(replica.ask("INFO", "replication"), b"slave_repl_offset") < offset)
        master.kill()
        # It must not be back before, since it would come without keys.
        self.cluster.wait_until(lambda: None if replica.itself().is_master else "no failover")
        return master

    def moves_between(self, sources, targets, count):
        """Of slots of some pairs to others."""
        moves = {}
        for source, target in zip(sources, targets):
            slots = list(self.pair(source)[0].itself().slots())
            for slot in self.chance.sample(slots, min(count, len(slots) - 100)):
                moves[slot] = self.pair(target)[0]
        return moves

    def carry_out_while(self, happens, pairs, sources, targets):
        """Moves slots while that happens to one of some pairs. Returns where slots must end."""
        self.cluster.wait_until(self.are_replicas_linked)
        moves = self.moves_between(sources, targets, 400)
        ends = {slot: self.cluster.servers.index(server) % 6 for slot, server in moves.items()}
        with self.start(self.cluster, "--execute", *self.places(moves), "--at-once",
                        "2") as process:
            time.sleep(self.chance.uniform(0.3, 1.5))
            former = happens(self.chance.choice(pairs))
            self.ended(process)
        if former.process is None:
            former.start()
            former.wait_until_up()
        self.pair_again(former)
        self.cluster.wait_until(self.is_one_of_each_pair_master)
        return {slot: self.pair(number)[0] for slot, number in ends.items()}

    def pair_again(self, former):
        """A master whose slots were all taken while it was away follows the one that took the last
        of them: that may be one to which slots were moved."""
        self.cluster.wait_until(lambda: "still a master" if former.itself().is_master else None)
        number = self.cluster.servers.index(former)
        partner = self.cluster.servers[(number + 6) % 12]
        former.ask("CLUSTER", "REPLICATE", partner.id)

    def are_replicas_linked(self):
        """A replica that still lacks its master's keys could not take over, and gets none from a
        master that is paused."""
        for number in range(6):
            replica = self.pair(number)[1]
            if b"master_link_status:up" not in replica.ask("INFO", "replication"):
                return f"{replica.name} does not yet follow its master"
        return None

    def is_one_of_each_pair_master(self):
        for one, other in zip(self.cluster.servers[:6], self.cluster.servers[6:]):
            if one.itself().is_master == other.itself().is_master:
                return f"{one.name} and {other.name} are both masters, or replicas"
        return self.is_all_up()

    def test_replicas_that_take_over_targets_and_bystanders_are_followed(self):
        """But not when somebody asks for it at a target: a server that takes a slot raises its
        epoch, and so it may win back what its replica has just taken over."""
        self.begin(6, filled=6, replicas=6)
        client = self.client(keys=4000)
        for number in range(self.options.rounds):
            givers, takers = ((0, 1), (3, 4)) if number % 2 == 0 else ((3, 4), (0, 1))
            for happens, pairs in ((self.fail_over, (2, 5)), (self.die, (2, 5)),
                                   (self.die, takers)):
                moves = self.carry_out_while(happens, pairs, givers, takers)
                self.finish(moves, client)

    def test_replicas_that_take_over_sources_have_their_slots_finished(self):
        """Until slots are open again, clients do not find keys that have left: this one waits."""
        self.begin(6, filled=6, replicas=6)
        for number in range(self.options.rounds):
            givers, takers = ((0, 1), (3, 4)) if number % 2 == 0 else ((3, 4), (0, 1))
            for happens in (self.fail_over, self.die):
                client = CheckingClient([*self.cluster.ports], 2000,
                                        seed=self.chance.randrange(10 ** 6))
                client.fill()
                moves = self.carry_out_while(happens, givers, givers, takers)
                self.execute(self.cluster, *self.places(moves))
                self.expect_places(self.cluster, moves)
                client.check()
                client.close()
                self.assertEqual(client.complaints, [])


def value_in(info, name):
    """A number of the text of INFO."""
    return next(int(line.split(b":")[1]) for line in info.splitlines()
                if line.startswith(name + b":"))


def add_arguments(parser):
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10 ** 9),
                        help="of what is drawn (default: a new one)")
    parser.add_argument("--rounds", type=int, default=12, help="of each test (default 12)")


if __name__ == "__main__":
    LiveLongTest.main(__doc__, add_arguments)
