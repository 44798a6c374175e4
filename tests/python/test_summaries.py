"""Summaries of studies: their statistics are SciPy's."""

import csv
import io
import json
import math

import numpy as np
import pytest

import equipoise

stats = pytest.importorskip("scipy.stats")

TABLES = 200
CLOSE = 1e-9


def student(level, freedom):
    """SciPy's quantile, which is good to 2e-9, sharpened by Newton's method with its tails."""
    tail = (1 - level) / 2
    t = stats.t.isf(tail, freedom)
    for _ in range(2):
        t += (stats.t.sf(t, freedom) - tail) / stats.t.pdf(t, freedom)
    return t


def numbers(random, count):
    """A sample of one of many kinds, some of them unpleasant."""
    kind = random.integers(6)
    if kind == 0:
        return random.integers(0, 30, count).astype(float)
    if kind == 1:
        return random.normal(random.uniform(-100, 100), 10.0 ** random.integers(-3, 4), count)
    if kind == 2:
        return np.exp(random.normal(0, 4, count))
    if kind == 3:
        return 1e9 + random.integers(0, 1000, count)
    if kind == 4:  # squares of larger ones overflow in NumPy
        return random.normal(0, 1, count) * 10.0 ** random.integers(-100, 100)
    return np.full(count, random.normal())


def table(path, seed):
    """Writes a study of two algorithms on two networks; returns its values by cell and seed."""
    random = np.random.default_rng(seed)
    values = {}
    rows = []
    for network in ("path:n=4", "torus:4x4"):
        seeds = random.permutation(1000)[:random.integers(2, 40)]
        for algorithm in ("threshold-2", "diffusion"):
            # Some runs of each algorithm are missing: pairs are those that are left.
            kept = seeds[random.random(len(seeds)) < 0.9] if len(seeds) > 8 else seeds
            cell = dict(zip(kept.tolist(), numbers(random, len(kept)).tolist()))
            values[network, algorithm] = cell
            rows += [(network, "staircase", at, algorithm, "", repr(value), "")
                     for at, value in cell.items()]
    random.shuffle(rows)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["network", "loads", "seed", "algorithm", "parameters", "steps",
                         "left_out_because"])
        writer.writerows(rows)
    return values


def expect_close(found, expected, scale):
    """But for what the rounding of numbers as large as `scale` may do."""
    assert abs(found - expected) <= CLOSE * abs(expected) + 4e-15 * scale, (found, expected, scale)


def expect_interval(low, high, sample, level):
    """Centre and half the width, as Student's interval of the numbers says."""
    scale = np.abs(sample).max()
    half = student(level, len(sample) - 1) * stats.sem(sample, ddof=1)
    expect_close(low / 2 + high / 2, np.mean(sample), scale + half)
    expect_close(high / 2 - low / 2, half, scale)


@pytest.mark.parametrize("first", range(0, TABLES, 20))
def test_statistics_are_those_of_scipy(tmp_path, first):
    for seed in range(first, first + 20):
        path = tmp_path / f"{seed}.csv"
        values = table(path, seed)
        level = [0.5, 0.9, 0.95, 0.99, 0.999999][seed % 5]
        fractions = [0.0, 0.1, 0.25, 0.9, 1.0]
        summary = equipoise.summarise(path, confidence=level, quantiles=fractions,
                                      against="diffusion")
        assert len(summary) == 4
        for row in summary:
            cell = values[row["network"], row["algorithm"]]
            sample = np.array(list(cell.values()))
            scale = np.abs(sample).max()
            assert row["count"] == len(sample)
            expect_close(row["mean"], np.mean(sample), scale)
            expect_close(row["standard_deviation"], stats.tstd(sample), scale)
            assert row["least"] == sample.min() and row["largest"] == sample.max()
            expect_close(row["median"], np.median(sample), scale)
            for fraction in fractions:
                name = f"quantile_{fraction:g}"
                expect_close(row[name], np.quantile(sample, fraction), scale)
            expect_interval(row["mean_low"], row["mean_high"], sample, level)
            other = values[row["network"], "diffusion"]
            pairs = sorted(set(cell) & set(other)) if row["algorithm"] != "diffusion" else []
            assert row["pairs"] == len(pairs)
            if len(pairs) < 2:
                continue
            differences = np.array([cell[at] - other[at] for at in pairs])
            expect_close(row["difference"], np.mean(differences), np.abs(differences).max())
            expect_interval(row["difference_low"], row["difference_high"], differences, level)


