#!/usr/bin/env python3
"""The balancer's options, report and errors in C++, C, Fortran, Python and on a page of the docs,
all made from equipoise/balancer/faces.toml.

usage: make_faces.py [--update] [ROOT]

Without --update, places that are not as the description says are an error. Some files are made as
a whole, others between the two lines of faces.region(); functions of Python keep their bodies.
"""

import re
import sys
import textwrap
from pathlib import Path

import alike_options
import fortran_calls
import fortran_kinds
import fortran_own_type
from faces import (DESCRIPTION, FACES, KINDS, MADE, WORDS, Description, declared, literal,
                   replaced, wrapped)

ROOT = Path(__file__).resolve().parent.parent


# ---- C++ -----------------------------------------------------------------------------------------

def cpp_value(field):
    """What a field of C++ begins as."""
    kind = field["type"]
    if kind in ("spread", "weight_spread"):
        return ""
    if kind == "policy":
        return " = Policy::minimum_moves"
    if kind == "neighbour_planner":
        return " = nullptr"
    if kind in ("word", "reals", "numbers", "colour", "room", "limit"):
        return " = {}"
    return " = " + literal("cpp", field.get("default", False if kind == "flag" else 0))


def cpp_fields(about, of):
    lines = []
    for name, field in about.fields(of, "cpp"):
        lines += wrapped(about.doc(field, "cpp"), 4, "/// ")
        lines.append(f"    {declared('cpp', name, field)}{cpp_value(field)};")
    return lines


def cpp_policies(about):
    lines = []
    for name, policy in about.policies.items():
        lines += wrapped(policy["doc"], 4, "/// ")
        lines.append(f"    {name.replace('-', '_')},")
    return lines


def cpp_policy_words(about):
    return [f'    {{Policy::{name.replace("-", "_")}, "{name}"}},' for name in about.policies]


# ---- C -------------------------------------------------------------------------------------------

def c_struct(about, of, doc):
    """A struct that grows, and its initial value."""
    macro = of.upper()
    lines = wrapped(doc, 0, "/* ", "   ", " */")
    lines += [f"typedef struct equipoise_{of} {{",
              f"    /* sizeof(equipoise_{of}) where the caller was compiled. */",
              "    size_t struct_bytes;"]
    values = [f"sizeof(equipoise_{of})"]
    for name, field in about.fields(of, "c"):
        lines += wrapped(about.doc(field, "c"), 4, "/* ", "   ", " */")
        lines.append(f"    {declared('c', name, field)};")
        values.append(str(field["unset"]) if "unset" in field else
                      str(field["default"]) if of == "options" and field["type"] in
                      ("real", "count", "size") else KINDS[field["type"]][5])
    lines += [f"}} equipoise_{of};", "", "/* clang-format off */",
              f"#define EQUIPOISE_{macro}_INIT \\"]
    values = [value.replace(" ", "\0") for value in values]  # stay on one line
    lines += [line.replace("\0", " ") + " \\"
              for line in textwrap.wrap("{" + ", ".join(values) + "}", 94, initial_indent="    ",
                                        subsequent_indent="     ")]
    lines[-1] = lines[-1][:-2]
    return [*lines, "/* clang-format on */"]


def c_errors(about):
    lines = ["/* What functions return. */", "enum {", "    EQUIPOISE_OK = 0,"]
    for name, error in about.errors.items():
        lines += wrapped(error["doc"], 4, "/* ", "   ", " */")
        lines.append(f"    EQUIPOISE_{name} = {error['code']},")
    lines[-1] = lines[-1][:-1]
    return [*lines, "};"]


def c_policies(about):
    lines = []
    for name in about.named_policies():
        policy = about.policies[name]
        lines += wrapped(about.doc(policy, "c"), 0, "/* ", "   ", " */")
        lines.append(f'#define EQUIPOISE_{name.upper().replace("-", "_")} "{name}"')
    return lines


TAKEN = {"colour": "colour_of(given.$)", "room": "room_of(given.$)",
         "limit": "limit_of(given.$)", "flag": "given.$ != 0"}
WRITTEN = {"policy": "to_string(from.$).data()", "number": "static_cast<std::int64_t>(from.$)",
           "spread": "spread_as<equipoise_spread>(from.$)",
           "weight_spread": "spread_as<equipoise_weight_spread>(from.$)", "flag": "from.$ ? 1 : 0"}
READ = {"policy": "policy_of(given.$)", "ranks": "static_cast<int>(given.$)",
        "number": "static_cast<std::size_t>(given.$)", "flag": "given.$ != 0",
        "spread": "spread_as<balancer::Spread<Tokens>>(given.$)",
        "weight_spread": "spread_as<balancer::Spread<double>>(given.$)"}


