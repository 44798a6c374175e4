"""Tests the judge of benchmarks/reassign for the ROADEF/EURO challenge 2012, and the reader of its
files: a small instance by hand with every rule broken in turn, broken files, and the published
costs of the initial assignments of the challenge's instances where these are there."""

import itertools
import os
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.path.insert(0, os.path.join(ROOT, "benchmarks/reassign"))
import roadef_files as files  # noqa: E402
import roadef_judge as judge  # noqa: E402
import roadef_table as table  # noqa: E402

SMALL = os.path.join(ROOT, "tests/cli/files/roadef")
DATA = os.path.join(ROOT, "../shared/data/roadef")


def read(name):
    with open(os.path.join(SMALL, name), encoding="ascii") as file:
        return file.read()


class SmallInstance(unittest.TestCase):
    def setUp(self):
        self.model = files.read_model(os.path.join(SMALL, "model.txt"))
        self.start = files.read_assignment(os.path.join(SMALL, "assignment.txt"), self.model)

    def kinds(self, model, **moved):
        """The kinds of rules that are broken after these moves of processes (p4=1: 4 to 1)."""
        end = list(self.start)
        for process, machine in moved.items():
            end[int(process[1:])] = machine
        return sorted({fault.split(":")[0] for fault in judge.faults(model, self.start, end)})


class JudgeTest(SmallInstance):
    def test_the_initial_assignment_breaks_no_rule(self):
        self.assertEqual(self.kinds(self.model), [])

    def test_each_rule_is_seen_where_it_alone_is_broken(self):
        for moved, kind in [({"p5": 0}, "capacity"), ({"p4": 3}, "conflict"),
                            ({"p0": 1}, "spread"), ({"p0": 3}, "dependency")]:
            with self.subTest(moved=moved):
                self.assertEqual(self.kinds(self.model, **moved), [kind])

    def test_what_moves_counts_twice_of_a_transient_resource_only(self):
        exchange = {"p4": 1, "p5": 0}  # machine 0 ends with 10 of 10, and had 10 before
        self.assertEqual(self.kinds(self.model, **exchange), ["capacity"])
        resources = [kind._replace(transient=0) for kind in self.model.resources]
        self.assertEqual(self.kinds(self.model._replace(resources=resources), **exchange), [])

    def test_a_service_without_enough_processes_cannot_be_spread(self):
        services = list(self.model.services)
        services[3] = services[3]._replace(spread=2)
        self.assertEqual(self.kinds(self.model._replace(services=services)), ["spread"])

    def test_a_solution_has_a_machine_for_every_process(self):
        for end in (self.start[1:], [*self.start[1:], 4], [*self.start[1:], -1]):
            self.assertEqual(len(judge.faults(self.model, self.start, end)), 1)

    def test_costs_are_those_added_up_by_hand(self):
        # Machine 0 needs 10 and 11, 2 needs 6 and 5, 3 needs 5 and 4.
        load = 10 * (10 - 6) + 20 * (11 - 8)
        # Free are 0 and 1, 10 and 12, 4 and 7, 7 and 8.
        balance = 5 * ((2 * 10 - 12) + (2 * 4 - 7) + (2 * 7 - 8))
        self.assertEqual(judge.cost(self.model, self.start, self.start),
                         (load, balance, 0, 0, 0))
        # 4 and 6, both of service 2, go to machines 1 and 2.
        end = [0, 2, 0, 2, 1, 3, 2]
        balance = 5 * ((2 * 4 - 6) + (2 * 6 - 7) + (2 * 3 - 6) + (2 * 8 - 9))
        self.assertEqual(judge.cost(self.model, self.start, end),
                         (0, balance, 2 * (3 + 1), 30 * 2, 7 * (1 + 2)))
        self.assertEqual(judge.faults(self.model, self.start, end), [])


