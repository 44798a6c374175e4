"""The procedures of the module equipoise for a type of a program's own: the files from which those
for numbers are made, as one file that needs no preprocessor."""

import re
import textwrap

import fortran_kinds

COLUMNS = 100
ABOUT = """\
What the module equipoise does with arrays of numbers, for a type of the program's own, in a \
module that has nothing else:

    module particle_balancer
        use particles, only: own_type => particle
        include 'equipoise_own_type.inc'
    end module

Whoever uses equipoise and this module calls equipoise_rebalance(comm, items, ...) as for numbers, \
equipoise_replace(plan, items, report, stat, errmsg) where those have plan%replace, and \
equipoise_array(old, new). With loan%there and loan%back, equipoise_replace lends items and brings \
them home. Arrays are allocatable, of rank 1, or of rank 2 with the items as columns. Items are \
copied as bytes: the type has no allocatable or pointer components and no final procedures."""
GENERICS = {"equipoise_rebalance": fortran_kinds.specifics(["own"]),
            "equipoise_replace": ["replace_own_1", "replace_own_2"],
            "equipoise_array": ["array_own_1", "array_own_2"]}
NAMES = {**fortran_kinds.names("own"),
         **{f"{what}_{rank}": f"{what.lower()}_own_{rank}" for what in ("REPLACE", "ARRAY")
            for rank in (1, 2)}}
# What stays a file that is included.
APART = {"rebalance_arguments.inc": "equipoise_own_arguments.inc",
         "rebalance_columns.inc": "equipoise_own_columns.inc"}


def template(read):
    """The lines of the file; `read` returns the text of a file by its name."""
    lines = ["! " + line if line else "!" for line in wrapped_text(ABOUT)]
    lines += ["    use equipoise_plans", "    implicit none", "    private",
              f"    public :: {', '.join(GENERICS)}", ""]
    for generic, names in GENERICS.items():
        lines += [f"    interface {generic}", *fortran_kinds.listed(names), "    end interface"]
    lines += ["", "contains", ""]
    macros = macros_of(read)
    for name in ("array.inc", "replace.inc", "rebalance.inc"):
        lines += [*expanded(read(name), {**macros}, read), ""]
    return lines[:-1]


def apart(name, read):
    """The lines of a file that this one includes, of which `name` is the origin."""
    return list(expanded(read(name), macros_of(read), read))


def macros_of(read):
    macros = {"ITEM": "type(own_type)", **NAMES}
    list(expanded(read("option_names.inc"), macros, read))
    return macros


def wrapped_text(text):
    for line in text.split("\n"):
        yield from [line] if line.startswith("    ") else textwrap.wrap(line, COLUMNS - 2) or [""]


def expanded(text, macros, read):
    """The lines of a file after preprocessing, which changes `macros`; of included files, too."""
    kept = [True]
    for line in text.replace("\\\n", " ").splitlines():
        directive = re.match(r"#(\w+)\s*(\S*)\s*(.*)", line)
        included = re.match(r"\s*#?include ['\"](.*)['\"]", line)
        if directive and directive[1] in ("ifdef", "ifndef"):
            kept.append((directive[2] in macros) == (directive[1] == "ifdef"))
        elif directive and directive[1] == "else":
            kept[-1] = not kept[-1]
        elif directive and directive[1] == "endif":
            kept.pop()
        elif not all(kept):
            continue
        elif included and included[1] in APART:
            indent = re.match(" *", line)[0] or "    "
            yield f"{indent}include '{APART[included[1]]}'"
        elif included:
            yield from expanded(read(included[1]), macros, read)
        elif directive and directive[1] == "define":
            macros[directive[2]] = " ".join(directive[3].split())
        elif directive:
            macros.pop(directive[2], None)
        elif not line.lstrip().startswith("!") or line.startswith("    ! "):
            yield from wrapped_code(replaced(line, macros))


def replaced(line, macros):
    while True:
        after = re.sub(r"\w+", lambda word: macros.get(word[0], word[0]), line)
        if after == line:
            return re.sub(r"(?<=\() +(?=\w)", "", line)
        line = after


def wrapped_code(line):
    """A statement on as many lines as it takes."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    lines = textwrap.wrap(line, COLUMNS - 2, subsequent_indent=indent, break_long_words=False,
                          break_on_hyphens=False) if len(line) > COLUMNS else [line]
    return [*(each + " &" for each in lines[:-1]), lines[-1]] if line.strip() else [line]
