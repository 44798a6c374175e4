"""Sweeps: grids of runs, plans, analyses and searches, with rules and networks of one's own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

from equipoise import _core, inputs
from equipoise.errors import InputError
from equipoise.networks import Network, NetworkLike, is_graph, network_of, plain, shown, whole
from equipoise.programs import NodeProgram
from equipoise.progress import Bar
from equipoise.rules import DealRule, EdgeRule

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas

    from equipoise.summaries import Summary

#: The most numbers of a range in a scenario: no grid has more rows.
RANGE_MAX = 1_000_000
OwnRule = Union[EdgeRule, DealRule, NodeProgram]


@dataclass(frozen=True)
class Sweep:
    """A grid of runs in a CSV file. `complete`: whether it is written; otherwise the rows are in
    `csv`.partial, from which the next call resumes. `empty_columns`: those of the scenario that
    have a value in no row."""

    csv: str
    rows: int
    ran: int
    resumed: int
    dropped: int
    complete: bool
    empty_columns: list[str]

    def to_dataframe(self) -> pandas.DataFrame:
        """The rows as a pandas DataFrame."""
        import pandas

        return pandas.read_csv(self.csv)

    def summary(self, **options: Any) -> Summary:
        """What the runs say over their seeds; the options are those of `equipoise.summarise`."""
        from equipoise import summaries

        if not self.complete:
            raise InputError(f"summary: expected a complete sweep, found rows in {self.csv}.partial"
                             ": another call of sweep plays the rest")
        return summaries.summarise(self.csv, **options)

    def plot(self, x: str, y: str, *, by: str = "", facet: str = "", marks: str = "curves",
             band: str = "mean", axes: str = "log-log", interval: str = "student",
             confidence: float = 0.95, quantiles: Sequence[float] = (0.25, 0.75),
             names: Mapping[str, str] | None = None, promises: bool = True,
             ax: matplotlib.axes.Axes | None = None) -> Any:
        """Draws the column `y` over the column `x`, as `equipoise plot` does, with matplotlib.
        Runs that were cut short or left out are not drawn.

        Parameters
        ----------
        x, y
            Columns of the sweep; an `x` of texts has a place for each of them.
        by
            One curve for each value of this column. Default: the algorithm, with its parameters
            where they differ.
        facet
            One panel for each value of this column; panels share their axes.
        marks
            ``"curves"`` with bands, ``"points"`` with error bars, or ``"boxes"``.
        band
            What bands and error bars show: the ``"mean"`` and its interval, ``"quantiles"`` or
            ``"extremes"`` around the median, or ``"none"``.
        axes
            ``"log-log"``, ``"linear"``, ``"log-x"`` or ``"log-y"``.
        interval, confidence, quantiles
            As of `summary`.
        names
            Other names for curves, panels and categories; curves named here come first.
        promises
            Whether what theorems promise is drawn, dashed.
        ax
            Where to draw, if there is one panel.

        Returns
        -------
        The axes; an array of them if there are several panels.
        """
        from equipoise import plotting

        if not self.complete:
            raise InputError(f"plot: expected a complete sweep, found rows in {self.csv}.partial"
                             ": another call of sweep plays the rest")
        options = {"x": plain("x", x), "y": plain("y", y), "by": plain("by", by),
                   "facet": plain("facet", facet), "marks": plain("marks", marks),
                   "band": plain("band", band), "axes": plain("axes", axes),
                   "interval": interval, "confidence": float(confidence),
                   "quantiles": [float(one) for one in quantiles]}
        return plotting.plot_study(self.csv, options, dict(names or {}), promises, ax)


def sweep(scenario: str | os.PathLike[str] | Mapping[str, Any], *,
          csv: str | os.PathLike[str] | None = None,
          rules: Mapping[str, OwnRule] | None = None,
          networks: Mapping[str, NetworkLike] | None = None, rules_version: str = "",
          threads: int = 0, progress: bool = False) -> Sweep:
    """Plays a grid of runs, plans, analyses or searches and writes one CSV file.

    Parameters
    ----------
    scenario
        A JSON file (see scenarios/), or the same as a mapping.
    csv
        The file to write; default: the scenario's name with .csv.
    rules
        Rules and node programs of your own under the names by which the scenario's ``algorithms``
        call them. The column ``given_rule`` says which rows are theirs.
    networks
        Networks under the names by which the scenario's ``networks`` call them: anything that
        makes a `Network`.
    rules_version
        Any text that changes when your rules do. See below.
    threads
        How many runs to play at the same time; 0: as many as the machine has threads. Rules in
        Python take turns.
    progress
        Show a tqdm bar, if tqdm is installed.

    Notes
    -----
    After Ctrl-C or an error, rows that were played are in `csv`.partial, and a second call resumes
    from them. Nobody can tell from a row whether your rule was the same then: its rows are played
    again, unless both calls name the same `rules_version`.

    What a rule raises ends the sweep and is passed on, with a note that names the row (from Python
    3.11 on). Raises InputError for wrong input, and for a rule that returns what it must not.

    Examples
    --------
    >>> import equipoise, tempfile
    >>> @equipoise.edge_rule
    ... def two_apart(tail, head):
    ...     apart = tail.load - head.load
    ...     return (apart >= 2) * 1 - (apart <= -2) * 1
    >>> grid = {"networks": ["cycle:n=8", "torus:4x4"], "loads": ["uniform:tokens=100"],
    ...         "seeds": "1..3", "algorithms": ["threshold-2", "mine"]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = sweep(grid, csv=f"{folder}/study.csv", rules={"mine": two_apart})
    >>> done.rows
    12
    """
    is_text = isinstance(scenario, Mapping)
    if is_text and csv is None:
        raise InputError("sweep: expected csv, the file to write, with a mapping")
    given = (_scenario_text(scenario) if isinstance(scenario, Mapping)
             else plain("scenario", scenario))
    own_rules = {name: _own_rule(name, rule) for name, rule in _by_name("rules", rules)}
    own_networks = {name: _own_network(name, network)
                    for name, network in _by_name("networks", networks)}
    with Bar(progress) as bar:
        figures = _core.sweep(given, is_text, "" if csv is None else plain("csv", csv), own_rules,
                              own_networks, inputs.text("rules_version", rules_version) or "",
                              whole("threads", threads, 0, 4096), bar.count)
    return Sweep(**figures)


def _scenario_text(scenario: Mapping[str, Any]) -> str:
    """A scenario as JSON, in which ranges are lists."""
    def other(value: Any) -> Any:
        if isinstance(value, range):
            if len(value[:RANGE_MAX + 1]) > RANGE_MAX:
                raise InputError(f"scenario: expected at most {RANGE_MAX} numbers, found {value}")
            return list(value)
        if hasattr(value, "_equipoise_algorithm"):
            raise InputError(f"scenario: expected the names of algorithms, found {shown(value)}: "
                             "give the rule as rules={NAME: RULE}, and its name here")
        if isinstance(value, Network) or is_graph(value):
            raise InputError(f"scenario: expected specs, files or names, found {shown(value)}: "
                             "give the network as networks={NAME: NETWORK}, and its name here")
        return value

    return inputs.json_of("scenario", scenario, other)


def _by_name(what: str, given: Mapping[str, Any] | None) -> list[tuple[str, Any]]:
    """What is given under names of its own."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise InputError(f"{what}: expected a mapping from names to {what}, found {shown(given)}")
    return [(plain(what, name), value) for name, value in given.items()]


def _own_rule(name: str, rule: Any) -> Any:
    if not hasattr(rule, "_equipoise_algorithm"):
        raise InputError(f"rules: expected a rule made with edge_rule, deal_rule or node_program "
                         f"for {name!r}, found {shown(rule)}")
    return rule


def _own_network(name: str, source: Any) -> _core.Network:
    try:
        return network_of(source)._handle
    except InputError as error:
        raise InputError(f"networks: {name!r}: {error}") from None
