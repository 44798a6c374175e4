"""Plans of items are those of the command line, from files and from what callers hold."""

import csv
import io
import json
import pathlib
import sys

import pytest

import equipoise

SIZES = [("logs", "a", 8), ("mail", "a", 5), ("shop", "a", 4), ("wiki", "a", 3), ("blog", "b", 2),
         ("chat", "c", 2)]
RATES = {"a": (9, 9), "b": (6, 9), "c": (9, 9)}
KAFKA = {"version": 1, "partitions": [
    {"topic": "t", "partition": number, "replicas": [1, 2]} for number in range(3)]}


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header.split(","))
        writer.writerows(rows)


@pytest.fixture
def files(tmp_path):
    write(tmp_path / "sizes.csv", "item,node,size", SIZES)
    write(tmp_path / "rates.csv", "node,in,out", [(node, *both) for node, both in RATES.items()])
    write(tmp_path / "capacities.csv", "node,capacity", [("a", 30), ("b", 13)])
    (tmp_path / "now.json").write_text(json.dumps(KAFKA))
    return tmp_path


def test_a_plan_is_that_of_the_command_line_from_files_rows_and_mappings(program, files):
    by_node = {node: {item: size for item, at, size in SIZES if at == node} for node in "abc"}
    options = [
        ({}, []),
        ({"rates": RATES}, ["--rates", "rates.csv"]),
        ({"at_once": 2, "nodes": ["d"], "drain": ["a"]},
         ["--at-once", 2, "--nodes", "d", "--drain", "a"]),
        ({"tolerance": 0.5, "pinned": ["c"]}, ["--tolerance", 0.5, "--pinned", "c"]),
        ({"capacities": {"a": 30, "b": 13}}, ["--capacities", "capacities.csv"]),
        ({"target": "at-most:12"}, ["--target", "at-most:12"]),
    ]
    for given, words in options:
        printed = json.loads(program("plan", "--sizes", "sizes.csv", *words, "--json").stdout)
        for sizes in (files / "sizes.csv", SIZES, iter(SIZES), by_node):
            found = equipoise.plan_items(sizes=sizes, **given)
            assert found.figures == printed, words
            assert [list(move) for move in found.schedule] == printed["schedule"]
            assert (found.moves, found.waves, found.exact) == (
                printed["moves"], printed["waves"], printed["exact"])
    text = program("plan", "--sizes", "sizes.csv", "--rates", "rates.csv", "--explain").stdout
    found = equipoise.plan_items(sizes=files / "sizes.csv", rates=files / "rates.csv")
    assert text.endswith(found.certificate) and found.certificate in found._repr_html_()
    assert "the list `schedule`" in str(found) and "2 waves" in repr(found)


def test_targets_are_speeds_by_node_and_places_by_item(program, files):
    write(files / "speeds.csv", "node,speed", [("a", 3), ("b", 1)])
    write(files / "ends.csv", "item,node", [("logs", "b"), ("mail", "c")])
    for target, words in (({"a": 3, "b": 1}, "speeds:speeds.csv"),
                          ([("logs", "b"), ("mail", "c")], "places:ends.csv")):
        done = program("plan", "--sizes", "sizes.csv", "--target", words, "--json")
        found = equipoise.plan_items(sizes=SIZES, target=target)
        assert dict(found.figures, target=words) == json.loads(done.stdout)
    assert {item: to for _, item, _, to in found.schedule} == {"logs": "b", "mail": "c"}


def test_items_without_names_and_numbers_as_names(program, files):
    write(files / "loads.csv", "node,tokens", [(1, 7), (2, 0), (3, 2)])
    found = equipoise.plan_items(loads={1: 7, 2: 0, 3: 2}, at_once=2)
    done = program("plan", "--loads", "loads.csv", "--at-once", 2, "--json")
    assert found.figures == json.loads(done.stdout)
    assert all(len(move) == 3 for move in found.schedule)
    assert equipoise.check_items(found, loads={1: 7, 2: 0, 3: 2}, at_once=2)


def test_a_plan_broken_off_anywhere_goes_on_to_the_target(files):
    whole = equipoise.plan_items(sizes=SIZES, rates=RATES)
    for done in range(len(whole.schedule) + 1):
        rest = equipoise.plan_items(sizes=SIZES, rates=RATES, resume=whole.schedule[:done])
        assert rest.figures["done"] == done
        assert equipoise.check_items(rest, sizes=SIZES, rates=RATES, resume=whole.schedule[:done])
    assert rest.schedule == []
    whole.write_schedule(files / "moves.csv")
    assert equipoise.check_items(files / "moves.csv", sizes=SIZES, rates=RATES)


