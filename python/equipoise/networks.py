"""Networks: from NetworkX graphs, SciPy matrices, arrays, generators and files, and back."""

from __future__ import annotations

import difflib
import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Union

import numpy as np
from numpy.typing import NDArray

from equipoise import _core
from equipoise.errors import InputError

if TYPE_CHECKING:
    import networkx
    import scipy.sparse

Integers = NDArray[np.int64]
#: Names among which one that is like a mistyped name is looked for.
SEARCHED_MAX = 10_000
#: What every verb takes as a network.
NetworkLike = Union["Network", str, "os.PathLike[str]", "networkx.Graph[Any]",
                    "scipy.sparse.spmatrix", NDArray[Any], Sequence[Sequence[int]]]


class Network:
    """A simple undirected network, which never changes.

    Parameters
    ----------
    source
        A generator's spec (``"torus:8x8"``), a file (.gml .graphml .gexf .graph .mtx .edges), a
        NetworkX graph, a square SciPy sparse matrix whose entries are the links in both directions,
        or an array of shape (m, 2) whose rows are links between nodes 0, 1, ...
    n
        For arrays: the number of nodes; default: the largest number plus one.
    positions
        For graphs and arrays: where to draw nodes, as a mapping from nodes to (x, y) or an array of
        shape (n, 2). Default: the graph's node attributes ``pos``, ``x`` and ``y``, or
        ``Longitude`` and ``Latitude``, where they are numbers.
    format
        For files: edge-list, metis, matrix-market, gml, graphml or gexf, unless the name tells.
    header
        For edge lists: whether the first line names the columns. None: decided from the file; if in
        doubt, `dropped` says how.
    simplify
        Ignore directions, drop loops and repeated links, instead of refusing them.
    largest_component
        Keep only the largest connected component.
    seed
        The seed of generators that draw at random, if the spec has no ``seed=``.

    Notes
    -----
    Raises InputError for anything that is not a network. The attribute `dropped` says in words what
    `simplify` and `largest_component` left out, and how a first line that might name columns was
    taken; it is empty if there is nothing to say.

    Examples
    --------
    >>> net = Network("torus:8x8")
    >>> net.node_count, net.link_count
    (64, 128)
    >>> Network([(0, 1), (1, 2)]).nodes
    range(0, 3)
    """

    def __init__(self, source: NetworkLike, *, n: int | None = None,
                 positions: Mapping[Any, Any] | NDArray[Any] | None = None, format: str = "",
                 header: bool | None = None, simplify: bool = False,
                 largest_component: bool = False, seed: int = 0) -> None:
        if not isinstance(format, str):
            raise InputError(f"format: expected a string, found {shown(format)}")
        if header is not None and not isinstance(header, (bool, np.bool_)):
            raise InputError(f"header: expected True, False or None, found {shown(header)}")
        flags = {"simplify": bool(simplify), "largest_component": bool(largest_component)}
        self._graph: Any = None
        self._generated: tuple[str, str, bool | None, bool, bool, int] | None = None
        if isinstance(source, Network):
            raise InputError("network: expected a spec, a file, a graph, a matrix or an array, "
                             "found a Network, which can be used as it is")
        if isinstance(source, (str, os.PathLike)):
            if n is not None or positions is not None:
                raise InputError("network: expected neither n nor positions with a spec or a file")
            text = plain("network", source)
            given = (text, plain("format", format), None if header is None else bool(header),
                     bool(simplify), bool(largest_component), whole("seed", seed, 0, 2**64 - 1))
            handle, told = _core.network_from_text(*given)
            for option, argument in (("--header yes", "header=True"),
                                     ("--header no", "header=False")):
                told = told.replace(option, argument)
            self._take((handle, told), None)
            if _core.names_generator(text):
                self._generated = given
        elif isinstance(source, bytes):
            raise InputError(f"network: expected a string, found {shown(source)}")
        elif format or header is not None:
            raise InputError(f"network: expected a {'format' if format else 'header'} for files "
                             "only")
        elif is_graph(source):
            self._from_graph(source, n, positions, flags)
        elif hasattr(source, "tocoo"):
            self._from_matrix(source, n, positions, flags)
        else:
            self._from_array(source, n, positions, flags)

    # ---- making

    def _take(self, made: tuple[_core.Network, str], nodes: Sequence[Hashable] | None) -> None:
        self._handle, self.dropped = made
        names = self._handle.names
        first = self._handle.first_number
        if nodes is not None and len(nodes) != self._handle.node_count:
            # The largest component: its nodes keep the names that they had in the whole network.
            numbers = range(first, first + self._handle.node_count)
            by_name = dict(zip(names_of(nodes) or [str(i) for i in range(len(nodes))], nodes))
            nodes = [by_name[name] for name in names or [str(i) for i in numbers]]
        self.nodes: Sequence[Hashable] = (
            nodes if nodes is not None
            else names if names else range(first, first + self._handle.node_count))
        self._numbers: dict[Hashable, int] | None = None

    @classmethod
    def _of(cls, handle: _core.Network) -> Network:
        """The network of a record."""
        network = cls.__new__(cls)
        network._graph = None
        network._generated = None
        network._take((handle, ""), None)
        return network

    def _from_graph(self, graph: Any, n: int | None, positions: Any,
                    flags: dict[str, bool]) -> None:
        several = graph.is_directed() or graph.is_multigraph()
        if several and not flags["simplify"]:
            raise InputError(
                "network: expected an undirected graph with at most one link between two nodes "
                f"(use simplify=True to drop directions and repeats), found a "
                f"{type(graph).__name__}")
        if n is not None:
            raise InputError("network: expected no n with a graph, which knows its nodes")
        nodes = list(graph.nodes)
        number = {node: i for i, node in enumerate(nodes)}
        flat = [number[end] for link in graph.edges() for end in link[:2]]
        links = np.array(flat, dtype=np.int64).reshape(-1, 2)
        unusable = 0
        if positions is None:
            positions, unusable = _positions_of_graph(graph)
        made = _from_links(
            links, len(nodes), names_of(nodes), _positions(positions, number, len(nodes)),
            {**flags, "directed": graph.is_directed(), "origin": _name_of(graph),
             "positions_unusable": unusable})
        self._take(made, nodes)
        self._graph = graph

    def _from_matrix(self, matrix: Any, n: int | None, positions: Any,
                     flags: dict[str, bool]) -> None:
        rows, columns = matrix.shape
        if rows != columns or n not in (None, rows):
            raise InputError(f"network: expected a square matrix, found {rows} rows and {columns} "
                             "columns")
        entries = matrix.tocoo()
        there = entries.data != 0
        if (entries.data != entries.data).any():
            raise InputError("network: expected a matrix of numbers, found nan")
        links = np.column_stack([entries.row[there], entries.col[there]]).astype(np.int64)
        made = _from_links(
            links, rows, [], _positions(positions, range(rows), rows),
            {**flags, "both_directions": True, "origin": "matrix"})
        self._take(made, range(rows))

    def _from_array(self, source: Any, n: int | None, positions: Any,
                    flags: dict[str, bool]) -> None:
        links = pairs(source, "network")
        if n is None and len(links) == 0:
            raise InputError("network: expected at least one link, or the number of nodes n")
        count = None if n is None else whole("n", n, 0)
        if positions is not None and count is None:
            count = int(links.max()) + 1
            if count > 2**24 + 64 * len(links):  # which the library refuses
                positions = count = None
        made = _from_links(
            links, count, [],
            None if positions is None else _positions(positions, range(count or 0), count or 0),
            {**flags, "origin": "array"})
        if flags["largest_component"]:
            all_nodes = range(count if count is not None else int(links.max()) + 1)
            self._take(made, all_nodes)
        else:
            self._take(made, range(made[0].node_count))

    # ---- what it is

    @property
    def node_count(self) -> int:
        """The number of nodes."""
        return self._handle.node_count

    @property
    def link_count(self) -> int:
        """The number of links."""
        return self._handle.link_count

    @property
    def links(self) -> Integers:
        """The ends of all links by the numbers of nodes, shape (m, 2), tail below head.

        >>> Network("path:n=3").links.tolist()
        [[0, 1], [1, 2]]
        """
        return self._handle.links()

    @property
    def positions(self) -> NDArray[np.float64] | None:
        """Where nodes are drawn, shape (n, 2), or None."""
        return self._handle.positions

    @property
    def name(self) -> str:
        """The spec, the file, or what it was made from."""
        return self._handle.origin

    def number(self, node: Hashable) -> int:
        """The number of a node: its place in `nodes`.

        >>> Network("path:n=3").number(2)
        2
        """
        if isinstance(self.nodes, range):
            if isinstance(node, (int, np.integer)) and node in self.nodes:
                return int(node) - self.nodes.start
            if isinstance(node, str) and node.isdecimal() and int(node) in self.nodes:
                return int(node) - self.nodes.start
        else:
            if self._numbers is None:
                self._numbers = {name: i for i, name in enumerate(self.nodes)}
            try:
                return self._numbers[node]
            except (KeyError, TypeError):
                pass
        near = difflib.get_close_matches(node, (name for name in self.nodes[:SEARCHED_MAX]
                                                if isinstance(name, str)), 1) if isinstance(
            node, str) else []
        raise InputError(f"expected a node of the network ({_beginning(self.nodes)}), "
                         f"found {shown(node)}" + (f" (did you mean {near[0]!r}?)" if near else ""))

    def numbers(self, nodes: Any, what: str) -> Integers:
        """The numbers of nodes given in pairs, as an array with two columns."""
        if isinstance(self.nodes, range):
            array = pairs(nodes, what) - self.nodes.start
            if array.size and (array.min() < 0 or array.max() >= self.node_count):
                raise InputError(f"{what}: expected nodes of the network "
                                 f"({_beginning(self.nodes)}), found another")
            return array
        try:
            found = [[self.number(end) for end in pair] for pair in nodes]
        except TypeError:
            found = [[]]
        except InputError as error:
            raise InputError(f"{what}: {error}") from None
        if any(len(pair) != 2 for pair in found):
            raise InputError(f"{what}: expected pairs of nodes")
        return np.array(found, dtype=np.int64).reshape(-1, 2)

    def link_numbers(self, pairs_of_nodes: Integers, what: str) -> Integers:
        """The numbers of the links between pairs of node numbers. Raises InputError for a pair that
        no link joins."""
        found = self._handle.link_numbers(pairs_of_nodes)
        if (found < 0).any():
            tail, head = pairs_of_nodes[int(np.argmin(found))]
            raise InputError(f"{what}: expected a link of the network, found the pair "
                             f"{self.nodes[tail]!r}, {self.nodes[head]!r}")
        return found

    # ---- to others

    def to_networkx(self) -> networkx.Graph[Any]:
        """A NetworkX graph of the same nodes and links, with their names, their positions
        (attribute ``pos``) and, if the network was made from a graph, all attributes of that graph.

        >>> Network("cycle:n=4").to_networkx().number_of_edges()
        4
        """
        import networkx

        graph = networkx.Graph()
        if self._graph is not None:
            graph.graph.update(self._graph.graph)
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from((self.nodes[tail], self.nodes[head]) for tail, head in self.links)
        if self.positions is not None:
            for node, (x, y) in zip(self.nodes, self.positions):
                graph.nodes[node]["pos"] = (float(x), float(y))
        if self._graph is not None:
            several = self._graph.is_multigraph()
            for node in self.nodes:
                graph.nodes[node].update(self._graph.nodes[node])
            for tail, head, *_, data in self._graph.edges(data=True):
                if graph.has_edge(tail, head) and not several:
                    graph.edges[tail, head].update(data)
        return graph

    def to_scipy(self) -> scipy.sparse.csr_matrix:
        """The 0/1 adjacency matrix in CSR format.

        >>> Network("path:n=3").to_scipy().toarray().tolist()
        [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
        """
        import scipy.sparse

        tails, heads = self.links.T
        ones = np.ones(2 * len(tails), dtype=np.int8)
        places = (np.concatenate([tails, heads]), np.concatenate([heads, tails]))
        return scipy.sparse.csr_matrix((ones, places), shape=(self.node_count, self.node_count))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the network to a file, whose extension chooses the format: .edges, .graph, .mtx,
        .gml, .graphml or .dot."""
        self._handle.write(plain("path", path))

    def __len__(self) -> int:
        return self.node_count

    def __reduce__(self) -> tuple[Any, ...]:
        if self._generated is not None:
            made = None
        else:
            made = (self.links, self.node_count, self._handle.names, self.positions,
                    {"origin": self.name, "first_number": self._handle.first_number})
        return _again, (self._generated, made, self.nodes, self._graph, self.dropped)

    def __repr__(self) -> str:
        return f"<Network {self.name}: {self.node_count:,} nodes, {self.link_count:,} links>"


def _again(generated: Any, made: Any, nodes: Any, graph: Any, dropped: str) -> Network:
    """The network of a pickle."""
    network = Network.__new__(Network)
    network._graph = graph
    network._generated = generated
    handle = (_core.network_from_text(*generated) if made is None
              else _core.network_from_links(*made))[0]
    network._take((handle, dropped), nodes)
    return network


def network_of(source: NetworkLike, **options: Any) -> Network:
    """The network itself, or one made from the given source."""
    if not isinstance(source, Network):
        return Network(source, **options)
    if (options.get("format") or options.get("header") is not None or options.get("simplify")
            or options.get("largest_component")):
        raise InputError("network: expected neither format, header, simplify nor "
                         "largest_component with a Network, which is made already")
    return source


def shown(value: Any) -> str:
    """A value in one short line, for errors."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # of the value's own code, or because a number has too many digits
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= 100 else text[:97] + "..."


