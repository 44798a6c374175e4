#!/usr/bin/env python3
"""Makes the pages of the papers again, with every number, table and figure.

usage: make_results.py --program PROGRAM [--long] [--check] [PAPER ...]

For each paper (all, unless some are named): plays scenarios/PAPER/*.json into
docs/results/PAPER/*.csv, draws docs/results/PAPER/*.svg from these, and makes the blocks of
docs/results/PAPER.md. --long also plays the scenarios that take long; else their CSV files stay.
--check changes nothing: it plays the scenarios that are quick, and says what differs.
"""

import argparse
import importlib
import pathlib
import pkgutil
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
try:
    import results
    from results.making import ClaimError, RESULTS, ROOT, SCENARIOS
except ModuleNotFoundError as missing:
    print(f"make_results.py: {missing}: expected the packages of packages/python.txt",
          file=sys.stderr)
    sys.exit(77)


def papers():
    """The modules of tools/results that hold a paper, by the paper's name."""
    found = {}
    for module in pkgutil.iter_modules(results.__path__, "results."):
        paper = getattr(importlib.import_module(module.name), "paper", None)
        if paper is not None:
            found[paper.name] = paper
    return found


def make(program, paper, long):
    """Everything of a paper again."""
    for sweep in paper.sweeps.values():
        if sweep.long and not long and sweep.csv.exists():
            continue
        began = time.monotonic()
        sweep.csv.parent.mkdir(parents=True, exist_ok=True)
        sweep.play(program, sweep.csv, 0)
        print(f"{paper.name}/{sweep.name}: {time.monotonic() - began:.1f} s", flush=True)
    data = paper.data()
    for name in paper.figures:
        (paper.folder / f"{name}.svg").write_text(paper.drawn(name, data), encoding="utf-8")
    text = paper.page.read_text(encoding="utf-8")
    paper.page.write_text(paper.written(text, data), encoding="utf-8")


def differences(program, paper):
    """What is not as it would be made again: CSV files of quick sweeps, figures, blocks, strays."""
    with tempfile.TemporaryDirectory(prefix="equipoise-results-") as folder:
        for sweep in paper.sweeps.values():
            if not sweep.csv.exists():
                yield f"{sweep.csv.relative_to(ROOT)}: is missing"
            elif sweep.tested:
                csv = pathlib.Path(folder) / f"{sweep.name}.csv"
                sweep.play(program, csv, 2)
                yield from different(sweep.csv, csv.read_text(encoding="utf-8"))
    data = paper.data()
    for name in paper.figures:
        yield from different(paper.folder / f"{name}.svg", paper.drawn(name, data))
    text = paper.page.read_text(encoding="utf-8")
    yield from different(paper.page, paper.written(text, data))
    for figure in paper.figures:
        if f"{paper.name}/{figure}.svg" not in text:
            yield f"{paper.page.name}: does not show {paper.name}/{figure}.svg"
    known = {f"{name}.csv" for name in paper.sweeps} | {f"{name}.svg" for name in paper.figures}
    for path in sorted(paper.folder.iterdir()):
        if path.name not in known:
            yield f"{path.relative_to(ROOT)}: nothing makes it"
    for path in sorted((SCENARIOS / paper.name).glob("*.json")):
        if path.stem not in paper.sweeps:
            yield f"{path.relative_to(ROOT)}: no page plays it"


NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")


def same(a, b):
    """Whether lines agree; real numbers may differ in what processors round differently."""
    if a == b:
        return True
    if NUMBER.sub("#", a) != NUMBER.sub("#", b):
        return False
    return all(abs(x - y) <= 1e-7 * max(1, abs(x)) for x, y in
               zip(map(float, NUMBER.findall(a)), map(float, NUMBER.findall(b))))


def different(path, text):
    """The first line in which a file differs from what would be made."""
    if not path.exists():
        yield f"{path.relative_to(ROOT)}: is missing"
        return
    now, then = path.read_text(encoding="utf-8").splitlines(), text.splitlines()
    for line, (a, b) in enumerate(zip(now, then), 1):
        if not same(a, b):
            yield f"{path.relative_to(ROOT)}:{line}: is\n    {a[:200]}\n  expected\n    {b[:200]}"
            return
    if len(now) != len(then):
        yield f"{path.relative_to(ROOT)}: has {len(now)} lines, expected {len(then)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--long", action="store_true", help="also play what takes long")
    parser.add_argument("--check", action="store_true", help="change nothing, say what differs")
    parser.add_argument("papers", nargs="*", metavar="PAPER")
    arguments = parser.parse_args()
    known = papers()
    for name in arguments.papers:
        if name not in known:
            parser.error(f"no paper {name!r}: expected one of {', '.join(sorted(known))}")
    program = str(pathlib.Path(arguments.program).resolve())
    wrong = 0
    for name in arguments.papers or sorted(known):
        try:
            if arguments.check:
                for words in differences(program, known[name]):
                    print(words)
                    wrong += 1
            else:
                make(program, known[name], arguments.long)
        except ClaimError as error:
            print(error)
            wrong += 1
        except subprocess.CalledProcessError as error:
            print(f"{name}: {' '.join(error.cmd)}: exit status {error.returncode}")
            wrong += 1
    if wrong:
        sys.exit(f"{wrong} of the results are not as they would be made again" if arguments.check
                 else f"{wrong} of the results could not be made")
    if not arguments.check:
        print(f"pages: {RESULTS.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
