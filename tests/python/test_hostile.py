"""Input that programs hand over by mistake is refused in one line; nothing is forgotten."""

import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap

import networkx
import numpy as np
import pandas
import pytest
import scipy.sparse

import equipoise

HERE = {"network": "path:n=4", "loads": [4, 0, 0, 0]}
MASKED = np.ma.array([4, 1, 2, 3], mask=[True, False, False, False])
LINKS = [(0, 1), (1, 2), (2, 3)]


class WithoutText:
    def __repr__(self):
        raise RuntimeError("no text")


def refused(call, *arguments, match=".", **options):
    with pytest.raises(equipoise.InputError, match=match) as caught:
        call(*arguments, **options)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("options, message", [
    ({"loads": MASKED}, "loads: expected an array without a mask"),
    ({"loads": pandas.Series([1, 2], index=[0, 0])}, "every node once, found node 0 again"),
    ({"loads": {0: 1, "0": 2}}, "every node once, found node '0' again"),
    ({"loads": pandas.DataFrame({0: [1, 2], 1: [3, 4]})}, "expected a whole number"),
    ({"loads": {0: 10**5000}}, "found a value of type int"),
    ({"seed": 10**5000}, "found a value of type int"),
    ({"loads": {WithoutText(): 1}}, "found a value of type WithoutText"),
    ({"loads": "a\0b"}, "without zero bytes"),
    ({"stop": "\udcff"}, "in UTF-8"),
    ({"matchings": "\udcff"}, "in UTF-8"),
    ({"record_level": "\udcff"}, "in UTF-8"),
    ({"tree": "x" * 5000}, "--tree"),
    ({"matchings": "x" * 5000}, "--matchings"),
    ({"network": "\udcff"}, "in UTF-8"),
    ({"network": "a\0b"}, "without zero bytes"),
    ({"network": b"path:n=4"}, "expected a string, found b'path:n=4'"),
    ({"network": np.ma.array(LINKS, mask=np.ones((3, 2)))}, "without a mask"),
    ({"network": np.array([[0, 2**64 - 1]], dtype=np.uint64)}, "found 18446744073709551615"),
    ({"network": scipy.sparse.csr_matrix([[0, np.nan], [np.nan, 0]])}, "found nan"),
])
def test_what_a_run_cannot_take_is_said_in_one_line(options, message):
    refused(equipoise.run, "threshold-1", match=message, **{**HERE, **options})


@pytest.mark.parametrize("positions", [{0: (1,)}, {0: 1}, {-1: (1, 2)}, {"0": (1, 2)}])
def test_positions_are_pairs_for_nodes_that_are_there(positions):
    refused(equipoise.Network, LINKS, positions=positions, match="positions: expected a pair")


def test_sizes_are_judged_before_memory_is_taken():
    refused(equipoise.Network, [], n=4_294_967_294, match="memory: this machine has")
    refused(equipoise.Network, [(0, 2**31)], positions={0: (1, 2)}, match="found node 2147483648")


def test_paths_that_cannot_be_are_refused(tmp_path):
    run = equipoise.run("threshold-1", **HERE)
    plan = equipoise.plan(**HERE)
    for act in (run.write, run.save_html, run.network.write, plan.write_schedule,
                equipoise.read_run, equipoise.replay, equipoise.sweep):
        refused(act, 3, match="the path of a file, found 3")
        refused(act, str(tmp_path / "a\0b.gml"), match="without zero bytes")
        refused(act, "/tmp/\udcff.gml", match="in UTF-8")


def test_names_of_algorithms_are_strings():
    refused(equipoise.run, "\udcff", match="in UTF-8", **HERE)
    refused(equipoise.compare, ["threshold-1", "\udcff"], match="in UTF-8", **HERE)
    refused(equipoise.algorithms().describe, 3, match="expected a string")


def test_mappings_that_json_cannot_hold_are_refused():
    refused(equipoise.verify, {"steps": object()}, match="record: expected what JSON can hold")
    refused(equipoise.verify, {"steps": float("nan")}, match="record: expected what JSON can hold")
    record = equipoise.run("threshold-1", **HERE).record
    record["final_loads"] = np.array(record["final_loads"])
    assert equipoise.verify(record).passed


