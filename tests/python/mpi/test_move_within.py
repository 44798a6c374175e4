"""Rows that move within the memory of their arrays, on several ranks."""

import numpy as np
import pytest
from mpi4py import MPI

import equipoise
import equipoise.mpi as balancer
from fake_device import FakeArray, FakeDevice, faults
from same_error import same_error

WORLD = MPI.COMM_WORLD
ME = WORLD.Get_rank()
RANKS = WORLD.Get_size()
ROOM = 1200

COUNTS = [
    [0] * RANKS,
    [1000 if rank == RANKS // 2 else 0 for rank in range(RANKS)],
    [100] * RANKS,
    [rank * rank * 7 for rank in range(RANKS)],
]
OPTIONS = [{"policy": "minimum-moves"}, {"policy": "keep-order"}, {"policy": "random-pairs"},
           {"policy": "minimum-moves", "message_bytes_max": 100}]


def plans():
    """Plans of one round and of several, of consecutive and of scattered rows, and back again; with
    this rank's numbers before."""
    for counts in COUNTS:
        first = sum(counts[:ME])
        numbers = np.arange(first, first + counts[ME])
        made = [balancer.make_plan(WORLD, len(numbers), **options) for options in OPTIONS]
        made.append(balancer.make_plan(WORLD, len(numbers), weights=1.0 + numbers % 7))
        made.append(balancer.plan_to(WORLD, numbers * 5 % RANKS))
        for plan in made:
            yield plan, numbers
            yield plan.inverse(), plan.move(numbers)


def rows_for(numbers, dtype, shape):
    """Rows that belong to numbers, with room for more, which hold other values."""
    rows = np.full((ROOM, *shape), 7, dtype)
    rows[: len(numbers)] = numbers.reshape(-1, *[1] * len(shape)) % 120
    return rows


def around():
    """A plan by which rows of all ranks go to all ranks, and this rank's numbers."""
    numbers = np.arange(50) + 50 * ME
    return balancer.plan_to(WORLD, numbers % RANKS), numbers


def test_rows_end_where_new_arrays_have_them():
    for plan, numbers in plans():
        after = plan.move(numbers)
        for dtype, shape in [("i8", ()), ("f4", (3,)), ("i1", (2, 2)), ("c16", (1, 2))]:
            rows = rows_for(numbers, dtype, shape)
            report = plan.move_within(rows)
            assert report.moved == plan.moved and report.seconds_moving > 0
            expected = rows_for(after, dtype, shape)[: len(after)]
            assert np.array_equal(rows[: plan.size_after], expected)
            behind = max(plan.size_before, plan.size_after)
            assert np.all(rows[behind:] == np.array(7, dtype))


def test_gaps_between_rows_are_left_alone():
    particle = np.dtype([("number", "i8"), ("where", "f4", 3), ("alive", "i1")])
    for plan, numbers in plans():
        after = plan.move(numbers)
        particles = np.zeros(ROOM, particle)
        particles["where"] = 0.25
        particles["number"][: len(numbers)] = numbers
        columns = np.full((ROOM, 5), -1.0)
        columns[: len(numbers), 1:3] = numbers[:, np.newaxis]
        plan.move_within({"number": particles["number"], "columns": columns[:, 1:3]})
        assert np.array_equal(particles["number"][: len(after)], after)
        assert np.all(particles["where"] == 0.25) and not particles["alive"].any()
        assert np.array_equal(columns[: len(after), 1], after)
        assert np.array_equal(columns[: len(after), 2], after)
        assert np.all(columns[:, [0, 3, 4]] == -1)


def test_room_is_kept_to_as_the_page_says():
    held = 40 * RANKS if ME == 0 else 0
    cells = np.zeros(100 if ME else 50 * RANKS, [("position", "f8"), ("kind", "i4")])
    charges = np.zeros(len(cells), "f4")
    cells["position"][:held] = charges[:held] = np.arange(held)
    plan = balancer.make_plan(WORLD, held, items_max=len(cells))
    plan.move_within((cells["position"], charges))
    held = plan.size_after
    assert held == 40
    assert np.array_equal(np.sort(all_of(charges[:held])), np.arange(40 * RANKS))
    assert np.array_equal(cells["position"][:held], charges[:held])


def all_of(array):
    """The arrays of all ranks, one after the other."""
    return np.concatenate(WORLD.allgather(array))


def test_an_array_needs_no_more_room_than_its_rows():
    plan, numbers = around()
    size = max(len(numbers), plan.size_after)
    rows = np.empty(size, numbers.dtype)
    rows[: len(numbers)] = numbers
    plan.move_within(rows)
    assert np.array_equal(rows[: plan.size_after], plan.move(numbers))


@pytest.mark.skipif(RANKS == 1, reason="one rank gets no items")
@pytest.mark.parametrize("full", [0, RANKS - 1])
def test_too_little_room_is_an_error_on_all_ranks(full):
    pile = (full + 1) % RANKS
    held = 2000 * RANKS if ME == pile else 0
    room = held or (1203 if ME == full else 2000)
    first, second = np.arange(held + 2000), np.arange(room)
    plan = balancer.make_plan(WORLD, held)
    text = same_error(equipoise.InputError, lambda: plan.move_within((first, second)))
    assert text == f"rank {full}: bad input: expected room for 2,000 items, found room for 1,203"
    assert np.array_equal(first, np.arange(len(first)))
    assert np.array_equal(second, np.arange(len(second)))


def read_only():
    array = np.zeros(100)
    array.flags.writeable = False
    return array


def strided(stride):
    """Rows that lie upon one another, and can be written to."""
    return np.lib.stride_tricks.as_strided(np.zeros(100), (100,), (stride,))


@pytest.mark.parametrize("failing", [0, RANKS - 1])
@pytest.mark.parametrize("wrong, expected", [
    (lambda: [1.0] * 100, "without a mask, or arrays of a device, found list"),
    (lambda: np.ma.zeros(100), "found MaskedArray"),
    (lambda: np.array(1.0), "expected arrays with rows, found a single number"),
    (lambda: np.full(100, None), "expected arrays without Python objects, found object"),
    (read_only, "expected arrays that can be written to"),
    (lambda: np.zeros((100, 4))[:, ::2], "expected arrays whose rows are contiguous"),
    (lambda: np.zeros((3, 100)).T, "expected arrays whose rows are contiguous"),
    (lambda: np.zeros(100)[::-1], "expected rows one after the other, found a stride of -8"),
    (lambda: strided(0), "found a stride of 0"),
    (lambda: strided(4), "found a stride of 4"),
    (lambda: np.broadcast_to(np.zeros(1), 100), "read-only"),
    (lambda: np.zeros((100, 0)), "expected rows of at least 1 byte"),
    (lambda: np.zeros(49), "expected room for the 50 rows of an array, found room for 49"),
    (lambda: (), "expected at least one array"),
    (lambda: FakeArray(np.zeros(100)), "expected a device for memory that is not the host's"),
])
def test_a_wrong_array_on_one_rank_is_an_error_on_all(failing, wrong, expected):
    plan, numbers = around()
    rows = rows_for(numbers, "f8", ())
    before = rows.copy()
    text = same_error(equipoise.InputError,
                      lambda: plan.move_within(wrong() if ME == failing else rows))
    assert f"rank {failing}: " in text and expected in text
    assert np.array_equal(rows, before)


@pytest.mark.skipif(RANKS == 1, reason="one rank agrees with itself")
def test_ranks_that_pass_different_arrays_are_told():
    plan, numbers = around()
    assert "(float64)" in same_error(equipoise.InputError, lambda: plan.move_within(
        rows_for(numbers, "f8" if ME == 0 else "i8", ())))


def test_the_fake_device_notices_that_the_host_touches_its_rows():
    array = FakeArray(np.arange(100))
    assert faults(array.device) and faults(array.device + 799)
    assert not faults(array.alias)


FORMS = [{}, {"lazy": True}, {"buffers": True}, {"lazy": True, "buffers": True, "places_max": 7}]


@pytest.mark.parametrize("form", FORMS)
def test_rows_on_a_device_move_without_being_touched(form):
    for plan, numbers in plans():
        dense = FakeArray(rows_for(numbers, "i8", ()))
        wide = FakeArray(rows_for(numbers, "f4", (4,)), strides=(16, 4))
        wide.__cuda_array_interface__ |= {"shape": (ROOM, 3)}
        host = rows_for(numbers, "i4", ())
        device = FakeDevice(dense, wide, **form)
        plan.move_within({"dense": dense, "wide": wide, "host": host}, device=device.functions)
        after = plan.move(numbers) % 120
        size = plan.size_after
        assert np.array_equal(dense.values()[:size], after)
        assert np.array_equal(host[:size], after)
        assert all(np.array_equal(wide.values()[:size, i], after) for i in range(3))
        gap = rows_for(numbers, "f4", (4,))[:, 3]
        assert np.array_equal(wide.values()[:, 3], gap)
        assert not device.buffers and not device.work
        assert device.most <= device.functions.places_max


@pytest.mark.skipif(RANKS == 1, reason="nothing leaves")
@pytest.mark.parametrize("failing", range(RANKS))
@pytest.mark.parametrize("function", ["pack", "allocate", "synchronise"])
def test_a_device_that_fails_before_rows_leave_keeps_them(failing, function):
    plan, numbers = around()
    rows = FakeArray(rows_for(numbers, "i8", ()))
    device = FakeDevice(rows, lazy=True, buffers=True)
    if ME == failing:
        device.fails_in = function
    text = same_error(RuntimeError, lambda: plan.move_within(rows, device=device.functions))
    assert f"rank {failing}: " in text and "RuntimeError: the device has failed" in text
    assert np.array_equal(rows.values(), rows_for(numbers, "i8", ()))
    assert not device.buffers


@pytest.mark.skipif(RANKS == 1, reason="nothing leaves")
def test_a_device_without_memory_is_a_memory_error_on_all_ranks():
    plan, numbers = around()
    rows = FakeArray(rows_for(numbers, "i8", ()))
    device = FakeDevice(rows, buffers=True)
    if ME == 0:
        device.fails_in, device.error = "allocate", MemoryError("of the device")
    same_error(MemoryError, lambda: plan.move_within(rows, device=device.functions))
    assert np.array_equal(rows.values(), rows_for(numbers, "i8", ()))
    device.fails_in = ""
    plan.move_within(rows, device=device.functions)
    assert np.array_equal(rows.values()[: plan.size_after], plan.move(numbers) % 120)


@pytest.mark.skipif(RANKS == 1, reason="nothing leaves")
@pytest.mark.parametrize("failing", [0, RANKS - 1])
def test_a_device_that_fails_when_rows_have_left_is_an_error_on_all_ranks(failing):
    plan, numbers = around()
    rows = FakeArray(rows_for(numbers, "i8", ()))
    device = FakeDevice(rows, buffers=True)
    if ME == failing:
        device.fails_in = "unpack"
    text = same_error(RuntimeError, lambda: plan.move_within(rows, device=device.functions))
    assert f"rank {failing}: " in text and "the device has failed" in text
    assert not device.buffers


def test_what_is_no_device_is_refused():
    plan, _ = around()
    assert "expected an equipoise.mpi.Device, found str" in same_error(
        equipoise.InputError, lambda: plan.move_within(np.zeros(100), device="a GPU"))
