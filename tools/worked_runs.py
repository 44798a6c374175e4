#!/usr/bin/env python3
"""Keeps the blocks of README.md and docs/ true: what they show is played, compiled or parsed.

```console   Every command after `$ ` is played, in one folder and one shell for each page, from top
             to bottom, and must print what the block shows. Times are masked on both sides, and a
             line `...` stands for any lines; a command of which nothing else is shown must
             succeed. `equipoise` is the program, `python3` knows the
             package, examples/ and scenarios/ are there, and compilers, CMake and pkg-config find
             an installed Equipoise. `<!-- not played: REASON -->` on the line before exempts a
             block that needs root, a network or a whole build.
```python    runs, in order, in one namespace for each page.
```cpp, ```c, ```fortran, and any block after `<!-- PATH -->`, are that file of examples/ or tests/;
             after `<!-- part of PATH -->`, lines of it (`...` between those that lie apart).
```json      parses. ```text, and a block without a language, may hold anything but commands.
Any block after `<!-- file: NAME -->` is written to NAME in the page's folder, for what follows; the
text above it must name it, too.
Any other language is an error. Commands in a remark <!-- picture NAME "...": COMMANDS --> are
played too, and must draw the picture. Between <!-- algorithms --> and <!-- end --> is a table of
the whole catalogue. Pages under docs/decisions/ are not looked at: they tell how things were.

usage: worked_runs.py --program build/bin/equipoise [--update] [FILE.md ...]
"""

import argparse
import concurrent.futures
import difflib
import json
import os
import pathlib
import re
import sys
import textwrap

from pages import guarantees
from pages.blocks import Block, PageError, commands, parse
from pages.player import Installation, PageFolder, PlayError

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIME = re.compile(r" *\b\d+(\.\d+)?(e-?\d+)? ?(s|ms|us|µs|ns)\b")
PICTURE_BEGINS = {".svg": b"<", ".html": b"<", ".png": b"\x89PNG"}
COMPILED = ("cpp", "c", "fortran")
# Of the reference, which Sphinx makes from the source.
DIRECTIVES = ("{cpp:namespace}", "{doxygengroup}", "{eval-rst}")
FILE_OF_REPOSITORY = re.compile(r"(part of )?(examples|tests)/\S+$")


def masked(text):
    """The text without times, and without the widths that a column takes from them."""
    lines = (TIME.sub(" TIME", line).rstrip() for line in text.splitlines())
    return "\n".join(re.sub(r"-{2,}", "--", re.sub(r" {2,}", "  ", line)) for line in lines)


def matches(shown, printed):
    """Whether printed lines are those shown, where a line `...` stands for any lines."""
    def pattern(line):
        return r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + r"\n"
    text = "".join(line + "\n" for line in tidy(printed))
    return re.fullmatch("".join(pattern(line) for line in tidy(shown)), text) is not None


def tidy(lines):
    """Masked lines without blank ones at the end."""
    return masked("\n".join(lines).rstrip()).splitlines()


