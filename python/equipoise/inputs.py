"""What callers give as options, converted for the library."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Callable

import numpy as np

from equipoise import _core
from equipoise.errors import InputError
from equipoise.networks import Integers, Network, plain, shown, whole, without_mask

DENOMINATOR_MAX = 1_000_000


def path(what: str, given: Any) -> str | None:
    """The string or path as a str; None for None."""
    return None if given is None else plain(what, given)


def by_node(what: str, given: Any, network: Network, otherwise: int) -> str | Integers | None:
    """A spec or file as it is; one whole number per node from an array or from a mapping by nodes,
    in which nodes that are not named get `otherwise`."""
    if given is None or isinstance(given, (str, os.PathLike)):
        return path(what, given)
    if isinstance(given, Mapping) or hasattr(given, "items"):
        values = np.full(network.node_count, otherwise, dtype=np.int64)
        named: set[int] = set()
        for node, value in given.items():
            try:
                number = network.number(node)
            except InputError as error:
                raise InputError(f"{what}: {error}") from None
            if number in named:
                raise InputError(f"{what}: expected every node once, found node {shown(node)} "
                                 "again")
            named.add(number)
            values[number] = _whole_of(what, node, value)
        return values
    without_mask(what, given)
    try:
        array = np.asarray(given)
    except ValueError:
        array = np.empty(0, dtype=object)
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise InputError(f"{what}: expected a spec, a file, a mapping from nodes to whole numbers "
                         f"or an array of one whole number per node, found {type(given).__name__}"
                         + (f" of shape {array.shape}" if array.ndim != 1 else ""))
    if array.dtype.kind == "f":
        odd = np.flatnonzero(array != np.floor(array))
        if odd.size or not np.isfinite(array).all() or (np.abs(array) >= 2.0**62).any():
            raise InputError(f"{what}: expected whole numbers, found {array[odd[0]]}"
                             if odd.size else f"{what}: expected whole numbers below 2^62")
    elif array.dtype.kind == "u" and array.size and int(array.max()) > 2**63 - 1:
        raise InputError(f"{what}: expected whole numbers below 2^63, found {int(array.max())}")
    return np.ascontiguousarray(array, dtype=np.int64)


def _whole_of(what: str, node: Any, value: Any) -> int:
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    return whole(f"{what} of node {shown(node)}", value, 0)


def matchings(what: str, given: Any, network: Network) -> str | list[Integers] | None:
    """A name or file as it is; from a list of arrays, each array as pairs of node numbers."""
    if given is None or isinstance(given, (str, os.PathLike)):
        return path(what, given)
    try:
        several = list(given)
    except TypeError:
        raise InputError(f"{what}: expected a name, a file or a list of arrays of pairs of nodes, "
                         f"found {type(given).__name__}") from None
    if not several:
        raise InputError(f"{what}: expected at least one array of pairs of nodes, found none")
    return [network.numbers(one, what) for one in several]


def tree(given: Any, network: Network) -> str | Integers | None:
    """A name or file as it is; from an array or a NetworkX tree, its links as pairs of node
    numbers."""
    if given is None or isinstance(given, (str, os.PathLike)):
        return path("tree", given)
    links = list(given.edges()) if hasattr(given, "edges") else given
    return network.numbers(links, "tree")


def matrix(given: Any, network: Network) -> str | tuple[Integers, Integers] | None:
    """A file as it is; numerators and denominators from a doubly stochastic SciPy matrix or a
    mapping from pairs of nodes to fractions: one each per link if it is symmetric, else those from
    tail to head and then those from head to tail. A mapping that gives one direction of a link
    gives both. A float stands for the fraction with a denominator of at most a million that rounds
    to it."""
    if given is None or isinstance(given, (str, os.PathLike)):
        return path("matrix", given)
    if isinstance(given, Mapping):
        ends = network.numbers(list(given), "matrix").tolist()
        entries = [(u, v, weight) for (u, v), weight in zip(ends, given.values())]
    elif hasattr(given, "tocoo"):
        n = network.node_count
        if given.shape != (n, n):
            raise InputError(f"matrix: expected shape ({n}, {n}), found {given.shape}")
        coo = given.tocoo()
        entries = list(zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist()))
    else:
        raise InputError("matrix: expected a file, a SciPy sparse matrix or a mapping from pairs "
                         f"of nodes to fractions, found {type(given).__name__}")
    weights: dict[tuple[int, int], Fraction] = {}
    diagonal: dict[int, Fraction] = {}
    for u, v, value in entries:
        weight = _fraction(value)
        if u == v:
            diagonal[u] = weight
        elif weights.setdefault((u, v), weight) != weight:
            raise InputError(f"matrix: found two weights for {network.nodes[u]!r}, "
                             f"{network.nodes[v]!r}")
    complete = hasattr(given, "tocoo")  # entries that it lacks are 0
    for u, v in list(weights):
        weights.setdefault((v, u), Fraction(0) if complete else weights[u, v])
    rest = dict.fromkeys(diagonal, Fraction(1))
    for (u, _), weight in weights.items():
        if u in rest:
            rest[u] -= weight
    for node, weight in diagonal.items():
        if rest[node] != weight:
            raise InputError(f"matrix: the row of node {network.nodes[node]!r} does not sum to 1 "
                             "with its diagonal entry")
    joined = [(u, v) for u, v in weights if u < v and (weights[u, v] or weights[v, u])]
    links = network.link_numbers(np.array(joined, dtype=np.int64).reshape(-1, 2), "matrix")
    there = [weights[u, v] for u, v in joined]
    back = [weights[v, u] for u, v in joined]
    ways = [there] if there == back else [there, back]
    numerators = np.zeros(len(ways) * network.link_count, dtype=np.int64)
    denominators = np.ones(len(ways) * network.link_count, dtype=np.int64)
    for number, way in enumerate(ways):
        places = number * network.link_count + links
        numerators[places] = [weight.numerator for weight in way]
        denominators[places] = [weight.denominator for weight in way]
    return numerators, denominators


def link_delays(given: Any, network: Network) -> str | Integers | None:
    """A file as it is; one delay per link from a mapping from pairs of nodes to steps."""
    if given is None or isinstance(given, (str, os.PathLike)):
        return path("link_delays", given)
    if not isinstance(given, Mapping):
        raise InputError("link_delays: expected a file or a mapping from pairs of nodes to steps, "
                         f"found {type(given).__name__}")
    delays = np.ones(network.link_count, dtype=np.int64)
    if given:
        ends = network.numbers(list(given), "link_delays")
        delays[network.link_numbers(ends, "link_delays")] = [
            whole("link_delays", steps, 1) for steps in given.values()]
    return delays


def names(what: str, given: Any, network: Network) -> list[str]:
    """The names by which the library knows the given nodes."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise InputError(f"{what}: expected a list of nodes, found {shown(given)}")
    own = network._handle.names
    first = network._handle.first_number
    found = []
    for node in given:
        try:
            number = network.number(node)
        except InputError as error:
            raise InputError(f"{what}: {error}") from None
        found.append(own[number] if own else str(first + number))
    return found


