"""Weights of every type of numbers."""

from fractions import Fraction

import numpy as np
import pytest
from mpi4py import MPI

import equipoise
import equipoise.mpi as balancer
from same_error import same_error

WORLD = MPI.COMM_WORLD
ME = WORLD.Get_rank()
RANKS = WORLD.Get_size()
COUNT = 60 if ME == 0 else 0

DTYPES = ["f2", "f4", "f8", "g", ">f4", "i1", "u1", "i2", "u2", "i4", ">i4", "u4", "i8", "u8"]


def weights_of(numbers, dtype):
    return (1 + numbers % 7).astype(dtype)


@pytest.mark.parametrize("policy", ["weighted", "keep-order"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_any_dtype_level_as_float64_does(policy, dtype):
    numbers = np.arange(COUNT)
    expected = balancer.rebalance(WORLD, numbers, weights=weights_of(numbers, "f8"),
                                  policy=policy)
    items, costs = balancer.rebalance(WORLD, numbers, weights=weights_of(numbers, dtype),
                                      policy=policy)
    assert np.array_equal(items, expected[0])
    assert costs.dtype == np.dtype(dtype) and np.array_equal(costs, expected[1])
    rows = np.stack([weights_of(numbers, dtype)] * 2, axis=1)
    items, costs = balancer.rebalance(WORLD, numbers, weights=rows, policy=policy)
    assert costs.shape == (len(items), 2) and np.array_equal(costs[:, 0], 1.0 + items % 7)


def test_weights_that_a_rank_has_no_type_for_come_as_float64():
    given = np.ones(COUNT, "i4") if ME else np.arange(COUNT) / 2
    items, costs = balancer.rebalance(WORLD, np.arange(COUNT), weights=given)
    assert np.array_equal(costs, items / 2)
    whole = (costs == np.floor(costs)).all()
    assert costs.dtype == (np.int32 if ME and whole else np.float64)


def test_lists_of_weights_come_back_as_float64_and_truth_values_as_such():
    for given in ([True] * COUNT, [1] * COUNT):
        _, costs = balancer.rebalance(WORLD, np.arange(COUNT), weights=given)
        assert costs.dtype == np.float64 and (costs == 1).all()
    _, costs = balancer.rebalance(WORLD, np.arange(COUNT), weights=np.ones(COUNT, bool))
    assert costs.dtype == bool and costs.all()


@pytest.mark.parametrize("policy", ["weighted", "keep-order"])
@pytest.mark.parametrize("made_of", [np.array, list], ids=["array", "list"])
@pytest.mark.parametrize("none", [None, []], ids=["absent", "empty"])
def test_ranks_without_items_need_no_weights(policy, made_of, none):
    numbers = np.arange(COUNT)
    given = weights_of(numbers, "f4") if ME == 0 else none
    items, costs = balancer.rebalance(WORLD, made_of(numbers), weights=given, policy=policy)
    assert costs.dtype == (np.float32 if ME == 0 else np.float64)
    assert np.array_equal(costs, [1 + item % 7 for item in items])
    # Nothing moves.
    level = made_of(np.arange(int(ME == 0)))
    items, costs = balancer.rebalance(WORLD, level, weights=[1.0] if ME == 0 else none,
                                      policy=policy)
    assert len(items) == len(costs) == (ME == 0)


@pytest.mark.skipif(RANKS == 1, reason="the only rank has no items then")
@pytest.mark.parametrize("made_of", [np.array, list], ids=["array", "list"])
def test_weights_where_there_are_no_items_alone_are_refused_on_all_ranks(made_of):
    text = same_error(equipoise.InputError, lambda: balancer.rebalance(
        WORLD, made_of(np.arange(COUNT)), weights=[] if ME else None, policy="keep-order"))
    assert "expected them on all ranks that have items or on none" in text


@pytest.mark.parametrize("made_of", [np.array, list], ids=["array", "list"])
def test_no_items_anywhere_have_no_weights(made_of):
    for weights in ([], None) if ME == 0 else ([], []):
        found = balancer.rebalance(WORLD, made_of([]), weights=weights, policy="keep-order")
        assert len(found) == (0 if weights is None else 2)


@pytest.mark.parametrize("number", [int, float, np.float32, np.int8, Fraction])
def test_plain_lists_are_weights_too(number):
    numbers = np.arange(COUNT)
    expected = balancer.make_plan(WORLD, COUNT, weights=weights_of(numbers, "f8"))
    for given in ([number(1 + n % 7) for n in range(COUNT)],
                  tuple(number(1 + n % 7) for n in range(COUNT))):
        plan = balancer.make_plan(WORLD, COUNT, weights=given)
        assert np.array_equal(plan.transfers, expected.transfers)
    rows = [[number(1), number(2)] for _ in range(COUNT)] or np.empty((0, 2))
    _, costs = balancer.rebalance(WORLD, numbers, weights=rows)
    assert np.array_equal(costs, [[1, 2]] * len(costs) or np.empty((0, 2)))


@pytest.mark.parametrize("wrong", [
    ["1", "2"], np.array(["1", "2"]), np.array([b"1", b"2"]), np.array(["1", 2.0], object),
    [1j, 2], np.array([1, 2], "m8[s]"), np.array(["2020", "2021"], "M8[s]"),
    np.ma.masked_array([1.0, 2.0], [True, False]), np.array([(1,), (2,)], [("a", "i4")]),
])
def test_what_is_no_real_number_is_refused_on_all_ranks(wrong):
    for call in (lambda given: balancer.make_plan(WORLD, 2, weights=given),
                 lambda given: balancer.rebalance(WORLD, np.arange(2), weights=given),
                 lambda given: balancer.lend(WORLD, np.arange(2), weights=given)):
        text = same_error(equipoise.InputError,
                          lambda: call(wrong if ME == RANKS - 1 else [1.0, 2.0]))
        assert f"rank {RANKS - 1}" in text
        assert "weights: expected real numbers without a mask, found" in text


@pytest.mark.parametrize("number", [2**53 + 1, -(2**53) - 1, 2**63 - 1, 2**64 - 1])
def test_whole_numbers_that_no_double_equals_are_refused(number):
    text = same_error(equipoise.InputError,
                      lambda: balancer.make_plan(WORLD, 2, weights=[number if ME == 0 else 1, 1]))
    assert f"that a double can equal (all whole numbers up to 2^53, ...), found {number}" in text


@pytest.mark.parametrize(("listed", "number"), [
    ([2**63 + 1, -1], 2**63 + 1), ((2**63 + 1, -1), 2**63 + 1), ([2**63 + 1, 0.5], 2**63 + 1),
    ([2**64 + 1, -1], 2**64 + 1), (np.array([1, 2**64 + 1], object), 2**64 + 1),
    ([np.uint64(2**63 + 1), np.int64(-1)], 2**63 + 1), ([np.int64(2**53 + 1), 0.5], 2**53 + 1),
    ([0.5, np.array(2**53 + 1)], 2**53 + 1), ([[2**63 + 1, -1], [1, 2]], 2**63 + 1),
])
def test_whole_numbers_that_numpy_would_round_in_a_list_are_refused(listed, number):
    for call in (lambda given: balancer.make_plan(WORLD, 2, weights=given),
                 lambda given: balancer.rebalance(WORLD, np.arange(2), weights=given),
                 lambda given: balancer.lend(WORLD, np.arange(2), weights=given)):
        text = same_error(equipoise.InputError,
                          lambda: call(listed if ME == RANKS - 1 else [1.0, 2.0]))
        assert f"rank {RANKS - 1}" in text
        assert f"a double can equal (all whole numbers up to 2^53, ...), found {number}" in text


@pytest.mark.parametrize("number", [2**53, 2**62, 2**63, 3 * 2**53])
def test_large_whole_numbers_that_a_double_equals_are_weights(number):
    plan = balancer.make_plan(WORLD, 1, weights=[number])
    assert plan.report.largest == float(number)


class Odd:
    """A number whose code fails."""

    def __float__(self):
        raise OSError("no such\nfile")


@pytest.mark.parametrize("wrong", [[Odd()], [None], [[1], [1, 2]], object(), np.array(1.0)])
def test_weights_that_cannot_be_read_are_the_same_error_on_all_ranks(wrong):
    text = same_error(equipoise.InputError, lambda: balancer.rebalance(
        WORLD, np.arange(1), weights=wrong if ME == 0 else [1.0]))
    assert "weights" in text
