"""Copies of experts are those of the command line, from files, objects and arrays."""

import json

import numpy as np
import pytest

import equipoise

LOADS = [[0, 0, 0, 0], [60, 20, 10, 10], [10, 10, 20, 60]]
PLACEMENT = [[0, 1, 2, 3, 0, 1]] * 3
FORMS = ("sglang", "tensorrt-llm", "vllm", "vllm-map")


@pytest.fixture
def files(tmp_path):
    (tmp_path / "loads.json").write_text(json.dumps({"logical_count": LOADS}))
    (tmp_path / "now.json").write_text(json.dumps({"physical_to_logical_map": PLACEMENT}))
    return tmp_path


def without_names(figures):
    return {key: value for key, value in dict(figures).items()
            if key not in ("loads", "placement", "format")}


def test_a_plan_is_that_of_the_command_line_from_files_objects_and_arrays(program, files):
    printed = json.loads(program("experts", "--loads", "loads.json", "--placement", "now.json",
                                 "--gpus", 2, "--bound", 1.2, "--json").stdout)
    for loads, placement in [
            (files / "loads.json", str(files / "now.json")),
            ({"logical_count": LOADS}, {"physical_to_logical_map": np.array(PLACEMENT)}),
            (np.array(LOADS, dtype=float), np.array(PLACEMENT)),
            (LOADS, PLACEMENT), (np.array(LOADS), PLACEMENT[0])]:
        plan = equipoise.experts(loads, placement, gpus=2, bound=1.2)
        assert without_names(plan) == without_names(printed)
        assert plan.reached == bool(plan) == printed["reached"]
    plan = equipoise.experts(LOADS, "trivial", gpus=2, slots=3, bound=1.2)
    assert without_names(plan) == without_names(printed)


def test_the_placement_is_an_array_and_written_in_each_form(program, files):
    plan = equipoise.experts(LOADS, PLACEMENT, gpus=2, bound=1.2)
    assert plan.placement.shape == (3, 6) and plan.placement.dtype == np.int64
    assert plan.placement[0].tolist() == PLACEMENT[0]
    assert plan.layers.tolist() == [0, 1, 2]
    for form in FORMS:
        plan.write(files / "written", form)
        program("experts", "--loads", "loads.json", "--placement", "now.json", "--gpus", 2,
                "--bound", 1.2, "-o", "printed", "--format", form)
        assert (files / "written").read_text() == (files / "printed").read_text()
        again = equipoise.experts(LOADS, files / "written", gpus=2, bound=1.2)
        assert again["transfers"]["experts"] == 0
        assert (again.placement[1:] == plan.placement[1:]).all()
        again.write(files / "again")  # in the form in which it was read
        assert (files / "again").read_text() == (files / "written").read_text()


def test_transfers_bring_each_gpu_what_it_did_not_have(program, files):
    plan = equipoise.experts(LOADS, PLACEMENT, gpus=2, bound=1.2)
    assert plan.transfers
    for layer, wave, expert, giver, taker in plan.transfers:
        assert wave >= 0 and giver != taker
        assert expert in PLACEMENT[layer][giver * 3:giver * 3 + 3]
        assert expert not in PLACEMENT[layer][taker * 3:taker * 3 + 3]
        assert expert in plan.placement[layer][taker * 3:taker * 3 + 3]
    plan.write_transfers(files / "t.csv")
    lines = (files / "t.csv").read_text().splitlines()
    assert lines[0] == "layer,wave,expert,from,to"
    assert lines[1:] == [",".join(map(str, transfer)) for transfer in plan.transfers]
    plan.write_csv(files / "c.csv")
    assert len((files / "c.csv").read_text().splitlines()) == 3


def test_a_plan_is_planned_from_and_steps_are_added_up():
    first = equipoise.experts(np.array([LOADS, LOADS]), gpus=2, slots=3)
    assert first["largest"]["before"] is None and first.transfers == []
    assert first.notes == ["the 2 steps of loads are added up"]
    again = equipoise.experts(LOADS, first, gpus=2)
    assert again["transfers"]["experts"] == 0
    assert repr(again) == "<Experts: 2 layers, 0 experts copied>"


@pytest.mark.parametrize("form", FORMS)
def test_a_plan_passed_on_is_its_file(files, form):
    equipoise.experts(LOADS, gpus=2, slots=3).write(files / "first", form)
    plan = equipoise.experts(LOADS, files / "first", gpus=2, bound=1.2)
    plan.write(files / "second")
    later = [[0] * 4, LOADS[2], LOADS[1]]
    for again in (equipoise.experts(later, plan, gpus=2, bound=1.1),
                  equipoise.experts_each_step([later], plan, gpus=2, bound=1.1)):
        read = equipoise.experts(later, files / "second", gpus=2, bound=1.1)
        assert plan["format"] == again["format"] == read["format"] == form
        assert again.layers.tolist() == read.layers.tolist()
        assert (again.placement == read.placement).all()
        again.write(files / "again")
        read.write(files / "read")
        assert (files / "again").read_text() == (files / "read").read_text()