def _fraction(value: Any) -> Fraction:
    try:
        exact = Fraction(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError("matrix: expected a weight p/q from 0 to 1, found "
                         f"{shown(value)}") from None
    near = exact.limit_denominator(DENOMINATOR_MAX)
    is_near = float(near) == float(exact) if isinstance(value, float) else near == exact
    if not is_near or not 0 <= near <= 1:
        raise InputError("matrix: expected a weight p/q from 0 to 1 with q at most "
                         f"{DENOMINATOR_MAX}, found {shown(value)}")
    return near


def text(what: str, given: Any) -> str | None:
    """A string as it is; None for None and for an empty string."""
    if given is None or isinstance(given, str):
        return plain(what, given) if given else None
    raise InputError(f"{what}: expected a string, found {shown(given)}")


def real(what: str, given: Any) -> float:
    """A number as a float."""
    try:
        return float(given)
    except (TypeError, ValueError):
        raise InputError(f"{what}: expected a number, 0 or more, found {shown(given)}") from None


def parameters(given: Mapping[str, Any] | None, what: str = "param") -> dict[str, str] | None:
    """Parameters of algorithms, their names and values as strings."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise InputError(f"{what}: expected a mapping from names to values, found {shown(given)}")
    return {plain(what, str(name)): plain(what, str(value))
            for name, value in given.items()}


def text_or_number(what: str, given: Any) -> str | None:
    """A string as it is; a whole number as a string; None for None and for an empty string."""
    is_number = isinstance(given, int) and not isinstance(given, bool)
    return text(what, str(given) if is_number else given)


def json_of(what: str, given: Mapping[str, Any],
            other: Callable[[Any], Any] | None = None) -> str:
    """A mapping as JSON, numbers and arrays of NumPy among its values. `other` says what stands for
    a value that JSON cannot hold, or raises; by default, and if it returns the value itself, that
    is an error."""
    def instead(value: Any) -> Any:
        if hasattr(value, "tolist"):
            return value.tolist()
        found = value if other is None else other(value)
        if found is value:
            raise InputError(f"{what}: expected what JSON can hold, found {shown(value)}")
        return found

    try:
        return json.dumps(dict(given), default=instead, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{what}: expected what JSON can hold: {error}") from None


#: How an option of each kind is converted: its row of `OPTIONS_OF_RUNS`, what was given, the
#: network. None: not given.
_KINDS: dict[str, Callable[[dict[str, Any], Any, Network], Any]] = {
    "flag": lambda option, given, network: bool(given),
    "whole": lambda option, given, network: whole(option["name"], given, option["least"],
                                                  option["most"]),
    "whole or none": lambda option, given, network: (
        None if given is None else whole(option["name"], given, option["least"], option["most"])),
    "text": lambda option, given, network: text(option["name"], given),
    "text or number": lambda option, given, network: text_or_number(option["name"], given),
    "parameters": lambda option, given, network: parameters(given, option["name"]),
    "speeds": lambda option, given, network: by_node(option["name"], given, network, 1),
    "matchings": lambda option, given, network: matchings(option["name"], given, network),
    "matrix": lambda option, given, network: matrix(given, network),
    "tree": lambda option, given, network: tree(given, network),
}

OPTIONS_OF_RUNS = _core.options_of_runs()


def run_options(network: Network, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that are options of runs, converted; those that are None are left out."""
    options = {option["name"]: _KINDS[option["kind"]](option, given[option["name"]], network)
               for option in OPTIONS_OF_RUNS if option["name"] in given}
    return {name: value for name, value in options.items() if value is not None}
