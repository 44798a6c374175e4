#!/usr/bin/env python3
"""Forges records and windows files and checks that `verify` and `run --replay` keep their promises.

usage: forge_records.py --program build/bin/equipoise [--seconds 300 | --tries N] [--seed 1 | new]
                        [--keep FOLDER]

Makes records of every level and kind with the program, changes every field of each, alone and
together with others, and runs `verify` on the result. Honest records must pass. A forged one must
fail or be refused; if it passes, `verify` must have named the field as one that it cannot check.
`run --replay` must notice every change of what a run produces. The proofs of plans that `verify`
passes must be true (forge_windows.py).
"""

import copy
import json
import random

import forge_windows
import hostile

LEVELS = ["summary", "sampled", "full"]
ALGORITHMS = ["threshold-2", "threshold-1", "perfect-tree", "mesh-weak", "diffusion-2", "nonsense"]

FILES = {
    "net.gml": """graph [
  node [ id 0 label "A" graphics [ x 1 y 2 ] ]
  node [ id 1 label "B" graphics [ x 2 y 3.5 ] ]
  node [ id 2 label "C" graphics [ x 4 y 1 ] ]
  node [ id 3 label "D" graphics [ x 5 y 0 ] ]
  edge [ source 0 target 1 ]
  edge [ source 1 target 2 ]
  edge [ source 2 target 3 ]
  edge [ source 3 target 0 ]
]
""",
    "speeds.csv": "node,speed\n0,3\n2,2\n5,4\n",
    "arrivals.csv": "step,node,delta\n2,1,9\n5,0,-2\n9,3,4\n",
    "churn.csv": "step,node,change\n3,2,down\n8,2,up\n",
    "path.matchings": "0 1\n2 3\n\n1 2\n3 4\n",
}

# One line a kind of record: what `run` is given besides the record.
KINDS = {
    "rounds": "threshold-2 --network path:n=5 --loads spike:tokens=17",
    "rounds-of-a-file": "threshold-1 --network net.gml --loads spike:tokens=9",
    "random-network": "one-token-matching --network random-tree:n=7 --loads zipf:tokens=40 "
                      "--seed 3",
    "phases": "discrepancy-1 --network path:n=4 --loads spike:tokens=9",
    "cut-short": "threshold-1 --network cycle:n=6 --loads spike:tokens=30 --max-steps 7",
    "asked-stop": "threshold-2 --network torus:3x3 --loads spike:tokens=27 --stop discrepancy:3",
    "deals": "deal-agreement-2 --network mesh:3x3 --loads corner:tokens=40",
    "deals-cut-short": "deal-agreement-2 --network mesh:3x3 --loads corner:tokens=40 "
                       "--max-steps 10",
    "many-deals": "deal-agreement-3 --network star:leaves=5 --loads spike:tokens=30",
    "continuous-deals": "deal-agreement-1 --network path:n=4 --loads spike:tokens=8",
    "speeds": "dimension-exchange --network path:n=6 --loads spike:tokens=60 --speeds speeds.csv",
    "deal-speeds": "deal-agreement-2 --network path:n=6 --loads spike:tokens=30 "
                   "--speeds speeds.csv",
    "diffusion": "diffusion --network torus:3x3 --loads spike:tokens=90 --deviation",
    "continuous": "diffusion --network path:n=4 --loads spike:tokens=8 --param idealised=yes "
                  "--max-steps 12",
    "negative": "diffusion-2 --network cycle:n=6 --loads spike:tokens=60",
    "dummies": "flow-imitation --network path:n=5 --loads spike:tokens=30",
    "outside": "rooted-target --network path:n=4 --loads spike:tokens=12",
    "circuit": "balancing-circuit --network path:n=5 --loads spike:tokens=40 "
               "--matchings path.matchings",
    "walks": "random-walks --network torus:3x3 --loads spike:tokens=45",
    "program": "perfect-tree --network path:n=5 --loads spike:tokens=12",
    "program-on-a-spanning-tree": "minimum-exchange-tree --network torus:3x3 "
                                  "--loads spike:tokens=18",
    "program-with-delays": "async-deal-agreement --network cycle:n=5 --loads spike:tokens=20 "
                           "--delays random:max=4",
    "program-with-single-ports": "perfect-tree --network path:n=5 --loads spike:tokens=12 "
                                 "--ports 1",
    "views": "partially-asynchronous --network path:n=4 --loads spike:tokens=12",
    "faults": "self-stabilising --network path:n=4 --loads spike:tokens=12 "
              "--faults loss=0.1,capacity=4",
    "corrupt": "self-stabilising --network path:n=3 --loads spike:tokens=9 "
               "--faults corrupt-start,capacity=2 --seed 5",
    "mesh": "mesh-weak --network mesh:3x3 --loads spike:tokens=20",
    "mesh-strong": "mesh-strong --network path:n=8 --loads zipf:tokens=50",
    "arrivals": "threshold-2 --network torus:3x3 --loads uniform:tokens=30 "
                "--arrivals poisson:rate=0.2,consume=0.2 --max-steps 25",
    "replayed-arrivals": "deal-agreement-2 --network path:n=4 --loads uniform:tokens=20 "
                         "--arrivals replay:arrivals.csv --max-steps 30",
    "churn": "diffusion --network torus:3x3 --loads spike:tokens=30 "
             "--churn random:nodes=0.02,links=0.02,back=0.3 --max-steps 20",
    "program-arrivals": "async-deal-agreement --network path:n=4 --loads uniform:tokens=20 "
                        "--arrivals replay:arrivals.csv --max-steps 30",
    "program-churn": "self-stabilising --network torus:4x4 --loads spike:tokens=64 "
                     "--faults loss=0.1 --churn random:nodes=0.01,back=0.1 --max-steps 60 --seed 1",
}

