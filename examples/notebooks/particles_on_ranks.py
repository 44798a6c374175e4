#!/usr/bin/env python3
"""Particles that gather in a corner, levelled over the ranks of mpi4py.

usage: mpirun -n 4 python3 particles_on_ranks.py FOLDER

Writes FOLDER/held.npz: which rank held which particle before and afterwards.
"""

import pathlib
import sys

import numpy as np
from mpi4py import MPI

import equipoise.mpi

PARTICLE = np.dtype([("number", "i8"), ("place", "f8", 2), ("velocity", "f8", 2)])
COUNT = 20_000


def gathered(rank: int, ranks: int) -> np.ndarray:
    """The particles in this rank's stripe: most of all particles are near one corner."""
    random = np.random.default_rng(7)
    everywhere = np.zeros(COUNT, PARTICLE)
    everywhere["number"] = np.arange(COUNT)
    near = np.abs(random.normal(0, 0.22, (COUNT, 2)))
    everywhere["place"] = np.where(near < 1, near, random.random((COUNT, 2)))
    everywhere["velocity"] = random.normal(0, 1, (COUNT, 2))
    stripe = np.minimum((everywhere["place"][:, 0] * ranks).astype(int), ranks - 1)
    return everywhere[stripe == rank]


def along_a_curve(particles: np.ndarray) -> np.ndarray:
    """The particles in the order of Morton's curve, which keeps neighbours together."""
    cells = (particles["place"] * 1024).astype(np.uint64)
    key = np.zeros(len(particles), np.uint64)
    for bit in range(10):
        for axis in range(2):
            key |= (cells[:, axis] >> np.uint64(bit) & np.uint64(1)) << np.uint64(2 * bit + axis)
    return particles[np.argsort(key)]


def main() -> None:
    comm = MPI.COMM_WORLD
    particles = along_a_curve(gathered(comm.rank, comm.size))
    held = {"before": particles}
    for policy in ["minimum-moves", "keep-order"]:
        plan = equipoise.mpi.make_plan(comm, len(particles), policy=policy)
        held[policy] = plan.move(particles)
        if comm.rank == 0:
            print(f"{policy}: {plan.moved:,} particles move in {plan.report.messages} messages")

    # To be drawn: all particles on rank 0, with the rank that holds them.
    drawn = {}
    for key, own in held.items():
        rows = np.zeros(len(own), [("rank", "i4"), ("place", "f4", 2)])
        rows["rank"], rows["place"] = comm.rank, own["place"]
        parts = comm.gather(rows)
        if parts:
            drawn[key] = np.concatenate(parts)
    if comm.rank == 0:
        np.savez(pathlib.Path(sys.argv[1]) / "held.npz", **drawn)


if __name__ == "__main__":
    main()
