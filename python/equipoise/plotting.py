"""Pictures of runs, made with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from equipoise._core import run_colours
from equipoise.errors import InputError

if TYPE_CHECKING:
    import matplotlib.animation
    import matplotlib.axes

    from equipoise.results import Run

LINKS_DRAWN_MAX = 20_000
MARKERS = "os^Dv*PH"


def plot_runs(runs: Sequence[Run], ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
    """Discrepancies over steps, both axes logarithmic from 1 on; promises dashed, in the run's
    colour; the fewest steps possible dotted. Colours, markers and words are those of `equipoise
    plot`."""
    from matplotlib import lines, pyplot, ticker

    if ax is None:
        ax = pyplot.subplots(figsize=(7, 4), layout="constrained")[1]
    some_promised = False
    fewest = {run.optimum["steps"] for run in runs if "steps" in run.optimum}
    for number, run in enumerate(runs):
        history = run.history
        promised = run.guarantee
        colour = run_colours[number % len(run_colours)]
        marker = MARKERS[(number + number // len(MARKERS)) % len(MARKERS)]
        (line,) = ax.plot(history.steps, history.discrepancy, color=colour, marker=marker,
                          markersize=5, markevery=(0.03 * (number % 4), 0.12), label=run.algorithm)
        ax.plot(history.steps[-1:], history.discrepancy[-1:], marker, color=colour,
                fillstyle="full" if run.reached else "none", clip_on=False)
        if promised is not None and promised.discrepancy is not None:
            ax.axhline(promised.discrepancy, color=line.get_color(), linestyle="--", linewidth=1)
            some_promised = True
    for steps in fewest:
        ax.axvline(steps, color="0.4", linestyle=":", linewidth=1.5)
    ax.set_xscale("symlog", linthresh=1, linscale=0.5)
    ax.set_yscale("symlog", linthresh=1, linscale=0.5)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
    ax.set_xlim(left=0)
    ax.set_ylim(0, 1.5 * max([1, *(float(run.history.discrepancy.max()) for run in runs)]))
    ax.grid(color="0.9")
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    models = {run.model for run in runs}
    ax.set_xlabel(f"steps ({models.pop()})" if len(models) == 1 else "steps")
    ax.set_ylabel("discrepancy (tokens)")
    if runs:
        ax.set_title(runs[0].network.name)
        keys = ax.get_legend_handles_labels()[0]
        if some_promised:
            keys.append(lines.Line2D([], [], color="0.4", linestyle="--", linewidth=1,
                                     label="promised by a theorem"))
        if fewest:
            keys.append(lines.Line2D([], [], color="0.4", linestyle=":", linewidth=1.5,
                                     label="best possible"))
        ax.legend(handles=keys)
    return ax


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
