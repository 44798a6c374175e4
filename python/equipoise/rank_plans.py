"""Plans of equipoise.mpi, and what they say and return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from equipoise import _mpi  # type: ignore[attr-defined]
from equipoise import rank_items, rank_numbers, rank_rows
from equipoise.errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt

Items = TypeVar("Items")


@dataclass(frozen=True)
class Spread:
    """Least, most and average over ranks."""

    least: float
    most: float
    average: float


@dataclass(frozen=True)
class Verdict:
    """Whether moving pays; true if it does.

    `seconds_saved`: by the slowest rank over all steps. `seconds_spent`: by the rank that sends
    and receives most.
    """

    worth: bool
    seconds_saved: float
    seconds_spent: float

    def __bool__(self) -> bool:
        return self.worth


# Made from equipoise/balancer/faces.toml by tools/make_faces.py: report.
@dataclass(frozen=True)
class Report:
    """What a plan does; the same on all ranks except for the seconds.

    Figures that do not apply are None.

    Attributes
    ----------
    policy
        What was asked for; `given` for plans to given ranks.
    ranks
        Ranks of the communicator.
    moved
        Items that changed their rank; each hop counts.
    minimum
        The fewest items that any plan with the same final sizes must move (other final sizes may
        need fewer; a plan that keeps the order may need more); unknown (None) for weighted.
    messages
        Pairs of ranks (and rounds) between which items moved.
    rounds
        Rounds of messages; above 1 only for neighbours-only and random-pairs.
    between_machines
        Those of `moved` that changed their machine. Only for hierarchical and machines_first.
    before
        Items per rank, before the move.
    after
        Items per rank, after the move.
    weight_before
        Weight per rank, before the move; with several weights per item, the largest of a rank's
        weights, each divided by its average. Only with weights.
    weight_after
        The same after the move. Only with weights.
    seconds_planning
        Seconds that planning took.
    seconds_moving
        Seconds that moving took; 0 before the move.
    largest_before
        The largest weight per unit of speed (with several weights per item, the largest of all,
        each divided by its average), before the move. Only with weights.
    largest
        The same after the move. Only with weights.
    largest_at_least
        A certified lower bound on `largest`: no plan (with keep-order, none that keeps the order)
        has less. Only with weights.
    moved_at_least
        A certified lower bound: no plan (with keep-order, none that keeps the order) whose largest
        weight is within the tolerance, or as low as this plan's, moves fewer items. Only with
        weights.
    bytes_moved
        Bytes of the items that changed their rank. Only if sizes were given.
    bytes_at_least
        The same as `moved_at_least`, for bytes. Only if sizes were given.
    weights_per_item
        What was asked for.
    by_bytes
        Whether sizes were given.
    machines_first
        What was asked for.
    by_weight
        Whether weights were given.
    """

    policy: str
    ranks: int
    moved: int
    minimum: int | None
    messages: int
    rounds: int
    before: Spread
    after: Spread
    seconds_planning: float
    between_machines: int | None = None
    weight_before: Spread | None = None
    weight_after: Spread | None = None
    seconds_moving: float = 0
    largest_before: float | None = None
    largest: float | None = None
    largest_at_least: float | None = None
    moved_at_least: int | None = None
    bytes_moved: float | None = None
    bytes_at_least: float | None = None
    weights_per_item: int = 1
    by_bytes: bool = False
    machines_first: bool = False
    by_weight: bool = False
# End of what is made.

    def describe(self) -> str:
        """The report in words; every line ends with a newline."""
        return cast(str, _mpi.describe(asdict(self)))

    def __str__(self) -> str:
        return self.describe().rstrip("\n")


@dataclass(frozen=True)
class Exchange:
    """A plan as arrays of this rank, for an Alltoallv of your own; made by `Plan.exchange`.

    Items that stay are not counted. For an array of doubles::

        lists = plan.exchange()
        arrived = np.empty(len(lists.receive_places))
        comm.Alltoallv([items[lists.send_order], lists.send_counts, lists.send_offsets, MPI.DOUBLE],
                       [arrived, lists.receive_counts, lists.receive_offsets, MPI.DOUBLE])
        after = np.empty(plan.size_after)
        after[lists.kept_to] = items[lists.kept_from]
        after[lists.receive_places] = arrived

    Attributes
    ----------
    send_counts, receive_counts
        How many items go to each rank and come from it; 0 for this rank itself.
    send_offsets, receive_offsets
        How many go to and come from the ranks before it.
    send_order
        Old places of the items that leave, in the order in which they do: those for rank 0, ...
    receive_places
        New places of those that arrive, in the order in which they do: those from rank 0, ...
    kept_from, kept_to
        Old and new places of those that stay.
    """

    send_counts: npt.NDArray[Any]
    send_offsets: npt.NDArray[Any]
    receive_counts: npt.NDArray[Any]
    receive_offsets: npt.NDArray[Any]
    send_order: npt.NDArray[np.int64]
    receive_places: npt.NDArray[np.int64]
    kept_from: npt.NDArray[np.int64]
    kept_to: npt.NDArray[np.int64]


def report_of(figures: dict[str, Any]) -> Report:
    """A report from the figures of the extension."""
    spreads = {key: Spread(**figures[key]) for key in ("before", "after", "weight_before",
                                                        "weight_after") if key in figures}
    return Report(**{**figures, **spreads})


class Moving:
    """Items under way; made by `Plan.begin`.

    One that is forgotten waits when it is deleted, and its items are lost.
    """

    def __init__(self, under_way: rank_items.UnderWay) -> None:
        self._under_way = under_way
        self._report: Report | None = None

    def wait(self) -> Any:
        """The items that this rank holds afterwards, as `Plan.move` returns them. Collective.

        Raises InputError, on this rank alone, if it was called before.
        """
        items, figures = self._under_way.end()
        self._report = report_of(figures)
        return items

    @property
    def report(self) -> Report | None:
        """What was done, with the seconds of moving; None before `wait`."""
        return self._report


class Plan:
    """Who sends how many items to whom; made by `make_plan`.

    It can move any number of arrays and lists that have the planned number of items, so that what
    belongs together stays together.
    """

    def __init__(self, plan: Any) -> None:
        self._plan = plan

    @property
    def moved(self) -> int:
        """Items that move to another rank; each hop counts."""
        return cast(int, self._plan.moved)

    @property
    def size_before(self) -> int:
        """Items on this rank before the move."""
        return cast(int, self._plan.size_before)

    @property
    def size_after(self) -> int:
        """Items on this rank after the move."""
        return cast(int, self._plan.size_after)

    @property
    def transfers(self) -> npt.NDArray[np.int64]:
        """All transfers, the same on all ranks: one row (from, to, items) for each."""
        return cast("npt.NDArray[np.int64]", self._plan.transfers())

    @property
    def report(self) -> Report:
        """What the plan does."""
        return report_of(self._plan.report())

    def worth_it(self, *, seconds_per_item: float | Sequence[float], steps: float,
                 seconds_per_item_moved: float = 0.0,
                 seconds_per_message: float = 0.0) -> Verdict:
        """Whether moving pays. Collective; of each argument, the largest value on any rank counts.

        Parameters
        ----------
        seconds_per_item
            One step's work on one item (or unit of weight) at speed 1. With several weights an
            item a number for each of them, 0 for what takes no time, such as bytes: phases follow
            one another, and the slowest rank of each is waited for.
        steps
            Until the balance is lost, or until the next rebalancing.
        seconds_per_item_moved, seconds_per_message
            For each that a rank sends or receives.
        """
        # An error of this rank alone would leave the others waiting: nan is an error of all.
        by_kind = rank_numbers.figures(seconds_per_item)
        return Verdict(*self._plan.worth_it(*map(rank_numbers.figure, (
            0.0 if by_kind else seconds_per_item, steps, seconds_per_item_moved,
            seconds_per_message)), by_kind))

    def move(self, items: Items) -> Items:
        """The items that this rank holds afterwards. Collective.

        Parameters
        ----------
        items
            As for `rebalance`. The given arrays and lists stay as they are; new ones are returned,
            also if nothing comes to this rank or leaves it.
        """
        return cast(Items, self.begin(items).wait())

    def begin(self, items: Any) -> Moving:
        """Begins to move items, and returns while they travel. Collective::

            moving = plan.begin(particles)
            compute()                        # anything but what changes `particles`
            particles = moving.wait()

        Parameters
        ----------
        items
            As for `rebalance`; they must be left as they are until `wait` has returned.
        """
        return Moving(rank_items.UnderWay(self._plan, *rank_items.taken_apart(items)))

    def move_within(self, arrays: Any, *, device: rank_rows.Device | None = None) -> Report:
        """Moves rows within the memory of the arrays that hold them. Collective::

            plan = equipoise.mpi.make_plan(MPI.COMM_WORLD, held)     # rows of `memory`, with room
            plan.move_within(memory)
            held = plan.size_after
            particles = memory[:held]

        Only rows that leave or arrive are copied, into buffers. Raises InputError, MemoryError or
        RuntimeError, the same on every rank; too little room is such an error. No row has moved
        then, unless `unpack` (or `synchronise` after it) of a device has failed: that is known only
        when rows have left, and this rank's are lost.

        Parameters
        ----------
        arrays
            A NumPy array, or a tuple or dict of arrays, that can be written to: each holds
            `size_before` rows and has room for at least `size_after` of them. Rows must be
            contiguous but may have gaps between them, as in a field of a structured array or a
            slice of columns; gaps are left alone. With `device` also arrays of a GPU, as those of
            CuPy, Numba and PyTorch: whatever has `__cuda_array_interface__`.
        device
            How to reach rows on a device; given on all ranks or on none.
        """
        rooms, problem = rank_rows.rooms_of(arrays, device)
        return report_of(_mpi.move_rows(self._plan, rooms, device, problem))

    def destinations(self) -> npt.NDArray[np.int32]:
        """For every item of this rank the rank where it goes; its own for those that stay. Not
        collective."""
        return cast("npt.NDArray[np.int32]", self._plan.destinations())

    def exchange(self, counts: npt.DTypeLike = np.int32) -> Exchange:
        """What leaves this rank and arrives there, for an exchange of your own. Not collective.

        Parameters
        ----------
        counts
            The type of counts and offsets: np.int32 or np.int64. Raises InputError, on all ranks
            alike, if one of them sends or receives more items than np.int32 can count.
        """
        if np.dtype(counts) not in (np.int32, np.int64):
            raise InputError(f"counts: expected np.int32 or np.int64, found {np.dtype(counts)}")
        wide = np.dtype(counts) == np.int64
        return Exchange(**(self._plan.exchange64() if wide else self._plan.exchange()))

    def inverse(self) -> Plan:
        """The plan that brings every item back to the rank and the place that it left."""
        return Plan(self._plan.inverse())

    def describe(self) -> str:
        """The plan in words: its report, then who sends how many items to whom. Every line ends
        with a newline."""
        return cast(str, self._plan.describe())

    def __str__(self) -> str:
        return self.describe().rstrip("\n")

    def __repr__(self) -> str:
        return (f"<Plan: {self.moved:,} items move, {self.size_before:,} here before, "
                f"{self.size_after:,} after>")
