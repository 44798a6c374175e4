"""What levelling a million rows of 64 bytes costs from Python.

usage: PYTHONPATH=build/python /usr/bin/python3 benchmarks/python/rebalance.py PROGRAM [RANKS]

PROGRAM is build/bench/bin/rebalance, which levels the same rows in C++. On 4 ranks (or RANKS), from
three distributions: `equipoise.mpi.rebalance`, an Alltoallv of surpluses as one would write it with
mpi4py, and pickled pieces by `comm.alltoall`. Times are medians of 11 of the slowest rank, as
multiples of the C++ call. Most of the time goes into touching new memory, for which NumPy asks for
large pages and a std::vector does not: the last column has them, in the others NumPy does without.
Fails if rebalance takes more than 1.1 times as long as the C++ call, all distributions together.
"""

import os
import statistics
import subprocess
import sys

import numpy as np

ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_plm": "isolated",
    # As the program sets it: large blocks come straight from the system and go back to it.
    "MALLOC_MMAP_THRESHOLD_": "131072",
}
ROWS = 1_000_000
REPEATS = 11


def distributions(ranks):
    """The numbers of rows on each rank, as in benchmarks/mpi/rebalance.cpp."""
    zipf = 1 / np.arange(1, ranks + 1)
    weights = {"all on rank 0": np.eye(ranks)[0], "Zipf": zipf, "5 % end to end": np.ones(ranks)}
    weights["5 % end to end"][[0, -1]] = 1.05, 0.95
    counts = {}
    for name, weight in weights.items():
        counts[name] = (ROWS * weight / weight.sum()).astype(np.int64)
        counts[name][0] += ROWS - counts[name].sum()
    return counts


def surpluses(comm, count):
    """How many rows this rank sends to each rank: surpluses are matched with needs, in order."""
    counts = np.array(comm.allgather(count))
    share = counts.sum() // comm.size + (np.arange(comm.size) < counts.sum() % comm.size)
    begin = np.concatenate([[0], np.cumsum(np.maximum(counts - share, 0))])
    end = np.concatenate([[0], np.cumsum(np.maximum(share - counts, 0))])
    flows = (np.minimum(begin[1:, None], end[None, 1:])
             - np.maximum(begin[:-1, None], end[None, :-1]))
    return np.maximum(flows, 0), int(min(counts[comm.rank], share[comm.rank]))


def by_alltoallv(comm, rows):
    flows, kept = surpluses(comm, len(rows))
    sent, received = flows[comm.rank], flows[:, comm.rank]
    after = np.empty(kept + received.sum(), rows.dtype)
    after[:kept] = rows[:kept]
    size = rows.dtype.itemsize
    comm.Alltoallv([np.ascontiguousarray(rows[kept:]).view(np.uint8), sent * size],
                   [after[kept:].view(np.uint8), received * size])
    return after


def by_pickle(comm, rows):
    flows, kept = surpluses(comm, len(rows))
    ends = kept + np.cumsum(flows[comm.rank])
    pieces = [rows[end - count:end] for end, count in zip(ends, flows[comm.rank])]
    return np.concatenate([rows[:kept], *comm.alltoall(pieces)])


def on_ranks():
    from mpi4py import MPI

    import equipoise.mpi

    comm = MPI.COMM_WORLD
    methods = {"rebalance": equipoise.mpi.rebalance, "Alltoallv by hand": by_alltoallv,
               "pickled alltoall": by_pickle}
    row = np.dtype([("number", "u8"), ("payload", "u8", 7)])
    for name, counts in distributions(comm.size).items():
        first = counts[:comm.rank].sum()
        seconds = {method: [] for method in methods}
        for _ in range(1 + REPEATS):
            for method, level in methods.items():
                rows = np.zeros(counts[comm.rank], row)
                rows["number"] = first + np.arange(len(rows))
                rows["payload"] = rows["number"][:, None]
                comm.Barrier()
                begin = MPI.Wtime()
                after = level(comm, rows)
                spent = comm.allreduce(MPI.Wtime() - begin, MPI.MAX)
                seconds[method].append(spent)
                whole = (after["payload"] == after["number"][:, None]).all()
                total = comm.allreduce(int(after["number"].sum()))
                assert whole and total == ROWS * (ROWS - 1) // 2, method
                assert abs(len(after) - ROWS / comm.size) <= 1, method
                del rows, after
        if comm.rank == 0:
            for method, found in seconds.items():
                print(name, method, statistics.median(found[1:]), sep=";", flush=True)


def started(ranks, *command, large_pages=False):
    environment = {**ENVIRONMENT, **os.environ, "NUMPY_MADVISE_HUGEPAGE": str(int(large_pages))}
    done = subprocess.run(["mpirun", "-n", str(ranks), *command], stdout=subprocess.PIPE, text=True,
                          env=environment, check=True)
    return [line.split(";") for line in done.stdout.splitlines() if ";" in line]


def main(program, ranks=4):
    found = {}
    for fields in started(ranks, program, str(ROWS), str(REPEATS)):
        if fields[2] == "minimum-moves":
            found[fields[1]] = {"C++": float(fields[3])}
    for name, method, seconds in started(ranks, sys.executable, __file__, "--on-ranks"):
        found[name][method] = float(seconds)
    for name, method, seconds in started(ranks, sys.executable, __file__, "--on-ranks",
                                         large_pages=True):
        if method == "rebalance":
            found[name]["rebalance, large pages"] = float(seconds)
    cases = {name: times for name, times in found.items() if len(times) > 1}
    methods = [method for method in next(iter(cases.values())) if method != "C++"]
    print(f"| {ranks} ranks | C++ | " + " | ".join(methods) + " |")
    print("|---|---|" + "---|" * len(methods))
    for name, times in cases.items():
        print(f"| {name} | {1e3 * times['C++']:.1f} ms | " + " | ".join(
            f"{times[method] / times['C++']:.2f}" for method in methods) + " |")
    together = (sum(times["rebalance"] for times in cases.values())
                / sum(times["C++"] for times in cases.values()))
    print(f"rebalance in all: {together:.2f} times the C++ call")
    return 0 if together <= 1.1 else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--on-ranks"]:
        on_ranks()
    else:
        sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
