#!/usr/bin/env python3
"""Draws the step times that examples/particles_in_a_box.cpp writes.

usage: step_times.py times.csv picture.svg
"""

import sys

import matplotlib
import pandas

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def main() -> None:
    times = pandas.read_csv(sys.argv[1])
    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    styles = {"none": ("#555555", "-"), "rebalance": ("#0b7a75", "-"), "lend": ("#d1495b", "--"),
              "advisor": ("#2e5fa3", ":")}
    for way, (colour, style) in styles.items():
        steps = times[times["way"] == way]
        axes.plot(steps["step"], steps["milliseconds"], style, color=colour, label=way)
    axes.set_yscale("log")
    axes.set_yticks([0.3, 1, 3, 10], ["0.3", "1", "3", "10"])
    axes.minorticks_off()
    axes.set_xlabel("step")
    axes.set_ylabel("processor time of\nthe busiest rank (ms)")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    plt.rcParams["svg.hashsalt"] = "equipoise"
    figure.savefig(sys.argv[2], metadata={"Date": None} if sys.argv[2].endswith(".svg") else None)


if __name__ == "__main__":
    main()
