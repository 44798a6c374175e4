"""Your own algorithm: rules as functions of NumPy arrays, played by the engine.

A rule says which tokens should cross which links. The engine moves them, checks every number,
counts, records and stops, as it does for the algorithms of the catalogue.
"""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Iterable, Mapping
from typing import Any, Callable, TypeVar, Union, overload

from equipoise import _core
from equipoise.errors import InputError
from equipoise.networks import plain, shown

# What rules see, for annotations.
Ends = _core.Ends
Links = _core.Links
Nodes = _core.Nodes
Ports = _core.Ports
Moment = _core.Moment

Function = Callable[..., Any]
#: Names of fields, or a mapping from names to int or float.
Fields = Union[str, Iterable[str], Mapping[str, type]]
F = TypeVar("F", bound=Function)


def _fields(state: Fields, what: str) -> list[tuple[str, bool]]:
    """Names of fields and whether they are real, from a name, names, or a dict of types."""
    if isinstance(state, str):
        state = (state,)
    if not isinstance(state, Iterable):
        raise InputError(f"{what}: expected names of fields, found {shown(state)}")
    named: dict[str, type] = (dict(state) if isinstance(state, Mapping)
                              else {name: int for name in state})
    for name, kind in named.items():
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
            raise InputError(f"{what}: expected names of fields, found {shown(name)}")
        if kind not in (int, float):
            raise InputError(f"{what}: expected int or float for {name!r}, found {shown(kind)}")
    return [(name, kind is float) for name, kind in named.items()]


def _callable(function: F, what: str) -> F:
    if not callable(function):
        raise InputError(f"{what}: expected a function, found {type(function).__name__}")
    return function


def _called_with(function: F, what: str, names: tuple[str, ...]) -> Function:
    """The function, called with as many of these arguments as it takes, the first ones."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # built in: it says itself what it takes
        return function
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return function
    by_place = [each for each in parameters
                if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    needed = [each.name for each in parameters if each.default is each.empty
              and each.kind is not each.VAR_KEYWORD]
    taken = len(by_place)
    if taken == 0 or needed != [each.name for each in by_place[:len(needed)]] \
            or len(needed) > len(names):
        raise InputError(f"{what}: expected a function of ({', '.join(names)}) or of the first of "
                         f"them, found one of ({', '.join(needed)})")
    if taken >= len(names):
        return function

    def first_ones(*given: Any) -> Any:
        return function(*given[:taken])

    return first_ones


class _Rule:
    """What edge rules and deal rules share."""

    def __init__(self, function: Function, name: str | None, node_state: Fields,
                 may_owe: bool) -> None:
        self._function = _callable(function, type(self).__name__)
        self.name: str = plain("name", name if name is not None
                               else getattr(function, "__name__", "rule"))
        if self.name == "<lambda>":
            self.name = "rule"
        self.__name__: str = self.name
        self.__module__ = getattr(function, "__module__", None) or type(self).__module__
        self.__qualname__: str = getattr(function, "__qualname__", self.name)
        self.__doc__ = getattr(function, "__doc__", None)
        self._node_fields = _fields(node_state, "node_state")
        self._may_owe = bool(may_owe)
        self._start: Function | None = None
        self._after: Function | None = None
        self._algorithm: _core.Algorithm | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Calls the function itself."""
        return self._function(*arguments)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    def __reduce__(self) -> str:
        return self.__qualname__  # as functions: by name

    def start(self, function: F) -> F:
        """Decorator: function(node, now) sets ``node.state`` of nodes at the start and
        when they join."""
        self._start = _callable(function, "start")
        self._algorithm = None
        return function

    def after(self, function: F) -> F:
        """Decorator: function(node, now) sees nodes after the tokens of a step have moved.

        ``node.old_load`` and ``node.load`` are the loads before and after the step; it may change
        ``node.state``. An edge rule's function sees the nodes that had an active link.
        """
        self._after = _callable(function, "after")
        self._algorithm = None
        return function

    def _make(self) -> _core.Algorithm:
        raise NotImplementedError

    def _of_nodes(self) -> tuple[Function | None, Function | None]:
        """`start` and `after`, each called with what it takes."""
        names = ("node", "now")
        return (self._start and _called_with(self._start, "start", names),
                self._after and _called_with(self._after, "after", names))

    def _equipoise_algorithm(self) -> _core.Algorithm:
        if self._algorithm is None:
            self._algorithm = self._make()
        return self._algorithm


class EdgeRule(_Rule):
    """A rule for links, made by :func:`edge_rule`."""

    def __init__(self, function: Function, name: str | None, links: str, node_state: Fields,
                 link_state: Fields, may_owe: bool) -> None:
        super().__init__(function, name, node_state, may_owe)
        self._links = plain("links", links)
        self._link_fields = _fields(link_state, "link_state")
        self._equipoise_algorithm()  # errors are raised where the rule is defined

    def _make(self) -> _core.Algorithm:
        return _core.edge_rule(self.name, self._links, self._node_fields, self._link_fields,
                               self._may_owe,
                               _called_with(self._function, self.name,
                                            ("tail", "head", "link", "now")), *self._of_nodes())


