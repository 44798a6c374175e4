"""Staging of the site and the check of its links, on small trees made for them."""

import stat
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from pages import player, site_links, staging  # noqa: E402
from pages.blocks import PageError  # noqa: E402

# Stands for the program: it writes its first argument into the file that its second names.
PROGRAM = "#!/bin/sh\necho \"$1\" >$2\n"


class Links(unittest.TestCase):
    def broken(self, **pages):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in pages.items():
                (Path(folder) / f"{name}.html").write_text(text)
            return site_links.broken_links(folder)

    def test_links_between_pages_and_to_anchors_are_followed(self):
        self.assertEqual([], self.broken(
            a='<a href="b.html#there">b</a><a href="#here" id="here">', b='<p id="there">'))

    def test_what_leads_nowhere_is_named(self):
        self.assertEqual(["a.html: c.html: leads nowhere"], self.broken(a='<a href="c.html">'))
        self.assertEqual(["a.html: c.png: leads nowhere"], self.broken(a='<img src="c.png">'))
        self.assertEqual(["a.html: b.html#x: the page has no such anchor"],
                         self.broken(a='<a href="b.html#x">', b=""))

    def test_pages_load_nothing_from_elsewhere_but_may_name_it(self):
        self.assertEqual([], self.broken(a='<a href="https://example.org/">'))
        self.assertEqual(["a.html: https://example.org/a.js: the page loads this from elsewhere"],
                         self.broken(a='<script src="https://example.org/a.js"></script>'))


class Staging(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        program = self.write("build/bin/equipoise", PROGRAM)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        installation = player.Installation(program)
        self.addCleanup(installation.scratch.cleanup)
        for name, value in (("ROOT", self.root), ("DOCS", self.root / "docs")):
            patch = mock.patch.object(staging, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.site = staging.Site(self.root / "site", installation)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def staged(self, name):
        return (self.root / "site" / "source" / name).read_text()

    def stage(self, text):
        self.write("docs/how-to/page.md", text)
        self.site.stage()
        return self.staged("how-to/page.md")

    def test_links_to_sources_lead_to_pages_that_show_them(self):
        self.write("examples/a.cpp", "int main() {}\n")
        self.assertEqual("[a](../files/examples/a.cpp.md)\n",
                         self.stage("[a](../../examples/a.cpp)\n"))
        self.assertIn("`````cpp\nint main() {}\n`````", self.staged("files/examples/a.cpp.md"))

    def test_links_to_folders_lead_to_lists_of_what_is_in_them(self):
        self.write("examples/a.cpp", "")
        self.write("docs/algorithms/index.md", "# Algorithms\n")
        self.assertEqual("[a](../files/examples/index.md) [b](../algorithms/index.md)\n",
                         self.stage("[a](../../examples) [b](../algorithms)\n"))
        self.assertIn("- [a.cpp](a.cpp.md)", self.staged("files/examples/index.md"))

    def test_a_link_that_leads_nowhere_is_named_with_its_page(self):
        with self.assertRaisesRegex(PageError, "docs/how-to/page.md: the link ../x.md leads"):
            self.stage("[x](../x.md)\n")
        with self.assertRaisesRegex(PageError, "leaves the repository"):
            self.stage("[x](../../..)\n")

    def test_links_in_blocks_are_text(self):
        self.assertIn("[x](../x.md)", self.stage("```text\n[x](../x.md)\n```\n"))

    def test_pictures_are_drawn_once_by_the_commands_before_and_in_them(self):
        page = ('<!-- file: name -->\n```text\nball.svg\n```\n\n```console\n$ mv name other\n```\n'
                '<!-- picture ball.svg "a \\"ball\\"": equipoise round $(cat other) -->\n')
        page = page.replace('\\"', "'")
        self.assertIn('<img src="../pictures-of/how-to/page/ball.svg" alt="a &#x27;ball&#x27;">',
                      self.stage(page))
        drawn = self.root / "site" / "extra" / "pictures-of" / "how-to" / "page" / "ball.svg"
        self.assertEqual("round\n", drawn.read_text())
        with mock.patch.object(self.site, "play") as play:
            self.stage(page)
            play.assert_not_called()
            self.stage(page.replace("round", "square"))
            play.assert_called_once()

    def test_a_picture_that_is_not_drawn_is_an_error(self):
        for command in ("false", "true"):
            with self.assertRaisesRegex(PageError, "docs/how-to/page.md:1: .*\n*expected a.svg"):
                self.stage(f'<!-- picture a.svg "a": {command} -->\n')

    def test_pages_that_play_are_shown_in_frames(self):
        self.assertIn('<iframe src="../pictures-of/how-to/page/a.html" title="a page"',
                      self.stage('<!-- picture a.html "a page": equipoise a a.html -->\n'))

    def test_contents_become_trees_and_words_of_the_glossary_anchors(self):
        self.write("docs/glossary.md", "| Word | Meaning |\n|---|---|\n| local imbalance | x |\n")
        self.assertEqual("```{toctree}\n:glob:\n*\n```\n",
                         self.stage("<!-- contents\n:glob:\n*\n-->\n"))
        self.assertIn('| <span id="local-imbalance"></span>local imbalance | x |',
                      self.staged("glossary.md"))
        self.assertIn("| Word | Meaning |", self.staged("glossary.md"))

    def test_what_is_gone_from_the_pages_is_gone_from_the_site(self):
        path = self.write("docs/old.md", "# Old\n")
        self.stage("")
        self.assertTrue((self.site.source / "old.md").exists())
        path.unlink()
        self.site.written.clear()
        self.stage("")
        self.assertFalse((self.site.source / "old.md").exists())


if __name__ == "__main__":
    unittest.main()
