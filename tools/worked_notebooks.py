#!/usr/bin/env python3
"""Keeps the notebooks of examples/notebooks/ true.

Every notebook is run from its first cell, in its own folder. What its cells print and return must
be what the file shows; times are masked, and of pictures and pages only the kind is compared, since
other versions of matplotlib draw them differently.

usage: worked_notebooks.py [--update] [NOTEBOOK.ipynb ...]
"""

import argparse
import difflib
import os
import pathlib
import re
import sys

import nbformat
from nbconvert.preprocessors import CellExecutionError, ExecutePreprocessor
from worked_runs import masked

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "examples" / "notebooks"
BYTES_MAX = 1_000_000
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def run(path):
    """The notebook with the outputs of a fresh run."""
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # the kernel's debugger would print a remark
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    preprocessor = ExecutePreprocessor(timeout=120, record_timing=False, kernel_name="python3")
    preprocessor.preprocess(notebook, {"metadata": {"path": str(path.parent)}})
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"}}
    return notebook


def joined(outputs):
    """Outputs with neighbouring pieces of one stream, which come as time has it, put together."""
    found = []
    for output in outputs:
        output.pop("metadata", None)
        if output.output_type in ("display_data", "execute_result"):
            output["metadata"] = {}
        last = found[-1] if found else None
        if last and output.output_type == last.output_type == "stream" and (
                output.name == last.name):
            last.text += output.text
        else:
            found.append(output)
    return found


def shown(notebook):
    """What cells show, as lines without times: text as it is, and the kinds of everything else."""
    lines = []
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        lines.append(f"cell {number}:")
        for output in cell.outputs:
            if output.output_type == "stream":
                lines += [output.name] + masked(output.text).splitlines()
            elif output.output_type == "error":
                lines.append(f"{output.ename}: {output.evalue}")
            else:
                lines.append(" ".join(sorted(output.data)))
                text = ADDRESS.sub("", output.data.get("text/plain", ""))
                lines += masked(text).splitlines()
    return lines


def check(path, update):
    """Whether the notebook shows what a fresh run gives, and is small; says what is wrong."""
    name = path.relative_to(ROOT)
    try:
        fresh = run(path)
    except CellExecutionError as error:
        print(f"{name}: {error}")
        return False
    before, now = shown(nbformat.read(path, as_version=4)), shown(fresh)
    if before != now and update:
        nbformat.write(fresh, path)
    elif before != now:
        print(f"{name}: a cell does not show what it gives now (--update writes it):")
        print("\n".join(difflib.unified_diff(before, now, "shown", "given", lineterm="")))
        return False
    if path.stat().st_size > BYTES_MAX:
        print(f"{name}: expected at most {BYTES_MAX:,} bytes, found {path.stat().st_size:,}")
        return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write what the cells give now")
    parser.add_argument("notebooks", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    notebooks = [path.resolve() for path in options.notebooks] or sorted(FOLDER.glob("*.ipynb"))
    right = [check(path, options.update) for path in notebooks]
    print(f"{sum(right)} of {len(right)} notebooks show what they give")
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
