#!/usr/bin/env python3
"""Mutates valid files of every format that the program reads, and runs the program on them.

usage: mutate_files.py --program build/bin/equipoise [--seconds 300 | --tries N] [--seed 1 | new]
                       [--keep FOLDER]

Networks, loads, speeds, events, matrices, matchings, scenarios, records, lists of conjectures and
kept states: bytes, lines and numbers are changed, dropped, repeated and moved, also into files of
other formats. hostile.py says what counts as a finding.
"""

import pathlib
import re

import hostile

ROOT = pathlib.Path(__file__).resolve().parent.parent

GML = """graph [
  comment "a square"
  node [ id 0 label "A" graphics [ x 1.5 y 2 ] ]
  node [ id 1 label "B" graphics [ x 2 y 3.5 ] ]
  node [ id 2 label "C&#228;" graphics [ x 4 y 1 ] ]
  node [ id 3 label "D" graphics [ x 5 y 0 ] ]
  edge [ source 0 target 1 value 1 ]
  edge [ source 1 target 2 ]
  edge [ source 2 target 3 ]
  edge [ source 3 target 0 ]
]
"""

GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="label" attr.type="string"/>
  <!-- a triangle with a tail -->
  <graph id="G" edgedefault="undirected">
    <node id="n0"><data key="d0">A &amp; B</data></node>
    <node id="n1"/>
    <node id="n2"/>
    <node id="n3"/>
    <edge source="n0" target="n1"/>
    <edge source="n1" target="n2"/>
    <edge source="n2" target="n0"/>
    <edge source="n2" target="n3"/>
  </graph>
</graphml>
"""

GEXF = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz">
  <graph defaultedgetype="undirected">
    <attributes class="node"><attribute id="0" title="Latitude" type="double"/></attributes>
    <nodes>
      <node id="a" label="A"><viz:position x="1.5" y="2.0"/></node>
      <node id="b" label="B"><attvalues><attvalue for="0" value="47.4"/></attvalues></node>
      <node id="c" label="C"/>
    </nodes>
    <edges><edge source="a" target="b"/><edge source="b" target="c" type="mutual"/></edges>
  </graph>
</gexf>
"""

METIS = "% a path\n5 4\n2\n1 3\n2 4\n3 5\n4\n"
MATRIX_MARKET = ("%%MatrixMarket matrix coordinate pattern symmetric\n% a path\n5 5 4\n"
                 "2 1\n3 2\n4 3\n5 4\n")
LINKS = '"from","to",weight\r\n"A ""a""","B, b",0.5\r\n"B, b",New York,2\r\nNew York,C,\r\n'
EDGES = "# a path with names\na b\nb c\nc d\nd e\n"
TRACE = """{"type":"LBDatafile","metadata":{"rank":0,"rank_alpha":0.5,"phases":{"count":3,
"skipped":{"list":[7],"range":[]},"identical_to_previous":{"list":[],"range":[[1,2]]}}},"phases":[
{"id":0,"tasks":[
{"entity":{"collection_id":3,"home":0,"id":7,"index":[1],"migratable":true,"type":"object"},
"node":0,"resource":"cpu","subphases":[{"id":0,"time":1.5}],"time":1.5},
{"entity":{"home":0,"id":9,"migratable":false,"type":"object"},"node":0,"resource":"cpu","time":2.0,
"user_defined":{"task_serialized_bytes":64.0}}],
"communications":[{"bytes":8.0,"from":{"id":7,"type":"object","migratable":true},"messages":1,
"to":{"home":0,"id":9,"migratable":false,"type":"object"},"type":"SendRecv"}],
"lb_iterations":[{"id":0,"tasks":[]}]}]}
"""
COUNTS = '{"logical_count": [\n[0, 0, 0, 0],\n[60, 20, 10.5, 1e1],\n[1, 2, 3, 40]\n]}\n'
STATS = """{"record_type": "eplb_load_meta", "version": 1, "num_ranks": 2}
{"record_type": "eplb_load_stats", "version": 1, "step": 7, "num_ranks": 2,
 "expert_load": [[10, 1, 5, 2, 0, 1], [1, 1, 2, 0, 9, 3]], "p2l_map": [[0, 1, 2, 3, 0, 2],
 [3, 1, 2, 0, 1, 2]]}
""".replace(",\n ", ", ")
SLOTS = ('{"physical_to_logical_map": [\n[0, 1, 2, 3, 0, 1],\n[0, 1, 2, 3, 0, 1],\n'
         '[3, 1, 2, 0, 1, 2]\n]}\n')
