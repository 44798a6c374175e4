#!/usr/bin/env python3
"""A stand-in for a Kafka cluster and its tools, for tests. It is not Kafka: it does what Kafka's
sources say of the few commands that plans use, on a cluster that is a JSON file.

usage: stand_in.py TOOL ARGUMENT ...
  TOOL: kafka-reassign-partitions, kafka-configs or kafka-leader-election

STAND_IN_STATE names the file; `new_cluster` says what it holds. A reassignment copies nothing; it
is completed after some calls of --verify. STAND_IN_KILL=N: with the N-th call, after it took
effect, the whole process group is killed. STAND_IN_SNAPSHOTS: the state after the N-th call is kept
in the file with .N behind its name.
"""
import json
import os
import signal
import stat
import sys

TOOLS = ("kafka-reassign-partitions", "kafka-configs", "kafka-leader-election")
RATES = ("leader.replication.throttled.rate", "follower.replication.throttled.rate",
         "replica.alter.log.dirs.io.max.bytes.per.second")
REPLICAS = ("leader.replication.throttled.replicas", "follower.replication.throttled.replicas")


class Refused(Exception):
    """What a tool says before it exits with status 1."""


def new_cluster(partitions, brokers, *, leaders=None, polls=2, words="new"):
    """A cluster of partitions (names to lists of replicas). Reassignments take so many polls;
    `words`: those of --verify since Kafka 2.6 (new), or before (old)."""
    return {
        "brokers": list(brokers),
        "partitions": {name: {"replicas": list(replicas), "moving": None,
                              "leader": (leaders or {}).get(name, replicas[0])}
                       for name, replicas in partitions.items()},
        "configs": {"brokers": {}, "topics": {}},
        "polls": polls,
        "words": words,
        "fails": [],      # partitions whose reassignment ends without effect
        "tool_fails": 0,  # so many calls of --verify fail
        "clears": True,   # whether --verify takes throttles away
        "calls": [],
        "needless": [],   # files that were executed though nothing would change
        "throttled": [],  # configurations when each reassignment began
    }


def install(folder, ending=".sh"):
    """Puts the tools into a folder."""
    for tool in TOOLS:
        path = os.path.join(folder, tool + ending)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{os.path.abspath(__file__)}" '
                       f'{tool} "$@"\n')
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)


def named(entry):
    return f"{entry['topic']}-{entry['partition']}"


def moves(cluster):
    return any(each["moving"] for each in cluster["partitions"].values())


def advance(cluster):
    """Time passes: what moves comes nearer to its end."""
    for name, partition in cluster["partitions"].items():
        moving = partition["moving"]
        if moving is None:
            continue
        moving["polls"] -= 1
        if moving["polls"] > 0:
            continue
        partition["moving"] = None
        if name in cluster["fails"]:
            continue
        partition["replicas"] = moving["replicas"]
        if partition["leader"] not in moving["replicas"]:
            partition["leader"] = moving["replicas"][0]


def document(options):
    with open(options["--reassignment-json-file"], encoding="utf-8") as file:
        entries = json.load(file)["partitions"]
    if not entries:
        raise Refused("Error: Partition reassignment list cannot be empty")
    names = [named(entry) for entry in entries]
    if len(set(names)) < len(names):
        raise Refused("Error: Partition reassignment contains duplicate topic partitions")
    for entry in entries:
        if len(set(entry["replicas"])) < len(entry["replicas"]):
            raise Refused("Error: Partition replica lists may not contain duplicate entries")
        directories = entry.get("log_dirs")
        if directories is not None and (
                len(directories) != len(entry["replicas"])
                or any(each != "any" and not each.startswith("/") for each in directories)):
            raise Refused("Error: log_dirs do not fit the replicas")
    return entries


