"""The names of Fortran's procedures for every kind of items and of weights: the definitions with
which rebalance.inc is included for each kind of items, and the lists of its generic names."""

import textwrap

ITEMS = {**{f"{name}{bits}": f"{kind}({of}{bits})" for name, kind, of, sizes in
            (("real", "real", "real", (32, 64)), ("complex", "complex", "real", (32, 64)),
             ("int", "integer", "int", (8, 16, 32, 64)),
             ("logical", "logical", "int", (8, 16, 32, 64))) for bits in sizes},
         "text": "character(*)", "texts": "character(:)"}
# Of real64, which may be absent, and of others; and several an item, as columns.
WEIGHTS = ("", "real32", "int32", "int64", "rows_real64", "rows_real32", "rows_int32",
           "rows_int64")
COMMUNICATORS = ("", "f08_")


def names(items, own=""):
    """The macros of rebalance.inc, and the procedures that they name, for one kind of items."""
    found = {f"LEVEL_{rank}": f"level_{items}_{rank}{own}" for rank in (1, 2)}
    for communicator in COMMUNICATORS:
        for rank in (1, 2):
            for weights in WEIGHTS:
                macro = f"REBALANCE_{communicator}{rank}{'_' if weights else ''}{weights}".upper()
                by = f"_by_{weights}" if weights else ""
                found[macro] = f"rebalance_{communicator}{items}_{rank}{by}"
    return found


def specifics(items):
    """The procedures of a generic name for these kinds of items."""
    return [name for kind in items for macro, name in names(kind).items()
            if macro.startswith("REBALANCE")]


def inclusions():
    """Lines that include rebalance.inc for every kind of items."""
    lines = []
    for items, declared in ITEMS.items():
        lines += ["#define DEFERRED"] * (items == "texts")
        lines.append(f"#define ITEM {declared}")
        lines += ["#define FRESH character(len(items))"] * (items == "text")
        lines += [f"#define {macro} {name}" for macro, name in names(items).items()]
        lines.append('#include "rebalance.inc"')
    return lines


def listed(procedures, indent=8):
    """Statements that make procedures part of an interface."""
    lines = textwrap.wrap(", ".join(procedures), 100 - indent - len("module procedure "))
    return [" " * indent + "module procedure " + line.rstrip(",") for line in lines]