def c_conversions(about):
    """A header: between equipoise.h and C++."""
    lines = ["#pragma once", f"// {MADE}: do not edit.", "// clang-format off",
             "// Between structs and codes of equipoise.h and those of C++.", "",
             "#include <cstddef>", "#include <cstdint>", "#include <optional>", "",
             '#include "equipoise/capi/structs.hpp"', '#include "equipoise/mpi/error.hpp"', "",
             "namespace equipoise::capi {", "",
             "/// What can be taken from the options as it is.",
             "inline void take(const equipoise_options& given, balancer::Options& options) {"]
    for name, field in about.fields("options", "c", by_hand=False):
        if "cpp" not in field.get("faces", FACES):
            continue
        unless = f"if (given.{name} != {field['unset']}) " if "unset" in field else ""
        value = TAKEN.get(field["type"], "given.$").replace("$", name)
        lines.append(f"    {unless}options.{name} = {value};")
    lines += ["}", "", "template <class To, class From>", "To spread_as(const From& from) {",
              "    return {from.least, from.most, from.average};", "}", "",
              "/// All figures of a report.",
              "inline void put(const balancer::Report& from, equipoise_report& to) {"]
    for name, field in about.fields("report", "c"):
        value = WRITTEN.get(field["type"], "from.$").replace("$", name)
        if "none" in field:
            value += f".value_or({field['none']})"
        lines.append(f"    to.{name} = {value};")
    lines += ["}", "", "/// The same back; `policy_of` turns words into policies.",
              "template <class PolicyOf>",
              "balancer::Report report_from(const equipoise_report& given, const PolicyOf& "
              "policy_of) {", "    balancer::Report report;"]
    for name, field in about.fields("report", "c"):
        value = READ.get(field["type"], "given.$").replace("$", name)
        unless = f"if (given.{name} != {field['none']}) " if "none" in field else ""
        if unless:
            lines.append(f"    report.{name} = std::nullopt;")
        lines.append(f"    {unless}report.{name} = {value};")
    lines += ["    return report;", "}", "",
              "/// What ranks have agreed on, as a code; what is no failure is EQUIPOISE_OK.",
              "inline int code_of(mpi::Failure failure) {", "    switch (failure) {",
              "        case mpi::Failure::none:", "            return EQUIPOISE_OK;"]
    for name, error in about.errors.items():
        if "failure" in error:
            lines += [f"        case mpi::Failure::{error['failure']}:",
                      f"            return EQUIPOISE_{name};"]
    return [*lines, "    }", "    return EQUIPOISE_CALLBACK_FAILED;", "}", "",
            "}  // namespace equipoise::capi"]


# ---- Fortran -------------------------------------------------------------------------------------

def fortran_codes(about):
    lines = ["    ! Values of stat.", "    integer, parameter :: EQUIPOISE_OK = 0"]
    for name, error in about.errors.items():
        lines += wrapped(error["doc"], 4, "! ")
        lines.append(f"    integer, parameter :: EQUIPOISE_{name} = {error['code']}")
    return lines


def fortran_public_codes(about):
    names = ["EQUIPOISE_OK", *(f"EQUIPOISE_{name}" for name in about.errors)]
    return [line.rstrip(",") for line in wrapped(", ".join(names), 4, "public :: ")]


def fortran_report(about):
    lines = []
    for name, field in about.fields("report", "fortran"):
        kind = field["type"]
        value = ("''" if kind == "policy" else "" if "spread" in kind else
                 literal("fortran", field.get("default", 0)))
        lines += wrapped(about.doc(field, "fortran"), 8, "! ")
        lines.append(f"        {declared('component', name, field)}{value and ' = ' + value}")
    return lines


def fortran_report_of(about):
    lines = [f"        ! {MADE}: do not edit."]
    value = {"policy": "text_at(found%$)", "ranks": "int(found%$)", "flag": "found%$ /= 0"}
    for name, field in about.fields("report", "fortran"):
        lines.append(f"        report%{name} = "
                     f"{value.get(field['type'], 'found%$').replace('$', name)}")
    return lines


def fortran_c_of(about):
    """The figures of a report on their way to C; its policy is a text that lives elsewhere."""
    lines = [f"        ! {MADE}: do not edit."]
    value = {"ranks": "int(self%$, c_int64_t)", "flag": "merge(1_c_int32_t, 0_c_int32_t, self%$)"}
    for name, field in about.fields("report", "fortran"):
        if field["type"] != "policy":
            lines.append(f"        found%{name} = "
                         f"{value.get(field['type'], 'self%$').replace('$', name)}")
    return lines