def status_words(words, partition, entry):
    """What --verify says of a partition."""
    name = named(entry)
    done = partition["replicas"] == entry["replicas"]
    if partition["moving"] is not None:
        return (f"Reassignment of partition {name} is still in progress" +
                ("." if words == "new" else ""))
    if words == "old":
        return (f"Reassignment of partition {name} " +
                ("completed successfully" if done else "failed"))
    if done:
        return f"Reassignment of partition {name} is completed."
    present, wanted = (",".join(map(str, each))
                       for each in (partition["replicas"], entry["replicas"]))
    return (f"There is no active reassignment of partition {name}, but replica set is {present} "
            f"rather than {wanted}.")


def verify(cluster, options):
    entries = document(options)
    if cluster["tool_fails"] > 0:
        cluster["tool_fails"] -= 1
        raise Refused("Error: Timed out waiting for a node assignment.")
    advance(cluster)
    print("Status of partition reassignment:" + (" " if cluster["words"] == "old" else ""))
    for entry in sorted(entries, key=lambda each: (each["topic"], each["partition"])):
        partition = cluster["partitions"].get(named(entry), {"replicas": [], "moving": None})
        print(status_words(cluster["words"], partition, entry))
        for broker, directory in zip(entry["replicas"], entry.get("log_dirs", [])):
            if directory != "any":
                print(f"Reassignment of replica {named(entry)}-{broker} completed successfully.")
    if moves(cluster) or not cluster["clears"] or "--preserve-throttles" in options:
        return
    topics = sorted({entry["topic"] for entry in entries})
    for configs in cluster["configs"]["brokers"].values():
        for rate in RATES:
            configs.pop(rate, None)
    for topic in topics:
        for replicas in REPLICAS:
            cluster["configs"]["topics"].get(topic, {}).pop(replicas, None)
    if cluster["words"] == "old":
        print("Throttle was removed.")
    else:
        print(f"Clearing broker-level throttles on brokers "
              f"{','.join(map(str, cluster['brokers']))}")
        print(f"Clearing topic-level throttles on topics {','.join(topics)}")


def execute(cluster, options):
    entries = document(options)
    partitions = cluster["partitions"]
    for entry in entries:
        for broker in entry["replicas"]:
            if broker not in cluster["brokers"]:
                raise Refused(f"Error: Unknown broker id {broker}")
        if named(entry) not in partitions:
            raise Refused(f"Error: Topic {entry['topic']} not found.")
    if moves(cluster) and "--additional" not in options:
        raise Refused("Cannot execute because there is an existing partition assignment.  Use "
                      "--additional to override this and create a new partition assignment in "
                      "addition to the existing one.")
    current = [{"topic": entry["topic"], "partition": entry["partition"],
                "replicas": partitions[named(entry)]["replicas"],
                "log_dirs": ["any"] * len(partitions[named(entry)]["replicas"])}
               for entry in entries]
    print("Current partition replica assignment\n\n" +
          json.dumps({"version": 1, "partitions": current}, separators=(",", ":")) +
          "\n\nSave this to use as the --reassignment-json-file option during rollback")
    changed = [entry for entry in entries
               if partitions[named(entry)]["replicas"] != entry["replicas"]]
    if not changed:
        cluster["needless"].append(options["--reassignment-json-file"])
    cluster["throttled"].append(json.loads(json.dumps(cluster["configs"])))
    for entry in changed:
        partitions[named(entry)]["moving"] = {"replicas": entry["replicas"],
                                              "polls": cluster["polls"]}
    print("Successfully started partition reassignments for " +
          ",".join(sorted(map(named, entries))))


def added_configs(text):
    """key=value pairs between commas; values in brackets may hold commas."""
    added = {}
    while text:
        key, text = text.split("=", 1)
        if text.startswith("["):
            value, text = text[1:].split("]", 1)
            text = text.removeprefix(",")
        else:
            value, _, text = text.partition(",")
        added[key] = value
    return added


