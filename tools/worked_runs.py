#!/usr/bin/env python3
"""Keeps the worked runs of the docs true.

Every fenced block ```console in README.md and docs/ whose lines begin with `$ equipoise` is played
again, and what the program prints must be what the block shows. Times differ from run to run and
are masked on both sides. A block ```cpp, ```c or ```fortran that follows a remark <!-- PATH -->
must be that file, and between the remarks <!-- algorithms --> and <!-- end --> is a table of the
whole catalogue.

usage: worked_runs.py --program build/bin/equipoise [--update] [FILE.md ...]
"""

import argparse
import difflib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
SOURCE = re.compile(r"(^<!-- (\S+) -->\n```(?:cpp|c|fortran)\n)(.*?)(?=^```$)", re.M | re.S)
TABLE = re.compile(r"(?<=^<!-- algorithms -->\n)(.*?)(?=^<!-- end -->$)", re.M | re.S)
TIME = re.compile(r" *\b\d+(\.\d+)?(e-?\d+)? ?(s|ms|us|µs|ns)\b")


def masked(text):
    """The text without times, and without the widths that a column takes from them."""
    lines = (TIME.sub(" TIME", line).rstrip() for line in text.splitlines())
    return "\n".join(re.sub(r"-{2,}", "--", re.sub(r" {2,}", "  ", line)) for line in lines)


def play(command, program, folder):
    """What a command prints, standard output first, as a terminal would not colour it."""
    shell = f'equipoise() {{ "{program}" "$@"; }}; {command}'
    done = subprocess.run(["bash", "-c", shell], cwd=folder, capture_output=True, text=True,
                          timeout=120, check=False)
    return done.stdout + done.stderr


def replay_block(body, program, folder):
    """The block with every command's output replaced by what it prints now."""
    out = []
    skipping = False
    for line in body.splitlines():
        if line.startswith("$ "):
            out.append(line)
            skipping = True
            out.extend(l.rstrip() for l in play(line[2:], program, folder).splitlines())
        elif not skipping:
            out.append(line)
    return "\n".join(out) + "\n"


def check_sources(path, update):
    """How many shown programs are not the files they say they are; with `update`, shows those."""
    text = path.read_text()
    wrong = 0
    for _, name, body in SOURCE.findall(text):
        if (ROOT / name).read_text() != body:
            print(f"{path.relative_to(ROOT)}: the program shown is not {name}")
            wrong += 1
    if update and wrong:
        path.write_text(SOURCE.sub(lambda shown: shown[1] + (ROOT / shown[2]).read_text(), text))
        return 0
    return wrong


def algorithms_table(program):
    """A row for every algorithm of the catalogue, with a link to its page, which must be there."""
    listed = subprocess.run([program, "algorithms", "--json"], capture_output=True, check=True)
    rows = ["| Name | Guarantee | Source |", "|---|---|---|"]
    for entry in json.loads(listed.stdout):
        page = f"docs/algorithms/{entry['name']}.md"
        if not (ROOT / page).exists():
            sys.exit(f"{entry['name']}: expected its page {page}, found none")
        cells = [entry["guarantee"], entry["source"]]
        rows.append("| " + " | ".join([f"[`{entry['name']}`]({page})"] +
                                      [cell.replace("|", "\\|") for cell in cells]) + " |")
    return "".join(row + "\n" for row in rows)


def check_table(path, program, update):
    """Whether the table of the catalogue, where there is one, is not what the catalogue says."""
    text = path.read_text()
    shown = TABLE.search(text)
    if shown is None:
        return False
    table = algorithms_table(program)
    if shown.group(0) == table:
        return False
    if update:
        path.write_text(TABLE.sub(lambda _: table, text))
    else:
        print(f"{path.relative_to(ROOT)}: the table of algorithms is not the catalogue's:")
        print("\n".join(difflib.unified_diff(shown.group(0).splitlines(), table.splitlines(),
                                             "shown", "made", lineterm="")))
    return True


def check_file(path, program, update):
    """Number of blocks played and of blocks that differ."""
    table_wrong = check_table(path, program, update)
    text = path.read_text()
    played = wrong = 0
    pieces = []
    end = 0
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "examples").symlink_to(ROOT / "examples")
        for match in BLOCK.finditer(text):
            body = match.group(1)
            pieces.append(text[end:match.start(1)])
            end = match.end(1)
            if "$ equipoise" not in body:
                pieces.append(body)
                continue
            played += 1
            fresh = replay_block(body, program, folder)
            if masked(fresh) == masked(body):
                pieces.append(body)
                continue
            wrong += 1
            pieces.append(fresh)
            if not update:
                print(f"{path.relative_to(ROOT)}: a worked run is not what the program prints:")
                print("\n".join(difflib.unified_diff(masked(body).splitlines(),
                                                     masked(fresh).splitlines(), "shown", "printed",
                                                     lineterm="")))
    pieces.append(text[end:])
    if update and wrong:
        path.write_text("".join(pieces))
    return played, wrong + table_wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--update", action="store_true", help="write what the program prints now")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    files = [f.resolve() for f in options.files]
    files = files or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    program = pathlib.Path(options.program).resolve()
    played = wrong = sources_wrong = 0
    for path in files:
        if path.exists():
            sources_wrong += check_sources(path, options.update)
            one_played, one_wrong = check_file(path, program, options.update)
            played += one_played
            wrong += one_wrong
    print(f"{played} worked runs played, {wrong} {'rewritten' if options.update else 'differ'}")
    if played == 0:
        print("no worked run was found: the docs must show some")
        return 1
    return 0 if sources_wrong == 0 and (options.update or wrong == 0) else 1


if __name__ == "__main__":
    sys.exit(main())
