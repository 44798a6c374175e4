#!/usr/bin/env python3
"""mpi4py with structured arrays: rows keep their order across ranks, and are cut by cost.

usage: mpirun -n 4 python3 mpi4py_arrays.py
"""

import numpy as np
from mpi4py import MPI

import equipoise.mpi

CELL = np.dtype([("number", "i8"), ("place", "f4", 2), ("kind", "S8")])
comm = MPI.COMM_WORLD


def first_cells():
    """Cells of this rank; the dense ones, on the middle ranks, cost more."""
    cells = np.zeros(250, CELL)
    cells["number"] = np.arange(250) + 250 * comm.rank
    cells["place"] = cells["number"][:, None] * [0.5, 0.25]
    dense = abs(cells["number"] - 125 * comm.size) < 100
    cells["kind"] = np.where(dense, b"dense", b"thin")
    return cells, np.where(dense, 12.5, 1.0 + cells["number"] % 3)


def shown(numbers):
    return ", ".join(f"{number:g}" for number in numbers)


def main():
    cells, costs = first_cells()
    before = comm.gather(costs.sum())

    # The glue begins.
    cells, costs = equipoise.mpi.rebalance(comm, cells, weights=costs, policy="keep-order")
    # The glue ends.

    loads = comm.gather(costs.sum())
    everywhere = comm.gather(cells)
    if comm.rank == 0:
        whole = np.concatenate(everywhere)
        assert (whole["number"] == np.arange(250 * comm.size)).all()
        assert (whole["place"] == whole["number"][:, None] * [0.5, 0.25]).all()
        print(f"costs of the ranks: {shown(before)}, and then {shown(loads)}")
        print(f"cells: {shown(map(len, everywhere))}, in order")


if __name__ == "__main__":
    main()
