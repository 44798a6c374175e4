#!/usr/bin/env python3
"""Moves slots of a Redis Cluster with the program, while a client writes and checks every key.

usage: live_test.py --program PROGRAM [TEST...]
"""

import json
import pathlib
import random
import re
import signal
import subprocess
import time
import types

from checking_client import CheckingClient, ClientProcess
from cutting_proxy import CuttingProxy
from live_case import TIMEOUT, LiveCase
from live_cluster import HOST, SLOTS, LiveCluster, ReplyError, free_ports, slot_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
FEW = 400  # keys, where tests are not about how many
# The kinds of commands that a move consists of, and others that come when threads connect.
MOVING = {"SETSLOT IMPORTING", "SETSLOT MIGRATING", "CLUSTER GETKEYSINSLOT", "MIGRATE",
          "CLUSTER COUNTKEYSINSLOT", "ROLE", "SETSLOT NODE at its target",
          "SETSLOT NODE at its source", "SETSLOT NODE at another"}
CONNECTING = {"PING"}


class LiveTest(LiveCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cluster = LiveCluster(6, filled=3)
        cls.is_new = True

    @classmethod
    def tearDownClass(cls):
        cls.cluster.close()
        super().tearDownClass()

    def anew(self, filled=3):
        """The six servers without keys, of which the first ones share the slots."""
        if filled != 3 or not type(self).is_new:
            self.cluster.start_anew(filled)
        type(self).is_new = False
        return self.cluster.servers

    def client(self, **options):
        """A process that works all the while."""
        client = ClientProcess(self.cluster.ports, **options)
        self.addCleanup(client.__exit__)
        return client

    def quiet_client(self, count=FEW):
        """A client that only writes and checks when it is told to."""
        client = CheckingClient(self.cluster.ports, count)
        self.addCleanup(client.close)
        client.fill()
        return client

    def expect_checked(self, client):
        client.check()
        self.assertEqual(client.complaints, [])

    def carry_out(self, *words, **how):
        return self.execute(self.cluster, *words, **how)

    def slots_of(self, server, count, chance=None):
        """Slots of a server, drawn at random."""
        return (chance or random.Random(1)).sample(list(server.itself().slots()), count)

    def text_key(self, client, server):
        """A key of the client's on a server, which holds text."""
        slots = set(server.itself().slots())
        return next(key for key in client.keys if key.kind == "text" and key.slot in slots)

    def stay(self, proxy=None):
        """The options of a plan that moves nothing, so that only open slots go."""
        server = self.cluster.servers[2]
        return self.places({next(server.itself().slots()): server}, proxy)

    # What it is for.

    def test_a_grown_cluster_is_levelled_and_looks_level_to_redis_cli(self):
        self.anew()
        client = self.client(keys=6000, heavy=True)
        before = self.cluster.bytes()
        self.assertGreater(max(before), 2 * sum(before) / 6)
        self.carry_out("--seconds", "2")
        report = client.ask("check")
        self.expect_nothing_wrong(report)
        self.assertGreater(report["operations"], 1000)
        self.assertGreater(report["met"].get("MOVED", 0), 0)
        held = self.cluster.bytes()
        # At most 5 % above the mean; what is sampled and what is written meanwhile make the rest.
        self.assertLess(max(held) * 6 / sum(held), 1.06, held)
        self.expect_to_look_level()

    def expect_to_look_level(self):
        words = ["redis-cli", "--cluster"]
        checked = subprocess.run([*words, "check", self.cluster.servers[0].name],
                                 capture_output=True, text=True, check=True).stdout
        self.assertIn("[OK] All 16384 slots covered.", checked)
        self.assertNotIn("open", checked.replace("Check for open slots", ""))
        said = subprocess.run([*words, "rebalance", self.cluster.servers[0].name,
                               "--cluster-use-empty-masters", "--cluster-simulate"],
                              capture_output=True, text=True, check=True).stdout
        self.assertIn("No rebalancing needed", said)

    def test_a_drained_server_ends_without_slots(self):
        servers = self.anew(filled=6)
        client = self.client(keys=3000)
        self.carry_out("--drain", servers[2].name, "--seconds", "1")
        self.expect_nothing_wrong(client.ask("check"))
        self.assertEqual(self.cluster.slots()[2], 0)
        self.assertEqual(sum(self.cluster.slots()), SLOTS)
        self.assertEqual(self.cluster.open_slots(), [])

    def test_a_dry_run_prints_commands_and_changes_nothing(self):
        servers = self.anew()
        client = self.quiet_client()
        before = [server.itself().ranges for server in servers]
        slot = self.text_key(client, servers[0]).slot
        status, output, errors = self.run_program(
            self.cluster, "--dry-run", *self.places({slot: servers[3]}))
        self.assertEqual(status, 0, errors)
        for server, words in ((servers[3], f"IMPORTING {servers[0].id}"),
                              (servers[0], f"MIGRATING {servers[3].id}"),
                              (servers[3], f"NODE {servers[3].id}")):
            self.assertIn(f"redis-cli -h 127.0.0.1 -p {server.port} CLUSTER SETSLOT {slot} "
                          f"{words}\n", output)
        self.assertEqual([server.itself().ranges for server in servers], before)
        self.expect_checked(client)

    def test_rates_bound_the_bytes_a_second(self):
        servers = self.anew()
        client = self.quiet_client(2000)
        moves = {slot: servers[3] for slot in self.slots_of(servers[0], 1000)}
        sent = sum(sum(servers[0].replies([("MEMORY", "USAGE", key) for key in servers[0].ask(
            "CLUSTER", "GETKEYSINSLOT", slot, 100)])) for slot in moves)
        rates = self.folder / "rates.csv"
        rates.write_text("machine,in,out\n" + "".join(
            f"{server.name},{sent}B/s,1GB/s\n" for server in servers), encoding="utf-8")
        begin = time.monotonic()
        self.carry_out(*self.places(moves), "--rates", str(rates), "--at-once", "4")
        self.assertGreater(time.monotonic() - begin, 0.8)
        self.expect_places(self.cluster, moves)
        self.expect_checked(client)

    # Killed.

    def by_slots(self):
        """Servers, those with most slots first."""
        slots = dict(zip(self.cluster.ports, self.cluster.slots()))
        return sorted(self.cluster.servers, key=lambda server: -slots[server.port])

    def some_moves(self, client, chance):
        """Of slots of two servers, each to another one, so that several threads are at work."""
        full = {key.slot for key in client.keys if key.kind != "brief"}
        masters = self.by_slots()
        moves = {}
        for source, target in ((masters[0], masters[5]), (masters[1], masters[4])):
            held = list(source.itself().slots())
            for slots in ([slot for slot in held if slot in full],
                          [slot for slot in held if slot not in full]):
                moves.update((slot, target) for slot in chance.sample(slots, 5))
        return moves

    def kinds_of_commands(self, moves):
        """Moves slots, and counts the commands that this takes."""
        with CuttingProxy(self.cluster) as proxy:
            self.carry_out(*self.places(moves, proxy), proxy=proxy)
            self.expect_places(self.cluster, moves)
            return proxy.kinds

    def cut(self, moves, kind, number):
        with CuttingProxy(self.cluster) as proxy:
            proxy.cut(kind, number)
            self.execute_until_cut(self.cluster, *self.places(moves, proxy), proxy=proxy)

    def test_killed_after_any_kind_of_command_it_goes_on(self):
        self.anew()
        client = self.client(keys=1500)
        chance = random.Random(37)
        kinds = self.kinds_of_commands(self.some_moves(client, chance))
        moving = {kind for kind in kinds if not kind.startswith("reading")}
        self.assertEqual(moving - CONNECTING, MOVING)
        for kind in sorted(MOVING):
            with self.subTest(kind=kind):
                moves = self.some_moves(client, chance)
                self.cut(moves, kind, kinds[kind] // 2)
                self.expect_nothing_wrong(client.ask("read"), "killed")
                self.carry_out(*self.places(moves))
                self.expect_places(self.cluster, moves)
                self.expect_nothing_wrong(client.ask("check"), "finished")

    def test_killed_while_it_reads_it_has_changed_nothing(self):
        self.anew()
        client = self.quiet_client()
        moves = self.some_moves(client, random.Random(38))
        kinds = self.kinds_of_commands(moves)
        before = self.cluster.slots()
        for kind in sorted(kind for kind in kinds if kind.startswith("reading")):
            with self.subTest(kind=kind):
                self.cut(moves, kind, 1)
                self.assertEqual(self.cluster.slots(), before)
        self.expect_checked(client)

    def open_in_all_ways(self, client, chance):
        """Opens slots as runs that were killed leave them. Returns where they must end."""
        source, target = self.by_slots()[:2]
        keys = [key for key in client.keys if key.kind == "pair"
                and key.slot in set(source.itself().slots())]
        importing, untouched, begun, sent = chance.sample(keys, 4)
        target.ask("CLUSTER", "SETSLOT", importing.slot, "IMPORTING", source.id)
        for key in (untouched, begun, sent):
            self.cluster.begin_move(key.slot, source, target)
        for names in (begun.names[:1], sent.names):
            source.ask("MIGRATE", HOST, target.port, "", 0, 5000, "KEYS", *names)
        return {importing.slot: source, untouched.slot: target, begun.slot: target,
                sent.slot: target}

    def test_killed_while_it_mends_open_slots_it_goes_on(self):
        self.anew()
        client = self.quiet_client(800)
        chance = random.Random(39)
        ends = self.open_in_all_ways(client, chance)
        with CuttingProxy(self.cluster) as proxy:
            said = self.carry_out(*self.stay(proxy), proxy=proxy)
            kinds = proxy.kinds
        self.assertRegex(said, r"open slots +3 finished, 1 closed")
        self.expect_places(self.cluster, ends)
        self.expect_checked(client)
        self.assertIn("SETSLOT STABLE", kinds)
        for kind in ("SETSLOT STABLE", "SETSLOT IMPORTING", "MIGRATE", "SETSLOT NODE at its target",
                     "SETSLOT NODE at its source"):
            with self.subTest(kind=kind):
                ends = self.open_in_all_ways(client, chance)
                with CuttingProxy(self.cluster) as proxy:
                    proxy.cut(kind)
                    self.execute_until_cut(self.cluster, *self.stay(proxy), proxy=proxy)
                client.read_all()
                self.assertEqual(client.complaints, [], "killed")
                self.carry_out(*self.stay())
                self.expect_places(self.cluster, ends)
                self.expect_checked(client)

    def test_ctrl_c_ends_after_the_slots_under_way(self):
        servers = self.anew()
        client = self.client(keys=1000)
        moves = {slot: servers[3] for slot in self.slots_of(servers[0], 300)}
        with CuttingProxy(self.cluster) as proxy:
            with self.start(self.cluster, "--execute", *self.places(moves, proxy), "--at-once",
                            "2", proxy=proxy) as process:
                proxy.after("SETSLOT NODE at its source", 20,
                            lambda port, words: process.send_signal(signal.SIGINT))
                output, errors = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("interrupted", output)
        self.assertEqual(self.cluster.open_slots(), [])
        moved = self.cluster.slots()[3]
        self.assertGreaterEqual(moved, 20)
        self.assertLess(moved, 200)
        self.expect_nothing_wrong(client.ask("check"))
        self.carry_out(*self.places(moves))
        self.expect_places(self.cluster, moves)
        self.expect_nothing_wrong(client.ask("check"))

    def test_ctrl_c_while_it_mends_open_slots_moves_nothing_else(self):
        servers = self.anew()
        client = self.quiet_client()
        key = self.text_key(client, servers[0])
        servers[0].ask("CLUSTER", "SETSLOT", key.slot, "MIGRATING", servers[3].id)
        moves = {slot: servers[4] for slot in self.slots_of(servers[1], 50)}
        with CuttingProxy(self.cluster) as proxy:
            with self.start(self.cluster, "--execute", *self.places(moves, proxy),
                            proxy=proxy) as process:
                proxy.after("SETSLOT MIGRATING", 1,
                            lambda port, words: process.send_signal(signal.SIGINT))
                output, errors = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, output), (1, ""), errors)
        self.assertIn("interrupted before anything was planned", errors)
        self.assertEqual(self.cluster.slots()[4], 0)
        self.carry_out(*self.places(moves))
        self.expect_places(self.cluster, moves)
        self.expect_checked(client)

    def test_what_was_carried_out_stands_in_the_json(self):
        servers = self.anew()
        client = self.quiet_client()
        key = self.text_key(client, servers[0])
        answer = self.folder / "answer.json"
        self.carry_out(*self.places({key.slot: servers[3]}), f"--json={answer}")
        done = json.loads(answer.read_text(encoding="utf-8"))["carried_out"]
        schema = json.loads((ROOT / "schemas" / "equipoise-reassign.json").read_text(
            encoding="utf-8"))["properties"]["carried_out"]
        self.assertEqual(set(done), set(schema["required"]))
        self.assertEqual(set(schema["properties"]) - set(done), {"stopped"})
        self.assertEqual((done["slots"], done["closed"], done["finished"], done["left"],
                          done["interrupted"]), (1, 0, 0, [], False))
        self.assertGreaterEqual(done["keys"], 1)

    # Open slots that it finds.

    def test_a_slot_that_is_only_importing_is_closed(self):
        servers = self.anew()
        client = self.quiet_client()
        key = self.text_key(client, servers[0])
        servers[3].ask("CLUSTER", "SETSLOT", key.slot, "IMPORTING", servers[0].id)
        self.assertRegex(self.carry_out(*self.stay()),
                         r"open slots +0 finished, 1 closed")
        self.expect_places(self.cluster, {key.slot: servers[0]})
        self.expect_checked(client)

    def test_a_slot_that_is_only_migrating_is_finished(self):
        servers = self.anew()
        client = self.quiet_client()
        key = self.text_key(client, servers[0])
        servers[0].ask("CLUSTER", "SETSLOT", key.slot, "MIGRATING", servers[3].id)
        self.assertRegex(self.carry_out(*self.stay()),
                         r"open slots +1 finished, 0 closed")
        self.expect_places(self.cluster, {key.slot: servers[3]})
        self.expect_checked(client)

    def test_a_slot_whose_target_alone_was_told_is_finished(self):
        servers = self.anew()
        client = self.quiet_client()
        for told in (servers[3], servers[0]):
            with self.subTest(told=told.name):
                key = self.text_key(client, servers[0])
                self.cluster.begin_move(key.slot, servers[0], servers[3])
                keys = servers[0].ask("CLUSTER", "GETKEYSINSLOT", key.slot, 100)
                servers[0].ask("MIGRATE", HOST, servers[3].port, "", 0, 5000, "KEYS", *keys)
                told.ask("CLUSTER", "SETSLOT", key.slot, "NODE", servers[3].id)
                self.carry_out(*self.stay())
                self.expect_places(self.cluster, {key.slot: servers[3]})
                self.expect_checked(client)

    def copy_to_target(self, key, source, target, value=None):
        """Opens the slot of a key and puts it on the target, too, as a MIGRATE does whose answer
        the source never saw."""
        self.cluster.begin_move(key.slot, source, target)
        dump = source.ask("DUMP", key.name)
        replies = target.replies([("ASKING",), ("RESTORE", key.name, 0, dump)] + (
            [("ASKING",), ("SET", key.name, value)] if value else []))
        self.assertFalse([each for each in replies if isinstance(each, ReplyError)])

    def test_a_key_that_both_servers_hold_with_one_value_is_sent_again(self):
        servers = self.anew()
        client = self.quiet_client()
        key = self.text_key(client, servers[0])
        self.copy_to_target(key, servers[0], servers[3])
        self.carry_out(*self.stay())
        self.expect_places(self.cluster, {key.slot: servers[3]})
        self.expect_checked(client)

    def test_a_key_that_both_servers_hold_with_different_values_is_left_and_named(self):
        servers = self.anew()
        client = self.quiet_client()
        key = self.text_key(client, servers[0])
        self.copy_to_target(key, servers[0], servers[3], b"another")
        said = self.carry_out(*self.stay(), status=1)
        self.assertIn(f"slot {key.slot}: key", said)
        self.assertIn("with different values", " ".join(said.split()))
        self.assertEqual(servers[0].ask("GET", key.name), key.value)
        self.assertEqual(servers[3].replies([("ASKING",), ("GET", key.name)])[1], b"another")
        # Somebody decides.
        servers[3].replies([("ASKING",), ("DEL", key.name)])
        self.carry_out(*self.stay())
        self.expect_places(self.cluster, {key.slot: servers[3]})
        self.expect_checked(client)

    def test_in_a_slot_that_it_opened_the_value_of_the_source_counts(self):
        servers = self.anew()
        client = self.quiet_client()
        key = self.text_key(client, servers[0])

        def leave_a_stale_value(_port, _words):
            servers[3].replies([("ASKING",), ("SET", key.name, b"stale")])

        with CuttingProxy(self.cluster) as proxy:
            proxy.after("SETSLOT MIGRATING", 1, leave_a_stale_value)
            self.carry_out(*self.places({key.slot: servers[3]}, proxy), proxy=proxy)
        self.expect_places(self.cluster, {key.slot: servers[3]})
        self.expect_checked(client)

    # What is left where a replica has taken over, which knows no flags.

    def test_a_target_that_has_lost_its_flag_on_the_way_gets_it_again(self):
        servers = self.anew()
        client = self.quiet_client()
        key = self.text_key(client, servers[0])
        with CuttingProxy(self.cluster) as proxy:
            proxy.after("SETSLOT MIGRATING", 1, lambda port, words: servers[3].ask(
                "CLUSTER", "SETSLOT", key.slot, "STABLE"))
            self.carry_out(*self.places({key.slot: servers[3]}, proxy), proxy=proxy)
        self.expect_places(self.cluster, {key.slot: servers[3]})
        self.expect_checked(client)

    def test_a_target_that_knows_no_owner_of_a_slot_is_told(self):
        """While it says IMPORTING, it does not believe the replica that has taken over, and is down
        since a slot has no owner."""
        servers = self.anew()
        client = self.quiet_client()
        source, target = servers[0], servers[1]  # which has keys of its own
        slots = set(source.itself().slots())
        key = next(key for key in client.keys if key.kind == "pair" and key.slot in slots)
        self.cluster.begin_move(key.slot, source, target)
        source.ask("MIGRATE", HOST, target.port, "", 0, 5000, "KEYS", key.names[0])
        source.ask("CLUSTER", "SETSLOT", key.slot, "STABLE")
        target.replies([("CLUSTER", "DELSLOTS", key.slot),
                        ("CLUSTER", "SETSLOT", key.slot, "IMPORTING", source.id)])
        self.assertIn(b"cluster_state:fail", target.ask("CLUSTER", "INFO"))
        self.carry_out(*self.stay())
        self.expect_places(self.cluster, {key.slot: target})
        self.expect_checked(client)

    def test_a_key_that_takes_too_long_is_named_and_only_its_slot_is_left(self):
        servers = self.anew()
        client = self.quiet_client()
        moves = {slot: servers[3] for slot in self.slots_of(servers[0], 20)}
        large = next(f"large:{number}" for number in range(100000)
                     if slot_of(f"large:{number}") in moves)
        servers[0].ask("SET", large, b"x" * 20_000_000)

        def hurry(words):
            """A real time-out would need a key of gigabytes; this one is over before the target
            has read what comes."""
            if large.encode() in words:
                words[5] = b"1"
            return words

        with CuttingProxy(self.cluster) as proxy:
            proxy.change_migrate = hurry
            said = self.carry_out(*self.places(moves, proxy), proxy=proxy, status=1)
        self.assertIn(f"slot {slot_of(large)}: key \"{large}\"", " ".join(said.split()))
        self.assertEqual(self.cluster.slots()[3], 19)
        self.assertEqual({flag.strip("[").split("-")[0] for _, flag in self.cluster.open_slots()},
                         {str(slot_of(large))})
        self.carry_out(*self.places(moves))
        self.expect_places(self.cluster, moves)
        self.assertEqual(servers[3].ask("STRLEN", large), 20_000_000)
        servers[3].ask("DEL", large)
        self.expect_checked(client)

    # What others do.

    def test_a_slot_that_somebody_else_moves_meanwhile_is_left_out(self):
        servers = self.anew()
        client = self.client(keys=1000)
        moves = {slot: servers[3] for slot in self.slots_of(servers[0], 60)}
        taken = []

        def move_another(_port, _words):
            taken.append(next(slot for slot in moves if slot not in proxy.slots_seen))
            self.cluster.move(taken[0], servers[0], servers[4])

        with CuttingProxy(self.cluster) as proxy:
            proxy.after("SETSLOT NODE at its source", 3, move_another)
            said = self.carry_out(*self.places(moves, proxy), "--at-once", "2", proxy=proxy,
                                  status=1)
        self.assertIn("others changed the cluster", " ".join(said.split()))
        self.expect_places(self.cluster, {**moves, taken[0]: servers[4]})
        self.assertEqual(self.cluster.open_slots(), [])
        self.expect_nothing_wrong(client.ask("check"))

    def test_masters_whose_epochs_tie_are_refused(self):
        servers = self.anew()
        before = self.cluster.slots()
        # Servers that hear of each other do not stay so.
        tied = [server.itself() for server in servers[:2]]
        with CuttingProxy(self.cluster) as proxy:
            proxy.change_nodes = lambda text: re.sub(
                rf"(?m)^({tied[1].id}(?: \S+){{5}}) \d+", rf"\1 {tied[0].epoch}", text)
            self.expect_refusal(self.cluster, "configuration epoch", proxy=proxy)
        self.assertEqual(self.cluster.slots(), before)

    def test_where_no_server_is_one_line_says_so(self):
        name = f"{HOST}:{free_ports(1)[0]}"
        nowhere = types.SimpleNamespace(servers=[types.SimpleNamespace(name=name)])
        self.expect_refusal(nowhere, name)

    # Who may do it.

    def mover_rights(self):
        """The rights that the page gives a user who moves slots."""
        page = (ROOT / "docs/how-to/redis.md").read_text(encoding="utf-8")
        words = re.search(r"ACL SETUSER mover on '>PASSWORD' (.*)", page)[1]
        return words.replace("'", "").replace("\\", "").split()

    def test_passwords_come_from_the_environment_or_a_file(self):
        servers = self.anew()
        client = self.quiet_client()
        rights = self.mover_rights()
        for server in servers:
            server.ask("ACL", "SETUSER", "mover", "on", ">mover's own", *rights)
            server.ask("CONFIG", "SET", "requirepass", "open sesame")
        client.password = "open sesame"
        file = self.folder / "password"
        ways = [((), {"REDISCLI_AUTH": "open sesame"}, "open sesame"),
                (("--password-file", str(file)), {}, "open sesame"),
                (("--user", "mover", "--password-file", str(file)), {}, "mover's own"),
                (("--user", "mover"), {"REDISCLI_AUTH": "mover's own"}, "mover's own")]
        try:
            for options, environment, password in ways:
                with self.subTest(options=options):
                    file.write_text(password + "\n", encoding="utf-8")
                    key = self.text_key(client, servers[0])
                    said = self.carry_out(*self.places({key.slot: servers[3]}), *options,
                                          **environment)
                    self.assertNotIn(password, said)
                    self.expect_places(self.cluster, {key.slot: servers[3]})
                    self.expect_checked(client)
            self.expect_refusal(self.cluster, "NOAUTH")
            self.expect_refusal(self.cluster, "WRONGPASS", REDISCLI_AUTH="sesame")
            self.expect_refusal(self.cluster, "WRONGPASS", "--user", "nobody",
                                REDISCLI_AUTH="open sesame")
        finally:
            for server in servers:
                server.ask("CONFIG", "SET", "requirepass", "")
                server.ask("ACL", "DELUSER", "mover")

    # Whether the tests would see what they look for.

    def test_the_client_complains_of_keys_that_are_lost_or_in_two_places(self):
        servers = self.anew()
        client = self.quiet_client()
        self.expect_checked(client)
        lost, twice, stale = [key for key in client.keys if key.kind == "text"][:3]
        owners = self.cluster.owners()
        owners[lost.slot].ask("DEL", lost.name)
        owners[stale.slot].ask("SET", stale.name, "what was there before")
        at = owners[twice.slot]
        other = next(server for server in servers if server is not at)
        other.ask("CLUSTER", "SETSLOT", twice.slot, "IMPORTING", at.id)
        other.replies([("ASKING",), ("RESTORE", twice.name, 0, at.ask("DUMP", twice.name))])
        other.ask("CLUSTER", "SETSLOT", twice.slot, "STABLE")
        client.check()
        said = "\n".join(client.complaints)
        self.assertIn(f"{lost.name} is lost", said)
        self.assertIn(f"{lost.name} of slot {lost.slot}: expected b'{lost.name}", said)
        self.assertRegex(said, rf"{stale.name} of slot .*found b'what was there before'")
        self.assertRegex(said, rf"{twice.name} is at \[\d+, \d+\]")
        self.assertEqual(len(client.complaints), 4)

    def test_the_client_complains_of_a_write_that_is_undone(self):
        self.anew()
        client = self.quiet_client(8)
        counter = next(key for key in client.keys if key.kind == "counter")
        client.count(counter)
        self.assertEqual(client.complaints, [])
        self.cluster.owners()[counter.slot].ask("SET", counter.name, 1)
        client.count(counter)
        self.assertEqual(client.complaints, [f"{counter.name}: expected 3 after INCR, found 2"])


if __name__ == "__main__":
    LiveTest.main(__doc__)
