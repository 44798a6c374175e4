"""Comparisons, plans, analyses and sweeps are those of the command line."""

import csv
import json
import pathlib

import numpy as np
import pytest

import equipoise

INSTANCE = {"network": "torus:4x4", "loads": "spike:tokens=200"}
WORDS = ("--network", "torus:4x4", "--loads", "spike:tokens=200")


def without_seconds(value):
    if isinstance(value, dict):
        return {k: without_seconds(v) for k, v in value.items() if k != "seconds"}
    return [without_seconds(v) for v in value] if isinstance(value, list) else value


def test_a_comparison_is_that_of_the_command_line(program):
    names = ["threshold-2", "coin-averaging", "diffusion"]
    found = equipoise.compare(names, **INSTANCE, seed=5, optimum=True,
                              record_level="summary")
    done = program("compare", *names, *WORDS, "--seed", 5, "--optimum", "--json")
    assert without_seconds(found.figures) == without_seconds(json.loads(done.stdout))
    assert [run.algorithm for run in found] == names
    assert found["diffusion"].steps == found[2].steps
    assert list(found.to_dataframe().index) == names
    assert "threshold-2" in str(found)
    assert found._repr_html_().startswith("<iframe")


def test_all_algorithms_are_compared_without_those_that_cannot_run():
    found = equipoise.compare(**INSTANCE)
    left_out = [name for names in found.left_out.values() for name in names]
    assert left_out and len(found) + len(left_out) == len(equipoise.algorithms())
    assert not set(left_out) & {run.algorithm for run in found}


def test_options_that_some_take_are_noted_and_those_that_none_takes_refused():
    found = equipoise.compare(["threshold-1", "diffusion"], **INSTANCE, deviation=True)
    assert found.notes == ["--deviation is for diffusion; the others run without it"]
    with pytest.raises(equipoise.InputError, match="--deviation: none of the algorithms"):
        equipoise.compare(["threshold-1"], **INSTANCE, deviation=True)
    with pytest.raises(equipoise.InputError, match="did you mean"):
        equipoise.compare(["treshold-1"], **INSTANCE)
    with pytest.raises(equipoise.InputError, match="steps"):
        equipoise.compare(["threshold-1"], **INSTANCE, sort="stpes")


def test_a_comparison_draws_every_curve_and_promise():
    found = equipoise.compare(["threshold-1", "threshold-2"], **INSTANCE)
    ax = found.plot()
    promises = sum(run.guarantee is not None and run.guarantee.discrepancy is not None
                   for run in found)
    assert len(ax.lines) == 2 * len(found) + promises
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "threshold-1", "threshold-2", "promised by a theorem"]


def test_a_comparison_keeps_models_of_different_steps_apart():
    found = equipoise.compare(["threshold-2", "diffusion", "deal-agreement-3"], **INSTANCE)
    axes = found.plot()
    assert [ax.get_xlabel() for ax in axes] == ["steps (single-port)", "steps (multi-port)"]
    assert [text.get_text() for text in axes[1].get_legend().get_texts()][:2] == [
        "diffusion", "deal-agreement-3"]
    # Colours go on from panel to panel.
    assert len({ax.lines[0].get_color() for ax in axes}) == 2
    with pytest.raises(equipoise.InputError, match="2 models"):
        found.plot(ax=axes[0])


def test_logarithmic_axes_have_a_tick_at_every_power_of_ten_and_little_room_below_1():
    run = equipoise.run("threshold-2", network="torus:16x16", loads="spike:tokens=2560000")
    ax = run.plot()
    below, most = ax.get_xlim()
    assert below == 0
    powers = [10**k for k in range(7) if 10**k <= run.steps]
    assert set(powers) <= set(ax.get_xticks()) and len(powers) >= 5
    across = ax.transData.transform([(0, 10), (1, 10), (most, 10)])[:, 0]
    assert across[1] - across[0] < (across[2] - across[0]) / 10
    # The discrepancy stays above 1, so its axis is without 0.
    assert ax.get_yscale() == "log" and ax.get_ylim()[0] > 0


GRID = {"networks": ["{family}:{n}x{n}"], "sizes": [4, 8], "values": {"family": ["torus", "mesh"]},
        "loads": ["uniform:tokens=1000"], "seeds": [1, 2, 3, 4],
        "algorithms": ["threshold-2", "diffusion"]}


