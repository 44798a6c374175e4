"""Files that are not UTF-8: the errors of the command line, and names as they are meant."""

import json

import networkx
import pytest

import equipoise

BULLETS = "x" + "\N{BULLET}" * 30


def said_by(program, *arguments):
    """The error of the command line, whose bytes must be UTF-8."""
    finished = program(*arguments)
    assert finished.returncode == 2 and "\N{REPLACEMENT CHARACTER}" not in finished.stderr
    return finished.stderr.removeprefix("equipoise: ").rstrip("\n")


def refused(call, *arguments, **options):
    with pytest.raises(equipoise.InputError) as caught:
        call(*arguments, **options)
    return str(caught.value)


@pytest.mark.parametrize("contents", [
    f"a b\n{BULLETS}\n".encode(),  # cut inside a character
    f"a b\nxx{BULLETS}\n".encode(),
    f"a b\nxxx{BULLETS}\n".encode(),
    b"a b\nS\xe3o\n",
    b"a b\nS\xe3o\x1b[31m\x9b\n",
    b"a b\n" + bytes(range(128, 256)) + b"\n",
    b"a b\n\xed\xa0\x80\n",
    b"\x1f\x8b\x08\x00",
])
def test_errors_in_networks_are_those_of_the_command_line(contents, program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.edges").write_bytes(contents)
    said = said_by(program, "run", "threshold-2", "--network", "net.edges", "--loads",
                   "spike:tokens=5")
    assert refused(equipoise.run, "threshold-2", network="net.edges",
                   loads="spike:tokens=5") == said
    assert refused(equipoise.Network, "net.edges") == said


@pytest.mark.parametrize("contents", [b"node,tokens\nS\xe3o,5\n", b"node,tokens\n0,\xff\n",
                                      f"node,tokens\n{BULLETS},1\n".encode(),
                                      b"node,tokens\n0,1\n\x80\n"])
def test_errors_in_loads_are_those_of_the_command_line(contents, program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "l.csv").write_bytes(contents)
    said = said_by(program, "run", "threshold-2", "--network", "cycle:n=3", "--loads", "l.csv")
    assert refused(equipoise.run, "threshold-2", network="cycle:n=3", loads="l.csv") == said


@pytest.mark.parametrize("contents", [b'{"a": "S\xe3o"}', b"\xff\xfe{", b"S\xe3o", b'{"a\x80": 1}',
                                      f'{{"{BULLETS}": 1}}'.encode(), b'{"schema": "\xe3'])
def test_errors_in_records_are_those_of_the_command_line(contents, program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.json").write_bytes(contents)
    said = said_by(program, "verify", "r.json")
    assert refused(equipoise.verify, "r.json") == said


@pytest.mark.parametrize("contents", [b"\xa1\xff\xfe\x00", b'{"phases\xe3": []}', b"S\xe3o",
                                      f'{{"phases": [], "{BULLETS}": 1}}'.encode()])
def test_errors_in_traces_are_those_of_the_command_line(contents, program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.0.json").write_bytes(contents)
    said = said_by(program, "trace", "data.0.json")
    assert refused(equipoise.trace, "data.0.json") == said


@pytest.mark.parametrize("contents", [b"item,node,size\nS\xe3o,a,x\n", b"\xff\n",
                                      f"item,node,size\n{BULLETS},a,b,c\n".encode()])
def test_errors_in_items_are_those_of_the_command_line(contents, program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "i.csv").write_bytes(contents)
    said = said_by(program, "plan", "--sizes", "i.csv")
    assert refused(equipoise.plan_items, sizes="i.csv") == said


def test_names_in_other_encodings_are_names_everywhere(program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.edges").write_bytes(b"a S\xe3o\nb S\xe3o\nb S\xe9o\n")
    (tmp_path / "l.csv").write_bytes(b"node,tokens\nS\xe3o,5\nS\xe9o,1\n")
    network = equipoise.Network("net.edges")
    assert network.nodes == ["a", "São", "b", "Séo"]
    assert network.dropped == "read as Windows-1252 (not UTF-8)"
    assert sorted(network.to_networkx().nodes) == ["São", "Séo", "a", "b"]
    run = equipoise.run("threshold-2", network=network, loads="l.csv")
    assert run.initial_loads.tolist() == [0, 5, 0, 1]
    again = equipoise.run("threshold-2", network=network, loads={"São": 5, "Séo": 1})
    assert again.final_loads.tolist() == run.final_loads.tolist()
    run.write("record.json")
    assert json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))
    assert equipoise.read_run("record.json").network.nodes == network.nodes
    assert equipoise.verify("record.json")
    run.save_html("page.html")
    assert "São" in (tmp_path / "page.html").read_text(encoding="utf-8")
    network.write("net.gml")
    assert equipoise.Network("net.gml").nodes == network.nodes
    finished = program("generate", "--network", "net.edges", "-o", "out.graphml")
    assert finished.stderr.endswith("note: net.edges: read as Windows-1252 (not UTF-8)\n")


def test_names_that_a_file_would_lose_are_refused(tmp_path):
    graph = networkx.Graph([("a", " a"), (" a", "b")])
    assert "for every node" in refused(equipoise.Network(graph).write, str(tmp_path / "net.gml"))
