#!/usr/bin/env python3
"""Copies of the program that a launcher starts and that cannot meet do nothing, and say so once.

usage: copies_test.py PROGRAM_WITHOUT_MPI PROGRAM
"""
import json
import os
import subprocess
import sys

WITHOUT_MPI, PROGRAM = sys.argv[1:]
RUN = ["run", "threshold-2", "--network", "path:n=4", "--loads", "spike:tokens=8", "--json"]
OF_LAUNCHERS = ("OMPI_", "PMIX_", "PMI_", "MPI_", "SLURM_")


def call(program, arguments, **launcher):
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith(OF_LAUNCHERS)}
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60,
                          env={**clean, **launcher}, check=False)
    return done.returncode, done.stdout, done.stderr


def expect(holds, what):
    if not holds:
        sys.exit("not so: " + what)


def expect_refused(program, why, copies, launcher):
    for arguments in [RUN, ["mpi-info"], ["--version"]]:
        status, text, errors = call(program, arguments, **launcher)
        expect(status == 2 and not text and errors.count("\n") == 1 and
               f"a launcher started {copies} copies of this program, which {why}" in errors,
               f"{launcher}: refused: {status} {text} {errors}")


def main():
    status, text, errors = call(WITHOUT_MPI, RUN)
    expect(status == 0 and json.loads(text)["tokens"] == 8, f"it runs by itself: {errors}")
    expect(json.loads(call(WITHOUT_MPI, ["mpi-info", "--json"])[1])["mpi"] is False,
           "it says that it has no MPI")
    for one in [{"OMPI_COMM_WORLD_SIZE": "1", "OMPI_COMM_WORLD_RANK": "0"},
                {"PMI_SIZE": "1", "PMI_RANK": "0"}, {"SLURM_NTASKS": "4", "SLURM_PROCID": "0"}]:
        expect(call(WITHOUT_MPI, RUN, **one)[0] == 0, f"{one}: one, as in a batch script, runs")
    launchers = [("4", {"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "{}"}),
                 ("4", {"PMI_SIZE": "4", "PMI_RANK": "{}"}),
                 ("several", {"PMIX_RANK": "{}"}),
                 ("4", {"PMIX_RANK": "{}", "SLURM_STEP_NUM_TASKS": "4"})]
    for copies, launcher in launchers:
        first, third = ({name: value.format(rank) for name, value in launcher.items()}
                        for rank in (0, 2))
        expect_refused(WITHOUT_MPI, "was built without MPI", copies, first)
        expect(call(WITHOUT_MPI, RUN, **third) == (2, "", ""), f"{third}: rank 0 speaks for all")
    info = json.loads(call(PROGRAM, ["mpi-info", "--json"])[1])
    if info["mpi"] and info["library"].startswith("Open MPI"):
        # Started by the mpiexec of MPICH.
        expect_refused(PROGRAM, "do not see each other", "4",
                       {"PMI_SIZE": "4", "PMI_RANK": "0"})


main()
