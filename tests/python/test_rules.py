"""Rules written in Python run like those of the catalogue, and what they return is checked."""

import os
import signal
import threading

import numpy as np
import pytest

import equipoise


@equipoise.edge_rule
def two_apart(tail, head, link, now):
    apart = tail.load - head.load
    return (apart >= 2) * 1 - (apart <= -2) * 1


# What differs between a given rule and the same rule of the catalogue.
WHOSE = {"algorithm", "given_rule", "one_token_a_link", "guarantee", "steps_max", "seconds"}


@pytest.mark.parametrize("network", ["torus:8x8", "mesh:5x7", "path:n=9", "star:leaves=7",
                                     "random-regular:n=30,d=3", "hypercube:d=5"])
@pytest.mark.parametrize("loads", ["spike:tokens=500", "zipf:tokens=900", "uniform:tokens=300"])
def test_threshold_2_in_five_lines_is_the_built_in_one_bit_for_bit(network, loads):
    mine = equipoise.run(two_apart, network=network, loads=loads, seed=3).record
    own = equipoise.run("threshold-2", network=network, loads=loads, seed=3).record
    assert mine["given_rule"] is True
    for key in own:
        if key not in WHOSE:
            assert mine[key] == own[key], key


def test_diffusion_with_all_links_is_the_built_in_one_bit_for_bit():
    @equipoise.edge_rule(links="all")
    def metropolis(tail, head, link, now):
        apart = tail.load - head.load
        return np.sign(apart) * (abs(apart) // (1 + np.maximum(tail.degree, head.degree)))

    for steps in (1, 7, 40):
        options = {"network": "torus:6x7", "loads": "spike:tokens=4200", "max_steps": steps}
        mine = equipoise.run(metropolis, **options).record
        own = equipoise.run("diffusion", **options).record
        assert mine["final_loads"] == own["final_loads"]
        assert mine["costs"] == own["costs"]


def test_a_coin_is_the_same_at_both_ends_and_in_every_run():
    @equipoise.edge_rule(links="random-matchings")
    def coin(tail, head, link, now):
        apart = tail.load - head.load
        odd = (apart % 2) * (link.random() >> np.uint64(63)).astype(np.int64)
        return apart // 2 + odd

    options = {"network": "cycle:n=16", "loads": "spike:tokens=1000", "seed": 5, "max_steps": 60,
               "stop": "quiet:1000"}
    mine = equipoise.run(coin, **options).record
    own = equipoise.run("coin-averaging", **options).record
    assert mine["final_loads"] == own["final_loads"]


def test_links_and_nodes_remember():
    @equipoise.edge_rule(link_state={"visits": int, "half": float}, node_state=["moves"])
    def counting(tail, head, link, now):
        assert np.array_equal(link.state["half"], link.state["visits"] / 2)
        link.state["visits"] += 1
        link.state["half"] = link.state["visits"] / 2
        apart = tail.load - head.load
        return (apart >= 2) * 1 - (apart <= -2) * 1

    started, seen = [], []

    @counting.start
    def _(node, now):
        node.state["moves"] = 10 * node.degree
        started.append(len(node))

    @counting.after
    def _(node, now):
        node.state["moves"] += abs(node.load - node.old_load)
        seen.append(node.state["moves"].max())

    run = equipoise.run(counting, network="path:n=6", loads="spike:tokens=30")
    assert started == [6]
    assert seen[-1] > 20
    assert run.record["final_loads"] == equipoise.run(
        "threshold-2", network="path:n=6", loads="spike:tokens=30").record["final_loads"]


def test_deal_rules_propose_and_accept():
    @equipoise.deal_rule
    def halves(node, port, now):
        lower = np.maximum(0, node.load[port.node] - port.load)
        assert len(port.first) == len(node) + 1 and len(lower) == port.first[-1]
        return lower // (2 * node.degree[port.node])

    taken = []

    @halves.accept
    def _(node, port, offered, now):
        taken.append(offered.sum())
        return (offered + 1) // 2

    run = equipoise.run(halves, network="torus:6x6", loads="spike:tokens=3600").record
    assert sum(run["final_loads"]) == 3600
    assert run["costs"]["exchanges"] > 0 and taken
    assert run["model"] == "multi-port"


def error_of(function, **options):
    with pytest.raises(equipoise.InputError) as caught:
        equipoise.run(equipoise.edge_rule(function, name="bad", **options), network="path:n=4",
                      loads="spike:tokens=9")
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("function, found", [
    (lambda tail, head, link, now: None, "found None (return is missing?)"),
    (lambda tail, head, link, now: 0, "found shape ()"),
    (lambda tail, head, link, now: tail.load[:1], "found shape (1,)"),
    (lambda tail, head, link, now: tail.load / 2, "found float64 (round it"),
    (lambda tail, head, link, now: tail.load * np.nan, "found float64 (round it"),
    (lambda tail, head, link, now: tail.load.astype(np.uint64), "found uint64"),
    (lambda tail, head, link, now: ["a", "b"], "found <U1"),
])
def test_what_is_no_array_of_whole_numbers_is_refused(function, found):
    assert error_of(function).startswith(
        "bad: step 0: expected one flow for each active link, 2 whole numbers in an array, "
        + found)


def test_loads_below_0_are_refused_unless_the_rule_may_owe():
    assert error_of(lambda tail, head, link, now: tail.load + 1) == (
        "bad: step 0, node 0: expected to be left with 0 tokens or more, found -1 (it held 9)")
    owing = equipoise.edge_rule(lambda tail, head, link, now: tail.load + 1, may_owe=True)
    run = equipoise.run(owing, network="path:n=4", loads="spike:tokens=9", max_steps=3).record
    assert sum(run["final_loads"]) == 9 and min(run["final_loads"]) < 0


def test_rules_that_look_at_other_links_or_draw_by_themselves_are_found():
    assert "expected the same number whatever else" in error_of(
        lambda tail, head, link, now: (tail.load > tail.load.mean()) * 1)
    calls = []

    def secretive(tail, head, link, now):
        calls.append(now.step)
        return tail.load * 0 + (len(calls) % 2 == 0) * (tail.load > 0)

    assert "expected the same number" in error_of(secretive)


class OwnError(Exception):
    pass


def test_what_a_rule_raises_comes_out_as_it_is():
    @equipoise.edge_rule
    def raising(tail, head, link, now):
        if now.step == 2:
            raise OwnError("from step 2")
        return tail.load * 0

    with pytest.raises(OwnError, match="from step 2") as caught:
        equipoise.run(raising, network="path:n=4", loads="spike:tokens=9", stop="quiet:9")
    assert caught.traceback[-1].name == "raising"


def test_views_cannot_be_written_and_can_be_kept():
    def writing(tail, head, link, now):
        tail.load[0] = 1

    with pytest.raises(ValueError, match="read-only"):
        equipoise.run(equipoise.edge_rule(writing), network="path:n=4", loads="spike:tokens=9")
    kept = []

    @equipoise.edge_rule
    def keeping(tail, head, link, now):
        kept.append((tail, tail.load, head.degree))
        return tail.load * 0

    equipoise.run(keeping, network="path:n=4", loads="spike:tokens=9")
    assert len(kept[0][1]) == len(kept[0][2])
    with pytest.raises(equipoise.InputError, match="only while it runs"):
        kept[0][0].speed


def test_what_is_wrong_with_a_rule_is_told_where_it_is_made():
    def rule(tail, head, link, now):
        return tail.load * 0

    for wrong, text in [({"links": "edges"}, "links: expected colours, all"),
                        ({"name": "diffusion"}, "there is an algorithm"),
                        ({"name": "two words"}, "expected a rule's name"),
                        ({"link_state": ["a b"]}, "expected names of fields"),
                        ({"node_state": {"x": str}}, "expected int or float")]:
        with pytest.raises(equipoise.InputError, match=text):
            equipoise.edge_rule(**wrong)(rule)
    with pytest.raises(equipoise.InputError, match="expected a function"):
        equipoise.edge_rule(3)
    with pytest.raises(equipoise.InputError, match="expected the name of an algorithm or a rule"):
        equipoise.run(3, network="path:n=4", loads="spike:tokens=9")


def test_fields_that_are_not_there_are_named():
    assert 'expected one of count, found "cuont": did you mean "count"?' in error_of(
        lambda tail, head, link, now: link.state["cuont"], link_state="count")
    assert 'expected a field declared in node_state (for nodes) or link_state (for links)' in (
        error_of(lambda tail, head, link, now: tail.state["count"], link_state="count"))


def test_comparisons_and_pages_show_rules_beside_the_built_in_algorithms(tmp_path):
    found = equipoise.compare(["threshold-2", two_apart], network="torus:5x5",
                              loads="spike:tokens=250")
    assert [run.algorithm for run in found] == ["threshold-2", "two_apart"]
    assert found[0].steps == found["two_apart"].steps
    assert "two_apart" in str(found)
    found.save_html(tmp_path / "page.html")
    assert "two_apart" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert equipoise.compare(two_apart, network="path:n=4", loads="spike:tokens=9").all_reached


def test_records_of_rules_pass_verify_and_are_replayed_with_the_rule_only():
    run = equipoise.run(two_apart, network="torus:5x5", loads="spike:tokens=250")
    assert run.guarantee is None
    assert equipoise.verify(run)
    assert not equipoise.verify({**run.record, "algorithm": "threshold-2"})
    same, detail, again = equipoise.replay(run, rule=two_apart)
    assert same, detail
    assert (again.final_loads == run.final_loads).all()
    with pytest.raises(equipoise.UnsuitableError, match="given by the caller"):
        equipoise.replay(run)


def test_tokens_arrive_and_nodes_come_and_go_under_a_rule():
    run = equipoise.run(two_apart, network="torus:5x5", loads="spike:tokens=250", max_steps=80,
                        arrivals="poisson:rate=0.2,consume=0.2", churn="random:nodes=0.05,back=0.5")
    assert equipoise.verify(run)


def test_the_program_says_in_one_line_that_it_needs_the_rule(program, tmp_path):
    equipoise.run(two_apart, network="path:n=4", loads="spike:tokens=9").write(
        tmp_path / "run.json")
    done = program("run", "--replay", "run.json")
    assert done.returncode == 2
    assert done.stderr == ('equipoise: the rule of this run, "two_apart", was given by the caller: '
                           "expected the same rule again, to replay the run\n")


def test_control_c_ends_a_run_of_a_rule():
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()

    @equipoise.edge_rule
    def swapping(tail, head, link, now):
        return (tail.load > head.load) * 1 - (tail.load < head.load) * 1

    with pytest.raises(KeyboardInterrupt):
        equipoise.run(swapping, network="torus:100x100", loads="uniform:tokens=100001",
                      max_steps=10**9, stop="quiet:9")


def test_speeds_and_matchings_reach_the_rule():
    @equipoise.edge_rule(links="matchings")
    def per_speed(tail, head, link, now):
        apart = tail.load * head.speed - head.load * tail.speed
        return np.sign(apart) * (abs(apart) // (tail.speed + head.speed))

    run = equipoise.run(per_speed, network="path:n=4", loads="spike:tokens=90",
                        speeds=[1, 2, 3, 4],
                        matchings=[np.array([[0, 1], [2, 3]]), np.array([[1, 2]])])
    assert equipoise.verify(run)
    assert abs(run.final_loads - 9 * np.array([1, 2, 3, 4])).max() <= 2


def test_a_rule_may_leave_out_the_arguments_that_it_does_not_use():
    @equipoise.edge_rule
    def short(tail, head):
        apart = tail.load - head.load
        return (apart >= 2) * 1 - (apart <= -2) * 1

    @equipoise.edge_rule
    def long(tail, head, link, now):
        return short(tail, head)

    asked = {"network": "torus:8x8", "loads": "uniform:tokens=999"}
    assert equipoise.run(short, **asked).loads == equipoise.run(long, **asked).loads
    with pytest.raises(equipoise.InputError, match=r"of \(tail, head, link, now\) or of the first"):
        equipoise.edge_rule(lambda tail, head, link, now, more: 0)
    with pytest.raises(equipoise.InputError, match="found one of"):
        equipoise.edge_rule(lambda: 0)
