#!/usr/bin/env python3
"""Holds all JSON that the program prints, writes and reads against schemas/.

usage: schemas_test.py PROGRAM

Schemas let objects hold more than they describe, since later versions add keys. Here every object
is closed first, so that a key without a description is an error; and a key that is described but
that none of the commands ever prints is one too.
"""

import copy
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import jsonschema
except ImportError:
    print("skipped: expected python3-jsonschema, found none")
    sys.exit(77)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import json_schemas  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
SCHEMAS = json_schemas.load()
FILES = {"capacities.csv": "node,capacity\n1,4\n", "delays.csv": "from,to,steps\n1,2,3\n",
         "colours.matchings": "0 1\n2 3\n\n1 2\n", "tree.edges": "0 1\n1 2\n2 3\n",
         "shards.csv": "item,node,size\ns1,a,5\ns2,a,4\ns3,a,3\ns4,b,2\n",
         "large.csv": "item,node,size\ns1,a,4\ns2,a,4\ns3,a,4\ns4,b,1\ns5,c,1\n",
         "large-rates.csv": "node,in,out\na,7,7\n", "counts.csv": "node,tokens\na,9\nb,0\n",
         "machines.csv": "node,in,out\na,6,6\nb,6,6\n",
         "moves.csv": "wave,item,from,to\n0,s3,a,b\n",
         # One machine in each of two racks, a third full; items that no machine has room for.
         "items.csv": "item,machine,size\ns1,a,5 GB\ns2,a,4 GB\ns3,a,3 GB\ns4,b,2 GB\n",
         # Too many for what takes no time: with --seconds 0 stages are cut short.
         "many.csv": "item,machine,size\n" + "".join(
             f"i{i},m{i % 7},{1 + i * 37 % 50}\n" for i in range(60)),
         "hosts.csv": "machine,rack,size\na,r1,30 GB\nb,r2,30 GB\n",
         "led.csv": "item,machine,leader\ns1,a,yes\ns1,b,\ns2,a,yes\ns2,b,\ns3,b,\ns3,c,\n",
         "target.csv": "item,machine,leader\ns1,c,yes\ns1,b,\ns3,c,yes\ns3,b,\n",
         "full.csv": "machine,size\na,6 GB\nb,6 GB\n",
         "speeds-in-bytes.csv": "machine,in,out\na,1GB/s,1GB/s\nb,1GB/s,1GB/s\n",
         # Three runs of two algorithms, one of which was cut short, and one alone.
         "study.csv": "network,loads,seed,algorithm,parameters,steps,reached,stopped_because,"
                      "left_out_because\n"
                      "path:n=3,staircase,1,diffusion,,4,true,quiet,\n"
                      "path:n=3,staircase,1,threshold-1,,9,true,quiet,\n"
                      "path:n=3,staircase,2,diffusion,,5,true,quiet,\n"
                      "path:n=3,staircase,2,threshold-1,,8,true,quiet,\n"
                      "path:n=3,staircase,3,diffusion,,6,true,quiet,\n"
                      "path:n=3,staircase,3,threshold-1,,50,false,max-steps,\n",
         "wrong-moves.csv": "wave,item,from,to\n0,s3,b,a\n",
         # A proposal that changes a place, and an order alone.
         "swapped.json": json.dumps({"version": 1, "partitions": [
             {"topic": "orders", "partition": 0, "replicas": [2, 1]},
             {"topic": "orders", "partition": 1, "replicas": [3, 1]}]}),
         # One round leaves two nodes apart; two rounds together level all loads.
         "turning.matrix": "0 1 1/2\n0 2 1/2\n1 0 1\n1 2 0\n2 0 0\n2 1 1/2\n",
         # Two sites whose servers are not there.
         "fleet.gml": "graph [\n  node [ id 0 label \"a\" server \"nats://127.0.0.1:1\" ]\n"
                      "  node [ id 1 label \"b\" server \"nats://127.0.0.1:2\" ]\n"
                      "  edge [ source 0 target 1 ]\n]\n",
         "empty-network.edges": "# node: 0\n# node: 1\n0 1\n"}
# Keys that need other ranks, the caller's own rules, or instances too large for a quick test.
UNSEEN = {"equipoise-record.asynchrony.delays.ranks", "equipoise-record-1.asynchrony.delays.ranks",
          "equipoise-record-1.asynchrony.ports", "equipoise-record.given_rule",
          "equipoise-record.optimum.exchanges", "equipoise-record.optimum.steps",
          "equipoise-plan.certificate.send_gates", "equipoise-plan.certificate.receive_gates",
          "equipoise-analyze.diameter_at_least", "equipoise-analyze.diameter_at_most",
          "equipoise-plan.steps_at_least", "equipoise-plan.steps_at_most",
          "equipoise-compare.optimum.steps_at_least", "equipoise-compare.optimum.steps_at_most"}
