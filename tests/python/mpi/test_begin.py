"""Items that travel while the program computes, and the report of a move, on several ranks."""

import gc

import numpy as np
import pytest
from mpi4py import MPI

import equipoise
import equipoise.mpi as balancer
from same_error import same_error

WORLD = MPI.COMM_WORLD
ME = WORLD.Get_rank()
RANKS = WORLD.Get_size()

# Level; all on one rank; ranks that neither give nor take.
COUNTS = [
    [6] * RANKS,
    [6 * RANKS] + [0] * (RANKS - 1),
    [12, 0] + [6] * (RANKS - 2) if RANKS > 1 else [6],
]

MADE = {
    "array": lambda count: np.arange(count * 3.0).reshape(count, 3) + 100 * ME,
    "tuple": lambda count: (np.arange(count) + 100 * ME, np.full(count, ME, "f4")),
    "dict": lambda count: {"x": np.arange(count) + 100 * ME},
    "list": lambda count: [("object", ME, i) for i in range(count)],
}


def same(one, other):
    assert type(one) is type(other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return len(one) == len(other) and all(
        np.array_equal(part, its) for part, its in zip(one, other))


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("policy", ["minimum-moves", "keep-order", "random-pairs"])
def test_what_wait_returns_is_what_move_returns(counts, kind, policy):
    items = MADE[kind](counts[ME])
    plan = balancer.make_plan(WORLD, counts[ME], policy=policy)
    moving = plan.begin(items)
    assert moving.report is None
    moved = moving.wait()
    assert moving.report.moved == plan.moved and moving.report.seconds_moving > 0
    assert plan.report.seconds_moving == 0
    assert same(moved, plan.move(items))
    assert same(items, MADE[kind](counts[ME]))
    assert same(plan.inverse().begin(moved).wait(), items)
    with pytest.raises(equipoise.InputError, match="a move that was begun, found one that has"):
        moving.wait()


def test_several_moves_are_under_way_at_once():
    first, second = np.arange(6 * RANKS if ME == 0 else 0), list(range(6 * RANKS if ME == 0 else 0))
    plan = balancer.make_plan(WORLD, len(first))
    moves = [plan.begin(first), plan.begin(second)]
    moved = [moving.wait() for moving in moves]
    assert moved[0].tolist() == moved[1] == plan.move(second)


def test_a_move_that_is_forgotten_ends_when_it_is_deleted():
    plan = balancer.make_plan(WORLD, 6 * RANKS if ME == 0 else 0)
    moving = plan.begin(np.arange(plan.size_before))
    del moving
    gc.collect()
    assert len(plan.move(np.arange(plan.size_before))) == 6


def test_an_error_of_one_rank_is_raised_by_begin_on_all():
    plan = balancer.make_plan(WORLD, 4)
    wrong = np.arange(5 if ME == RANKS - 1 else 4)
    text = same_error(equipoise.InputError, lambda: plan.begin(wrong))
    assert "expected arrays of the planned size 4, found 5" in text
    text = same_error(equipoise.InputError, lambda: plan.begin(3 if ME == 0 else wrong[:4]))
    assert text.startswith("rank 0: ") and "expected a NumPy array" in text


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("kind", MADE)
def test_rebalance_returns_its_report_as_the_last(counts, kind):
    items = MADE[kind](counts[ME])
    alone = balancer.rebalance(WORLD, items)
    moved, report = balancer.rebalance(WORLD, items, report=True)
    assert same(moved, alone)
    assert isinstance(report, balancer.Report) and report.after.most == 6
    assert report.seconds_planning > 0 and report.seconds_moving >= 0
    weights = np.ones(counts[ME])
    moved, costs, report = balancer.rebalance(WORLD, items, weights=weights, report=True)
    assert report.policy == "weighted" and len(costs) == report.after.most == 6
    # Who wants it may differ between ranks.
    mixed = balancer.rebalance(WORLD, items, report=ME == 0)
    assert same(mixed[0] if ME == 0 else mixed, alone)


def test_a_report_says_in_words_what_the_plan_says():
    items = np.arange(6 * RANKS if ME == 0 else 0)
    costs = np.ones(len(items))
    for options in ({}, {"policy": "hierarchical"}, {"weights": costs},
                    {"policy": "keep-order", "weights": costs, "machines_first": True},
                    {"weights": costs, "sizes": costs}):
        plan = balancer.make_plan(WORLD, len(items), **options)
        said = plan.report.describe()
        assert said == str(plan.report) + "\n" and plan.describe().startswith(said)
        assert plan.describe() == str(plan) + "\n"
        assert said.startswith(f"{plan.report.policy} on {RANKS} rank")
    _, report = balancer.rebalance(WORLD, items, report=True)
    assert report.describe().startswith(f"minimum-moves on {RANKS} rank")
    assert "before: 0 to " in report.describe() or RANKS == 1
    given = balancer.plan_to(WORLD, np.zeros(2, int)).report
    assert given.describe().startswith(f"given on {RANKS} rank")


def test_results_come_home_while_the_program_computes():
    items = np.arange(6.0 * RANKS if ME == 0 else 0.0)
    loan = balancer.lend(WORLD, items)
    coming = loan.back.begin(loan.items * 2)
    assert np.array_equal(coming.wait(), 2 * np.arange(len(items)))
    assert np.array_equal(items, np.arange(len(items)))