def plain(what: str, given: Any) -> str:
    """A string, or the path of a file as a string. Raises InputError for what the library, which
    takes UTF-8 without zero bytes, cannot take."""
    if not isinstance(given, (str, os.PathLike)):
        raise InputError(f"{what}: expected a string or the path of a file, found {shown(given)}")
    text = os.fsdecode(given)
    if "\0" in text or text != text.encode(errors="replace").decode():
        raise InputError(f"{what}: expected a string in UTF-8 without zero bytes, found "
                         f"{shown(text)}")
    return str(text)


def without_mask(what: str, array: Any) -> Any:
    """The array. Raises InputError for a masked one, whose mask would be forgotten."""
    if isinstance(array, np.ma.MaskedArray):
        raise InputError(f"{what}: expected an array without a mask, found a masked array")
    return array


def whole(what: str, value: Any, least: int, most: int = 2**63 - 1) -> int:
    """The value as an int. Raises InputError, which names `what`, unless it is a whole number from
    `least` to `most`."""
    is_number = isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))
    if not is_number or not least <= value <= most:
        expected = (f"{least} to {most}" if most < 2**63 - 1 or (is_number and value > most)
                    else f"{least} or more")
        raise InputError(f"{what}: expected a whole number, {expected}, found {shown(value)}")
    return int(value)