def test_a_plan_passed_on_keeps_numbers_of_layers_and_updates(files):
    (files / "loads.csv").write_text("layer,expert,load\n" + "".join(
        f"{3 + layer},{expert},{load}\n"
        for layer, row in enumerate(LOADS) for expert, load in enumerate(row)))
    first = equipoise.experts(files / "loads.csv", "trivial", gpus=2, slots=3)
    again = equipoise.experts(files / "loads.csv", first, gpus=2, slots=3)
    assert again.layers.tolist() == first.layers.tolist() == [3, 4, 5]
    assert again["transfers"]["experts"] == 0
    first.write(files / "balancer.yaml", "tensorrt-llm")
    text = (files / "balancer.yaml").read_text()
    (files / "balancer.yaml").write_text(text.replace("per_iter: 0", "per_iter: 2"))
    plan = equipoise.experts(files / "loads.csv", files / "balancer.yaml", gpus=2)
    equipoise.experts(files / "loads.csv", plan, gpus=2).write(files / "next.yaml")
    assert (files / "next.yaml").read_text() == (files / "balancer.yaml").read_text()


@pytest.mark.parametrize("rows", [PLACEMENT, PLACEMENT[1:], PLACEMENT[0]])
def test_from_an_array_the_form_is_sglang_with_all_layers(files, rows):
    plan = equipoise.experts(LOADS, np.array(rows), gpus=2)
    assert plan["format"] == "sglang"
    plan.write(files / "next.json")
    written = json.loads((files / "next.json").read_text())["physical_to_logical_map"]
    assert written == plan.placement.tolist() and len(written) == 3


def test_limits_are_kept():
    plan = equipoise.experts(LOADS, PLACEMENT, gpus=2, bound=1, at_most={"copies": 0})
    assert not plan and (plan.placement == np.array(PLACEMENT)).all()
    one = equipoise.experts(LOADS, PLACEMENT, gpus=2, bound=1, at_most="copies=1")
    assert all(layer["transfers"]["experts"] <= 1 for layer in one["layers"])
    # The bound stays in force: more copies than it takes are not made.
    free = equipoise.experts(LOADS, PLACEMENT, gpus=2, bound=1.2)
    for limit in (free["transfers"]["experts"], 100):
        many = equipoise.experts(LOADS, PLACEMENT, gpus=2, bound=1.2, at_most={"copies": limit})
        assert many and many["transfers"]["experts"] == free["transfers"]["experts"]


@pytest.mark.parametrize("arguments, words", [
    ({"loads": [1, 2]}, "loads: expected a file or an array of numbers of shape (layers, experts) "
                        "or (steps, layers, experts), found [1, 2]"),
    ({"loads": [[1, "x"]]}, "loads: expected a file or an array of numbers"),
    ({"loads": [[1, 2], [3]]}, "loads: expected a file or an array of numbers"),
    ({"loads": [[1, float("inf")]]}, "loads: expected finite numbers, found others"),
    ({"loads": [[1, -1, 1, 1]]}, "loads: [0][1]: expected a load (a number, 0 or more), found -1"),
    ({"placement": [[0, 1, 2, 4, 0, 1]] * 3},
     "placement: layer 0: expected experts from 0 to 3, as in loads, found 4"),
    ({"placement": [[0.5] * 6] * 3}, "placement: [0][0]: expected a whole number"),
    ({"placement": "nowhere.json"}, "nowhere.json: cannot be read"),
    ({"slots": 1}, "expected a slot for each of 4 experts, found 2"),
    ({"gpus": 0}, "gpus: expected a whole number, 1 or more, found 0"),
    ({"at_most": {"moves": 1}}, "--at-most: expected copies=N"),
    ({"bound": 0.5}, "--bound: expected a number, 1 or more"),
])
def test_wrong_input_is_refused_in_words(arguments, words):
    with pytest.raises(equipoise.InputError) as error:
        equipoise.experts(**{"loads": LOADS, "gpus": 2, "slots": 3, **arguments})
    assert words in str(error.value)


def test_a_form_that_is_not_known_is_refused(tmp_path):
    plan = equipoise.experts(LOADS, gpus=2, slots=3)
    with pytest.raises(equipoise.InputError, match="expected sglang, tensorrt-llm, vllm or"):
        plan.write(tmp_path / "x", "sgl")
    assert not (tmp_path / "x").exists()
