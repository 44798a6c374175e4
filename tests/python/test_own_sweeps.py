"""Sweeps of rules, node programs and networks of one's own."""

import csv
import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import networkx
import numpy as np
import pytest

import equipoise

GRID = {"networks": ["torus:4x4", "path:n=9"], "loads": ["spike:tokens=320"], "seeds": "1..3",
        "algorithms": ["threshold-2", "mine"]}


@equipoise.edge_rule
def two_apart(tail, head):
    apart = tail.load - head.load
    return (apart >= 2) * 1 - (apart <= -2) * 1


@equipoise.deal_rule
def lower(node, port):
    return node.load[port.node] - port.load > 2 * node.degree[port.node]


@equipoise.node_program
class Walk:
    def start(self, node):
        self.pass_on(node)

    def receive(self, node, port, message):
        self.pass_on(node)

    def pass_on(self, node):
        while node.tokens > 40:
            node.send(node.random() % node.degree, tokens=1)


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def played(tmp_path, rule, scenario=GRID, **options):
    found = equipoise.sweep(scenario, csv=tmp_path / "study.csv", rules={"mine": rule}, **options)
    assert found.complete
    return rows_of(found.csv)


@pytest.mark.parametrize("threads", [1, 4])
def test_a_rule_is_swept_beside_those_of_the_catalogue(tmp_path, threads):
    rows = played(tmp_path, two_apart, threads=threads)
    assert len(rows) == 2 * 3 * 2
    for own, mine in zip(rows[::2], rows[1::2]):
        assert (own["algorithm"], own["given_rule"]) == ("threshold-2", "false")
        assert (mine["algorithm"], mine["given_rule"]) == ("mine", "true")
        for column in ("network", "loads", "seed", "steps", "exchanges", "discrepancy"):
            assert own[column] == mine[column]


