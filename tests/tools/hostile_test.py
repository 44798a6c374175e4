"""What the attacks on the program call a finding, shown with programs that misbehave."""

import copy
import pathlib
import random
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
import forge_records  # noqa: E402
import forge_windows  # noqa: E402
import hostile  # noqa: E402
import mutate_files  # noqa: E402


def problem_of(script):
    """What is found when a shell script stands in for the program."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program"
        program.write_text("#!/bin/bash\n" + script, encoding="utf-8")
        program.chmod(0o755)
        return hostile.play(str(program), [], folder).problem()


class Judge(unittest.TestCase):
    def test_accepts_done_not_reached_and_a_clear_refusal(self):
        self.assertIsNone(problem_of("exit 0"))
        self.assertIsNone(problem_of("exit 1"))
        self.assertIsNone(problem_of("echo 'equipoise: a.csv:3: expected x' >&2; exit 2"))
        self.assertIsNone(
            problem_of("printf 'equipoise: note: read\\nequipoise: no\\n' >&2; exit 2"))

    def test_finds_every_other_end(self):
        for script, found in {
            "kill -SEGV $$": "signal 11",
            "kill -ABRT $$": "signal 6",
            "exit 3": "exit status 3",
            "exit 2": "0 lines",
            "echo 'equipoise: note: read' >&2; exit 2": "0 lines",
            "printf 'equipoise: one\\nequipoise: two\\n' >&2; exit 2": "2 lines",
            "echo 'one' >&2; exit 2": "no clear line",
            "printf 'equipoise: \\033[2J\\n' >&2; exit 2": "control characters",
            "echo 'equipoise: [json.exception.type_error]' >&2; exit 2": "raw message",
            "echo 'equipoise: not enough memory' >&2; exit 2": "memory beyond",
        }.items():
            self.assertIn(found, problem_of(script) or "", script)


class Budget(unittest.TestCase):
    def attack(self, *words):
        options = hostile.options_of("").parse_args(["--program", "program", *words])
        return hostile.Attack(options)

    def test_of_tries_is_divided_whatever_the_clock_says(self):
        attack = self.attack("--tries", "100", "--seconds", "0")
        shares = []
        for left in (4, 3, 2, 1):
            before, over = attack.tried, attack.share(left)
            while not over():
                attack.tried += 1
            shares.append(attack.tried - before)
        self.assertEqual([25, 25, 25, 25], shares)
        self.assertTrue(attack.over())

    def test_of_time_ends_with_the_clock(self):
        self.assertTrue(self.attack("--seconds", "0").over())
        self.assertFalse(self.attack("--seconds", "300").share(1000)())


class Windows(unittest.TestCase):
    """Four nodes of 6 tokens, each linked to one of four that are linked as a path."""

    def setUp(self):
        ends = [0, 4, 1, 5, 2, 6, 3, 7, 4, 5, 5, 6, 6, 7]
        self.file = {
            "network": {"origin": "pairs.edges", "seed": 0, "generated": False, "nodes": 8,
                        "links": 7, "ends": ends, "digest": "0" * 16},
            "target": "floor-ceil", "all_ports": False, "steps_at_least": 3, "loads": [4, 6, 4, 0],
            "final_loads": {"base": [8, 3], "may_hold_extra": [8, 0], "extras": 0},
            "zones": {"steps": 2, "surplus": 12, "crossings": 8, "last_zone": [0, 1, 2, 3],
                      "zones": [{"first_step": 0, "steps": 2, "nodes": [0, 1, 2, 3],
                                 "senders": [0, 1, 2, 3], "receivers": [], "dropped": []}]}}

    def passed(self, change):
        """What is found when a program passes whatever it is given."""
        forger = forge_windows.WindowsForger(random.Random(1))
        file = copy.deepcopy(self.file)
        for step in change:
            getattr(forger, step)(file)
        forge_windows.fit(file)
        file["digest"] = forge_windows.fitted_digest(file)
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            program.write_text("#!/bin/bash\necho '{\"unchecked_fields\": []}'\n")
            program.chmod(0o755)
            attack = hostile.Attack(hostile.options_of("").parse_args(["--program", str(program)]))
            forge_windows.try_one(attack, pathlib.Path(folder), "it", file, self.file)
        return attack.findings

    def test_fewest_steps_are_found_by_flows(self):
        truth = forge_windows.Truth(self.file)
        self.assertEqual([False, False, False, True], [truth.suffice(steps) for steps in range(4)])
        self.assertIsNone(truth.lie_of(3, 3))
        self.assertIsNone(truth.lie_of(2, None))
        self.assertEqual("as few steps as 3 are enough, not 4", truth.lie_of(4, None))
        self.assertEqual("2 steps are not enough", truth.lie_of(0, 2))

    def test_a_true_proof_that_passes_is_none(self):
        self.assertEqual([], self.passed([]))

    def test_a_zone_of_no_steps_that_passes_is_a_finding(self):
        self.assertEqual(["it passes, though as few steps as 3 are enough, not 1000001"],
                         self.passed(["zone_of_all"]))

    def test_sums_that_go_round_and_pass_are_a_finding(self):
        self.assertEqual(["it passes, though as few steps as 1 are enough, not 1000001"],
                         self.passed(["static_zone", "many_ports"]))


class Forgeries(unittest.TestCase):
    RECORD = {"level": "full", "seed": 3, "costs": {"steps": 2}, "loads": [1, 2], "reached": True}

    def test_every_field_is_forged(self):
        paths = set(forge_records.fields(self.RECORD))
        for path in [("seed",), ("costs", "steps"), ("loads",), ("loads", 1), ("reached",)]:
            self.assertIn(path, paths)
            before = forge_records.get(self.RECORD, path)
            self.assertTrue([v for v in forge_records.forgeries(before) if v != before])
        changed = forge_records.forged(self.RECORD, ("loads", 1), 7)
        self.assertEqual([1, 7], changed["loads"])
        self.assertEqual([1, 2], self.RECORD["loads"])

    def test_a_record_can_be_rewritten_as_older_versions_wrote_it(self):
        met = {"lost": 5, "doubled": 0, "crashes": 1}
        given = {"matchings": [[[0, 1], [2, 3]], [[1, 2]]], "matrix": [[1, 3]], "tree": "given",
                 "tree_links": [[0, 1]], "colouring": []}
        record = {"equipoise_record": 2, "asked_stop": "", "world": None,
                  "constants": {"beta": "1"}, "guarantee": {"steps": None, "source": ""},
                  "one_token_a_link": True,
                  "on_spanning_tree": True, "optimum": None, "given": given,
                  "moves": {"played": False, "distribution_steps": 2, "computation_steps": 3},
                  "deviation": {"value": 2.5, "error": 3e-07, "step": None, "bound": 4.0},
                  "asynchrony": {"delays": "unit", "digest": "0", "kinds": [], "deliveries": [],
                                 "ports": "", "faults_met": met}}
        constants = {
            "beta": "1", "deviation": "2.5", "deviation_error": "3.0e-07",
            "deviation_step": "limit", "deviation_bound": "4", "moves": "reckoned",
            "distribution_steps": "2", "computation_steps": "3",
            "faults_met": "5 messages lost, 0 doubled, 1 crashes", "tokens_a_link_and_step": "1",
            "runs_on": "a spanning tree", "tree": "given", "matchings": "0>1 2>3;1>2",
            "tree_links": "0>1", "matrix": "1/3"}
        self.assertEqual({"equipoise_record": 1, "guarantee": {"source": ""},
                          "constants": constants, "asynchrony": {"delays": "unit"}},
                         forge_records.as_version_1(record, first=True))
        self.assertEqual({"delays": "unit", "digest": "0", "kinds": [], "deliveries": [],
                          "ports": ""}, forge_records.as_version_1(record)["asynchrony"])

    def test_a_name_covers_what_it_holds(self):
        self.assertTrue(forge_records.named(("costs", "steps"), ["costs.steps"]))
        self.assertTrue(forge_records.named(("samples", 3, "loads", 1), ["samples"]))
        self.assertFalse(forge_records.named(("seed",), ["seeds", "see"]))


class Mutations(unittest.TestCase):
    def test_most_texts_come_out_changed_and_by_the_seed_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            options = mutate_files.hostile.options_of("").parse_args(["--program", folder])
            texts = []
            for _ in range(2):
                mutator = mutate_files.Mutator(options)
                texts.append([mutator.change(b"a b\nb c 17\n", [b"other"]) for _ in range(50)])
        self.assertEqual(texts[0], texts[1])
        self.assertGreater(sum(text != b"a b\nb c 17\n" for text in texts[0]), 40)


if __name__ == "__main__":
    unittest.main()
