#!/usr/bin/env python3
"""A run that Ctrl-C ends in the middle goes on from its checkpoint as if nothing had happened.

At one number of ranks it is interrupted, at another it goes on; loads, books and the file at the
end are those of a run that was never interrupted. Damaged files and those of others are refused.

usage: checkpoint_test.py PROGRAM MPIRUN NUMPROC_FLAG [PREFLAGS ...]
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM, MPIRUN, FLAG, *PREFLAGS = sys.argv[1:]
STEPS = 6000
RUN = ["run", "threshold-1", "--network", "torus:120x121", "--loads", "spike:tokens=40000000000",
       "--in-pieces", "--max-steps", str(STEPS), "--json"]


def command(ranks, *arguments):
    launcher = [] if ranks == 1 else [MPIRUN, FLAG, str(ranks), *PREFLAGS]
    return [*launcher, PROGRAM, *RUN, *arguments]


def play(ranks, *arguments):
    done = subprocess.run(command(ranks, *arguments), capture_output=True, text=True, timeout=200,
                          check=False)
    return done.returncode, done.stdout, done.stderr


def expect(holds, what):
    if not holds:
        sys.exit("not so: " + what)


def interrupted(ranks, path):
    """Begins a run, sends it SIGINT once it has written its file, and returns its figures."""
    with subprocess.Popen(command(ranks, "--checkpoint", path, "--checkpoint-every", "50"),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        begin = time.monotonic()
        while not os.path.exists(path) and run.poll() is None:
            expect(time.monotonic() - begin < 100, "a file is written every 50 steps")
            time.sleep(0.002)
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=100)
    return json.loads(out)


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def figures(out):
    return {key: value for key, value in json.loads(out).items()
            if key not in ("seconds", "ranks", "links_between_ranks")}


with tempfile.TemporaryDirectory() as folder:
    def path(name):
        return os.path.join(folder, name)

    status, out, _ = play(1, "--checkpoint", path("whole"))
    expect(status == 1, "the cap on steps ends the run")
    whole = figures(out)
    middles = 0
    for ranks, then in ((1, 3), (2, 7), (3, 1), (4, 2), (7, 4)):
        stopped = interrupted(ranks, path("middle"))
        if stopped["stopped_because"] == "interrupted":
            expect(50 <= stopped["steps"] < STEPS, "an interrupted run ends in the middle")
            middles += 1
        _, out, _ = play(then, "--resume", path("middle"), "--checkpoint", path("end"))
        expect(figures(out) == whole, f"{ranks} ranks, then {then}: the same figures")
        expect(contents(path("end")) == contents(path("whole")),
               f"{ranks} ranks, then {then}: the same file")
        os.remove(path("middle"))
    expect(middles >= 1, "a run was interrupted in the middle")

    # The whole network on one process reads the same file.
    longer = {"--in-pieces": [], str(STEPS): [str(STEPS + 10)]}
    alone = [word for given in RUN for word in longer.get(given, [given])]
    done = subprocess.run([PROGRAM, *alone, "--resume", path("end")], capture_output=True,
                          text=True, timeout=100, check=False)
    expect(json.loads(done.stdout)["steps"] == STEPS + 10, "a run without --in-pieces goes on")

    good = contents(path("whole"))
    for name, damaged in (("cut", good[:-1]), ("long", good + b"x"), ("empty", b""),
                          ("altered", good[:-20] + bytes([good[-20] ^ 1]) + good[-19:])):
        with open(path(name), "wb") as file:
            file.write(damaged)
        for ranks in (1, 2):
            status, out, err = play(ranks, "--resume", path(name), "--checkpoint", path("no"))
            expect(status == 2 and not out, f"{name}: refused")
            own = [line for line in err.splitlines() if line.startswith("equipoise:")]
            expect(len(own) == 1 and path(name) in own[0], f"{name}: one line names the file")
    expect(not os.path.exists(path("no")), "nothing is written by a run that is refused")
    status, _, err = play(1, "--resume", path("whole"), "--seed", "5")
    expect(status == 2 and 'expected seed "5", found "0"' in err, "another seed is another run")
