#!/usr/bin/env python3
"""Carries plans for Kafka's partitions out with the script of --steps, on a stand-in for a cluster.

usage: kafka_steps_test.py PROGRAM [SHELLCHECK] [--everywhere]

The script keeps nothing but what the cluster knows. So it is run once, with the cluster's state
kept after every call of a tool; from these states, in which a kill would leave the cluster, it must
go on to the end, and back to the beginning: from some of them or, with --everywhere, from all. Some
calls do kill it. It must stop where a cluster does not do what the plan says.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support" / "kafka"))
import stand_in  # noqa: E402  (found by the path above)

PARTITIONS = {"orders-0": [1, 2], "orders-1": [1, 2], "orders-2": [2, 1], "app-log-0": [1, 3],
              "app-log-1": [3, 1]}
SIZES = {"orders-0": 700, "orders-1": 400, "orders-2": 300, "app-log-0": 200, "app-log-1": 100}
BROKERS = [1, 2, 3, 4]
RATES = {1: (50, 70), 2: (40, 60), 3: (30, 90), 4: (20, 80)}  # in, out


class Case:
    """A plan in a folder, and a cluster that it is for."""

    def __init__(self, program, *options, words="new", ending=".sh"):
        self.folder = Path(tempfile.mkdtemp(prefix="kafka-steps-"))
        self.state = self.folder / "cluster.json"
        self.words = words
        write = lambda name, text: (self.folder / name).write_text(text, encoding="utf-8")
        write("now.json", json.dumps({"version": 1, "partitions": [
            {"topic": name.rsplit("-", 1)[0], "partition": int(name.rsplit("-", 1)[1]),
             "replicas": replicas, "log_dirs": [f"/disk{each % 2}" for each in replicas]}
            for name, replicas in PARTITIONS.items()]}))
        write("dirs.json", json.dumps({"version": 1, "brokers": [
            {"broker": broker, "logDirs": [{"logDir": f"/disk{broker % 2}", "error": None,
                                            "partitions": [
                {"partition": name, "size": SIZES[name], "offsetLag": 0, "isFuture": False}
                for name, replicas in PARTITIONS.items() if broker in replicas]}]}
            for broker in BROKERS]}))
        write("brokers.csv", "broker\n" + "".join(f"{broker}\n" for broker in BROKERS))
        write("rates.csv", "machine,in,out\n" + "".join(
            f"{broker},{take}B/s,{give}B/s\n" for broker, (take, give) in RATES.items()))
        os.mkdir(self.folder / "bin")
        stand_in.install(self.folder / "bin", ending)
        self.answer = json.loads(self.plan(program, "--schedule", "plan.json", "--rollback",
                                           "back.json", *options).stdout)
        self.waves = [self.lists(f"plan-{wave}.json") for wave in range(self.count("plan"))]
        self.reset()

    def plan(self, program, *options):
        """Plans, and writes steps.sh and the files beside it."""
        return subprocess.run(
            [program, "reassign", "now.json", "--log-dirs", "dirs.json", "--machines",
             "brokers.csv", "--rates", "rates.csv", "--effort", "2000", "--steps", "steps.sh",
             "--json", "--quiet", *options],
            cwd=self.folder, check=False, capture_output=True, text=True)

    def count(self, stem):
        return len(list(self.folder.glob(f"{stem}-[0-9]*.json")))

    def lists(self, name):
        """The partitions that a file names, with their replicas."""
        entries = json.loads((self.folder / name).read_text(encoding="utf-8"))["partitions"]
        return {stand_in.named(entry): entry["replicas"] for entry in entries}

    def reset(self, **changes):
        cluster = stand_in.new_cluster(PARTITIONS, BROKERS, words=self.words)
        cluster.update(changes)
        self.store(cluster)

    def cluster(self):
        return json.loads(self.state.read_text(encoding="utf-8"))

    def store(self, cluster):
        self.state.write_text(json.dumps(cluster), encoding="utf-8")

    def run(self, *arguments, kill="", bin_option=True, snapshots=""):
        """The script's exit status and what it printed; -9 if it was killed."""
        environment = dict(os.environ, STAND_IN_STATE=str(self.state), STAND_IN_KILL=kill,
                           STAND_IN_SNAPSHOTS=snapshots)
        command = ["bash", str(self.folder / "steps.sh"), "--bootstrap-server", "host:9092",
                   "--poll", "0", *arguments]
        if bin_option:
            command += ["--bin", str(self.folder / "bin")]
        else:
            environment["PATH"] = f"{self.folder / 'bin'}:{environment['PATH']}"
        done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd="/",
                              start_new_session=True, check=False, timeout=300)
        return done.returncode, done.stdout + done.stderr

    def after(self, waves):
        """The replicas of all partitions when this number of waves is done."""
        state = dict(PARTITIONS)
        for wave in self.waves[:waves]:
            state.update(wave)
        return state

    def close(self):
        shutil.rmtree(self.folder)