# Those that need servers: tests/redis/live_test.py looks at them.
UNSEEN |= {"equipoise-reassign.carried_out" + key for key in (
    "", ".slots", ".keys", ".bytes", ".seconds", ".closed", ".finished", ".left", ".interrupted",
    ".stopped")}
# The same of agents: tests/agent/verbs_test.py looks at them.
UNSEEN |= {"equipoise-fleet.sites[]." + key for key in (
    "why", "share", "state", "backlog", "held", "offered", "owed", "incoming", "in_doubt", "moved",
    "received", "refused", "stored_before", "malformed", "turned_away", "excess", "withdrawn",
    "messages_sent", "messages_received", "level", "level_since_time", "neighbours[].alive",
    "neighbours[].connected", "neighbours[].load", "neighbours[].moved")}


# Files that people write: no command prints them.
WRITTEN = {"equipoise-scenario", "equipoise-rules", "equipoise-objective", "equipoise-kept",
           "equipoise-certificate"}
# Files whose readers refuse keys that they do not know.
CLOSED = WRITTEN | {"equipoise-record", "equipoise-record-1", "equipoise-windows"}


@functools.cache
def strict(name):
    """The validator of a schema whose objects hold nothing that it does not describe."""
    return jsonschema.Draft202012Validator(json_schemas.closed(SCHEMAS[name]))


def is_valid(name, value):
    return strict(name).is_valid(value)


def file_of(value):
    """The file that describes an object, by what the object says of itself."""
    if "equipoise_record" in value:
        return "equipoise-record" if value["equipoise_record"] == 2 else "equipoise-record-1"
    return value["schema"]["name"]


def keys_of(schema, value, root, path):
    """The paths of all keys of a value, as json_schemas.parts names them."""
    if "$ref" in schema:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in schema.get("properties", {}):
                place = f"{path}.{key}"
                yield place
                yield from keys_of(schema["properties"][key], inner, root, place)
            elif isinstance(schema.get("additionalProperties"), dict):
                yield from keys_of(schema["additionalProperties"], inner, root, path + ".*")
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        for inner in value:
            yield from keys_of(schema["items"], inner, root, path + "[]")


def objects(value):
    """The objects of what a verb printed, those inside a comparison included."""
    for entry in value if isinstance(value, list) else [value]:
        yield entry
        yield from entry.get("results", []) if isinstance(entry, dict) else []


