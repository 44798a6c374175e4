#!/usr/bin/env python3
"""PETSc's DMSwarm, from petsc4py: our plan says where each particle goes, and the swarm migrates.

usage: mpirun -n 4 python3 petsc_swarm.py
"""

import sys

import numpy as np
import petsc4py

petsc4py.init(sys.argv)
from petsc4py import PETSc  # noqa: E402

import equipoise.mpi  # noqa: E402

comm = PETSc.COMM_WORLD.tompi4py()


# The glue begins.
def level(swarm, costs, **options):
    """Migrates the particles of a swarm so that their costs are level. Returns the report."""
    plan = equipoise.mpi.make_plan(comm, swarm.getLocalSize(), weights=costs, **options)
    swarm.getField("DMSwarm_rank")[:] = plan.destinations()
    swarm.restoreField("DMSwarm_rank")
    swarm.migrate(remove_sent_points=True)
    return plan.report
# The glue ends.


def field(swarm, name):
    """A copy of a field of this rank's particles."""
    values = swarm.getField(name).copy()
    swarm.restoreField(name)
    return values


def first_swarm():
    """A swarm whose particles are numbered; the higher the rank, the more it has."""
    swarm = PETSc.DMSwarm().create(comm=PETSc.COMM_WORLD)
    swarm.setDimension(2)
    swarm.initializeFieldRegister()
    swarm.registerField("number", 1, PETSc.IntType)
    swarm.registerField("velocity", 2, PETSc.RealType)
    swarm.finalizeFieldRegister()
    swarm.setLocalSizes(100 * (comm.rank + 1), 0)
    before = comm.exscan(swarm.getLocalSize()) or 0
    numbers = swarm.getField("number")
    numbers[:] = np.arange(len(numbers)) + before
    swarm.getField("velocity")[:] = np.repeat(numbers, 2)
    swarm.restoreField("velocity")
    swarm.restoreField("number")
    return swarm


def costs_of(swarm):
    """What each particle costs: those in a cloud collide."""
    numbers = field(swarm, "number")
    return np.where(numbers % 100 < 20, 9.0, 1.0)


def main():
    swarm = first_swarm()
    report = level(swarm, costs_of(swarm), tolerance=0.02)
    numbers, velocities = field(swarm, "number"), field(swarm, "velocity")
    assert (velocities.reshape(-1, 2) == numbers[:, None]).all()
    loads = comm.gather(costs_of(swarm).sum())
    everywhere = np.sort(np.concatenate(comm.allgather(numbers)))
    assert (everywhere == np.arange(swarm.getSize())).all()
    if comm.rank == 0:
        print(f"costs {', '.join(f'{load:g}' for load in loads)}; {report.moved} of "
              f"{len(everywhere)} particles moved, at least {report.moved_at_least} had to")


if __name__ == "__main__":
    main()
