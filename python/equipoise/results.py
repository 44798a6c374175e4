"""What the verbs return."""

from __future__ import annotations

import functools
import html
import json
import os
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from equipoise import _core
from equipoise.errors import InputError
from equipoise.networks import Integers, Network, plain, whole

if TYPE_CHECKING:
    import matplotlib.animation
    import matplotlib.axes
    import networkx
    import pandas

Loads = NDArray[Any]
#: Nodes up to which a notebook shows the page of a run.
PAGE_NODES_MAX = 2000


def object_of(text: str) -> dict[str, Any]:
    """The object that a JSON string holds."""
    found: dict[str, Any] = json.loads(text)
    return found


class LoadsByNode(Mapping[Hashable, Any]):
    """Loads by the caller's names of nodes; `numpy.asarray` gives the array."""

    def __init__(self, network: Network, loads: Loads) -> None:
        self._network = network
        self._loads = loads

    def __getitem__(self, node: Hashable) -> Any:
        try:
            return self._loads[self._network.number(node)].item()
        except InputError as error:
            raise KeyError(str(error)) from None

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._network.nodes)

    def __len__(self) -> int:
        return len(self._loads)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Loads:
        return np.array(self._loads, dtype=dtype)

    def __repr__(self) -> str:
        shown = ", ".join(f"{node!r}: {load}" for node, load in zip(self, self._loads[:6].tolist()))
        return "{" + shown + (", ..." if len(self) > 6 else "") + "}"


@dataclass(frozen=True)
class Guarantee:
    """What a theorem promises for a run: a discrepancy of at most this many tokens, after at most
    this many steps; None where it promises nothing."""

    source: str
    discrepancy: float | None = None
    steps: int | None = None


@dataclass(frozen=True)
class History:
    """A run at some moments, the first and the last among them; arrays of one length.

    `moved` counts link crossings of tokens so far; it is NaN except at the first and last moment
    unless the record is full.
    """

    steps: NDArray[np.uint64]
    discrepancy: NDArray[Any]
    potential: NDArray[np.float64]
    moved: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"<History: {len(self.steps)} moments up to step {int(self.steps[-1]):,}>"


