"""Loads, speeds, matchings and matrices in every form; what is wrong is said in one line."""

from fractions import Fraction

import networkx
import numpy as np
import pandas
import pytest
import scipy.sparse

import equipoise


def final(algorithm="threshold-1", network="path:n=4", **options):
    return equipoise.run(algorithm, network=network, **options).final_loads.tolist()


def test_loads_in_every_form_are_the_same(tmp_path):
    (tmp_path / "loads.csv").write_text("node,tokens\n0,7\n2,1\n")
    expected = final(loads=[7, 0, 1, 0])
    for loads in ({0: 7, 2: 1}, {"0": 7, 2: 1.0}, np.array([7, 0, 1, 0], dtype=np.uint16),
                  np.array([7.0, 0, 1, 0]), (7, 0, 1, 0), pandas.Series({0: 7, 2: 1}),
                  tmp_path / "loads.csv", str(tmp_path / "loads.csv")):
        assert final(loads=loads) == expected


def test_speeds_are_one_where_a_node_is_not_named(program, tmp_path):
    (tmp_path / "speeds.csv").write_text("node,speed\n1,3\n")
    from_file = final("diffusion", loads=[90, 0, 0, 0], speeds=str(tmp_path / "speeds.csv"))
    assert final("diffusion", loads=[90, 0, 0, 0], speeds={1: 3}) == from_file
    assert final("diffusion", loads=[90, 0, 0, 0], speeds=[1, 3, 1, 1]) == from_file


def test_matchings_trees_and_colourings_are_arrays_of_the_callers_nodes():
    graph = networkx.relabel_nodes(networkx.cycle_graph(4), dict(enumerate("abcd")))
    halves = [[("a", "b"), ("c", "d")], [("b", "c"), ("d", "a")]]
    run = equipoise.run("balancing-circuit", network=graph, loads={"a": 8}, matchings=halves,
                        max_steps=4)
    assert run.record["given"]["matchings"] == [[[0, 1], [2, 3]], [[1, 2], [3, 0]]]
    run = equipoise.run("threshold-1", network=graph, loads={"a": 8}, colouring=halves)
    assert run.reached
    tree = networkx.path_graph(["a", "b", "c", "d"])
    run = equipoise.run("discrepancy-1", network=graph, loads={"a": 8}, tree=tree)
    assert run.discrepancy <= 1


def test_a_matrix_is_exact_whatever_its_form():
    third = {(0, 1): Fraction(1, 3), (1, 2): "1/3", (2, 3): 1 / 3}
    sparse = scipy.sparse.diags([[1 / 3] * 3, [1 / 3] * 3], [1, -1]).tocsr()
    runs = [equipoise.run("diffusion", network="path:n=4", loads=[90, 0, 0, 0], matrix=matrix,
                          max_steps=20) for matrix in (third, sparse)]
    assert runs[0].final_loads.tolist() == runs[1].final_loads.tolist()
    assert runs[0].record["given"] == runs[1].record["given"]
    whole_rows = {**third, (0, 0): Fraction(2, 3)}
    equipoise.run("diffusion", network="path:n=4", loads=[9, 0, 0, 0], matrix=whole_rows,
                  max_steps=2)