def test_a_sweep_draws_what_the_command_line_draws(tmp_path, program):
    sweep = equipoise.sweep(GRID, csv=tmp_path / "grid.csv")
    ax = sweep.plot("nodes", "steps")
    done = program("plot", "grid.csv", "--x", "nodes", "--y", "steps", "-o", "grid.svg")
    assert done.returncode == 0
    rows = [line.split(",") for line in
            (tmp_path / "grid.data.csv").read_text().splitlines()[1:]]
    for line, algorithm in zip(ax.lines, ["threshold-2", "diffusion"]):
        assert line.get_label() == algorithm
        assert list(line.get_ydata()) == [float(row[5]) for row in rows if row[0] == algorithm]
    assert len(ax.collections) == 2  # bands
    assert ax.get_xlabel() == "nodes" and ax.get_ylabel() == "steps (mean, 95 % interval)"


def test_a_sweep_has_panels_boxes_and_names(tmp_path):
    sweep = equipoise.sweep(GRID, csv=tmp_path / "grid.csv")
    axes = sweep.plot("nodes", "discrepancy", facet="family", marks="points", promises=False)
    assert [ax.get_title() for ax in axes] == ["torus", "mesh"]
    assert axes[0].get_ylim() == axes[1].get_ylim()
    boxes = sweep.plot("family", "steps", marks="boxes", axes="linear",
                       names={"diffusion": "Diffusion", "mesh": "Mesh"})
    assert [text.get_text() for text in boxes.get_xticklabels()] == ["torus", "Mesh"]
    assert [text.get_text() for text in boxes.get_legend().get_texts()][:2] == [
        "Diffusion", "threshold-2"]
    with pytest.raises(equipoise.InputError, match="did you mean \"steps\""):
        sweep.plot("nodes", "stepz")
    with pytest.raises(equipoise.InputError, match="2 panels"):
        sweep.plot("nodes", "steps", facet="family", ax=axes[0])


def test_a_plan_is_that_of_the_command_line_and_its_schedule_leads_to_the_target(program):
    plan = equipoise.plan(**INSTANCE)
    done = program("plan", *WORDS, "--json")
    assert plan.figures == json.loads(done.stdout)
    loads = np.zeros(16, dtype=int)
    loads[0] = 200
    assert plan.schedule.shape == (plan.exchanges, 3)
    for step, tail, head in plan.schedule:
        assert step < plan.steps
        loads[tail] -= 1
        loads[head] += 1
        assert loads[tail] >= 0
    assert set(loads) <= {12, 13}
    assert sum(tokens for *_, tokens in plan.flows.edges(data="tokens")) == plan.exchanges
    assert "no" in plan.certificate and str(plan.steps) in str(plan)
    assert plan.tokens_to_move == 200 - 13 <= plan.exchanges
    assert "written to the array `schedule`" in str(plan) and "--schedule" not in str(plan)


def test_windows_are_what_links_carry_and_their_file_is_verified(tmp_path):
    plan = equipoise.plan(**INSTANCE)
    assert plan.windows.shape[1] == 5
    assert plan.windows[:, 4].sum() == plan.exchanges
    assert (plan.windows[:, 2] + plan.windows[:, 3]).max() <= plan.steps
    path = tmp_path / "windows.json"
    plan.write_windows(path)
    assert equipoise.verify(path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(f'"steps_at_least": {plan.steps}', '"steps_at_least": 3'),
                    encoding="utf-8")
    assert not equipoise.verify(path)


def test_a_plan_for_ten_thousand_nodes_has_windows_and_makes_its_schedule_of_them():
    loads = np.full(10_000, 2)
    loads[:50] = 12
    plan = equipoise.plan(network="torus:100x100", loads=loads)
    assert "schedule" not in plan.figures and len(plan.figures["windows"]) == len(plan.windows)
    assert sum(tokens for *_, tokens in plan.flows.edges(data="tokens")) == plan.exchanges
    for step, tail, head in plan.schedule:
        assert step < plan.steps
        loads[tail] -= 1
        loads[head] += 1
    assert set(loads) <= {2, 3}
    every_link = equipoise.plan(network="torus:100x100", loads=loads, ports="all")
    assert every_link.steps == 0


