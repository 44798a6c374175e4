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
SIDE = 64  # cells
COUNT = 12_000
DIAMETER, TIME_STEP, GRAVITY = 0.001, 0.01, -1.0

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
        if len(particles) > 0:
            advance(particles)
    return time.process_time() - started


def costs_of(cells):
    """Calls of NumPy, and pairs to look at: as many as 2,000 cost what the calls do."""
    return np.array([len(particles) > 0 and 1 + len(particles)**2 / 2_000
                     for _, particles in cells])


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


def digest(cells):
    """The same for the same particles, whoever holds them."""
    held = np.concatenate([np.empty(0, PARTICLE), *(particles for _, particles in cells)])
    everywhere = np.concatenate(comm.allgather(held))
    everywhere.sort(order="number")
    return hashlib.sha256(everywhere.tobytes()).hexdigest()


def rebalanced(cells):
    """The cells of this rank after all ranks have levelled their costs, and who holds which."""
    cells, _ = equipoise.mpi.rebalance(comm, cells, weights=costs_of(cells), tolerance=0.05)
    return cells, announced(cells)


def play(way, steps):
    """Seconds of the busiest rank, summed over the steps; and what the particles are in the end."""
    box = comm.Create_cart(MPI.Compute_dims(comm.size, 2))
    everywhere = filled_box()
    cells = cell_of(everywhere["place"])
    holder = home_of(np.arange(SIDE * SIDE), box)
    mine = [(cell, everywhere[cells == cell]) for cell in np.flatnonzero(holder == comm.rank)]
    advisor = equipoise.mpi.Advisor(comm)
    busiest = 0.0
    for _ in range(steps):
        if way == "rebalance":
            mine, holder = rebalanced(mine)
        if way == "lend":
            loan = equipoise.mpi.lend(comm, mine, weights=costs_of(mine), tolerance=0.05)
            seconds = work(loan.items)
            mine = loan.give_back()
        else:
            seconds = work(mine)
        busiest += comm.allreduce(seconds, MPI.MAX)
        hand_over(mine, holder)
        if way == "advisor":
            advisor.step(seconds)
            if advisor.worth_it():
                with advisor.balancing():
                    mine, holder = rebalanced(mine)
    box.Free()
    return busiest, digest(mine)


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    plain = play("none", steps)
    for way in ["none", "rebalance", "lend", "advisor"]:
        busiest, particles = plain if way == "none" else play(way, steps)
        if particles != plain[1]:
            sys.exit("the particles differ")
        if comm.rank == 0:
            print(f"{way:9} {1e3 * busiest:8.1f} ms, {plain[0] / busiest:4.1f} times as fast")
    if comm.rank == 0:
        print("all end with the same particles")


if __name__ == "__main__":
    main()
