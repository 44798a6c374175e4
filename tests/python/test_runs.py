"""Runs from Python are those of the command line."""

import json

import numpy as np
import pytest

import equipoise

CASES = [
    ("threshold-2", "torus:8x8", "spike:tokens=1000", {}),
    ("discrepancy-1", "random-tree:n=40", "zipf:tokens=500", {"seed": 7}),
    ("coin-averaging", "cycle:n=12", "uniform:tokens=200", {"seed": 3, "stop": "discrepancy:2"}),
    ("diffusion", "hypercube:d=4", "spike:tokens=64", {"deviation": True}),
    ("deal-agreement-1", "path:n=7", "spike:tokens=70", {"max_steps": 50}),
    ("balancing-circuit", "mesh:4x4", "spike:tokens=64", {"matchings": "snake", "max_steps": 30}),
    ("minimum-exchange-tree", "random-tree:n=12", "uniform:tokens=60",
     {"seed": 2, "delays": "random", "ports": 1}),
    ("discrepancy-1", "path:n=9", "spike:tokens=40", {"param": {"termination": "extremes"}}),
    ("threshold-1", "torus:4x4", "uniform:tokens=100",
     {"arrivals": "poisson:rate=0.5,consume=0.5", "max_steps": 40}),
    ("threshold-1", "torus:4x4", "uniform:tokens=100",
     {"churn": "random:nodes=0.01,links=0.02,back=0.1", "max_steps": 40}),
    ("mesh-weak", "mesh:8x8", "corner:tokens=64", {}),
]


def as_options(options):
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, dict):
            words += [word for pair in value.items() for word in (option, "=".join(pair))]
        else:
            words += [option] if value is True else [option, value]
    return words


@pytest.mark.parametrize("algorithm, network, loads, options", CASES)
def test_a_run_has_the_record_of_the_command_line(algorithm, network, loads, options, program,
                                                  tmp_path):
    done = program("run", algorithm, "--network", network, "--loads", loads, *as_options(options),
                   "--record", "run.json", "--record-level", "full", "--quiet")
    run = equipoise.run(algorithm, network=network, loads=loads, record_level="full", **options)
    expected = json.loads((tmp_path / "run.json").read_text())
    found = run.record
    for record in (expected, found):
        del record["seconds"]
    assert found == expected
    assert done.returncode == (0 if run.reached else 1)


def test_extremes_are_those_of_the_command_line_and_need_every_move(program):
    words = ("--network", "torus:8x8", "--loads", "spike:tokens=6400")
    done = program("run", "diffusion-2", *words, "--extremes", "--json")
    run = equipoise.run("diffusion-2", network="torus:8x8", loads="spike:tokens=6400",
                        extremes=True)
    assert run.extremes == json.loads(done.stdout)["extremes"]
    assert run.extremes["least"] < 0
    large = {"network": "torus:64x64", "loads": "spike:tokens=100", "max_steps": 5}
    assert equipoise.run("threshold-2", **large).extremes is None
    assert equipoise.run("threshold-2", **large, extremes=True).extremes["most"] == 100
    with pytest.raises(equipoise.InputError, match='"full" with extremes or recovery, found "sum'):
        equipoise.run("threshold-2", **large, extremes=True, record_level="summary")


def test_recovery_is_that_of_the_command_line_and_needs_churn(program):
    churn = "random:nodes=0.0005,back=0.05"
    done = program("run", "deal-agreement-2", "--network", "torus:8x8", "--loads",
                   "uniform:tokens=640", "--seed", "3", "--churn", churn, "--max-steps", "3000",
                   "--recovery", "--json")
    options = {"network": "torus:8x8", "loads": "uniform:tokens=640", "seed": 3}
    run = equipoise.run("deal-agreement-2", churn=churn, max_steps=3000, recovery=True, **options)
    assert run.recovery == json.loads(done.stdout)["recovery"]
    assert run.recovery["recovered"] > 0 and run.recovery["passage"]
    assert equipoise.run("deal-agreement-2", **options).recovery is None
    with pytest.raises(equipoise.InputError, match="recovers from changes"):
        equipoise.run("deal-agreement-2", recovery=True, **options)


@pytest.mark.parametrize("algorithm, network, loads, options", [
    ("treshold-2", "torus:8x8", "spike:tokens=10", {}),
    ("threshold-2", "tours:8x8", "spike:tokens=10", {}),
    ("threshold-2", "torus:8x8", "spike:token=10", {}),
    ("threshold-2", "torus:8x8", "spike:tokens=10", {"stop": "quite:3"}),
    ("threshold-2", "torus:8x8", "spike:tokens=10", {"matchings": "snake"}),
    ("threshold-2", "torus:8x8", "spike:tokens=10", {"param": {"rounds": "3"}}),
    ("threshold-2", "torus:8x8", "spike:tokens=10", {"faults": "loss=2"}),
    ("mesh-weak", "cycle:n=5", "spike:tokens=10", {}),
])
def test_wrong_input_is_refused_in_the_words_of_the_command_line(algorithm, network, loads, options,
                                                                  program):
    done = program("run", algorithm, "--network", network, "--loads", loads, *as_options(options))
    with pytest.raises(equipoise.InputError) as caught:
        equipoise.run(algorithm, network=network, loads=loads, **options)
    assert done.returncode == 2
    assert done.stderr == f"equipoise: {caught.value}\n"