# What a run is asked to do: another value may produce the same run, and is then not a lie.
ASKED = ["algorithm", "parameters", "seed", "stop", "asked_stop", "steps_max", "speeds",
         "network.origin", "network.seed", "network.names", "network.positions",
         "network.first_number", "moves.played", "world.arrivals", "world.churn",
         "asynchrony.delays", "asynchrony.adversary", "asynchrony.faults", "asynchrony.ports",
         "program_version", "seconds", "given"]


# What a record need not say; one that says less is not a lie.
OPTIONAL = ["deviation", "asynchrony.phases", "level_since"]

# What is said to people in words, which other versions of the program may choose otherwise.
WORDS = ["guarantee.source"]


def fields(value, path=()):
    """All places of a record, inner ones too."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from fields(value[key], (*path, key))
    if isinstance(value, list):
        for index in range(len(value)):
            yield from fields(value[index], (*path, index))


def name_of(path):
    """The field as `verify` names it: keys without indices."""
    return ".".join(str(part) for part in path if isinstance(part, str))


def get(record, path):
    for part in path:
        record = record[part]
    return record


def forgeries(value):
    """Other values for one: near, far, empty, of another kind."""
    if value is None:
        return [0, "", [], {}, False]
    if isinstance(value, bool):
        return [not value, None]
    if isinstance(value, int):
        return [value + 1, value - 1, 0, -value, 2 * value + 1, (1 << 63) - 1, 1 << 64, 0.5, "1",
                None]
    if isinstance(value, float):
        return [value + 1, value * 2, 0.0, -1.0, "1", None]
    if isinstance(value, str):
        texts = ["", value + "x", value[:-1], "\u001b[2J", "nonsense"]
        if value.lstrip("-").isdigit():
            texts += [str(int(value) + 1), "-" + value]
        return [*texts, *LEVELS, *ALGORITHMS, 1, None]
    if isinstance(value, list):
        shorter = [value[:at] + value[at + 1:] for at in {0, len(value) // 2, len(value) - 1}
                   if value]
        return [*shorter, [], value + value[-1:], value + [1], value + [[0, 0, 1, 1]], None, {}]
    if isinstance(value, dict):
        dropped = [{k: v for k, v in value.items() if k != key} for key in value]
        return [*dropped, value | {"foo": "1"}, [], None]
    return []


def differs(before, after, path):
    """Whether a place holds other values in two records."""
    missing = object()
    values = []
    for value in (before, after):
        for part in path:
            try:
                value = value[part]
            except (KeyError, IndexError, TypeError):
                value = missing
        values.append(value)
    return values[0] != values[1]


def forged(record, path, value):
    """A copy of the record with another value in one place."""
    changed = copy.deepcopy(record)
    if not path:
        return value
    get(changed, path[:-1])[path[-1]] = value
    return changed


def sampled_fields(record, random):
    """Every field; of long lists only the ends and a few entries between."""
    chosen = []
    for path in fields(record):
        small = True
        for at, part in enumerate(path):
            if isinstance(part, int):
                size = len(get(record, path[:at]))
                small = small and (part in (0, size - 1) or random.random() < 4 / size)
        if small:
            chosen.append(path)
    return chosen


def named(path, names):
    """Whether a field, or one that holds it, is among the names."""
    name = name_of(path)
    return any(name == other or name.startswith(other + ".") for other in names)


def changed_fields(path, before, after):
    """The places that a forgery changes: of an object, those of the keys that differ."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [(*path, key) for key in sorted(before.keys() | after.keys())
                if differs(before, after, (key,))]
    return [path]


def words_of(path, before, after):
    """What a forgery changes, in a few words."""
    name = ".".join(map(str, path)) or "record"
    if not isinstance(before, dict) or not isinstance(after, dict):
        return f"{name} {json.dumps(before)[:40]} -> {json.dumps(after)[:60]}"
    ways = [("with " if key not in before else "without " if key not in after else "another ") + key
            for *_, key in changed_fields(path, before, after)]
    return f"{name} {' and '.join(ways)}"