class Run:
    """A run that has ended. Loads and discrepancies are in tokens; those of continuous processes
    are floats. `level_since` is the first step after which the discrepancy stayed as it is at the
    end, 0 if it was so from the start; None where this is not known.

    >>> import equipoise
    >>> run = equipoise.run("threshold-2", network="path:n=4", loads=[9, 0, 0, 0])
    >>> run.loads[0], run.discrepancy, run.reached
    (3, 2, True)
    >>> run.level_since, run.steps
    (11, 13)
    """

    def __init__(self, handle: _core.Record, network: Network) -> None:
        self._handle = handle
        self.network = network
        self.algorithm = handle.algorithm
        self.parameters = handle.parameters
        self.model = handle.model
        self.seed = handle.seed
        self.steps = handle.steps
        self.rounds = handle.rounds
        self.messages = handle.messages
        self.reached = handle.reached
        self.stopped_because = handle.stopped_because
        self.seconds = handle.seconds
        self.exchanges = self._tokens(handle.exchanges)
        self.initial_discrepancy = self._tokens(handle.initial_discrepancy)
        self.discrepancy = self._tokens(handle.discrepancy)
        self.level_since = handle.level_since
        self.local_imbalance = self._tokens(handle.local_imbalance)

    def __reduce__(self) -> tuple[Any, ...]:
        return _run_again, (self._handle.to_json(), self.network)

    def _tokens(self, units: Any) -> Any:
        scale = self._handle.load_scale
        return units if scale == 1 else units / scale

    @property
    def initial_loads(self) -> Loads:
        """The loads at the beginning, by number of node."""
        return np.asarray(self._tokens(self._handle.initial_loads))

    @property
    def final_loads(self) -> Loads:
        """The loads at the end, by number of node."""
        return np.asarray(self._tokens(self._handle.final_loads))

    @functools.cached_property
    def loads(self) -> LoadsByNode:
        """The loads at the end, by the caller's names of nodes."""
        return LoadsByNode(self.network, self.final_loads)

    @property
    def guarantee(self) -> Guarantee | None:
        """What a theorem promises for this run, or None."""
        promised = self._handle.guarantee
        if not promised:
            return None
        if "discrepancy" in promised:
            promised["discrepancy"] = self._tokens(promised["discrepancy"])
        return Guarantee(**promised)

    @property
    def optimum(self) -> dict[str, int]:
        """The fewest `exchanges` and `steps` possible, if they were asked for (`optimum=True`) and
        the run can be compared with them; `steps` only if it moves single tokens."""
        return self._handle.optimum

    @property
    def kept(self) -> bool | None:
        """Whether what was promised came true; None if nothing was promised or the run was cut
        short."""
        return self._handle.kept

    @property
    def extremes(self) -> dict[str, Any] | None:
        """The `least` and the `most` tokens of any node at any time, and in how many steps the
        largest load rose and the least fell; None unless the record is full (`extremes=True`)."""
        return self.figures.get("extremes")

    @property
    def recovery(self) -> dict[str, Any] | None:
        """How the network became 1-balanced again after what came and went: `changes` that met a
        1-balanced network, how many it `recovered` from, in at most how many `steps`, with how
        many `adjusted` nodes at what `distance`, and whether loads stayed in range (`passage`);
        None unless the record is full and nodes or links came and went (`recovery=True`)."""
        return self.figures.get("recovery")

    @property
    def history(self) -> History:
        """Discrepancy, potential and tokens moved over the steps, at up to 1000 moments."""
        self._expect_moments("history")
        steps, discrepancy, potential, moved = self._handle.history(1000)
        scale = self._handle.load_scale
        return History(steps, self._tokens(discrepancy),
                       potential if scale == 1 else potential / scale**2, self._tokens(moved))

    def frames(self, most: int = 200) -> tuple[NDArray[np.uint64], Loads]:
        """Steps, shape (t,), and loads, shape (t, nodes), at up to `most` moments."""
        self._expect_moments("frames")
        most = max(2, min(whole("most", most, 1), 2**26 // max(1, self.network.node_count)))
        steps, loads = self._handle.frames(most)
        return np.array(steps, dtype=np.uint64), self._tokens(loads)

    def _expect_moments(self, what: str) -> None:
        if self._handle.level == "summary" and self.steps > 0:
            raise InputError(f'{what}: the record is a summary: expected record_level="sampled" or '
                             '"full"')

    @property
    def record(self) -> dict[str, Any]:
        """All that is known of the run, as `run --record` writes it (docs/how-to/formats.md)."""
        return object_of(self._handle.to_json())

    @property
    def figures(self) -> dict[str, Any]:
        """The figures of `equipoise run --json`."""
        return object_of(self._handle.figures())

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the record, for `equipoise verify`, `--replay`, `plot` and `report`."""
        self._handle.write(plain("path", path))

    def save_html(self, path: str | os.PathLike[str]) -> None:
        """Writes the page that shows the run in a browser."""
        _core.write_page([self._handle], plain("path", path))

    def to_dataframe(self) -> pandas.DataFrame:
        """The history as a pandas DataFrame, by steps."""
        import pandas

        history = self.history
        return pandas.DataFrame(
            {"discrepancy": history.discrepancy, "potential": history.potential,
             "moved": history.moved}, index=pandas.Index(history.steps, name="step"))

    def plot(self, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws the discrepancy over the steps, and what is promised as a dashed line."""
        from equipoise import plotting

        axes: matplotlib.axes.Axes = plotting.plot_runs([self], ax)
        return axes

    def animate(self, most: int = 100) -> matplotlib.animation.FuncAnimation:
        """The loads on the network over time, as a matplotlib animation."""
        from equipoise import plotting

        return plotting.animate(self, most)

    def _repr_html_(self) -> str:
        if self.network.node_count > PAGE_NODES_MAX or self._handle.level == "summary":
            return f"<pre>{html.escape(str(self))}</pre>"
        return framed(_core.page([self._handle]))

    def __str__(self) -> str:
        return self._handle.text()

    def __repr__(self) -> str:
        return (f"<Run {self.algorithm} on {self.network.name}: discrepancy {self.discrepancy}, "
                f"{self.steps:,} steps, {self.stopped_because}>")


def _run_again(record: str, network: Network) -> Run:
    """The run of a pickle."""
    return Run(_core.record_from_json(record), network)


def framed(page: str) -> str:
    """A page inside another one."""
    return (f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" width="100%" '
            'height="640" style="border:0"></iframe>')


class Comparison:
    """Runs of several algorithms on one instance: a sequence of runs, and their table.

    >>> import equipoise
    >>> found = equipoise.compare(["threshold-1", "threshold-2"], network="torus:4x4",
    ...                           loads="spike:tokens=100")
    >>> [run.algorithm for run in found]
    ['threshold-1', 'threshold-2']
    """

    def __init__(self, handle: _core.Comparison, runs: list[Run],
                 left_out: dict[str, list[str]], notes: list[str]) -> None:
        self._handle = handle
        self.runs = runs
        self.left_out = left_out
        self.notes = notes
        self.all_reached = handle.all_reached

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __getitem__(self, key: int | str) -> Run:
        """A run by its place or by the name of its algorithm."""
        if isinstance(key, str):
            for run in self.runs:
                if run.algorithm == key:
                    return run
            raise KeyError(key)
        return self.runs[key]

    @property
    def figures(self) -> dict[str, Any]:
        """The figures of `equipoise compare --json`."""
        return object_of(self._handle.to_json())

    def to_dataframe(self) -> pandas.DataFrame:
        """The figures of `equipoise compare --csv`, one row per run."""
        import io

        import pandas

        return pandas.read_csv(io.StringIO(self._handle.csv()), index_col="algorithm")

    def plot(self, ax: matplotlib.axes.Axes | None = None) -> Any:
        """Draws all discrepancies over the steps, and what is promised as dashed lines. Returns the
        axes; of runs of several models, whose steps are not comparable, an array of axes, one for
        each model."""
        from equipoise import plotting

        return plotting.plot_runs(self.runs, ax)

    def save_html(self, path: str | os.PathLike[str]) -> None:
        """Writes the page that shows all runs in a browser."""
        _core.write_page([run._handle for run in self.runs], plain("path", path))

    def _repr_html_(self) -> str:
        if not self.runs or self.runs[0].network.node_count > PAGE_NODES_MAX:
            return f"<pre>{html.escape(str(self))}</pre>"
        return framed(_core.page([run._handle for run in self.runs]))

    def __str__(self) -> str:
        return self._handle.text(False)

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(run.algorithm for run in self.runs) or 'nothing'}>"


class Plan:
    """A shortest schedule, and why none is shorter.

    It takes `steps` steps (None if none was found); no schedule takes fewer than `steps_at_least`.
    `exchanges` counts tokens times links crossed: the rows of `schedule`. At least `tokens_to_move`
    tokens have to leave their nodes. On networks of 10,000 nodes or more, and where there are more
    moves than 20,000,000 or than half of `memory` holds, the proof that the steps are enough is in
    `windows`, and `schedule`, if it has few enough moves, is made of them when it is first asked
    for.

    >>> import equipoise
    >>> plan = equipoise.plan(network="path:n=3", loads=[3, 0, 0])
    >>> plan.steps, plan.exact, plan.schedule.tolist()
    (2, True, [[0, 0, 1], [1, 0, 1], [1, 1, 2]])
    """

    def __init__(self, handle: _core.Plan, network: Network) -> None:
        self._handle = handle
        self.network = network
        self.steps = handle.at_most
        self.steps_at_least = handle.at_least
        self.bound = handle.bound
        self.exact = handle.exact
        self.exchanges = handle.exchanges
        self.tokens_to_move = handle.moves

    @property
    def certificate(self) -> str:
        """Why no schedule can be shorter, in words."""
        return self._handle.explain()

    @property
    def schedule(self) -> Integers:
        """The moves, one token each, shape (k, 3): step (from 0), source and destination node
        number."""
        self._expect_schedule()
        return self._handle.schedule

    @property
    def windows(self) -> Integers:
        """Who sends how many tokens when, shape (k, 5): source and destination node number, the
        first step (from 0), the number of steps, and the tokens sent in all of these steps, at a
        constant rate, a fraction as a rule."""
        if not self._handle.has_windows:
            raise InputError("windows: none were found: expected more memory or a target that can "
                             "be reached")
        return self._handle.windows

    @property
    def flows(self) -> networkx.DiGraph[Any]:
        """A NetworkX DiGraph of the network's nodes and the links that carry tokens; the edge
        attribute ``tokens`` says how many."""
        import networkx

        graph = networkx.DiGraph()
        graph.add_nodes_from(self.network.nodes)
        for tail, head, _, _, tokens in self.windows.tolist():
            ends = self.network.nodes[tail], self.network.nodes[head]
            before = graph.edges[ends]["tokens"] if graph.has_edge(*ends) else 0
            graph.add_edge(*ends, tokens=before + tokens)
        return graph

    @property
    def figures(self) -> dict[str, Any]:
        """The figures of `equipoise plan --json`."""
        return object_of(self._handle.to_json())

    def write_schedule(self, path: str | os.PathLike[str]) -> None:
        """Writes the moves to a CSV file, step,from,to."""
        self._expect_schedule()
        self._handle.write_schedule(plain("path", path))

    def write_windows(self, path: str | os.PathLike[str]) -> None:
        """Writes the problem, the windows and why fewer steps are too few to a JSON file, which
        `verify` checks."""
        self._handle.write_windows(plain("path", path))

    def _expect_schedule(self) -> None:
        self._handle.write_out_schedule()
        if not self._handle.schedule_written:
            raise InputError("schedule: none was written out: expected fewer moves, more memory or "
                             "a target that can be reached")

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._handle.text(True))}</pre>"

    def __str__(self) -> str:
        return self._handle.text(False)

    def __repr__(self) -> str:
        steps = self.steps if self.exact else f"at least {self.steps_at_least}"
        return f"<Plan for {self.network.name}: {steps} steps, {self.exchanges} exchanges>"


