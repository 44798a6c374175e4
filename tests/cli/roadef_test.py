"""Instances of the ROADEF/EURO challenge 2012 are solved by benchmarks/reassign/roadef.py.

usage: roadef_test.py PROGRAM

The program's view of an instance is compared with the judge's, which shares no line with it: on a
small instance by all assignments, and on drawn ones. The scripts refuse what is broken.
"""

import csv
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "benchmarks" / "reassign"
sys.path.insert(0, str(SCRIPTS))
import roadef  # noqa: E402
import roadef_files as files  # noqa: E402
import roadef_judge as judge  # noqa: E402

SMALL = ROOT / "tests" / "cli" / "files" / "roadef"
PROGRAM = ""


def options(**changed):
    return roadef.Options(PROGRAM, 10, 2000, 1, 1)._replace(**changed)


def drawn(seed):
    """A small instance with all kinds of rules and costs, and an assignment that may break some."""
    draw = random.Random(seed)
    kinds, machines = draw.randint(1, 3), draw.randint(2, 5)
    services = draw.randint(2, 4)
    resources = [files.Resource(draw.randint(0, 1), draw.randint(0, 9)) for _ in range(kinds)]
    made = []
    for number in range(machines):
        capacities = [draw.randint(8, 20) for _ in range(kinds)]
        made.append(files.Machine(draw.randint(0, 1), draw.randint(0, 2), capacities,
                                  [draw.randint(0, most) for most in capacities],
                                  [0 if other == number else draw.randint(0, 3)
                                   for other in range(machines)]))
    processes = [files.Process(number % services if number < 2 * services else
                               draw.randrange(services),
                               [draw.randint(0, 6) for _ in range(kinds)], draw.randint(0, 3))
                 for number in range(2 * services + draw.randint(0, 2))]
    others = [sorted({draw.randrange(services) for _ in range(draw.randint(0, 1))} - {number})
              for number in range(services)]
    model = files.Model(resources, made,
                        [files.Service(draw.randint(0, 2), others[number])
                         for number in range(services)], processes,
                        [files.Balance(draw.randrange(kinds), draw.randrange(kinds),
                                       draw.randint(1, 3), draw.randint(0, 5))
                         for _ in range(draw.randint(0, 2))],
                        draw.randint(0, 5), draw.randint(0, 9), draw.randint(0, 5))
    # For half of them one is looked for that is allowed.
    for _ in range(1 if seed % 2 else 300):
        start = [draw.randrange(machines) for _ in processes]
        if not judge.faults(model, start, start):
            break
    return model, start


def without_transient(model):
    """The rules of an end state alone."""
    return model._replace(resources=[kind._replace(transient=0) for kind in model.resources])


