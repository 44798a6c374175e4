"""Pictures of runs and studies, made with matplotlib."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from equipoise import _core
from equipoise._core import run_colours
from equipoise.errors import InputError

if TYPE_CHECKING:
    import matplotlib.animation
    import matplotlib.axes
    import matplotlib.lines
    from matplotlib.axis import Axis

    from equipoise.results import Run

LINKS_DRAWN_MAX = 20_000
MARKERS = "os^Dv*PH"
#: The part of a logarithmic axis that is linear, so that 0 has a place.
ZERO_PART = 0.05


def _marker(number: int) -> str:
    return MARKERS[(number + number // len(MARKERS)) % len(MARKERS)]


def _colour(number: int) -> str:
    return run_colours[number % len(run_colours)]


def _thin(value: float, thinned: int) -> str:
    """The name of a tick: of powers of ten, each `thinned`-th."""
    if thinned > 1 and value > 0 and round(math.log10(value)) % thinned:
        return ""
    return f"{value:,.0f}" if value >= 1 or value == 0 else f"{value:g}"


def _scale(axis: Axis, least: float, most: float, unit: float = 1.0) -> None:
    """A logarithmic axis with a tick at each power of ten; if something is below `unit`, it is
    linear from 0 to `unit`, a piece that takes a twentieth of it."""
    from matplotlib import ticker

    setter = axis.axes.set_xscale if axis.axis_name == "x" else axis.axes.set_yscale
    first = unit if least < unit else 10.0 ** math.floor(math.log10(least) + 1e-9)
    powers = [first * 10.0**k for k in range(1 + max(0, math.floor(
        math.log10(max(most, first) / first) + 1e-9)))]
    decades = max(1.0, math.log10(max(most, first) / first))
    if least < unit:
        # Of matplotlib's: 0.9 times the decades that the piece is as long as.
        setter("symlog", linthresh=unit, linscale=0.9 * ZERO_PART / (1 - ZERO_PART) * decades)
        powers.insert(0, 0.0)
    else:
        setter("log")
    # Few powers of ten have too few names.
    named = (2, 5) if decades < 2 else ()
    axis.set_major_locator(ticker.FixedLocator(
        powers + [factor * power for power in powers for factor in named if power > 0]))
    axis.set_minor_locator(ticker.FixedLocator(
        [factor * power for power in powers for factor in range(2, 10)
         if power > 0 and factor not in named]))
    thinned = math.ceil(decades / 7) if axis.axis_name == "x" else 1
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: _thin(value, thinned)))
    axis.set_minor_formatter(ticker.NullFormatter())


def plot_runs(runs: Sequence[Run], ax: matplotlib.axes.Axes | None = None) -> Any:
    """Discrepancies over steps, both axes logarithmic; promises dashed, in the run's colour; the
    fewest steps possible dotted. Colours, markers and words are those of `equipoise plot`. Each
    model has axes of its own, since steps of different models are not comparable: those of one
    model are returned, those of several as an array. `ax` is for runs of one model."""
    from matplotlib import pyplot

    models = list(dict.fromkeys(run.model for run in runs)) or [""]
    if len(models) > 1 and ax is not None:
        raise InputError(f"ax: these runs are of {len(models)} models ({', '.join(models)}), whose "
                         "steps are not comparable: expected none, for a panel each")
    height = 4.0 if len(models) == 1 else 1 + 2.6 * len(models)
    panels = [ax] if ax is not None else list(pyplot.subplots(
        len(models), figsize=(7, height), layout="constrained", squeeze=False)[1][:, 0])
    for panel, model in zip(panels, models):
        _plot_model(panel, [(number, run) for number, run in enumerate(runs) if run.model == model])
    if runs:
        panels[0].set_title(runs[0].network.name)
    return panels[0] if len(panels) == 1 else np.array(panels)


def _plot_model(ax: matplotlib.axes.Axes, runs: Sequence[tuple[int, Run]]) -> None:
    from matplotlib import lines

    some_promised = False
    fewest = {run.optimum["steps"] for _, run in runs if "steps" in run.optimum}
    least, most, steps_most = math.inf, 1.0, 1.0
    for number, run in runs:
        history = run.history
        promised = run.guarantee
        colour = _colour(number)
        marker = _marker(number)
        (line,) = ax.plot(history.steps, history.discrepancy, color=colour, marker=marker,
                          markersize=5, markevery=(0.03 * (number % 4), 0.12), label=run.algorithm)
        ax.plot(history.steps[-1:], history.discrepancy[-1:], marker, color=colour,
                fillstyle="full" if run.reached else "none", clip_on=False)
        least = min(least, float(history.discrepancy.min()))
        most = max(most, float(history.discrepancy.max()))
        steps_most = max(steps_most, float(history.steps[-1]))
        if promised is not None and promised.discrepancy is not None:
            ax.axhline(promised.discrepancy, color=line.get_color(), linestyle="--", linewidth=1)
            least = min(least, promised.discrepancy)
            some_promised = True
    for steps in fewest:
        ax.axvline(steps, color="0.4", linestyle=":", linewidth=1.5)
    if not runs:
        least = 0
    _scale(ax.xaxis, 0, steps_most)
    _scale(ax.yaxis, least, most)
    ax.set_xlim(left=0)
    ax.set_ylim(0 if least < 1 else 0.8 * least, 1.5 * most)
    _plain(ax)
    model = runs[0][1].model if runs else ""
    ax.set_xlabel(f"steps ({model})" if model else "steps")
    ax.set_ylabel("discrepancy (tokens)")
    if runs:
        keys = ax.get_legend_handles_labels()[0]
        if some_promised:
            keys.append(_promised_key())
        if fewest:
            keys.append(lines.Line2D([], [], color="0.4", linestyle=":", linewidth=1.5,
                                     label="best possible"))
        ax.legend(handles=keys)


def _plain(ax: matplotlib.axes.Axes) -> None:
    ax.grid(color="0.9")
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def _promised_key() -> matplotlib.lines.Line2D:
    from matplotlib import lines

    return lines.Line2D([], [], color="0.4", linestyle="--", linewidth=1,
                        label="promised by a theorem")


def plot_study(path: str, options: dict[str, Any], names: dict[str, str], promises: bool,
               ax: matplotlib.axes.Axes | None) -> Any:
    """The figure of a study, as `equipoise plot STUDY.csv` draws it; see `Sweep.plot`."""
    from matplotlib import pyplot

    figure = _core.figure(path, options)
    panels = figure["panels"]
    if len(panels) > 1 and ax is not None:
        raise InputError(f"ax: the figure has {len(panels)} panels: expected none with a facet of "
                         "several values")
    columns = min(3, len(panels))
    if ax is not None:
        axes = [ax]
    else:
        rows = -(-len(panels) // columns)
        size = (5.5, 3.6) if len(panels) == 1 else (2.6 + 2.6 * columns, 0.8 + 2.4 * rows)
        if _are_long(figure["categories"], columns):
            size = (size[0], size[1] + 1.2)
        grid = pyplot.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False,
                               sharex=True, sharey=True)[1].ravel()
        axes = list(grid[:len(panels)])
        for empty in grid[len(panels):]:
            empty.set_visible(False)
        for above in axes[-columns:]:
            above.tick_params(labelbottom=True)
    drawn = _Drawn(figure, options["marks"], names, promises)
    for one, (name, curves) in zip(axes, panels):
        drawn.panel(one, names.get(name, name), curves)
    drawn.finish(axes, columns)
    return axes[0] if len(axes) == 1 else np.array(axes)


def _are_long(names: Sequence[str], columns: int) -> bool:
    """Whether the names of categories have no room side by side."""
    return bool(names) and max(map(len, names)) * len(names) > 60 / columns


class _Drawn:
    """A figure of a study on matplotlib's axes."""

    def __init__(self, figure: dict[str, Any], marks: str, names: dict[str, str],
                 promises: bool) -> None:
        self.figure = figure
        self.marks = marks
        self.names = names
        self.promises = promises
        # Names that are given come first, as in the legend of `equipoise plot --names`.
        order = sorted(range(len(figure["curves"])), key=self._rank)
        self.place = {number: place for place, number in enumerate(order)}
        self.some_promised = False
        all_marks = [mark for _, curves in figure["panels"] for _, marks_of in curves
                     for mark in marks_of if mark["centre"] is not None]
        self.most = max((mark[key] for mark in all_marks for key in ("centre", "high", "largest")
                         if mark[key] is not None and (key != "largest" or marks == "boxes")),
                        default=1.0)
        self.far = self._far_promises()
        self.values = [mark[key] for _, curves in figure["panels"] for number, marks_of in curves
                       for mark in marks_of if mark["centre"] is not None
                       for key in self._keys(number) if mark[key] is not None]
        self.at = [mark["at"] for mark in all_marks]

    def _rank(self, number: int) -> int:
        given = list(self.names)
        name = self.figure["curves"][number]
        return given.index(name) if name in self.names else len(given)

    def _keys(self, number: int) -> list[str]:
        keys = ["centre", "low", "high"] + ["least", "largest"] * (self.marks == "boxes")
        return keys + ["promised"] * (self.promises and number not in self.far)

    def _far_promises(self) -> set[int]:
        """Curves whose promises lie far beyond what is drawn."""
        factor = 10 if self.figure["y_log"] else 4 / 3
        return {number for _, curves in self.figure["panels"] for number, marks in curves
                for mark in marks if (mark["promised"] or 0) > factor * self.most}

    def _beside(self, number: int) -> float:
        """How far marks that stand side by side are moved, in places of categories."""
        count = len(self.figure["curves"])
        return 0.8 * (self.place[number] - (count - 1) / 2) / count

    def panel(self, ax: matplotlib.axes.Axes, title: str, curves: Any) -> None:
        if title:
            ax.set_title(title, fontsize="medium")
        for number, marks in sorted(curves, key=lambda curve: self.place[curve[0]]):
            self._curve(ax, number, [mark for mark in marks if mark["centre"] is not None])
        _plain(ax)

    def _curve(self, ax: matplotlib.axes.Axes, number: int, marks: list[dict[str, Any]]) -> None:
        name = self.figure["curves"][number]
        look = {"color": _colour(self.place[number]), "marker": _marker(self.place[number]),
                "markersize": 5, "label": self.names.get(name, name)}
        categories = bool(self.figure["categories"])
        moved = self._beside(number) if categories else 0.0
        at = np.array([mark["at"] for mark in marks]) + moved
        centre = np.array([mark["centre"] for mark in marks])
        low, high = (np.array([np.nan if mark[end] is None else mark[end] for mark in marks],
                              dtype=float) for end in ("low", "high"))
        if not marks:
            return
        if self.marks == "boxes":
            self._boxes(ax, number, marks, at, look)
        elif self.marks == "points" or categories:
            spread = [centre - low, high - centre]
            ax.errorbar(at, centre, yerr=None if np.isnan(low).all() else spread, linestyle="",
                        capsize=2.5, elinewidth=1, **look)
        else:
            ax.plot(at, centre, **look)
            if not np.isnan(low).all():
                ax.fill_between(at, low, high, color=look["color"], alpha=0.18, linewidth=0)
        lacking = [k for k, mark in enumerate(marks) if mark["cut_short"]]
        if lacking and self.marks != "boxes":
            ax.plot(at[lacking], centre[lacking], linestyle="", color=look["color"],
                    marker=look["marker"], markersize=5, markerfacecolor="white", zorder=3)
        if not self.promises or number in self.far:
            return
        promised = np.array([np.nan if mark["promised"] is None else mark["promised"]
                             for mark in marks], dtype=float)
        if np.isnan(promised).all():
            return
        self.some_promised = True
        if categories:
            half = 0.4 / len(self.figure["curves"])
            ax.hlines(promised, at - half, at + half, colors=look["color"], linestyles="--",
                      linewidth=1)
        else:
            ax.plot(at, promised, color=look["color"], linestyle="--", linewidth=1)

    def _boxes(self, ax: matplotlib.axes.Axes, number: int, marks: list[dict[str, Any]], at: Any,
               look: dict[str, Any]) -> None:
        boxes = [{"med": mark["centre"], "q1": mark["low"], "q3": mark["high"],
                  "whislo": mark["least"], "whishi": mark["largest"]} for mark in marks]
        colour = look["color"]
        count = len(self.figure["curves"])
        if self.figure["categories"]:
            widths: Any = 0.62 / count
        elif self.figure["x_log"]:
            widths = 0.14 * at
        else:
            places = np.unique(self.at)
            widths = 0.3 * (np.diff(places).min() if len(places) > 1 else 1.0)
        lines = {"color": colour, "linewidth": 1.1}
        ax.bxp(boxes, positions=at, widths=widths, showfliers=False, patch_artist=True,
               manage_ticks=False, boxprops={"facecolor": colour + "40", "edgecolor": colour},
               medianprops=lines, whiskerprops=lines, capprops=lines)
        ax.plot([], [], linestyle="", **look)

    def finish(self, axes: list[matplotlib.axes.Axes], columns: int) -> None:
        figure = self.figure
        for ax in axes:
            if figure["categories"]:
                labels = [self.names.get(name, name) for name in figure["categories"]]
                long = _are_long(labels, columns)
                ax.set_xticks(range(len(labels)), labels, rotation=35 if long else 0,
                              ha="right" if long else "center")
            elif figure["x_log"]:
                _scale(ax.xaxis, min(self.at), max(self.at), self._unit(self.at))
            if figure["y_log"]:
                inside = [value for value in self.values if value >= 0]
                _scale(ax.yaxis, min(inside), max(inside), self._unit(inside))
                if min(self.values) < 0:
                    ax.set_ylim(bottom=min(inside))
        grid = axes[0].get_subplotspec()
        last_row = None if grid is None else grid.get_gridspec().nrows - 1
        for ax in axes:
            spot = ax.get_subplotspec()
            if spot is None or spot.rowspan.stop - 1 == last_row:
                ax.set_xlabel(figure["x_title"])
            if spot is None or spot.colspan.start == 0:
                ax.set_ylabel(figure["y_title"])
        keys = axes[0].get_legend_handles_labels()[0]
        if self.some_promised:
            keys.append(_promised_key())
        if len(figure["curves"]) > 1 or self.some_promised:
            # Beside several panels; inside a single one, where it covers least.
            place = {"loc": "upper left", "bbox_to_anchor": (1.02, 1)} if len(axes) > 1 else {}
            axes[columns - 1].legend(handles=keys, fontsize="small", **place)

    @staticmethod
    def _unit(values: list[float]) -> float:
        positive = [value for value in values if value > 0]
        least = min(positive, default=1.0)
        return 1.0 if least >= 1 else 10.0 ** math.floor(math.log10(least) + 1e-9)