MAPPING = ('{"record_type": "eplb_initial_mapping", "version": 1, "num_redundant_experts": 2, '
           '"num_slots": 6, "initial_global_assignments": {"0": [0, 1, 2, 3, 0, 1], '
           '"1": [3, 1, 2, 0, 1, 2]}}\n')
BALANCER = ("initial_global_assignments:\n  1: [0, 1, 2, 3, 0, 1]\n  2: [3, 1, 2, 0, 1, 2]\n"
            "num_slots: 6\nlayer_updates_per_iter: 0\n")
SCENARIO = """{
  "title": "two",
  "networks": ["torus:{n}x{n}", "path:n={n}"],
  "sizes": [3, 4],
  "loads": ["spike:tokens=20"],
  "seeds": [1, 2],
  "algorithms": ["threshold-2", {"name": "deal-agreement-3", "parameters": {}}],
  "max_steps": 40,
  "simplify": false
}
"""

ASKING = """{
  "verb": "run", "networks": ["path:n={n+k}", "torus:{k*k}x3"], "loads": ["spike:tokens={2*n}"],
  "sizes": [3, 4], "values": {"k": [2, 3], "word": ["quiet:4", "stable:{k/2+1}"]},
  "algorithms": ["threshold-2", "perfect-tree"],
  "options": {"stop": "{word}", "max-steps": [10, "{n*n}"], "tree": ["low-degree"],
              "deviation": false},
  "columns": ["steps", "guarantee.steps", "network.nodes", "constants.beta"]
}
"""

RUN = "run threshold-2 --max-steps 50 --quiet "
ON_PATH = RUN + "--network path:n=5 "
ROUNDS = "run deal-agreement-2 --network path:n=5 --loads spike:tokens=20 --max-steps 30 --quiet "
NETWORK = [RUN + "--loads spike:tokens=9 --network {}",
           RUN + "--loads spike:tokens=9 --simplify --largest-component --network {}",
           "analyze --network {}",
           "plan --loads spike:tokens=9 --network {}",
           "generate --network {} -o out.gml"]

EXPERTS = "experts --gpus 2 --slots 3 --effort 1000 --quiet "

CERTIFICATES = {path.stem: path.read_text(encoding="utf-8")
                for path in (ROOT / "examples" / "certificates").glob("*.json")}

