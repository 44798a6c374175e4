#!/usr/bin/env python3
"""The program under mpirun compared with the program alone: same results, one report, same status.

usage: mpirun_test.py PROGRAM MPIRUN NUMPROC_FLAG [PREFLAGS ...]
"""
import json
import os
import subprocess
import sys
import tempfile

PROGRAM, MPIRUN, FLAG, *PREFLAGS = sys.argv[1:]
RANKS = 3
INSTANCE = ["--network", "torus:8x8", "--loads", "zipf:tokens=3000", "--seed", "4"]


def call(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def alone(*arguments):
    return call([PROGRAM, *arguments])


def on_ranks(*arguments):
    return call([MPIRUN, FLAG, str(RANKS), *PREFLAGS, PROGRAM, *arguments])


def in_folders(folders, *arguments):
    """One rank in each of these folders."""
    command = [MPIRUN]
    for folder in folders:
        command += [":"] if len(command) > 1 else []
        command += [FLAG, "1", *PREFLAGS, "sh", "-c", 'cd "$0" && exec "$@"', folder, PROGRAM,
                    *arguments]
    return call(command)


def write(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def without_seconds(value):
    if isinstance(value, dict):
        return {key: without_seconds(item) for key, item in value.items() if key != "seconds"}
    return [without_seconds(item) for item in value] if isinstance(value, list) else value


def expect(holds, what):
    if not holds:
        sys.exit("not so: " + what)


# Small networks would be rank 0's alone.
SHARED = ["--partition", "contiguous"]


def expect_same_json(*arguments, only_on_ranks=()):
    one, many = alone(*arguments), on_ranks(*arguments, *only_on_ranks)
    expect(one[0] == many[0], f"{arguments}: status {one[0]} alone, {many[0]} on ranks: {many[2]}")
    expect(without_seconds(json.loads(one[1])) == without_seconds(json.loads(many[1])),
           f"{arguments}: same JSON object")


def expect_nodes_on_ranks():
    """Nodes live on the ranks; the record holds the order in which messages came."""
    with tempfile.TemporaryDirectory() as folder:
        for algorithm in ["perfect-tree", "perfect-tree-batched", "minimum-exchange-tree",
                          "async-deal-agreement", "self-stabilising",
                          "perfect-self-stabilising"]:
            tree = ["--network", "random-tree:n=20", "--loads", "zipf:tokens=150", "--seed", "3"]
            record = os.path.join(folder, algorithm + ".json")
            status, text, errors = on_ranks("run", algorithm, *tree, "--record", record, "--json")
            expect(status == 0, f"{algorithm} ends on ranks: {errors}")
            run = json.loads(text)
            expect(run["delays"] == f"ranks:{RANKS}", f"{algorithm} ran on ranks")
            one = json.loads(alone("run", algorithm, *tree, "--json")[1])
            if algorithm == "minimum-exchange-tree":
                expect(run["exchanges"] == one["exchanges"], "the fewest exchanges on ranks, too")
            if algorithm.startswith("perfect"):
                expect(run["discrepancy"] <= 1, f"{algorithm} is perfect")
            status, text, errors = alone("verify", record)
            expect(status == 0, f"{algorithm}: verify accepts the record: {text}{errors}")
            status, text, errors = alone("run", "--replay", record)
            expect(status == 0 and text.startswith("same:") and "in the recorded order" in text,
                   f"{algorithm}: the recorded order leads to the same end: {text}{errors}")


def expect_figures_of_loads_that_stay_apart():
    """Rank 0 reports the same whether it needs the final loads or only figures of them."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "speeds.csv", "node,speed\n0,3\n5,2\n")
        for options in [[], ["--speeds", os.path.join(folder, "speeds.csv")], ["--optimum"],
                        ["--stop", "discrepancy:3"]]:
            expect_same_json("run", "diffusion", *INSTANCE, "--json", *options,
                             only_on_ranks=SHARED)
    one = alone("run", "threshold-2", *INSTANCE, "--ascii")
    many = on_ranks("run", "threshold-2", *INSTANCE, "--ascii", *SHARED)
    lines = [[line for line in text.splitlines() if "  time  " not in line]
             for text in (one[1], many[1])]
    expect(one[0] == many[0] and lines[0] == lines[1], f"the same text: {one[1]} {many[1]}")
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "run.json")
        status, _, errors = on_ranks("run", "threshold-2", *INSTANCE, *SHARED, "--record", record,
                                     "--record-level", "summary", "--quiet")
        expect(status == 0, f"a record of the summary is written: {errors}")
        status, text, errors = alone("verify", record)
        expect(status == 0, f"and holds the final loads: {text}{errors}")


def expect_inputs_compared():
    """What differs between ranks is refused by all, once, by name; what one rank lacks, too."""
    path = ["--network", "path:n=4", "--loads", "spike:tokens=100", "--max-steps", "40", "--json",
            "--quiet"]
    inputs = {
        "values of --speeds": (["diffusion", "--speeds", "it.csv"],
                               "node,speed\n0,3\n", "node,speed\n0,6\n"),
        "values of --arrivals": (["threshold-2", "--arrivals", "replay:it.csv"],
                                 "step,node,delta\n0,1,50\n", "step,node,delta\n0,2,50\n"),
        "values of --matrix": (["diffusion", "--matrix", "it.csv"],
                               "0 1 1/3\n1 2 1/4\n2 3 1/4\n", "0 1 1/4\n1 2 1/4\n2 3 1/4\n"),
        "values of --matchings": (["balancing-circuit", "--matchings", "it.csv"],
                                  "0 1\n2 3\n\n1 2\n", "1 2\n\n0 1\n2 3\n"),
        "values of --churn": (["threshold-2", "--churn", "replay:it.csv"],
                              "step,subject,id,state\n3,node,1,down\n",
                              "step,subject,id,state\n3,node,2,down\n"),
        "loads": (["threshold-2", "--loads", "it.csv"], "node,tokens\n0,9\n", "node,tokens\n1,9\n"),
        "links": (["threshold-2", "--network", "it.csv"], "0 1\n1 2\n2 3\n", "0 1\n1 3\n2 3\n"),
    }
    with tempfile.TemporaryDirectory() as folder:
        here, there = os.path.join(folder, "here"), os.path.join(folder, "there")
        for what, (options, one, other) in inputs.items():
            rest = [word for at, word in enumerate(path)
                    if not {word, path[at - 1]} & {"--network", "--loads"} & set(options)]
            write(here, "it.csv", one)
            write(there, "it.csv", one)
            if what != "values of --churn":  # never played across ranks
                status, _, errors = in_folders([here, there], "run", *options, *rest)
                expect(status != 2, f"{what}: the same files are taken: {errors}")
            write(there, "it.csv", other)
            status, text, errors = in_folders([here, there], "run", *options, *rest)
            expect(status == 2 and not text, f"{what} that differ are refused: {status} {text}")
            expect(errors.count("equipoise: ") == 1 and
                   f"the {what} differ from rank to rank: those of rank 1 " in errors,
                   f"{what} that differ are named, once: {errors}")
        write(here, "it.csv", inputs["values of --speeds"][1])
        os.remove(os.path.join(there, "it.csv"))
        for folders, rank in [([here, there], 1), ([there, here], 0)]:
            status, _, errors = in_folders(folders, "run", "diffusion", "--speeds", "it.csv", *path)
            expect(status == 2 and f"equipoise: rank {rank}: it.csv: cannot be read" in errors,
                   f"the rank that lacks a file is named: {errors}")
    status, _, errors = call([MPIRUN, FLAG, "1", *PREFLAGS, PROGRAM, "algorithms", ":", FLAG, "1",
                              *PREFLAGS, PROGRAM, "doctor"])
    expect(status == 2 and "the arguments differ from rank to rank" in errors,
           f"other arguments on other ranks are refused: {errors}")


def expect_parts_of_machines(info):
    """A kind is grouped, or said not to be known; ranks that may run anywhere share sockets."""
    kinds = {"socket", "numa", "l3-cache", "l2-cache", "core", "hardware-thread"}
    expect(kinds <= set(info["groups"]) | set(info["not_bound"]), "every kind is spoken of")
    expect(not set(info["groups"]) & set(info["not_bound"]), "and once")
    if not info["library"].startswith("Open MPI") or len(os.sched_getaffinity(0)) < 2:
        return
    for bind, bound in [("none", False), ("core", True)]:
        status, text, errors = call([MPIRUN, FLAG, "1", *PREFLAGS, "--bind-to", bind, PROGRAM,
                                     "mpi-info", "--json"])
        expect(status == 0, "mpi-info: " + errors)
        expect(("hardware-thread" in json.loads(text)["not_bound"]) != bound,
               f"--bind-to {bind}: {text}")


def main():
    expect_inputs_compared()
    expect_nodes_on_ranks()
    for algorithm in ["threshold-2", "diffusion", "deal-agreement-2", "discrepancy-1",
                      "steepest-matching"]:
        expect_same_json("run", algorithm, *INSTANCE, "--json", "--with-loads",
                         only_on_ranks=SHARED)
    expect_same_json("run", "mesh-weak", *INSTANCE, "--json", "--with-loads")
    expect_figures_of_loads_that_stay_apart()
    # Too few nodes for three ranks, and churn, are rank 0's.
    churn = [*INSTANCE, "--churn", "random:nodes=0.01", "--max-steps", "50", "--json"]
    expect_same_json("run", "threshold-2", *churn)
    expect_same_json("run", "threshold-2", *INSTANCE, "--json")
    few = on_ranks("run", "threshold-2", *INSTANCE)
    expect(few[2].count("64 nodes are too few for 3 ranks") == 1, f"few nodes are noted: {few[2]}")
    expect("too few" not in on_ranks("run", "threshold-2", *INSTANCE, *SHARED)[2],
           "who shares them out is not told")
    # Simulated worlds are simulated.
    expect_same_json("run", "async-deal-agreement", *INSTANCE, "--delays", "random", "--json")
    expect_same_json("compare", "threshold-2", "diffusion", "deal-agreement-3", "perfect-tree",
                     *INSTANCE, "--json", only_on_ranks=SHARED)
    # A run that missed its goal: rank 0 alone says so, as launchers print pages about failures.
    expect_same_json("run", "threshold-2", *INSTANCE, "--max-steps", "2", "--json",
                     only_on_ranks=SHARED)

    # In pieces: the figures of the whole, whoever made it.
    sharings = [[]]
    if json.loads(alone("doctor", "--json")[1])["metis"]:
        sharings.append(["--partition", "metis"])
    for algorithm in ["threshold-2", "diffusion", "deal-agreement-2"]:
        for sharing in sharings:
            arguments = [algorithm, "--network", "torus:9x7", "--loads",
                         "spike:tokens=400,node=5", "--stop", "quiet:12", "--max-steps", "300"]
            pieces = on_ranks("run", *arguments, *sharing, "--in-pieces", "--json")
            whole = alone("run", *arguments, "--json")
            expect(pieces[0] == whole[0], f"{algorithm} in pieces: status; {pieces[2]}")
            piece, all_of_it = json.loads(pieces[1]), json.loads(whole[1])
            expect(piece.pop("made_by_rank_0") == bool(sharing), f"{algorithm}: who made it")
            for key in ("schema", "seconds", "ranks", "links_between_ranks"):
                piece.pop(key)
            expect(all(all_of_it[key] == value for key, value in piece.items()),
                   f"{algorithm} in pieces: same figures")
    expect_same_json("run", *arguments, "--json", only_on_ranks=sharings[-1])

    with tempfile.TemporaryDirectory() as folder:
        for name, call_it in [("one.json", alone), ("many.json", on_ranks)]:
            more = SHARED if call_it is on_ranks else []
            status, _, errors = call_it("run", "diffusion", *INSTANCE, "--record-level", "full",
                                        "--record", os.path.join(folder, name), *more)
            expect(status == 0, "a record is written: " + errors)
        records = []
        for name in ["one.json", "many.json"]:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                records.append(without_seconds(json.load(file)))
        expect(records[0] == records[1], "full records are the same")
        net = os.path.join(folder, "net.graph")
        status, text, _ = on_ranks("generate", "--network", "hypercube:d=4", "-o", net)
        expect(status == 0 and text.count("16 nodes") == 1 and os.path.exists(net),
               "a network is generated, once")
        files = {}
        for name, call_it, more in [("one", alone, []), ("many", on_ranks, ["--in-pieces"])]:
            paths = [os.path.join(folder, name + ending) for ending in (".edges", ".csv")]
            status, text, errors = call_it("generate", "--network", "gnp:n=300,p=0.01", "-o",
                                           paths[0], "--loads", "uniform:tokens=500",
                                           "--loads-out", paths[1], *more)
            expect(status == 0 and text.count("300 nodes") == 1, f"{name}: written: {errors}")
            files[name] = []
            for path in paths:
                with open(path, "rb") as file:
                    files[name].append(file.read())
        expect(files["one"] == files["many"], "files written in pieces are those of the whole")
        status, _, errors = on_ranks("generate", "--network", "torus:4x4", "--in-pieces", "-o",
                                     os.path.join(folder, "missing", "net.edges"))
        expect(status == 2 and errors.count("equipoise: ") == 1,
               "a network that cannot be written is said once: " + errors)
        status, _, errors = on_ranks("run", "diffusion", *INSTANCE, *SHARED, "--record",
                                     os.path.join(folder, "missing", "run.json"))
        expect(status == 2 and errors.count("equipoise: ") == 1,
               "a file that cannot be written is said once: " + errors)

    for bad in [["run", "diffusoin", *INSTANCE], ["run", "diffusion", "--network", "nothing.gml",
                                                   "--loads", "spike:tokens=3"],
                ["run", "perfect-tree", *INSTANCE, "--speeds", "nothing.csv"], ["rnu"]]:
        one, many = alone(*bad), on_ranks(*bad)
        expect(one[0] == many[0] == 2, f"{bad}: status 2")
        expect(many[2].count("equipoise: ") == 1 and one[2].strip() in many[2],
               f"{bad}: the same line, once: {many[2]}")

    expect(on_ranks("algorithms")[:2] == alone("algorithms")[:2], "algorithms are listed once")
    status, text, _ = on_ranks("mpi-info", "--json")
    info = json.loads(text)
    expect(status == 0 and info["mpi"] and info["ranks"] == RANKS, "mpi-info counts ranks")
    expect(len(info["processors"]) == RANKS, "mpi-info names a machine for every rank")
    expect(all(sorted(sum(groups, [])) == list(range(RANKS)) for groups in
               info["groups"].values()), "every rank stands in one group of every kind")
    expect_parts_of_machines(info)
    expect(on_ranks("mpi-info")[1].count("3 ranks") == 1, "mpi-info speaks once")


main()