def _places(run: Run) -> Any:
    """Node positions: the network's own, else NetworkX's spring layout."""
    network = run.network
    if network.positions is not None:
        return network.positions
    if network.node_count > 2000:
        raise InputError("animate: expected positions for a network of more than 2000 nodes")
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(network.node_count))
    graph.add_edges_from(network.links.tolist())
    places = networkx.spring_layout(graph, seed=0)
    return np.array([places[node] for node in range(network.node_count)])


def animate(run: Run, most: int) -> matplotlib.animation.FuncAnimation:
    """The nodes coloured by load over time."""
    from matplotlib import animation, collections, colors, pyplot

    steps, loads = run.frames(most)
    places = _places(run)
    figure, ax = pyplot.subplots()
    ax.set_axis_off()
    ax.set_aspect("equal")
    if run.network.link_count <= LINKS_DRAWN_MAX:
        ax.add_collection(collections.LineCollection(places[run.network.links], colors="0.8",
                                                     linewidths=0.5, zorder=0))
    # Logarithmic from 1 on, as curves are: one full node must not leave all others the same colour.
    norm = colors.SymLogNorm(linthresh=1, vmin=float(loads.min()), vmax=float(loads.max()))
    nodes = ax.scatter(places[:, 0], places[:, 1], c=loads[0], norm=norm, zorder=1)
    figure.colorbar(nodes, label="tokens", format="{x:,.0f}")

    def show(moment: int) -> list[Any]:
        nodes.set_array(loads[moment])
        ax.set_title(f"{run.algorithm}, step {int(steps[moment]):,}")
        return [nodes]

    return animation.FuncAnimation(figure, show, frames=len(steps), interval=80)
