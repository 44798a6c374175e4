#!/usr/bin/env python3
"""The schemas of JSON objects as tables of keys, for docs/reference/json.md.

usage: json_schemas.py [--update] [PAGE]

A line `<!-- schema NAME -->` of the page begins a table, `<!-- end -->` ends it. Without --update,
tables that differ from schemas/NAME.json are an error, and so are schemas without a table.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "schemas"
PAGE = ROOT / "docs" / "reference" / "json.md"
TABLE = re.compile(r"(<!-- schema ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def load(folder=FOLDER):
    """All schemas by the names of their files."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(folder.glob("*.json"))}


def closed(schema):
    """The same schema, but keys that it does not describe are errors."""
    if isinstance(schema, list):
        return [closed(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    # The keys of `properties` are names of keys, not of the language of schemas.
    made = {word: {key: closed(inner) for key, inner in value.items()}
            if word in ("properties", "$defs") else closed(value)
            for word, value in schema.items()}
    if "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def parts(schema, path=""):
    """The schemas inside a schema, by their paths: `network.nodes`, `bounds[].value`, `loads.*`."""
    for key, inner in schema.get("properties", {}).items():
        place = f"{path}.{key}" if path else key
        yield place, inner, key in schema.get("required", [])
        yield from parts(inner, place)
    if isinstance(schema.get("items"), dict):
        yield from parts(schema["items"], path + "[]")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from parts(schema["additionalProperties"], path + ".*")


def kind(schema):
    """What the value of a key is, in a word or two."""
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    names = {"string": "text", "integer": "whole number", "boolean": "true or false",
             "array": "list", "number": "number", "object": "object", "null": "null"}
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " or ".join(names[name] for name in kinds)


def table(schema):
    """A row for each key."""
    lines = ["| Key | Value | Always | Meaning |", "|---|---|---|---|"]
    for path, inner, always in parts(schema):
        if path.startswith("schema."):
            continue
        meaning = inner.get("description", "")
        items = inner.get("items", {})
        if isinstance(items, dict) and "prefixItems" in items:
            meaning += f" Each is `{items['description'].split(']')[0]}]`" + \
                items["description"].split("]", 1)[1]
        meaning = meaning.replace("|", "\\|")
        lines.append(f"| `{path}` | {kind(inner)} | {'yes' if always else ''} | {meaning} |")
    return "\n".join(lines) + "\n"


def main(arguments):
    update = "--update" in arguments
    named = [argument for argument in arguments if argument != "--update"]
    page = Path(named[0]) if named else PAGE
    schemas = load()
    before = page.read_text(encoding="utf-8")
    missing = set(schemas) - {found.group(2) for found in TABLE.finditer(before)}
    if missing:
        return f"{page}: expected a table of {', '.join(sorted(missing))}, found none"
    after = TABLE.sub(lambda found: found[1] + table(schemas[found[2]]) + found[3], before)
    if update:
        page.write_text(after, encoding="utf-8")
    elif after != before:
        return f"{page}: the tables differ from schemas/ (json_schemas.py --update writes them)"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