class FilesTest(SmallInstance):
    def refuses(self, text, message, reader=files.read_model):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "broken.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaises(files.FileError) as caught:
                reader(path)
            self.assertEqual(str(caught.exception), f"{path}:{message}")

    def test_broken_models_are_refused_with_one_line(self):
        model = read("model.txt")
        for broken, message in [
                ("", '1: expected a number of resources, found the end of the file'),
                (model.replace("1 10", "2 10", 1),
                 '2: expected whether the resource is transient: 0 or 1, below 2, found "2"'),
                (model.replace("1 1 0\n", "1 1 4\n", 1),
                 '11: expected the number of a service, below 4, found "4"'),
                (model.replace("0 3 2 2", "0 3 x 2", 1),
                 '15: expected what a process needs, found "x"'),
                (model.replace("0 3 2 2", "0 3 -2 2", 1),
                 '15: expected what a process needs, found "-2"'),
                (model.replace("4\n0 0", "4000000000\n0 0", 1),
                 '4: expected a number of machines that the file is long enough for, found '
                 '"4000000000"'),
                (model.replace("4\n0 0", "10\n0 0", 1),
                 '4: expected a number of machines that the file is long enough for, found "10"'),
                (model.rsplit("\n", 2)[0],
                 "23: expected the weights of moving processes, services and between machines: "
                 "3 numbers, found the end of the file"),
                (model + "5\n", '25: expected the end of the file, found "5"')]:
            with self.subTest(message=message):
                self.refuses(broken, message)

    def test_whatever_is_cut_off_or_changed_is_read_or_refused(self):
        words = read("model.txt").split()
        texts = [words[:cut] for cut in range(len(words))]
        texts += [words[:at] + [other] + words[at + 1:] for at in range(len(words))
                  for other in ("0", "1", "7", "99999999999999999", "9" * 30, "x", "-1", "1.5")]
        refused = 0
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.txt")
            for text in texts:
                with open(path, "w", encoding="ascii") as file:
                    file.write(" ".join(text))
                try:
                    model = files.read_model(path)
                except files.FileError as error:
                    refused += 1
                    self.assertNotIn("\n", str(error))
                    continue
                if len(model.processes) == len(self.start) and len(model.machines) == 4:
                    judge.faults(model, self.start, self.start)
                    judge.cost(model, self.start, self.start)
        self.assertGreater(refused, len(words) * 5)
        self.assertLess(refused, len(texts))

    def test_broken_assignments_are_refused_with_one_line(self):
        for broken, message in [
                ("0 2 0 2 0 3\n", "1: expected the number of a machine: 7 numbers, found the end "
                 "of the file"),
                ("0 2 0 2 0 3 4\n", '1: expected the number of a machine, below 4, found "4"'),
                ("0 2 0 2 0 3\n3 1\n", '2: expected the end of the file, found "1"')]:
            with self.subTest(message=message):
                self.refuses(broken, message,
                             lambda path: files.read_assignment(path, self.model))

    def test_a_file_that_is_not_there_is_named(self):
        with self.assertRaises(files.FileError) as caught:
            files.read_model("nowhere.txt")
        self.assertEqual(str(caught.exception), "nowhere.txt: No such file or directory")

    def test_a_written_assignment_is_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "solution.txt")
            files.write_assignment(path, self.start)
            self.assertEqual(files.read_assignment(path, self.model), self.start)
            self.assertEqual(os.listdir(folder), ["solution.txt"])


