"""The balancer for programs that use mpi4py: after one call every rank holds its fair share::

    from mpi4py import MPI
    import equipoise.mpi
    particles = equipoise.mpi.rebalance(MPI.COMM_WORLD, particles)

Every function is collective: all ranks of the communicator call it, with the same policy. An error
on one rank is raised on all, and nothing has moved. Results are new arrays, whether or not anything
moved: plain `numpy.ndarray` in C order, of the dtypes that were given.

Threads may balance at the same time if each has a communicator of its own (`comm.Dup()`) and MPI
was started with MPI_THREAD_MULTIPLE, as mpi4py does by default. Two threads must not use one
communicator at the same time: ranks could not tell their calls apart, and would wait for ever
(InputError where that is noticed).
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
import mpi4py.MPI  # starts MPI, which the extension expects

try:
    from equipoise import _mpi  # type: ignore[attr-defined]
except ImportError as error:
    raise ImportError("equipoise.mpi: expected the extension that ./dev build puts into "
                      "build/python where MPI and mpi4py are installed (packages built by pip have "
                      f"none; Debian's is python3-equipoise-mpi): {error}") from None

from equipoise import rank_items, rank_numbers
from equipoise.networks import shown
from equipoise.rank_plans import Exchange, Moving, Plan, Report, Spread, Verdict, report_of
from equipoise.rank_rows import Device

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Advice", "Advisor", "Device", "Exchange", "Loan", "Moving", "Plan", "Relabelling",
           "Report", "Spread", "Verdict", "lend", "make_plan", "plan_to", "rebalance", "relabel"]

Items = TypeVar("Items")


def make_plan(comm: mpi4py.MPI.Comm, count: int, *, policy: str | None = None, speed: float = 1.0,
              pinned: int = 0, items_max: int | None = None, bytes_max: float | None = None,
              weights: npt.ArrayLike | None = None, tolerance: float = 0.0,
              sizes: npt.ArrayLike | None = None, machines_first: bool = False,
              machine: int | None = None, socket: int | None = None,
              algorithm: str = "deal-agreement-2", message_bytes_max: int = 2**30) -> Plan:
    """Plans for `count` items on this rank. Collective.

    Raises InputError, MemoryError or RuntimeError, the same on every rank.

    Parameters
    ----------
    policy
        Which items go where: minimum-moves, keep-order, weighted, hierarchical, neighbours-only or
        random-pairs; docs/how-to/balancer.md helps to choose. By default "weighted" if there are
        weights, else "minimum-moves".
    speed
        This rank's share is proportional to it; finite, 0 or more; at 0 only pinned items stay (not
        with random-pairs).
    pinned
        This many items of this rank, the first ones, never move (not with keep-order,
        neighbours-only and random-pairs).
    items_max
        This rank has room for so many items, and gets no more. By default for any number. For
        minimum-moves, hierarchical, keep-order and weighted only (not with keep-order and
        machines_first, unless weights are given).
    bytes_max
        This rank has room for so many bytes, 0 or more, of items with sizes, and gets no more. By
        default for any number. For weighted and, with weights, keep-order; needs sizes.
    weights
        What each item of this rank costs, finite, 0 or more; for weighted and keep-order only,
        given on all ranks that have items or on none. Real numbers of any dtype, one for each item,
        or an array of shape (n, k) with k weights for each (phases, resources; shape (0, k) where
        there are no items), of which every kind is levelled.
    tolerance
        The largest load may be (1 + tolerance) times the share, or as near to that as the items
        allow; among such plans, one that moves few items (with keep-order, the fewest, if cuts have
        at most 262,144 places) is chosen. Finite, 0 or more; only with weights.
    sizes
        Size of each item of this rank in bytes, finite, 0 or more; given on all ranks that have
        items or on none. With weighted, the plan then moves few bytes instead of few items; with
        keep-order, they are for bytes_max only.
    machines_first
        Among equally level plans, one that moves few items (bytes, if there are sizes) between
        machines, and only then few in all, is chosen. For weighted and keep-order only.
    machine
        Colour of this rank: ranks with equal numbers share a machine; by default MPI is asked. For
        hierarchical and machines_first; on all ranks or on none.
    socket
        The same for the sockets of a machine, where machines are given; for hierarchical only.
    algorithm
        The algorithm of the catalogue that plans, for neighbours-only.
    message_bytes_max
        The longest message; longer ones are split. 1 to 2^31 - 1.
    """
    return Plan(_plan(comm, count, locals()))


def rebalance(comm: mpi4py.MPI.Comm, items: Items, *, policy: str | None = None, speed: float = 1.0,
              pinned: int = 0, items_max: int | None = None, bytes_max: float | None = None,
              weights: npt.ArrayLike | None = None, tolerance: float = 0.0,
              sizes: npt.ArrayLike | None = None, machines_first: bool = False,
              machine: int | None = None, socket: int | None = None,
              algorithm: str = "deal-agreement-2", message_bytes_max: int = 2**30,
              report: bool = False) -> Any:
    """The items that this rank holds after all ranks have levelled what they hold. Collective.

    The arguments not explained here are those of `make_plan`.

    Returns the same kind of object: new arrays (plain `numpy.ndarray`, even of subclasses) of the
    given dtypes, a new tuple, dict or list, in which only the objects of a list that stay are those
    that were given. With `weights`, also on ranks without items that gave none, returns a pair of
    that and the weights of the new items, ready for the next call: a new array of the dtype that
    this rank gave (float64 if it gave a list or none, or if another rank gave numbers that the
    dtype has not). With `report`, the report is returned as well, as the last of a pair or of
    three. Without limits of room, the numbers of items of all
    ranks then differ by at most one, and no item has moved needlessly (policy minimum-moves,
    without speeds and pinned items); with weights, no rank of speed 1 has more than its share and
    the weight of the heaviest item.

    Raises InputError, MemoryError or RuntimeError, the same on every rank; nothing has moved then.

    Parameters
    ----------
    items
        A NumPy array, whose rows move (of any number of dimensions and any type without Python
        objects, structured types too); a tuple or dict of arrays of one length, whose rows stay
        together; or a list of Python objects, of which those that move are pickled.
    report
        Whether to return the `Report` as well; ranks may differ.
    """
    wanted = locals()
    labels, arrays, rebuild, problem = rank_items.taken_apart(items)
    costs, wrong = rank_numbers.numbers("weights", weights, dimensions=(1, 2))
    wanted["weights"] = costs
    plan = _plan(comm, len(arrays[0]) if arrays else 0, wanted, problem or wrong)
    # The plan says on all ranks alike whether weights travel; one without items may give none.
    travel = plan.by_weight
    if travel and costs is None:
        costs = np.empty(0)
    elif costs is not None and not travel and plan.size_after > 0:
        problem = "weights: expected them on all ranks that have items or on none"
    together = travel and labels is not None
    if together:
        labels, arrays = [*cast("list[str]", labels), ""], [*arrays, costs]
    moved, figures = rank_items.UnderWay(plan, labels, arrays, tuple, problem).end()
    returned = [rebuild(moved[:-1] if together else moved)]
    if travel and not together:
        costs = Plan(plan).move(costs)
    if costs is not None:
        returned.append(rank_numbers.as_given(weights, moved[-1] if together else costs))
    if report:
        returned.append(report_of(figures))
    return returned[0] if len(returned) == 1 else tuple(returned)


def plan_to(comm: mpi4py.MPI.Comm, ranks: npt.ArrayLike) -> Plan:
    """The plan by which item i of this rank goes to rank `ranks[i]`. Collective.

    Items that stay keep their order; those that arrive are appended, by the rank from which they
    come and in the order they had there.

    Raises InputError, MemoryError or RuntimeError, the same on every rank.
    """
    numbers, problem = rank_numbers.whole_numbers("ranks", ranks, np.int32)
    return Plan(_mpi.plan_to(comm, numbers, problem))


class Loan:
    """Items that are lent for one step, or several; made by `lend`.

    `items`: what this rank holds now, own and borrowed; the same kind of object that was lent.
    `plan`: who lent how many items to whom; `back`: the plan by which they come home. Their `begin`
    lets the program compute while items or results travel.
    """

    def __init__(self, plan: Plan, items: Any, back: Plan) -> None:
        self.plan = plan
        self.items = items
        self.back = back

    def give_back(self, results: Any = None) -> Any:
        """What belongs to this rank's own items, in their order. Collective; nothing is planned.

        Parameters
        ----------
        results
            Arrays or a list with an entry for each of `items`, in their order; by default `items`
            themselves. Only what is given travels.
        """
        return self.back.move(self.items if results is None else results)

    def lend_again(self, items: Items) -> Items:
        """Lends items by the same plan, as for the next step while loads are as they were; returns
        the new `items`. Collective; nothing is planned. All ranks must have as many as before."""
        self.items = self.plan.move(items)
        return self.items


def lend(comm: mpi4py.MPI.Comm, items: Any, *, policy: str | None = None, speed: float = 1.0,
         pinned: int = 0, items_max: int | None = None, bytes_max: float | None = None,
         weights: npt.ArrayLike | None = None, tolerance: float = 0.0,
         sizes: npt.ArrayLike | None = None, machines_first: bool = False,
         machine: int | None = None, socket: int | None = None, algorithm: str = "deal-agreement-2",
         message_bytes_max: int = 2**30) -> Loan:
    """Lends items to ranks with less to do. Collective::

        loan = equipoise.mpi.lend(MPI.COMM_WORLD, columns, weights=seconds)
        heating = physics(loan.items)              # of own columns and of borrowed ones
        heating = loan.give_back(heating)          # of own columns, in their order

    The other arguments are those of `make_plan`. Errors are the same on every rank.

    Parameters
    ----------
    items
        As for `rebalance`; they stay as they are, and the loan holds copies. Where only results
        are wanted, give those alone back: the items themselves need not travel home.
    """
    wanted = locals()
    labels, arrays, rebuild, problem = rank_items.taken_apart(items)
    plan = _plan(comm, len(arrays[0]) if arrays else 0, wanted, problem)
    # Made before the ranks agree to move: a failure of this rank alone would come too late then.
    back, wrong, no_memory = rank_items.attempt(plan.inverse)
    held, _ = rank_items.UnderWay(plan, labels, arrays, rebuild, wrong, no_memory).end()
    return Loan(Plan(plan), held, Plan(back))


@dataclass(frozen=True)
class Relabelling:
    """Ranks for the parts of a new partition; the same on all ranks.

    `moved` of all `bytes` change their rank, the fewest possible (with machines first: of all ways
    that move the fewest between machines); `moved_by_identity` would if part p went to rank
    p // parts_a_rank. `part_prices` and `rank_prices` certify it: what a rank holds of a part is
    never more than both their prices, and bytes - moved = sum(part_prices) + parts_a_rank *
    sum(rank_prices), which no relabelling can exceed. With machines first, a rank "holds"
    (bytes + 1) times what its machine holds of a part, and what it holds itself.
    """

    rank_of_part: npt.NDArray[np.int32]
    bytes: int
    moved: int
    moved_by_identity: int
    part_prices: list[int]
    rank_prices: list[int]
    between_machines: int | None = None
    between_machines_by_identity: int | None = None

    def describe(self) -> str:
        """What moves, in words; every line ends with a newline."""
        between = (None if self.between_machines is None
                   else (self.between_machines, self.between_machines_by_identity))
        return cast(str, _mpi.describe_relabelling(self.bytes, self.moved, self.moved_by_identity,
                                                   between))

    def __str__(self) -> str:
        return self.describe().rstrip("\n")


def relabel(comm: mpi4py.MPI.Comm, new_part: npt.ArrayLike, bytes: npt.ArrayLike | None = None, *,
            parts: int = 0, parts_a_rank: int = 1, machines_first: bool = False,
            machine: int | None = None) -> Relabelling:
    """Gives the parts of a new partition the ranks that move the fewest bytes. Collective::

        found = equipoise.mpi.relabel(MPI.COMM_WORLD, part)
        items = equipoise.mpi.plan_to(MPI.COMM_WORLD, found.rank_of_part[part]).move(items)

    Raises InputError, MemoryError or RuntimeError, the same on every rank.

    Parameters
    ----------
    new_part
        The part of each item of this rank: 0, 1, ...
    bytes
        The bytes of each item, whole numbers; without them every item counts 1.
    parts
        The number of parts; 0: up to the largest that has an item.
    parts_a_rank
        A rank gets at most this many parts.
    machines_first
        Fewest bytes between machines, and then between ranks.
    machine
        Ranks with equal numbers share one; by default as MPI reports.
    """
    chosen, problem = rank_numbers.whole_numbers("new_part", new_part, np.int32)
    sizes = None
    if bytes is not None:
        sizes, wrong = rank_numbers.whole_numbers("bytes", bytes, np.int64)
        problem = problem or wrong
    options = _mpi.RelabelOptions()
    for name, value in {"parts": parts, "parts_a_rank": parts_a_rank,
                        "machines_first": machines_first, "machine": machine}.items():
        try:
            setattr(options, name, value)
        except Exception:  # of the value's own code, too
            problem = problem or f"{name}: {shown(value)} has the wrong type"
    return Relabelling(**_mpi.relabel(comm, chosen, sizes, options, problem))


@dataclass(frozen=True)
class Advice:
    """Whether to balance now; true if so.

    `gain`: seconds that the slowest rank saves by balancing now, until as much work is done as
    since the last balance. `cost`: seconds that a balance takes; None before the first.
    `break_even_step`: the step (the first is 1) at whose end it has paid for itself, if ever.
    """

    worth_it: bool
    gain: float
    cost: float | None
    break_even_step: int | None

    def __bool__(self) -> bool:
        return self.worth_it


class Advisor:
    """Says when to balance; learns from the seconds of steps and balances. It has no parameters::

        advisor = equipoise.mpi.Advisor(MPI.COMM_WORLD)
        while ...:
            began = MPI.Wtime()
            compute(items)                     # this rank's own work, without waiting
            advisor.step(MPI.Wtime() - began)
            if advisor.worth_it():
                with advisor.balancing():
                    items = equipoise.mpi.rebalance(MPI.COMM_WORLD, items)

    docs/how-to/balancer.md says how it decides and what it guarantees.
    """

    def __init__(self, comm: mpi4py.MPI.Comm) -> None:
        self._advisor = _mpi.Advisor(comm)

    def step(self, seconds: float) -> None:
        """Takes the seconds of this rank's work in a step, without what it waited for others.

        Collective: one small reduction. Raises InputError, the same on every rank, for seconds (of
        the step or of a balance) that are negative or not finite, and if the ranks have not all
        reported the same number of steps and balances; the step is then not counted.
        """
        self._advisor.step(rank_numbers.figure(seconds))

    def balanced(self, seconds: float) -> None:
        """Takes the seconds of a balance after the last step. Not collective, but every rank must
        report every balance; the seconds of the slowest rank count."""
        self._advisor.balanced(rank_numbers.figure(seconds))

    @contextmanager
    def balancing(self) -> Iterator[None]:
        """Measures a balance and reports it with `balanced`, unless it raises."""
        began = mpi4py.MPI.Wtime()
        yield
        self.balanced(mpi4py.MPI.Wtime() - began)

    def worth_it(self) -> Advice:
        """Whether to balance now. Not collective; the same on every rank."""
        return Advice(*self._advisor.worth_it())

    @property
    def steps(self) -> int:
        """Steps that were counted."""
        return cast(int, self._advisor.steps)

    @property
    def balances(self) -> int:
        """Balances that this rank has reported."""
        return cast(int, self._advisor.balances)

    def __repr__(self) -> str:
        return f"<Advisor: {self.steps} steps, {self.balances} balances>"


def _plan(comm: mpi4py.MPI.Comm, count: int, wanted: dict[str, Any], problem: str = "") -> Any:
    """A plan with the options among the variables of a function."""
    # An error of this rank alone would leave the others waiting, so it is passed on to them.
    request = _mpi.Request()
    for name, value in wanted.items():
        try:
            if hasattr(_mpi.Request, name):
                setattr(request, name, value)
        except Exception:  # of the value's own code, too
            problem = problem or f"{name}: {shown(value)} has the wrong type"
    costs, wrong = rank_numbers.numbers("weights", wanted["weights"], dimensions=(1, 2))
    problem = problem or wrong
    if costs is not None and costs.ndim == 2:
        request.weights_per_item = costs.shape[1]
    bytes_of, wrong = rank_numbers.numbers("sizes", wanted["sizes"], dimensions=(1,))
    problem = problem or wrong
    try:
        if not -2**63 <= (count := operator.index(count)) < 2**63:
            problem = problem or f"count: expected a number below 2^61, found {shown(count)}"
    except Exception:  # of the value's own code, too
        problem = problem or f"count: expected a whole number, found {shown(count)}"
    return _mpi.make_plan(comm, 0 if problem else count, None if problem else costs,
                          None if problem else bytes_of, request, problem)