# File name: its text (None: made by the program), and the commands that read it.
FORMATS = {
    "net.gml": (GML, NETWORK),
    "net.graphml": (GRAPHML, NETWORK),
    "net.gexf": (GEXF, NETWORK),
    "net.graph": (METIS, NETWORK),
    "net.mtx": (MATRIX_MARKET, NETWORK),
    "net.edges": (EDGES, NETWORK),
    "net.csv": (LINKS, NETWORK),
    "trace.0.json": (TRACE, ["trace {}", "trace {} --times previous --json",
                             "trace {} --advise --policy keep-order -o levelled"]),
    "counts.json": (COUNTS, [EXPERTS + "--loads {}", EXPERTS + "--loads {} --placement trivial"]),
    "stats.jsonl": (STATS, [EXPERTS + "--loads {}",
                            EXPERTS + "--loads counts.json --placement {}"]),
    "counts.csv": ("layer,expert,load\n1,0,60\n1,1,20\n1,2,10\n1,3,10.5\n",
                   [EXPERTS + "--loads {}", EXPERTS + "--loads {} --placement trivial"]),
    "slots.json": (SLOTS, [EXPERTS + "--loads counts.json --placement {} -o out.json"]),
    "mapping.json": (MAPPING, [EXPERTS + "--loads counts.json --placement {} -o out.json"]),
    "balancer.yaml": (BALANCER, [EXPERTS + "--loads counts.json --placement {} -o out.yaml"]),
    "loads.csv": ("node,tokens\n0,17\n2,3\n4,1\n",
                  [ON_PATH + "--loads {}", "plan --network path:n=5 --loads {}"]),
    "speeds.csv": ("node,speed\n0,3\n2,2\n4,1\n",
                   [ROUNDS + "--speeds {}",
                    "plan --network path:n=5 --loads spike:tokens=9 --target speeds:{}"]),
    "arrivals.csv": ("step,node,delta\n2,1,9\n5,0,-2\n9,3,4\n",
                     [ROUNDS + "--arrivals replay:{}"]),
    "churn.csv": ("step,subject,id,state\n3,node,2,down\n8,node,2,up\n",
                  [ROUNDS + "--churn replay:{}"]),
    "path.matrix": ("0 1 1/3\n1 2 1/3\n2 3 1/3\n3 4 1/3\n",
                    ["run diffusion --network path:n=5 --loads spike:tokens=20 --max-steps 30 "
                     "--quiet --matrix {}"]),
    "path.matchings": ("0 1\n2 3\n\n1 2\n3 4\n",
                       ["run balancing-circuit --network path:n=5 --loads spike:tokens=20 "
                        "--max-steps 30 --quiet --matchings {}"]),
    "scenario.json": (SCENARIO, ["sweep {} --csv out.csv --quiet"]),
    "asking.json": (ASKING, ["sweep {} --csv out.csv --quiet"]),
    "conjecture.json": (None, ["verify {}"]),
    "threshold.json": (CERTIFICATES["threshold-1"], ["verify {}"]),
    "rotor.json": (CERTIFICATES["rotor-router"], ["verify {}"]),
    "send.json": (CERTIFICATES["send"], ["verify {}"]),
    "tails.json": (CERTIFICATES["coin-averaging"], ["verify {}"]),
    "circuits.json": (CERTIFICATES["local-divergence"], ["verify {}"]),
    "steps.json": (CERTIFICATES["meyer-1996"], ["verify {}"]),
    "machines.json": (CERTIFICATES["finite-machines"], ["verify {}"]),
    "ring-rules.json": (CERTIFICATES["stateless-diffusion"], ["verify {}"]),
    "rounds.json": (None, ["verify {}", "run --replay {}", "report {} --html out.html",
                           "plot {} -o out.svg"]),
    "program.json": (None, ["verify {}", "run --replay {}", "report {} --html out.html",
                            "plot {} -o out.svg"]),
    "world.json": (None, ["verify {}", "run --replay {}", "report {} --html out.html",
                          "plot {} -o out.svg"]),
}

MAKERS = {
    "conjecture.json": "conjecture --k 2..3 --h 2..3 --quiet --json=conjecture.json",
    "rounds.json": "run threshold-2 --network net.gml --loads spike:tokens=9 --record rounds.json "
                   "--record-level full --quiet",
    "program.json": "run async-deal-agreement --network torus:3x3 --loads spike:tokens=18 "
                    "--record program.json --record-level full --quiet",
    "world.json": "run diffusion --network torus:3x3 --loads spike:tokens=30 --max-steps 12 "
                  "--churn random:nodes=0.05,back=0.3 --arrivals poisson:rate=0.2 "
                  "--record world.json --record-level full --quiet",
}

NUMBERS = [b"0", b"-1", b"1", b"3", b"-0", b"0.5", b"1e999", b"nan", b"inf", b"2147483648",
           b"4294967295", b"4294967296", b"9223372036854775807", b"9223372036854775808",
           b"18446744073709551616", b"-9223372036854775809", b"1" + b"0" * 400, b"0x10", b"+7"]
