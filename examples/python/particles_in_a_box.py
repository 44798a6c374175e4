#!/usr/bin/env python3
"""Particles in a box with collisions, crowded by gravity into a corner, on the ranks of mpi4py.

usage: mpirun -n 4 python3 particles_in_a_box.py [STEPS]

The main loop of examples/particles_in_a_box.cpp: cells of the box are the work, and any rank can
do it. Prints the sums over all steps of the largest rank's processor time.
"""

import hashlib
import sys
import time

import numpy as np
from mpi4py import MPI

import equipoise.mpi

PARTICLE = np.dtype([("number", "i8"), ("place", "f8", 2), ("velocity", "f8", 2)])
SIDE = 32  # cells
COUNT = 6_000
DIAMETER, TIME_STEP, GRAVITY = 0.002, 0.01, -1.0

comm = MPI.COMM_WORLD


def cell_of(places):
    """The numbers of the cells that hold these places."""
    column, row = np.clip((places * SIDE).astype(int), 0, SIDE - 1).T
    return row * SIDE + column


def filled_box():
    """All particles; gravity has been at work for long."""
    random = np.random.default_rng(7)
    everywhere = np.zeros(COUNT, PARTICLE)
    everywhere["number"] = np.arange(COUNT)
    everywhere["place"] = np.minimum(random.exponential(0.1, (COUNT, 2)), 0.999)
    everywhere["velocity"] = random.uniform(-0.5, 0.5, (COUNT, 2))
    return everywhere


def home_of(cells, box):
    """The ranks in whose blocks cells lie."""
    sides = np.array(box.dims)
    at = np.stack([cells % SIDE, cells // SIDE], axis=-1) * sides // SIDE
    return at[..., 0] * sides[1] + at[..., 1]


def advance(particles):
    """One step of one cell: near pairs that approach each other collide, then all move on."""
    particles.sort(order="number")
    place, velocity = particles["place"], particles["velocity"]
    apart = place[None, :] - place[:, None]
    squared = (apart**2).sum(axis=-1)
    for a, b in np.argwhere(np.triu((squared < DIAMETER**2) & (squared > 0), 1)):
        closing = (velocity[b] - velocity[a]) @ apart[a, b]
        if closing < 0:
            exchanged = closing / squared[a, b] * apart[a, b]
            velocity[a] += exchanged
            velocity[b] -= exchanged
    velocity += TIME_STEP * GRAVITY
    place += TIME_STEP * velocity
    velocity[(place < 0) | (place > 1)] *= -1
    place[:] = np.clip(np.where(place > 1, 2 - place, np.abs(place)), 0, 1)


def work(cells):
    """Processor seconds of one step on these cells."""
    started = time.process_time()
    for _, particles in cells:
        advance(particles)
    return time.process_time() - started


def costs_of(cells):
    """Pairs to look at and particles to move, in units of about one particle."""
    return np.array([1 + len(particles) + len(particles)**2 / 40 for _, particles in cells])


def hand_over(cells, holder):
    """Particles that left their cell go to whoever holds the cell that they are in now."""
    leaving = [[np.empty(0, PARTICLE)] for _ in range(comm.size)]
    for at, (number, particles) in enumerate(cells):
        now = cell_of(particles["place"])
        for cell in np.unique(now[now != number]):
            leaving[holder[cell]].append(particles[now == cell])
        cells[at] = (number, particles[now == number])
    arrived = np.concatenate(comm.alltoall([np.concatenate(parts) for parts in leaving]))
    now = cell_of(arrived["place"])
    for at, (number, particles) in enumerate(cells):
        if (now == number).any():
            cells[at] = (number, np.concatenate([particles, arrived[now == number]]))


def announced(cells):
    """Who holds which cell."""
    holder = np.empty(SIDE * SIDE, int)
    for rank, numbers in enumerate(comm.allgather([number for number, _ in cells])):
        holder[numbers] = rank
    return holder
