"""Plans of which items move between machines under rules, and checks of schedules."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any, Union

from equipoise import _core, inputs, tables
from equipoise.errors import InputError
from equipoise.networks import plain, shown, whole
from equipoise.results import Figures

#: A file, rows, columns by name, or a mapping.
Table = Union[str, "os.PathLike[str]", Mapping[Any, Any], Iterable[Any]]
#: A file, also an open one, or the object that it holds.
Document = Union[str, "os.PathLike[str]", Mapping[str, Any], IO[str], IO[bytes]]
#: One name, or several.
Names = Union[str, Sequence[Any]]


class Reassignment(Figures):
    """A plan, or a schedule that was judged: a mapping with the keys of `equipoise reassign
    --json`. It is true if every move is allowed and rules, thresholds and levels hold at the end;
    `str` is the text that the command line prints, with its tables of machines.

    `schedule` holds the moves as tuples (wave, item, from, to), `leaders` the changes of
    leaders after the last wave as tuples (item, from, to), `fault` the first thing that is wrong
    with a schedule that was judged (None: nothing).

    >>> import equipoise
    >>> plan = equipoise.reassign([("logs", "a", 4), ("mail", "a", 4)], ["a", "b"], effort=1000)
    >>> bool(plan), plan["totals"]["moves"], plan["at_least"]["moves"]
    (True, 1, 1)
    """

    def __init__(self, handle: _core.Reassignment) -> None:
        super().__init__(handle.to_json(), handle.text())
        self._handle = handle
        self.reached: bool = self["reached"]
        self.fault: str | None = self.get("fault")
        self.notes: list[str] = self["notes"]

    def __bool__(self) -> bool:
        return self.reached

    @property
    def schedule(self) -> list[tuple[int, str, str, str]]:
        """The moves in the order of their waves: wave (from 0), item, from, to. `from` is empty for
        a copy that is made."""
        return [(move["wave"], move["item"], move["from"] or "", move["to"])
                for move in self["moves"]]

    @property
    def dropped(self) -> list[tuple[str, str]]:
        """Copies that are dropped before the first wave: item, machine."""
        return [(copy["item"], copy["machine"]) for copy in self["dropped"]]

    @property
    def leaders(self) -> list[tuple[str, str | None, str]]:
        """Whose leaders change after the last wave: item, the machine that led it, if any did, and
        the one that leads it then."""
        return [(change["group"], change["from"], change["to"])
                for change in self["leaders"]]

    def write_schedule(self, path: str | os.PathLike[str]) -> None:
        """Writes the moves to a CSV file with the columns wave,item,from,to, and changes of leaders
        as lines with "leaders" in place of a wave; for Kafka's partitions, given a name that ends
        in .json, a reassignment for each wave: plan.json becomes plan-0.json, ..."""
        self._handle.write("schedule", plain("path", path))

    def write_rollback(self, path: str | os.PathLike[str]) -> None:
        """Writes the way back, the schedule that undoes all moves, in the same form."""
        self._handle.write("rollback", plain("path", path))

    def write_leaders(self, path: str | os.PathLike[str]) -> None:
        """Writes the changes of leaders to a CSV file with the columns item,from,to."""
        self._handle.write("leaders", plain("path", path))

    def write_moves(self, path: str | os.PathLike[str]) -> None:
        """Writes a CSV file of moves that wait only for moves, not for waves: which ones each waits
        for, and when it begins and ends. Its columns are wave,item,from,to,move,waits_for,starts,
        ends. ``plan["moves"]`` has the same under ``"waits_for"``, ``"starts"`` and ``"ends"``."""
        self._handle.write("moves", plain("path", path))

    def write_steps(self, path: str | os.PathLike[str]) -> None:
        """Writes a bash script, such as steps.sh, which carries out a plan for Kafka's partitions
        with Kafka's own tools, and the files that it needs beside it."""
        self._handle.write("steps", plain("path", path))

    def write_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes what every machine holds before, on the way and after."""
        self._handle.write("csv", plain("path", path))

    def save_html(self, path: str | os.PathLike[str]) -> None:
        """Writes a page: the machines before and after, and the waves one by one."""
        self._handle.write("page", plain("path", path))

    def __repr__(self) -> str:
        totals = self["totals"]
        return f"<Reassignment: {totals['moves']} moves in {totals['waves']} waves>"


def reassign(items: Table, machines: Table | None = None, *, resources: Names = (),
             labels: Names = (), log_dirs: Document | None = None, rules: Document | None = None,
             drain: Names = (), pinned: Names = (), apart: Names = (), spread: Names = (),
             near: Names = (), allowed: Table | None = None, forbidden: Table | None = None,
             level: Names = (), tolerance: float | Mapping[str, float] | None = None,
             fewest: str | None = None, only_if_above: float | None = None,
             at_most: str | Mapping[str, Any] | None = None, objective: Document | None = None,
             target: Table | None = None, replicas: int | Mapping[str, int] | None = None,
             copy_from: str | None = None, rates: Table | None = None, at_once: int | None = None,
             half_duplex: bool = False, resume: Table | Reassignment | None = None,
             seconds: float | None = None, effort: int | None = None, threads: int = 2,
             seed: int = 1, memory: int = 1024, user: str | None = None,
             password: str | None = None) -> Reassignment:
    """Plans which items move between machines, under rules, and in which waves. The aims, in this
    order: rules; thresholds; level; the fewest moves, or what `fewest` names; few waves.

    Parameters
    ----------
    items
        What is where: a file with a column item and one named machine, node, host, broker, osd or
        server, besides amounts, labels and leader (yes or no); rows as dicts; columns by name, such
        as a data frame; tuples (item, machine) or (item, machine, size); or what Kafka's tools
        print of partitions (kafka-topics --describe, kafka-reassign-partitions --generate, kcat -L
        -J): a file, an open one such as ``io.StringIO(text)``, or the object of its JSON. Or
        ``"redis://HOST:PORT"``, a server of a Redis Cluster: the slots of all its masters, of which
        bytes and slots are level by default; the command line carries such plans out.
    machines
        A file, rows as dicts, columns by name, a mapping from names to dicts, or a list of names.
        The column of a resource holds capacities, RESOURCE.target thresholds; there are also
        drain, speed and labels such as rack. Or the output of kafka-broker-api-versions or kcat
        -L -J. Default: all machines that hold items.
    resources, labels
        Columns that are amounts, and columns that are labels, besides those that aims and rules
        name.
    log_dirs
        Sizes of Kafka's partitions: the output of kafka-log-dirs --describe.
    rules
        A file of rules in JSON, or the object that it holds, besides the rules below.
    drain, pinned
        Machines that must end empty; machines and items that take no part.
    apart
        Labels: items with one value are never on one machine. Copies of an item never are.
    spread
        ``"LABEL:RACK:K"``: items with one value of LABEL are on machines with at least K values of
        RACK, or as many as there are items; without ``:K`` on as many as possible, as evenly as
        possible.
    near
        ``"LABEL:ZONE"``: where an item of a service is, one of each service that its column depends
        names is in the same ZONE.
    allowed, forbidden
        Where items may be, or must not be: a file, pairs item, machine, or a mapping from items to
        lists of machines.
    level
        The resources of which every machine ends with its share; ``"none"``: none. Default: bytes
        or size if there is such a column, otherwise items. Besides them ``"leaders"``, which change
        after the last wave; leaders alone: no item moves.
    tolerance
        How far above its share a machine may end, as a fraction of it, also by resource (default
        0.1, of leaders 0); shares are rounded up, and a machine with one item may end higher.
    fewest
        ``"moves"`` (default), ``"bytes"`` or another resource, of which least is moved.
    only_if_above
        Only machines with more than so many times their share give items, besides those above a
        threshold or against a rule.
    at_most
        Limits of the plan: ``{"moves": 50, "bytes": "2TB", "waves": 3}``, or a string of these.
    objective
        Weighted costs in place of all aims but the rules: a JSON file or the object that it holds.
    target
        Where everything ends, in place of aims: ``"places:FILE"``; rows (item, machine) or (item,
        machine, leader); a mapping from items to lists of machines; or a proposal of Kafka's tools,
        whose order says who leads.
    replicas
        How many copies every item gets, or those that a mapping names: items, or topics of Kafka's.
        Missing ones are made, and of those that are too many some are dropped before the first
        wave.
    copy_from
        What gives when an item is copied: ``"old"``, the machine that it leaves (default), or
        ``"leader"``, the one with the leading copy (default for Kafka's partitions).
    rates
        What machines may take and give in a wave or, as in ``"100MB/s"``, a second: a file with the
        columns machine,in,out, a mapping from machines to pairs, or rows. With one number a machine
        (columns machine,both): what they may take and give together.
    at_once
        How many items a machine may take, and how many it may give, in a wave (default 1; with
        rates for a wave, as many as they allow).
    half_duplex
        Whether what a machine takes and what it gives count together, as they do with one rate a
        machine.
    resume
        Moves that are done: a file, rows as those of `Reassignment.schedule`, or a plan; or Kafka's
        waves: the file of the last one (plan-3.json), a list of their objects, or what
        kafka-reassign-partitions --verify or --list printed.
    seconds, effort
        Limits: of all that planning does, in seconds (default 30), or of the search, a number of
        iterations. With `effort` the plan is the same whenever seed and threads are.
    threads, seed, memory
        Of the search; memory in MB.
    user, password
        Of the Redis Cluster; by default its default user, and what the environment variable
        REDISCLI_AUTH holds.

    Notes
    -----
    Names are strings; a number stands for its digits. Raises InputError for wrong input. Ctrl-C
    ends the search and raises KeyboardInterrupt.

    Examples
    --------
    >>> where = {"item": ["logs", "mail", "shop"], "machine": ["a", "a", "a"],
    ...          "bytes": ["6GB", "3GB", "3GB"]}
    >>> plan = reassign(where, ["a", "b"], effort=1000)
    >>> plan.schedule
    [(0, 'logs', 'a', 'b')]
    """
    return Reassignment(_core.reassign(_options(locals())))


def check_reassign(schedule: Table | Reassignment, items: Table, machines: Table | None = None, *,
                   resources: Names = (), labels: Names = (), log_dirs: Document | None = None,
                   rules: Document | None = None, drain: Names = (), pinned: Names = (),
                   apart: Names = (), spread: Names = (), near: Names = (),
                   allowed: Table | None = None, forbidden: Table | None = None, level: Names = (),
                   tolerance: float | Mapping[str, float] | None = None, fewest: str | None = None,
                   only_if_above: float | None = None,
                   at_most: str | Mapping[str, Any] | None = None,
                   objective: Document | None = None, target: Table | None = None,
                   replicas: int | Mapping[str, int] | None = None, copy_from: str | None = None,
                   rates: Table | None = None, at_once: int | None = None,
                   half_duplex: bool = False, resume: Table | Reassignment | None = None,
                   user: str | None = None, password: str | None = None) -> Reassignment:
    """Judges a schedule, wherever it comes from, as `reassign --check` does: a CSV file with the
    columns wave,item,from,to, its rows, or a plan. The other arguments are those of `reassign`.

    >>> where = [("logs", "a", 4), ("mail", "a", 4)]
    >>> bool(check_reassign([(0, "logs", "a", "b")], where, ["a", "b"]))
    True
    >>> check_reassign([(0, "logs", "b", "a")], where, ["a", "b"]).reached
    False
    """
    made = _options(locals())
    return Reassignment(_core.check_reassign(made.pop("check"), made))


def _options(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `reassign`, as the extension takes them; a schedule as the option check."""
    made = tables.Options()
    values = made.values
    made.add_columns("items", given["items"], ["item", "machine", "size"])
    made.add_columns("machines", given["machines"], ["machine"])
    made.add("log_dirs", "", given["log_dirs"])
    for option in ("rules", "objective"):
        made.add_document(option, given[option])
    for option in ("allowed", "forbidden"):
        made.add(option, "item,machine", _pairs(given[option]))
    rates = _rates(given["rates"])
    made.add("rates", "machine,both" if _are_pairs(rates) else "machine,in,out", rates)
    for option, name in (("schedule", "check"), ("resume", "resume")):
        moves = given.get(option)
        made.add(name, "wave,item,from,to",
                 _lines(moves) if isinstance(moves, Reassignment) else moves)
    _add_target(made, given["target"])
    for option in ("resources", "labels", "drain", "pinned", "apart", "spread", "near", "level"):
        values[option] = _names(option, given[option])
    values["replicas"] = _copies(given["replicas"])
    if given["copy_from"] is not None:
        values["copy_from"] = plain("copy_from", given["copy_from"])
    values["tolerance"] = _by_resource("tolerance", given["tolerance"], ":")
    values["at_most"] = _by_resource("at_most", given["at_most"], "=")
    for option in ("fewest", "user"):
        if given[option] is not None:
            values[option] = plain(option, given[option])
    values["password"] = _password(given["password"], given["items"])
    values["half_duplex"] = given["half_duplex"]
    for option in ("only_if_above", "seconds"):
        if given.get(option) is not None:
            values[option] = inputs.real(option, given[option])
    for option, least in (("at_once", 1), ("effort", 0), ("seed", 0), ("memory", 1)):
        if given.get(option) is not None:
            values[option] = whole(option, given[option], least)
    if "threads" in given:
        values["threads"] = whole("threads", given["threads"], 1, 1024)
    return made.all()


def _lines(plan: Reassignment) -> list[tuple[Any, str, str, str]]:
    """The lines of a plan's schedule, with those of dropped copies and of leaders."""
    return [*((0, item, machine, "") for item, machine in plan.dropped), *plan.schedule,
            *(("leaders", item, before or "", after) for item, before, after in plan.leaders)]


def _rates(given: Any) -> Any:
    """Rows as a list; a file as it is."""
    is_file = isinstance(given, str) or tables.is_open(given)
    return list(tables.rows_of(given)) if isinstance(given, Iterable) and not is_file else given


def _are_pairs(rows: Any) -> bool:
    return (isinstance(rows, list) and bool(rows)
            and all(isinstance(row, (list, tuple)) and len(row) == 2 for row in rows))


def _add_target(made: tables.Options, target: Any) -> None:
    """A target as on the command line, or what its file would hold."""
    if isinstance(target, str):
        made.values["target"] = plain("target", target)
    elif target is not None:
        made.add_columns("target", target if tables.is_kafkas(target) else _pairs(target),
                         ["item", "machine", "leader"])
        made.values["target"] = "places:" + made.values["target"]


def _names(option: str, given: Names) -> list[str]:
    """A name alone, or all names of a list."""
    return [plain(option, given)] if isinstance(given, str) else tables.names(option, given)


def _password(given: Any, items: Any) -> str:
    """The password of a cluster, which no message shows."""
    if given is None:
        live = isinstance(items, str) and items.startswith("redis://")
        return os.environ.get("REDISCLI_AUTH", "") if live else ""
    if not isinstance(given, str) or given != given.encode(errors="replace").decode():
        raise InputError("password: expected a string in UTF-8")
    return given


def _copies(given: Any) -> list[str]:
    """Numbers of copies as on the command line: `3`, or `t=2` for each name."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        return [f"{tables.field('replicas', name)}={whole('replicas', copies, 1)}"
                for name, copies in given.items()]
    return [str(whole("replicas", given, 1))]


def _by_resource(option: str, given: Any, sign: str) -> str:
    """A number or a text, or those of a mapping: `bytes:0.05,items:0.2`."""
    if given is None:
        return ""
    if isinstance(given, Mapping):
        return ",".join(f"{tables.quoted(tables.field(option, name))}{sign}{value}"
                        for name, value in given.items())
    return given if isinstance(given, str) else repr(inputs.real(option, given))


def _pairs(given: Any) -> Any:
    """A mapping from items to lists of machines as pairs; anything else as it is."""
    if not isinstance(given, Mapping):
        return given
    for item, machines in given.items():
        if isinstance(machines, str) or not isinstance(machines, Iterable):
            raise InputError(f"expected a list of machines for {shown(item)}, found "
                             f"{shown(machines)}")
    return [(item, machine) for item, machines in given.items() for machine in machines]
