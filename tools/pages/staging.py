"""Makes the sources of the site from the pages of docs/: what Sphinx reads lies in one folder.

Pages stay as they are, except for what only a site can show: pictures are drawn by the commands
of their remarks, <!-- contents ... --> becomes a table of contents, <!-- command line --> the
reference of the command line, words of the glossary can be linked to, and links to files outside
docs/ lead to pages that show these files.
"""

import concurrent.futures
import hashlib
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys

from pages.blocks import Block, PageError, Picture, commands, parse
from pages.player import PageFolder

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s<]+)(\))")
CONTENTS = re.compile(r"^<!-- contents\n(.*?)^-->$", re.M | re.S)
COMMAND_LINE = re.compile(r"^<!-- command line -->$", re.M)
ABSOLUTE = re.compile(r"[a-z]+:|#")
PICTURES = {".png", ".gif", ".svg", ".jpg"}
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".c": "c", ".h": "c", ".f90": "fortran",
             ".py": "python", ".json": "json", ".cmake": "cmake"}
# Pages of the repository's root that the site shows under project/.
PROJECT = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
HIDDEN = "---\norphan: true\nnosearch: true\n---\n\n"


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


class Site:
    """The sources of the site below `folder`."""

    def __init__(self, folder, installation):
        self.folder = folder
        self.source = folder / "source"
        self.extra = folder / "extra"
        self.drawn = folder / "pictures"
        self.installation = installation
        self.written = set()
        self.waiting = []  # files outside docs/ that pages link to

    def stage(self):
        pages = [ROOT / name for name in PROJECT if (ROOT / name).exists()]
        for path in sorted(DOCS.rglob("*")):
            if path.is_relative_to(DOCS / "site") or not path.is_file():
                continue
            if path.suffix == ".md":
                pages.append(path)
            elif path.suffix in PICTURES:
                self.write(path.relative_to(DOCS), path.read_bytes())
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:  # commands take long
            list(pool.map(self.stage_page, pages))
        while self.waiting:
            self.stage_file(self.waiting.pop())
        self.remove_stale()

    def write(self, name, content):
        """Writes a source, unless it holds this already: Sphinx reads again what is newer."""
        path = self.source / name
        content = content.encode() if isinstance(content, str) else content
        self.written.add(path)
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def remove_stale(self):
        for path in self.source.rglob("*"):
            if path.is_file() and path not in self.written:
                path.unlink()

    def place(self, path):
        """Where the site has a file or folder of the repository, relative to its sources."""
        if path.is_relative_to(DOCS):
            inside = path.relative_to(DOCS)
            return inside / "index.md" if path.is_dir() else inside
        if path.is_dir():
            return pathlib.PurePath("files") / path.relative_to(ROOT) / "index.md"
        if path == ROOT / "README.md":
            return pathlib.PurePath("index.md")
        if path.parent == ROOT and path.name in PROJECT:
            return pathlib.PurePath("project") / path.name.lower()
        name = path.relative_to(ROOT)
        return pathlib.PurePath("files") / name.parent / (name.name + ".md")

    # Pages.

    def stage_page(self, path):
        name = str(path.relative_to(ROOT))
        text = path.read_text()
        items = parse(text, name)
        lines = text.splitlines()
        pictures = self.draw(path, text, items)
        out = []
        at = 0
        for item in items:
            out += self.prose(lines[at:item.first], path)
            if isinstance(item, Picture):
                out.append(pictures[item.name])
            else:
                out += self.block(item, lines)
            at = item.last + 1
        out += self.prose(lines[at:], path)
        text = "\n".join(out) + "\n"
        text = CONTENTS.sub(lambda c: f"```{{toctree}}\n{c[1]}```", text)
        if path.name == "index.md" and "{toctree}" not in text:
            text += "".join(["\n```{toctree}\n:hidden:\n", *self.pages_below(text, path), "```\n"])
        if COMMAND_LINE.search(text):
            made = self.command_line()
            text = COMMAND_LINE.sub(lambda _: made, text)
        wide = "---\nhide-toc: true\n---\n\n" if path == DOCS / "index.md" else ""
        self.write(self.place(path), wide + text)

    def pages_below(self, text, path):
        """The pages in or below the folder of an index to which it links, in this order."""
        links = dict.fromkeys(link[2].partition("#")[0] for link in LINK.finditer(text))
        return [f"{link[:-3]}\n" for link in links
                if link.endswith(".md") and not link.startswith("../")]

    def block(self, block, lines):
        """A block as it is, under its file's name where it is one."""
        shown = lines[block.first:block.last + 1]
        name = block.told("file")
        return ([f'<p class="file">{html.escape(name)}</p>', ""] if name else []) + shown

    def prose(self, lines, path):
        text = "\n".join(lines)
        text = LINK.sub(lambda link: link[1] + self.target(link[2], path) + link[3], text)
        if path == DOCS / "glossary.md":
            text = re.sub(r"^\| (?!Word|Letter|-)([^|]+?) \|",
                          lambda row: f'| <span id="{slug(row[1])}"></span>{row[1]} |', text,
                          flags=re.M)
        return text.split("\n") if lines else []

    def target(self, link, path):
        """The link as it must be on the site."""
        if ABSOLUTE.match(link):
            return link
        name, _, anchor = link.partition("#")
        found = pathlib.Path(os.path.normpath(path.parent / name))
        if not found.exists():
            raise PageError(f"{path.relative_to(ROOT)}: the link {link} leads nowhere")
        if not found.is_relative_to(ROOT):
            raise PageError(f"{path.relative_to(ROOT)}: the link {link} leaves the repository")
        place = self.place(found)
        if place.parts[0] == "files":
            self.waiting.append(found)
        here = self.place(path).parent
        return os.path.relpath(place, here) + (f"#{anchor}" if anchor else "")

    def command_line(self):
        page = self.folder / "command-line.md"
        subprocess.run([sys.executable, ROOT / "tools" / "command_line.py",
                        self.installation.build / "command-line.json", "--page", page], check=True)
        return page.read_text().partition("\n")[2]  # without its heading

    # Pictures.

    def draw(self, path, text, items):
        """The HTML of each picture of a page. All that the page plays before the last picture is
        played again only when the page or the program has changed."""
        last = max((n for n, item in enumerate(items) if isinstance(item, Picture)), default=-1)
        if last < 0:
            return {}
        place = self.place(path).with_suffix("")
        drawn = self.drawn / place
        program = self.installation.program.stat()
        key = hashlib.sha256(f"{text}{program.st_mtime_ns}{program.st_size}".encode()).hexdigest()
        if not (drawn / "key").exists() or (drawn / "key").read_text() != key:
            shutil.rmtree(drawn, ignore_errors=True)
            drawn.mkdir(parents=True)
            self.play(path, items[:last + 1], drawn)
            (drawn / "key").write_text(key)
        shutil.copytree(drawn, self.extra / "pictures-of" / place, dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("key"))
        up = "../" * (len(place.parts) - 1)
        return {item.name: shown(item, f"{up}pictures-of/{place}/{item.name}")
                for item in items if isinstance(item, Picture)}

    def play(self, path, items, drawn):
        name = path.relative_to(ROOT)
        with PageFolder(self.installation, items) as folder:
            for item in items:
                if isinstance(item, Picture):
                    printed, done = folder.play(item.command)
                    made = folder.path / item.name
                    if not done or not made.exists():
                        raise PageError(f"{name}:{item.first + 1}: {item.command}\n" +
                                        "\n".join(printed) + f"\nexpected {item.name}")
                    shutil.copy(made, drawn / item.name)
                elif item.told("file"):
                    folder.write(item.told("file"), item.body)
                elif item.language == "console" and not item.told("not played"):
                    for command in commands(item, name):
                        folder.play(command.text)

    # Files outside docs/.

    def stage_file(self, path):
        place = self.place(path)
        if self.source / place in self.written:
            return
        name = path.relative_to(ROOT)
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if not p.name.startswith((".", "__")))
            rows = [f"- [{p.name}{'/' * p.is_dir()}]({self.target(p.name, path / 'x')})"
                    for p in inside]
            self.write(place, f"{HIDDEN}# {name}/\n\n" + "\n".join(rows) + "\n")
        elif path.suffix == ".ipynb":
            self.write(place, HIDDEN + self.notebook(path, place))
        elif path.suffix == ".md":
            self.write(place, HIDDEN + "\n".join(self.prose(path.read_text().split("\n"), path)))
        elif path.suffix in PICTURES:
            shutil.copytree(path.parent, self.source / place.parent, dirs_exist_ok=True)
        else:
            self.write(place, f"{HIDDEN}# {name}\n\n`````{LANGUAGES.get(path.suffix, 'text')}\n"
                              f"{path.read_text()}`````\n")

    def notebook(self, path, place):
        """A notebook as a page, its pictures beside it."""
        from nbconvert import MarkdownExporter  # only sites with notebooks need it
        text, resources = MarkdownExporter().from_filename(str(path))
        folder = pathlib.PurePath(place.name).with_suffix(".outputs")
        for name, content in resources["outputs"].items():
            self.write(place.parent / folder / name, content)
            text = text.replace(f"]({name})", f"](<{folder}/{name}>)")
        return "\n".join(self.prose(text.split("\n"), path))


def shown(picture, address):
    """The HTML that shows a picture, or a page in a frame."""
    text = html.escape(picture.text, quote=True)
    if picture.name.endswith(".html"):
        return (f'<div class="framed"><iframe src="{address}" title="{text}" loading="lazy">'
                f'</iframe><p><a href="{address}">Open this page on its own</a></p></div>')
    return f'<figure class="picture"><img src="{address}" alt="{text}"></figure>'