def configure(cluster, options):
    kind, name = options["--entity-type"], options["--entity-name"]
    known = ([str(broker) for broker in cluster["brokers"]] if kind == "brokers" else
             [partition.rsplit("-", 1)[0] for partition in cluster["partitions"]])
    if name not in known:
        raise Refused(f"Error: {kind} {name} does not exist")
    configs = cluster["configs"][kind].setdefault(name, {})
    allowed = RATES if kind == "brokers" else REPLICAS
    added = added_configs(options.get("--add-config", ""))
    deleted = [each for each in options.get("--delete-config", "").split(",") if each]
    for key in [*added, *deleted]:
        if key not in allowed:
            raise Refused(f"Unknown configuration {key} of {kind}")
    missing = [each for each in deleted if each not in configs]
    if missing:
        raise Refused(f"Invalid config(s): {','.join(missing)}")
    if kind == "brokers" and any(int(value) <= 0 for value in added.values()):
        raise Refused("Invalid value")
    configs.update(added)
    for each in deleted:
        del configs[each]
    print(f"Completed updating config for {kind[:-1]} {name}.")


def elect(cluster, options):
    if options["--election-type"] != "preferred":
        raise Refused("Error: only preferred elections are known")
    with open(options["--path-to-json-file"], encoding="utf-8") as file:
        names = [named(entry) for entry in json.load(file)["partitions"]]
    if len(set(names)) < len(names):
        raise Refused("Replica election data contains duplicate partitions")
    partitions = cluster["partitions"]
    for name in names:
        if name not in partitions:
            raise Refused(f"Error completing leader election (PREFERRED) for partition: {name}")
    changed = [name for name in names
               if partitions[name]["leader"] != partitions[name]["replicas"][0]]
    for name in changed:
        partitions[name]["leader"] = partitions[name]["replicas"][0]
    if changed:
        print("Successfully completed leader election (PREFERRED) for partitions " +
              ", ".join(changed))
    if len(changed) < len(names):
        print("Valid replica already elected for partitions " +
              ", ".join(name for name in names if name not in changed))


def options_of(arguments):
    options, at = {}, 0
    while at < len(arguments):
        is_flag = arguments[at] in ("--verify", "--execute", "--additional", "--alter", "--help",
                                    "--preserve-throttles")
        options[arguments[at]] = "" if is_flag else arguments[at + 1]
        at += 1 if is_flag else 2
    return options


def help_of(tool, cluster):
    if tool == "kafka-leader-election":
        return "--admin.config <String: config file>"
    if tool == "kafka-reassign-partitions" and cluster["words"] == "new":
        return "--preserve-throttles                    Do not modify broker or topic throttles."
    return ""


def main():
    tool, options = sys.argv[1], options_of(sys.argv[2:])
    path = os.environ["STAND_IN_STATE"]
    with open(path, encoding="utf-8") as file:
        cluster = json.load(file)
    if "--help" in options:
        print(help_of(tool, cluster))
        return 0
    if not options.get("--bootstrap-server"):
        print("Missing required argument \"[bootstrap-server]\"", file=sys.stderr)
        return 1
    if "--preserve-throttles" in options and (cluster["words"] == "old" or
                                              "--verify" not in options):
        print("preserve-throttles is not a recognized option", file=sys.stderr)
        return 1
    cluster["calls"].append([tool, *sys.argv[2:]])
    kill = os.environ.get("STAND_IN_KILL", "")
    status = 0
    action = {"kafka-configs": configure, "kafka-leader-election": elect}.get(
        tool, verify if "--verify" in options else execute)
    try:
        action(cluster, options)
    except Refused as refused:
        print(refused)
        status = 1
    number = len(cluster["calls"])
    names = [path] + ([f"{path}.{number}"] if os.environ.get("STAND_IN_SNAPSHOTS") else [])
    for name in names:
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(cluster, file)
        os.replace(path + ".new", name)
    if kill == str(number):
        sys.stdout.flush()
        os.killpg(0, signal.SIGKILL)
    return status


if __name__ == "__main__":
    sys.exit(main())
