"""Plans of items that move between machines in waves, and checks of them."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from equipoise import _core, inputs, tables
from equipoise.errors import InputError
from equipoise.networks import plain, whole
from equipoise.results import Figures, object_of

#: A file, rows, or a mapping.
Table = Union[str, "os.PathLike[str]", Mapping[Any, Any], Iterable[Any]]


class ItemPlan:
    """Which item moves when: `moves` moves in `waves` waves (None if no plan was found that reaches
    the target); no plan has fewer than `moves_at_least` and `waves_at_least`, and if `exact` these
    are the same. `notes` say which part of a file was read where it holds several.

    >>> import equipoise
    >>> plan = equipoise.plan_items(sizes=[("logs", "a", 1), ("mail", "a", 1)], nodes=["b"])
    >>> plan.moves, plan.waves, plan.exact, plan.schedule
    (1, 1, True, [(0, 'logs', 'a', 'b')])
    """

    def __init__(self, handle: _core.ItemPlan) -> None:
        self._handle = handle
        self.figures = object_of(handle.to_json())
        self.notes: list[str] = handle.notes()
        self.exact: bool = self.figures["exact"]
        self.moves: int | None = self.figures.get("moves")
        self.waves: int | None = self.figures.get("waves")
        self.moves_at_least: int = self.figures["moves_at_least"]
        self.waves_at_least: int = self.figures["waves_at_least"]

    @property
    def schedule(self) -> list[tuple[Any, ...]]:
        """The moves, each with the wave (from 0), item, the node that it leaves and the one that
        takes it; without the item where items have no names."""
        if "schedule" not in self.figures:
            raise InputError("schedule: no plan was found that reaches the target")
        return [tuple(move) for move in self.figures["schedule"]]

    @property
    def certificate(self) -> str:
        """Why no plan has fewer waves, in words."""
        return self._handle.explain()

    def write_schedule(self, path: str | os.PathLike[str]) -> None:
        """Writes the moves to a CSV file, wave,item,from,to, or, for partitions of Kafka and a name
        that ends in .json, a reassignment for each wave: plan.json becomes plan-0.json, ..."""
        self._handle.write_schedule(plain("path", path))

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._handle.text(True))}</pre>"

    def __str__(self) -> str:
        return self._handle.text(False)

    def __repr__(self) -> str:
        found = "none found" if self.moves is None else f"{self.moves} moves, {self.waves} waves"
        return f"<ItemPlan for {self.figures['items']} items: {found}>"


class ItemCheck(Figures):
    """What was found in a schedule of items: a mapping with the keys of `equipoise plan --check
    --json`; true if every move is allowed and the end is as asked for."""

    def __init__(self, passed: bool, figures: str, text: str) -> None:
        super().__init__(figures, text)
        self.passed = passed

    def __bool__(self) -> bool:
        return self.passed


def plan_items(*, sizes: Table | None = None, loads: Table | None = None,
               log_dirs: Table | None = None, nodes: Sequence[Any] = (),
               target: Table = "floor-ceil", tolerance: float | None = None,
               rates: Table | None = None, at_once: int | None = None,
               capacities: Table | None = None, drain: Sequence[Any] = (),
               pinned: Sequence[Any] = (), resume: Table | None = None) -> ItemPlan:
    """Finds a plan that moves items between machines in waves: with the fewest moves and, given
    that, the fewest waves.

    Parameters
    ----------
    sizes
        Which items are where: a CSV file with the columns item,node,size (or item,node); rows of
        these fields; for each node a mapping from its items to their sizes, 0 or more; or what
        Kafka's tools print of partitions (kafka-topics --describe, kafka-reassign-partitions
        --generate, kcat -L -J): a file, an open one such as ``io.StringIO(text)``, or the object
        of its JSON.
    loads
        In place of `sizes`, items without names: a CSV file with the columns node,tokens, or a
        mapping.
    log_dirs
        The sizes of Kafka's partitions: the output of kafka-log-dirs --describe, as a file or an
        object.
    nodes
        Nodes that hold nothing yet.
    target
        ``"floor-ceil"`` (if sizes differ: within `tolerance`), ``"at-most:SIZE"``,
        ``"exact:DELTA"``, ``"speeds:FILE.csv"``, ``"places:FILE"``; a mapping from nodes to
        speeds; or rows item, node, or Kafka's object: where items end, and in which order replicas.
    tolerance
        A node ends with at most 1 + tolerance times its share, or with one item if that is larger
        (default 0.1 if sizes differ).
    rates
        The total sizes that a node may receive and send in a wave: a CSV file with the columns
        node,in,out, a mapping from nodes to pairs, or rows.
    at_once
        How many items a node may receive, and how many it may send, in a wave (default 1; with
        `rates` no limit).
    capacities
        How much nodes may hold at any time: a CSV file with the columns node,capacity, or a
        mapping.
    drain, pinned
        Nodes that must end empty; nodes that take no part.
    resume
        Moves that are done, in their order: a CSV file, or rows as those of `ItemPlan.schedule`;
        or Kafka's waves: the file of the last one (plan-3.json), a list of their objects, or what
        kafka-reassign-partitions --verify or --list printed.

    Notes
    -----
    Names are strings; a number stands for its digits. Raises InputError for wrong input and
    UnsuitableError if the target cannot be reached.

    Examples
    --------
    >>> where = {"a": {"logs": 8, "mail": 5, "shop": 4, "wiki": 3}, "b": {"blog": 2},
    ...          "c": {"chat": 2}}
    >>> plan = plan_items(sizes=where, rates={"a": (9, 9), "b": (6, 9), "c": (9, 9)})
    >>> plan.moves, plan.waves, plan.exact
    (3, 2, True)
    >>> plan.schedule[0]
    (0, 'shop', 'a', 'b')
    """
    return ItemPlan(_core.plan_items(_item_options(locals())))


def check_items(schedule: Table | ItemPlan, *, sizes: Table | None = None,
                loads: Table | None = None,
                log_dirs: Table | None = None, nodes: Sequence[Any] = (),
                target: Table = "floor-ceil", tolerance: float | None = None,
                rates: Table | None = None, at_once: int | None = None,
                capacities: Table | None = None, drain: Sequence[Any] = (),
                pinned: Sequence[Any] = (), resume: Table | None = None) -> ItemCheck:
    """Checks a schedule of items, wherever it comes from, as `plan --check` does: a CSV file with
    the columns wave,item,from,to, its rows, or a plan; or Kafka's waves: the file of the first one
    (plan-0.json), or a list of their objects, whose order of replicas is checked, too. The other
    arguments are those of `plan_items`.

    >>> where = {"a": {"logs": 2, "mail": 2}, "b": {}}
    >>> bool(check_items(plan_items(sizes=where, nodes=["b"]), sizes=where, nodes=["b"]))
    True
    >>> print(check_items([(0, "logs", "b", "a")], sizes=where, nodes=["b"]), end="")
    check:2: node b does not hold item logs in wave 0
    """
    options = dict(locals())
    moves = schedule.schedule if isinstance(schedule, ItemPlan) else schedule
    options["check"] = moves
    made = _item_options(options)
    return ItemCheck(*_core.check_items(made.pop("check"), made))


def _item_options(options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `plan_items`, converted."""
    made = tables.Options()
    for option, header in (("sizes", "item,node,size"), ("loads", "node,tokens"),
                           ("log_dirs", ""), ("rates", "node,in,out"),
                           ("capacities", "node,capacity"), ("resume", "wave,item,from,to")):
        made.add(option, header, options[option])
    target = options["target"]
    if isinstance(target, str):
        made.values["target"] = plain("target", target)
    elif isinstance(target, Mapping) and not tables.is_kafkas(target):
        made.add("target", "node,speed", target, "speeds:")
    else:
        made.add("target", "item,node", target, "places:")
    for option in ("nodes", "drain", "pinned"):
        made.values[option] = tables.names(option, options[option])
    if options["tolerance"] is not None:
        made.values["tolerance"] = inputs.real("tolerance", options["tolerance"])
    if options["at_once"] is not None:
        made.values["at_once"] = whole("at_once", options["at_once"], 1)
    if "check" in options:
        made.add("check", "wave,item,from,to", options["check"])
    return made.all()
