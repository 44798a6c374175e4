#!/usr/bin/env python3
"""Files that `equipoise trace -o` writes are what DARMA vt reads, and say what was planned.

usage: trace_test.py PROGRAM [FOLDER ...]

Made-up traces, or those in the folders (exit status 77 if none of these is there). Judged by the
rules of vt's schema, written here again from its description, and by counting: every task and
communication is there once, as it was, where it should be.
"""
import collections
import copy
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])

# Keys by kind: name: (required, check).
WHOLE = lambda value: isinstance(value, int) and not isinstance(value, bool)
REAL = lambda value: isinstance(value, float)
TEXT = lambda value: isinstance(value, str)
TRUTH = lambda value: isinstance(value, bool)
DICT = lambda value: isinstance(value, dict)
TYPE = lambda value: value == "LBDatafile"


def many(check):
    return lambda value: isinstance(value, list) and all(check(one) for one in value)


def struct(keys, also=lambda value: True):
    def check(value):
        return (isinstance(value, dict) and not set(value) - set(keys)
                and all(name in value or not required for name, (required, _) in keys.items())
                and all(keys[name][1](one) for name, one in value.items()) and also(value))
    return check


def has_id(entity):
    if "id" not in entity and "seq_id" not in entity:
        return False
    return not (entity.get("migratable") and "seq_id" in entity and "collection_id" not in entity)


def entity_keys(of_task):
    return {"collection_id": (False, WHOLE), "home": (of_task, WHOLE), "id": (False, WHOLE),
            "seq_id": (False, WHOLE), "index": (False, many(WHOLE)), "type": (True, TEXT),
            "migratable": (of_task, TRUTH), "objgroup_id": (False, WHOLE)}


RANGES = struct({"list": (True, many(WHOLE)), "range": (True, many(many(WHOLE)))})
TASK = struct({"entity": (True, struct(entity_keys(True), has_id)), "node": (True, WHOLE),
               "resource": (True, TEXT), "time": (True, REAL),
               "subphases": (False, many(struct({"id": (True, WHOLE), "time": (True, REAL)}))),
               "user_defined": (False, DICT), "attributes": (False, DICT)})
SENT = struct({"type": (True, TEXT), "from": (True, struct(entity_keys(False), has_id)),
               "to": (True, struct(entity_keys(False), has_id)), "messages": (True, WHOLE),
               "bytes": (True, REAL)})
FILE = struct({
    "type": (False, TYPE),
    "metadata": (False, struct({
        "type": (False, TYPE), "rank": (False, WHOLE), "attributes": (False, DICT),
        "shared_node": (False, struct({name: (True, WHOLE)
                                       for name in ("id", "size", "rank", "num_nodes")})),
        "phases": (False, struct({"count": (False, WHOLE), "skipped": (True, RANGES),
                                  "identical_to_previous": (True, RANGES)}))})),
    "phases": (True, many(struct({
        "id": (True, WHOLE), "tasks": (True, many(TASK)), "communications": (False, many(SENT)),
        "user_defined": (False, DICT)})))})


def expect(holds, what):
    if not holds:
        sys.exit("not so: " + what)


def rank_of(name):
    return int(name.removesuffix(".json").rpartition(".")[2])