def expect(condition, *words):
    if not condition:
        raise AssertionError(" ".join(map(str, words)))


def replicas(cluster):
    return {name: cluster["partitions"][name]["replicas"] for name in PARTITIONS}


def leaders(cluster):
    return {name: cluster["partitions"][name]["leader"] for name in PARTITIONS}


def no_throttles(cluster):
    return not any(configs for kind in cluster["configs"].values() for configs in kind.values())


def expect_planned(case, cluster, said=""):
    """The end of the plan, carried out without a needless step."""
    expect(replicas(cluster) == case.after(len(case.waves)), "the end is", replicas(cluster), said)
    expect(no_throttles(cluster), "throttles are left:", cluster["configs"], said)
    expect(not cluster["needless"], "executed again:", cluster["needless"], said)
    expect(not stand_in.moves(cluster), "something moves", said)
    for change in case.answer.get("leaders", []):
        expect(str(leaders(cluster)[change["group"]]) == change["to"], "leader of", change, said)


def expect_as_before(cluster, said=""):
    expect(replicas(cluster) == PARTITIONS, "after the way back there are", replicas(cluster), said)
    expect("all replicas are as they were before the plan" in said, said)
    expect(no_throttles(cluster), "throttles are left:", cluster["configs"], said)
    expect(leaders(cluster) == {name: each[0] for name, each in PARTITIONS.items()},
           "after the way back the leaders are", leaders(cluster), said)


def files_are_one_plan(case):
    """What --schedule, --rollback and --steps write is the same, and what the answer says."""
    for ours, steps in (("plan", "steps"), ("back", "steps-rollback")):
        expect(case.count(ours) == case.count(steps), "numbers of files of", ours)
        for wave in range(case.count(ours)):
            expect((case.folder / f"{ours}-{wave}.json").read_text("utf-8") ==
                   (case.folder / f"{steps}-{wave}.json").read_text("utf-8"), ours, wave)
    state = {name: set(map(str, each)) for name, each in PARTITIONS.items()}
    for move in case.answer["moves"]:
        state[move["item"]].remove(move["from"])
        state[move["item"]].add(move["to"])
    end = case.after(len(case.waves))
    expect({name: set(map(str, each)) for name, each in end.items()} == state,
           "files and moves differ:", end, state)
    back = dict(end)
    for wave in range(case.count("back")):
        back.update(case.lists(f"back-{wave}.json"))
    expect(back == PARTITIONS, "the way back leads to", back)


def directories_are_kept(case):
    """Replicas that stay keep their directory, others may go to any."""
    there = {name: set(each) for name, each in PARTITIONS.items()}
    stems = ("plan", "back")
    for stem in stems:
        for wave in range(case.count(stem)):
            path = case.folder / f"{stem}-{wave}.json"
            for entry in json.loads(path.read_text(encoding="utf-8"))["partitions"]:
                name = stand_in.named(entry)
                there[name] &= set(entry["replicas"])
                expected = [f"/disk{each % 2}" if each in there[name] else "any"
                            for each in entry["replicas"]]
                given = entry.get("log_dirs", ["any"] * len(expected))
                expect(given == expected, path.name, name, given, expected)


