"""The check of notebooks finds what is not true; the notebooks themselves are tests of CTest."""

import importlib.util
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def checker(monkeypatch, tmp_path):
    """tools/worked_notebooks.py with a folder of its own."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("worked_notebooks",
                                                  ROOT / "tools" / "worked_notebooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    yield module
    sys.modules.pop("worked_runs", None)


def test_a_notebook_that_shows_something_else_is_found(checker, tmp_path, capsys):
    nbformat = pytest.importorskip("nbformat")
    path = tmp_path / "sum.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("20 + 22")]), path)
    assert not checker.check(path, update=False)
    assert checker.check(path, update=True)
    assert checker.check(path, update=False)
    path.write_text(path.read_text().replace('"42"', '"43"'))
    capsys.readouterr()
    assert not checker.check(path, update=False)
    assert "-43\n+42" in capsys.readouterr().out
