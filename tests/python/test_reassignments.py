"""Reassignments are those of the command line, from files and from what callers hold."""

import csv
import io
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
        ({"rates": {"a": "20GB", "b": "9GB"}}, ["--rates", "both.csv"]),
        ({"rates": [("a", "20GB"), ("b", "9GB")], "half_duplex": True}, ["--rates", "both.csv"]),
        ({"half_duplex": True, "at_once": 2}, ["--half-duplex", "--at-once", 2]),
        ({"replicas": {"logs": 2, "shop": 3}, "copy_from": "old"},
         ["--replicas", "logs=2,shop=3", "--copy-from", "old"]),
    ]
    (files / "both.csv").write_text("machine,both\na,20GB\nb,9GB\n")
    (files / "forbidden.csv").write_text("item,machine\nwiki,b\nwiki,c\n")
    for given, words in options:
        printed = without_file(printed_by(program, *words))
        for items in (files / "items.csv", ITEMS, iter(ITEMS), DICTS, COLUMNS):
            found = equipoise.reassign(items, **given, effort=500)
            assert without_file(found) == printed, words
            assert bool(found) == printed["reached"]
            assert found.schedule == [(move["wave"], move["item"], move["from"] or "", move["to"])
                                      for move in printed["moves"]]


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


def test_copies_are_made_and_dropped_and_judged_as_planned(tmp_path):
    where = [("t", "a", 4), ("t", "b", 4), ("u", "a", 2), ("u", "b", 2), ("u", "c", 2)]
    asked = {"replicas": {"t": 3, "u": 1}, "level": "none"}
    plan = equipoise.reassign(where, ["a", "b", "c"], **asked, effort=500)
    assert plan.schedule == [(0, "t", "", "c")]
    assert plan["moves"][0]["from"] is None
    assert sorted(item for item, _ in plan.dropped) == ["u", "u"]
    judged = equipoise.check_reassign(plan, where, ["a", "b", "c"], **asked)
    assert judged and judged.dropped == plan.dropped
    assert not equipoise.check_reassign(plan.schedule, where, ["a", "b", "c"], **asked)
    plan.write_schedule(tmp_path / "moves.csv")
    assert equipoise.check_reassign(tmp_path / "moves.csv", where, ["a", "b", "c"], **asked)
    plan.write_rollback(tmp_path / "back.csv")
    assert (tmp_path / "back.csv").read_text().splitlines()[1] == "0,t,c,"
    with pytest.raises(equipoise.InputError, match="at most 3 copies of t"):
        equipoise.reassign(where, replicas=4)
    with pytest.raises(equipoise.InputError):
        equipoise.reassign(where, replicas=0)


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


def test_what_kafkas_tools_printed_is_read_from_open_files():
    topics = ("Topic: t\tPartitionCount: 2\tReplicationFactor: 2\tConfigs: \n"
              "\tTopic: t\tPartition: 0\tLeader: 2\tReplicas: 1,2\tIsr: 1,2\n"
              "\tTopic: t\tPartition: 1\tLeader: none\tReplicas: 1,2\tIsr: 2\n")
    brokers = "".join(f"h{number}:9092 (id: {number} rack: r{number % 2} isFenced: false) -> (\n"
                      for number in (1, 2, 3))
    found = equipoise.reassign(io.StringIO(topics), io.StringIO(brokers), effort=100)
    assert [machine["labels"] for machine in found["machines"]] == [
        {"rack": "r1"}, {"rack": "r0"}, {"rack": "r1"}]
    assert found["notes"] == [
        "items: t-1 has no leader, and cannot be copied until it has one",
        "items: t-1 has replicas that are not in sync",
        "each partition is kept on all 2 racks, or on as many as it has replicas, as Kafka places "
        "it (--spread none: anywhere)"]
    with pytest.raises(equipoise.InputError, match="^items: expected 2 partitions of topic"):
        equipoise.reassign(io.StringIO(topics[:topics.rindex("\tTopic: t")]))


GROUPS = [("g1", "a", "yes"), ("g1", "b", "no"), ("g2", "a", "yes"), ("g2", "b", "no"),
          ("g3", "a", "yes"), ("g3", "c", "no")]


def led(rows=GROUPS):
    return [dict(zip(("item", "machine", "leader"), row)) for row in rows]


def test_leaders_are_levelled_and_their_changes_judged_resumed_and_undone(tmp_path):
    plan = equipoise.reassign(led(), level="leaders")
    assert plan and plan.schedule == [] and len(plan.leaders) == 2
    assert [machine["leaders"]["after"] for machine in plan["machines"]] == [1, 1, 1]
    assert plan["at_least"]["leaders"] == 2 and ("g3", "a", "c") in plan.leaders
    assert equipoise.check_reassign(plan, led(), level="leaders")
    assert equipoise.check_reassign([("leaders", *row) for row in plan.leaders], led(),
                                    level="leaders")
    assert not equipoise.check_reassign([], led(), level="leaders")
    assert equipoise.reassign(led(), level="leaders", resume=plan).leaders == []
    plan.write_leaders(tmp_path / "leaders.csv")
    with open(tmp_path / "leaders.csv", newline="") as file:
        assert [tuple(row) for row in csv.reader(file)] == [("item", "from", "to"), *plan.leaders]
    plan.write_rollback(tmp_path / "back.csv")
    back = equipoise.check_reassign(tmp_path / "back.csv", led(), level="leaders", resume=plan)
    assert back.fault is None and not back.reached
    assert [machine["leaders"]["after"] for machine in back["machines"]] == [3, 0, 0]


def test_targets_are_files_rows_mappings_or_proposals(tmp_path):
    (tmp_path / "target.csv").write_text("item,machine,leader\ng1,c,yes\ng1,b,\n")
    for target in (tmp_path / "target.csv", f"places:{tmp_path / 'target.csv'}",
                   [("g1", "c", "yes"), ("g1", "b", "")],
                   [{"item": "g1", "machine": "c", "leader": "yes"},
                    {"item": "g1", "machine": "b", "leader": ""}]):
        plan = equipoise.reassign(led(), target=target)
        assert plan and plan.schedule == [(0, "g1", "a", "c")] and plan.leaders == []
        assert equipoise.check_reassign(plan, led(), target=target)
        assert not equipoise.check_reassign([], led(), target=target)
    assert equipoise.reassign(led(), target={"g1": ["c", "b"]}).schedule == [(0, "g1", "a", "c")]
    now = {"version": 1, "partitions": [{"topic": "t", "partition": 0, "replicas": [3, 4, 2]}]}
    order = {"version": 1, "partitions": [{"topic": "t", "partition": 0, "replicas": [2, 4, 3]}]}
    plan = equipoise.reassign(now, target=order)
    assert plan and plan.schedule == [] and plan.leaders == [("t-0", "3", "2")]
    with pytest.raises(equipoise.InputError, match="--target: expected no --level"):
        equipoise.reassign(led(), target={"g1": ["c", "b"]}, level="items")
