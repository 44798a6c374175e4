"""Mappings are the objects that schemas/ describes, and hold nothing else."""

import functools
import json
import pathlib
import sys

import numpy as np
import pytest

import equipoise

jsonschema = pytest.importorskip("jsonschema")

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import json_schemas  # noqa: E402

INSTANCE = {"network": "hypercube:d=3", "loads": "spike:tokens=80"}


@functools.cache
def described(name):
    schema = json_schemas.load()[name]
    return jsonschema.Draft202012Validator(json_schemas.closed(schema))


@equipoise.edge_rule
def halves(tail, head, link, now):
    return np.fix((tail.load - head.load) / 2).astype(np.int64)


def test_runs_and_records_of_the_catalogue_and_of_own_rules():
    for algorithm in ("threshold-2", "deal-agreement-1", "async-deal-agreement", halves):
        run = equipoise.run(algorithm, **INSTANCE, record_level="full")
        described("equipoise-run").validate(run.figures)
        described("equipoise-record").validate(run.record)
        assert run.record.get("given_rule", False) == (algorithm is halves)


def test_comparisons_with_the_optimum_in_their_records():
    found = equipoise.compare(["discrepancy-1", "diffusion"], **INSTANCE, optimum=True)
    described("equipoise-compare").validate(found.figures)
    for run in found:
        described("equipoise-record").validate(run.record)
    assert any(run.record["optimum"] for run in found)


def test_plans_analyses_and_the_conjecture():
    described("equipoise-plan").validate(equipoise.plan(**INSTANCE).figures)
    described("equipoise-analyze").validate(dict(equipoise.analyze(network="torus:4x4")))
    conjecture = equipoise.conjecture(k=2, h="1..3")
    for row in json.loads(conjecture.to_json()):
        described("equipoise-conjecture").validate(row)
    assert equipoise.verify(conjecture)


def test_scenarios_that_are_swept_are_scenarios(tmp_path):
    scenario = {"networks": ["path:n=4"], "loads": ["spike:tokens=8"],
                "algorithms": ["threshold-2"]}
    described("equipoise-scenario").validate(scenario)
    assert equipoise.sweep(scenario, csv=tmp_path / "rows.csv").complete


def test_traces():
    found = equipoise.trace(ROOT / "examples" / "traces" / "three-ranks", advise=True, cost=0.5)
    described("equipoise-trace").validate(json.loads(json.dumps(dict(found))))