def test_graphs_may_have_any_attributes_and_any_names():
    graph = networkx.path_graph(["a,b", "c\nd", "\udcff", ""])
    graph.graph.update({"name": 3, 4: 5, "incoming_graph_data": 6})
    net = equipoise.Network(graph)
    assert net.name == "3"
    assert net.to_networkx().graph == graph.graph
    assert equipoise.run("threshold-1", network=net, loads={"\udcff": 4}).loads["a,b"] == 1
    refused(equipoise.Network, networkx.Graph([(WithoutText(), 1)]), match="different names")


@equipoise.edge_rule
def two_apart(tail, head, link, now):
    apart = tail.load - head.load
    return (apart >= 2) * 1 - (apart <= -2) * 1


def run_of_seed(seed):
    return equipoise.run("threshold-2", network="torus:6x6", loads="spike:tokens=90", seed=seed)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy,
                                   lambda given: pickle.loads(pickle.dumps(given))])
def test_networks_runs_and_rules_can_be_copied_and_pickled(again, tmp_path):
    named = equipoise.Network(networkx.les_miserables_graph())
    (tmp_path / "net.edges").write_text("5 6\n6 7\n")
    for net in (named, equipoise.Network("random-regular:n=20,d=3", seed=5),
                equipoise.Network(tmp_path / "net.edges"),
                equipoise.Network(LINKS, positions={0: (1, 2)}),
                equipoise.Network([(0, 1), (2, 3), (3, 4)], largest_component=True)):
        copied = again(net)
        assert list(copied.nodes) == list(net.nodes)
        assert copied.links.tolist() == net.links.tolist()
        assert copied.name == net.name
        assert (net.positions is None) == (copied.positions is None)
        assert net.positions is None or (copied.positions == net.positions).all()
    grid = again(equipoise.Network("mesh:4x4"))
    assert equipoise.run("balancing-circuit", network=grid, loads="spike:tokens=99",
                         matchings="snake").reached
    run = equipoise.run("threshold-2", network=named, loads={"Valjean": 100})
    copied = again(run)
    assert copied.record == run.record
    assert copied.loads == run.loads
    assert again(two_apart) is two_apart or isinstance(again(two_apart), equipoise.EdgeRule)


def test_other_processes_can_return_runs():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(run_of_seed, range(3)).get(timeout=30)
    assert [run.seed for run in found] == [0, 1, 2]
    assert found[1].record["final_loads"] == run_of_seed(1).record["final_loads"]


RULES = [("state[0]", "the name of a field, found 0"), ("random(-1)", "random: index: expected"),
         ("random('x')", "found 'x'"), ("random(1.5)", "found 1.5"), ("random(2**64)", "random")]


@pytest.mark.parametrize("call, message", RULES)
def test_what_links_cannot_answer_is_said_in_one_line(call, message):
    @equipoise.edge_rule
    def asking(tail, head, link, now):
        eval("link." + call)
        return 0 * tail.load
    refused(equipoise.run, asking, match=message, **HERE)


def test_a_masked_result_of_a_rule_is_refused():
    rule = equipoise.edge_rule(lambda tail, head, link, now: np.ma.array(
        np.sign(tail.load - head.load), mask=tail.load > 0))
    refused(equipoise.run, rule, match="found a masked array", **HERE)


def test_rules_are_made_of_what_rules_are_made_of():
    def zero(tail, head, link, now):
        return 0 * tail.load
    for options in ({"links": 3}, {"name": 3}, {"name": "\udcff"}, {"node_state": 3},
                    {"node_state": None}, {"link_state": [3]}):
        refused(equipoise.edge_rule, zero, **options)
    refused(equipoise.edge_rule, 3)
    refused(equipoise.node_program, 3)
    for options in ({"kinds": 3}, {"kinds": [None]}, {"name": 3}, {"acknowledgement": 3}):
        refused(equipoise.node_program, Asking, **options)


class Asking:
    """Says what it is asked to say when it begins and when it hears something."""

    start_call = "node.send(0, 7)"
    receive_call = "None"

    def start(self, node):
        eval(self.start_call)

    def receive(self, node, port, message):
        eval(self.receive_call)


def asking(**calls):
    program = equipoise.node_program(type("Asking", (Asking,), calls))
    return equipoise.run(program, network="complete:n=3", loads="spike:tokens=6")


