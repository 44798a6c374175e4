"""Reassignments are those of the command line, from files and from what callers hold."""

import csv
import json
import pathlib
import sys

import pytest

import equipoise

ITEMS = [("logs", "a", "8 GB"), ("mail", "a", "5 GB"), ("shop", "a", "4 GB"), ("wiki", "a", "3 GB"),
         ("blog", "b", "2 GB"), ("chat", "c", "2 GB")]
MACHINES = {"a": {"rack": "r1", "size": "30 GB"}, "b": {"rack": "r1", "size": "15 GB"},
            "c": {"rack": "r2", "size": "15 GB"}}
DICTS = [dict(zip(("item", "machine", "size"), row)) for row in ITEMS]
COLUMNS = {name: [row[at] for row in ITEMS] for at, name in enumerate(("item", "machine", "size"))}


@pytest.fixture
def files(tmp_path):
    with open(tmp_path / "items.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("item", "machine", "size"), *ITEMS])
    with open(tmp_path / "machines.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [("machine", "rack", "size"),
             *((name, *fields.values()) for name, fields in MACHINES.items())])
    (tmp_path / "rates.csv").write_text("machine,in,out\na,9GB,9GB\nb,6GB,9GB\n")
    return tmp_path


def printed_by(program, *words):
    return json.loads(program("reassign", "items.csv", *words, "--effort", 500, "--json").stdout)


def without_file(figures):
    return {key: value for key, value in dict(figures).items() if key not in ("file", "notes")}


def test_a_plan_is_that_of_the_command_line_from_files_rows_and_columns(program, files):
    options = [
        ({}, []),
        ({"machines": MACHINES}, ["--machines", "machines.csv"]),
        ({"machines": MACHINES, "drain": ["a"], "fewest": "size", "at_once": 2},
         ["--machines", "machines.csv", "--drain", "a", "--fewest", "size", "--at-once", 2]),
        ({"level": ["size", "items"], "tolerance": {"size": 0.3, "items": 0.5}},
         ["--level", "size,items", "--tolerance", "size:0.3,items:0.5"]),
        ({"at_most": {"moves": 1}}, ["--at-most", "moves=1"]),
        ({"pinned": "logs", "tolerance": 0.2}, ["--pinned", "logs", "--tolerance", 0.2]),
        ({"forbidden": {"wiki": ["b", "c"]}}, ["--forbidden", "forbidden.csv"]),
        ({"rates": {"a": ("9GB", "9GB"), "b": ("6GB", "9GB")}}, ["--rates", "rates.csv"]),
    ]
    (files / "forbidden.csv").write_text("item,machine\nwiki,b\nwiki,c\n")
    for given, words in options:
        printed = without_file(printed_by(program, *words))
        for items in (files / "items.csv", ITEMS, iter(ITEMS), DICTS, COLUMNS):
            found = equipoise.reassign(items, **given, effort=500)
            assert without_file(found) == printed, words
            assert bool(found) == printed["reached"]
            assert found.schedule == [tuple(move.values()) for move in printed["moves"]]


def test_machines_are_names_dicts_or_columns(files):
    asked = {"effort": 500, "drain": "a"}
    whole = without_file(equipoise.reassign(ITEMS, files / "machines.csv", **asked))
    dicts = [dict(machine=name, **fields) for name, fields in MACHINES.items()]
    columns = {"machine": list(MACHINES), **{
        name: [fields[name] for fields in MACHINES.values()] for name in ("rack", "size")}}
    for machines in (MACHINES, dicts, columns, iter(dicts)):
        assert without_file(equipoise.reassign(ITEMS, machines, **asked)) == whole
    named = equipoise.reassign(ITEMS, ["a", "b", "c", "d"], **asked)
    assert [machine["machine"] for machine in named["machines"]] == ["a", "b", "c", "d"]
    assert named["machines"][3]["resources"]["items"]["after"] > 0


def test_data_frames_numbers_and_what_is_missing_are_fields():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"item": ["x", "y", "z"], "machine": [1, 1, 2],
                              "cpu": [0.25, 1.5, float("nan")]})
    machines = pandas.DataFrame({"machine": [1, 2, 3], "cpu": [None, 2.0, 8.0],
                                 "drain": [False, True, False]})
    frame.loc[2, "cpu"] = 0
    found = equipoise.reassign(frame, machines, level="cpu", effort=500)
    assert found["machines"][0]["resources"]["cpu"]["before"] == 1.75
    assert [machine["drained"] for machine in found["machines"]] == [False, True, False]
    assert found["machines"][1]["resources"]["items"]["after"] == 0
    assert found["machines"][0]["resources"]["cpu"]["capacity"] is None


