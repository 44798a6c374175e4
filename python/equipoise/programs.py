"""Your own node program, played in the simulation with its delays and faults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Callable, overload

from equipoise import _core
from equipoise.errors import InputError
from equipoise.networks import plain


class NodeProgram:
    """A program for nodes, made by :func:`node_program`."""

    def __init__(self, cls: type, name: str | None, kinds: str | Iterable[str],
                 acknowledgement: str | None) -> None:
        if not isinstance(cls, type):
            raise InputError(f"node_program: expected a class, found {type(cls).__name__}")
        if not callable(getattr(cls, "receive", None)):
            raise InputError(f"node_program: expected a method receive in {cls.__name__}")
        self.cls = cls
        self.name = plain("name", name if name is not None else cls.__name__)
        self.__name__ = self.name
        self.__module__ = cls.__module__
        self.__qualname__ = cls.__qualname__
        self.__doc__ = cls.__doc__
        if isinstance(kinds, str) or not isinstance(kinds, Iterable):
            kinds = (kinds,)
        self._algorithm = _core.node_program(self.name, [plain("kinds", kind) for kind in kinds],
                                             plain("acknowledgement", acknowledgement or ""),
                                             callable(getattr(cls, "restart", None)), cls)

    def __call__(self) -> Any:
        """Creates a node object, as every run does for each of its nodes."""
        return self.cls()

    def __repr__(self) -> str:
        return f"<NodeProgram {self.name}>"

    def __reduce__(self) -> str:
        return self.__qualname__  # as classes: by name

    def _equipoise_algorithm(self) -> _core.Algorithm:
        return self._algorithm


@overload
def node_program(cls: type, *, name: str | None = ..., kinds: str | Iterable[str] = ...,
                 acknowledgement: str | None = ...) -> NodeProgram: ...
@overload
def node_program(cls: None = ..., *, name: str | None = ..., kinds: str | Iterable[str] = ...,
                 acknowledgement: str | None = ...) -> Callable[[type], NodeProgram]: ...
def node_program(cls: type | None = None, *, name: str | None = None,
                 kinds: str | Iterable[str] = ("message",), acknowledgement: str | None = None
                 ) -> NodeProgram | Callable[[type], NodeProgram]:
    """Makes an algorithm from a class whose objects are nodes.

    Every run makes an object for each node, without arguments. These methods are called:

    ``start(self, node)`` when the node begins;
    ``receive(self, node, port, message)`` for every message, with the port that it came through;
    ``timer(self, node)`` when a timer expires (see ``wake_after``);
    ``restart(self)`` when a crashed node restarts, followed by ``timer``: it should forget what
    was not in stable storage. Programs without it do not support crashes.

    ``node`` has ``degree`` (its ports are 0 .. degree - 1), ``tokens`` (those it holds), ``speed``,
    ``is_tail(port)`` (the one bit in which the ends of a link differ) and ``random()`` (a 64-bit
    word). It is valid only during the call. It acts with

    ``send(port, *numbers, kind=None, tokens=0)``: up to 4 whole numbers and some of its tokens;
    ``take_over(port, tokens)`` and ``hand_over(port, tokens)``: for channels that lose or duplicate
    messages, which must then carry no tokens: the receiving end takes over tokens of its neighbour,
    which hands over the same number when it learns of this;
    ``wake_after(ticks)``: calls ``timer`` after that many ticks unless a message comes first;
    ``end()``: no method of this node is called again.

    ``message`` has ``kind``, ``tokens``, ``fields`` and ``message[i]``.

    Sending tokens that a node does not have raises InputError, so no program can make or lose any.

    Parameters
    ----------
    name
        What records and tables call it; default: the name of the class.
    kinds
        Names of the kinds of message, at most 31; the first is sent unless `kind` names another.
    acknowledgement
        The kind that the adversary "hold-acks" holds back.

    Examples
    --------
    >>> import equipoise
    >>> @equipoise.node_program
    ... class Halves:
    ...     def start(self, node):
    ...         if node.tokens > 1:
    ...             node.send(0, tokens=node.tokens // 2)
    ...     def receive(self, node, port, message):
    ...         pass
    >>> Halves
    <NodeProgram Halves>
    """
    def made(cls: type) -> NodeProgram:
        return NodeProgram(cls, name, kinds, acknowledgement)
    return made if cls is None else made(cls)