@pytest.mark.parametrize("call", [
    "node.send('x')", "node.send(-1)", "node.send(1.5)", "node.send(2**32)",
    "node.send(0, tokens=1.5)", "node.send(0, tokens=2**70)", "node.send(0, 1.5)",
    "node.send(0, 'a')", "node.send(0, 2**63)", "node.take_over('x', 1)",
    "node.hand_over(0, 2**63)", "node.wake_after(-1)", "node.wake_after(1.5)",
    "node.is_tail(-1)", "node.is_tail('x')"])
def test_what_nodes_cannot_do_is_said_in_one_line(call):
    refused(asking, start_call=call, match="expected a whole number from .* to .*, found")


def test_sending_needs_a_port():
    refused(asking, start_call="node.send()", match="Asking: send: expected a port, found nothing")


def test_full_nodes_leave_others_their_colours():
    movie = equipoise.run("diffusion", network="torus:8x8", loads="spike:tokens=4000").animate()
    movie._draw_next_frame(5, False)
    nodes = movie._fig.axes[0].collections[-1]
    assert nodes.norm(10) - nodes.norm(1) > 0.1
    movie._draw_was_started = True  # nothing is to be shown


@pytest.mark.parametrize("call", ["message['x']", "message[1.5]", "message[2**70]"])
def test_numbers_of_messages_have_whole_numbers_as_places(call):
    refused(asking, receive_call=call, match="message.i.: expected a whole number")


def test_numbers_of_messages_are_those_that_were_sent():
    heard = []
    Asking.hear = staticmethod(heard.append)
    asking(start_call="node.send(0, 7, -2**63)",
           receive_call="self.hear((message[0], message[-1], list(message), len(message)))")
    assert heard == [(7, -2**63, [7, -2**63], 2)] * 3
    with pytest.raises(IndexError, match="expected one of its 1 numbers"):
        asking(receive_call="message[1]")


def test_what_rules_and_nodes_see_shows_itself():
    seen = []

    @equipoise.edge_rule(node_state=["given"])
    def looking(tail, head, link, now):
        seen.append((tail, *map(repr, (tail, link, now, tail.state)), list(tail.state)))
        return 0 * tail.load
    equipoise.run(looking, max_steps=1, **HERE)
    tail, *texts, fields = seen[0]
    assert texts == ["<Ends: 2>", "<Links: 2>", "<Moment: step 0, seed 0>",
                     "<State of fields ['given']>"]
    assert fields == ["given"]
    assert repr(tail).startswith("<Ends")  # also afterwards
    run = equipoise.run("threshold-1", **HERE)
    moments = len(run.history.steps)
    assert repr(run.history) == f"<History: {moments} moments up to step {run.steps}>"


def ended_by_control_c(code):
    """What a program that runs this code says about Ctrl-C while it runs."""
    program = textwrap.dedent("""
        import equipoise
        def zero(tail, head, link, now):
            return 0 * tail.load
        LONG = dict(network="cycle:n=200000", loads="spike:tokens=100000000",
                    record_level="summary")
        def forever(tail, head, link, now):
            print("begun", flush=True)
            while True:
                pass
        def nested(tail, head, link, now):
            print("begun", flush=True)
            equipoise.run("threshold-1", **LONG)
        try:
            CODE
        except KeyboardInterrupt:
            print("ended")
        """).replace("CODE", code)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                          text=True) as child:
        assert child.stdout.readline() == "begun\n"
        os.kill(child.pid, signal.SIGINT)
        try:
            return child.communicate(timeout=20)[0].split()[-1:], child.returncode
        finally:
            child.kill()


@pytest.mark.parametrize("rule", ["forever", "nested"])
def test_control_c_ends_rules_that_do_not_end(rule):
    code = f"equipoise.run(equipoise.edge_rule({rule}), network='path:n=4', loads=[4, 0, 0, 0])"
    assert ended_by_control_c(code) == (["ended"], 0)


def test_a_program_may_end_while_a_daemon_thread_runs():
    program = textwrap.dedent("""
        import equipoise, threading, time
        threading.Thread(daemon=True, target=lambda: equipoise.run(
            "threshold-1", network="cycle:n=200000", loads="spike:tokens=100000000",
            record_level="summary")).start()
        time.sleep(0.3)
        """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