class Figures(Mapping[str, Any]):
    """A mapping with the keys of the command line's JSON; `str` is the text that it prints."""

    def __init__(self, figures: str, text: str) -> None:
        self._figures = object_of(figures)
        self._text = text

    def __getitem__(self, key: str) -> Any:
        return self._figures[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._figures)

    def __len__(self) -> int:
        return len(self._figures)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._text)}</pre>"

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(self)}>"


class Analysis(Figures):
    """What theory says about a network: a mapping with the keys of `equipoise analyze --json`."""


class Worst(Figures):
    """The loads that a search found: a mapping with the keys of `equipoise worst --json`, such as
    `worst`, itself a mapping with `value` and `loads`, by number of node.

    >>> import equipoise
    >>> found = equipoise.worst("deal-agreement-2", network="path:n=3", quantity="rounds")
    >>> found["worst"]["value"], found["all"], found["played"]
    (4, True, 61)
    """


class LoadTrace(Figures):
    """What levelling a trace of DARMA vt gains and moves: a mapping with the keys of `equipoise
    trace --json`. `loads_before` and `loads_after` are seconds, of shape (phases, ranks).

    >>> import equipoise
    >>> equipoise.trace()
    Traceback (most recent call last):
    equipoise.errors.InputError: trace: expected files or folders, found none
    """

    def __init__(self, figures: str, text: str, before: NDArray[np.float64],
                 after: NDArray[np.float64]) -> None:
        super().__init__(figures, text)
        self.loads_before = before
        self.loads_after = after


