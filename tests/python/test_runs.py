"""Runs from Python are those of the command line."""

import pytest

import equipoise


def test_a_run_ends_level():
    run = equipoise.run("threshold-2", network="torus:8x8", loads="spike:tokens=1000")
    assert run.final_loads.sum() == 1000
    assert run.final_loads.max() - run.final_loads.min() == run.discrepancy


def test_an_unknown_algorithm_is_refused_in_one_line():
    with pytest.raises(equipoise.InputError, match="did you mean") as caught:
        equipoise.run("treshold-2", network="torus:8x8", loads="spike:tokens=10")
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)
