"""What equipoise.mpi returns, on several ranks: the same whether or not anything moved."""

import numpy as np
import pytest
from mpi4py import MPI

import equipoise
import equipoise.mpi as balancer
from same_error import same_error

WORLD = MPI.COMM_WORLD
ME = WORLD.Get_rank()
RANKS = WORLD.Get_size()

# Level; level except for one item; all on one rank; ranks that neither give nor take.
COUNTS = [
    [6] * RANKS,
    [7] + [6] * (RANKS - 1),
    [6 * RANKS] + [0] * (RANKS - 1),
    [12, 0] + [6] * (RANKS - 2) if RANKS > 1 else [6],
]


def records(count):
    return np.zeros(count, dtype=[("number", "i4"), ("where", "f8")]).view(np.recarray)


def read_only(count):
    array = np.arange(count * 1.0)
    array.setflags(write=False)
    return array


MADE = {
    "contiguous": lambda count: np.arange(count * 1.0),
    "big-endian": lambda count: np.arange(count).astype(">i4"),
    "strided": lambda count: np.arange(count * 6.0).reshape(count, 6)[:, ::2],
    "reversed": lambda count: np.arange(count * 1.0)[::-1],
    "Fortran order": lambda count: np.asfortranarray(np.arange(count * 3.0).reshape(count, 3)),
    "read only": read_only,
    "records": records,
    "matrix": lambda count: np.matrix(np.arange(count * 3.0).reshape(count, 3)),
    "aligned": lambda count: np.zeros(count, np.dtype([("a", "i1"), ("b", "f8")], align=True)),
    "some fields": lambda count: np.zeros(count, "i1, f8, i4")[["f0", "f2"]],
    "dates": lambda count: np.arange(count).astype("M8[s]"),
    "longlong": lambda count: np.arange(count, dtype=np.longlong),
    "metadata": lambda count: np.zeros(count, np.dtype("f8", metadata={"unit": "m"})),
    "extended": lambda count: np.zeros(count, np.longdouble),
}


def expect_new(result, given):
    """A plain, writable array in C order of the given type that shares no memory."""
    assert type(result) is np.ndarray
    assert result.dtype == given.dtype and result.dtype.type is given.dtype.type
    assert result.dtype.metadata == given.dtype.metadata
    assert result.shape[1:] == np.asarray(given).shape[1:]
    assert result.flags.c_contiguous and result.flags.writeable and result.base is not given
    assert not np.shares_memory(result, given)


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("kind", MADE)
def test_arrays_that_are_returned_are_new_and_plain_on_all_ranks(counts, kind):
    given = MADE[kind](counts[ME])
    kept = given.tobytes()
    for policy in ("minimum-moves", "keep-order"):
        expect_new(balancer.rebalance(WORLD, given, policy=policy), given)
    plan = balancer.make_plan(WORLD, len(given))
    moved = plan.move(given)
    expect_new(moved, given)
    home = plan.inverse().move(moved)
    expect_new(home, given)
    assert home.tobytes() == kept
    pair = balancer.rebalance(WORLD, (given, np.arange(len(given))))
    assert type(pair) is tuple
    expect_new(pair[0], given)
    named = balancer.rebalance(WORLD, {"x": given})
    assert type(named) is dict
    expect_new(named["x"], given)
    if moved.nbytes:
        moved[...] = np.zeros((), given.dtype)
    assert given.tobytes() == kept


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", list])
def test_weights_that_are_returned_are_new_arrays_of_the_given_dtype(counts, dtype):
    count = counts[ME]
    weights = [1] * count if dtype is list else np.ones(count, dtype)
    for items in (np.arange(count), list(range(count)), {"x": np.arange(count)}):
        _, costs = balancer.rebalance(WORLD, items, weights=weights)
        expect_new(costs, np.ones(0, "f8" if dtype is list else dtype))
        assert not np.shares_memory(costs, np.asarray(weights))
        costs[:] = 7
        assert list(weights) == [1] * count


@pytest.mark.parametrize("counts", COUNTS)
def test_what_is_lent_is_a_copy(counts):
    given = np.arange(counts[ME] * 1.0)
    loan = balancer.lend(WORLD, given)
    expect_new(loan.items, given)
    loan.items[:] = -1
    home = loan.give_back()
    expect_new(home, loan.items)
    assert (home == -1).all() and (given == np.arange(counts[ME] * 1.0)).all()
    objects = [[1] for _ in range(counts[ME])]
    assert balancer.rebalance(WORLD, objects) is not objects


@pytest.mark.parametrize("counts", COUNTS)
def test_lists_that_are_returned_are_new_and_hold_the_very_objects_that_stay(counts):
    given = [[ME, i] for i in range(counts[ME])]
    kept = list(given)
    plan = balancer.make_plan(WORLD, len(given))
    staying = plan.destinations() == ME

    def expect(result, report=None):
        assert type(result) is list and result is not given
        mine = [item for item in result if item[0] == ME]
        stayed = [item for item, stays in zip(given, staying) if stays]
        assert len(mine) == len(stayed) and all(a is b for a, b in zip(mine, stayed))
        assert len(result) == plan.size_after and len(given) == len(kept)
        assert all(a is b for a, b in zip(given, kept))
        assert report is None or type(report) is balancer.Report

    expect(balancer.rebalance(WORLD, given))
    expect(*balancer.rebalance(WORLD, given, report=True))
    expect(plan.move(given))
    moving = plan.begin(given)
    expect(moving.wait(), moving.report)
    loan = balancer.lend(WORLD, given)
    expect(loan.items)
    expect(loan.lend_again(given))
    home = loan.give_back()
    assert type(home) is list and home is not given and home is not loan.items and home == given
    assert type(loan.give_back((np.arange(len(loan.items)),))) is tuple


@pytest.mark.parametrize("counts", COUNTS)
def test_wrong_use_is_refused_also_where_loads_are_level(counts):
    rows = np.zeros(counts[ME])
    assert "a topology" in same_error(equipoise.InputError, lambda: balancer.rebalance(
        WORLD, rows, policy="neighbours-only"))
    line = WORLD.Create_cart([RANKS])
    text = same_error(equipoise.InputError, lambda: balancer.make_plan(
        line, len(rows), policy="neighbours-only", algorithm="deal-agrement-2"))
    assert 'did you mean "deal-agreement-2"' in text
    if RANKS > 2:
        text = same_error(equipoise.InputError, lambda: balancer.make_plan(
            line, len(rows), policy="neighbours-only", algorithm="async-ring-distribution"))
        assert text == ("rank 0: bad input: neighbours-only: the topology is not a ring: expected "
                        "one cycle of three ranks or more")
    line.Free()
    if RANKS == 1:
        return
    last = ME == RANKS - 1
    for mine, others in ((rows.astype("f4"), rows), (rows.reshape(-1, 1).repeat(2, 1), rows),
                         ({"x": rows}, {"y": rows}), ([0] * len(rows), rows)):
        text = same_error(equipoise.InputError,
                          lambda: balancer.rebalance(WORLD, mine if last else others))
        assert "different calls" in text


class Talkative:
    def __reduce__(self):
        raise ValueError("first line\nsecond line \u00e4" + 4000 * "\u00e4")


@pytest.mark.skipif(RANKS == 1, reason="nothing moves")
def test_errors_of_the_callers_code_are_one_line():
    items = [Talkative() for _ in range(10)] if ME == 0 else []
    text = same_error(RuntimeError, lambda: balancer.rebalance(WORLD, items))
    assert text.startswith("rank 0: the caller's code threw: ValueError: first line second line")
