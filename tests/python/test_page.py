"""The page about Python shows what works."""

import re
from pathlib import Path

import matplotlib.pyplot
import numpy as np

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_the_examples_of_the_page_run(tmp_path, monkeypatch, capsys):
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", PAGE.read_text(), re.MULTILINE)
    code = "".join(block for block in blocks if "python3 -m venv" not in block)
    assert "equipoise.compare" in code and "equipoise.plan" in code
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(re.sub(r"^    ", "", code, flags=re.MULTILINE), names)
    matplotlib.pyplot.close("all")
    assert "best: " in capsys.readouterr().out
    assert (tmp_path / "run.html").exists()
    assert names["plan"].exact and np.shape(names["loads"])[1] == 77