class PublishedTest(unittest.TestCase):
    def test_the_published_figures_are_in_order(self):
        """Bounds, then what was proved, then the best known, then the winner, then the start."""
        for name, row in table.published()["instances"].items():
            with self.subTest(instance=name):
                self.assertLessEqual(row["bound"], row.get("proved", row["best"]))
                self.assertLessEqual(row.get("proved", row["bound"]), row["best"])
                self.assertLessEqual(row["best"], row["winner"])
                self.assertLess(row["winner"], row["initial"])
                self.assertIn(row["best_source"], table.published()["sources"])

    @staticmethod
    def rows_of_page(heading, bold=""):
        """The cells of the table under the heading on the page, by instance; `bold` stays."""
        with open(os.path.join(ROOT, "docs/performance.md"), encoding="utf-8") as file:
            text = file.read()
        text = text[text.index(f"\n**{heading}**"):]
        lines = text[text.index("\n|"):].lstrip().splitlines()[2:]
        cells = [[cell.strip(" " if bold else " *") for cell in line.strip("|").split("|")]
                 for line in itertools.takewhile(lambda line: line.startswith("|"), lines)]
        return {row[0]: row[1:] for row in cells}

    def test_the_page_of_costs_shows_the_published_figures(self):
        """And says rightly how ours compare with them."""
        instances = table.published()["instances"]
        rows = self.rows_of_page("Costs.")
        self.assertEqual(list(rows), list(instances))
        costs = {}
        for name, (initial, cost, winner, above, best, bound) in rows.items():
            with self.subTest(instance=name):
                costs[name] = int(cost.replace(",", ""))
                figures = instances[name]
                self.assertEqual((initial, winner, best),
                                 tuple(f"{figures[key]:,}"
                                       for key in ("initial", "winner", "best")))
                self.assertEqual(above, table.ratio(costs[name], figures["winner"]))
                self.assertLessEqual(int(bound.replace(",", "")), costs[name])

        def those_above(key, least):
            return [name for name, cost in costs.items()
                    if cost > instances[name][key] * (1 + least)]
        self.assertEqual(those_above("winner", 0.00009), [])
        self.assertEqual(len([name for name in costs
                              if costs[name] < instances[name]["winner"]]), 12)
        self.assertEqual(len([name for name in costs if costs[name] < instances[name]["best"]]), 7)
        self.assertEqual(those_above("best", 0.0002), ["a2_1", "a2_5"])

    def test_the_page_of_other_entrants_counts_its_costs_rightly(self):
        """And shows the least in bold; none is below what was proved."""
        instances = table.published()["instances"]
        shown = self.rows_of_page("Other entrants", bold="**")
        rows = {name: [int(cell.strip("*").replace(",", "")) for cell in row]
                for name, row in shown.items()}
        self.assertEqual(list(rows), list(instances))
        for name, costs in rows.items():
            with self.subTest(instance=name):
                self.assertLessEqual(instances[name].get("proved", instances[name]["bound"]),
                                     min(costs))
                self.assertEqual([cell.startswith("**") for cell in shown[name]],
                                 [cost == min(costs) for cost in costs])
        at_most = [len([name for name, costs in rows.items() if costs[0] <= costs[other]])
                   for other in (1, 2, 3)]
        self.assertEqual(at_most, [14, 15, 18])
        self.assertEqual(len([name for name, costs in rows.items() if costs[0] == min(costs)]), 13)

    def test_the_page_of_bounds_shows_the_published_figures(self):
        """Ours are above the published ones but on two instances, and never above a known cost."""
        instances = table.published()["instances"]
        rows = {name: [int(cell.replace(",", "")) for cell in row[1:5]]
                for name, row in self.rows_of_page("Bounds.").items()}
        self.assertEqual(list(rows), list(instances))
        for name, (sums, bound, ours, best) in rows.items():
            with self.subTest(instance=name):
                figures = instances[name]
                self.assertEqual((sums, bound, best),
                                 (figures["bound"], figures.get("proved", figures["bound"]),
                                  figures["best"]))
                self.assertLessEqual(ours, best)
        self.assertEqual([name for name, (_, bound, ours, _) in rows.items() if ours <= bound],
                         ["a2_2", "a2_3"])
        self.assertEqual([name for name, (_, _, ours, best) in rows.items() if ours == best],
                         ["a1_1"])

    @unittest.skipUnless(os.path.isdir(DATA), "../shared/data/roadef is not there")
    def test_initial_assignments_have_their_published_costs(self):
        instances = table.published()["instances"]
        self.assertEqual(len(instances), 18)
        for name, row in instances.items():
            with self.subTest(instance=name):
                model = files.read_model(os.path.join(DATA, f"model_{name}.txt"))
                start = files.read_assignment(os.path.join(DATA, f"assignment_{name}.txt"), model)
                self.assertEqual(judge.faults(model, start, start), [])
                self.assertEqual(sum(judge.cost(model, start, start)), row["initial"])


if __name__ == "__main__":
    unittest.main()