def commands():
    with open(HERE / "invocations.txt", encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    return [line for line in lines if line and not line.startswith("#")]


class SchemasTest(unittest.TestCase):
    """What is printed is kept by the first test that needs it."""

    folder = None
    printed = []  # (command, value)
    records = []  # (name, value)

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        shutil.copytree(ROOT / "tests" / "cli" / "files", cls.folder, dirs_exist_ok=True)
        for name, text in FILES.items():
            with open(os.path.join(cls.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        cls.printed = [(command, cls.printed_by(command)) for command in commands()]
        cls.records = list(cls.written_records())

    @classmethod
    def call(cls, command):
        """What the program prints; bash plays what follows its arguments."""
        environment = dict(os.environ, LC_ALL="C.UTF-8")
        environment["PATH"] = os.path.dirname(PROGRAM) + os.pathsep + environment["PATH"]
        done = subprocess.run(["bash", "-c", "equipoise " + command], cwd=cls.folder, timeout=120,
                              env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"equipoise {command}: {done.stderr}")
        return done.stdout

    @classmethod
    def printed_by(cls, command):
        text = cls.call(command)
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            raise AssertionError(f"equipoise {command}: {error}") from None

    @classmethod
    def written_records(cls):
        """A full record of every algorithm; other levels, worlds and things given of some."""
        names = [entry["name"] for entry in json.loads(cls.call("algorithms --json"))]
        line = "--network path:n=4 --loads spike:tokens=16"
        others = {"random-pairs": "--network complete:n=4 --loads spike:tokens=16",
                  "ring-distribution": "--network cycle:n=4 --loads spike:tokens=16",
                  "async-ring-distribution": "--network cycle:n=4 --loads spike:tokens=16",
                  "token-dropping": "--network path:n=4 --loads spike:tokens=1,node=3"}
        asked = [f"{name} {others.get(name, line)} --record-level full" for name in names]
        asked += [
            f"threshold-2 {line} --record-level summary", f"threshold-2 {line}",
            "threshold-2 --network line.gml --loads line.csv --record-level full",
            f"threshold-2 {line} --record-level full --arrivals poisson:rate=0.5,consume=0.2 "
            "--churn random:nodes=0.05,links=0.05,back=0.2 --max-steps 60",
            f"diffusion {line} --speeds speeds.csv",
            "diffusion --network path:n=3 --loads spike:tokens=90 --deviation --matrix path.matrix",
            f"balancing-circuit {line} --matchings path.matchings --deviation",
            "dimension-exchange --network path:n=4 --loads spike:tokens=16 "
            "--colouring colours.matchings",
            "perfect-tree --network cycle:n=4 --loads spike:tokens=16 --tree tree.edges "
            "--record-level full",
            "self-stabilising --network cycle:n=5 --loads spike:tokens=40 "
            "--faults loss=0.1,crash=0.01,down=8,until=200 --record-level full"]
        for options in asked:
            cls.call(f"run {options} --quiet --record record.json || [ $? = 1 ]")
            with open(os.path.join(cls.folder, "record.json"), encoding="utf-8") as file:
                yield f"run {options}", json.load(file)
        for path in sorted((ROOT / "tests" / "records" / "version-1").glob("*.json")):
            yield path.name, json.loads(path.read_text(encoding="utf-8"))

    def expect_valid(self, name, value, what):
        errors = [f"{error.json_path}: {error.message}" for error in
                  list(strict(name).iter_errors(value))[:3]]
        self.assertFalse(errors, f"{what}: {errors}")

    def test_schemas_are_schemas(self):
        for name, schema in SCHEMAS.items():
            with self.subTest(name):
                jsonschema.Draft202012Validator.check_schema(schema)
                stem = name.removesuffix("-1")
                version = schema["$id"].rsplit(":", 1)[1]
                self.assertEqual(schema["$id"], f"urn:equipoise:{stem}:{version}")

    def test_every_key_has_a_description(self):
        for name, schema in SCHEMAS.items():
            for path, inner, _ in json_schemas.parts(schema):
                self.assertTrue(inner.get("description", "").endswith("."), f"{name}: {path}")

    def test_a_run_in_a_comparison_is_a_run(self):
        inside = SCHEMAS["equipoise-compare"]["$defs"]["run"]
        run = {word: value for word, value in SCHEMAS["equipoise-run"].items()
               if word not in ("$schema", "$id")}
        self.assertEqual(inside, run)

    def test_what_verbs_print_is_as_described(self):
        for command, value in self.printed:
            for found in objects(value):
                self.expect_valid(file_of(found), found, f"equipoise {command}")
                self.assertEqual(next(iter(found)), "schema", command)

    def test_records_of_all_algorithms_levels_and_versions_are_as_described(self):
        self.assertGreater(len(self.records), 50)
        for what, value in self.records:
            self.expect_valid(file_of(value), value, what)

    def test_scenarios_are_as_described(self):
        for path in sorted((ROOT / "scenarios").rglob("*.json")):
            self.expect_valid("equipoise-scenario", json.loads(path.read_text(encoding="utf-8")),
                              path.name)

    def test_certificates_and_kept_states_are_as_described(self):
        for path in sorted((ROOT / "examples" / "certificates").glob("*.json")):
            value = json.loads(path.read_text(encoding="utf-8"))
            self.expect_valid(file_of(value), value, path.name)

    def test_a_scenario_that_its_schema_refuses_is_refused_by_sweep(self):
        good = {"networks": ["path:n=4"], "loads": ["spike:tokens=5"],
                "algorithms": ["threshold-2"], "title": "t", "$schema": "equipoise-scenario.json"}
        moved = {"verb": "reassign", "items": ["items.csv"], "columns": ["totals.moves"],
                 "options": {"effort": 100, "level": ["size", "items"]}}
        wrong = [{key: value for key, value in good.items() if key != left_out}
                 for left_out in ("networks", "loads", "algorithms")]
        wrong += [dict(good, title=3), dict(good, networks=[]), dict(good, seeds=[-1]),
                  dict(good, seeds=[]), dict(good, seeds=["1..3"]), dict(good, seeds=""),
                  dict(good, seeds="1,"), dict(good, seeds="1...3"), dict(good, seeds="-1"),
                  dict(good, simplify="yes"), dict(good, other=1), dict(good, max_steps=1.5),
                  dict(good, algorithms=[{"parameters": {}}]), dict(good, verb="compare"),
                  dict(good, values={"k": []}), dict(good, values={"2k": [1]}),
                  dict(good, options={"stop": []}), dict(good, columns=[]),
                  dict(good, columns=["nodes"], verb="analyze")]
        right = [good, {"networks": ["path:n={k}"], "verb": "analyze", "columns": ["nodes"],
                        "values": {"k": [3, "4"]}, "options": {"observers": [True, False]}},
                 dict(good, networks=["path:n={n*2}"], sizes=[3], options={"max-steps": [3, "{n}"]},
                      columns=["steps", "network.nodes"]), moved,
                 dict(good, seeds="1..3"), dict(good, seeds="7"), dict(good, seeds="1..3, 9,5..6")]
        wrong += [{key: value for key, value in moved.items() if key != left_out}
                  for left_out in ("items", "columns", "verb")]
        wrong += [dict(moved, networks=["path:n=4"]), dict(moved, loads=["spike:tokens=5"]),
                  dict(moved, simplify=True), dict(good, items=["items.csv"])]
        for scenario in right + wrong:
            with open(os.path.join(self.folder, "s.json"), "w", encoding="utf-8") as file:
                json.dump(scenario, file)
            with self.subTest(scenario):
                self.assertEqual(is_valid("equipoise-scenario", scenario), scenario in right)
                status = self.call("sweep s.json --quiet >/dev/null 2>&1; echo $?").strip()
                self.assertEqual(status, "0" if scenario in right else "2")

    def test_rules_and_costs_that_their_schemas_refuse_are_refused(self):
        rules = {"spread": [{"label": "item", "over": "rack"}], "drain": ["a"]}
        costs = {"over_thresholds": {"size": 1}}
        cases = [("rules", {}, True), ("rules", rules, True),
                 ("rules", dict(rules, other=1), False),
                 ("rules", dict(rules, spread=[{"label": "item"}]), False),
                 ("rules", dict(rules, drain=3), False),
                 ("rules", {"apart": ["item", {"label": "item", "on_the_way": False}]}, True),
                 ("rules", {"apart": [{"on_the_way": False}]}, False),
                 ("rules", {"apart": [{"label": "item", "on_the_way": "no"}]}, False),
                 ("objective", costs, True),
                 ("objective", dict(costs, other=1), False),
                 ("objective", {"over_thresholds": {"size": "much"}}, False)]
        for option, value, right in cases:
            with open(os.path.join(self.folder, "given.json"), "w", encoding="utf-8") as file:
                json.dump(value, file)
            with self.subTest(option=option, value=value):
                self.assertEqual(is_valid(f"equipoise-{option}", value), right)
                status = self.call("reassign items.csv --machines hosts.csv --effort 100 --quiet "
                                   f"--{option} given.json >/dev/null 2>&1; echo $?").strip()
                self.assertEqual(status == "2", not right)

    def test_every_described_key_is_printed_by_some_command(self):
        seen = set(UNSEEN)
        for value in [value for _, printed in self.printed for value in objects(printed)] + \
                     [value for _, value in self.records]:
            name = file_of(value)
            seen |= {name + path for path in keys_of(SCHEMAS[name], value, name, "")}
        never = [f"{name}.{path}" for name, schema in SCHEMAS.items()
                 if name not in WRITTEN
                 for path, _, _ in json_schemas.parts(schema) if f"{name}.{path}" not in seen]
        self.assertEqual(never, [])

    def test_a_missing_an_unknown_and_a_wrong_key_are_found(self):
        samples = {}
        for value in [value for _, printed in self.printed for value in objects(printed)] + \
                     [value for _, value in self.records]:
            samples.setdefault(file_of(value), value)
        self.assertEqual(set(samples) | WRITTEN, set(SCHEMAS))
        for name, sample in samples.items():
            for key in SCHEMAS[name]["required"]:
                without = {other: value for other, value in sample.items() if other != key}
                self.assertFalse(is_valid(name, without), f"{name} without {key}")
            for key in sample:
                self.assertFalse(is_valid(name, dict(sample, **{key: {"wrong": [None]}})),
                                 f"{name} with a wrong {key}")
            self.assertFalse(is_valid(name, dict(sample, unheard_of=1)), name)
            more = copy.deepcopy(sample)
            more["unheard_of"] = 1
            # Objects that verbs print may hold more; files may not.
            open_to_more = jsonschema.Draft202012Validator(SCHEMAS[name]).is_valid(more)
            self.assertEqual(open_to_more, name not in CLOSED)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
