"""Forged windows files: proofs of plans whose digest and sums fit, and what is true of them.

A forgery that `verify` passes need not be a lie: another proof of the same thing, or of something
weaker, is a proof. What it claims is therefore held against the fewest steps that there are, found
here by maximum flows through the layers of all steps, apart from everything in the program.
"""

import collections
import copy
import json

import hostile

WORD = (1 << 64) - 1

# Networks and loads, and one line a kind of file: what `plan` is given besides `--windows`.
FILES = {
    "pairs.edges": "0 4\n1 5\n2 6\n3 7\n4 5\n5 6\n6 7\n",
    "pairs.csv": "node,tokens\n0,6\n1,6\n2,6\n3,6\n4,0\n5,0\n6,0\n7,0\n",
    "path.edges": "0 1\n1 2\n2 3\n",
    "path.csv": "node,tokens\n0,8\n1,0\n2,1\n3,0\n",
    "ring.edges": "0 1\n1 2\n2 3\n3 4\n4 0\n",
    "ring.csv": "node,tokens\n0,7\n1,0\n2,4\n3,0\n4,1\n",
    "room.csv": "node,capacity\n0,8\n1,3\n2,2\n3,2\n",
    "delays.csv": "from,to,steps\n0,1,2\n2,3,3\n",
    "rates.csv": "node,in,out\n0,2,2\n1,1,1\n2,3,3\n",
}
KINDS = {
    "pairs": "--network pairs.edges --loads pairs.csv",
    "path": "--network path.edges --loads path.csv",
    "path-at-most": "--network path.edges --loads path.csv --target at-most:3",
    "ring": "--network ring.edges --loads ring.csv",
    "ring-all-ports": "--network ring.edges --loads ring.csv --ports all",
    "ring-rates": "--network ring.edges --loads ring.csv --rates rates.csv",
    "ring-pinned": "--network ring.edges --loads ring.csv --pinned 1",
    "path-capacities": "--network path.edges --loads path.csv --capacities room.csv",
    "path-delays": "--network path.edges --loads path.csv --link-delays delays.csv",
}
STEPS_LOOKED_AT = 40
LISTS = ("loads", "ports", "capacities", "delays")


def mix_bits(x):
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & WORD
    x = (x ^ x >> 27) * 0x94d049bb133111eb & WORD
    return x ^ x >> 31


def digest_of(words):
    state = 0x243f6a8885a308d3
    for word in words:
        mixed = mix_bits(state ^ (word + 0x9e3779b97f4a7c15 & WORD))
        state = mixed * 0xff51afd7ed558ccd + 1 & WORD
    return f"{mix_bits(state):016x}"


def words_of(value):
    """The words of a list of pairs or of numbers, or of a text, with its length before them."""
    if isinstance(value, str):
        return [len(value.encode()), *value.encode()]
    return [len(value), *(number & WORD for number in value)]


