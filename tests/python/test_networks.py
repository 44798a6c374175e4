"""Networks come from and go to what Python has."""

import networkx
import numpy as np
import pytest
import scipy.sparse

import equipoise


def random_graphs():
    """Graphs of numbers, words and pairs, in no order."""
    numbers = networkx.gnp_random_graph(30, 0.2, seed=1)
    return [numbers, networkx.relabel_nodes(numbers, lambda node: f"node {29 - node}"),
            networkx.grid_2d_graph(4, 5), networkx.relabel_nodes(numbers, lambda node: 100 - node),
            networkx.empty_graph(3)]


def ends(network):
    return [tuple(link) for link in network.links.tolist()]


@pytest.mark.parametrize("graph", random_graphs())
def test_a_graph_comes_back_as_it_was(graph):
    network = equipoise.Network(graph)
    assert list(network.nodes) == list(graph.nodes)
    back = network.to_networkx()
    assert list(back.nodes) == list(graph.nodes)
    assert {frozenset(link) for link in back.edges} == {frozenset(link) for link in graph.edges}


def test_attributes_that_are_no_positions_are_counted_not_fatal():
    graph = networkx.path_graph(5)
    graph.add_nodes_from([(0, {"x": "left", "y": 1}), (1, {"pos": (float("nan"), 2)}),
                          (2, {"pos": "n/a", "Longitude": 8.5, "Latitude": "47"}),
                          (3, {"x": None, "y": None}), (4, {"y": 3})])
    network = equipoise.Network(graph)
    assert network.positions[2].tolist() == [8.5, 47]
    assert network.dropped == "3 nodes without a position (coordinates that are not numbers)"
    with pytest.raises(equipoise.InputError, match="positions: expected a pair of numbers"):
        equipoise.Network(graph, positions={0: ("left", 1)})


def test_names_positions_and_attributes_are_kept():
    graph = networkx.Graph(name="sites", region="north")
    graph.add_node("a", pos=(1, 2), racks=3)
    graph.add_node(("b", 1), pos=(3, 4))
    graph.add_edge("a", ("b", 1), bandwidth=10)
    network = equipoise.Network(graph)
    assert network.positions.tolist() == [[1, 2], [3, 4]]
    back = network.to_networkx()
    assert dict(back.nodes(data=True)) == dict(graph.nodes(data=True))
    assert back.edges["a", ("b", 1)] == {"bandwidth": 10}
    assert back.graph == graph.graph
    run = equipoise.run("threshold-1", network=graph, loads={("b", 1): 9})
    assert dict(run.loads) in ({"a": 4, ("b", 1): 5}, {"a": 5, ("b", 1): 4})


@pytest.mark.parametrize("kind", [networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph])
def test_directed_and_multigraphs_need_simplify(kind):
    graph = kind([(0, 1), (1, 0), (1, 2), (2, 2)])
    with pytest.raises(equipoise.InputError, match="simplify=True"):
        equipoise.Network(graph)
    network = equipoise.Network(graph, simplify=True)
    assert ends(network) == [(0, 1), (1, 2)]
    assert "1 loop dropped" in network.dropped and "repeated link" in network.dropped


def test_what_the_first_line_of_an_edge_list_was_taken_for_is_said_and_can_be_chosen(tmp_path):
    path = tmp_path / "pages.csv"
    path.write_text("id1,id2\n3,4\n4,5\n")
    network = equipoise.Network(path)
    assert list(network.nodes) == [3, 4, 5]
    assert network.dropped == ("line 1 (id1,id2) read as the header (header=False reads it as a "
                               "link)")
    assert list(equipoise.Network(path, header=False).nodes) == ["id1", "id2", "3", "4", "5"]
    assert equipoise.Network(path, header=True).dropped == ""
    path.write_text("u,v\nv,w\nw,u\n")
    assert "read as a link" in equipoise.Network(path).dropped
    run = equipoise.run("threshold-1", network=path, loads={"w": 4}, header=True)
    assert set(run.loads) == {"u", "v", "w"}


def test_edge_lists_keep_any_names(tmp_path):
    path = tmp_path / "net.edges"
    graph = networkx.path_graph(["New York", 'say "hi"', "a,b;c", "#1", "007", "7", "source"])
    equipoise.Network(graph).write(path)
    assert list(equipoise.Network(path).nodes) == list(graph.nodes)
    assert ends(equipoise.Network(path)) == ends(equipoise.Network(graph))
    for name in ["", "two\nlines"]:
        graph = networkx.Graph([("a", name)])
        with pytest.raises(equipoise.InputError, match="expected names of nodes in UTF-8"):
            equipoise.Network(graph).write(path)
    assert list(equipoise.Network(path).nodes)[0] == "New York"


def test_a_matrix_is_its_links_in_both_directions():
    matrix = scipy.sparse.csr_matrix(np.array([[0, 1, 0], [1, 0, 5], [0, 5, 0]]))
    network = equipoise.Network(matrix)
    assert ends(network) == [(0, 1), (1, 2)]
    assert (network.to_scipy() != (matrix != 0)).nnz == 0
    with pytest.raises(equipoise.InputError, match="both directions.*found link 0-1"):
        equipoise.Network(scipy.sparse.csr_matrix(np.array([[0, 1], [0, 0]])))
    with pytest.raises(equipoise.InputError, match="square"):
        equipoise.Network(scipy.sparse.csr_matrix((2, 3)))


def test_an_array_is_links_of_numbered_nodes():
    network = equipoise.Network(np.array([[3, 1], [0, 1]], dtype=np.uint8), n=6)
    assert network.nodes == range(6)
    assert ends(network) == [(0, 1), (1, 3)]
    assert equipoise.Network([(0, 1)]).node_count == 2
    largest = equipoise.Network([(0, 1), (2, 3), (3, 4)], largest_component=True)
    assert list(largest.nodes) == [2, 3, 4]


@pytest.mark.parametrize("source, message", [
    ([(0, 0)], "link 0-0 is a loop.*use simplify=True to drop loops"),
    ([(0, 1), (1, 0)], "every link once .use simplify=True to drop repeats.*found link 0-1"),
    ([(0, -1)], "expected numbers of nodes, 0 to"),
    ([(0, 1.5)], "whole numbers"),
    ([(0, 1, 2)], r"shape \(m, 2\)"),
    ([(0, 1), (2,)], "pairs of whole numbers"),
    ([(0, 4_000_000_000)], "expected smaller numbers, or the number of nodes n"),
    ([], "at least one link"),
    (7, r"shape \(m, 2\)"),
    ("tours:8x8", 'did you mean "torus"'),
    ("no/such.gml", "no/such.gml: cannot be read: No such file or directory"),
])
def test_what_is_no_network_is_refused_in_one_line(source, message):
    with pytest.raises(equipoise.InputError, match=message) as caught:
        equipoise.Network(source)
    assert "\n" not in str(caught.value)


def test_a_node_out_of_range_is_refused():
    with pytest.raises(equipoise.InputError, match="link 0-9 names a node that is not there"):
        equipoise.Network([(0, 9)], n=3)


def test_files_keep_names(tmp_path):
    graph = networkx.Graph([("x", "y"), ("y", "z z")])
    equipoise.Network(graph).write(tmp_path / "net.gml")
    assert equipoise.Network(tmp_path / "net.gml").nodes == ["x", "y", "z z"]


def test_the_largest_component_keeps_the_callers_names():
    graph = networkx.Graph([("a", "b"), (1, 2), (2, 3)])
    network = equipoise.Network(graph, largest_component=True)
    assert network.nodes == [1, 2, 3]
    assert network.number(3) == 2
