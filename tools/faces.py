"""The description of the balancer's options, report and errors, and how its fields are written in
each language: what tools/make_faces.py makes everything from."""

import re
import textwrap
import tomllib

DESCRIPTION = "equipoise/balancer/faces.toml"
MADE = f"Made from {DESCRIPTION} by tools/make_faces.py"
END = "End of what is made"
FACES = ("cpp", "c", "fortran", "python")
COMMENT = {"cpp": ("// ", ""), "c": ("/* ", " */"), "fortran": ("! ", ""), "python": ("# ", ""),
           "md": ("<!-- ", " -->")}

# What a field is: its declaration in C++, C, Fortran (as an argument, then as a component) and
# Python, and the value that it has in C unless the caller gives one. `$` is the field's name.
KINDS = {
    "real": ("double $", "double $", "real(real64), intent(in), optional :: $",
             "real(real64) :: $", "float", "0"),
    "count": ("Tokens $", "int64_t $", "integer, intent(in), optional :: $",
              "integer(int64) :: $", "int", "0"),
    "maybe_count": ("std::optional<Tokens> $", "int64_t $", None, "integer(int64) :: $",
                    "int | None", "0"),
    "ranks": ("int $", "int64_t $", None, "integer :: $", "int", "0"),
    "number": ("std::size_t $", "int64_t $", None, "integer(int64) :: $", "int", "0"),
    "size": ("std::size_t $", "size_t $", "integer, intent(in), optional :: $", None, "int", "0"),
    "flag": ("bool $", "int32_t $", "logical, intent(in), optional :: $", "logical :: $", "bool",
             "0"),
    "colour": ("std::optional<int> $", "int32_t $", "integer, intent(in), optional :: $", None,
               "int | None", "EQUIPOISE_ASK_MPI"),
    "room": ("std::optional<Tokens> $", "int64_t $", "integer, intent(in), optional :: $", None,
             "int | None", "EQUIPOISE_NO_LIMIT"),
    "limit": ("std::optional<double> $", "double $", "real(real64), intent(in), optional :: $",
              None, "float | None", "EQUIPOISE_NO_LIMIT"),
    "policy": ("Policy $", "const char* $", "character(*), intent(in), optional :: $",
               "character(32) :: $", "str", "NULL"),
    "word": ("std::string $", "const char* $", "character(*), intent(in), optional :: $", None,
             "str", "NULL"),
    "reals": ("NumbersView $", "const double* $",
              "real(real64), intent(in), target, contiguous, optional :: $(:)", None,
              "npt.ArrayLike | None", "NULL"),
    "numbers": ("NumbersView $", "const void* $", None, None, "npt.ArrayLike | None", "NULL"),
    "number_type": (None, "int32_t $", None, None, None, "EQUIPOISE_DOUBLE"),
    "spread": ("Spread<Tokens> $", "equipoise_spread $", None, "type(equipoise_spread) :: $",
               "Spread", "{0, 0, 0}"),
    "weight_spread": ("Spread<double> $", "equipoise_weight_spread $", None,
                      "type(equipoise_weight_spread) :: $", "Spread", "{0, 0, 0}"),
    "neighbour_planner": ("const NeighbourPlanner* $", None, None, None, None, None),
    "reallocate": (None, "equipoise_reallocate* $", None, None, None, "NULL"),
    "context": (None, "void* $", None, None, None, "NULL"),
    "packing": (None, "const equipoise_packing* $", None, None, None, "NULL"),
}
# What the page calls them.
WORDS = {"real": "number", "count": "whole number", "maybe_count": "whole number, or unknown",
         "ranks": "whole number", "number": "whole number", "size": "whole number",
         "flag": "yes or no", "colour": "whole number, or none", "room": "whole number, or none",
         "limit": "number, or none", "policy": "word", "word": "word",
         "reals": "one number an item, or none", "numbers": "one number an item, or none",
         "spread": "least, most, average",
         "weight_spread": "least, most, average"}


