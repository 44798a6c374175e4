"""Plans of copies of experts at each step of a recording."""

import numpy as np
import pytest

import equipoise

DAY = [[[60, 20, 10, 10], [0, 0, 0, 0]], [[10, 10, 20, 60], [5, 5, 5, 45]],
       [[10, 10, 20, 62], [5, 5, 5, 45]]]


def planned(**options):
    return equipoise.experts_each_step(DAY, "trivial", gpus=2, slots=3, bound=1.2, **options)


def test_each_step_begins_where_the_step_before_ended():
    plan = planned()
    present = "trivial"
    for number, loads in enumerate(DAY):
        alone = equipoise.experts(loads, present, gpus=2, slots=3, bound=1.2)
        step = plan["steps"][number]
        assert step["transfers"] == alone["transfers"]
        assert step["largest"]["after"] == alone["largest"]["after"]
        assert [row[1:] for row in plan.transfers if row[0] == number] == alone.transfers
        present = alone
    assert np.array_equal(plan.placement, present.placement)
    assert plan.layers.tolist() == [0, 1]
    assert len(plan.transfers) == plan["transfers"]["experts"]


def test_it_is_true_if_all_steps_are_within_the_bound():
    assert planned()
    assert planned().reached
    assert not planned(at_most={"copies": 0})


def test_arrays_and_plans_are_taken():
    first = planned()
    again = equipoise.experts_each_step(np.array(DAY), first, gpus=2, slots=3, bound=1.2)
    assert again["steps"][0]["largest"]["before"] > 0
    assert repr(again).startswith("<ExpertsSteps: 3 steps, ")
    assert "had all" in str(again)
    with pytest.raises(equipoise.InputError, match="bound"):
        equipoise.experts_each_step(DAY, gpus=2, slots=3, bound=0.5)


def test_layers_that_never_have_loads_get_slots_in_the_order_of_experts(tmp_path):
    day = [[[0, 0, 0, 0], step[0]] for step in DAY]
    plan = equipoise.experts_each_step(day, gpus=2, slots=3)
    assert plan.placement.shape == (2, 6)
    assert plan.placement[0].tolist() == [0, 1, 2, 3, 0, 1]
    plan.write(tmp_path / "last.json")
    again = equipoise.experts(day[-1], tmp_path / "last.json", gpus=2)
    assert (again.placement == plan.placement).all()


def test_files_are_written(tmp_path):
    plan = planned()
    plan.write(tmp_path / "last.json")
    plan.write_csv(tmp_path / "steps.csv")
    plan.write_transfers(tmp_path / "copies.csv")
    plan.save_html(tmp_path / "page.html")
    assert (tmp_path / "last.json").read_text().startswith('{"physical_to_logical_map": [')
    assert len((tmp_path / "steps.csv").read_text().splitlines()) == 4
    lines = (tmp_path / "copies.csv").read_text().splitlines()
    assert lines[0] == "step,layer,wave,expert,from,to"
    assert [tuple(map(int, line.split(","))) for line in lines[1:]] == plan.transfers
    assert "3 steps of 2 layers" in (tmp_path / "page.html").read_text()
    one = equipoise.experts(DAY[0], "trivial", gpus=2, slots=3)
    one.save_html(tmp_path / "one.html")
    assert "Layer by layer" in (tmp_path / "one.html").read_text()
