#!/usr/bin/env python3
"""Kills ranks of examples/restart.cpp, starts it again on other numbers of ranks, and checks that
every item is there once and is what it would be without any of this.

usage: restart_test.py PROGRAM MPIRUN...   (MPIRUN... takes a number of ranks next)
"""

import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ITEMS = 1000
FOR_EVER = 10**9  # steps
RANK = (b"OMPI_COMM_WORLD_RANK=", b"PMI_RANK=")  # what Open MPI, what MPICH tells a process
PATIENCE = 120  # seconds


def expected_states(steps):
    """The states of all items after this many steps."""
    states = list(range(ITEMS))
    for _ in range(steps):
        states = [(state * 6364136223846793005 + 1442695040888963407) % 2**64 for state in states]
    return states


def process_of(rank, program, launcher):
    """The process that is this rank of a launcher's run; None while there is none."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                said = (entry / "stat").read_text().rsplit(")")[-1]
                parents[int(entry.name)] = int(said.split()[1])
            except OSError:
                pass  # it has ended
    for process in parents:
        ancestor = process
        while ancestor in parents and ancestor != launcher:
            ancestor = parents[ancestor]
        try:
            if (ancestor == launcher and os.path.samefile(f"/proc/{process}/exe", program)
                    and {name + b"%d" % rank for name in RANK}
                    & set(Path(f"/proc/{process}/environ").read_bytes().split(b"\0"))):
                return process
        except OSError:
            pass
    return None


def checkpoints(folder):
    return sorted(int(entry.name) for entry in folder.glob("[0-9]*"))


def wait_until(what, done):
    """Waits for something, and returns what it gives."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        if found := done():
            return found
        time.sleep(0.001)
    raise TimeoutError(f"waited {PATIENCE} s for {what}")


def start(command, program, ranks, steps, folder):
    return subprocess.Popen([*command, str(ranks), program, str(steps), folder], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def kill_in_the_middle(command, program, ranks, victim, folder, later):
    """Begins or goes on, and kills a rank `later` seconds after the second checkpoint."""
    before = max(checkpoints(folder), default=0)
    with start(command, program, ranks, FOR_EVER, folder) as run:
        process = wait_until("a rank", lambda: process_of(victim, program, run.pid))
        wait_until("checkpoints", lambda: max(checkpoints(folder), default=0) >= before + 10)
        time.sleep(later)
        os.kill(process, signal.SIGKILL)
        said = run.communicate(timeout=PATIENCE)[0]
    assert run.returncode != 0, f"expected mpirun to end with the rank that died, it said\n{said}"
    return said


def items_in(checkpoint, ranks):
    """(number, state) of the items of each rank."""
    return [list(struct.iter_unpack("=QQ", (checkpoint / str(rank)).read_bytes()))
            for rank in range(ranks)]


def main(program, *command):
    if not Path("/proc/self/environ").exists():
        print("skipped: it finds ranks in /proc, which this system lacks")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "checkpoints"
        kill_in_the_middle(command, program, 4, 2, folder, 0)
        said = kill_in_the_middle(command, program, 7, 0, folder, 0.002)
        assert "saved by 4 ranks, on 7 ranks" in said, said
        said = kill_in_the_middle(command, program, 2, 1, folder, 0.005)
        assert "saved by 7 ranks, on 2 ranks" in said, said

        # What a run with more ranks leaves that dies while it writes.
        draft = folder / "draft"
        draft.mkdir(exist_ok=True)
        for rank in range(7):
            (draft / str(rank)).write_bytes(struct.pack("=QQ", rank, 0) * 3)
        steps = max(checkpoints(folder)) + 5
        with start(command, program, 3, steps, folder) as run:
            said = run.communicate(timeout=PATIENCE)[0]
        assert run.returncode == 0 and "saved by 2 ranks, on 3 ranks" in said, said

        assert checkpoints(folder)[-1] == steps and not draft.exists(), list(folder.iterdir())
        assert len(list((folder / str(steps)).iterdir())) == 3
        ranks = items_in(folder / str(steps), 3)
    assert sorted(sum(ranks, [])) == list(enumerate(expected_states(steps))), "items are lost"
    costs = [sum(1 + (state >> 60) for _, state in items) for items in ranks]
    assert max(costs) <= 1.05 * sum(costs) / 3, costs
    print(f"{ITEMS} items, each once, after {steps} steps and three deaths")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
