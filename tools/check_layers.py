#!/usr/bin/env python3
"""Checks that the rooms of equipoise/ and the extension of python/ include downwards only.

usage: check_layers.py [ROOT]

Includes are followed transitively. A room sees itself and the rooms of lower floors; rooms of one
floor are strangers. The catalogue's folders are storeys of it: `studies` sees `runner` sees
`registry`. `protocols` and `programs` see `base` and `model/local` only, which makes the
locality of algorithms a fact of the build. <mpi.h> is reached from `mpi`, `balancer`, `capi`
and `python/mpi` only.
Prints every violation as file:line with the chain of includes that leads to it.
"""

import sys
from pathlib import Path

from includes import IncludeGraph

FLOORS = [
    ["base"],
    ["network", "model/local", "theory", "statistics"],
    ["load"],
    ["model/run"],
    ["protocols", "programs", "mesh", "engine", "optimum", "placement", "trace", "analysis",
     "verify"],
    ["reassign", "replication"],
    ["adapters/kafka", "adapters/experts", "adapters/redis"],
    ["mpi", "report"],
    ["catalogue", "agent"],
    ["balancer", "cli", "python", "equipoise.hpp"],
    ["capi", "python/mpi"],
]
# Rooms that are built in storeys: each folder sees itself and those before it. "." stands for the
# files that lie in the room itself, unless their own name (without its ending) is in the list.
STOREYS = {
    "catalogue": ["registry", "runner", "studies"],
    "optimum": [".", "checks", "flows", "exchanges", "steps", "plan", "windows", "waves"],
    "reassign": ["problem", "checks", "input", "search", "waves", "bounds", "leaders", "schedule",
                 "waits", "reasons", "."],
    "report": ["tables", "studies", "runs", "answers", "pictures", "page"],
}
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
LOCAL_ROOMS = {"protocols", "programs"}
SEEN_BY_LOCAL_ROOMS = {"base", "model/local"}
MPI_ROOMS = {"mpi", "balancer", "capi", "python/mpi"}
MPI_HEADER = "mpi.h"


OURS = ("equipoise/", "python/")


def room_of(name):
    """The room of a file of equipoise/ or python/, or None where no room has that folder."""
    if name.startswith("python/"):
        return "python/mpi" if name.startswith("python/mpi/") else "python"
    below = Path(name).parts[1:]
    for depth in (2, 1):
        room = "/".join(below[:depth])
        if room in FLOOR_OF:
            return room
    return None


def may_see(room, other):
    """Whether files of `room` may reach files of `other`."""
    if room == other:
        return True
    if room in LOCAL_ROOMS:
        return other in SEEN_BY_LOCAL_ROOMS
    return FLOOR_OF[other] < FLOOR_OF[room]


def storey_of(room, name):
    """The number of the storey of a room's file; None where the room has no storeys."""
    if room not in STOREYS:
        return None
    first, *rest = Path(name).relative_to("equipoise", room).parts
    storeys = STOREYS[room]
    if not rest:
        first = Path(first).stem if Path(first).stem in storeys else "."
    return storeys.index(first) if first in storeys else -1


def complaint_of_storeys(room, name, included):
    """What is wrong with one file of a room reaching another of the same room, or None."""
    own, other = storey_of(room, name), storey_of(room, included)
    if own is None or own == -1 or other <= own:
        return None
    names = STOREYS[room]
    return f"{room}/{names[own]} includes {room}/{names[other]}, which stands on it"


def complaint(room, included, included_room):
    """What is wrong with `room` reaching `included`, or None."""
    if included == MPI_HEADER:
        return (None if room in MPI_ROOMS else
                f"<{MPI_HEADER}> is for mpi, balancer, capi and python/mpi only")
    if included_room is None or may_see(room, included_room):
        return None
    if room in LOCAL_ROOMS:
        return f"{room} sees only base and model/local, found {included_room}"
    if FLOOR_OF[included_room] == FLOOR_OF[room]:
        return f"{room} and {included_room} share floor {FLOOR_OF[room]} and are strangers"
    return (f"{room} (floor {FLOOR_OF[room]}) includes upwards: "
            f"{included_room} (floor {FLOOR_OF[included_room]})")


def check_file(graph, name):
    """The violations of one file."""
    room = room_of(name)
    if room is None:
        return [f"{name}:1: this folder belongs to no room; rooms are listed in check_layers.py"]
    if storey_of(room, name) == -1:
        return [f"{name}:1: the files of {room} are in its folders: {', '.join(STOREYS[room])}"]
    found = []
    for line, included, quoted in graph.includes(name):
        ours = included.startswith(OURS)
        if ours and not (graph.root / included).is_file():
            found.append(f'{name}:{line}: there is no file "{included}"')
        elif quoted and not ours:
            found.append(f'{name}:{line}: include paths start at the root ("equipoise/..."), '
                         f'found "{included}"')
    for included, chain in graph.reached(name).items():
        included_room = room_of(included) if included.startswith(OURS) else None
        what = complaint(room, included, included_room)
        if included_room == room:
            what = complaint_of_storeys(room, name, included)
        if what:
            path = " -> ".join([includer for includer, _ in chain] + [included])
            found.append(f"{name}:{chain[0][1]}: {what}: {path}")
    return found


def check_tree(root):
    """All violations below root, in order of path; an empty tree is one."""
    graph = IncludeGraph(root)
    files = sorted(path.relative_to(root).as_posix()
                   for ending in ("hpp", "cpp", "h", "cc", "ipp")
                   for folder in OURS
                   for path in (Path(root) / folder).rglob(f"*.{ending}"))
    if not files:
        return [f"{root}: found no C++ files below equipoise/"]
    return [violation for name in files for violation in check_file(graph, name)]


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    violations = check_tree(root)
    print("\n".join(violations) if violations else "the rooms include downwards only")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