def fortran_options(about):
    lines = [f"        ! {MADE}: do not edit."]
    for name, field in about.fields("options", "fortran"):
        lines += wrapped(about.doc(field, "fortran"), 8, "! ")
        lines.append(f"        {declared('argument', name, field)}")
    return lines


def fortran_option_names(about):
    names = ", ".join(name for name, _ in about.fields("options", "fortran"))
    made = textwrap.wrap("#define OPTION_NAMES " + names, 98, subsequent_indent="    ")
    return [f"! {MADE}: do not edit.",
            "! The options of a rank, as names of dummy arguments; options.inc declares them.",
            *(line + " \\" for line in made[:-1]), made[-1]]


def fortran_take(about):
    value = {"real": "$", "count": "int($, c_int64_t)", "size": "int($, c_size_t)",
             "flag": "merge(1, 0, $)", "colour": "int($, c_int32_t)",
             "room": "int($, c_int64_t)", "limit": "$"}
    return [f"        ! {MADE}: do not edit.",
            *(f"        if (present({name})) options%{name} = "
              f"{value[field['type']].replace('$', name)}"
              for name, field in about.fields("options", "fortran", by_hand=False))]


# ---- Python --------------------------------------------------------------------------------------

def python_report(about):
    """The fields of the class, after its docstring's list of them."""
    lines = ["@dataclass(frozen=True)", "class Report:",
             '    """What a plan does; the same on all ranks except for the seconds.', "",
             "    Figures that do not apply are None.", "", "    Attributes", "    ----------"]
    needed, others = [], []
    for name, field in about.fields("report", "python"):
        lines += [f"    {name}", *wrapped(about.doc(field, "python"), 8, "")]
        kind = declared("python", name, field)
        if "only" in field:
            others.append(f"    {name}: {kind} | None = None")
        elif "default" in field:
            others.append(f"    {name}: {kind} = {literal('python', field['default'])}")
        else:
            needed.append(f"    {name}: {kind}")
    return [*lines, '    """', "", *needed, *others]


def python_arguments(about):
    """The options as the functions take them."""
    made = []
    for name, field in about.fields("options", "python"):
        kind = declared("python", name, field)
        if field["type"] == "policy":
            kind += " | None"
        value = (literal("python", field["default"]) if "default" in field and
                 field["type"] != "policy" else "None")
        if kind == "float":
            value = str(float(value))
        made.append(f"{name}: {kind} = {value}")
    return made


def python_functions(text, about, path):
    """The options in signatures, and in the docstring of make_plan."""
    for function in ("make_plan", "rebalance", "lend"):
        found = re.search(rf"^def {function}\((.*?, \*)(, .*?)\) -> (.*?):$", text, re.M | re.S)
        if not found:
            raise SystemExit(f"{path}: expected a function {function} with options, found none")
        indent = " " * len(f"def {function}(")
        arguments = ", ".join([" ".join(found[1].split()), *python_arguments(about),
                               *(["report: bool = False"] if function == "rebalance" else [])])
        made = f"def {function}({arguments}) -> {found[3]}:"
        # Types with blanks stay on one line.
        lines = textwrap.wrap(re.sub(r" (?=[|=])|(?<=[|=:]) ", "\0", made), 100,
                              subsequent_indent=indent, break_long_words=False,
                              break_on_hyphens=False)
        made = "\n".join(lines).replace("\0", " ")
        text = text[:found.start()] + made + text[found.end():]
    docs = []
    for name, field in about.fields("options", "python"):
        docs += [f"    {name}", *wrapped(about.doc(field, "python"), 8, "")]
    place = re.compile(r'(^def make_plan\(.*?^    Parameters\n    -+\n)(.*?)(^    """)',
                       re.M | re.S)
    return place.sub(lambda found: found[1] + "\n".join(docs) + "\n" + found[3], text, count=1)