def test_a_run_says_since_when_it_was_level():
    run = equipoise.run("threshold-2", network="path:n=4", loads=[9, 0, 0, 0])
    history = run.history
    differs = [step for step, left in zip(history.steps, history.discrepancy)
               if left != run.discrepancy]
    assert run.level_since == max(differs) + 1 < run.steps
    assert run.level_since == run.figures["level_since"] == run.record["level_since"]
    assert equipoise.run("threshold-2", network="path:n=4", loads=[1, 0, 0, 1]).level_since == 0


def test_a_record_is_verified_written_read_and_replayed(tmp_path):
    run = equipoise.run("threshold-2", network="torus:8x8", loads="spike:tokens=1000")
    assert equipoise.verify(run)
    run.write(tmp_path / "run.json")
    again = equipoise.read_run(tmp_path / "run.json")
    assert again.record == run.record
    same, detail, replayed = equipoise.replay(again)
    assert same and detail and replayed.final_loads.tolist() == run.final_loads.tolist()
    forged = run.record
    forged["final_discrepancy"] += 1
    assert not equipoise.verify(forged)


def test_history_and_frames_lead_from_the_first_loads_to_the_last():
    run = equipoise.run("threshold-1", network="cycle:n=20", loads="spike:tokens=200")
    steps, loads = run.frames()
    assert loads.shape == (len(steps), 20)
    assert loads[0].tolist() == run.initial_loads.tolist()
    assert loads[-1].tolist() == run.final_loads.tolist()
    assert (loads.sum(axis=1) == 200).all()
    history = run.history
    assert history.discrepancy[0] == 200 and history.discrepancy[-1] == run.discrepancy
    assert history.moved[-1] == run.exchanges
    assert (np.diff(history.moved) >= 0).all()
    assert history.potential[0] == 20 * 200**2 - 200**2
    assert list(run.to_dataframe().index) == history.steps.tolist()


def test_loads_of_continuous_processes_are_in_tokens():
    run = equipoise.run("deal-agreement-1", network="cycle:n=5", loads=[10, 0, 0, 0, 0])
    assert run.final_loads.dtype == np.float64
    assert run.final_loads.sum() == pytest.approx(10, abs=1e-6)
    assert run.initial_loads.tolist() == [10, 0, 0, 0, 0]


def test_a_guarantee_is_kept():
    run = equipoise.run("threshold-2", network="torus:8x8", loads="spike:tokens=1000")
    assert "Theorem" in run.guarantee.source
    assert run.kept is True and run.discrepancy <= run.guarantee.discrepancy
    shares = equipoise.run("diffusion", network="path:n=4", loads=[90, 0, 0, 0], speeds={1: 3})
    assert shares.guarantee is None or shares.guarantee.discrepancy is None
    cut = equipoise.run("threshold-2", network="torus:8x8", loads="spike:tokens=1000", max_steps=3)
    assert not cut.reached and cut.kept is None


def test_a_run_shows_itself(tmp_path):
    run = equipoise.run("threshold-2", network="torus:4x4", loads="spike:tokens=10")
    assert "threshold-2" in str(run) and "<Run threshold-2" in repr(run)
    assert run._repr_html_().startswith("<iframe srcdoc=")
    run.save_html(tmp_path / "page.html")
    assert "<html" in (tmp_path / "page.html").read_text()
    ax = run.plot()
    assert len(ax.lines) >= 2 and ax.lines[0].get_color() == "#0072b2"
    assert ax.get_xlabel() == "steps (single-port)"
    movie = run.animate()
    assert len(list(movie.new_frame_seq())) == len(run.frames(100)[0])
    movie.save(tmp_path / "run.gif", writer="pillow")
    assert (tmp_path / "run.gif").stat().st_size > 1000
    summary = equipoise.run("threshold-2", network="torus:4x4", loads="spike:tokens=100",
                            record_level="summary")
    assert summary._repr_html_().startswith("<pre>")
    with pytest.raises(equipoise.InputError, match="record_level"):
        summary.history


def test_the_best_possible_is_computed_when_asked_for_kept_and_drawn():
    asked = equipoise.run("threshold-1", network="path:n=6", loads=[12, 0, 0, 0, 0, 0],
                          optimum=True)
    # Ten tokens leave the end one at a time; the k-th node keeps 2 and passes the rest on.
    assert asked.optimum == {"exchanges": 10 + 8 + 6 + 4 + 2, "steps": 10}
    assert asked.record["optimum"]["steps"] == 10
    assert "best possible" in [text.get_text() for text in asked.plot().get_legend().get_texts()]
    not_asked = equipoise.run("threshold-1", network="path:n=6", loads=[12, 0, 0, 0, 0, 0])
    assert not_asked.optimum == {} and not_asked.record["optimum"] is None
