#!/usr/bin/env python3
"""An algorithm of one's own beside the built-in ones: pairs that share what both have.

usage: own_rule.py [PICTURE]
"""

import sys

import numpy as np
from numpy.typing import NDArray

import equipoise
from equipoise.rules import Ends, Links, Moment


@equipoise.edge_rule(links="random-matchings")
def share(tail: Ends, head: Ends, link: Links, now: Moment) -> NDArray[np.int64]:
    """Half of the difference, rounded towards zero, over the links of a random matching."""
    apart = tail.load - head.load
    flow: NDArray[np.int64] = np.sign(apart) * (abs(apart) // 2)
    return flow


def main(arguments: list[str]) -> int:
    table = equipoise.compare([share, "coin-averaging", "threshold-2"], network="torus:16x16",
                              loads="spike:tokens=25600", seed=1)
    print(table)
    run = table["share"]
    print(f"{run.algorithm}: discrepancy {run.discrepancy} after {run.steps} steps; "
          f"its record {'passes' if equipoise.verify(run) else 'fails'}")
    if arguments:
        table.plot().figure.savefig(arguments[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
