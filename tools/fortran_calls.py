"""The structs and functions of a header in C as Fortran sees them: a module of types and
interfaces that follow from declarations alone."""

import re
import textwrap

KINDS = {"int": "integer(c_int)", "MPI_Fint": "integer(c_int)", "int32_t": "integer(c_int32_t)",
         "int64_t": "integer(c_int64_t)", "uint64_t": "integer(c_int64_t)",
         "size_t": "integer(c_size_t)", "double": "real(c_double)"}
# Programs in Fortran use these structs themselves; the others have types of their own there.
SHOWN = {"equipoise_spread", "equipoise_weight_spread", "equipoise_transfer", "equipoise_advice",
         "equipoise_int128", "equipoise_device"}
# Parameters that are arrays of structs, and that may be NULL.
ARRAYS = {"arrays", "transfers", "rows"}
NULLABLE = {"bytes"}

STRUCT = re.compile(r"^typedef struct (\w+) \{\n(.*?)^\} \1;", re.M | re.S)
INITIAL = re.compile(r"^#define EQUIPOISE_(\w+)_INIT\b(.*?[^\\])\n", re.M | re.S)
FUNCTION = re.compile(r"^((?:const )?\w+\*?) (equipoise_\w+)\(([^()]*)\)(?:;| \{)", re.M)


class Header:
    """What a header declares, and a source in C++ that defines more functions."""

    def __init__(self, header, source):
        self.structs = {name: body for name, body in STRUCT.findall(header)}
        self.initial = {"equipoise_" + name.lower(): values_of(text)
                        for name, text in INITIAL.findall(header)}
        self.functions = [found for text in (without_comments(header), source)
                          for found in FUNCTION.findall(text)]

    def name_of(self, struct):
        return struct if struct in SHOWN else struct.removeprefix("equipoise_") + "_c"

    def fields(self, struct):
        """Types, names and comments of a struct's fields."""
        body = self.structs[struct]
        found = []
        for match in re.finditer(r"/\*(.*?)\*/|([^;/]+);", body, re.S):
            text = " ".join((match[1] or match[2]).split())
            if match[1] is None:
                function = re.match(r"\w+\*? \(\*(\w+)\)", text)
                kind, name = (("function", function[1]) if function else
                              re.match(r"(.*?)(\w+)$", text).groups())
                found.append([kind.strip(), name, None])
            elif found and "\n" not in body[body.rfind(";", 0, match.start()):match.start()]:
                found[-1][2] = text  # behind the field
        return found

    def type_of(self, struct):
        lines = [f"    type, bind(c) :: {self.name_of(struct)}"]
        values = self.initial.get(struct)
        for i, (kind, name, comment) in enumerate(self.fields(struct)):
            made, none = self.component(kind)
            value = values[i] if values and i > 0 else none
            value = {"NULL": none, "EQUIPOISE_ASK_MPI": "ask_mpi",
                     "EQUIPOISE_NO_LIMIT": "no_limit", "EQUIPOISE_DOUBLE": "0",
                     "(size_t)1 << 20": "2_c_size_t**20"}.get(value, value)
            line = f"        {made} :: {name}" + (f" = {value}" if none else "")
            if comment and struct in SHOWN:
                lines += textwrap.wrap(comment, 100, initial_indent="        ! ",
                                       subsequent_indent="        ! ")
            lines.append(line)
        return [*lines, "    end type"]

    def component(self, kind):
        """A component's type, and what it is unless something is given; blank: as its type says."""
        if kind in KINDS:
            return KINDS[kind], "0"
        if kind in self.structs:
            return f"type({self.name_of(kind)})", ""
        if kind in ("function", "equipoise_reallocate*"):
            return "type(c_funptr)", "c_null_funptr"
        return "type(c_ptr)", "c_null_ptr"

    def argument(self, kind, name):
        """How a parameter is declared."""
        constant = kind.startswith("const ")
        intent = "intent(in)" if constant else "intent(inout)"
        kind = kind.removeprefix("const ")
        if kind in KINDS:
            return f"{KINDS[kind]}, value :: {name}"
        to = kind.removesuffix("*")
        if to == "char":
            return f"character(kind=c_char), {intent} :: {name}(*)"
        if to in KINDS and name not in NULLABLE:
            return f"{KINDS[to]}, {intent} :: {name}(*)"
        if to in self.structs:
            return f"type({self.name_of(to)}), {intent} :: {name}{'(*)' * (name in ARRAYS)}"
        if to.endswith("*"):
            return f"type(c_ptr), {intent} :: {name}"
        return f"type(c_ptr), value :: {name}"

    def interface(self, returns, name, parameters):
        pairs = [re.match(r"\s*(.*?)\s*(\w+)\s*$", " ".join(parameter.split())).groups()
                 for parameter in parameters.split(",") if parameter.strip() != "void"]
        declared = [self.argument(*pair) for pair in pairs]
        if returns != "void":
            declared.append(f"{KINDS.get(returns, 'type(c_ptr)')} :: returned")
        names = sorted({name for line in declared for name in
                        re.findall(r"\bc_\w+|(?<=type\()\w+", line.split("::")[0])})
        what = "subroutine" if returns == "void" else "function"
        first = (f"{what} {name}({', '.join(name for _, name in pairs)})" +
                 ("" if returns == "void" else " result(returned)") + " bind(c)")
        lines = textwrap.wrap(first, 98, initial_indent="        ", subsequent_indent=" " * 12)
        lines = [*(line + " &" for line in lines[:-1]), lines[-1]]
        if names:
            lines.append(f"            import :: {', '.join(names)}")
        return [*lines, *("            " + line for line in declared), f"        end {what}"]

    def module(self, used):
        """The module; it declares those functions whose names occur in `used`, but no communicators
        of C, which Fortran does not have."""
        lines = ["! The structs and functions of equipoise.h and equipoise_rows.h, and the "
                 "functions of calls.cpp,", "! as Fortran sees them.",
                 "module equipoise_calls", "    use, intrinsic :: iso_c_binding",
                 "    implicit none", "",
                 "    integer(c_int32_t), parameter :: ask_mpi = -huge(0_c_int32_t)",
                 "    integer(c_int64_t), parameter :: no_limit = -1", ""]
        for struct in self.structs:
            lines += self.type_of(struct)
        lines += ["", "    interface"]
        for returns, name, parameters in self.functions:
            if "MPI_Comm" not in parameters and re.search(rf"\b{name}\b", used, re.I):
                lines += self.interface(returns, name, parameters)
        return [*lines, "    end interface", "end module"]


def values_of(text):
    """The values of an initialiser, one for each field."""
    inner = " ".join(text.replace("\\\n", " ").split())[1:-1]
    return [value.strip() for value in re.sub(r"\{[^{}]*\}", "", inner).split(",")]


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)