def test_bootstrap_intervals_are_those_of_scipy_within_their_noise(tmp_path):
    for seed in range(6):
        path = tmp_path / "study.csv"
        values = table(path, 1000 + seed)
        level = [0.9, 0.95][seed % 2]
        for row in equipoise.summarise(path, interval="bootstrap", confidence=level):
            sample = np.array(list(values[row["network"], row["algorithm"]].values()))
            if sample.min() == sample.max():
                assert row["mean_low"] == row["mean_high"] == sample[0]
                continue
            spread = np.ptp(sample)
            expected = stats.bootstrap((sample / spread,), np.mean, confidence_level=level,
                                       method="percentile", n_resamples=10000,
                                       random_state=seed).confidence_interval
            noise = 0.1 * stats.sem(sample / spread)
            assert abs(row["mean_low"] / spread - expected.low) < noise
            assert abs(row["mean_high"] / spread - expected.high) < noise


def test_the_order_of_rows_changes_no_figure(tmp_path):
    path = tmp_path / "study.csv"
    table(path, 7)
    lines = path.read_text().splitlines()
    for interval in ("student", "bootstrap"):
        path.write_text("\n".join(lines) + "\n")
        first = equipoise.summarise(path, interval=interval, against="diffusion")
        path.write_text("\n".join(lines[:1] + lines[:0:-1]) + "\n")
        again = equipoise.summarise(path, interval=interval, against="diffusion")

        def by_name(row):
            return row["network"], row["algorithm"]

        assert sorted(first, key=by_name) == sorted(again, key=by_name)


def test_a_sweep_is_summarised_as_the_command_line_does(tmp_path, program):
    scenario = {"networks": ["torus:4x4"], "loads": ["uniform:tokens=100"], "seeds": [1, 2, 3],
                "algorithms": ["threshold-2", "diffusion"], "max_steps": 11,
                "columns": ["steps", "discrepancy"]}
    path = tmp_path / "study.csv"
    found = equipoise.sweep(scenario, csv=path)
    summary = found.summary(of=["steps"], against="diffusion")
    for form in ("csv", "json", "md", "tex", "txt"):
        program("sweep", path, f"--summary={tmp_path}/cli.{form}", "--of", "steps", "--against",
                "diffusion")
        summary.write(tmp_path / f"python.{form}")
        assert (tmp_path / f"cli.{form}").read_text() == (tmp_path / f"python.{form}").read_text()
    assert summary.to_markdown() == (tmp_path / "cli.md").read_text()
    assert summary.to_latex() == (tmp_path / "cli.tex").read_text()
    assert summary.figures == json.loads((tmp_path / "cli.json").read_text())
    assert list(summary.to_dataframe().columns) == list(
        csv.reader(io.StringIO((tmp_path / "cli.csv").read_text())))[0]
    assert [(row["cut_short"] > 0) for row in summary] == [True, False]
    assert "cut short" in str(summary) and repr(summary) == "<Summary of steps in 2 cells>"
    assert summary[0]["algorithm"] == "threshold-2" and len(summary) == 2
    assert summary._repr_html_().startswith("<pre>")


def test_wrong_options_are_refused_in_words(tmp_path):
    path = tmp_path / "study.csv"
    table(path, 3)
    one, listed = (equipoise.summarise(path, of=of) for of in ("steps", ["steps"]))
    assert one.rows == listed.rows
    for options, message in (
            ({"of": "step"}, 'expected a column "step": did you mean "steps"?'),
            ({"of": ["step"]}, 'expected a column "step": did you mean "steps"?'),
            ({"by": ["nework"]}, 'did you mean "network"?'),
            ({"confidence": 95}, "confidence: expected a number between 0 and 1, such as 0.95, "
                                 "found 95"),
            ({"confidence": "much"}, "confidence: expected a number between 0 and 1, found 'much'"),
            ({"quantiles": [2]}, "quantiles: expected fractions from 0 to 1, such as 0.25, found "
                                 "2"),
            ({"interval": "studnet"}, 'did you mean "student"?'),
            ({"against": "difusion"}, 'did you mean "diffusion"?')):
        with pytest.raises(equipoise.InputError) as error:
            equipoise.summarise(path, **options)
        assert message in str(error.value)
    summary = equipoise.summarise(path)
    with pytest.raises(equipoise.InputError, match="ends with .csv, .json, .md, .tex or .txt"):
        summary.write(tmp_path / "study.xlsx")
    part = equipoise.Sweep(csv=str(path), rows=4, ran=1, resumed=0, dropped=0, complete=False,
                           empty_columns=[])
    with pytest.raises(equipoise.InputError, match="expected a complete sweep"):
        part.summary()