class Description:
    """What the description says."""

    def __init__(self, text):
        given = tomllib.loads(text)
        self.order = given["order"]
        self.errors = given["errors"]
        self.policies = given["policies"]
        self.when = given["when"]
        self.options = given["options"]
        self.report = given["report"]
        for field in [*self.options.values(), *self.report.values()]:
            if field["type"] not in KINDS:
                raise SystemExit(f"{DESCRIPTION}: no type is called {field['type']}")
        for name, field in self.options.items():
            if field["type"] in ("word", "policy", "reals", "numbers") and not field.get("by_hand"):
                raise SystemExit(f"{DESCRIPTION}: options.{name} must be converted by hand")

    def fields(self, of, face, by_hand=True):
        """Names and fields of `options` or `report` in a face, in its order."""
        found = {name: field for name, field in getattr(self, of).items()
                 if face in field.get("faces", FACES) and (by_hand or not field.get("by_hand"))}
        first = self.order.get(face, []) if of == "options" else []
        names = [name for name in first if name in found]
        return [(name, found[name]) for name in [*names, *(n for n in found if n not in names)]]

    def doc(self, field, face):
        """The text of a field in a face."""
        parts = [field["doc"], self.when[field["only"]]["doc"] if "only" in field else "",
                 field.get("note", {}).get(face, "")]
        none = {"c": f" ({field['none']})", "fortran": f" ({field['none']})",
                "python": " (None)"}.get(face, "") if "none" in field else ""
        names = self.named_policies()
        policies = ", ".join(names[:-1]) + " or " + names[-1]
        return " ".join(" ".join(parts).split()).replace("{policies}", policies).replace(
            "{none}", none)

    def named_policies(self):
        return [name for name, policy in self.policies.items() if "faces" not in policy]


def declared(face, name, field):
    kind = KINDS[field["type"]]
    text = kind[{"cpp": 0, "c": 1, "argument": 2, "component": 3, "python": 4}[face]]
    if text is None:
        raise SystemExit(f"{DESCRIPTION}: {name} has a type that {face} does not have")
    return text.replace("$", name)


def wrapped(text, indent, first, rest=None, last=""):
    """A comment of lines of at most 100 columns."""
    rest = first if rest is None else rest
    return textwrap.wrap(text + last, 100, initial_indent=" " * indent + first,
                         subsequent_indent=" " * indent + rest, break_long_words=False,
                         break_on_hyphens=False)


def region(face, name, lines, indent=0):
    """Lines that stand in a file that is otherwise written by hand."""
    begin, end = (" " * indent + COMMENT[face][0], COMMENT[face][1])
    return [f"{begin}{MADE}: {name}.{end}", *lines, f"{begin}{END}.{end}"]


def replaced(text, face, name, lines, path):
    """The text with another content of a region."""
    begin, end = map(re.escape, COMMENT[face])
    place = re.compile(rf"^( *){begin}{re.escape(MADE)}: {name}\.{end}\n.*?^ *{begin}{END}\.{end}$",
                       re.M | re.S)
    found = place.search(text)
    if not found:
        raise SystemExit(f"{path}: expected a region {name} ({MADE}), found none")
    made = region(face, name, lines, len(found[1]))
    return text[:found.start()] + "\n".join(made) + text[found.end():]


def literal(face, value):
    """A default as a language writes it."""
    if isinstance(value, bool):
        return {"cpp": "true" if value else "false", "python": str(value),
                "fortran": ".true." if value else ".false."}[face]
    if isinstance(value, int) and value > 2**20 and value & (value - 1) == 0:
        power = value.bit_length() - 1
        return {"cpp": f"std::size_t{{1}} << {power}U", "python": f"2**{power}",
                "page": f"2^{power}"}[face]
    return f'"{value}"' if isinstance(value, str) else str(value)