def runs_to_the_end(case):
    """The states of the cluster after each call."""
    status, said = case.run(snapshots="yes")
    expect(status == 0, said)
    cluster = case.cluster()
    expect_planned(case, cluster, said)
    expect(len(re.findall(r"wave \d+ of \d+: completed", said)) == len(case.waves), said)
    executed = [Path(call[call.index("--reassignment-json-file") + 1]).name
                for call in cluster["calls"] if "--execute" in call]
    expect(executed == [f"steps-{wave}.json" for wave in range(len(case.waves))], executed)
    states = [json.loads(Path(f"{case.state}.{call}").read_text(encoding="utf-8"))
              for call in range(1, len(cluster["calls"]) + 1)]
    # Once more, it only finds that all is done.
    status, said = case.run()
    expect(status == 0 and f"{len(case.waves)} of {len(case.waves)} waves are done" in said, said)
    expect_planned(case, case.cluster(), said)
    return states


def throttles_are_those_of_the_rates(case):
    cluster = case.cluster()
    state = dict(PARTITIONS)
    for wave, configs in zip(case.waves, cluster["throttled"]):
        gives, takes, lists = set(), set(), {}
        for name, new in wave.items():
            topic, number = name.rsplit("-", 1)
            taken = [each for each in new if each not in state[name]]
            if not taken:
                continue
            gives |= set(state[name])
            takes |= set(taken)
            leader, follower = lists.setdefault(topic, (set(), set()))
            leader |= {f"{number}:{each}" for each in state[name]}
            follower |= {f"{number}:{each}" for each in taken}
        state.update(wave)
        found = {broker: each for broker, each in configs["brokers"].items() if each}
        expected = {}
        for broker in gives | takes:
            rates = expected.setdefault(str(broker), {})
            if broker in gives:
                rates["leader.replication.throttled.rate"] = str(RATES[broker][1])
            if broker in takes:
                rates["follower.replication.throttled.rate"] = str(RATES[broker][0])
        expect(found == expected, "rates:", found, expected)
        found = {topic: tuple(set(each[key].split(",")) for key in stand_in.REPLICAS)
                 for topic, each in configs["topics"].items() if each}
        expect(found == lists, "throttled replicas:", found, lists)


def goes_on_from_everywhere(case, states, every):
    for call in range(1, len(states) + 1, every):
        case.store(states[call - 1])
        status, said = case.run()
        expect(status == 0, "from the state after call", call, said)
        expect_planned(case, case.cluster(), f"from the state after call {call}: {said}")


def goes_back_from_everywhere(case, states, every):
    for call in range(1, len(states) + 1, every):
        # The way back may be interrupted, too.
        case.store(states[call - 1])
        status, said = case.run("--rollback", kill=str(call + 9) if call % 3 == 0 else "")
        if status == -9:
            status, said = case.run("--rollback")
        expect(status == 0, "back from the state after call", call, said)
        expect_as_before(case.cluster(), f"back from the state after call {call}: {said}")


def goes_on_when_it_is_killed(case, states, every):
    for call in range(1, len(states) + 1, every):
        case.reset()
        status, said = case.run(kill=str(call))
        expect(status == -9, "not killed by call", call, said)
        killed = case.cluster()
        expect(killed == states[call - 1], "the state after call", call, "is another one")
        status, said = case.run()
        expect(status == 0, "killed by call", call, said)
        expect_planned(case, case.cluster(), f"killed by call {call}: {said}")


def stops_where_a_reassignment_fails(case):
    failing = next(iter(case.waves[1]))
    case.reset(fails=[failing])
    status, said = case.run()
    expect(status == 1 and f"partition {failing}" in said and "did not end as planned" in said,
           said)
    cluster = case.cluster()
    executed = [call for call in cluster["calls"] if "--execute" in call]
    expect(len(executed) == 2, "the next wave was started:", executed)
    # It says so again, and goes on when the cause is gone.
    expect(case.run()[0] == 1, "the failure was not seen again")
    cluster = case.cluster()
    cluster["fails"] = []
    case.store(cluster)
    status, said = case.run()
    expect(status == 0, said)
    expect_planned(case, case.cluster(), said)