def test_a_schedule_is_judged_resumed_and_rolled_back(program, files):
    plan = equipoise.reassign(ITEMS, MACHINES, effort=500)
    plan.write_schedule(files / "moves.csv")
    for schedule in (plan, plan.schedule, files / "moves.csv"):
        judged = equipoise.check_reassign(schedule, ITEMS, MACHINES)
        assert judged and judged["totals"] == plan["totals"]
        assert judged["machines"] == plan["machines"]
    for done in range(len(plan.schedule) + 1):
        rest = equipoise.reassign(ITEMS, MACHINES, resume=plan.schedule[:done], effort=500)
        assert rest["done"] == done
        assert equipoise.check_reassign(rest, ITEMS, MACHINES, resume=plan.schedule[:done])
    assert equipoise.reassign(ITEMS, MACHINES, resume=plan, effort=500).schedule == []
    plan.write_rollback(files / "back.csv")
    back = equipoise.check_reassign(files / "back.csv", ITEMS, MACHINES, resume=plan)
    assert not back.fault and back["machines"][0]["resources"]["items"]["after"] == 4
    wrong = equipoise.check_reassign([(0, "logs", "b", "a")], ITEMS, MACHINES)
    assert not wrong and wrong.fault.startswith("check:2: ") and str(wrong) == wrong.fault + "\n"


def test_a_plan_is_shown_and_written_as_on_the_command_line(program, files):
    words = ["--machines", "machines.csv", "--effort", 500]
    plan = equipoise.reassign(files / "items.csv", files / "machines.csv", effort=500)
    text = program("reassign", files / "items.csv", *words, "--csv", "table.csv", "--html",
                   "page.html").stdout
    def shown(lines):
        return [line for line in lines.splitlines() if not line.startswith("  schedule ")]
    assert shown(str(plan)) == shown(text) and "the list `schedule`" in str(plan)
    plan.write_csv(files / "own.csv")
    plan.save_html(files / "own.html")
    assert (files / "own.csv").read_text() == (files / "table.csv").read_text()
    assert "<html" in (files / "own.html").read_text()
    assert "moves in" in repr(plan) and "rack r1" in plan._repr_html_()


def test_rules_and_costs_are_files_or_objects(files):
    rules = {"drain": ["a"]}
    (files / "rules.json").write_text(json.dumps(rules))
    for given in (rules, files / "rules.json"):
        found = equipoise.reassign(ITEMS, MACHINES, rules=given, effort=500)
        assert found["machines"][0]["drained"] and found


def test_wrong_input_is_named():
    for options, expected in (
            ({"items": 3}, "items: expected a file, rows or columns, found 3"),
            ({"items": [("x",)] * 2 + [("x", "a", 1, 2)]}, "items: expected dicts, or rows"),
            ({"items": {"item": ["x"], "machine": ["a", "b"]}}, "columns of one length"),
            ({"items": {"item": "x"}}, "expected a list for the column 'item', found 'x'"),
            ({"items": ITEMS, "rules": [1]}, "rules: expected a file or the object that it holds"),
            ({"items": ITEMS, "level": ["cpu"]}, "cpu"),
            ({"items": ITEMS, "drain": ["z"]}, "z"),
            ({"items": ITEMS, "forbidden": {"x": "a"}}, "expected a list of machines for 'x'"),
            ({"items": ITEMS, "threads": 0}, "threads: expected a whole number, 1 to 1024"),
            ({"items": ITEMS, "seconds": "long"}, "seconds: expected a number, 0 or more")):
        with pytest.raises(equipoise.InputError, match=expected.replace("(", r"\(")):
            equipoise.reassign(**{"effort": 100, **options})


def test_figures_are_the_object_of_the_schema():
    jsonschema = pytest.importorskip("jsonschema")
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
    import json_schemas
    schema = json_schemas.closed(json_schemas.load()["equipoise-reassign"])
    plan = equipoise.reassign(ITEMS, MACHINES, drain="a", effort=500)
    for figures in (plan, equipoise.check_reassign(plan, ITEMS, MACHINES, drain="a")):
        jsonschema.Draft202012Validator(schema).validate(dict(figures))
