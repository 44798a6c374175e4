#!/usr/bin/env python3
"""Writes the options of runs, as the extension declares them, into python/equipoise/verbs.py: into
the signatures of `run` and `compare`, and into what `run` says of its other parameters.

usage: PYTHONPATH=build/python python_options.py [--update]

Without --update, a file that is not up to date is an error.
"""

import re
import sys
import textwrap
from pathlib import Path

VERBS = Path(__file__).resolve().parent.parent / "python" / "equipoise" / "verbs.py"
WIDTH = 100

#: The annotation of each kind of option, and what Python takes for it besides texts.
KINDS = {
    "flag": ("bool", ""),
    "whole": ("int", ""),
    "whole or none": ("int | None", ""),
    "text": ("str | None", ""),
    "text or number": ("str | int | None", ""),
    "parameters": ("Mapping[str, Any] | None", ""),
    "speeds": ("NumbersByNode | None",
               "Or numbers as for `loads`, but 1 where a node is not named."),
    "matchings": ("Matchings | None",
                  "Or a list of arrays of shape (k, 2) of nodes, from tail to head."),
    "matrix": ("Matrix | None",
               "Or a doubly stochastic SciPy matrix, or a mapping from pairs of nodes to "
               "fractions, which gives both directions of a link unless it names both."),
    "tree": ("Any", "Or a NetworkX tree, or an array of its links."),
}


def signature(options):
    """The options as parameters of a function."""
    text = ", ".join(f"{option['name']}: {KINDS[option['kind']][0]} = {option['default']!r}"
                     for option in options)
    # A parameter stays on its line.
    lines = textwrap.wrap(re.sub(r" (?!\w+:)", "\0", text), WIDTH - 8, break_long_words=False,
                          break_on_hyphens=False)
    return "".join(f"        {line}\n" for line in lines).replace("\0", " ")


def explained(option):
    """What an option means, for the docstring."""
    text = re.sub(r"--([a-z-]+)", lambda found: f"`{found[1].replace('-', '_')}`", option["help"])
    text = text[0].upper() + text[1:] + "."
    lines = textwrap.wrap(f"{text} {KINDS[option['kind']][1]}", WIDTH - 8, break_long_words=False,
                          break_on_hyphens=False)
    return f"    {option['name']}\n" + "".join(f"        {line}\n" for line in lines)


def written(text, options):
    """The source of the verbs with these options."""
    compared = [option for option in options if option["in_compare"]]
    for verb, own in (("run", options), ("compare", compared)):
        text, count = re.subn(
            rf"(        # Options, written by tools/python_options.py:\n)[^#]*?(        \) -> "
            rf"{'Run' if verb == 'run' else 'Comparison'}:)",
            lambda found, own=own: found[1] + signature(own) + found[2], text)
        if count != 1:
            raise SystemExit(f"{VERBS}: expected one place for the options of {verb}, "
                             f"found {count}")
    text, count = re.subn(
        r"(    Other Parameters\n    -+\n)(.*?)(\n    Notes\n)",
        lambda found: found[1] + "".join(map(explained, options)) + found[3], text, count=1,
        flags=re.DOTALL)
    if count != 1:
        raise SystemExit(f"{VERBS}: expected a section \"Other Parameters\", found none")
    return text


def main():
    from equipoise import _core
    text = VERBS.read_text(encoding="utf-8")
    now = written(text, _core.options_of_runs())
    if "--update" in sys.argv[1:]:
        VERBS.write_text(now, encoding="utf-8")
    elif now != text:
        raise SystemExit(f"{VERBS}: is not up to date (--update writes it)")


if __name__ == "__main__":
    main()
