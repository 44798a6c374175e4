#!/usr/bin/env python3
"""Three algorithms spread tokens from one node of a torus: a moving picture.

usage: levelling.py [PICTURE.gif]
"""

import sys
from typing import Any

import matplotlib
from matplotlib import animation, colors, figure

import equipoise

ALGORITHMS = ["threshold-2", "dimension-exchange", "deal-agreement-3"]
SIDE = 24
MOMENTS = 40


def moving_picture(runs: list[equipoise.Run]) -> animation.FuncAnimation:
    """The loads of every run, coloured on a logarithmic scale; all runs end with the last frame."""
    sheet = figure.Figure(figsize=(9, 3.4), layout="constrained")
    frames = [run.frames(MOMENTS) for run in runs]
    scale = colors.LogNorm(vmin=1, vmax=2000, clip=True)
    pictures: list[Any] = []
    for axes, run, (_, loads) in zip(sheet.subplots(1, len(runs)), runs, frames):
        axes.set_axis_off()
        axes.set_title(run.algorithm)
        note = axes.text(0.5, -0.07, "", transform=axes.transAxes, ha="center")
        pictures.append((axes.imshow(loads[0].reshape(SIDE, SIDE), norm=scale), note))

    def show(moment: int) -> list[Any]:
        for (picture, note), (steps, loads) in zip(pictures, frames):
            at = min(moment, len(steps) - 1)
            picture.set_data(loads[at].reshape(SIDE, SIDE))
            note.set_text(f"step {steps[at]:,}: {loads[at].min():,} to {loads[at].max():,} tokens")
        return []

    return animation.FuncAnimation(sheet, show, frames=MOMENTS)


def main(arguments: list[str]) -> int:
    matplotlib.use("Agg")
    torus = f"torus:{SIDE}x{SIDE}"
    table = equipoise.compare(ALGORITHMS, network=torus, loads="spike:tokens=20000,node=300")
    print(table)
    if arguments:
        writer = animation.PillowWriter(fps=8)
        moving_picture([table[name] for name in ALGORITHMS]).save(arguments[0], writer, dpi=80)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