def is_another_run(before, after, networks):
    """Whether only loads at moments differ, and no token is lost: unless records are full, what
    happened in between is unknown, and `verify` says so. Or whether the parameters differ, which
    nothing shows, and what a unit of the loads is, which follows from them. Or whether it is said
    to be on another of these networks, with all that belongs to it: that the rule asks for the
    same there is left open."""
    if not isinstance(after, dict):
        return False
    different = {key for key in before if before[key] != after.get(key)}
    if different == {"parameters", "load_scale"}:
        return True
    if different == {"network"}:
        return after["network"] in networks
    return (before.get("level") != "full" and
            different <= {"initial_loads", "final_loads", "samples"})


def matchings_text(matchings):
    return ";".join(" ".join(f"{tail}>{head}" for tail, head in pairs) for pairs in matchings)


def constants_of_version_1(record):
    """The constants, with what later versions keep in fields of their own."""
    constants = dict(record["constants"])
    if deviation := record["deviation"]:
        constants |= {"deviation": f"{deviation['value']:.6g}",
                      "deviation_error": f"{deviation['error']:.1e}",
                      "deviation_step": "limit" if deviation["step"] is None
                      else str(deviation["step"])}
        if deviation["bound"] is not None:
            constants["deviation_bound"] = f"{deviation['bound']:.6g}"
    if moves := record["moves"]:
        constants |= {"moves": "played" if moves["played"] else "reckoned",
                      "distribution_steps": str(moves["distribution_steps"]),
                      "computation_steps": str(moves["computation_steps"])}
    if met := (record["asynchrony"] or {}).get("faults_met"):
        constants["faults_met"] = (f"{met['lost']} messages lost, {met['doubled']} doubled, "
                                   f"{met['crashes']} crashes")
    if record["one_token_a_link"]:
        constants["tokens_a_link_and_step"] = "1"
    if record["on_spanning_tree"]:
        constants["runs_on"] = "a spanning tree"
    given = record["given"]
    if given["tree"] != "breadth-first":
        constants["tree"] = given["tree"]
    for key, matchings in (("matchings", given["matchings"]), ("colouring", given["colouring"]),
                           ("tree_links", given["tree_links"] and [given["tree_links"]])):
        if matchings:
            constants[key] = matchings_text(matchings)
    if given["matrix"]:
        constants["matrix"] = " ".join(f"{p}/{q}" for p, q in given["matrix"])
    return constants


TYPED = ("given", "one_token_a_link", "on_spanning_tree", "deviation", "moves", "optimum")


def as_version_1(record, first=False):
    """The record as version 1 wrote it, or as the first records were, with less in them."""
    old = {key: value for key, value in record.items()
           if value is not None and key not in TYPED and key != "level_since"}
    old |= {"equipoise_record": 1, "constants": constants_of_version_1(record),
            "guarantee": {k: v for k, v in record["guarantee"].items() if v is not None}}
    unheard = ["faults_met", "phases"]
    if first:
        del old["asked_stop"]
        unheard += ["digest", "kinds", "deliveries", "ports"]
    if record["asynchrony"]:
        old["asynchrony"] = {k: v for k, v in record["asynchrony"].items() if k not in unheard}
    return old