def test_a_check_is_that_of_the_command_line(program, files):
    mine = [(0, "mail", "a", "b"), (0, "shop", "a", "b")]
    write(files / "mine.csv", "wave,item,from,to", mine)
    words = ("plan", "--sizes", "sizes.csv", "--rates", "rates.csv", "--check", "mine.csv")
    found = equipoise.check_items(mine, sizes=SIZES, rates=RATES)
    done = program(*words)
    assert done.returncode == 1 and not found
    assert str(found).replace("check:", "mine.csv:") == done.stdout
    printed = json.loads(program(*words, "--json").stdout)
    assert set(found) == set(printed) and found["holds"] is printed["holds"] is False


def test_partitions_of_kafka_as_objects_and_files(program, files):
    proposed = json.loads(json.dumps(KAFKA))
    proposed["partitions"][0]["replicas"] = [3, 2]
    sizes = {"version": 1, "brokers": [
        {"broker": broker, "logDirs": [{"error": None, "logDir": "/d", "partitions": [
            {"partition": f"t-{number}", "size": 10 * number, "offsetLag": 0, "isFuture": False}
            for number in range(3)]}]}
        for broker in (1, 2)]}
    found = equipoise.plan_items(sizes=KAFKA, log_dirs=sizes, nodes=[3], target=proposed)
    assert found.schedule == [(0, "t-0", "1", "3")]
    found.write_schedule(files / "plan.json")
    assert json.loads((files / "plan-0.json").read_text())["partitions"] == [
        proposed["partitions"][0]]
    done = program("plan", "--sizes", "now.json", "--nodes", "3", "--json")
    assert equipoise.plan_items(sizes=KAFKA, nodes=[3]).figures == json.loads(done.stdout)


def test_empty_shards_are_items_that_move_where_they_must():
    where = {"a": {"empty": 0}, "b": {"full": 5}}
    assert equipoise.plan_items(sizes=where).moves == 0
    found = equipoise.plan_items(sizes=where, drain=["a"])
    assert found.exact and found.schedule == [(0, "empty", "a", "b")]
    assert not equipoise.check_items([], sizes=where, drain=["a"])
    sizes = {"version": 1, "brokers": [
        {"broker": broker, "logDirs": [{"partitions": [
            {"partition": f"t-{number}", "size": 0} for number in range(3)]}]}
        for broker in (1, 2)]}
    found = equipoise.plan_items(sizes=KAFKA, log_dirs=sizes, nodes=[3], drain=[1])
    assert found.figures["size"] == 0 and all(tail == "1" for _, _, tail, _ in found.schedule)


def test_one_large_item_leaves_the_others_to_be_levelled():
    where = {"a": {f"i{i}": 3 for i in range(20)}, "b": {"big": 100}}
    found = equipoise.plan_items(sizes=where, nodes=["c", "d"])
    assert found.exact and found.moves == 6


def test_what_kafkas_tools_print_is_read_and_waves_are_checked_and_resumed(files):
    proposed = {"version": 1, "partitions": [
        {"topic": "t", "partition": number, "replicas": [2, 3]} for number in range(3)]}
    (files / "generated.txt").write_text(
        f"Current partition replica assignment\n{json.dumps(KAFKA)}\n\n"
        f"Proposed partition reassignment configuration\n{json.dumps(proposed)}\n")
    asked = {"sizes": files / "generated.txt", "nodes": [3],
             "target": f"places:{files / 'generated.txt'}"}
    found = equipoise.plan_items(**asked)
    assert [note.split("; ")[1] for note in found.notes] == [
        "the current one, on line 2, is read", "the proposed one, on line 5, is read"]
    assert (found.moves, found.waves, found.figures["leaders"]) == (3, 3, 3)
    assert found.figures["order"] == []
    found.write_schedule(files / "plan.json")
    waves = [json.loads((files / f"plan-{number}.json").read_text()) for number in range(3)]
    assert [wave["partitions"][0]["replicas"] for wave in waves] == [[2, 3]] * 3
    for whole in (files / "plan-0.json", files / "plan.json", waves):
        judged = equipoise.check_items(whole, **asked)
        assert judged and judged["leaders"] == 3 and judged["waves"] == 3
    assert not equipoise.check_items(waves[:2], **asked)
    for done in (files / "plan-1.json", waves[:2]):
        rest = equipoise.plan_items(**asked, resume=done)
        assert (rest.figures["done"], rest.moves) == (2, 1)
    waves[2]["partitions"][0]["replicas"] = [3, 2]
    assert "ends with the replicas 3,2, not 2,3" in str(equipoise.check_items(waves, **asked))
    assert "order            not judged" in str(equipoise.check_items(found, **asked))