def test_a_summary_pairs_a_rule_with_those_of_the_catalogue(tmp_path):
    halves = equipoise.edge_rule(lambda tail, head: (tail.load - head.load) // 2)
    study = equipoise.sweep(GRID, csv=tmp_path / "study.csv", rules={"mine": halves})
    found = study.summary(of=["steps"], against="threshold-2").to_dataframe()
    rows = study.to_dataframe()
    steps = rows.pivot(index=["network", "seed"], columns="algorithm", values="steps")
    expected = (steps.mine - steps["threshold-2"]).groupby("network").mean()
    mine = found[found.algorithm == "mine"].set_index("network")
    assert (mine["count"] == 3).all() and "given_rule" not in found
    for network, difference in expected.items():
        assert mine.difference[network] == pytest.approx(difference)


@pytest.mark.parametrize("rule", [lower, Walk, equipoise.edge_rule(
    lambda tail, head: (tail.load - head.load) // 2)])
def test_rows_are_those_of_single_runs(tmp_path, rule):
    for row in played(tmp_path, rule, dict(GRID, algorithms=["mine"]), threads=3):
        alone = equipoise.run(rule, row["network"], row["loads"], seed=int(row["seed"]))
        assert [int(row[name]) for name in ("steps", "exchanges", "discrepancy")] == \
            [alone.steps, alone.exchanges, alone.discrepancy]
        assert row["stopped_because"] == alone.stopped_because


def test_a_file_may_name_rules_too_and_the_program_says_that_it_does_not_know_them(tmp_path,
                                                                                   program):
    path = tmp_path / "grid.json"
    path.write_text(json.dumps(GRID))
    assert equipoise.sweep(path, csv=tmp_path / "a.csv", rules={"mine": two_apart}).rows == 12
    done = program("sweep", path, "--csv", tmp_path / "b.csv")
    assert done.returncode == 2 and 'unknown algorithm "mine"' in done.stderr


def test_seeds_are_ranges_in_words_or_in_python(tmp_path):
    for seeds in ("2..4", range(2, 5), [2, 3, 4], (2, 3, 4), np.arange(2, 5), "2,3..4"):
        rows = played(tmp_path, two_apart, dict(GRID, seeds=seeds))
        assert [row["seed"] for row in rows[:6:2]] == ["2", "3", "4"]


def test_networks_of_ones_own_have_names(tmp_path):
    networks = {"friends": networkx.karate_club_graph(), "ring": [(0, 1), (1, 2), (2, 0)],
                "made": equipoise.Network("cycle:n=5")}
    grid = dict(GRID, networks=["friends", "torus:4x4", "ring", "made"], seeds=[1])
    rows = played(tmp_path, two_apart, grid, networks=networks)
    assert [(row["network"], row["nodes"]) for row in rows[::2]] == [
        ("friends", "34"), ("torus:4x4", "16"), ("ring", "3"), ("made", "5")]
    alone = equipoise.run("threshold-2", networks["friends"], GRID["loads"][0], seed=1)
    assert rows[0]["steps"] == str(alone.steps)


@pytest.mark.parametrize("scenario, options, message", [
    ({"seeds": "0..18446744073709551615"}, {}, "seeds: expected at most 1000000 seeds"),
    ({"seeds": range(10**18)}, {}, "scenario: expected at most 1000000 numbers"),
    ({"algorithms": [two_apart]}, {}, "found <EdgeRule two_apart>: give the rule as rules="),
    ({"networks": [networkx.path_graph(3)]}, {}, "give the network as networks="),
    ({"networks": [equipoise.Network("path:n=3")]}, {}, "give the network as networks="),
    ({"algorithms": ["mien"]}, {}, "unknown algorithm \"mien\": did you mean \"mine\""),
    ({"algorithms": ["all"]}, {}, "expected the given algorithm \"mine\" among the algorithms"),
    ({}, {"rules": {"mine": "threshold-2"}}, "made with edge_rule, deal_rule or node_program"),
    ({}, {"rules": {"mine": lambda tail, head: 0}}, "made with edge_rule, deal_rule or node_pro"),
    ({}, {"rules": [two_apart]}, "rules: expected a mapping from names to rules"),
    ({}, {"rules": {3: two_apart}}, "rules: expected a string"),
    ({}, {"rules": {"threshold-2": two_apart}}, "an algorithm \"threshold-2\" already"),
    ({}, {"rules": {"coin-matching": two_apart}}, "an algorithm \"coin-matching\" already"),
    ({}, {"rules": {"all": two_apart}}, "\"all\" stands for all algorithms"),
    ({}, {"rules_version": 3}, "rules_version: expected a string"),
    ({}, {"networks": {"far": [(0, 1)]}}, "the given network \"far\" among the networks"),
    ({}, {"networks": {"torus:4x4": [(0, 1)]}}, "\"torus:4x4\" is the spec of a generator"),
    ({}, {"networks": {"far": 3}}, "networks: 'far': "),
])
def test_what_is_wrong_is_said_in_one_line_before_anything_is_written(tmp_path, scenario, options,
                                                                      message):
    with pytest.raises(equipoise.InputError) as caught:
        equipoise.sweep(dict(GRID, **scenario), csv=tmp_path / "study.csv",
                        **{"rules": {"mine": two_apart}, **options})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_what_a_rule_raises_is_passed_on_with_the_row_and_no_file_is_written(tmp_path):
    error = KeyError("mine alone")

    @equipoise.edge_rule
    def failing(tail, head, link, now):
        if now.step == 3 and now.seed == 2:
            raise error
        return two_apart(tail, head)

    with pytest.raises(KeyError) as caught:
        played(tmp_path, failing, threads=1)
    assert caught.value is error
    if sys.version_info >= (3, 11):
        assert error.__notes__ == ["in mine, spike:tokens=320 on torus:4x4, seed 2"]
    assert not (tmp_path / "study.csv").exists()
    again = equipoise.sweep(GRID, csv=tmp_path / "study.csv", rules={"mine": two_apart})
    assert (again.resumed, again.ran, again.dropped) == (2, 10, 1)  # two of threshold-2


def test_a_rule_that_returns_what_it_must_not_is_named_with_its_row(tmp_path):
    with pytest.raises(equipoise.InputError, match="^mine, spike:tokens=320 on torus:4x4, seed 1: "
                       "halves: step 0: expected one flow for each active link"):
        played(tmp_path, equipoise.edge_rule(lambda tail, head: tail.load / 2, name="halves"),
               threads=1)
    assert not (tmp_path / "study.csv").exists()


def test_rows_of_rules_are_kept_if_their_version_is_the_same(tmp_path):
    def begun(version):
        """Ends with the fourth row of "mine", of which one stays unwritten."""
        calls = []

        @equipoise.edge_rule
        def ending(tail, head, link, now):
            if now.step == 0:
                calls.append(now.seed)
            if len(calls) > 3 * 2:  # the first step is looked at twice
                raise StopIteration
            return two_apart(tail, head)
        with pytest.raises(StopIteration):
            played(tmp_path, ending, threads=1, rules_version=version)
        with open(tmp_path / "study.csv.partial", encoding="utf-8") as file:
            return sum(",mine," in line for line in file)

    for version, then, kept in (("a", "a", True), ("a", "b", False), ("", "", False),
                                ("", "a", False), ("a", "", False)):
        mine = begun(version)
        assert mine > 0
        found = equipoise.sweep(GRID, csv=tmp_path / "study.csv", rules={"mine": two_apart},
                                rules_version=then)
        assert found.complete and found.dropped == (0 if kept else mine)
        assert found.resumed >= mine if kept else found.ran >= 6


def test_the_worst_loads_of_a_rule_are_swept_beside_another(tmp_path):
    grid = {"verb": "worst", "networks": ["path:n=3"], "algorithms": ["threshold-2"],
            "options": {"beside": "mine", "most": 3}, "columns": ["equal", "played"]}
    rows = played(tmp_path, two_apart, grid)
    assert rows[0]["equal"] == rows[0]["played"] == str(4**3 - 3**3)
    assert rows[0]["given_rule"] == "true"


@pytest.mark.parametrize("body", ["while True: pass",
                                  "equipoise.run('threshold-1', 'cycle:n=200000', "
                                  "'spike:tokens=100000000', record_level='summary')"])
def test_control_c_ends_rules_that_do_not_end_on_every_thread(tmp_path, body):
    program = textwrap.dedent(f"""
        import equipoise
        begun = []
        @equipoise.edge_rule
        def endless(tail, head):
            begun.append(0)
            if len(begun) == 3:
                print("begun", flush=True)
            {body}
        try:
            equipoise.sweep({{"networks": ["path:n=4"], "loads": ["spike:tokens=9"],
                             "seeds": "1..9", "algorithms": ["mine"]}},
                            csv={str(tmp_path / "study.csv")!r}, rules={{"mine": endless}},
                            threads=3)
        except KeyboardInterrupt:
            print("ended")
        """)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                          text=True) as child:
        assert child.stdout.readline() == "begun\n"
        begin = time.monotonic()
        os.kill(child.pid, signal.SIGINT)
        try:
            assert child.communicate(timeout=20)[0] == "ended\n"
            assert child.returncode == 0
            assert time.monotonic() - begin < 20
        finally:
            child.kill()
    assert not (tmp_path / "study.csv").exists()


def test_network_and_loads_stand_where_they_stand_in_words():
    here = "path:n=4", [4, 0, 0, 0]
    by_word = {"network": here[0], "loads": here[1]}
    assert equipoise.run("threshold-1", *here).record["final_loads"] == \
        equipoise.run("threshold-1", **by_word).record["final_loads"]
    assert equipoise.run(two_apart, here[0], loads=here[1]).steps == \
        equipoise.run(two_apart, *here).steps
    both = ["threshold-1", two_apart]
    assert [run.steps for run in equipoise.compare(both, *here)] == \
        [run.steps for run in equipoise.compare(both, **by_word)]
    assert len(equipoise.compare(**by_word)) > 10
    assert equipoise.plan(*here).steps == equipoise.plan(**by_word).steps
    assert dict(equipoise.analyze(*here)) == dict(equipoise.analyze(**by_word))
    assert dict(equipoise.worst("threshold-1", here[0])) == \
        dict(equipoise.worst("threshold-1", network=here[0]))
    for missing in ({"network": here[0]}, {"loads": here[1]}, {}):
        with pytest.raises(TypeError, match="missing 1 required"):
            equipoise.compare(both, **missing)