class Forger(hostile.Attack):
    """Records, forged field by field; `seen` holds values of other records for each field."""

    def __init__(self, options):
        super().__init__(options)
        self.seen = {}

    def record_of(self, folder, kind, level):
        """An honest record, or None; one that does not verify or replay is a finding."""
        path = folder / f"{kind}-{level}.json"
        arguments = ["run", *KINDS[kind].split(), "--record", path.name, "--record-level", level,
                     "--quiet"]
        played = hostile.play(self.program, arguments, folder)
        if played.problem() or not path.exists():
            self.find(f"no record: {played.problem()} {played.err}", [], arguments)
            return None
        for words in (["verify", path.name], ["run", "--replay", path.name]):
            again = hostile.play(self.program, words, folder)
            self.tried += 1
            if again.status != 0:
                lines = [line for line in (again.out + again.err).splitlines()
                         if not line.startswith(("ok", "not checked"))]
                self.find(f"an honest record ({kind}, {level}) fails: {lines}", [path], words)
        return json.loads(path.read_text(encoding="utf-8"))

    def try_one(self, folder, what, honest, record, places):
        """Plays `verify` on one forged record."""
        path = folder / "forged.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        arguments = ["verify", "--json", path.name]
        played = hostile.play(self.program, arguments, folder)
        self.tried += 1
        if played.problem():
            return self.find(f"{what}: {played.problem()}", [path], arguments)
        if played.status != 0:
            return None
        names = json.loads(played.out)["unchecked_fields"]
        if all(named(place, names) for place in places):
            return None
        if len(places) > 1 and is_another_run(honest, record, self.seen.get("network", [])):
            return None
        return self.find(f"{what} passes, unnamed", [path], arguments)

    def try_replay(self, folder, what, record, places):
        """Plays `run --replay` on one forged record."""
        path = folder / "forged.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        arguments = ["run", "--replay", path.name]
        played = hostile.play(self.program, arguments, folder)
        self.tried += 1
        if played.problem():
            self.find(f"{what}, replayed: {played.problem()}", [path], arguments)
        elif played.status == 0 and not all(named(place, [*ASKED, *WORDS]) for place in places):
            self.find(f"{what} replays as the same", [path], arguments)

    def try_older(self, folder, what, record):
        """A record that claims to be older, and one rewritten as older versions wrote it."""
        path = folder / "forged.json"
        version = record["equipoise_record"]
        path.write_text(json.dumps(record | {"equipoise_record": version - 1}), encoding="utf-8")
        arguments = ["verify", path.name]
        played = hostile.play(self.program, arguments, folder)
        self.tried += 1
        if played.problem() or played.status == 0:
            self.find(f"{what} passes as version {version - 1}: {played.problem()}", [path],
                      arguments)
        for first in (False, True):
            path.write_text(json.dumps(as_version_1(record, first)), encoding="utf-8")
            for arguments in (["verify", path.name], ["run", "--replay", path.name]):
                played = hostile.play(self.program, arguments, folder)
                self.tried += 1
                # Only with its ports and its order of events can such a run be repeated.
                lost = (first and record["asynchrony"] and
                        (record["asynchrony"]["ports"] or record["asynchrony"]["deliveries"]))
                if played.problem() or (played.status != 0 and not lost):
                    self.find(f"{what}, as {'a first record' if first else 'version 1'}, fails: "
                              f"{played.problem()} {played.out + played.err}", [path], arguments)
                elif first and arguments[0] == "run" and played.status == 0 and (
                        "; not compared" not in played.out):
                    self.find(f"{what}, as a first record, replays as the same", [path], arguments)

    def singles(self, record):
        """Every field by itself, with every other value, in random order."""
        work = []
        for path in sampled_fields(record, self.random):
            before = get(record, path)
            others = self.seen.setdefault(name_of(path), [])
            work += [(path, value) for value in forgeries(before) + others
                     if value != before or not isinstance(value, type(before))]
            # Another record as a whole is no forgery.
            if path and before not in others and len(others) < 3:
                others.append(before)
        self.random.shuffle(work)
        return work

    def try_single(self, folder, what, record, path, value):
        before = get(record, path)
        places = changed_fields(path, before, value)
        words = f"{what}: {words_of(path, before, value)}"
        if value is None and name_of(path) in OPTIONAL:
            return
        changed = forged(record, path, value)
        self.try_one(folder, words, record, changed, places)
        if self.random.random() < 0.1:
            self.try_replay(folder, words, changed, places)

    def try_several(self, folder, what, record):
        """Two or three fields at once."""
        changed, places, words = copy.deepcopy(record), [], []
        for _ in range(self.random.randint(2, 3)):
            path = self.random.choice(sampled_fields(changed, self.random))
            before = get(changed, path)
            values = [value for value in forgeries(before)
                      if isinstance(value, type(before)) and value != before]
            if not path or not values:
                continue
            value = self.random.choice(values)
            places += changed_fields(path, before, value)
            words.append(f"{'.'.join(map(str, path))} -> {json.dumps(value)[:60]}")
            changed = forged(changed, path, value)
        # One change may have taken back another.
        places = [place for place in places if differs(record, changed, place)]
        if changed != record and places:
            self.try_one(folder, f"{what}: {'; '.join(words)}", record, changed, places)

    def run(self, folder):
        # Numbers of its own, so that records are forged as they would be without it.
        forge_windows.attack_windows(self, folder, self.share(5), random.Random(self.seed))
        for name, text in FILES.items():
            (folder / name).write_text(text, encoding="utf-8")
        kinds = [(kind, level) for kind in KINDS for level in LEVELS]
        self.random.shuffle(kinds)
        for at, (kind, level) in enumerate(kinds):
            over = self.share(len(kinds) - at)
            record = self.record_of(folder, kind, level)
            if record and not over():
                self.try_older(folder, f"{kind}, {level}", record)
            work = self.singles(record) if record else []
            while work and not over():
                self.try_single(folder, f"{kind}, {level}", record, *work.pop())
                if self.random.random() < 0.15:
                    self.try_several(folder, f"{kind}, {level}", record)
        return self.end("forged records")


if __name__ == "__main__":
    hostile.main(Forger, __doc__.splitlines()[0])
