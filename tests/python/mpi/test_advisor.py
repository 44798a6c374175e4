"""equipoise.mpi.Advisor on several ranks: every rank runs every test."""

import math

import numpy as np
import pytest
from mpi4py import MPI

import equipoise
import equipoise.mpi as balancer
from same_error import same_error

WORLD = MPI.COMM_WORLD
ME = WORLD.Get_rank()
RANKS = WORLD.Get_size()
LAST = RANKS - 1


def test_it_levels_a_drift_in_less_time_than_never_balancing():
    advisor = balancer.Advisor(WORLD)
    kept = np.ones(20)
    costs, grows = np.ones(20), np.full(20, ME == 0)
    never = advised = 0.0
    for step in range(1, 101):
        kept += 0.05 * (ME == 0)
        costs[grows] += 0.05
        advisor.step(costs.sum())
        never += WORLD.allreduce(kept.sum(), MPI.MAX)
        advised += WORLD.allreduce(costs.sum(), MPI.MAX)
        advice = advisor.worth_it()
        assert len(set(WORLD.allgather(advice))) == 1
        assert (advice.cost is None) == (advisor.balances == 0)
        if advice:
            grows, costs = balancer.rebalance(WORLD, grows, weights=costs)
            advisor.balanced(10)
            advised += 10
    assert advisor.steps == 100
    assert repr(advisor) == f"<Advisor: 100 steps, {advisor.balances} balances>"
    if RANKS == 1:
        assert advisor.balances == 0
    else:
        assert advisor.balances >= 1
        assert advised < 0.95 * never
        assert math.isclose(advisor.worth_it().cost, 10)


def test_balancing_measures_what_it_does():
    advisor = balancer.Advisor(WORLD)
    advisor.step(1.0 + ME)
    with advisor.balancing():
        items = balancer.rebalance(WORLD, np.zeros(10 * ME))
    assert len(items) in (5 * LAST, 5 * LAST + 1, 5 * LAST - 1)
    assert advisor.balances == 1
    advisor.step(1.0)
    assert 0 <= advisor.worth_it().cost < 10


def test_balancing_that_raises_was_none():
    advisor = balancer.Advisor(WORLD)
    with pytest.raises(ZeroDivisionError), advisor.balancing():
        raise ZeroDivisionError
    assert advisor.balances == 0
    advisor.step(1)


@pytest.mark.parametrize("seconds", [-1, math.nan, math.inf, "x", None, 10**400])
def test_seconds_that_cannot_be_on_one_rank_are_the_same_error_on_all(seconds):
    advisor = balancer.Advisor(WORLD)
    mine = seconds if ME == LAST else 1
    assert "seconds of a step" in same_error(equipoise.InputError, lambda: advisor.step(mine))
    advisor.balanced(mine)
    assert "seconds of a balance" in same_error(equipoise.InputError, lambda: advisor.step(1))
    assert advisor.steps == 0
    advisor.step(1)
    assert advisor.steps == 1


@pytest.mark.skipif(RANKS == 1, reason="there is nobody to differ from")
def test_a_balance_that_not_all_ranks_were_told_of_is_noticed():
    advisor = balancer.Advisor(WORLD)
    if ME == LAST:
        advisor.balanced(1)
    text = same_error(equipoise.InputError, lambda: advisor.step(1))
    assert text.endswith("after 0 steps and 1 balance, but rank 0: a step of an advisor after "
                         "0 steps and 0 balances")
