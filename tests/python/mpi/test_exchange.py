"""Plans as arrays, on several ranks: an Alltoallv of one's own does what a plan does."""

import numpy as np
import pytest
from mpi4py import MPI

import equipoise
import equipoise.mpi as balancer
from same_error import same_error

WORLD = MPI.COMM_WORLD
ME = WORLD.Get_rank()
RANKS = WORLD.Get_size()

COUNTS = [
    [0] * RANKS,
    [6] * RANKS,
    [100 * RANKS] + [0] * (RANKS - 1),
    [rank * rank * 7 for rank in range(RANKS)],
]


def exchanged(plan, items):
    """What a program does that moves its items itself."""
    lists = plan.exchange()
    arrived = np.empty(len(lists.receive_places), items.dtype)
    WORLD.Alltoallv([items[lists.send_order], lists.send_counts, lists.send_offsets, MPI.DOUBLE],
                    [arrived, lists.receive_counts, lists.receive_offsets, MPI.DOUBLE])
    after = np.full(plan.size_after, np.nan)
    after[lists.kept_to] = items[lists.kept_from]
    after[lists.receive_places] = arrived
    return after


def expect_as_moved(plan, items):
    moved = plan.move(items)
    assert np.array_equal(moved, exchanged(plan, items))
    holders = {item: rank for rank, held in enumerate(WORLD.allgather(moved)) for item in held}
    destinations = plan.destinations()
    assert destinations.dtype == np.int32
    assert destinations.tolist() == [holders[item] for item in items]
    assert np.array_equal(items, exchanged(plan.inverse(), moved))


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("policy", ["minimum-moves", "keep-order", "random-pairs", "weighted"])
def test_an_exchange_of_ones_own_does_what_a_plan_does(counts, policy):
    items = 1000.0 * ME + np.arange(counts[ME])
    weights = 1 + np.arange(len(items)) % 5 if policy == "weighted" else None
    plan = balancer.make_plan(WORLD, len(items), policy=policy, weights=weights)
    expect_as_moved(plan, items)


def test_an_exchange_of_ones_own_follows_items_over_links():
    line = WORLD.Create_cart([RANKS])
    items = 1000.0 * ME + np.arange(COUNTS[3][ME])
    expect_as_moved(balancer.make_plan(line, len(items), policy="neighbours-only"), items)
    line.Free()


@pytest.mark.parametrize("dtype", ["u1", "i4", "i8", "u8"])
def test_ranks_of_any_whole_numbers_are_destinations(dtype):
    ranks = (np.arange(20) * (ME + 3) % RANKS).astype(dtype)
    plan = balancer.plan_to(WORLD, ranks)
    assert np.array_equal(plan.destinations(), ranks)
    expect_as_moved(plan, 1000.0 * ME + np.arange(20))


def test_ranks_that_would_be_right_if_they_were_cut_are_refused():
    ranks = np.full(3, 2**32 if ME == RANKS - 1 else 0)
    text = same_error(equipoise.InputError, lambda: balancer.plan_to(WORLD, ranks))
    assert "4294967296" in text and text.startswith(f"rank {RANKS - 1}: ")


def test_counts_have_the_type_that_is_asked_for_or_are_refused_on_all_ranks():
    few = balancer.make_plan(WORLD, 10 * ME)
    assert few.exchange().send_counts.dtype == np.int32
    wide = few.exchange(np.int64)
    assert wide.send_counts.dtype == wide.receive_offsets.dtype == np.int64
    assert np.array_equal(wide.send_counts, few.exchange().send_counts)
    with pytest.raises(equipoise.InputError, match="expected np.int32 or np.int64, found float64"):
        few.exchange(np.float64)
    if RANKS > 1:  # that nobody has such items does not matter
        many = balancer.make_plan(WORLD, 2**33 if ME == 0 else 0)
        text = same_error(equipoise.InputError, many.exchange)
        assert text.startswith("expected at most 2147483647 items that a rank sends or receives")
