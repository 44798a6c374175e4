"""Tables that callers give in place of files: CSV or JSON, as the command line reads them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from equipoise.errors import InputError
from equipoise.inputs import json_of
from equipoise.networks import plain, shown


class Options:
    """The options of a plan for items: each a file, or a name with its text in `texts`."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.texts: dict[str, str] = {}

    def add(self, option: str, header: str, given: Any, prefix: str = "") -> None:
        """A file as it is; what an open file holds; rows, or a mapping, as a table with this
        header."""
        if given is None:
            return
        name = option.replace("_", "-")
        if isinstance(given, (str, os.PathLike)):
            self.values[option] = prefix + plain(option, given)
        elif is_open(given):
            self.values[option] = prefix + name
            self.texts[name] = text_in(option, given)
        elif is_kafkas(given):
            self.values[option] = prefix + name + ".json"
            self.texts[name] = json_of(option, given)
        elif header.startswith("wave,") and are_waves(given):
            self.values[option] = prefix + name + ".json"
            self.texts[name] = "\n".join(json_of(option, wave) for wave in given)
        elif not header:
            raise InputError(f"{option}: expected a file or the object that it holds, found "
                             f"{shown(given)}")
        else:
            self.values[option] = prefix + name
            self.texts[name] = table(option, header.split(","), rows_of(given))

    def add_columns(self, option: str, given: Any, header: list[str]) -> None:
        """A file as it is; tables with columns of their own as a table: dicts, columns by name, a
        mapping from names in the first column of `header` to dicts, or rows of its fields."""
        if (given is None or isinstance(given, (str, os.PathLike)) or is_kafkas(given)
                or is_open(given)):
            self.add(option, "", given)
            return
        self.values[option] = option
        self.texts[option] = columns_text(option, given, header)

    def add_document(self, option: str, given: Any) -> None:
        """A JSON file as it is; that of an open one, or of the object that it holds, as a text."""
        if given is None or isinstance(given, (str, os.PathLike)) or is_open(given):
            self.add(option, "", given)
        elif isinstance(given, Mapping):
            self.values[option] = option
            self.texts[option] = json_of(option, given)
        else:
            raise InputError(f"{option}: expected a file or the object that it holds, found "
                             f"{shown(given)}")

    def all(self) -> dict[str, Any]:
        """What the extension takes."""
        return {**self.values, "texts": self.texts}


def columns_text(what: str, given: Any, header: list[str]) -> str:
    """The text of a CSV file with the columns of the given table."""
    rows: list[Mapping[Any, Any]]
    if not isinstance(given, Mapping) and hasattr(given, "columns"):  # a data frame
        given = {name: list(given[name]) for name in given.columns}
    if isinstance(given, Mapping):
        if all(isinstance(value, Mapping) for value in given.values()):
            rows = [{header[0]: name, **value} for name, value in given.items()]
        else:
            rows = rows_of_columns(what, given)
    elif isinstance(given, Iterable):
        rows = [row_of(what, row, header) for row in given]
    else:
        raise InputError(f"{what}: expected a file, rows or columns, found {shown(given)}")
    names = list(dict.fromkeys(name for row in rows for name in row)) or header
    lines = [[field(what, name) for name in names]]
    lines += [[cell(what, row.get(name)) for name in names] for row in rows]
    return "".join(",".join(map(quoted, line)) + "\n" for line in lines)


def rows_of_columns(what: str, given: Mapping[Any, Any]) -> list[Mapping[Any, Any]]:
    """The rows of columns of one length."""
    for name, column in given.items():
        if isinstance(column, str) or not isinstance(column, Iterable):
            raise InputError(f"{what}: expected a list for the column {shown(name)}, found "
                             f"{shown(column)}")
    columns = {name: list(column) for name, column in given.items()}
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise InputError(f"{what}: expected columns of one length, found lengths "
                         f"{', '.join(map(str, sorted(lengths)))}")
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def row_of(what: str, row: Any, header: list[str]) -> Mapping[Any, Any]:
    """A row by the names of its columns: a dict, a tuple of fields, or the only field."""
    if isinstance(row, Mapping):
        return row
    if isinstance(row, (str, int, np.integer)):
        row = (row,)
    if not isinstance(row, Iterable) or not 0 < len(fields := list(row)) <= len(header):
        raise InputError(f"{what}: expected dicts, or rows {', '.join(header)}, found "
                         f"{shown(row)}")
    return dict(zip(header, fields))


