"""Rows move within memory of the program's own: a field of a structured array, and a slice.

usage: mpirun -n 4 python3 rows_in_place.py
"""

import numpy as np
from mpi4py import MPI

import equipoise.mpi as balancer

ROOM = 1000
WORLD = MPI.COMM_WORLD

cells = np.zeros(ROOM, [("position", "f8", 3), ("scratch", "i4")])
charges = np.zeros((ROOM, 2), np.float32)[:, 0]
held = ROOM // WORLD.Get_size() * WORLD.Get_size() if WORLD.Get_rank() == 0 else 0
cells["position"][:held] = np.arange(held)[:, None]
cells["scratch"] = 7  # of this place, not of what is in it
charges[:held] = -np.arange(held)

plan = balancer.make_plan(WORLD, held, items_max=ROOM)
plan.move_within((cells["position"], charges))
held = plan.size_after
together = (cells["position"][:held, 0] == -charges[:held]).all() and (cells["scratch"] == 7).all()
whose = "their" if together else "others'"
print(f"rank {WORLD.Get_rank()}: {held} particles, with {whose} charges", flush=True)
