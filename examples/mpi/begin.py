"""Computes while items travel: the boundary of this rank's domain, which no item belongs to.

usage: mpirun -n 4 python3 begin.py
"""

import numpy as np
from mpi4py import MPI

import equipoise.mpi as balancer

WORLD = MPI.COMM_WORLD

items = np.ones(50 * WORLD.Get_size() if WORLD.Get_rank() == 0 else 0)  # all of them on rank 0
plan = balancer.make_plan(WORLD, len(items))
moving = plan.begin(items)
numbers = np.arange(1, 1001)
boundary = np.sum(1 / (numbers * (numbers + 1)))  # anything but what changes `items`
items = moving.wait()
print(f"rank {WORLD.Get_rank()}: {items.sum():g} items, boundary {boundary:.2f}", flush=True)