def cell(what: str, given: Any) -> str:
    """What a field of a table holds: a name, a number, whether something is so, or nothing."""
    if given is None or (isinstance(given, (float, np.floating)) and np.isnan(given)):
        return ""
    if isinstance(given, (bool, np.bool_)):
        return "yes" if given else "no"
    if isinstance(given, (float, np.floating)):
        return np.format_float_positional(given, trim="-")
    return field(what, given)


def is_open(given: Any) -> bool:
    """Whether it is an open file, or what is read as one (`io.StringIO`)."""
    return callable(getattr(given, "read", None))


def text_in(what: str, given: Any) -> str:
    """What is left to read of an open file, in UTF-8 if it is bytes."""
    text = given.read()
    if isinstance(text, bytes):
        text = text.decode("utf-8", errors="replace")
    if not isinstance(text, str):
        raise InputError(f"{what}: expected a file of text, found one of {shown(text)}")
    return text


def is_kafkas(given: Any) -> bool:
    """Whether it is one of Kafka's documents, as `json.load` gives it."""
    return isinstance(given, Mapping) and any(
        isinstance(given.get(key), list) for key in ("partitions", "brokers"))


def are_waves(given: Any) -> bool:
    """Whether it is a list of Kafka's documents, one for each wave."""
    return isinstance(given, (list, tuple)) and bool(given) and all(map(is_kafkas, given))


def rows_of(given: Any) -> Any:
    """The rows of a mapping: (key, value), or (key, *value) for a tuple or list. For a value that
    is itself a mapping, one row (inner key, key, inner value) for each of its keys."""
    if not isinstance(given, Mapping):
        return given
    rows: list[tuple[Any, ...]] = []
    for key, value in given.items():
        if isinstance(value, Mapping):
            rows += [(inner, key, number) for inner, number in value.items()]
        else:
            rows.append((key, *value) if isinstance(value, (tuple, list)) else (key, value))
    return rows


def table(what: str, header: list[str], rows: Any) -> str:
    """The text of a CSV file: this header, or the part of it that the rows have."""
    if not isinstance(rows, Iterable):
        raise InputError(f"{what}: expected a file, a mapping or rows {', '.join(header)}, found "
                         f"{shown(rows)}")
    fields: list[list[str]] = []
    for row in rows:
        if isinstance(row, (str, Mapping)) or not isinstance(row, Iterable):
            raise InputError(f"{what}: expected rows {', '.join(header)}, found {shown(row)}")
        fields.append([field(what, one) for one in row])
        if len(fields[-1]) != len(fields[0]) or not 2 <= len(fields[-1]) <= len(header):
            raise InputError(f"{what}: expected rows {', '.join(header)}, all of one length, "
                             f"found {shown(row)}")
    # Rows without names are wave, from, to; rows without sizes item, node.
    width = len(fields[0]) if fields else len(header)
    own = (["wave", "from", "to"] if header[0] == "wave" and width == 3 else header[:width])
    return "".join(",".join(map(quoted, row)) + "\n" for row in [own, *fields])


def quoted(name: str) -> str:
    """A field of a line, in quotes where it needs them."""
    is_plain = name == name.strip() and "," not in name and '"' not in name
    return name if is_plain else '"' + name.replace('"', '""') + '"'


def field(what: str, given: Any) -> str:
    """A name or a whole number as a field; names end at the end of a line."""
    if isinstance(given, (int, np.integer)) and not isinstance(given, (bool, np.bool_)):
        try:
            return str(int(given))
        except ValueError:  # of too many digits
            pass
    if isinstance(given, str):
        name = plain(what, given)
        if "\n" not in name and "\r" not in name:
            return name
    raise InputError(f"{what}: expected names in one line, and whole numbers, found {shown(given)}")


def names(what: str, given: Any) -> list[str]:
    """Names of nodes."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"{what}: expected a list of nodes, found {shown(given)}")
    return [field(what, one) for one in given]
