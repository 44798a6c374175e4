#!/usr/bin/env python3
"""Examples of docs/how-to/with-your-library.md have little glue, and the page shows all of it."""

import re
import textwrap
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GLUE = re.compile(r"^ *(//|#) The glue begins\.\n(.*?)^ *\1 The glue ends\.$", re.S | re.M)
LINES_MAX = 30


class GlueTest(unittest.TestCase):
    def test_every_example_has_at_most_30_lines_of_it_which_the_page_shows(self):
        page = (ROOT / "docs/how-to/with-your-library.md").read_text()
        programs = [path for path in sorted((ROOT / "examples/with").iterdir())
                    if path.suffix in (".cpp", ".py")]
        self.assertGreaterEqual(len(programs), 6)
        for program in programs:
            with self.subTest(program.name):
                glue = "".join(found[1] for found in GLUE.findall(program.read_text()))
                self.assertTrue(glue.strip(), "expected lines that say where the glue is")
                self.assertLessEqual(len(glue.splitlines()), LINES_MAX)
                self.assertIn(textwrap.dedent(glue).rstrip() + "\n```\n", page)


if __name__ == "__main__":
    unittest.main()
