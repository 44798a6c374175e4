#!/usr/bin/env python3
"""The built site in a browser: it can be searched, plays pages, fits narrow screens, and loads
nothing from elsewhere.

usage: site_test.py SITE [CHROMIUM]
"""

import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "page"))
from browser import Browser  # noqa: E402

SITE = None
CHROMIUM = None
# Pages of every kind: prose, an algorithm, wide tables, references, a copy of a source file.
PAGES = ["index", "how-to/balancer", "algorithms/threshold-2", "algorithms/index", "glossary",
         "performance", "reference/command-line", "reference/python", "reference/cpp/balancer",
         "reference/cpp/c", "files/examples/task_bag.cpp"]


class TheSite(unittest.TestCase):
    def test_its_index_knows_words_of_prose_and_of_references(self):
        index = (SITE / "searchindex.js").read_text()
        for word in ("rebal", "tutori", "equipoise_rebal", "relabel"):
            self.assertIn(word, index)

    def test_references_hold_what_programs_call(self):
        for page, words in (("reference/cpp/balancer", ["rebalance", "class", "Advisor"]),
                            ("reference/cpp/c", ["equipoise_plan_make", "equipoise_options"]),
                            ("reference/python", ["equipoise.run", "Parameters", "relabel"]),
                            ("reference/command-line", ["--network", "compare"])):
            text = (SITE / f"{page}.html").read_text()
            for word in words:
                self.assertIn(word, text, page)


class TheSiteInABrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not CHROMIUM:
            raise unittest.SkipTest("there is no Chromium")
        cls.browser = Browser(CHROMIUM)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def wait_for(self, expression):
        for _ in range(600):  # a minute
            if self.browser.value(expression):
                return
            time.sleep(0.1)
        self.fail(f"never true: {expression}")

    def test_a_search_finds_pages(self):
        # In a browser of its own: a file's search may not read other files to show excerpts, and
        # complains of that.
        with Browser(CHROMIUM) as self.browser:
            self.browser.open(SITE / "search.html")
            self.browser.value("Search.performSearch('lending columns')")
            self.wait_for("document.querySelector('ul.search a') !== null")
            first = self.browser.value("document.querySelector('ul.search a').getAttribute('href')")
            self.assertTrue(first.startswith("how-to/balancer"), first)

    def test_pages_fit_screens_of_400_pixels_and_complain_of_nothing(self):
        for dark in (False, True):
            for page in PAGES:
                self.browser.open(SITE / f"{page}.html", width=400, dark=dark)
                width = self.browser.value("document.documentElement.scrollWidth")
                self.assertLessEqual(width, 400, page)
                self.assertEqual([], self.browser.complaints(), page)

    def test_the_site_is_as_dark_as_the_system(self):
        colours = []
        for dark in (False, True):
            self.browser.open(SITE / "index.html", dark=dark)
            colours.append(self.browser.value("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(["rgb(255, 255, 255)", "rgb(19, 20, 22)"], colours)

    def test_a_click_turns_the_site_dark(self):
        self.browser.open(SITE / "index.html")
        self.browser.value("localStorage.clear()")
        before = self.browser.value("getComputedStyle(document.body).backgroundColor")
        for _ in range(3):
            self.browser.value("document.querySelector('.theme-toggle').click()")
            if self.browser.value("document.body.dataset.theme") == "dark":
                break
        after = self.browser.value("getComputedStyle(document.body).backgroundColor")
        self.browser.value("localStorage.clear()")
        self.assertNotEqual(before, after)

    def test_the_landing_page_holds_a_page_that_plays(self):
        self.browser.open(SITE / "index.html")
        self.browser.value("document.querySelector('iframe').scrollIntoView()")
        self.wait_for("document.querySelector('iframe').clientHeight > 300")
        address = self.browser.value("document.querySelector('iframe').getAttribute('src')")
        self.browser.open(SITE / address)
        self.assertIn("Seattle", self.browser.value("document.body.textContent"))


if __name__ == "__main__":
    SITE = Path(sys.argv[1])
    CHROMIUM = sys.argv[2] if len(sys.argv) > 2 else None
    if not (SITE / "index.html").exists():
        print("there is no site")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
