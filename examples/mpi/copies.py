"""Lends cells that are costly on one rank. What is lent is a copy: the cells stay where they are,
and only results, of a type of their own, come home.

usage: mpirun -n 4 python3 copies.py
"""

import numpy as np
from mpi4py import MPI

import equipoise.mpi as balancer

WORLD = MPI.COMM_WORLD

count = 100 if WORLD.Get_rank() == 0 else 10
cells = np.repeat(np.arange(count * 1.0)[:, None], 20, axis=1)
loan = balancer.lend(WORLD, cells)
results = (2 * loan.items[:, 0]).astype(np.float32)  # of own ones and borrowed ones
results = loan.give_back(results)
whose = "each its cell's" if np.array_equal(results, 2 * cells[:, 0]) else "mixed"
print(f"rank {WORLD.Get_rank()}: {len(results)} results, {whose}", flush=True)
