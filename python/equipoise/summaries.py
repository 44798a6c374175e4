"""What the runs of a sweep say over their seeds."""

from __future__ import annotations

import csv
import html
import io
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from equipoise import _core
from equipoise.errors import InputError
from equipoise.networks import plain
from equipoise.results import object_of

if TYPE_CHECKING:
    import pandas

#: Columns of whole numbers, and of texts, beside those that name a cell.
_WHOLE = {"count", "cut_short", "left_out", "pairs"}
_TEXTS = {"quantity", "interval", "against"}


class Summary(Sequence["dict[str, Any]"]):
    """The figures of each quantity in each cell: a sequence of rows, each a mapping by the names of
    `equipoise sweep --summary=FILE.csv`, with None for what does not exist. `str` is the text of
    `equipoise sweep --summary`.

    >>> import equipoise, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "tori.csv")
    >>> found = equipoise.sweep({"networks": ["torus:4x4"], "loads": ["uniform:tokens=100"],
    ...                          "seeds": [1, 2, 3, 4], "algorithms": ["threshold-2", "diffusion"]},
    ...                         csv=path)
    >>> summary = found.summary(of=["steps"], against="diffusion")
    >>> [(row["algorithm"], row["count"], row["mean"], row["difference"]) for row in summary]
    [('threshold-2', 4, 9.75, 7.75), ('diffusion', 4, 2.0, None)]
    """

    def __init__(self, handle: _core.Summary) -> None:
        self._handle = handle
        names = len(self.figures["by"])
        self.rows: list[dict[str, Any]] = [
            {key: text if place < names or key in _TEXTS else
             int(text) if key in _WHOLE else float(text) if text else None
             for place, (key, text) in enumerate(row.items())}
            for row in csv.DictReader(io.StringIO(handle.csv()))]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __getitem__(self, row: Any) -> Any:
        return self.rows[row]

    @property
    def figures(self) -> dict[str, Any]:
        """The object of `equipoise sweep --summary=FILE.json`."""
        return object_of(self._handle.to_json())

    def to_dataframe(self) -> pandas.DataFrame:
        """A pandas DataFrame, one row for each cell and quantity."""
        import pandas

        return pandas.DataFrame(self.rows)

    def to_markdown(self) -> str:
        """Tables in Markdown."""
        return self._handle.markdown()

    def to_latex(self) -> str:
        """Tables in LaTeX, for the packages booktabs and siunitx."""
        return self._handle.latex()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the summary to a .csv, .json, .md, .tex or .txt file."""
        self._handle.write(plain("path", path))

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def __str__(self) -> str:
        return self._handle.text()

    def __repr__(self) -> str:
        figures = self.figures
        return f"<Summary of {', '.join(figures['of'])} in {len(figures['cells'])} cells>"


def summarise(path: str | os.PathLike[str], *, of: str | Sequence[str] = (),
              by: str | Sequence[str] = (), interval: str = "student", confidence: float = 0.95,
              quantiles: Sequence[float] = (0.25, 0.75), against: str = "") -> Summary:
    """Says what the runs of a study say over their seeds, cell by cell: a cell holds the runs that
    differ in their seed alone. Runs that were cut short or left out are counted, and in no figure.

    Parameters
    ----------
    path
        The CSV file of a sweep, or any other with a header.
    of
        The column or columns that are summarised. Default: all results that are numbers.
    by
        The column or columns that name a cell. Default: all that name a run, except its seed.
    interval
        The confidence interval of each mean: ``"student"``, by Student's t, or ``"bootstrap"``,
        between percentiles of the means of 10,000 resamples with a fixed seed.
    confidence
        How often such intervals hold the true mean.
    quantiles
        Which quantiles, as fractions, each once; linear between neighbours, as `numpy.quantile`
        does. Their columns ascend.
    against
        An algorithm: also the mean difference to it, over pairs of runs from the same start with
        the same seed, with its interval.

    >>> import equipoise, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "times.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("method,seed,time\\na,1,0.5\\na,2,0.75\\nb,1,1.5\\nb,2,2.5\\n")
    >>> [(row["method"], row["count"], row["mean"]) for row in equipoise.summarise(path)]
    [('a', 2, 0.625), ('b', 2, 2.0)]
    """
    options = {"of": _names("of", of), "by": _names("by", by), "interval": interval,
               "confidence": _number("confidence", confidence),
               "quantiles": [_number("quantiles", one) for one in quantiles], "against": against}
    return Summary(_core.summarise(plain("path", path), options))


def _names(what: str, given: str | Sequence[str]) -> list[str]:
    return [plain(what, name) for name in ([given] if isinstance(given, str) else given)]


def _number(what: str, given: Any) -> float:
    try:
        return float(given)
    except (TypeError, ValueError):
        raise InputError(f"{what}: expected a number between 0 and 1, found {given!r}") from None
