#!/usr/bin/env python3
"""Runs clang-tidy over every source file of a build, except those that were clean before.

usage: run_clang_tidy.py BUILD CACHE

BUILD holds compile_commands.json of a build with clang. A file is clean for as long as its compile
command, .clang-tidy, clang-tidy itself, the file and every file of the project that it reaches by
includes stay the same; CACHE remembers that by empty files named by a digest of all these.
"""

import hashlib
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from includes import IncludeGraph

CLANG_TIDY = "clang-tidy-16"
ROOT = Path(__file__).resolve().parent.parent


def commands(build):
    """{path from the root: compile command} of the project's own C++ files in a build."""
    entries = json.loads((build / "compile_commands.json").read_text())
    found = {}
    for entry in entries:
        path = Path(entry["directory"], entry["file"]).resolve()
        ours = path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "build")
        if ours and path.suffix == ".cpp":
            found[path.relative_to(ROOT).as_posix()] = entry["command"]
    return found


def digest_of(name, command, graph, settings):
    """Names all that decides what clang-tidy says of a file."""
    digest = hashlib.sha256()
    reached = [name] + sorted(path for path in graph.reached(name) if (ROOT / path).is_file())
    for part in [settings, " ".join(shlex.split(command)[1:]).encode()]:
        digest.update(hashlib.sha256(part).digest())
    for path in reached:
        digest.update(hashlib.sha256(path.encode() + b"\0" + (ROOT / path).read_bytes()).digest())
    return digest.hexdigest()


def look_at(build, name, mark):
    """Whether clang-tidy finds a file clean, which leaves the mark; else says what it found."""
    done = subprocess.run([CLANG_TIDY, "--quiet", "-p", str(build), str(ROOT / name)],
                          capture_output=True, text=True, check=False)
    if done.returncode == 0:
        mark.touch()
    else:
        print(done.stdout + done.stderr, flush=True)
    return done.returncode == 0


def main(arguments):
    build, cache = Path(arguments[0]).resolve(), Path(arguments[1])
    cache.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([CLANG_TIDY, "--version"], capture_output=True, check=True).stdout
    settings = (ROOT / ".clang-tidy").read_bytes() + version
    graph = IncludeGraph(ROOT)
    digests = {name: digest_of(name, command, graph, settings)
               for name, command in sorted(commands(build).items())}
    if not digests:
        print(f"{build}/compile_commands.json names no file of the project")
        return 1
    waiting = [name for name, digest in digests.items() if not (cache / digest).exists()]
    print(f"{len(waiting)} of {len(digests)} files to look at", flush=True)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        clean = list(pool.map(lambda name: look_at(build, name, cache / digests[name]), waiting))
    dirty = clean.count(False)
    print(f"clang-tidy complains of {dirty} files" if dirty else "clang-tidy has no complaints")
    return 1 if dirty else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
