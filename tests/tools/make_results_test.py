"""tools/make_results.py and tools/results/making.py on a paper made for them."""

import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import make_results  # noqa: E402
from results import making  # noqa: E402

PAGE = "# A paper\n\n![growth](paper/growth.svg)\n\n<!-- made: most -->\nold\n<!-- end -->\n"
# Stands for the program: writes the scenario's text into the file after --csv.
PROGRAM = "#!/bin/sh\ncat \"$2\" >\"$4\"\n"


class Papers(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        for name, value in {"ROOT": self.root, "RESULTS": self.root / "docs" / "results",
                            "SCENARIOS": self.root / "scenarios"}.items():
            for module in (making, make_results):
                patch = mock.patch.object(module, name, value)
                patch.start()
                self.addCleanup(patch.stop)
        self.program = self.root / "program"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)
        self.scenario = self.root / "scenarios" / "paper" / "growth.json"
        self.scenario.parent.mkdir(parents=True)
        self.scenario.write_text("n,steps\n2,4\n4,16\n")
        self.paper = making.Paper("paper", "A paper")
        self.paper.sweep("growth", tested=True)
        self.paper.page.parent.mkdir(parents=True)
        self.paper.page.write_text(PAGE)

        @self.paper.figure("growth")
        def growth(data, axes):
            axes.loglog(data["growth"].n, data["growth"].steps)

        @self.paper.block("most")
        def most(data):
            rows = data["growth"]
            making.claim(rows.steps.max() < 100, "fewer than 100 steps")
            return making.table([(rows.steps.max(), making.exponent(rows.n, rows.steps))],
                                ("steps", "exponent"))

    def made(self):
        make_results.make(str(self.program), self.paper, False)

    def differences(self):
        return list(make_results.differences(str(self.program), self.paper))

    def test_what_was_just_made_does_not_differ(self):
        self.made()
        self.assertIn("| 16 | 2 |", self.paper.page.read_text())
        self.assertEqual([], self.differences())

    def test_a_changed_number_is_found_in_page_csv_and_figure(self):
        self.made()
        for path, old, new in ((self.paper.page, "| 16 |", "| 17 |"),
                               (self.paper.folder / "growth.csv", "2,4", "2,5"),
                               (self.paper.folder / "growth.svg", "<path", "<pith")):
            kept = path.read_text()
            path.write_text(kept.replace(old, new, 1))
            self.assertTrue(any(str(path.name) in words for words in self.differences()), path)
            path.write_text(kept)

    def test_a_claim_that_fails_stops_the_page(self):
        self.scenario.write_text("n,steps\n2,4\n4,160\n")
        with self.assertRaisesRegex(making.ClaimError, "fewer than 100 steps"):
            self.made()

    def test_strays_and_figures_that_no_page_shows_are_named(self):
        self.made()
        (self.paper.folder / "old.svg").write_text("")
        (self.scenario.parent / "other.json").write_text("")
        self.paper.page.write_text(self.paper.page.read_text().replace("growth.svg", "g.svg"))
        words = "\n".join(self.differences())
        for part in ("old.svg: nothing makes it", "other.json: no page plays it",
                     "does not show paper/growth.svg"):
            self.assertIn(part, words)

    def test_rows_counted_in_records_are_made_and_compared_like_those_of_sweeps(self):
        self.program.write_text('#!/bin/sh\nif [ "$1" = run ]; then\n'
                                '  echo "{\\"asked\\": \\"$2\\"}" >"$4"\n'
                                'else\n  cat "$2" >"$4"\nfi\n')

        @self.paper.records("asked", tested=True)
        def asked(record):
            return making.pandas.DataFrame({"algorithm": [record("threshold-2")["asked"]]})

        self.made()
        path = self.paper.folder / "asked.csv"
        self.assertEqual("algorithm\nthreshold-2\n", path.read_text())
        self.assertEqual([], self.differences())
        path.write_text("algorithm\nthreshold-1\n")
        self.assertTrue(any("asked.csv" in words for words in self.differences()))

    def test_rows_kept_of_what_commands_print_are_made_and_compared_too(self):
        self.program.write_text('#!/bin/sh\nif [ "$1" = conjecture ]; then\n'
                                '  echo "{\\"k\\": $3, \\"as\\": \\"$4\\"}"\n'
                                'else\n  cat "$2" >"$4"\nfi\n')

        @self.paper.answers("asked", tested=True)
        def asked(ask):
            return making.pandas.DataFrame([ask("conjecture", "--k", "7")])

        self.made()
        path = self.paper.folder / "asked.csv"
        self.assertEqual("k,as\n7,--json\n", path.read_text())
        self.assertEqual([], self.differences())
        path.write_text("k,as\n8,--json\n")
        self.assertTrue(any("asked.csv" in words for words in self.differences()))

    def test_a_block_without_a_place_is_refused(self):
        self.paper.page.write_text("# A paper\n")
        with self.assertRaisesRegex(making.ClaimError, "'most' is on the page or in the module"):
            self.made()


class Lines(unittest.TestCase):
    def test_real_numbers_may_differ_in_their_last_digits_and_nothing_else_may(self):
        self.assertTrue(make_results.same("a,0.1234567890123", "a,0.1234567890124"))
        self.assertTrue(make_results.same('d="M 1.25 3"', 'd="M 1.25 3"'))
        for a, b in (("a,0.123", "a,0.124"), ("a,12", "a,13"), ("a,1.5", "b,1.5"),
                     ("1.5,2.5", "1.5")):
            self.assertFalse(make_results.same(a, b), (a, b))


class Numbers(unittest.TestCase):
    def test_numbers_are_written_as_the_program_writes_them(self):
        for value, text in ((1234567, "1,234,567"), (0.123456, "0.123"), (2.0, "2"),
                            (12345.6, "12,346"), (float("nan"), ""), (None, "")):
            self.assertEqual(text, making.number(value))

    def test_columns_of_numbers_are_flush_right(self):
        self.assertEqual("| a | b |\n|---|---:|\n| x | 3 |", making.table([("x", 3)], ("a", "b")))


if __name__ == "__main__":
    unittest.main()