def read(folder):
    """By rank, what the files say."""
    files = {}
    for name in os.listdir(folder):
        if name.endswith(".json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                files[rank_of(name)] = json.load(file)
    return files


def expanded(content):
    """The phases of a file by id, those that are identical to the one before among them."""
    phases = {phase["id"]: phase for phase in content["phases"]}
    same = content.get("metadata", {}).get("phases", {}).get("identical_to_previous", {})
    ids = set(same.get("list", []))
    for first, last in same.get("range", []):
        ids.update(range(first, last + 1))
    for number in sorted(ids):
        phases[number] = phases[max(one for one in phases if one < number)]
    return phases


def key(value):
    return json.dumps(value, sort_keys=True)


def name_of(entity):
    return (entity.get("id"), None if "id" in entity else
            (entity["seq_id"], entity.get("home"), entity.get("collection_id")))


def as_reals(value):
    """With times and bytes as real numbers, as vt's schema wants them."""
    if isinstance(value, list):
        return [as_reals(one) for one in value]
    if isinstance(value, dict):
        return {name: (float(one) if name in ("time", "bytes") and not isinstance(one, dict)
                       else one if name in ("user_defined", "attributes") else as_reals(one))
                for name, one in value.items()}
    return value


def check_written(before, after, is_vts):
    expect(sorted(before) == sorted(after), "there is a file for every rank")
    for rank, content in after.items():
        expect(FILE(content), f"the file of rank {rank} obeys the schema")
    old = {rank: expanded(as_reals(content)) for rank, content in before.items()}
    new = {rank: expanded(content) for rank, content in after.items()}
    ids = sorted(old[0])
    for rank in old:
        expect(sorted(new[rank]) == ids, f"rank {rank} has the phases that it had")
    for number in ids:
        counts = [collections.Counter(), collections.Counter()]
        sent = [collections.Counter(), collections.Counter()]
        fixed = [set(), set()]
        here = [{}, {}]
        for side, files in enumerate((old, new)):
            for rank, phases in files.items():
                for task in phases[number]["tasks"]:
                    rest = dict(task)
                    # A copy of an identical phase that moved is written with its node.
                    expect(rest.pop("node") == rank or side == 0, "a task's node is its file's")
                    counts[side][key(rest)] += 1
                    if task["entity"]["migratable"]:
                        here[side][name_of(task["entity"])] = rank
                    else:
                        fixed[side].add((rank, key(rest)))
                for one in phases[number].get("communications", []):
                    sent[side][key(one)] += 1
        expect(counts[0] == counts[1], f"phase {number} has the tasks that it had")
        expect(sent[0] == sent[1], f"phase {number} has the communications that it had")
        expect(fixed[0] == fixed[1], f"phase {number}: what may not migrate stays")
        for rank, phases in new.items() if is_vts else ():
            for one in phases[number].get("communications", []):
                ends = [here[1].get(name_of(one[end])) for end in ("to", "from")
                        if one[end].get("migratable")]
                known = [end for end in ends if end is not None]
                expect(not known or known[0] == rank, "a communication is where its receiver "
                       "runs if that may migrate, else where its sender runs")


def check_metadata(before, after):
    for rank, content in before.items():
        old, new = content.get("metadata"), after[rank].get("metadata")
        for metadata in (old, new):
            if metadata and "phases" in metadata:
                metadata["phases"].pop("identical_to_previous")
        expect(old == new, f"rank {rank} has the metadata that it had")


def level(folder, out, *options):
    done = subprocess.run([PROGRAM, "trace", folder, "-o", out, "--json", *options],
                          capture_output=True, text=True, timeout=120, check=False)
    expect(done.returncode == 0, f"{folder} {options}: {done.stderr}")
    return json.loads(done.stdout)


def imbalance(files):
    loads = collections.defaultdict(dict)
    for rank, content in files.items():
        for number, phase in expanded(content).items():
            loads[number][rank] = sum(task["time"] for task in phase["tasks"])
    largest = sum(max(by_rank.values()) for by_rank in loads.values())
    average = sum(sum(by_rank.values()) / len(by_rank) for by_rank in loads.values())
    return largest / average - 1 if average else 0


def check_trace(folder, is_vts):
    before = read(folder)
    expect(all(FILE(as_reals(content)) for content in before.values()), f"{folder} is a trace")
    for options in (["--policy", "weighted"], ["--policy", "weighted", "--tolerance", "0.2"],
                    ["--policy", "minimum-moves"], ["--policy", "keep-order"],
                    ["--times", "previous"], ["--advise"]):
        with tempfile.TemporaryDirectory() as root:
            out = os.path.join(root, "out")
            said = level(folder, out, *options)
            after = read(out)
            check_written(before, after, is_vts)
            expect(abs(said["imbalance"]["before"] - imbalance(before)) < 1e-9, "it says what was")
            expect(abs(said["imbalance"]["after"] - imbalance(after)) < 1e-9,
                   f"{folder} {options}: it says what it wrote")
            check_metadata(copy.deepcopy(before), copy.deepcopy(after))
            if len(expanded(before[0])) == 1 and options == ["--times", "previous"]:
                expect(as_reals(before) == after, "a trace in which nothing moves stays the same")


def entity(chance, object_id, rank, numbered, fixed):
    given = {"type": "object", "home": rank, "migratable": not fixed}
    if numbered:
        given["seq_id"] = object_id
        given["collection_id"] = 3
    else:
        given["id"] = object_id << 18 | rank << 2 | 3
    if chance.random() < 0.5:
        given["index"] = [object_id % 5, 1]
    return given


def make_trace(seed, folder):
    """A trace with all that the format has, objects that move, and identical phases."""
    chance = random.Random(seed)
    ranks, phases = chance.randint(1, 6), chance.randint(1, 5)
    numbered = chance.random() < 0.3
    homes = [chance.randrange(ranks) for _ in range(chance.randint(0, 30))]
    objects = [entity(chance, number, home, numbered, chance.random() < 0.2)
               for number, home in enumerate(homes)]
    files = [{"type": "LBDatafile", "phases": [],
              "metadata": {"rank": rank, "attributes": {"host": "n" + str(rank)},
                           "shared_node": {"id": 0, "size": ranks, "rank": rank, "num_nodes": 1},
                           "phases": {"count": phases, "skipped": {"list": [], "range": []},
                                      "identical_to_previous": {"list": [], "range": []}}}}
             for rank in range(ranks)]
    for number in range(phases):
        where = [one["home"] if not one["migratable"] or chance.random() < 0.7
                 else chance.randrange(ranks) for one in objects]
        repeats = number > 0 and chance.random() < 0.3
        for rank, file in enumerate(files):
            if repeats:
                file["metadata"]["phases"]["identical_to_previous"]["list"].append(number)
                continue
            mine = [one for one, at in zip(objects, where) if at == rank]
            tasks = []
            for one in mine:
                task = {"entity": one, "node": rank, "resource": "cpu",
                        "time": chance.choice([0.0, 2, chance.expovariate(1), 1e-7])}
                if chance.random() < 0.4:
                    task["subphases"] = [{"id": 0, "time": 1}, {"id": 1, "time": 0.5}]
                if chance.random() < 0.5:
                    task["user_defined"] = {"task_serialized_bytes": chance.choice([7, 1e3, 2.5])}
                if chance.random() < 0.1:
                    task["attributes"] = {"note": "\u00fcber", "n": 3}
                tasks.append(task)
            phase = {"id": number, "tasks": tasks, "user_defined": {"step": {"deep": [1, None]}}}
            sent = [{"type": "SendRecv", "from": chance.choice(objects), "to": to,
                     "messages": chance.randint(0, 9), "bytes": chance.choice([3, 0.5, 1e6])}
                    for to in mine if to["migratable"] for _ in range(chance.randint(0, 2))]
            sent += [{"type": "CollectionToNode", "from": one, "messages": 1, "bytes": 8.0,
                      "to": {"type": "node", "id": chance.randrange(ranks)}}
                     for one in mine if one["migratable"] and chance.random() < 0.2]
            if sent:
                phase["communications"] = sent
            file["phases"].append(phase)
    for rank, file in enumerate(files):
        with open(os.path.join(folder, f"run.{rank}.json"), "w", encoding="utf-8") as out:
            json.dump(file, out)


def check_interrupt():
    """Ctrl-C while the folder is written leaves nothing."""
    with tempfile.TemporaryDirectory() as root:
        folder = os.path.join(root, "in")
        os.mkdir(folder)
        one = {"entity": {"home": 0, "migratable": True, "type": "object"}, "resource": "cpu"}
        for rank in range(300):
            tasks = [dict(one, node=rank, time=float(k), entity=dict(one["entity"],
                                                                     id=rank * 1000 + k))
                     for k in range(40)]
            with open(os.path.join(folder, f"d.{rank}.json"), "w", encoding="utf-8") as file:
                json.dump({"phases": [{"id": 0, "tasks": tasks}]}, file)
        with subprocess.Popen([PROGRAM, "trace", "in", "-o", "out", "--quiet"], cwd=root,
                              stderr=subprocess.PIPE, text=True) as process:
            deadline = time.monotonic() + 60
            while process.poll() is None and os.listdir(root) == ["in"]:
                expect(time.monotonic() < deadline, "it begins to write within a minute")
            process.send_signal(signal.SIGINT)
            said = process.communicate()[1]
        left = sorted(os.listdir(root))
        if process.returncode == 0:
            expect(left == ["in", "out"] and len(os.listdir(os.path.join(root, "out"))) == 300,
                   "what came to its end is whole")
        else:
            expect(process.returncode == 2 and said ==
                   "equipoise: trace: interrupted; nothing was written\n", f"it says so: {said}")
            expect(left == ["in"], f"nothing is left: {left}")


def main():
    folders = sys.argv[2:]
    found = [folder for folder in folders if os.path.isdir(folder)]
    if folders and not found:
        print("skipped: there is no " + ", ".join(folders))
        sys.exit(77)
    for folder in found:
        check_trace(folder, True)
    if not folders:
        for seed in range(12):
            with tempfile.TemporaryDirectory() as folder:
                make_trace(seed, folder)
                check_trace(folder, True)
        check_interrupt()


main()
