#!/usr/bin/env python3
"""tools/check_commits.py finds long subjects and bodies that are missing."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from check_commits import faults  # noqa: E402


class CheckCommits(unittest.TestCase):
    def test_accepts_a_subject_and_a_body(self):
        self.assertEqual([], faults("a" * 72 + "\n\nSince b.\n", 1000))

    def test_a_commit_of_a_few_lines_needs_no_body(self):
        self.assertEqual([], faults("A typing error\n", 20))
        self.assertEqual(["21 lines are changed: expected a body that says why"],
                         faults("A typing error\n", 21))

    def test_names_long_subjects(self):
        self.assertEqual(["the subject has 73 characters, more than 72"],
                         faults("a" * 73 + "\n\nSince b.\n", 1))

    def test_names_bodies_that_continue_the_subject(self):
        self.assertEqual(["expected a blank line after the subject"],
                         faults("A subject\nthat goes on\n", 1))


if __name__ == "__main__":
    unittest.main()