def pairs(values: Any, what: str) -> Integers:
    """The values as an array of whole numbers with two columns."""
    without_mask(what, values)
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"{what}: expected pairs of whole numbers") from None
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise InputError(f"{what}: expected a spec, a file, a graph, a matrix or an array of shape "
                         f"(m, 2) of whole numbers, found shape {array.shape} of "
                         f"{array.dtype.name}" if what == "network" else
                         f"{what}: expected an array of shape (k, 2) of whole numbers, found shape "
                         f"{array.shape} of {array.dtype.name}")
    if array.dtype.kind == "u" and int(array.max()) > 2**63 - 1:
        raise InputError(f"{what}: expected numbers below 2^63, found {int(array.max())}")
    return np.ascontiguousarray(array, dtype=np.int64)


def names_of(nodes: Iterable[Hashable]) -> list[str]:
    """Names for the library: empty if the nodes are 0, 1, ...; otherwise str(node), or repr(node)
    if those collide."""
    nodes = list(nodes)
    if all(type(node) is int and node == i for i, node in enumerate(nodes)):
        return []
    texts: tuple[Callable[[object], str], ...] = (str, repr)
    for text in texts:
        try:
            names = [text(node).encode(errors="backslashreplace").decode() for node in nodes]
        except Exception:  # of the nodes' own code
            continue
        if len(set(names)) == len(names):
            return names
    raise InputError("network: expected nodes with different names")