def test_a_plan_takes_its_options_by_node(tmp_path):
    plan = equipoise.plan(network="path:n=4", loads=[8, 0, 0, 0], target={0: 2, 3: 0},
                          pinned=[], capacities={1: 2})
    last = np.array([8, 0, 0, 0])
    for _, tail, head in plan.schedule:
        last[tail] -= 1
        last[head] += 1
    assert last.tolist() == [4, 2, 2, 0]
    slow = equipoise.plan(network="path:n=2", loads=[4, 0], link_delays={(0, 1): 5})
    assert slow.steps == 6
    pinned = equipoise.plan(network="path:n=3", loads=[4, 0, 6], pinned=[2])
    assert 2 not in pinned.schedule[:, 1:]
    for options, message in (({"ports": 0}, "--ports: expected a whole number from 1 to"),
                             ({"target": "flat"}, "unknown target"),
                             ({"pinned": [9]}, "^pinned: expected"),
                             ({"pinned": "a"}, "expected a list of nodes"),
                             ({"link_delays": {(0, 2): 1}}, "expected a link of the network"),
                             ({"capacities": [1, 1, 1]}, "."),
                             ({"memory": -1}, "memory: expected a whole number")):
        with pytest.raises(equipoise.InputError, match=message) as caught:
            equipoise.plan(network="path:n=3", loads=[4, 0, 0], **options)
        assert "\n" not in str(caught.value)


def test_an_analysis_is_that_of_the_command_line(program):
    options = "analyze", "--network", "tree:k=2,h=3", "--observers", "--exchange-ratio"
    analysis = equipoise.analyze(network="tree:k=2,h=3", observers=True, exchange_ratio=True)
    assert dict(analysis) == json.loads(program(*options, "--json").stdout)
    assert str(analysis) == program(*options).stdout


def test_a_search_for_worst_loads_is_that_of_the_command_line(program):
    words = ("worst", "deal-agreement-3", "--beside", "deal-agreement-2", "--quantity", "rounds",
             "--network", "path:n=4", "--most", 5)
    found = equipoise.worst("deal-agreement-3", beside="deal-agreement-2", quantity="rounds",
                            network="path:n=4", most=5)
    assert dict(found) == json.loads(program(*words, "--json").stdout)
    assert str(found) == program(*words).stdout
    some = equipoise.worst("threshold-2", network="cycle:n=8", most=50, tries=40, seed=3)
    again = equipoise.run("threshold-2", network="cycle:n=8", loads=some["worst"]["loads"], seed=3)
    assert some["played"] == 40 and again.steps == some["worst"]["value"]


def test_a_search_over_numberings_prints_what_a_run_takes(program):
    words = ("worst", "deal-agreement-2", "--quantity", "rounds", "--network", "path:n=4",
             "--most", 3, "--any-numbering")
    found = equipoise.worst("deal-agreement-2", quantity="rounds", network="path:n=4", most=3,
                            any_numbering=True)
    assert dict(found) == json.loads(program(*words, "--json").stdout)
    assert found["numberings"] == 12
    at = found["worst"]
    again = equipoise.run("deal-agreement-2", network=at["network_spec"], loads=at["loads_spec"])
    assert again.rounds == at["value"]


def test_a_search_finds_deviations_and_ratios_to_the_best_possible():
    at = equipoise.worst("diffusion", network="path:n=4", most=3, quantity="deviation")["worst"]
    run = equipoise.run("diffusion", network="path:n=4", loads=at["loads_spec"], deviation=True)
    assert run.record["deviation"]["value"] == at["value"]
    at = equipoise.worst("threshold-1", network="path:n=4", quantity="steps/optimum")["worst"]
    run = equipoise.run("threshold-1", network="path:n=4", loads=at["loads_spec"], optimum=True)
    assert (run.steps, run.figures["optimum"]["steps"]) == (at["cost"], at["optimum"])
    assert at["value"] == at["cost"] / at["optimum"]


def test_a_search_takes_rules_of_ones_own_and_says_what_is_wrong():
    @equipoise.edge_rule
    def two_apart(tail, head, link, now):
        apart = tail.load - head.load
        return (apart >= 2) * 1 - (apart <= -2) * 1

    found = equipoise.worst(two_apart, beside="threshold-2", network="path:n=3", most=3)
    assert found["algorithm"] == "two_apart" and found["all"]
    assert found["equal"] == found["played"] == 4**3 - 3**3
    for options, message in (({"most": -1}, "^most: expected a whole number"),
                             ({"tries": 1.5}, "^tries: expected a whole number"),
                             ({"quantity": "step"}, "did you mean \"steps\""),
                             ({"beside": "treshold-1"}, "did you mean"),
                             ({"beside_param": {"s": 1}}, "s"),
                             ({"most": 2**31}, "at most 2\\^30")):
        with pytest.raises(equipoise.InputError, match=message) as caught:
            equipoise.worst("threshold-1", network="path:n=3", **options)
        assert "\n" not in str(caught.value)