def python_binding(about):
    """A header of the extension: requests as Python fills them, reports as dicts."""
    fields = [(name, field) for name, field in about.fields("options", "cpp")
              if field["type"] not in ("reals", "numbers", "neighbour_planner")]
    lines = ["#pragma once", f"// {MADE}: do not edit.", "// clang-format off",
             "// Requests, reports and errors between Python and C++.", "",
             "#include <cstddef>", "#include <optional>", "#include <string>", "",
             "#include <pybind11/pybind11.h>", "#include <pybind11/stl.h>", "",
             '#include "equipoise/balancer/options.hpp"',
             '#include "equipoise/mpi/error.hpp"', '#include "python/core/errors.hpp"', "",
             "namespace equipoise::python {", "",
             "using balancer::Policy;", "",
             "/// What a rank asks for.", "struct Request {"]
    for name, field in fields:
        kind = field["type"]
        if kind in ("policy", "word"):
            lines.append(f"    std::optional<std::string> {name};")
        else:
            lines.append(f"    {declared('cpp', name, field)}{cpp_value(field)};")
    lines += ["};", "",
              "inline void bind_request(pybind11::module_& module) {",
              "    pybind11::class_<Request>(module, \"Request\")",
              "        .def(pybind11::init<>())"]
    lines += [f'        .def_readwrite("{name}", &Request::{name})' for name, _ in fields]
    lines[-1] += ";"
    lines += ["}", "", "/// What can be taken from a request as it is.",
              "inline void take(const Request& request, balancer::Options& options) {"]
    lines += [f"    options.{name} = request.{name};" for name, field in fields
              if not field.get("by_hand")]
    lines += ["}", "", "/// The figures that apply.",
              "template <class Convert>",
              "pybind11::dict dict_of(const balancer::Report& report, const Convert& as_python) {",
              "    pybind11::dict dict;"]
    for name, field in about.fields("report", "python"):
        if "only" in field:
            lines.append(f"    if ({about.when[field['only']]['test']})")
        lines.append(f'    {"    " * ("only" in field)}dict["{name}"] = '
                     f"as_python(report.{name});")
    lines += ["    return dict;", "}", "",
              "/// The report that has the figures which `take` finds by their names.",
              "template <class Take>", "balancer::Report report_from(const Take& take) {",
              "    balancer::Report report;"]
    lines += [f'    take("{name}", report.{name});' for name, _ in about.fields("report", "python")]
    lines += ["    return report;", "}", "", "/// Sets the error for what ranks have agreed on.",
              "inline void set_error_of(mpi::Failure failure, const char* text) {",
              "    switch (failure) {"]
    for error in about.errors.values():
        if "failure" in error:
            known = error["python"]
            known = f'"{known}"' if known == "InputError" else f"PyExc_{known}"
            lines += [f"        case mpi::Failure::{error['failure']}:",
                      f"            return set_error({known}, text);"]
    lines += ["        case mpi::Failure::none:", "            break;", "    }",
              "    set_error(PyExc_RuntimeError, text);", "}"]
    return [*lines, "", "}  // namespace equipoise::python"]


# ---- The page ------------------------------------------------------------------------------------

def in_words(faces):
    names = {"cpp": "C++", "c": "C", "fortran": "Fortran", "python": "Python"}
    return " and ".join(names[face] for face in FACES if face in faces)


def page_fields(about, of):
    lines = (["| Option | What | Default | |", "|---|---|---|---|"] if of == "options" else
             ["| Figure | What | |", "|---|---|---|"])
    for name, field in getattr(about, of).items():
        if field["type"] not in WORDS:
            continue
        apart = field.get("apart", {})
        lacking = [face for face in FACES if face not in [*field.get("faces", FACES), *apart]]
        doc = about.doc(field, "page") + "".join(
            f" In {in_words([face])} {how}." for face, how in apart.items())
        doc += f" Not in {in_words(lacking)}." if lacking else ""
        doc = doc.replace("docs/how-to/balancer.md", "[the balancer](../how-to/balancer.md)")
        value = field.get("default", "")
        value = (("no", "yes")[value] if isinstance(value, bool) else
                 literal("page", value).strip('"') if value != "" else "")
        default = f" {value} |".replace("  ", " ") if of == "options" else ""
        lines.append(f"| `{name}` | {doc} |{default} {WORDS[field['type']]} |")
    return lines


def page_policies(about):
    return ["| Policy | What it does |", "|---|---|",
            *(f"| `{name}` | {' '.join(about.policies[name]['doc'].split())} |"
              for name in about.named_policies())]


def page_errors(about):
    return ["| C, and `stat` of Fortran | | Python | What went wrong |", "|---|---|---|---|",
            *(f"| `EQUIPOISE_{name}` | {error['code']} | `{error['python']}` | "
              f"{' '.join(error['doc'].split())} |"
              for name, error in about.errors.items())]


# ---- All of it -----------------------------------------------------------------------------------

