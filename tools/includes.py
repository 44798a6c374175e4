"""The include lines of C++ files, for the checks that follow them."""

import re
from pathlib import Path

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(<[^>\n]+>|"[^"\n]+")', re.MULTILINE)
BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def includes(text):
    """(line, name, quoted) of every include line; block comments do not count."""
    text = BLOCK_COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)
    return [(text.count("\n", 0, found.start(1)) + 1, found.group(1)[1:-1],
             found.group(1).startswith('"'))
            for found in INCLUDE.finditer(text)]


class IncludeGraph:
    """Who includes whom below a root; names are include paths, which are paths from the root."""

    def __init__(self, root):
        self.root = Path(root)
        self._includes = {}

    def includes(self, name):
        """The include lines of the file with this path; none when there is no such file."""
        if name not in self._includes:
            path = self.root / name
            self._includes[name] = includes(path.read_text()) if path.is_file() else []
        return self._includes[name]

    def reached(self, name):
        """Every file and foreign header that a file reaches, each with its shortest chain of
        (includer, line) pairs."""
        chains = {}
        frontier = [(name, ())]
        while frontier:
            following = []
            for includer, chain in frontier:
                for line, included, _ in self.includes(includer):
                    if included not in chains and included != name:
                        chains[included] = chain + ((includer, line),)
                        following.append((included, chains[included]))
            frontier = following
        return chains