def stops_where_somebody_else_changes_partitions(case):
    touched = next(iter(case.waves[0]))
    case.reset()
    cluster = case.cluster()
    cluster["partitions"][touched]["replicas"] = [2, 3, 4]
    case.store(cluster)
    for arguments in ((), ("--rollback",)):
        status, said = case.run(*arguments)
        expect(status == 1 and "Plan again from the present state" in said, said)
        expect(f"partition {touched} has the replicas 2,3,4; the plan knows" in said, said)
        expect(not [call for call in case.cluster()["calls"] if "--execute" in call], said)


def waits_for_others(case):
    """A reassignment that is not of the plan: Kafka refuses a second one."""
    case.reset()
    cluster = case.cluster()
    cluster["partitions"]["foreign-0"] = {"replicas": [1], "leader": 1,
                                          "moving": {"replicas": [2], "polls": 4}}
    case.store(cluster)
    status, said = case.run()
    expect(status == 1 and "existing partition assignment" in said and
           "Throttles are still set" in said, said)
    while stand_in.moves(case.cluster()):
        case.run("--status")
    status, said = case.run()
    expect(status == 0, said)
    expect_planned(case, case.cluster(), said)


def takes_away_what_verify_leaves(case):
    case.reset(clears=False)
    status, said = case.run()
    expect(status == 0, said)
    expect_planned(case, case.cluster(), said)
    expect([call for call in case.cluster()["calls"] if "--delete-config" in call], "no deletions")


def bears_calls_that_fail(case):
    case.reset(tool_fails=2)
    status, said = case.run()
    expect(status == 0, said)
    expect_planned(case, case.cluster(), said)
    case.reset(tool_fails=3)
    status, said = case.run()
    expect(status == 1 and "failed 3 times in a row" in said and "Timed out" in said, said)


def says_what_it_would_do(case):
    case.reset()
    status, said = case.run("--dry-run")
    expect(status == 0 and not case.cluster()["calls"], said)
    for wave in range(len(case.waves)):
        expect(f"steps-{wave}.json --execute" in said, said)
    status, said = case.run("--dry-run", "--rollback")
    expect("steps-rollback-0.json --execute" in said and not case.cluster()["calls"], said)
    status, said = case.run("--status")
    expect(status == 0 and f"0 of {len(case.waves)} waves are done" in said, said)
    expect(not [call for call in case.cluster()["calls"] if "--execute" in call], said)
    if case.words == "new":  # old words leave it open which wave it is
        expect(len(case.cluster()["calls"]) == 1, "asked more than once:", case.cluster()["calls"])
    status, said = case.run("--wrong")
    expect(status == 2 and "expected an option, found --wrong" in said, said)
    os.remove(case.folder / "steps-end.json")
    status, said = case.run()
    expect(status == 1 and "steps-end.json, found none" in said, said)


def says_which_wave_moves(case, states):
    for state in states:
        executed = [call for call in state["calls"] if "--execute" in call]
        if state["calls"][-1] not in executed:
            continue
        case.store(state)
        status, said = case.run("--status")
        expect(status == 0 and "of the plan's partitions move now" in said, said)
        if state["words"] == "new":
            expect(f"wave {len(executed)} of {len(case.waves)} moves now" in said, said)


def leaves_throttles_alone_until_a_wave_ends(case):
    case.reset()
    cluster = case.cluster()
    cluster["configs"]["brokers"]["1"] = {"follower.replication.throttled.rate": "7"}
    case.store(cluster)
    status, said = case.run("--status")
    kept = case.cluster()["configs"] == cluster["configs"]
    expect(status == 0 and kept == (case.words == "new"), said)
    expect(kept or "takes all throttles away" in said, said)


def stops_where_files_are_of_another_plan(case):
    for name in ("steps-0.json", "steps-end.json"):
        path = case.folder / name
        text = path.read_text(encoding="utf-8")
        document = json.loads(text)
        if name == "steps-end.json":
            document["partitions"].pop()
        else:
            document["partitions"].append({"topic": "orders", "partition": 9, "replicas": [1]})
        path.write_text(json.dumps(document), encoding="utf-8")
        case.reset()
        cluster = case.cluster()
        cluster["partitions"]["orders-9"] = {"replicas": [1], "leader": 1, "moving": None}
        case.store(cluster)
        status, said = case.run()
        expect(status == 1 and name in said and "are of different plans" in said, said)
        path.write_text(text, encoding="utf-8")