def test_the_conjecture_is_that_of_the_command_line_and_verified(program):
    rows = equipoise.conjecture(k="2..3", h="1..3")
    printed = json.loads(program("conjecture", "--k", "2..3", "--h", "1..3", "--json").stdout)
    assert [{**row, "nodes": str(row["nodes"]), "witness": str(row["witness"])}
            for row in rows] == printed
    assert rows[0]["nodes"] == 3
    assert equipoise.verify(rows)
    with pytest.raises(equipoise.InputError, match="^k: "):
        equipoise.conjecture(k="2-3", h=1)


def test_a_sweep_writes_its_rows(tmp_path):
    scenario = {"title": "small", "networks": ["cycle:n={n}"], "sizes": [4, 8],
                "loads": ["spike:tokens=40"], "algorithms": ["threshold-1", "diffusion"]}
    done = equipoise.sweep(scenario, csv=tmp_path / "rows.csv", threads=1)
    assert done.complete and done.rows == done.ran == 4
    with open(done.csv, newline="") as file:
        assert [row["algorithm"] for row in csv.DictReader(file)] == ["threshold-1",
                                                                      "diffusion"] * 2
    assert len(done.to_dataframe()) == 4
    with pytest.raises(equipoise.InputError, match="networks"):
        equipoise.sweep({"title": "x"}, csv=tmp_path / "x.csv")


def test_a_sweep_asks_what_its_verb_prints(tmp_path):
    scenario = {"verb": "plan", "networks": ["path:n={n}"], "values": {"n": [4, 6]},
                "loads": ["spike:tokens={2*n}"], "options": {"ports": [1, 2]},
                "columns": ["steps", "certificate.kind"]}
    done = equipoise.sweep(scenario, csv=tmp_path / "plans.csv", threads=1)
    for row in done.to_dataframe().itertuples():
        plan = equipoise.plan(network=row.network, loads=row.loads, ports=row.ports)
        assert row.steps == plan.figures["steps"]
        assert row.certificate_kind == plan.figures["certificate"]["kind"]
    with pytest.raises(equipoise.InputError, match="unknown option \"prots\""):
        equipoise.sweep(dict(scenario, options={"prots": 1}), csv=tmp_path / "x.csv")


def test_algorithms_are_those_of_help(program):
    found = equipoise.algorithms()
    assert list(found.values()) == json.loads(program("algorithms", "--json").stdout)
    assert found.describe("threshold-2") == program("algorithms", "threshold-2").stdout
    assert str(found) == program("algorithms").stdout


THREE_RANKS = str(pathlib.Path(__file__).parents[2] / "examples" / "traces" / "three-ranks")


def test_a_trace_is_levelled_as_on_the_command_line(program, tmp_path):
    options = {"tolerance": 0.1, "advise": True, "cost": 0.5}
    found = equipoise.trace(THREE_RANKS, **options, output=tmp_path / "out",
                            html=tmp_path / "page.html")
    done = program("trace", THREE_RANKS, "--tolerance", 0.1, "--advise", "--cost", 0.5, "-o",
                   tmp_path / "out2", "--json")
    expected = json.loads(done.stdout)
    expected["folder"] = str(tmp_path / "out")
    assert without_seconds(dict(found)) == without_seconds(expected)
    assert found.loads_before.shape == found.loads_after.shape == (4, 3)
    largest = found.loads_after.max(axis=1)
    assert np.allclose(largest, [row["largest"]["after"] for row in found["each_phase"]])
    again = equipoise.trace(tmp_path / "out", policy="minimum-moves")
    assert np.allclose(again.loads_before, found.loads_after)
    assert "<svg" in (tmp_path / "page.html").read_text()
    assert "imbalance" in str(found)


def test_a_trace_that_is_wrong_raises_the_command_lines_message(tmp_path):
    with pytest.raises(equipoise.InputError, match="did you mean \"weighted\""):
        equipoise.trace(THREE_RANKS, policy="wieghted")
    with pytest.raises(equipoise.InputError, match="tolerance: expected a number, 0 or more"):
        equipoise.trace(THREE_RANKS, tolerance="much")
    with pytest.raises(equipoise.InputError, match="expected files or folders, found none"):
        equipoise.trace()
    (tmp_path / "data.0.json").write_text("{\"phases\": [{\"id\": 0}]")
    with pytest.raises(equipoise.InputError, match="expected more JSON, found the end"):
        equipoise.trace(tmp_path)