def test_what_kafkas_tools_printed_is_read_from_open_files(files):
    printed = "".join(f"\tTopic: t\tPartition: {number}\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
                      for number in range(3))
    (files / "topics.txt").write_text(printed)
    found = equipoise.plan_items(sizes=io.StringIO(printed), nodes=[3])
    assert found.moves == 2 and found.figures["items"] == 6
    with open(files / "topics.txt", "rb") as opened:
        assert equipoise.plan_items(sizes=opened, nodes=[3]).figures == found.figures
    assert equipoise.plan_items(sizes=files / "topics.txt", nodes=[3]).figures == found.figures
    stands = json.dumps(KAFKA).replace("[1, 2]", "[3, 2]") + (
        "\nReassignment of partition t-0 is completed.\n"
        "Reassignment of partition t-1 is still in progress.\n"
        "There is no active reassignment of partition t-2, but replica set is 1,2 rather than 3,2."
        "\n")
    rest = equipoise.plan_items(sizes=KAFKA, nodes=[3], resume=io.StringIO(stands))
    assert rest.figures["done"] == 2
    assert [note.split(";")[0] for note in rest.notes] == ["resume: t-1 is being reassigned"]


def test_names_of_any_characters_come_back():
    odd = 'a, "b" \u20ac '
    found = equipoise.plan_items(sizes=[(odd, odd, 1), ("x", odd, 1)], nodes=["z, z"])
    (_, item, tail, head), = found.schedule
    assert item in (odd, "x") and tail == odd and head == "z, z"


def test_what_is_wrong_is_said_in_one_line():
    for options, message in (
            ({}, "expected --sizes or --loads"),
            ({"sizes": SIZES, "loads": {"a": 1}}, "either --sizes or --loads"),
            ({"sizes": [("logs", "a", -1)]}, "^sizes:2: expected a size"),
            ({"sizes": SIZES, "nodes": ["d", ""]}, "--nodes: expected names .* found an empty"),
            ({"sizes": SIZES, "pinned": [""]}, "--pinned: expected names .* found an empty"),
            ({"sizes": [("logs", "a", 1), ("logs", "a", 1)]}, "^sizes:3: item .* twice"),
            ({"sizes": [("logs", "a"), ("mail", "a", 2)]}, "^sizes: expected rows item, node"),
            ({"sizes": 7}, "^sizes: expected a file"),
            ({"sizes": [("lo\ngs", "a", 1)]}, "^sizes: expected names in one line"),
            ({"sizes": [("logs", "a", 1.5)]}, "^sizes: expected names in one line"),
            ({"sizes": "no-such.csv"}, "no-such.csv"),
            ({"sizes": SIZES, "log_dirs": {}}, "^log_dirs: expected"),
            ({"sizes": SIZES, "rates": {"q": (1, 1)}}, "^rates:2: expected a node"),
            ({"sizes": SIZES, "rates": {"a": (1, -1)}}, "^rates:2: expected"),
            ({"sizes": SIZES, "capacities": {"a": -1}}, "^capacities:2: expected"),
            ({"sizes": SIZES, "target": {"a": -1}}, "^target:2: expected"),
            ({"sizes": SIZES, "target": [("q", "a")]}, "^target:2: expected an item"),
            ({"sizes": SIZES, "target": "flat"}, "^unknown target .*: expected floor-ceil"),
            ({"sizes": SIZES, "tolerance": -1}, "tolerance: expected a number"),
            ({"sizes": SIZES, "at_once": 0}, "^at_once: expected a whole number"),
            ({"sizes": SIZES, "drain": "a"}, "^drain: expected a list"),
            ({"sizes": SIZES, "drain": ["q"]}, "--drain: expected a node"),
            ({"sizes": SIZES, "resume": [(0, "logs", "b", "a")]}, "^resume:2: node b")):
        with pytest.raises(equipoise.InputError, match=message) as caught:
            equipoise.plan_items(**options)
        assert "\n" not in str(caught.value)
    with pytest.raises(equipoise.UnsuitableError, match="cannot be drained"):
        equipoise.plan_items(sizes=SIZES, rates={"a": (1, 1)}, drain=["a"])


def test_figures_are_the_objects_of_the_schemas():
    jsonschema = pytest.importorskip("jsonschema")
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
    import json_schemas
    found = equipoise.plan_items(sizes=SIZES, rates=RATES)
    turned = json.loads(json.dumps(KAFKA))
    turned["partitions"][0]["replicas"] = [2, 1]
    for name, figures in (("equipoise-plan-items", found.figures), ("equipoise-plan-check", dict(
            equipoise.check_items(found, sizes=SIZES, rates=RATES))),
            ("equipoise-plan-items", equipoise.plan_items(sizes=KAFKA, target=turned).figures),
            ("equipoise-plan-check", dict(
                equipoise.check_items([turned], sizes=KAFKA, target=turned)))):
        schema = json_schemas.closed(json_schemas.load()[name])
        jsonschema.Draft202012Validator(schema).validate(figures)
