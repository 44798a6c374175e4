"""What docs/reference/agent.md says of the log."""

import functools
import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "reference" / "agent.md"


@functools.lru_cache(maxsize=None)
def fields_of_events():
    """By event, the sets of fields that it may have beside time, event and site."""
    text = PAGE.read_text(encoding="utf-8")
    rows = text[text.index("## Events of the log"):].splitlines()
    found = {}
    for row in rows:
        if not row.startswith("| `"):
            continue
        event, fields, _ = (cell.strip() for cell in row.strip("|").split("|"))
        names = re.findall("`([a-z_]+)`", fields)
        found[event.strip("`")] = [{name} for name in names] if " or " in fields else [set(names)]
    return found