class DealRule(_Rule):
    """A rule for nodes, made by :func:`deal_rule`."""

    def __init__(self, function: Function, name: str | None, node_state: Fields,
                 may_owe: bool) -> None:
        super().__init__(function, name, node_state, may_owe)
        self._accept: Function | None = None
        self._equipoise_algorithm()

    def accept(self, function: F) -> F:
        """Decorator: function(node, port, offered, now) returns how many tokens are taken.

        ``offered`` holds the tokens that neighbours offer over each port. Without this function,
        everything is taken.
        """
        self._accept = _callable(function, "accept")
        self._algorithm = None
        return function

    def _make(self) -> _core.Algorithm:
        accept = self._accept and _called_with(self._accept, "accept",
                                               ("node", "port", "offered", "now"))
        return _core.deal_rule(self.name, self._node_fields, self._may_owe,
                               _called_with(self._function, self.name, ("node", "port", "now")),
                               accept, *self._of_nodes())


@overload
def edge_rule(function: Function, *, links: str = ..., name: str | None = ...,
              node_state: Fields = ..., link_state: Fields = ...,
              may_owe: bool = ...) -> EdgeRule: ...
@overload
def edge_rule(function: None = ..., *, links: str = ..., name: str | None = ...,
              node_state: Fields = ..., link_state: Fields = ...,
              may_owe: bool = ...) -> Callable[[Function], EdgeRule]: ...
def edge_rule(function: Function | None = None, *, links: str = "colours", name: str | None = None,
              node_state: Fields = (), link_state: Fields = (),
              may_owe: bool = False) -> EdgeRule | Callable[[Function], EdgeRule]:
    """Makes an algorithm from a function of many links.

    The function is called as ``function(tail, head, link, now)`` with some active links of a step
    and returns one whole number for each: the tokens that move from tail to head (negative: from
    head to tail). The last arguments may be left out. It must be pure: a flow must depend only on
    what can be seen of its own link.

    ``tail`` and ``head`` have arrays with an entry for each link: ``load`` (tokens before the
    step), ``degree`` (links), ``speed`` and ``state["field"]``. ``link`` has ``state["field"]``,
    which may be changed, ``slot`` (its number in the schedule) and ``random(i)``: 64-bit words on
    which both ends agree. ``now`` has ``step`` and ``seed``. All arrays are views, valid until the
    function returns: copy what you keep.

    Parameters
    ----------
    links
        Which links are active in a step: "colours" (one colour class per step, in turn), "all",
        "random-matchings", "steepest-matchings", or "matchings" (those given to `run`, else the
        network's natural ones, in turn).
    name
        What records and tables call it; default: the function's name.
    node_state, link_state
        Names of fields (64-bit whole numbers), or a dict from names to int or float. All are 0 at
        the start; see `start` and `after` of the rule that is returned.
    may_owe
        Whether loads below 0 are part of the process. Otherwise a step that leaves a node below 0
        raises InputError.

    Notes
    -----
    Runs end when no token moves in a round, after 100,000 steps at the latest, unless `stop` or
    `max_steps` says otherwise.

    Examples
    --------
    >>> import equipoise
    >>> @equipoise.edge_rule
    ... def two_apart(tail, head, link, now):
    ...     apart = tail.load - head.load
    ...     return (apart >= 2) * 1 - (apart <= -2) * 1
    >>> two_apart
    <EdgeRule two_apart>
    """
    def made(function: Function) -> EdgeRule:
        return EdgeRule(function, name, links, node_state, link_state, may_owe)
    return made if function is None else made(function)


@overload
def deal_rule(function: Function, *, name: str | None = ..., node_state: Fields = ...,
              may_owe: bool = ...) -> DealRule: ...
@overload
def deal_rule(function: None = ..., *, name: str | None = ..., node_state: Fields = ...,
              may_owe: bool = ...) -> Callable[[Function], DealRule]: ...
def deal_rule(function: Function | None = None, *, name: str | None = None,
              node_state: Fields = (),
              may_owe: bool = False) -> DealRule | Callable[[Function], DealRule]:
    """Makes an algorithm from a function of many nodes and all their ports.

    The function is called as ``function(node, port, now)`` and returns one whole number for each
    port: the tokens that are offered over it, 0 or more. Neighbours take all, unless the rule has
    a function ``accept`` (see `DealRule.accept`). All links are active in every step.

    ``node`` has arrays with an entry for each node: ``load``, ``degree``, ``speed``, ``random(i)``
    and ``state["field"]``, which may be changed. ``port`` has arrays with an entry for each port,
    node by node: ``node`` (the index of its node in those arrays) and, of the neighbour behind it,
    ``load``, ``degree`` and ``speed``; ``first`` says where the ports of each node begin.

    >>> import equipoise
    >>> @equipoise.deal_rule
    ... def one_to_each_lower(node, port, now):
    ...     apart = node.load[port.node] - port.load
    ...     return apart > 2 * node.degree[port.node]
    >>> one_to_each_lower
    <DealRule one_to_each_lower>

    Parameters as for `edge_rule`.
    """
    def made(function: Function) -> DealRule:
        return DealRule(function, name, node_state, may_owe)
    return made if function is None else made(function)