class Page:
    """Checks one page and, with `update`, corrects it."""

    def __init__(self, path, installation, update):
        self.path = path
        self.name = str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
        self.installation = installation
        self.update = update
        self.text = path.read_text()
        self.lines = self.text.splitlines()
        self.items = parse(self.text, self.name)
        self.blocks = [item for item in self.items if isinstance(item, Block)]
        self.problems = []
        self.exempt = []  # reasons
        self.played = 0
        self.changes = []  # blocks and their new lines

    def wrong(self, block, what, fresh=None):
        """Notes what is wrong; with `update`, `fresh` lines take the block's place instead."""
        if self.update and fresh is not None:
            self.changes.append((block, fresh))
        else:
            self.problems.append(f"{self.name}:{block.first + 1}: {what}")

    def check(self):
        with PageFolder(self.installation, self.items) as folder:
            for item in self.items:
                try:
                    if isinstance(item, Block):
                        self.check_block(self.blocks.index(item), item, folder)
                    else:
                        self.check_picture(item, folder)
                except PlayError as error:
                    self.wrong(item, error)
        if self.update:
            self.write_changes()
        else:
            self.check_table()
        return self

    def check_block(self, number, block, folder):
        if name := block.told("file"):
            if block.language == "console":
                self.wrong(block, "expected a file without commands that are played")
            self.check_file(number, block, name)
            folder.write(name, block.body)
        elif block.language == "console":
            self.check_console(block, folder)
        elif block.language in COMPILED or FILE_OF_REPOSITORY.match(block.remark):
            self.check_source(block)
        elif block.language == "python":
            self.check_python(block, folder)
        elif block.language == "json":
            self.check_json(block)
        elif block.language in ("", "text"):
            if any(line.startswith("$ ") for line in block.lines):
                self.wrong(block, "expected commands in a block console")
        elif block.language.split(" ")[0] not in DIRECTIVES or ".. code" in block.body:
            self.wrong(block, "expected a block console, python, cpp, c, fortran, json or text, or "
                              f"one after <!-- file: NAME -->, found {block.language}")

    def check_file(self, number, block, name):
        """A file shown must stay in the page's folder, and something after it must use it."""
        if pathlib.PurePath(name).is_absolute() or ".." in pathlib.PurePath(name).parts:
            self.wrong(block, f"expected the name of a file in the page's folder, found {name}")
        played = [b for b in self.blocks[number + 1:] if b.language in ("console", "python")]
        files = [b for b in self.blocks if b is not block and b.told("file")]
        word = pathlib.PurePath(name).name
        if word == "CMakeLists.txt":
            word = "cmake"
        elif word.endswith(".py"):
            word = word.removesuffix(".py")  # as others import it
        if not any(word in b.body for b in played + files):
            self.wrong(block, f"nothing on the page uses the file {name}")
        if pathlib.PurePath(name).name not in self.prose_above(block):
            self.wrong(block, f"expected the name {name} in the text above its block, since "
                              "Git hosts do not show remarks")

    def prose_above(self, block):
        """What stands between a block and the one before it, without remarks."""
        begin = max((b.last + 1 for b in self.blocks if b.last < block.first), default=0)
        return re.sub(r"<!--.*?-->", "", "\n".join(self.lines[begin:block.first]), flags=re.S)

    def check_console(self, block, folder):
        if block.told("not played"):
            self.exempt.append(block.told("not played"))
            return
        fresh = []
        right = True
        for command in commands(block, self.name):
            self.played += 1
            printed, succeeded = folder.play(command.text)
            printed = [line.rstrip() for line in printed]
            if not succeeded and not any(line.strip(" .") for line in command.printed):
                self.wrong(block, f"this command fails, and no line shows it: {command.text}\n"
                           + "\n".join(printed))
            if matches(command.printed, printed):
                fresh += command.shown + command.printed
            else:
                right = False
                fresh += command.shown + printed
        if right:
            return
        shown, now = (masked("\n".join(lines)).splitlines() for lines in (block.lines, fresh))
        self.wrong(block, "the commands do not print what is shown:\n" + "\n".join(
            difflib.unified_diff(shown, now, "shown", "printed", lineterm="")), fresh)

    def check_picture(self, picture, folder):
        """The commands of a picture succeed and draw it."""
        self.played += 1
        printed, succeeded = folder.play(picture.command)
        drawn = folder.path / picture.name
        if not succeeded:
            self.wrong(picture, "the commands of this picture fail:\n" + "\n".join(printed))
        elif not drawn.is_file() or not drawn.read_bytes().startswith(PICTURE_BEGINS[drawn.suffix]):
            self.wrong(picture, f"the commands of this picture do not draw {picture.name}")

    def check_source(self, block):
        name = block.remark.removeprefix("part of ")
        path = ROOT / name
        if not FILE_OF_REPOSITORY.match(block.remark) or not path.is_file():
            self.wrong(block, "expected <!-- PATH --> above, a file of examples/ or tests/, or "
                              f"<!-- file: NAME -->, found \"{block.remark}\"")
        elif name != block.remark:
            source = "\n".join(line.strip() for line in path.read_text().splitlines())
            for part in re.split(r"(?m)^ *\.\.\.\n", block.body):
                if "\n".join(line.strip() for line in part.splitlines()) not in source:
                    self.wrong(block, f"these lines are not in {name}:\n{part.rstrip()}")
        elif path.read_text() != block.body:
            self.wrong(block, f"the program shown is not {name}", path.read_text().splitlines())

    def check_python(self, block, folder):
        if not self.installation.has_python:
            self.exempt.append("the Python package is not built")
            return
        self.played += 1
        folder.run_python(block, self.name)

    def check_json(self, block):
        try:
            json.loads(block.body)
        except ValueError as error:
            self.wrong(block, f"this is not JSON: {error}")

    def check_table(self):
        fresh = guarantees.renewed(self.text, self.installation.program, self.path.parent)
        if fresh == self.text:
            return
        self.problems.append(f"{self.name}: the table of algorithms is not the catalogue's:\n" +
                             "\n".join(difflib.unified_diff(
                                 self.text.splitlines(), fresh.splitlines(), "shown", "made", n=0,
                                 lineterm="")))

    def write_changes(self):
        lines = self.text.splitlines()
        for block, fresh in sorted(self.changes, key=lambda change: -change[0].first):
            lines[block.first + 1:block.last] = [(block.indent + l).rstrip() for l in fresh]
        text = "".join(line + "\n" for line in lines)
        text = guarantees.renewed(text, self.installation.program, self.path.parent)
        if text != self.text:
            self.path.write_text(text)


def all_pages():
    pages = sorted((ROOT / "docs").rglob("*.md"))
    return [ROOT / "README.md", *(p for p in pages if "decisions" not in p.parts)]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--update", action="store_true", help="write what is printed now")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    files = [path.resolve() for path in options.files] or all_pages()
    with Installation(options.program) as installation, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def check(path):
            try:
                return Page(path, installation, options.update).check()
            except PageError as error:
                return error
        pages = list(pool.map(check, files))
    return report(pages)


def report(pages):
    """Says what was played and what is wrong; the status of the program."""
    broken = [str(page) for page in pages if isinstance(page, PageError)]
    pages = [page for page in pages if isinstance(page, Page)]
    problems = broken + [problem for page in pages for problem in page.problems]
    for problem in problems:
        print(problem)
    exempt = [f"{page.name}: {reason}" for page in pages for reason in page.exempt]
    print(f"{sum(page.played for page in pages)} commands and blocks of {len(pages)} pages played, "
          f"{len(problems)} wrong, {sum(len(page.changes) for page in pages)} rewritten, "
          f"{len(exempt)} not played")
    for reason in exempt:
        print(textwrap.indent(reason, "  "))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
