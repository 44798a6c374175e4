#!/usr/bin/env python3
"""Completion as a person at a terminal sees it.

usage: completion_test.py bash|zsh COMPLETION_FILE

Types into an interactive shell on a pseudo-terminal, presses Tab and Enter, and reads what the
shell then runs: `equipoise` is a function that prints its arguments. Exit status 77 says that there
is no such shell.
"""
import os
import pty
import re
import select
import shutil
import sys
import tempfile
import time
from pathlib import Path

SECONDS_MAX = 60

# (what is typed before Tab, what the command line is then).
CASES = [
    ("equipoise comp", "compare"),
    ("equipoise run discrep", "run discrepancy-1"),
    ("equipoise compare threshold-1 discrep", "compare threshold-1 discrepancy-1"),
    ("equipoise run --netw", "run --network"),
    ("equipoise run --network hyper", "run --network hypercube:"),
    ("equipoise run --network=hyper", "run --network=hypercube:"),
    ("equipoise run --network torus:8x8 --record-level sam",
     "run --network torus:8x8 --record-level sampled"),
    ("equipoise run --stop one", "run --stop one-balanced"),
    ("equipoise run --delays heavy", "run --delays heavy-tail"),
    ("equipoise verify some-rec", "verify some-record.json"),
    ("equipoise run --churn replay:some-rec", "run --churn replay:some-record.json"),
    ("equipoise run --json=some-rec", "run --json=some-record.json"),
    ("equipoise trace --policy min", "trace --policy minimum-moves"),
    ("equipoise verify my", "verify my record.json"),
    ("equipoise verify my\\ r", "verify my record.json"),
    ("equipoise verify 'my r", "verify my record.json"),
    ('equipoise verify "my r', "verify my record.json"),
    ("equipoise run --arrivals replay:my\\ r", "run --arrivals replay:my record.json"),
    ("equipoise run 'discrep", "run discrepancy-1"),
    ('equipoise run --record-level="sam', "run --record-level=sampled"),
]

STARTS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "PS1='ready> '; bind 'set bell-style none'; source {file}; "),
    "zsh": (["zsh", "-f", "-i"],
            "PS1='ready> '; unsetopt beep zle_bracketed_paste; fpath=({folder} $fpath); "
            "autoload -Uz compinit && compinit -u -d dump; zstyle ':completion:*' menu no; "),
}


class Shell:
    """An interactive shell behind a pseudo-terminal."""

    def __init__(self, command, folder):
        self.seen = ""
        child, self.terminal = pty.fork()
        if child == 0:
            os.chdir(folder)
            os.environ.update(TERM="dumb", LC_ALL="C.UTF-8", HOME=folder, COLUMNS="300",
                              PATH="/usr/local/bin:/usr/bin:/bin")
            os.execvp(command[0], command)
        self.child = child

    def send(self, text):
        os.write(self.terminal, text.encode())

    def read_until(self, pattern):
        """What was printed up to the pattern, which is taken from what was seen."""
        end = time.monotonic() + SECONDS_MAX
        while not (found := re.search(pattern, self.seen)):
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            if not ready:
                sys.exit(f"waited in vain for {pattern}; seen: {self.seen!r}")
            self.seen += os.read(self.terminal, 65536).decode(errors="replace")
        self.seen = self.seen[found.end():]
        return found

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.child, 0)


def main():
    name, file = sys.argv[1], Path(sys.argv[2]).resolve()
    if not shutil.which(name):
        return 77
    command, start = STARTS[name]
    with tempfile.TemporaryDirectory() as folder:
        for record in ("some-record.json", "my record.json"):
            (Path(folder) / record).write_text("{}")
        shell = Shell(command, folder)
        start = start.format(file=file, folder=file.parent)
        # Printed in halves, so that what is typed is not taken for what is run.
        shell.send(start + "equipoise() { printf '<%s' ra; printf 'n:%s>\\n' \"$*\"; }; "
                   "printf 'be%s\\n' gun\r")
        shell.read_until(r"begun\r?\n")
        for typed, expected in CASES:
            shell.send(typed + "\t")
            # Completion takes a moment; a shell reads what follows only when it is done.
            shell.send("\r")
            ran = shell.read_until(r"<ran:(.*)>\r?\n").group(1).rstrip()
            if ran != expected:
                sys.exit(f'{name}: "{typed}" and Tab: expected "{expected}", found "{ran}"')
        # A verb that none begins with stays as it is.
        shell.send("equipoise nothing\t\r")
        if shell.read_until(r"<ran:(.*)>\r?\n").group(1) != "nothing":
            sys.exit("a word that begins nothing was changed")
        shell.send("exit\r")
        shell.close()
    print(f"{name}: {len(CASES)} lines completed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
