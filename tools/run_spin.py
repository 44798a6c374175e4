#!/usr/bin/env python3
"""Checks the models of models/*.pml with spin under every schedule.

As repaired a model must have no error: no failed assertion, and no state in which a process waits
for ever. Where a model has a printed version (-DPRINTED), that one must have an error: a check that
cannot fail checks nothing.

usage: tools/run_spin.py [MODEL.pml ...]
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPILER = next((name for name in ("gcc-12", "gcc") if shutil.which(name)), "cc")


def explore(model: pathlib.Path, definitions: list[str]) -> tuple[int, int, str]:
    """Errors, states, and what the first error is."""
    with tempfile.TemporaryDirectory() as folder:
        run = lambda *command: subprocess.run(
            command, cwd=folder, check=True, capture_output=True, text=True, timeout=300
        ).stdout
        run("spin", "-a", *definitions, str(model))
        run(COMPILER, "-O2", "-w", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=2048", "-o", "pan", "pan.c")
        text = run("./pan", "-m200000")
    errors = re.search(r"errors: (\d+)", text)
    states = re.search(r"(\d+) states, stored", text)
    if errors is None or states is None:
        raise ValueError(f"{model.name}: no verdict in what spin says:\n{text}")
    if int(errors[1]) == 0 and ("not completed" in text or "max search depth" in text):
        raise ValueError(f"{model.name}: not all states were visited:\n{text}")
    what = re.search(r"pan:1: (.*)", text)
    return int(errors[1]), int(states[1]), what[1] if what else ""


def check(model: pathlib.Path) -> bool:
    """Whether the model passes and its printed version fails; says so."""
    errors, states, what = explore(model, [])
    good = errors == 0
    print(f"{model.name}: {states} states, {'no error' if good else what}")
    if "PRINTED" in model.read_text(encoding="utf-8"):
        errors, states, what = explore(model, ["-DPRINTED"])
        print(f"{model.name} as printed: {what if errors else 'no error, expected one'}")
        good = good and errors > 0
    return good


def main() -> int:
    models = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    models = models or sorted((ROOT / "models").glob("*.pml"))
    try:
        verdicts = [check(model) for model in models]
    except subprocess.CalledProcessError as error:
        print(f"{error.cmd[0]} failed:\n{error.stdout}{error.stderr}")
        return 1
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        print(error)
        return 1
    return 0 if verdicts and all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
