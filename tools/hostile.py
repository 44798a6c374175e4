"""What the attacks on the program share: playing it within limits, and judging how it ended.

A finding is a crash, a signal, a hang, memory beyond the limit, an exit status other than 0, 1 and
2, or a refusal that is not one clear line.
"""

import argparse
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

MEMORY_BYTES = 3 << 30
CPU_SECONDS = 20
WALL_SECONDS = 200
LINE_MOST = 1000
RAW = re.compile(r"what\(\)|terminate called|\[json\.exception|basic_string|vector::|bad_alloc|"
                 r"std::|basic_filebuf|stoul|stoi|bad optional|map::at|Assertion")


def limit():
    """Limits of a child process: no core files, and bounds on memory and processor time."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))


class Played:
    """How a run of the program ended."""

    def __init__(self, arguments, status, out, err, hung):
        self.arguments, self.status, self.out, self.err, self.hung = (arguments, status, out, err,
                                                                      hung)

    def problem(self):
        """What is wrong with this end, or None."""
        if self.hung or -self.status in (signal.SIGXCPU, signal.SIGKILL):
            return f"no end within {CPU_SECONDS} s"
        if self.status < 0:
            return f"ended by signal {-self.status}"
        if self.status not in (0, 1, 2):
            return f"exit status {self.status}"
        if RAW.search(self.err):
            return f"a raw message: {self.err.strip()[:200]!r}"
        if self.status != 2:
            return None
        # Notes on how a file was read may stand above a refusal.
        lines = [line for line in self.err.splitlines()
                 if not line.startswith("equipoise: note: ")]
        if len(lines) != 1 or not self.err.endswith("\n"):
            return f"a refusal of {len(lines)} lines: {self.err[:300]!r}"
        if not lines[0].startswith("equipoise: ") or len(lines[0]) > LINE_MOST:
            return f"a refusal that is no clear line: {lines[0][:200]!r}"
        if any(ord(c) < 32 or ord(c) == 127 for c in self.err.replace("\n", "")):
            return f"control characters in a refusal: {self.err[:200]!r}"
        if "not enough memory" in lines[0]:
            return f"memory beyond {MEMORY_BYTES >> 20} MiB"
        return None


def play(program, arguments, folder, stdin=None):
    """Runs the program in a folder."""
    with subprocess.Popen([program, *arguments], cwd=folder, stdin=stdin or subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit,
                          env=dict(os.environ, LC_ALL="C.UTF-8", OMP_NUM_THREADS="1")) as child:
        try:
            out, err = child.communicate(timeout=WALL_SECONDS)
            hung = False
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()
            hung = True
    return Played(arguments, child.returncode, out.decode("utf-8", "replace"),
                  err.decode("utf-8", "replace"), hung)


class Attack:
    """A budget of time or of tries, a source of randomness, and what was found."""

    def __init__(self, options):
        self.program = str(pathlib.Path(options.program).resolve())
        self.random = random.Random(options.seed)
        self.deadline = time.monotonic() + options.seconds
        self.tries = options.tries
        self.seed = options.seed
        self.keep = pathlib.Path(options.keep).resolve() if options.keep else None
        self.findings = []
        self.tried = 0

    def share(self, parts):
        """Says, when called, whether the first of `parts` equal parts of what is left is over."""
        if self.tries is not None:
            tried = self.tried + (self.tries - self.tried) / parts
            return lambda: self.tried >= tried
        now = time.monotonic()
        end = now + (self.deadline - now) / parts
        return lambda: time.monotonic() >= end

    def over(self):
        return self.share(1)()

    def find(self, what, files, arguments):
        """Notes a finding; keeps the files that show it."""
        number = len(self.findings)
        self.findings.append(what)
        command = " ".join(["equipoise", *arguments])
        print(f"finding {number}: {what}\n  $ {command}", flush=True)
        if self.keep:
            place = self.keep / f"finding-{number}"
            place.mkdir(parents=True, exist_ok=True)
            for file in files:
                (place / file.name).write_bytes(file.read_bytes())
            (place / "command").write_text(f"{command}\n{what}\n", encoding="utf-8")

    def end(self, what):
        """Says what was done; the exit status of the attack."""
        print(f"{what}: {self.tried} tried, {len(self.findings)} findings (seed {self.seed})")
        return 1 if self.findings else 0


def seed_of(text):
    return random.SystemRandom().getrandbits(32) if text == "new" else int(text)


def options_of(description):
    """The options that all attacks take."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--program", required=True, help="build/bin/equipoise")
    parser.add_argument("--seconds", type=float, default=300, help="time to spend (default 300)")
    parser.add_argument("--tries", type=int, help="how often the program is tried, instead of a "
                        "time: the same on every machine")
    parser.add_argument("--seed", type=seed_of, default=1,
                        help="of everything random: a number, or `new` (default 1)")
    parser.add_argument("--keep", help="a folder for the files of findings")
    return parser


def main(attack_of, description):
    """Runs an attack in a temporary folder."""
    attack = attack_of(options_of(description).parse_args())
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(attack.run(pathlib.Path(folder)))
