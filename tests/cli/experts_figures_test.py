"""The figures of measured loads on docs/how-to/experts.md are those that the program has.

usage: experts_figures_test.py PROGRAM [--update]

Skipped (77) where ../shared/data/experts is not there.
"""

import os
import pathlib
import sys
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks" / "experts"))
import compare  # noqa: E402
import published_rule as rule  # noqa: E402

DATA = ROOT / ".." / "shared" / "data" / "experts"
PAGE = ROOT / "docs" / "how-to" / "experts.md"
BEGIN, END = "<!-- figures of measured loads -->\n", "<!-- end -->\n"
HEADS = ["", "Level", "Copied", "At least", "Level with groups on hosts", "Copied", "At least"]


def cells(answer):
    largest, transfers = answer["largest"], answer["transfers"]
    return [f"{largest['after']:.3f}", f"{transfers['experts']:,}", f"{transfers['at_least']:,}"]


def column(mode, folder):
    """The cells of one mode, row by row."""
    first, then = (DATA / f"{name}.json" for name in ("decode_in1000out1000",
                                                      "decode_in2000out100"))
    placement = os.path.join(folder, "placement.json")
    old = mode.place(rule.read_loads(first))
    mode.write(old, placement)
    loads = rule.read_loads(then)
    new = mode.place(loads)
    kept, made = (mode.levels(loads, rows)[0] for rows in (old, new))
    rows = [[f"{kept:.3f}", "0", ""], [f"{made:.3f}", f"{mode.copied(loads, old, new):,}", ""]]
    answers = [mode.plan(str(then), placement, bound)[0] for bound in compare.BOUNDS]
    as_level = made / answers[0]["largest"]["at_least"]
    answers.insert(0, mode.plan(str(then), placement, as_level)[0])
    return rows + [cells(answer) for answer in answers]


def table(program):
    given = types.SimpleNamespace(program=program, gpus=32, slots=9)
    names = ["the old placement, kept", "the rule again", "as level as the rule",
             *(f"`--bound {bound:g}`" for bound in compare.BOUNDS)]
    with tempfile.TemporaryDirectory() as folder:
        columns = [column(compare.Mode("", given, groups, hosts), folder)
                   for groups, hosts in ((1, 1), (8, 4))]
    lines = [HEADS, ["---"] * len(HEADS),
             *([name, *one, *other] for name, one, other in zip(names, *columns))]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines).replace("|  |", "| |")


def main():
    if not DATA.is_dir():
        print("skipped: ../shared/data/experts is not there")
        return 77
    text = PAGE.read_text(encoding="utf-8")
    begin = text.index(BEGIN) + len(BEGIN)
    end = text.index(END, begin)
    made = table(os.path.abspath(sys.argv[1]))
    if "--update" in sys.argv:
        PAGE.write_text(text[:begin] + made + text[end:], encoding="utf-8")
    elif text[begin:end] != made:
        print(f"{PAGE}: expected\n{made}found\n{text[begin:end]}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