class Verification(Figures):
    """What was checked in a record: a mapping with the keys of `equipoise verify --json`; true if
    every check passed."""

    def __init__(self, passed: bool, figures: str, text: str) -> None:
        super().__init__(figures, text)
        self.passed = passed

    def __bool__(self) -> bool:
        return self.passed


class Conjecture:
    """Maximum stable discrepancies of complete k-ary trees beside the conjecture: one row per
    tree, a dict with the keys of `equipoise conjecture --json`."""

    def __init__(self, figures: str, text: str) -> None:
        # In JSON, numbers of any size are strings.
        self.rows: list[dict[str, Any]] = [
            {key: int(value) if key in ("nodes", "witness") else value
             for key, value in row.items()} for row in json.loads(figures)]
        self._json = figures
        self._text = text

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __getitem__(self, row: int) -> dict[str, Any]:
        return self.rows[row]

    def to_json(self) -> str:
        """The list that `equipoise verify` checks."""
        return self._json

    def to_dataframe(self) -> pandas.DataFrame:
        """The rows as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self.rows)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._text)}</pre>"

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Conjecture: {len(self.rows)} trees>"


class Algorithms(Mapping[str, "dict[str, Any]"]):
    """The algorithms by name, with all that is declared about them."""

    def __init__(self, sheets: str, text: str) -> None:
        self._sheets: dict[str, dict[str, Any]] = {
            sheet["name"]: sheet for sheet in json.loads(sheets)}
        self._text = text

    def __getitem__(self, name: str) -> dict[str, Any]:
        return self._sheets[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sheets)

    def __len__(self) -> int:
        return len(self._sheets)

    def describe(self, name: str) -> str:
        """The text of `equipoise algorithms NAME`. Raises InputError for an unknown name."""
        return _core.algorithms(plain("name", name))

    def to_dataframe(self) -> pandas.DataFrame:
        """A pandas DataFrame, one row per algorithm."""
        import pandas

        return pandas.DataFrame(list(self._sheets.values())).set_index("name")

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._text)}</pre>"

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Algorithms: {', '.join(self)}>"