def standing(model, start):
    """How the program says that the initial assignment stands, and what it plans."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        done = subprocess.run([PROGRAM, "reassign", *roadef.convert(model, start, folder),
                               "--effort", "500", "--threads", "1", "--json", "--schedule",
                               str(folder / "moves.csv")], capture_output=True, text=True,
                              check=False)
        assert done.returncode in (0, 1), done.stderr
        end = list(start)
        with open(folder / "moves.csv", newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                end[int(row["item"][1:])] = int(row["to"][1:])
    return json.loads(done.stdout), end


class SmallInstanceTest(unittest.TestCase):
    def setUp(self):
        self.model = files.read_model(SMALL / "model.txt")
        self.start = files.read_assignment(SMALL / "assignment.txt", self.model)

    def test_the_cost_and_the_bound_are_the_least_of_all_assignments(self):
        least = min(sum(judge.cost(self.model, self.start, end))
                    for end in itertools.product(range(len(self.model.machines)),
                                                 repeat=len(self.start))
                    if not judge.faults(self.model, self.start, end))
        solved = roadef.solve(self.model, self.start, options())
        self.assertEqual(judge.faults(self.model, self.start, solved.places), [])
        self.assertEqual(sum(judge.cost(self.model, self.start, solved.places)), least)
        self.assertEqual(solved.at_least, least)
        self.assertLess(least, sum(judge.cost(self.model, self.start, self.start)))


class DrawnInstancesTest(unittest.TestCase):
    def test_the_program_and_the_judge_say_the_same(self):
        broken = mended = cheaper = 0
        for seed in range(100):
            model, start = drawn(seed)
            with self.subTest(seed=seed):
                answer, end = standing(model, start)
                faults = judge.faults(model, start, start)
                self.assertEqual(bool(answer["rules"]["broken_before"]), bool(faults))
                self.assertEqual(answer["scores"]["before"]["cost"],
                                 sum(judge.cost(model, start, start)))
                cost = sum(judge.cost(model, start, end))
                self.assertEqual(answer["scores"]["after"]["cost"], cost)
                left = judge.faults(without_transient(model), start, end)
                self.assertEqual(bool(answer["rules"]["broken_after"]), bool(left))
                broken += bool(faults)
                mended += bool(faults) and not left
                if not faults:
                    self.assertEqual(judge.faults(model, start, end), [])
                    cheaper += cost < answer["scores"]["before"]["cost"]
        # All of this occurs.
        self.assertGreater(broken, 40)
        self.assertGreater(mended, 5)
        self.assertGreater(cheaper, 10)


class ScriptsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.solution = pathlib.Path(self.folder.name) / "solution.txt"

    def script(self, *words, name="roadef.py"):
        return subprocess.run([sys.executable, SCRIPTS / name, *map(str, words)],
                              capture_output=True, text=True, check=False)

    def solve(self, *words, model=SMALL / "model.txt"):
        return self.script(model, SMALL / "assignment.txt", self.solution, "--program", PROGRAM,
                           "--effort", 2000, *words)

    def judge(self, text):
        self.solution.write_text(text)
        return self.script("--judge", SMALL / "model.txt", SMALL / "assignment.txt", self.solution)

    def test_a_solution_is_written_that_the_judge_gives_the_printed_cost(self):
        done = self.solve()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        printed = dict(line.strip().rsplit(" ", 1) for line in done.stdout.splitlines())
        self.assertEqual(printed["initial"], "175")
        self.assertEqual(printed["at least"], printed["cost"])
        judged = self.judge(self.solution.read_text())
        self.assertEqual(judged.returncode, 0)
        self.assertEqual(judged.stdout, done.stdout[:done.stdout.index("initial")])

    def test_what_breaks_a_rule_is_refused_with_the_rule(self):
        done = self.judge("0 2 0 2 0 0 3\n")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, f"{self.solution}: capacity: machine 0 needs 14 of resource "
                         f"0 and has 10\n{self.solution}: capacity: machine 0 needs 14 of resource "
                         "1 and has 12\n")

    def test_bad_input_is_one_line_and_nothing_is_written(self):
        model = pathlib.Path(self.folder.name) / "model.txt"
        model.write_text((SMALL / "model.txt").read_text().replace("2 0\n1 1 0", "5 0\n1 1 0"))
        for done, message in [
                (self.solve(model=SMALL / "assignment.txt"),
                 f"roadef.py: {SMALL / 'assignment.txt'}:1: "),
                (self.solve(model=model), "roadef.py: service 0: expected at least 5 processes, as "
                 "it must be in so many locations, found 2\n"),
                (self.solve("--program", "/nowhere/equipoise"),
                 "roadef.py: /nowhere/equipoise: No such file or directory\n"),
                (self.script(SMALL / "model.txt", SMALL / "assignment.txt",
                             "/nowhere/solution.txt", "--program", PROGRAM, "--effort", 100),
                 "roadef.py: /nowhere/solution.txt.part: No such file or directory\n")]:
            with self.subTest(message=message):
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr.startswith(message), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
        self.assertFalse(self.solution.exists())

    def peer(self, text):
        """A program with the challenge's options that writes a solution."""
        path = pathlib.Path(self.folder.name) / "peer"
        path.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\n'
                        f'printf "{text}" > "$2"\n')
        path.chmod(0o755)
        return self.script(path, SMALL / "model.txt", SMALL / "assignment.txt", self.solution,
                           "--seconds", 1, "--threads", 1, name="roadef_peers.py")

    def test_peers_are_judged(self):
        done = self.peer("0 2 0 2 1 3 2\\n")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.startswith("cost 159\n"), done.stdout)
        self.assertEqual(self.peer("0 2 0 2 0 0 3\\n").returncode, 1)
        done = self.peer("no solution found\\n")
        self.assertEqual(done.returncode, 2)
        self.assertIn("wrote no solution", done.stderr)

    def test_a_table_is_made_of_runs_that_are_not_run_twice(self):
        folder = pathlib.Path(self.folder.name)
        for kind in ("model", "assignment"):
            (folder / f"{kind}_own.txt").write_text((SMALL / f"{kind}.txt").read_text())
        words = [folder, folder / "results.csv", "--program", PROGRAM, "--seconds", 0.1,
                 "--threads", 1]
        done = self.script(*words, name="roadef_table.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        row = done.stdout.splitlines()[2].split(" | ")
        self.assertEqual((row[0], row[2]), ("| own", row[4]))
        again = self.script(*words, name="roadef_table.py")
        self.assertEqual((again.stdout, again.stderr), (done.stdout, ""))
        done = self.script(*words, "--instances", "other", name="roadef_table.py")
        self.assertEqual((done.returncode, done.stderr), (
            2, f"roadef_table.py: {folder}: expected model_other.txt, found none\n"))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