def made(root):
    """What every place should hold, by its path."""
    about = Description((root / DESCRIPTION).read_text(encoding="utf-8"))
    files = {}

    def read(path):
        return files[path] if path in files else (root / path).read_text(encoding="utf-8")

    def fill(path, face, name, lines):
        files[path] = replaced(read(path), face, name, lines, path)

    def write(path, lines):
        files[path] = "\n".join(lines) + "\n"

    fill("equipoise/balancer/options.hpp", "cpp", "policies", cpp_policies(about))
    fill("equipoise/balancer/options.hpp", "cpp", "options", cpp_fields(about, "options"))
    fill("equipoise/balancer/options.hpp", "cpp", "report", cpp_fields(about, "report"))
    fill("equipoise/balancer/options.cpp", "cpp", "policies", cpp_policy_words(about))

    alike = [(name, field) for name, field in about.fields("options", "cpp")
             if field.get("alike", True)]
    write("equipoise/balancer/alike.hpp",
          ["#pragma once", f"// {MADE}: do not edit.", *alike_options.header(alike, DESCRIPTION)])

    header = "equipoise/capi/equipoise.h"
    fill(header, "c", "errors", c_errors(about))
    fill(header, "c", "policies", c_policies(about))
    fill(header, "c", "options", c_struct(about, "options", """What a rank asks for. Make it with \
EQUIPOISE_OPTIONS_INIT, then set what is to differ. Ranks may differ in speed, pinned, items_max, \
bytes_max, weights and their type, sizes, the values of the colours, reallocate and the functions \
of packing; everything else must be the same on all ranks, which is checked, also where nothing \
has to move."""))
    fill(header, "c", "report", c_struct(about, "report", """What was done; make it with \
EQUIPOISE_REPORT_INIT. The same on all ranks except for the seconds, which are this rank's."""))
    write("equipoise/capi/fields.hpp", c_conversions(about))

    fortran = "equipoise/capi/fortran/"
    calls = fortran_calls.Header(read(header) + read("equipoise/capi/equipoise_rows.h"),
                                 read(fortran + "calls.cpp"))
    used = "".join(path.read_text(encoding="utf-8")
                   for path in sorted((root / fortran).iterdir())
                   if path.suffix in (".f90", ".F90", ".inc") and path.stem != "equipoise_calls")
    write(fortran + "equipoise_calls.f90",
          [f"! {MADE}: do not edit.", *calls.module(used)])
    fill(fortran + "equipoise_errors.f90", "fortran", "errors", fortran_codes(about))
    fill(fortran + "equipoise.F90", "fortran", "errors", fortran_public_codes(about))
    fill(fortran + "equipoise_plans.F90", "fortran", "report", fortran_report(about))
    write(fortran + "report_of.inc", fortran_report_of(about))
    write(fortran + "c_of_report.inc", fortran_c_of(about))
    write(fortran + "options.inc", fortran_options(about))
    write(fortran + "option_names.inc", fortran_option_names(about))
    write(fortran + "take_options.inc", fortran_take(about))
    write(fortran + "equipoise_own_type.inc",
          [f"! {MADE}: do not edit.",
           *fortran_own_type.template(lambda name: read(fortran + name))])
    for origin, about_it in (("rebalance_arguments.inc", "the arguments behind the weights"),
                             ("rebalance_columns.inc", "weights of rank 2")):
        write(fortran + fortran_own_type.APART[origin],
              [f"! {MADE}: do not edit.", f"! For equipoise_own_type.inc: {about_it}.",
               *fortran_own_type.apart(origin, lambda name: read(fortran + name))])
    write(fortran + "rebalance_kinds.inc",
          [f"! {MADE}: do not edit.", *fortran_kinds.inclusions()])
    write(fortran + "rebalance_names.inc",
          [f"        ! {MADE}: do not edit.",
           *fortran_kinds.listed(fortran_kinds.specifics(
               [kind for kind in fortran_kinds.ITEMS if kind != "texts"]))])

    python = "python/equipoise/mpi.py"
    fill("python/equipoise/rank_plans.py", "python", "report", python_report(about))
    files[python] = python_functions(read(python), about, python)
    write("python/mpi/fields.hpp", python_binding(about))

    page = "docs/reference/balancer.md"
    fill(page, "md", "policies", page_policies(about))
    fill(page, "md", "options", page_fields(about, "options"))
    fill(page, "md", "report", page_fields(about, "report"))
    fill(page, "md", "errors", page_errors(about))
    return files


def main(arguments):
    update = "--update" in arguments
    named = [argument for argument in arguments if argument != "--update"]
    root = Path(named[0]).resolve() if named else ROOT
    status = 0
    for path, text in made(root).items():
        place = root / path
        if place.exists() and place.read_text(encoding="utf-8") == text:
            continue
        if update:
            place.write_text(text, encoding="utf-8")
            print(f"{path}: updated")
        else:
            print(f"{path}: not as {DESCRIPTION} says; tools/make_faces.py --update makes it so")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
