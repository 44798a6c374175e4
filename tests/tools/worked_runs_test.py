"""The check of pages finds a wrong block of each kind, in pages made for it."""

import stat
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import worked_runs  # noqa: E402
from pages import player  # noqa: E402
from pages.blocks import PageError, Picture, parse  # noqa: E402

# Stands for the program: it prints what it is told to, and a time.
PROGRAM = """#!/bin/sh
echo "$@"
echo "in $$ ms"
echo "a complaint" >&2
"""


def console(*lines):
    return "\n".join(["```console", *lines, "```", ""])


class WorkedRuns(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        program = self.root / "build" / "bin" / "equipoise"
        program.parent.mkdir(parents=True)
        program.write_text(PROGRAM)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        self.installation = player.Installation(program)
        self.addCleanup(self.installation.scratch.cleanup)
        self.installation.has_python = True

    def page(self, text, update=False):
        path = self.root / "page.md"
        path.write_text(text)
        return worked_runs.Page(path, self.installation, update).check()

    def assert_right(self, *blocks):
        self.assertEqual([], self.page("\n".join(blocks)).problems)

    def assert_wrong(self, phrase, *blocks):
        problems = self.page("\n".join(blocks)).problems
        self.assertEqual(1, len(problems), problems)
        self.assertIn(phrase, problems[0])

    def test_commands_must_print_what_is_shown_except_times(self):
        self.assert_right(console("$ equipoise run", "run", "in 5 ms", "a complaint"))
        self.assert_wrong("-walk", console("$ equipoise run", "walk", "in 5 ms", "a complaint"))

    def test_every_command_is_played_whatever_it_is(self):
        self.assert_right(console("$ echo one && echo two", "one", "two"))
        self.assert_wrong("+one", console("$ echo one", "two"))
        self.assert_wrong("+one", console("$ echo one"))

    def test_a_line_of_dots_stands_for_any_lines(self):
        self.assert_right(console("$ seq 9", "1", "...", "9"), console("$ seq 9", "1", "..."))
        self.assert_wrong("-8", console("$ seq 9", "1", "...", "9", "8"))

    def test_a_command_that_fails_must_show_it(self):
        self.assert_right(console("$ echo lost; false", "lost"), console("$ echo found", "..."))
        self.assert_wrong("this command fails", console("$ echo lost; false", "..."))
        self.assert_wrong("this command fails", console("$ false"))

    def test_a_page_is_played_in_one_folder_and_one_shell(self):
        self.assert_right(console("$ mkdir deep", "$ cd deep", "$ word=kept"),
                          console("$ echo $word in $(basename $PWD)", "kept in deep"))

    def test_a_command_may_go_on_in_the_next_line(self):
        self.assert_right(console("$ echo one \\", "    two", "one two"))

    def test_the_folders_that_pages_use_are_copies(self):
        self.assert_right(console("$ rm -r examples/networks",
                                  "$ test -e examples/networks || echo no", "no"))
        self.assertTrue((worked_runs.ROOT / "examples" / "networks").exists())

    def test_files_shown_are_written_for_what_follows(self):
        shown = "`loads.csv`:\n<!-- file: sub/loads.csv -->\n```text\nnode,tokens\n```\n"
        self.assert_right(shown, console("$ cat sub/loads.csv", "node,tokens"))
        self.assert_wrong("nothing on the page uses the file sub/loads.csv", shown)
        self.assert_wrong("in the page's folder", shown.replace("sub/", "../"),
                          console("$ true loads.csv"))

    def test_files_shown_are_named_in_the_text_above(self):
        shown = "<!-- file: loads.csv -->\n```text\nnode,tokens\n```\n"
        used = console("$ cat loads.csv", "node,tokens")
        self.assert_right("The loads, `loads.csv`:", shown, used)
        self.assert_wrong("the name loads.csv in the text above", "The loads:", shown, used)

    def test_exempt_blocks_are_counted_with_their_reason(self):
        page = self.page("<!-- not played: it needs root -->\n" + console("$ false", "never"))
        self.assertEqual(([], ["it needs root"]), (page.problems, page.exempt))
        self.assert_wrong("never", "<!-- not played: -->\n" + console("$ true", "never"))

    def test_a_block_without_a_command_is_wrong(self):
        for block in (console("equipoise run"), console()):
            with self.assertRaisesRegex(PageError, "expected a command"):
                self.page(block)

    def test_a_command_that_ends_the_shell_is_wrong(self):
        self.assert_wrong("ends the shell", console("$ exit 3"))

    def test_python_blocks_share_a_namespace_and_must_run(self):
        self.assert_right("```python\na = 20\n```", "```python\nassert a + 22 == 42\n```")
        self.assert_wrong("page.md\", line 6",
                          "```python\na = 20\n```", "", "```python\nb = c\n```")

    def test_programs_must_be_files_that_are_compiled(self):
        path = "examples/five_lines.cpp"
        source = (worked_runs.ROOT / path).read_text()
        inner = source.splitlines()[5].strip()
        self.assert_right(f"<!-- {path} -->\n```cpp\n{source}```")
        self.assert_right(f"<!-- part of {path} -->\n```cpp\nint main() {{\n...\n{inner}\n```")
        self.assert_wrong("is not examples", f"<!-- {path} -->\n```cpp\nint main;\n```")
        self.assert_wrong("are not in", f"<!-- part of {path} -->\n```cpp\nint main;\n```")
        self.assert_wrong("found \"\"", "```cpp\nint main;\n```")
        self.assert_wrong("found \"dev\"", "<!-- dev -->\n```c\nint main;\n```")

    def test_json_must_parse_and_unknown_languages_are_wrong(self):
        self.assert_right('```json\n{"a": 1}\n```', "```text\nanything\n```", "```\nanything\n```")
        self.assert_wrong("not JSON", "```json\n{a: 1}\n```")
        self.assert_wrong("found bash", "```bash\nls\n```")
        self.assert_wrong("page.md:2: expected", "- item", "  ```sh\n  ls\n  ```")

    def test_no_block_or_command_can_hide(self):
        for text, phrase in (("- ```console\n  $ false\n  ```\n", "blocks between lines"),
                             ("> ```console\n> $ false\n> ```\n", "blocks between lines"),
                             ("\t```console\n\t$ false\n\t```\n", "blocks between lines"),
                             ("    $ false\n", "commands in ```console"),
                             ("<pre>$ false</pre>\n", "commands in ```console"),
                             ("```x``` is code\n```console\n$ false\n```\n", "a language"),
                             ("<!-- a --> b\n```console\n$ false\n```\n<!-- c -->\n",
                              "nothing after")):
            with self.subTest(text), self.assertRaisesRegex(PageError, phrase):
                self.page(text)
        self.assert_wrong("in a block console", "```text\n$ false\n```")
        self.assert_wrong("found {code-block} bash", "```{code-block} bash\nls\n```")
        self.assert_wrong("found Console", "```Console\n$ ls\n```")
        self.assert_wrong("found {eval-rst}", "```{eval-rst}\n.. code-block:: bash\n```")
        self.assert_wrong("+examples", "~~~console\n$ ls -d examples\n~~~")
        self.assert_wrong("without commands", "The file a:\n<!-- file: a -->\n"
                          "```console\n$ false\n```\n", console("$ test -e a"))

    def test_blocks_and_remarks_must_end(self):
        for text, phrase in (("```text\n", "does not end"), ("<!-- file: a\n", "-->"),
                             ('<!-- picture a.gif "b": c -->\n', "picture NAME.svg")):
            with self.assertRaisesRegex(PageError, phrase):
                self.page(text)

    def test_pictures_are_found_with_their_commands(self):
        self.assertEqual(
            [Picture("a.svg", "two words", "one && two", 1, 3)],
            parse('\n<!-- picture a.svg "two\nwords": one \\\n && two -->\n', "page"))

    def test_pictures_must_be_drawn(self):
        self.assert_right('<!-- picture a.svg "a": echo "<svg>" > a.svg -->')
        self.assert_wrong("do not draw a.svg", '<!-- picture a.svg "a": echo "<svg>" > b.svg -->')
        self.assert_wrong("do not draw a.png", '<!-- picture a.png "a": echo "<svg>" > a.png -->')
        self.assert_wrong("fail", '<!-- picture a.svg "a": echo "<svg>" > a.svg && false -->')

    def test_update_writes_what_is_printed(self):
        wrong = console("$ seq 3", "...", "3", "$ echo new", "old")
        self.assertEqual([], self.page(wrong, update=True).problems)
        self.assertEqual(wrong.replace("old", "new"), (self.root / "page.md").read_text())
        self.assertTrue(self.page("```json\n{a\n```\n", update=True).problems)


if __name__ == "__main__":
    unittest.main()