def is_run_by_bash_whatever_starts_it(case):
    done = subprocess.run(["sh", str(case.folder / "steps.sh"), "--dry-run"], check=False,
                          capture_output=True, text=True)
    expect(done.returncode == 0 and "steps-0.json --execute" in done.stdout, done)


def no_two_plans_are_mixed(program, case):
    """Files of another plan under the same name: all are replaced, or none."""
    contents = lambda: {path.name: path.read_bytes() for path in case.folder.glob("steps*")
                        if path.is_file()}
    before = contents()
    for left in (f"steps-{len(case.waves)}.json", f"steps-rollback-{len(case.waves)}.json",
                 "steps-leaders.json"):
        (case.folder / left).write_text("{}", encoding="utf-8")
        done = case.plan(program, "--drain", "1")
        expect(done.returncode == 2 and f"{left}: expected no file of an earlier plan" in
               done.stderr, done)
        os.remove(case.folder / left)
    expect(contents() == before, "files were changed")
    os.remove(case.folder / "steps-end.json")
    os.mkdir(case.folder / "steps-end.json")
    end = before.pop("steps-end.json")
    done = case.plan(program, "--drain", "2")
    expect(done.returncode == 2 and "steps-end.json: cannot be written" in done.stderr, done)
    expect(contents() == before, "files were changed")
    os.rmdir(case.folder / "steps-end.json")
    (case.folder / "steps-end.json").write_bytes(end)


def command_configs_reach_the_tools(case):
    case.reset()
    config = case.folder / "client.properties"
    config.write_text("", encoding="utf-8")
    status, said = case.run("--command-config", str(config), bin_option=False)
    expect(status == 0, said)
    for call in case.cluster()["calls"]:
        option = "--admin.config" if call[0] == "kafka-leader-election" else "--command-config"
        expect(call[call.index(option) + 1] == str(config), call)


def main():
    program = os.path.abspath(sys.argv[1])
    everywhere = "--everywhere" in sys.argv
    shellcheck = next((word for word in sys.argv[2:] if word != "--everywhere"), "")
    plans = {"a broker is drained": ["--drain", "1"],
             "leaders are levelled, too": ["--level", "bytes,leaders"],
             "leaders alone": ["--level", "leaders"]}
    for name, options in plans.items():
        case = Case(program, *options)
        if shellcheck:
            subprocess.run([shellcheck, str(case.folder / "steps.sh")], check=True)
        files_are_one_plan(case)
        directories_are_kept(case)
        states = runs_to_the_end(case)
        throttles_are_those_of_the_rates(case)
        goes_on_from_everywhere(case, states, 1 if everywhere else 3)
        goes_back_from_everywhere(case, states, 1 if everywhere else 5)
        goes_on_when_it_is_killed(case, states, 1 if everywhere else 9)
        print(f"{name}: {len(case.waves)} waves, {len(states)} calls")
        case.close()
    for words, ending in (("new", ".sh"), ("old", "")):
        case = Case(program, "--drain", "1", words=words, ending=ending)
        expect(len(case.waves) >= 2, "too few waves to see anything")
        states = runs_to_the_end(case)
        if words == "old":
            goes_on_from_everywhere(case, states, 2 if everywhere else 6)
            goes_back_from_everywhere(case, states, 2 if everywhere else 6)
        stops_where_a_reassignment_fails(case)
        if words == "new":  # old words do not tell
            stops_where_somebody_else_changes_partitions(case)
        waits_for_others(case)
        takes_away_what_verify_leaves(case)
        bears_calls_that_fail(case)
        command_configs_reach_the_tools(case)
        says_which_wave_moves(case, states)
        leaves_throttles_alone_until_a_wave_ends(case)
        stops_where_files_are_of_another_plan(case)
        is_run_by_bash_whatever_starts_it(case)
        no_two_plans_are_mixed(program, case)
        says_what_it_would_do(case)
        print(f"{words} words of --verify: stops where it must, and goes on")
        case.close()


if __name__ == "__main__":
    main()
