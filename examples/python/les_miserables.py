#!/usr/bin/env python3
"""Tokens of Les Miserables: a NetworkX graph, levelled by two algorithms and planned.

usage: les_miserables.py [PICTURE]
"""

import sys

import networkx

import equipoise


def main(arguments: list[str]) -> int:
    graph = networkx.les_miserables_graph()
    network = equipoise.Network(graph)
    loads = {"Valjean": 770}

    table = equipoise.compare(["threshold-2", "discrepancy-1"], network=network, loads=loads)
    print(table)
    run = table["discrepancy-1"]
    fullest = max(run.loads, key=lambda name: int(run.loads[name]))
    print(f"{fullest} ends with {run.loads[fullest]} tokens; promised: {run.guarantee}")

    plan = equipoise.plan(network=network, loads=loads)
    print(plan)
    if arguments:
        table.plot().figure.savefig(arguments[0])
    return 0 if run.kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