def _from_links(*arguments: Any) -> tuple[_core.Network, str]:
    """A network from links; errors name the keyword argument instead of the option."""
    try:
        return _core.network_from_links(*arguments)
    except InputError as error:
        raise type(error)(str(error).replace("--simplify", "simplify=True")) from None


def _beginning(nodes: Sequence[Hashable]) -> str:
    if len(nodes) <= 3:
        return ", ".join(map(shown, nodes))
    return f"{shown(nodes[0])} to {shown(nodes[-1])}"


def _name_of(graph: Any) -> str:
    name = str(graph.graph.get("name", "") or "graph")
    return " ".join(name.replace("\0", " ").encode(errors="backslashreplace").decode().split())


def is_graph(source: Any) -> bool:
    return hasattr(source, "is_multigraph") and hasattr(source, "edges")


def _positions_of_graph(graph: Any) -> tuple[dict[Hashable, tuple[float, float]], int]:
    """The positions that node attributes give, and how many nodes have some that are not pairs of
    numbers."""
    found = {}
    unusable = 0
    for node, data in graph.nodes(data=True):
        given = [data["pos"]] if "pos" in data else []
        given += [(data[x], data[y]) for x, y in (("x", "y"), ("Longitude", "Latitude"))
                  if x in data and y in data]
        for place in given:
            try:
                x, y = map(float, place)
            except (TypeError, ValueError, OverflowError):
                continue
            if np.isfinite([x, y]).all():
                found[node] = (x, y)
                break
        else:
            unusable += len(given) > 0
    return found, unusable


def _place(numbers: Any, node: Any) -> int:
    """The number of a node in a mapping or, without names, a range of numbers."""
    if not isinstance(numbers, range):
        return int(numbers[node])
    if isinstance(node, (int, np.integer)) and node in numbers:
        return int(node)
    raise KeyError(node)


def _positions(positions: Any, numbers: Any, n: int) -> NDArray[np.float64] | None:
    """Positions by node number; NaN where they are not known."""
    if positions is None or (isinstance(positions, Mapping) and not positions):
        return None
    try:
        if isinstance(positions, Mapping):
            array = np.full((n, 2), np.nan)
            for node, place in positions.items():
                x, y = map(float, place)
                array[_place(numbers, node)] = x, y
        else:
            array = np.array(positions, dtype=np.float64)
    except (TypeError, ValueError, KeyError, IndexError):
        raise InputError("positions: expected a pair of numbers for nodes of the network") from None
    if array.shape != (n, 2):
        raise InputError(f"positions: expected shape ({n}, 2), found {array.shape}")
    return array
