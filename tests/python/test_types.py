"""Types are true: of the package, its extension's stub, and the examples."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import equipoise
from equipoise import _core

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))


def test_mypy_is_content_with_the_package_and_the_examples(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", ROOT / "pyproject.toml",
         "--cache-dir", tmp_path, ROOT / "python" / "equipoise", *EXAMPLES],
        cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def names_of(node):
    return {child.name for child in node.body if isinstance(child, (ast.FunctionDef, ast.ClassDef))}


def test_the_stub_names_what_the_extension_has():
    stub = ast.parse((ROOT / "python" / "equipoise" / "_core.pyi").read_text())
    own = {name for name in dir(_core) if not name.startswith("__")}
    assert names_of(stub) | {"version", "run_colours"} == own
    for kind in stub.body:
        if isinstance(kind, ast.ClassDef):
            there = vars(getattr(_core, kind.name))
            assert names_of(kind) - {"__init__"} <= set(there), kind.name
            public = {name for name in there if not name.startswith("_")}
            assert public <= names_of(kind), kind.name


def test_the_functions_have_the_options_that_the_extension_declares():
    options = _core.options_of_runs()
    named = {option["name"] for option in options}
    assert named <= set(inspect.signature(equipoise.run).parameters)
    compared = {option["name"] for option in options if option["in_compare"]}
    assert compared <= set(inspect.signature(equipoise.compare).parameters)


def test_everything_public_is_explained_with_an_example():
    for name in equipoise.__all__:
        thing = getattr(equipoise, name)
        assert thing.__doc__, name
        if callable(thing) and not isinstance(thing, type) and name != "read_run":
            assert ">>>" in thing.__doc__, name


def test_examples_run(tmp_path):
    assert EXAMPLES
    for example in EXAMPLES:
        done = subprocess.run([sys.executable, example, tmp_path / "picture.png"],
                              capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "picture.png").stat().st_size > 1000
