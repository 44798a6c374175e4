"""Node programs written in Python run in the simulation, and no token is made or lost."""

import pathlib
import runpy

import pytest

import equipoise

HERE = pathlib.Path(__file__).parent
Averaging = runpy.run_path(str(HERE / "averaging.py"))["Averaging"]


WORLDS = [{}, {"delays": "random:max=9"}, {"delays": "heavy-tail:max=64"},
          {"adversary": "starve:5"}, {"adversary": "hold-acks"}, {"ports": "1"}]
FAULTS = ["loss=0.3", "duplicate=0.4", "loss=0.2,duplicate=0.2,reorder=0.3",
          "loss=0.1,capacity=3"]


@pytest.mark.parametrize("world", WORLDS + [{"faults": faults} for faults in FAULTS])
def test_averaging_levels_and_conserves_under_delays_loss_and_duplicates(world, tmp_path, program):
    run = equipoise.run(Averaging, network="torus:4x4", loads="spike:tokens=160", seed=2, **world)
    record = run.record
    assert sum(record["final_loads"]) == 160
    assert record["created"] == [] and record["destroyed"] == []
    assert record["local_imbalance"] <= 1
    assert record["stopped_because"] == "quiet"
    assert record["model"] == "asynchronous" and record["given_rule"] is True
    assert equipoise.verify(run)
    run.write(tmp_path / "run.json")
    verified = program("verify", "run.json")
    assert verified.returncode == 0, verified.stdout


def test_runs_with_the_same_seed_are_the_same():
    options = {"network": "cycle:n=8", "loads": "zipf:tokens=90", "delays": "random",
               "faults": "loss=0.2"}
    first, second, other = (equipoise.run(Averaging, seed=seed, **options).record
                            for seed in (4, 4, 5))
    assert first["asynchrony"] == second["asynchrony"]
    assert first["asynchrony"]["digest"] != other["asynchrony"]["digest"]


def test_tokens_travel_in_messages():
    @equipoise.node_program
    class Walk:
        def start(self, node):
            self.receive(node, 0, None)

        def receive(self, node, port, message):
            while node.tokens > 1:
                node.send(node.random() % node.degree, tokens=1)

    for world in ({}, {"adversary": "newest-first"}, {"delays": "random"}):
        run = equipoise.run(Walk, network="complete:n=5", loads="spike:tokens=5",
                                      seed=1, **world).record
        assert run["final_loads"] == [1] * 5
    with pytest.raises(equipoise.UnsuitableError, match="channels without faults"):
        equipoise.run(Walk, network="complete:n=5", loads="spike:tokens=5", faults="loss=0.1")


def error_of(action, match=None):
    class Bad:
        def start(self, node):
            action(node)

        def receive(self, node, port, message):
            pass

    with pytest.raises(equipoise.InputError) as caught:
        equipoise.run(equipoise.node_program(Bad), network="path:n=3", loads="spike:tokens=9")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_nodes_that_cheat_are_refused_in_one_line():
    assert error_of(lambda node: node.send(0, tokens=10)) == (
        "Bad: node 0: expected to send 0 to 9 tokens, as the node has no more, found 10")
    assert error_of(lambda node: node.take_over(0, 1)).startswith("Bad: node 0: expected to take")
    assert error_of(lambda node: node.hand_over(0, 1)).startswith("Bad: node 0: expected to hand")
    assert "expected a port below 1" in error_of(lambda node: node.send(1))
    assert "one of the kinds (message)" in error_of(lambda node: node.send(0, kind="x"))
    assert "at most 4 numbers" in error_of(lambda node: node.send(0, 1, 2, 3, 4, 5))
    kept = []
    error_of(lambda node: node.send(0, tokens=10) if kept else kept.append(node) or node.send(2))
    with pytest.raises(equipoise.InputError, match="only while"):
        kept[0].tokens


def test_what_a_program_raises_comes_out_as_it_is():
    class Raising:
        def receive(self, node, port, message):
            pass

        def start(self, node):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        equipoise.run(equipoise.node_program(Raising), network="path:n=3",
                      loads="spike:tokens=9")


def test_messages_have_kinds_and_numbers_and_nodes_may_end():
    heard = []

    @equipoise.node_program(kinds=("ping", "pong"), name="ping-pong")
    class PingPong:
        def start(self, node):
            if node.is_tail(0):
                node.send(0, 7, -3)

        def receive(self, node, port, message):
            heard.append((message.kind, message.fields, len(message), message.tokens))
            if message.kind == "ping":
                node.send(port, kind="pong", tokens=0)
            node.end()

    run = equipoise.run(PingPong, network="path:n=2", loads="spike:tokens=2").record
    assert heard == [("ping", (7, -3), 2, 0), ("pong", (), 0, 0)]
    assert run["asynchrony"]["kinds"] == ["ping", "pong"]


def test_a_program_is_a_class_that_receives():
    with pytest.raises(equipoise.InputError, match="method receive"):
        equipoise.node_program(type("Deaf", (), {}))
    with pytest.raises(equipoise.InputError, match="expected a class"):
        equipoise.node_program(3)
