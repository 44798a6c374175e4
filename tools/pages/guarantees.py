"""The table of algorithms and their guarantees, between <!-- algorithms --> and <!-- end -->."""

import json
import os
import pathlib
import re
import subprocess

from pages.blocks import PageError

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = re.compile(r"(?<=^<!-- algorithms -->\n)(.*?)(?=^<!-- end -->$)", re.M | re.S)


def table(program, folder):
    """A row for every algorithm of the catalogue, with a link from a folder to its page."""
    listed = subprocess.run([program, "algorithms", "--json"], capture_output=True, check=True)
    rows = ["| Name | Guarantee | Source |", "|---|---|---|"]
    for entry in json.loads(listed.stdout):
        page = ROOT / "docs" / "algorithms" / f"{entry['name']}.md"
        if not page.exists():
            raise PageError(f"{entry['name']}: expected its page {page}, found none")
        link = f"[`{entry['name']}`]({os.path.relpath(page, folder)})"
        cells = [entry[key].replace("|", "\\|") for key in ("guarantee", "source")]
        rows.append("| " + " | ".join([link, *cells]) + " |")
    return "".join(row + "\n" for row in rows)


def renewed(text, program, folder):
    """The page with the table that the catalogue makes now, where it has one."""
    if not TABLE.search(text):
        return text
    made = table(program, folder)
    return TABLE.sub(lambda _: made, text)