def words_of_runs(runs):
    return [len(runs) // 2, *(number & WORD for number in runs)]


def joined(pairs):
    return [pairs[i] << 32 | pairs[i + 1] for i in range(0, len(pairs), 2)]


def words_of_proofs(file):
    words = []
    if flow := file.get("flow"):
        words += [1, flow["steps"], len(flow["windows"])]
        for tail, head, first, steps, tokens in flow["windows"]:
            words += [tail << 32 | head, first, steps, tokens & WORD]
    else:
        words.append(0)
    if cut := file.get("cut"):
        words += [1, cut["steps"], cut["surplus"] & WORD, cut["crossings"] & WORD]
        for key in ("inside", "send_first", "send_end", "receive_first", "receive_end"):
            words += words_of_runs(cut[key])
    else:
        words.append(0)
    if zones := file.get("zones"):
        words += [1, zones["steps"], zones["surplus"] & WORD, zones["crossings"] & WORD,
                  len(zones["zones"])]
        for zone in zones["zones"]:
            words += [zone["first_step"], zone["steps"]]
            for key in ("nodes", "senders", "receivers", "dropped"):
                words += words_of(zone[key])
        words += words_of(zones["last_zone"])
    else:
        words.append(0)
    return words


def fitted_digest(file):
    """The digest that a file says of itself if nobody altered it."""
    network = file["network"]
    words = words_of(network["origin"])
    words += [network["seed"], int(network["generated"]), network["nodes"], network["links"],
              int(network["digest"], 16)]
    words += words_of(joined(network["ends"]))
    words += [*words_of(file["target"]), int(file["all_ports"])]
    final = file["final_loads"]
    for runs in (file["loads"], final["base"], final["may_hold_extra"],
                 *(file.get(key, []) for key in LISTS[1:])):
        words += words_of_runs(runs)
    words += [final["extras"] & WORD, file["steps_at_least"],
              file["steps_at_most"] + 1 if "steps_at_most" in file else 0]
    return digest_of(words + words_of_proofs(file))


def expanded(runs, size, otherwise):
    """The numbers of a list; the same one everywhere if it is not there."""
    if not runs:
        return [otherwise] * size
    return [value for at in range(0, len(runs), 2) for value in [runs[at + 1]] * runs[at]]


def runs_of(values):
    return [number for value in values for number in (1, value)]


class Layers:
    """A maximum flow through the layers of some steps (shortest augmenting paths)."""

    def __init__(self):
        self.arcs = collections.defaultdict(dict)

    def add(self, tail, head, most):
        self.arcs[tail][head] = self.arcs[tail].get(head, 0) + most
        self.arcs[head].setdefault(tail, 0)

    def flow(self, wanted):
        """Whether this much gets from "source" to "sink"."""
        while wanted > 0:
            before = {"source": None}
            queue = collections.deque(["source"])
            while queue and "sink" not in before:
                node = queue.popleft()
                for head, most in self.arcs[node].items():
                    if most > 0 and head not in before:
                        before[head] = node
                        queue.append(head)
            if "sink" not in before:
                return False
            path, node = [], "sink"
            while before[node] is not None:
                path.append((before[node], node))
                node = before[node]
            least = min(self.arcs[tail][head] for tail, head in path)
            for tail, head in path:
                self.arcs[tail][head] -= least
                self.arcs[head][tail] += least
            wanted -= least
        return True


class Truth:
    """The problem of a file."""

    def __init__(self, file):
        self.nodes = file["network"]["nodes"]
        ends = file["network"]["ends"]
        links = [(ends[i], ends[i + 1]) for i in range(0, len(ends), 2)]
        self.loads = expanded(file["loads"], self.nodes, 0)
        self.base = expanded(file["final_loads"]["base"], self.nodes, 0)
        self.extra = expanded(file["final_loads"]["may_hold_extra"], self.nodes, 0)
        self.extras = file["final_loads"]["extras"]
        self.ports = expanded(file.get("ports"), self.nodes, 1)
        self.capacities = expanded(file.get("capacities"), self.nodes, sum(self.loads))
        self.all_ports = file["all_ports"]
        delays = expanded(file.get("delays"), len(links), 1)
        self.arcs = [(*pair, delay) for (tail, head), delay in zip(links, delays)
                     for pair in ((tail, head), (head, tail))
                     if self.ports[tail] > 0 and self.ports[head] > 0]

    def suffice(self, steps):
        """Whether this many steps are enough."""
        layers, all_tokens = Layers(), sum(self.loads)
        for node in range(self.nodes):
            layers.add("source", ("held", node, 0), self.loads[node])
            layers.add(("held", node, steps), "sink", self.base[node])
            if self.extra[node]:
                layers.add(("held", node, steps), "extras", 1)
            for step in range(steps):
                layers.add(("held", node, step), ("sent", node, step),
                           all_tokens if self.all_ports else self.ports[node])
                layers.add(("held", node, step), ("after", node, step + 1), all_tokens)
                layers.add(("received", node, step + 1), ("after", node, step + 1),
                           all_tokens if self.all_ports else self.ports[node])
                layers.add(("after", node, step + 1), ("held", node, step + 1),
                           self.capacities[node])
        layers.add("extras", "sink", self.extras)
        for tail, head, delay in self.arcs:
            for step in range(steps - delay + 1):
                layers.add(("sent", tail, step), ("received", head, step + delay),
                           1 if self.all_ports else all_tokens)
        return layers.flow(all_tokens)

    def lie_of(self, least, most):
        """What is false about a claim that the fewest steps are from `least` to `most` (None:
        nothing is said); None if nothing is, or none of the steps looked at are enough."""
        looked_at = min(STEPS_LOOKED_AT, STEPS_LOOKED_AT if most is None else most)
        fewest = next((steps for steps in range(looked_at + 1) if self.suffice(steps)), None)
        if fewest is not None and fewest < least:
            return f"as few steps as {fewest} are enough, not {least}"
        if fewest is None and most is not None and most <= STEPS_LOOKED_AT:
            return f"{most} steps are not enough"
        return None


def signed(number):
    """As a number of 64 bits that went round."""
    return (number + (1 << 63) & WORD) - (1 << 63)


def fit(file):
    """Makes steps, sums and digest agree with each other, as far as 64 bits tell."""
    size = file["network"]["nodes"]
    loads = expanded(file["loads"], size, 0)
    base = expanded(file["final_loads"]["base"], size, 0)
    extra = expanded(file["final_loads"]["may_hold_extra"], size, 0)
    ports = expanded(file.get("ports"), size, 1)
    capacities = expanded(file.get("capacities"), size, 0)
    if zones := file.get("zones"):
        at = crossings = 0
        for zone in zones["zones"]:
            zone["first_step"] = at
            at = at + zone["steps"] & WORD
            gates = sum(ports[node] for node in zone["senders"] + zone["receivers"])
            gates += sum(capacities[node] for node in zone["dropped"])
            crossings += signed(gates) * zone["steps"]
        zones["steps"] = at
        last = zones["last_zone"]
        held = sum(loads[node] for node in zones["zones"][0]["nodes"]) if zones["zones"] else 0
        zones["surplus"] = signed(held - sum(base[node] for node in last) - min(
            sum(extra[node] for node in last), file["final_loads"]["extras"]))
        zones["crossings"] = signed(crossings)
    steps = (file.get("zones") or file.get("cut") or {"steps": -1})["steps"]
    file["steps_at_least"] = steps + 1
    if file.get("steps_at_most", steps + 1) < steps + 1:
        del file["steps_at_most"], file["flow"]


class WindowsForger:
    """Changes of honest files, each by itself and together with others."""

    def __init__(self, random):
        self.random = random

    def some(self, size):
        share = self.random.choice((0, 0.3, 0.7, 1))
        return [node for node in range(size) if self.random.random() < share]

    def some_number(self):
        return self.random.choice((0, 1, 2, 3, 7, 1000000, 1 << 31, 1 << 59, 1 << 61,
                                   (1 << 61) - 1, 1 << 62, (1 << 63) - 1))

    def number(self, file):
        """Another number in a list of the problem."""
        name = self.random.choice(LISTS)
        size = file["network"]["links" if name == "delays" else "nodes"]
        numbers = expanded(file.get(name), size, 1)
        numbers[self.random.randrange(size)] = self.some_number()
        file[name] = runs_of(numbers)

    def same_number(self, file):
        """One number everywhere."""
        name = self.random.choice(LISTS)
        size = file["network"]["links" if name == "delays" else "nodes"]
        file[name] = [size, self.some_number()]

    def final_load(self, file):
        final = file["final_loads"]
        base = expanded(final["base"], file["network"]["nodes"], 0)
        base[self.random.randrange(len(base))] = self.some_number()
        final["base"] = runs_of(base)
        final["extras"] = self.random.choice((final["extras"], self.some_number()))
        file["target"] = "as listed"

    def window(self, file):
        if windows := file.get("flow", {}).get("windows"):
            window = self.random.choice(windows)
            at = self.random.randrange(5)
            window[at] = self.some_number() & (0xffffffff if at < 2 else WORD)
            self.end_flow(file, file["flow"]["steps"] + self.random.choice((-1, 0, 1)))

    def faster(self, file):
        """The same windows, but some of them earlier or shorter, in one step less."""
        if windows := file.get("flow", {}).get("windows"):
            for window in windows:
                if self.random.random() < 0.5:
                    window[2] = max(0, window[2] - 1)
                if self.random.random() < 0.3:
                    window[3] = max(1, window[3] - 1)
            self.end_flow(file, max(0, file["flow"]["steps"] - 1))

    def end_flow(self, file, steps):
        """The flow takes this many steps, and nothing else says that they are too few."""
        file["flow"]["steps"] = file["steps_at_most"] = max(0, steps)
        file.pop("cut", None)
        file.pop("zones", None)

    def empty_zone(self, file):
        """A zone of no steps."""
        if zones := file.get("zones"):
            size = file["network"]["nodes"]
            zone = {"first_step": 0, "steps": 0, "nodes": self.some(size), "senders": [],
                    "receivers": [], "dropped": []}
            zones["zones"].insert(self.random.randrange(len(zones["zones"]) + 1), zone)

    def zone_of_all(self, file):
        """All nodes for no step, then none for many."""
        size = file["network"]["nodes"]
        zone = {"first_step": 0, "senders": [], "receivers": [], "dropped": []}
        file.pop("cut", None)
        file["zones"] = {"zones": [zone | {"steps": 0, "nodes": list(range(size))},
                                   zone | {"steps": 1000000, "nodes": []}], "last_zone": []}

    def static_zone(self, file):
        """The nodes that hold too much, for many steps; all that they send counts."""
        size = file["network"]["nodes"]
        loads = expanded(file["loads"], size, 0)
        base = expanded(file["final_loads"]["base"], size, 0)
        full = [node for node in range(size) if loads[node] > base[node]]
        file.pop("cut", None)
        file["zones"] = {"zones": [{"first_step": 0, "steps": 1000000, "nodes": full,
                                    "senders": full, "receivers": [], "dropped": []}],
                         "last_zone": full}

    def many_ports(self, file):
        """As many ports as add up to 0 in 64 bits for four nodes."""
        file["ports"] = [file["network"]["nodes"], 1 << 62]

    def some_zone(self, file):
        if zones := file.get("zones"):
            zone = self.random.choice(zones["zones"])
            key = self.random.choice(("nodes", "senders", "receivers", "dropped", "steps"))
            zone[key] = (self.some_number() if key == "steps"
                         else self.some(file["network"]["nodes"]))

    def two_zones(self, file):
        """Two zones of random nodes."""
        size = file["network"]["nodes"]
        file.pop("cut", None)
        zones = [{"first_step": 0, "steps": self.some_number(), "dropped": [],
                  **{key: self.some(size) for key in ("nodes", "senders", "receivers")}}
                 for _ in range(2)]
        file["zones"] = {"zones": zones, "last_zone": self.some(size)}

    def cut_and_zones(self, file):
        """A cut beside zones that say something else."""
        if cut := copy.deepcopy(file.get("cut")):
            self.zone_of_all(file)
            file["cut"] = cut

    def cut(self, file):
        if cut := file.get("cut"):
            size = file["network"]["nodes"]
            key = self.random.choice(("inside", "send_first", "send_end", "receive_first",
                                      "receive_end", "steps", "surplus", "crossings"))
            numbers = [self.some_number() for _ in range(size)]
            cut[key] = numbers[0] if isinstance(cut[key], int) else runs_of(numbers)

    def forgeries(self, file):
        """Each a list of changes, the most likely to pass first."""
        yield [self.zone_of_all]
        yield [self.static_zone, self.many_ports]
        yield [self.cut_and_zones]
        changes = [self.number, self.same_number, self.final_load, self.window, self.faster,
                   self.empty_zone, self.zone_of_all, self.static_zone, self.many_ports,
                   self.some_zone, self.two_zones, self.cut_and_zones, self.cut]
        while True:
            yield self.random.sample(changes, self.random.randint(1, 3))


def honest_files(attack, folder):
    """Files that `plan` writes, by kind; what does not verify is a finding."""
    files = {}
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    for kind, words in KINDS.items():
        path = folder / f"windows-{kind}.json"
        made = hostile.play(attack.program,
                            ["plan", *words.split(), "--windows", path.name, "--quiet"], folder)
        verified = hostile.play(attack.program, ["verify", path.name], folder)
        attack.tried += 1
        if made.problem() or verified.status != 0:
            attack.find(f"an honest windows file ({kind}) fails: {made.err}{verified.out}", [],
                        ["plan", *words.split()])
            continue
        files[kind] = json.loads(path.read_text(encoding="utf-8"))
        if fitted_digest(files[kind]) != files[kind]["digest"]:
            attack.find(f"the digest of a windows file ({kind}) is another than here", [path],
                        ["verify", path.name])
    return files


def try_one(attack, folder, what, file, honest):
    """Plays `verify` on a forged file; a lie that passes is a finding."""
    path = folder / "forged-windows.json"
    path.write_text(json.dumps(file), encoding="utf-8")
    arguments = ["verify", "--json", path.name]
    played = hostile.play(attack.program, arguments, folder)
    attack.tried += 1
    if played.problem():
        return attack.find(f"{what}: {played.problem()}", [path], arguments)
    if played.status != 0:
        return None
    if file["digest"] != fitted_digest(file):
        return attack.find(f"{what} passes with another digest", [path], arguments)
    if lie := Truth(file).lie_of(file["steps_at_least"], file.get("steps_at_most")):
        return attack.find(f"{what} passes, though {lie}", [path], arguments)
    names = json.loads(played.out)["unchecked_fields"]
    named = any(name.startswith("final_loads") for name in names)
    same = all(file.get(key) == honest.get(key) for key in ("target", "all_ports", *LISTS))
    if same and not named and file["final_loads"] != honest["final_loads"]:
        return attack.find(f"{what} passes with other final loads, unnamed", [path], arguments)
    return None


def attack_windows(attack, folder, over, random):
    """Forges windows files of all kinds in turn until it is over."""
    forger = WindowsForger(random)
    files = honest_files(attack, folder)
    streams = {kind: forger.forgeries(file) for kind, file in files.items()}
    while files and not over():
        for kind, honest in files.items():
            if over():
                break
            file = copy.deepcopy(honest)
            changes = next(streams[kind])
            try:
                for change in changes:
                    change(file)
                if random.random() < 0.9:
                    fit(file)
                    file["digest"] = fitted_digest(file)
            except (KeyError, IndexError):  # the changes do not go together
                continue
            words = ", ".join(change.__name__.replace("_", " ") for change in changes)
            try_one(attack, folder, f"a windows file ({kind}: {words})", file, honest)
