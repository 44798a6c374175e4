"""Items that are lent and new partitions, on several ranks: every rank runs every test."""

import numpy as np
import pytest
from mpi4py import MPI

import equipoise
import equipoise.mpi as balancer
from same_error import same_error

WORLD = MPI.COMM_WORLD
ME = WORLD.Get_rank()
RANKS = WORLD.Get_size()


def own_numbers(rank=ME):
    return np.arange(rank * rank * 5) + 1000 * rank


def worked(numbers):
    return np.sin(numbers * 1.7) * 3


@pytest.mark.parametrize("policy", ["minimum-moves", "keep-order", "hierarchical", "random-pairs"])
def test_results_of_lent_arrays_come_home_in_order(policy):
    numbers = own_numbers()
    loan = balancer.lend(WORLD, {"number": numbers, "pair": np.stack([numbers, -numbers], 1)},
                         policy=policy)
    counts = WORLD.allgather(len(loan.items["number"]))
    assert max(counts) - min(counts) <= 1
    for _ in range(3):
        assert (loan.items["pair"][:, 1] == -loan.items["number"]).all()
        results = loan.give_back(worked(loan.items["number"]))
        assert (results == worked(numbers)).all()
        assert (loan.give_back()["number"] == numbers).all()
        loan.lend_again({"number": numbers, "pair": np.stack([numbers, -numbers], 1)})
    assert (numbers == own_numbers()).all()


def test_lent_objects_come_home_changed():
    objects = [{"number": int(number)} for number in own_numbers()]
    weights = [5.0 if number % 3 == 0 else 1.0 for number in own_numbers()]
    loan = balancer.lend(WORLD, objects, weights=weights)
    for item in loan.items:
        item["square"] = item["number"]**2
    home = loan.give_back()
    assert home == [{"number": int(number), "square": int(number)**2} for number in own_numbers()]


def test_a_plan_and_its_inverse_restore_every_row():
    rng = np.random.default_rng(ME)
    ranks = rng.integers(0, RANKS, len(own_numbers()))
    plan = balancer.plan_to(WORLD, ranks)
    moved = plan.move(own_numbers())
    origin = {(int(number), int(to)) for rank in range(RANKS)
              for number, to in zip(own_numbers(rank), np.random.default_rng(rank).integers(
                  0, RANKS, len(own_numbers(rank))))}
    assert {(int(number), ME) for number in moved} == {pair for pair in origin if pair[1] == ME}
    assert (plan.inverse().move(moved) == own_numbers()).all()
    assert "given" in str(plan)


def test_a_way_home_that_cannot_be_made_is_the_same_error_on_all_ranks(monkeypatch):
    made = balancer._plan

    class Plan:
        """A plan whose inverse fails on the last rank."""

        def __init__(self, plan):
            self.plan = plan

        def inverse(self):
            raise MemoryError("no room\nfor a plan")

    if ME == RANKS - 1:
        monkeypatch.setattr(balancer, "_plan", lambda *given: Plan(made(*given)))
        under_way = balancer.rank_items.UnderWay
        monkeypatch.setattr(balancer.rank_items, "UnderWay",
                            lambda plan, *rest: under_way(plan.plan, *rest))
    text = same_error(MemoryError, lambda: balancer.lend(WORLD, own_numbers()))
    assert "no room for a plan" in text


def test_bad_loans_are_refused_on_all_ranks():
    last = ME == RANKS - 1
    weights = np.ones(len(own_numbers()) + (1 if last else 0))
    assert "expected one weight for each" in same_error(
        equipoise.InputError, lambda: balancer.lend(WORLD, own_numbers(), weights=weights))
    loan = balancer.lend(WORLD, own_numbers())
    results = np.zeros(len(loan.items) + (1 if last else 0))
    assert "planned size" in same_error(equipoise.InputError, lambda: loan.give_back(results))
    assert "ranks: expected whole numbers, found float64" in same_error(
        equipoise.InputError, lambda: balancer.plan_to(WORLD, [0.5] if last else [0]))
    assert f"found one for rank {RANKS}" in same_error(
        equipoise.InputError, lambda: balancer.plan_to(WORLD, [RANKS] if last else [0]))


@pytest.mark.parametrize("machines_first", [False, True])
def test_relabelling_moves_no_more_than_its_prices_allow(machines_first):
    rng = np.random.default_rng(5)
    held = rng.integers(0, 50, (RANKS, RANKS))
    machine = np.arange(RANKS) // 2
    part = np.arange(RANKS)
    found = balancer.relabel(WORLD, part, held[ME], machines_first=machines_first,
                             machine=int(machine[ME]) if machines_first else None)
    assert sorted(found.rank_of_part) == list(range(RANKS))
    kept = sum(int(held[found.rank_of_part[p], p]) for p in range(RANKS))
    assert found.moved == found.bytes - kept == int(held.sum()) - kept
    gains = held.astype(object)
    if machines_first:
        there = np.stack([held[machine == machine[rank]].sum(0) for rank in range(RANKS)])
        gains = gains + (found.bytes + 1) * there.astype(object)
        assert found.between_machines == found.bytes - sum(
            int(there[found.rank_of_part[p], p]) for p in range(RANKS))
        assert found.between_machines <= found.between_machines_by_identity
    else:
        assert found.moved <= found.moved_by_identity == int(held.sum() - np.trace(held))
    for p in range(RANKS):
        for rank in range(RANKS):
            assert found.part_prices[p] + found.rank_prices[rank] >= gains[rank, p]
    gained = sum(gains[found.rank_of_part[p], p] for p in range(RANKS))
    assert gained == sum(found.part_prices) + sum(found.rank_prices)


@pytest.mark.parametrize("machines_first", [False, True])
def test_a_relabelling_is_printed_in_words(machines_first):
    # Every rank has what the next one is to have; each is a machine.
    found = balancer.relabel(WORLD, [(ME + 1) % RANKS], [1000], machines_first=machines_first,
                             machine=ME if machines_first else None)
    elsewhere = f"{1000 * RANKS if RANKS > 1 else 0:,}"
    fewest = ("the fewest that keep those between machines fewest" if machines_first
              else "the fewest possible")
    lines = [f"moves 0 bytes of {1000 * RANKS:,}, {fewest}; leaving part p on rank p would move "
             + elsewhere]
    if machines_first:
        lines.append("between machines: 0 bytes, the fewest possible; with part p on rank p: "
                     + elsewhere)
    assert str(found) == "\n".join(lines)
    assert found.describe() == str(found) + "\n"


def test_items_go_to_the_rank_of_their_part():
    part = np.full(20, (ME + 1) % RANKS)
    found = balancer.relabel(WORLD, part)
    assert found.moved == 0
    plan = balancer.plan_to(WORLD, found.rank_of_part[part])
    assert plan.moved == 0


def test_bad_partitions_are_refused_on_all_ranks():
    last = ME == RANKS - 1
    for part, text in [([0.5], "new_part: expected whole numbers"), ([-1], "at least 0"),
                       ([RANKS], "expected at most 1 part"), ([2**40], "of 32 bits"),
                       ([[0]], "expected one for each item")]:
        assert text in same_error(equipoise.InputError,
                                  lambda part=part: balancer.relabel(WORLD, part if last else [0]))
    assert "parts_a_rank: 'two' has the wrong type" in same_error(
        equipoise.InputError,
        lambda: balancer.relabel(WORLD, [0], parts_a_rank="two" if last else 1))
