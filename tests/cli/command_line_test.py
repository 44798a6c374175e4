#!/usr/bin/env python3
"""The manuals, the completion and the page say all that `--help` says, and manuals render;
scenarios may use every option that changes results.

usage: command_line_test.py PROGRAM BUILD_FOLDER TOOL

Exit status 77 says that a tool is missing which renders manuals: the rest was checked.
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM, BUILD, TOOL = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
MAN, BASH, ZSH = BUILD / "man", BUILD / "completion/equipoise", BUILD / "completion/_equipoise"


def printed(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def help_of(*verb):
    """The names of options and operands, and the verbs, that a help shows."""
    text = printed(PROGRAM, *verb, "--help")
    options = re.findall(r"^  (?:-\w,)?(--?[\w-]+)", text, re.M)
    operands = re.findall(r"^  ([A-Z]+) ", text, re.M)
    verbs = re.findall(r"^  ([\w-]+) ", text.partition("\nVerbs:\n")[2].partition("\n\n")[0], re.M)
    return options, operands, verbs


def expect(condition, complaint):
    if not condition:
        sys.exit(complaint)


# Options for which a scenario has other keys, or that say what is shown, written or played where.
NOT_IN_SCENARIOS = {
    "--help", "--network", "--format", "--header", "--simplify", "--largest-component", "--seed",
    "--loads", "--threads", "--param", "--json", "--quiet", "--ascii", "--with-loads", "--trace",
    "--record", "--record-level", "--replay", "--html", "--in-pieces", "--partition", "--reorder",
    "--dry-run",
    "--checkpoint", "--checkpoint-every", "--resume", "--list", "--schedule", "--explain",
    "--windows", "--check", "--sizes", "--nodes", "--log-dirs", "--at-once", "--tolerance",
    "--csv", "--rollback", "--leaders", "--moves", "--steps", "--user", "--password-file",
    "--execute"}


def expect_options_in_scenarios():
    """Asks for an option that there is not: the error lists all."""
    for verb in ("run", "plan", "analyze", "reassign"):
        rest = {"networks": ["path:n=2"], "loads": ["staircase"], "columns": ["nodes"]}
        if verb == "run":
            rest = dict(rest, algorithms=["threshold-2"], columns=["steps"])
        if verb == "reassign":
            rest = {"items": ["items.csv"], "columns": ["reached"]}
        with tempfile.TemporaryDirectory() as folder:
            scenario = Path(folder) / "s.json"
            scenario.write_text(json.dumps({"verb": verb, "options": {"?": 1}, **rest}))
            done = subprocess.run([PROGRAM, "sweep", scenario], capture_output=True, text=True,
                                  cwd=folder, check=False)
        known = re.findall(r"[a-z-]+", done.stderr.partition("expected ")[2].replace(" or ", ", "))
        asked = {f"--{option}" for option in known}
        options = set(help_of(verb)[0])
        expect(asked <= options, f"sweep knows options that {verb} has not: {asked - options}")
        expect(options - asked <= NOT_IN_SCENARIOS,
               f"options of {verb} that sweep does not know (`in_scenarios`, question.cpp): "
               f"{options - asked - NOT_IN_SCENARIOS}")


def main():
    expect_options_in_scenarios()
    own, _, verbs = help_of()
    expect(len(verbs) > 10 and "--version" in own, f"the help names {verbs} and {own}")
    with tempfile.TemporaryDirectory() as folder:
        page_file = Path(folder) / "page.md"
        printed(sys.executable, TOOL, "--page", page_file, BUILD / "command-line.json")
        page = page_file.read_text()
    bash, zsh = BASH.read_text(), ZSH.read_text()
    expect({path.name for path in MAN.glob("*")} ==
           {"equipoise.1", *(f"equipoise-{verb}.1" for verb in verbs)},
           "the manuals are not those of the verbs")
    shown = 0
    for verb in [None, *verbs]:
        options, operands, _ = help_of(*([verb] if verb else []))
        name = f"equipoise-{verb}" if verb else "equipoise"
        manual = re.sub(r"\\f[BIR]", "", (MAN / f"{name}.1").read_text()).replace(r"\-", "-")
        section = page.split(f"\n## {verb}\n")[1].split("\n## ")[0] if verb else \
            page.split("\n## ")[0]
        of_bash, of_zsh = (re.search(rf"^        {verb}\)\n(.*?)^ +;;", text, re.M | re.S)
                           for text in (bash, zsh)) if verb else \
            (re.search(r"_equipoise_offer run .*", bash), re.search(r"_arguments -C .*", zsh))
        for option in options:
            shown += 1
            word = rf"(?<![\w-]){re.escape(option)}(?![\w-])"
            for where, text in (("manual", manual), ("page", section),
                                ("bash completion", of_bash.group()),
                                ("zsh completion", of_zsh.group())):
                expect(re.search(word, text), f"{name} {option}: not in the {where}")
        for operand in operands:
            expect(operand in manual and operand in section and f":{operand}:" in of_zsh.group(),
                   f"{name} {operand}: not everywhere")
        if verb:
            expect(f"{verb} " in bash and f"'{verb}:" in zsh and f"](#{verb})" in page,
                   f"{verb}: not everywhere")
    expect(shown > 100, f"the help shows {shown} options")

    renderers = [command for command in (["man", "--warnings", "-l"],
                                         ["groff", "-ww", "-man", "-Tutf8"])
                 if shutil.which(command[0])]
    for command in renderers:
        for manual in sorted(MAN.glob("*.1")):
            done = subprocess.run([*command, manual], capture_output=True, text=True, check=True)
            expect(not done.stderr, f"{command[0]} {manual}: {done.stderr}")
            text = re.sub(".\b", "", done.stdout)  # bold letters are struck twice
            expect("NAME" in text and "SEE ALSO" in text, f"{manual}: lacks sections")
    return 0 if renderers else 77


if __name__ == "__main__":
    sys.exit(main())