WRONG = [
    ({"loads": None}, "expected --loads with a spec or a CSV file, found none"),
    ({"loads": "spike:token=5"}, "spike"),
    ({"loads": [1, 2]}, "expected one load for each of 4 nodes, found 2"),
    ({"loads": [1, 2, -3, 4]}, "node 2 has -3 tokens: expected 0 or more"),
    ({"loads": [1, 2, 3.5, 4]}, "expected whole numbers, found 3.5"),
    ({"loads": [1, 2, float("nan"), 4]}, "expected whole numbers"),
    ({"loads": ["a", "b"]}, "array of one whole number per node"),
    ({"loads": np.zeros((2, 2), dtype=int)}, r"shape \(2, 2\)"),
    ({"loads": {9: 1}}, "loads: expected a node of the network .0 to 3., found 9"),
    ({"loads": {0: 1.5}}, "loads of node 0: expected a whole number, 0 or more, found 1.5"),
    ({"loads": {0: 10**30}}, "loads of node 0: expected a whole number, 0 to 9223372036854775807"),
    ({"loads": {0: -1}}, "loads of node 0: expected a whole number, 0 or more, found -1"),
    ({"matchings": []}, "matchings: expected at least one array"),
    ({"loads": {0: "x"}}, "loads of node 0: expected a whole number"),
    ({"loads": [2**61, 2**61, 2**61, 2**61]}, "."),
    ({"seed": -1}, "seed: expected a whole number"),
    ({"seed": "x"}, "seed: expected a whole number"),
    ({"threads": 5000}, "threads: expected a whole number, 0 to 4096, found 5000"),
    ({"max_steps": 1.5}, "max_steps: expected a whole number"),
    ({"stop": "quite:3"}, "quiet"),
    ({"stop": 3}, "stop: expected a string, found 3"),
    ({"param": {"speed": 3}}, "speed"),
    ({"param": "speed=3"}, "param: expected a mapping"),
    ({"speeds": [1, 0, 1, 1]}, "."),
    ({"speeds": {0: 2}}, "works with equal speeds only"),
    ({"matchings": "snake"}, "expected a mesh or a torus"),
    ({"matchings": [[(0, 1)]]}, "has a schedule of its own"),
    ({"matchings": [[(0, 2)]]}, "."),
    ({"matchings": 3}, "matchings: expected a name, a file or a list"),
    ({"matrix": {(0, 2): 1}}, "matrix: expected a link of the network, found the pair 0, 2"),
    ({"matrix": {(0, 1): 2}}, "expected a weight p/q from 0 to 1"),
    ({"matrix": {(0, 1): 0.1234567891234}}, "q at most 1000000"),
    ({"matrix": {(0, 1): "1/3", (1, 0): "1/4"}}, "doubly stochastic"),
    ({"matrix": {(0, 0): "1/3"}}, "does not sum to 1"),
    ({"matrix": {0: "1/3"}}, r"matrix: expected an array of shape \(k, 2\)"),
    ({"matrix": {("a", "b"): "1/3"}}, "matrix: expected an array"),
    ({"tree": "bushy"}, "threshold-1 does not run on a spanning tree"),
    ({"tree": 3}, "tree: expected an array"),
    ({"network": networkx.path_graph("abcd"), "loads": {"a": 4}, "tree": 3}, "pairs of nodes"),
    ({"network": networkx.path_graph("abcd"), "loads": {"a": 4}, "tree": [("a", "x")]},
     "tree: expected a node of the network .'a' to 'd'., found 'x'"),
    ({"network": None}, "network: expected a spec"),
    ({"network": 3.5}, "network: expected a spec"),
    ({"format": 3}, "format: expected a string"),
    ({"format": "gml"}, "is generated: expected no format"),
    ({"network": [(0, 1)], "format": "gml"}, "expected a format for files only"),
    ({"network": [(0, 1)], "header": True}, "expected a header for files only"),
    ({"header": True}, "is generated: expected no header"),
    ({"header": "yes"}, "header: expected True, False or None, found 'yes'"),
    ({"header": False, "network": equipoise.Network("path:n=4")}, "made already"),
    ({"colouring": [[(0, 1)]]}, "."),
    ({"delays": "random"}, "."),
    ({"record_level": "everything"}, "everything"),
    ({"record_level": 2}, "record_level: expected a string, found 2"),
    ({"churn": "nodes"}, "."),
    ({"simplify": True, "network": equipoise.Network("path:n=4")}, "found|made already"),
]


@pytest.mark.parametrize("options, message", WRONG)
def test_what_is_wrong_is_said_in_one_line(options, message):
    given = {"network": "path:n=4", "loads": [4, 0, 0, 0], **options}
    with pytest.raises(equipoise.InputError, match=message) as caught:
        equipoise.run("threshold-1", **given)
    assert "\n" not in str(caught.value)


def test_a_tree_of_no_known_kind_is_refused_by_name():
    with pytest.raises(equipoise.InputError, match="bushy"):
        equipoise.run("discrepancy-1", network="path:n=4", loads=[4, 0, 0, 0], tree="bushy")


def test_a_mistyped_node_is_told_the_name_that_is_like_it():
    graph = networkx.les_miserables_graph()
    with pytest.raises(equipoise.InputError,
                       match=r"found 'Val Jean' \(did you mean 'Valjean'\?\)"):
        equipoise.run("threshold-1", network=graph, loads={"Val Jean": 1})
    with pytest.raises(equipoise.InputError, match="found 'Sherlock Holmes'$"):
        equipoise.run("threshold-1", network=graph, loads={"Sherlock Holmes": 1})


def test_errors_have_kinds():
    with pytest.raises(equipoise.UnsuitableError, match="mesh"):
        equipoise.run("mesh-strong", network="star:leaves=4", loads="spike:tokens=9")
    with pytest.raises(OverflowError) as caught:
        equipoise.run("threshold-1", network="path:n=4", loads=[2**62, 0, 0, 0])
    assert isinstance(caught.value, equipoise.OverflowError)
    assert issubclass(equipoise.UnsuitableError, ValueError)


def test_mistyped_names_of_options_are_pythons_error():
    with pytest.raises(TypeError, match="lodas"):
        equipoise.run("threshold-1", network="path:n=4", lodas=[1, 2, 3, 4])
