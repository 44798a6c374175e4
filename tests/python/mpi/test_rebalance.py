"""equipoise.mpi on several ranks: every rank runs every test."""

import numpy as np
import pytest
from mpi4py import MPI

import equipoise
import equipoise.mpi as balancer
from same_error import same_error

WORLD = MPI.COMM_WORLD
ME = WORLD.Get_rank()
RANKS = WORLD.Get_size()

DISTRIBUTIONS = [
    [0] * RANKS,
    [1000 if rank == RANKS // 2 else 0 for rank in range(RANKS)],
    [100] * RANKS,
    [rank * rank * 7 for rank in range(RANKS)],
    [int(rank % 2 == 0) for rank in range(RANKS)],
]

PARTICLE = np.dtype([("number", "i8"), ("where", "f4", 3), ("alive", "?")])


def numbers(counts):
    """This rank's numbers of those of all ranks."""
    first = sum(counts[:ME])
    return np.arange(first, first + counts[ME])


def all_of(array):
    """The arrays of all ranks, one after the other."""
    return np.concatenate(WORLD.allgather(array))


def expect_level(count):
    counts = WORLD.allgather(count)
    assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize("counts", DISTRIBUTIONS)
@pytest.mark.parametrize("shape", [(), (3,), (2, 2)])
@pytest.mark.parametrize("dtype", ["i8", "f4", "c16", "?", "S5", PARTICLE])
def test_rows_of_any_type_arrive_undamaged(counts, shape, dtype):
    def made(count):
        raw = np.random.default_rng(7).integers(0, 2, (count, *shape, np.dtype(dtype).itemsize))
        return raw.astype(np.uint8).view(dtype).reshape(count, *shape)

    whole = made(sum(counts))
    rows = whole[numbers(counts)]
    kept = rows.copy()
    after = balancer.rebalance(WORLD, rows, policy="keep-order")
    expect_level(len(after))
    assert after.dtype == rows.dtype and after.shape[1:] == shape
    assert all_of(after).tobytes() == whole.tobytes()
    assert rows.tobytes() == kept.tobytes()


@pytest.mark.parametrize("counts", DISTRIBUTIONS)
def test_no_row_moves_without_need(counts):
    rows = numbers(counts)
    plan = balancer.make_plan(WORLD, len(rows))
    after = plan.move(rows)
    mean, over = divmod(sum(counts), RANKS)
    at_ceiling = sorted(counts, reverse=True)[:over]
    least = sum(max(0, count - mean) for count in counts)
    least -= sum(1 for count in at_ceiling if count > mean)
    assert plan.moved == plan.report.minimum == least == plan.transfers[:, 2].sum()
    assert sorted(all_of(after)) == list(range(sum(counts)))
    assert plan.size_after == len(after)
    assert np.array_equal(after[: min(len(rows), len(after))], rows[: len(after)])


def test_arrays_of_one_length_stay_together():
    counts = DISTRIBUTIONS[3]
    number = numbers(counts)
    where = np.stack([number * 0.5, number * 0.25], axis=1)
    together = balancer.rebalance(WORLD, {"number": number, "where": where[:, ::-1]})
    assert list(together) == ["number", "where"]
    assert np.array_equal(together["where"][:, 1], together["number"] * 0.5)
    pair = balancer.rebalance(WORLD, (number, where))
    assert isinstance(pair, tuple)
    assert np.array_equal(pair[0], together["number"])
    expect_level(len(pair[1]))


class Shard:
    """An object that counts how often it is pickled."""

    pickled = 0

    def __init__(self, number):
        self.number = number
        self.rows = ["row"] * (number % 4)

    def __reduce__(self):
        Shard.pickled += 1
        return Shard, (self.number,)


@pytest.mark.parametrize("counts", DISTRIBUTIONS)
def test_of_a_list_only_what_moves_is_pickled(counts):
    shards = [Shard(int(number)) for number in numbers(counts)]
    given = list(shards)
    Shard.pickled = 0
    plan = balancer.make_plan(WORLD, len(shards))
    after = plan.move(shards)
    assert WORLD.allreduce(Shard.pickled) == plan.moved
    expect_level(len(after))
    found = sorted(sum(WORLD.allgather([shard.number for shard in after]), []))
    assert found == list(range(sum(counts)))
    assert all(len(shard.rows) == shard.number % 4 for shard in after)
    assert shards == given


def test_weights_move_with_their_items():
    number = np.arange(50) + 50 * ME
    weights = 1.0 + (number % 7) * (ME + 1)
    items, costs = balancer.rebalance(WORLD, number, weights=weights)
    assert np.array_equal(costs, 1.0 + (items % 7) * (items // 50 + 1))
    share = sum(WORLD.allgather(weights.sum())) / RANKS
    heaviest = max(WORLD.allgather(weights.max()))
    assert abs(costs.sum() - share) <= heaviest
    names, again = balancer.rebalance(WORLD, [str(n) for n in number], weights=weights)
    assert np.array_equal(again, [1.0 + (int(n) % 7) * (int(n) // 50 + 1) for n in names])


def test_within_the_tolerance_few_items_move_and_bounds_say_how_few_could():
    number = np.arange(40 if ME == 0 else 4) + 100 * ME
    weights = 1.0 + number % 5
    tight = balancer.make_plan(WORLD, len(number), weights=weights)
    loose = balancer.make_plan(WORLD, len(number), weights=weights, tolerance=0.3)
    share = sum(WORLD.allgather(weights.sum())) / RANKS
    for plan, tolerance in ((tight, 0.0), (loose, 0.3)):
        report = plan.report
        assert report.moved_at_least <= plan.moved
        assert share <= report.largest_at_least * (1 + 1e-12) <= report.largest * (1 + 1e-11)
        assert report.largest <= max((1 + tolerance) * share, report.largest_before) + 1e-9
        assert report.bytes_moved is None and report.between_machines is None
    assert loose.moved <= tight.moved
    assert loose.report.largest <= 1.3 * share + 5


def test_few_bytes_move_where_sizes_are_given():
    # Rank 0 has one big and many small items of the same weight: the big one stays.
    count = 10 if ME == 0 else 0
    sizes = np.where(np.arange(count) == 3, 1e6, 10.0)
    plan = balancer.make_plan(WORLD, count, weights=np.ones(count), sizes=sizes,
                              message_bytes_max=16)
    assert plan.report.by_bytes and plan.report.weights_per_item == 1
    assert not plan.report.machines_first
    assert plan.report.bytes_moved == 10.0 * plan.moved
    assert plan.report.bytes_at_least <= plan.report.bytes_moved
    after = plan.move(np.arange(count))
    assert ME != 0 or 3 in after


@pytest.mark.parametrize("policy", ["minimum-moves", "hierarchical", "keep-order", "weighted"])
def test_no_rank_gets_more_items_than_it_has_room_for(policy):
    count = 12 * RANKS if ME == 0 else 0
    room = 3 if ME == 0 and RANKS > 1 else None
    weights = {"weights": np.ones(count)} if policy == "weighted" else {}
    plan = balancer.make_plan(WORLD, count, policy=policy, items_max=room, **weights)
    after = plan.move(np.arange(count))
    assert ME != 0 or len(after) == (room or 12)
    assert sorted(all_of(after)) == list(range(12 * RANKS))


def test_no_rank_gets_more_bytes_than_it_has_room_for():
    count = 12 * RANKS if ME == 0 else 0
    sizes = np.full(count, 4)
    room = 10.5 if ME == 0 and RANKS > 1 else None
    plan = balancer.make_plan(WORLD, count, weights=np.ones(count), sizes=sizes, bytes_max=room)
    after = plan.move(sizes)
    assert ME != 0 or len(after) == (2 if room else 12)
    text = same_error(equipoise.InputError, lambda: balancer.make_plan(
        WORLD, count, weights=np.ones(count), sizes=sizes, bytes_max=47))
    assert f"expected room for {48 * RANKS} bytes on ranks with a speed above 0" in text
    assert f"found room for {47 * RANKS} bytes: {RANKS} byte" in text


def test_every_kind_of_weight_is_levelled():
    number = np.arange(60 if ME == 0 else 0)
    weights = np.stack([number % 2, 1.0 - number % 2], axis=1)
    items, costs = balancer.rebalance(WORLD, number, weights=weights)
    assert costs.shape == (len(items), 2)
    assert np.array_equal(costs[:, 0], items % 2)
    for kind in range(2):
        sums = WORLD.allgather(costs[:, kind].sum())
        assert max(sums) <= -(-30 // RANKS)
    text = same_error(equipoise.InputError, lambda: balancer.make_plan(
        WORLD, 2, weights=np.ones((2, 2, 2))))
    assert "weights: expected one or one row for each item" in text


def test_machines_can_come_first():
    count = 20 if ME == 0 else 4
    for options in ({"policy": "keep-order"}, {"weights": np.ones(count)}):
        plan = balancer.make_plan(WORLD, count, machines_first=True, machine=ME // 2, **options)
        crossing = sum(items for a, b, items in plan.transfers if a // 2 != b // 2)
        assert plan.report.between_machines == crossing and plan.report.machines_first
    same_error(equipoise.InputError, lambda: balancer.make_plan(WORLD, 1, machines_first=True))


def test_speeds_pins_and_policies_are_those_of_the_balancer():
    rows = np.full(60, ME)
    fast = balancer.rebalance(WORLD, rows, speed=2.0 if ME == 0 else 1.0)
    assert len(WORLD.allgather(len(fast))) == RANKS
    assert abs(WORLD.bcast(len(fast)) - 2 * 60 * RANKS / (RANKS + 1)) < 1
    pinned = balancer.make_plan(WORLD, 60 if ME == 0 else 0, pinned=60 if ME == 0 else 0)
    assert pinned.moved == 0
    grouped = balancer.make_plan(WORLD, 60 * ME, policy="hierarchical", machine=ME // 2)
    assert grouped.report.between_machines is not None
    line = WORLD.Create_cart([RANKS])
    near = balancer.make_plan(line, 60 * ME, policy="neighbours-only", algorithm="discrepancy-1")
    assert all(abs(a - b) == 1 for a, b, _ in near.transfers)
    assert sorted(all_of(near.move(np.full(60 * ME, ME)))) == sorted(all_of(np.full(60 * ME, ME)))
    line.Free()


def test_worth_it_weighs_what_is_saved_against_what_is_spent():
    plan = balancer.make_plan(WORLD, 1000 * (ME == 0))
    assert bool(plan.worth_it(seconds_per_item=1e-3, steps=100)) == (RANKS > 1)
    verdict = plan.worth_it(seconds_per_item=1e-9, steps=1, seconds_per_item_moved=1.0)
    assert not verdict and (RANKS == 1 or verdict.seconds_spent > verdict.seconds_saved)
    assert ("nothing moves" in str(plan)) == (RANKS == 1)


def test_worth_it_takes_a_number_for_each_weight_of_an_item():
    weights = np.array([[1.0, 1e9 * (ME == 0)]] * 4)
    plan = balancer.make_plan(WORLD, 4, weights=weights)
    for by_kind in ([1.0, 0.0], (1, 0), np.array([1.0, 0.0])):
        verdict = plan.worth_it(seconds_per_item=by_kind, steps=10)
        assert not verdict and verdict.seconds_saved < 1e-6
    assert bool(plan.worth_it(seconds_per_item=[0, 1], steps=10)) == (RANKS > 1)
    for wrong in (1.0, [], [1.0], [1.0, "no"], np.array(1.0)):
        same_error(equipoise.InputError,
                   lambda: plan.worth_it(seconds_per_item=wrong, steps=10))


LAST = RANKS - 1


@pytest.mark.parametrize("items, text", [
    (3.5, "expected a NumPy array"),
    (np.float64(3), "expected a NumPy array"),
    (np.array(3), "expected arrays with rows"),
    (np.array([None, 1]), "without Python objects"),
    ((np.zeros(2), np.zeros(3)), "of one length"),
    ((), "at least one array"),
    (np.zeros((4, 0)), "rows of 0 bytes"),
])
def test_wrong_items_on_one_rank_are_the_same_error_on_all(items, text):
    mine = items if ME == LAST else np.zeros(4)
    found = same_error(equipoise.InputError, lambda: balancer.rebalance(WORLD, mine))
    assert text in found
    assert f"rank {LAST}" in found


@pytest.mark.parametrize("options, text", [
    ({"policy": "best"}, "minimum-moves, keep-order"),
    ({"speed": -1.0}, "speed"),
    ({"speed": "fast"}, "speed"),
    ({"pinned": 99}, "pinned"),
    ({"message_bytes_max": 0}, "messages of 1 to"),
    ({"message_bytes_max": "8"}, "message_bytes_max"),
    ({"weights": [1.0]}, "one weight for each of"),
    ({"weights": ["heavy"] * 4}, "weights"),
    ({"weights": [-1.0] * 4}, "weights"),
    ({"policy": "neighbours-only", "algorithm": "no-such"}, "no-such"),
    ({"policy": "neighbours-only", "pinned": 1}, "cannot pin"),
    ({"bytes_max": 9}, "bytes_max is for weighted, and with weights"),
    ({"bytes_max": "9"}, "bytes_max"),
])
def test_wrong_options_are_the_same_error_on_all(options, text):
    found = same_error(equipoise.InputError,
                       lambda: balancer.rebalance(WORLD, np.zeros(4 + 9 * ME), **options))
    assert text in found or RANKS == 1 or "rank" in found


@pytest.mark.skipif(RANKS == 1, reason="needs two ranks")
def test_arrays_of_other_types_on_some_rank_are_refused():
    rows = np.zeros(10, "f8" if ME == 0 else "i8")
    assert "float64" in same_error(equipoise.InputError, lambda: balancer.rebalance(
        WORLD, rows[: 10 * (ME == 0)]))
    mixed = [1, 2] if ME == 0 else np.zeros(10)
    same_error(equipoise.InputError, lambda: balancer.rebalance(WORLD, mixed))


@pytest.mark.skipif(RANKS == 1, reason="needs two ranks")
def test_arrays_go_by_the_same_names_in_the_same_order_on_all_ranks():
    rows = np.zeros(10 * (ME == 0))
    for mine in ({"x": rows, "y": rows}, {"y": rows, "x": rows}), ({"x": rows}, {"y": rows}), (
            {"x": rows}, (rows,)), ((rows,), rows):
        text = same_error(equipoise.InputError,
                          lambda: balancer.rebalance(WORLD, mine[int(ME == LAST)]))
        assert "different calls" in text


@pytest.mark.parametrize("options, text", [
    ({"policy": np.zeros(2)}, "policy"),
    ({"policy": 0}, "policy"),
    ({"weights": np.full(4, 1j)}, "real numbers"),
    ({"weights": np.ma.ones(4)}, "without a mask"),
])
def test_options_that_are_no_options_on_one_rank_are_the_same_error_on_all(options, text):
    mine = options if ME == LAST else {}
    assert text in same_error(equipoise.InputError,
                              lambda: balancer.rebalance(WORLD, np.zeros(4), **mine))


def test_masks_are_not_forgotten():
    items = np.ma.array(np.arange(4), mask=[0, 1, 0, 0]) if ME == LAST else np.arange(4)
    assert "mask" in same_error(equipoise.InputError, lambda: balancer.rebalance(WORLD, items))


@pytest.mark.parametrize("count", [2**70, -2**70, "4", None, 4.0])
def test_a_count_that_is_none_on_one_rank_is_the_same_error_on_all(count):
    mine = count if ME == LAST else 4
    assert "count" in same_error(equipoise.InputError, lambda: balancer.make_plan(WORLD, mine))


@pytest.mark.parametrize("figure", ["x", None, 1j])
def test_figures_that_are_no_numbers_on_one_rank_are_the_same_error_on_all(figure):
    plan = balancer.make_plan(WORLD, 4 * ME)
    assert repr(plan).startswith("<Plan: ")
    mine = figure if ME == LAST else 1.0
    assert "finite" in same_error(equipoise.InputError, lambda: plan.worth_it(
        seconds_per_item=mine, steps=3))


class Unpicklable:
    def __reduce__(self):
        raise ZeroDivisionError("it cannot be pickled")


@pytest.mark.skipif(RANKS == 1, reason="nothing moves")
def test_what_pickle_raises_is_told_to_all():
    items = [Unpicklable() for _ in range(10)] if ME == 0 else []
    text = same_error(RuntimeError, lambda: balancer.rebalance(WORLD, items))
    assert "cannot be pickled" in text
    assert len(items) == 10 * (ME == 0)


@pytest.mark.parametrize("failing", [0, RANKS - 1])
def test_an_array_that_cannot_be_copied_is_the_same_error_on_all_ranks(failing):
    plan = balancer.make_plan(WORLD, 1)
    row = np.zeros((1, 1), np.int8)
    given = np.broadcast_to(row, (1, 2**48)) if ME == failing else row
    for act in (lambda: plan.move(given), lambda: plan.begin(given),
                lambda: balancer.rebalance(WORLD, given), lambda: balancer.lend(WORLD, given)):
        assert "256. TiB" in same_error(MemoryError, act)


class Odd(np.ndarray):
    """An array whose code fails."""

    def __len__(self):
        raise OSError("no such\nfile")


def test_an_array_whose_code_fails_is_the_same_error_on_all_ranks():
    given = np.zeros(1).view(Odd) if ME == RANKS - 1 else np.zeros(1)
    for act in (lambda: balancer.rebalance(WORLD, given), lambda: balancer.lend(WORLD, given)):
        assert f"rank {RANKS - 1}: bad input: items: no such file" in same_error(
            equipoise.InputError, act)