WORDS = [b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", b"\n\n\n", b"\x1b[2J", b"\t", b'"',
         b"'", b"[", b"]", b"{", b"}", b"<", b">", b"</node>", b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
         b"&#0;", b"&lt", b"<![CDATA[", b"%", b"#", b",", b",,", b"null", b"true", b"\\u0000",
         b"[" * 3000, b'{"a":' * 3000, b"graph [ " * 3000, b"<node>" * 3000, b"x" * 70000,
         b"torus:60000x60000", b"complete:n=131072", b"tree:k=2,h=4000000000"]
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")


class Mutator(hostile.Attack):
    """Files of all formats, changed."""

    def one_change(self, text, others):
        """A text with one change."""
        random = self.random
        at = random.randrange(len(text) + 1)
        to = min(len(text), at + random.choice([1, 1, 2, 5, 20, 200]))
        kind = random.randrange(10)
        if kind == 0:
            return text[:at] + bytes([random.randrange(256)]) + text[to:]
        if kind == 1:
            return text[:at] + text[to:]
        if kind == 2:
            return text[:at] + text[at:to] * random.choice([2, 3, 1000]) + text[to:]
        if kind == 3:
            return text[:at] + random.choice(WORDS) + text[to if random.random() < 0.5 else at:]
        if kind in (4, 5, 6):
            places = list(NUMBER.finditer(text))
            if not places:
                return text + random.choice(NUMBERS)
            place = random.choice(places)
            return text[:place.start()] + random.choice(NUMBERS) + text[place.end():]
        lines = text.splitlines(keepends=True)
        if kind == 7 and len(lines) > 1:
            random.shuffle(lines)
            return b"".join(lines)
        if kind == 8 and len(lines) > 1:
            line = random.randrange(len(lines))
            times = random.choice([0, 2, 300])
            return b"".join(lines[:line] + lines[line:line + 1] * times + lines[line + 1:])
        other = random.choice(others)
        return text[:at] + other[random.randrange(len(other) + 1):]

    def change(self, text, others):
        """A text with one to four changes."""
        for _ in range(self.random.choice([1, 1, 1, 2, 3, 4])):
            text = self.one_change(text, others)[:1 << 20]
        return text

    def try_one(self, folder, name, text, command):
        """Plays a command on one file."""
        path = folder / ("mutated-" + name)
        path.write_bytes(text)
        for left in folder.glob("out.*"):
            left.unlink()
        arguments = command.format(path.name).split()
        played = hostile.play(self.program, arguments, folder)
        self.tried += 1
        if problem := played.problem():
            self.find(f"{name}: {problem}", [path], arguments)

    def special_files(self, folder):
        """Files that are not text at all."""
        noise = "/dev/urandom"  # without end, and other bytes every time
        if self.tries is not None:  # which must be the same every time
            noise = folder / "noise"
            noise.write_bytes(self.random.randbytes(4 << 20))
        deep = folder / "deep.json"
        deep.write_bytes(b"[" * 100000)
        objects = folder / "objects.json"
        objects.write_bytes(b'{"a":' * 100000)
        (folder / "empty").write_bytes(b"")
        for name, (_, commands) in FORMATS.items():
            for command in commands:
                for path in ("/dev/zero", str(noise), "/dev/null", "/", str(deep), str(objects),
                             str(folder / "empty"), "nowhere"):
                    if self.over():
                        return
                    formatted = command.format(path)
                    if "--network" in command and "{}" in command.split("--network")[1][:4]:
                        form = {"gml": "gml", "graphml": "graphml", "gexf": "gexf",
                                "graph": "metis", "mtx": "matrix-market", "edges": "edge-list",
                                "csv": "edge-list"}
                        formatted += " --format " + form[name.split(".")[1]]
                    played = hostile.play(self.program, formatted.split(), folder)
                    self.tried += 1
                    if problem := played.problem():
                        self.find(f"{path} as {name}: {problem}", [], formatted.split())

    def run(self, folder):
        texts = {}
        for name, (text, _) in FORMATS.items():
            if text is None:
                arguments = MAKERS[name].split()
                played = hostile.play(self.program, arguments, folder)
                if played.status != 0:
                    self.find(f"cannot make {name}: {played.err}", [], arguments)
                    continue
            else:
                (folder / name).write_text(text, encoding="utf-8")
            texts[name] = (folder / name).read_bytes()
            for command in FORMATS[name][1]:
                self.try_one(folder, name, texts[name], command)
        self.special_files(folder)
        others = list(texts.values())
        while not self.over():
            name = self.random.choice(list(texts))
            command = self.random.choice(FORMATS[name][1])
            self.try_one(folder, name, self.change(texts[name], others), command)
        return self.end("mutated files")


if __name__ == "__main__":
    hostile.main(Mutator, __doc__.splitlines()[0])
