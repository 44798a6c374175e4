"""Checks that every link of a built site leads to a file of it and to an anchor of that file."""

import html.parser
import os
import pathlib
import urllib.parse


class Reader(html.parser.HTMLParser):
    """The links and anchors of one page."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.links = []
        self.anchors = set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value is not None:
                self.links.append((tag, value))


def read(path):
    reader = Reader()
    reader.feed(path.read_text(errors="replace"))
    return reader


def broken_links(folder):
    """What is wrong with the links of the pages below a folder, a line for each."""
    folder = pathlib.Path(folder)
    pages = {path: read(path) for path in sorted(folder.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        for tag, link in dict.fromkeys(page.links):
            problem = fault(link, path, pages, tag)
            if problem:
                found.append(f"{path.relative_to(folder)}: {link}: {problem}")
    return found


def fault(link, path, pages, tag):
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:
        # What a page loads must be there without a network; what a reader clicks need not.
        offline = tag == "a" or parts.scheme in ("data", "about") or "canonical" in link
        return "" if offline else "the page loads this from elsewhere"
    target = path
    if parts.path:
        target = pathlib.Path(os.path.normpath(path.parent / urllib.parse.unquote(parts.path)))
    if not target.is_file():
        return "leads nowhere"
    anchor = urllib.parse.unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].anchors:
        return "the page has no such anchor"
    return ""
