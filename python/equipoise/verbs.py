"""The verbs of the command line as functions. Keyword arguments have the names of its options, with
underscores for dashes, and wrong values give the same messages."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from numpy.typing import NDArray

from equipoise import _core, inputs
from equipoise.errors import InputError
from equipoise.networks import Network, NetworkLike, network_of, plain, shown, whole
from equipoise.programs import NodeProgram
from equipoise.progress import Bar
from equipoise.results import (Algorithms, Analysis, Comparison, Conjecture, LoadTrace, Plan, Run,
                               Verification, Worst)
from equipoise.rules import DealRule, EdgeRule

if TYPE_CHECKING:
    import scipy.sparse

#: A spec, a CSV file, a mapping from nodes to whole numbers, or an array of one number per node.
NumbersByNode = Union[str, "os.PathLike[str]", Mapping[Any, int], NDArray[Any], Sequence[int]]
#: The name of an algorithm, or a rule of one's own.
AlgorithmLike = Union[str, EdgeRule, DealRule, NodeProgram]
#: A name, a file, or a list of arrays of pairs of nodes.
Matchings = Union[str, "os.PathLike[str]", Sequence[Any]]
#: A file, a doubly stochastic SciPy matrix, or a mapping from pairs of nodes to fractions.
Matrix = Union[str, "os.PathLike[str]", "scipy.sparse.spmatrix", Mapping[Any, Any]]
#: The default of an argument that must be given, after one that need not be.
_NEEDED: Any = object()


def run(algorithm: AlgorithmLike, network: NetworkLike, loads: NumbersByNode, *,
        format: str = "", header: bool | None = None, simplify: bool = False,
        largest_component: bool = False, record_level: str | None = None, progress: bool = False,
        # Options, written by tools/python_options.py:
        seed: int = 0, threads: int = 1, max_steps: int | None = None, stop: str | None = None,
        param: Mapping[str, Any] | None = None, speeds: NumbersByNode | None = None,
        matchings: Matchings | None = None, matrix: Matrix | None = None, tree: Any = None,
        colouring: Matchings | None = None, deviation: bool = False, delays: str | None = None,
        adversary: str | None = None, faults: str | None = None, ports: str | int | None = None,
        arrivals: str | None = None, churn: str | None = None, extremes: bool = False,
        recovery: bool = False, optimum: bool = False, reorder: str | None = None
        ) -> Run:
    """Runs one algorithm.

    Parameters
    ----------
    algorithm
        Its name (see `equipoise.algorithms`), or a rule of your own (see `equipoise.edge_rule`).
    network
        A `Network` or anything that makes one; `format`, `header`, `simplify` and
        `largest_component` are as for `Network`.
    loads
        Tokens: a spec (``"spike:tokens=1000"``), a CSV file node,tokens, a mapping from nodes to
        whole numbers (0 where a node is not named), or an array of shape (nodes,).
    record_level
        How much the record holds: summary, sampled or full. Default: full up to 400 nodes, sampled
        up to a million, a summary beyond.
    progress
        Show a tqdm bar, if tqdm is installed.

    Other Parameters
    ----------------
    seed
        The seed of everything random whose spec has no seed= of its own (default 0).
    threads
        How many threads to use; 0: all that the machine has (default 1).
    max_steps
        End after this many steps at the latest; a round that would exceed the limit is not started.
    stop
        Also end by this rule: discrepancy:D, one-balanced, quiet:STEPS, stable:STEPS,
        own-termination; join several with +; with `max_steps` as well, the algorithm's own stop
        rule is ignored.
    param
        Parameters of the algorithm, by name.
    speeds
        A CSV file with the columns node,speed: whole numbers (default 1); final loads are
        proportional to them. Or numbers as for `loads`, but 1 where a node is not named.
    matchings
        The matchings of balancing-circuit: standard (odd tokens go to the lower number), snake (to
        the lower number along the snake through a mesh or torus), uphill (away from one end of a
        longest shortest path), bitonic or periodic (counting networks), or a file: one line `tail
        head` per pair, an empty line between matchings. Or a list of arrays of shape (k, 2) of
        nodes, from tail to head.
    matrix
        The weights of diffusion: a file with one line `u v p/q` per entry P_uv of a doubly
        stochastic matrix (also P_vu, unless it has a line of its own). Or a doubly stochastic SciPy
        matrix, or a mapping from pairs of nodes to fractions, which gives both directions of a link
        unless it names both.
    tree
        The spanning tree of algorithms that run on one: breadth-first (default), minimum-diameter,
        low-degree or a file of its links, one line `u v` for each. Or a NetworkX tree, or an array
        of its links.
    colouring
        The edge colouring of threshold-1, threshold-1-plus, threshold-2 and dimension-exchange: a
        file of matchings as for `matchings`, one per colour, with every link once. Or a list of
        arrays of shape (k, 2) of nodes, from tail to head.
    deviation
        Also run the idealised process, past the end of the run if necessary, and report the largest
        deviation from it at any time, with its error bound.
    delays
        Delays of messages in asynchronous algorithms: unit (default), random[:max=16],
        heavy-tail[:max=1048576].
    adversary
        An adversary that delays messages in asynchronous algorithms: starve:NODE,
        slow-link:FROM-TO, newest-first, hold-acks.
    faults
        Faults of channels: loss=0.1,duplicate=0.1,reorder=0.1,capacity=4; of nodes:
        crash=0.01,down=64,corrupt-start; until=1000 ends all faults.
    ports
        How many ports a node uses at once in asynchronous algorithms: 1 (it sends at most one
        message per tick and receives at most one) or all (default).
    arrivals
        Tokens that arrive and are consumed every round: poisson:rate=0.5,
        burst:every=50,tokens=500, spike:tokens=10, link:tokens=1 (each also accepts consume=RATE)
        or replay:FILE.csv; the run goes on for `max_steps` (default 1000).
    churn
        Nodes and links that come and go: random:nodes=0.01,links=0.02,back=0.1,
        adversary:sorted-path or replay:FILE.csv.
    extremes
        Keep every move, for `Run.extremes`: the smallest and the largest load of any node at any
        time; tokens under way belong to no node.
    recovery
        With `churn`: keep every move, for `Run.recovery`: how the network becomes 1-balanced again
        after each change.
    optimum
        Also compute the fewest steps and exchanges possible; the record keeps them.
    reorder
        Store the nodes in another order, so that neighbours lie close together in memory:
        cuthill-mckee, degrees or hilbert; for synchronous rounds; changes no result.

    Notes
    -----
    Raises InputError for wrong input and UnsuitableError if the algorithm cannot run on the
    network. Ctrl-C ends the run and raises KeyboardInterrupt.

    Examples
    --------
    >>> done = run("threshold-2", "torus:8x8", "spike:tokens=1000")
    >>> done.discrepancy <= done.guarantee.discrepancy
    True
    >>> import networkx
    >>> graph = networkx.les_miserables_graph()
    >>> done = run("discrepancy-1", graph, {"Valjean": 770})
    >>> done.loads["Cosette"]
    10
    """
    arguments = locals()
    net = network_of(network, format=format, header=header, simplify=simplify,
                     largest_component=largest_component, seed=seed)
    options = inputs.run_options(net, arguments)
    with Bar(progress) as bar:
        handle = _core.run(_known(algorithm), net._handle, inputs.by_node("loads", loads, net, 0),
                           options, inputs.text("record_level", record_level) or "",
                           bar.show)
    return Run(handle, net)


def compare(algorithms: AlgorithmLike | Sequence[AlgorithmLike] = (),
            network: NetworkLike = _NEEDED, loads: NumbersByNode = _NEEDED, *, format: str = "",
            header: bool | None = None, simplify: bool = False, largest_component: bool = False,
            optimum: bool = False, sort: str | None = None, record_level: str | None = None,
            progress: bool = False,
        # Options, written by tools/python_options.py:
        seed: int = 0, threads: int = 1, max_steps: int | None = None, stop: str | None = None,
        param: Mapping[str, Any] | None = None, speeds: NumbersByNode | None = None,
        matchings: Matchings | None = None, matrix: Matrix | None = None, tree: Any = None,
        colouring: Matchings | None = None, deviation: bool = False, delays: str | None = None,
        adversary: str | None = None, faults: str | None = None, ports: str | int | None = None
        ) -> Comparison:
    """Runs several algorithms on one instance; with no names, all that can run on the network.

    Options are those of `run`; each algorithm gets those that it takes. `optimum` also computes the
    fewest steps, exchanges and moves possible; `sort` orders the runs, smallest first, by
    discrepancy, local-imbalance, steps, rounds, exchanges, messages, time or name.

    >>> found = compare(["threshold-1", "discrepancy-1"], "path:n=8", "staircase")
    >>> found["discrepancy-1"].discrepancy
    1
    """
    arguments = locals()
    for name in ("network", "loads"):
        if arguments[name] is _NEEDED:
            raise TypeError(f"compare() missing 1 required argument: {name!r}")
    net = network_of(network, format=format, header=header, simplify=simplify,
                     largest_component=largest_component, seed=seed)
    options = inputs.run_options(net, arguments)
    options.update(sort=inputs.text("sort", sort) or "",
                   record_level=inputs.text("record_level", record_level) or "")
    is_list = isinstance(algorithms, Iterable) and not isinstance(algorithms, str)
    given: list[Any] = list(algorithms) if is_list else [algorithms]  # type: ignore[arg-type]
    named = [_known(one) for one in given]
    with Bar(progress) as bar:
        handle, records, left_out, notes = _core.compare(
            named, net._handle, inputs.by_node("loads", loads, net, 0), options, bar.show)
    return Comparison(handle, [Run(record, net) for record in records], left_out, notes)


def plan(network: NetworkLike, loads: NumbersByNode, *, seed: int = 0, format: str = "",
         header: bool | None = None, simplify: bool = False, largest_component: bool = False,
         target: NumbersByNode = "floor-ceil", capacities: NumbersByNode | None = None,
         link_delays: str | os.PathLike[str] | Mapping[Any, int] | None = None,
         pinned: Sequence[Any] = (), ports: int | str = 1, in_flight: int = 0,
         memory: int | None = None, seconds: int = 600, fewest_exchanges: bool = False) -> Plan:
    """Finds a shortest schedule of single tokens and shows why none is shorter.

    Parameters
    ----------
    network, loads, seed, format, header, simplify, largest_component
        As for `run`.
    target
        The final loads: ``"floor-ceil"``, ``"at-most:TOKENS"``, ``"exact:DELTA"`` (at most DELTA
        above the mean, rounded up), ``"speeds:FILE.csv"``, or speeds by node.
    capacities
        The most tokens that nodes may hold after any step: a CSV file, a mapping or an array.
    link_delays
        How many steps a token takes over a link: a CSV file with the columns from,to,steps or a
        mapping from pairs of nodes (default 1).
    pinned
        Nodes that take no part.
    ports
        How many tokens a node may send, and how many it may receive, in one step; ``"all"``: one
        token over every link in each direction.
    in_flight
        At most this many tokens under way at once; 0: no limit.
    memory
        Use at most this many MiB of memory besides the network; by default 2048, or what bounds
        alone need.
    seconds
        Search for at most this many seconds, then return an interval for the fewest steps; 0: no
        limit.
    fewest_exchanges
        Find a schedule with the fewest exchanges among those with the fewest steps, even if that
        takes long.

    Notes
    -----
    Raises InputError for wrong input and UnsuitableError if the target cannot be reached.

    Examples
    --------
    >>> found = plan("mesh:4x4", "corner:tokens=16")
    >>> found.exact, found.steps
    (True, 15)
    """
    net = network_of(network, format=format, header=header, simplify=simplify,
                     largest_component=largest_component, seed=seed)
    options = {
        "seed": whole("seed", seed, 0, 2**64 - 1),
        "target": inputs.by_node("target", target, net, 1),
        "capacities": inputs.by_node("capacities", capacities, net, 2**61 - 1),
        "link_delays": inputs.link_delays(link_delays, net),
        "pinned": inputs.names("pinned", pinned, net),
        "ports": ports if ports == "all" else str(whole("ports", ports, 0)),
        "in_flight": whole("in_flight", in_flight, 0),
        "memory": None if memory is None else whole("memory", memory, 0),
        "seconds": whole("seconds", seconds, 0),
        "fewest_exchanges": bool(fewest_exchanges),
    }
    given = {name: value for name, value in options.items() if value is not None}
    return Plan(_core.plan(net._handle, inputs.by_node("loads", loads, net, 0), given), net)


def analyze(network: NetworkLike, loads: NumbersByNode = "spike:tokens=1000", *, seed: int = 0,
            format: str = "", header: bool | None = None, simplify: bool = False,
            largest_component: bool = False,
            threads: int = 1, matrix: Matrix | None = None, matchings: Matchings | None = None,
            observers: bool = False, gap: int = 0, exchange_ratio: bool = False) -> Analysis:
    """Shows what theory says about a network: its figures, every theorem's bound, algorithms that
    suit it. Bounds that depend on loads are for `loads`; `matrix` and `matchings` replace the
    natural diffusion and circuit; `observers` adds the tours of observers under threshold-1, `gap`
    examines this gap of a tree instead of the hardest, `exchange_ratio` adds the ratio with which
    dimension exchange on a tree is fastest.

    >>> analyze("cycle:n=8")["nodes"]
    8
    """
    net = network_of(network, format=format, header=header, simplify=simplify,
                     largest_component=largest_component, seed=seed)
    options = {
        "seed": whole("seed", seed, 0, 2**64 - 1),
        "threads": whole("threads", threads, 1, 4096),
        "matrix": inputs.matrix(matrix, net),
        "matchings": inputs.matchings("matchings", matchings, net),
        "observers": bool(observers),
        "gap": whole("gap", gap, 0),
        "exchange_ratio": bool(exchange_ratio),
    }
    given = {name: value for name, value in options.items() if value is not None}
    tokens = inputs.by_node("loads", loads, net, 0)
    named = tokens if isinstance(tokens, str) else "the given loads"
    return Analysis(*_core.analyze(net._handle, tokens, given, net.name, named))


def worst(algorithm: AlgorithmLike, network: NetworkLike, *, beside: AlgorithmLike | None = None,
          quantity: str = "steps", most: int = 4, tries: int | None = None,
          any_numbering: bool = False, seed: int = 0, format: str = "",
          header: bool | None = None, simplify: bool = False, largest_component: bool = False,
          param: Mapping[str, Any] | None = None, beside_param: Mapping[str, Any] | None = None,
          max_steps: int | None = None) -> Worst:
    """Searches for the initial loads that cost an algorithm most, alone or compared with another.

    Parameters
    ----------
    algorithm
        Its name, or a rule of your own.
    network, seed, format, header, simplify, largest_component
        As for `run`.
    beside
        Another algorithm: search for the largest and the smallest ratio of the first one's cost to
        this one's.
    quantity
        What counts as cost: steps, rounds, exchanges, messages, the step that the run is
        level-since, the final discrepancy, the deviation from the idealised process, the
        largest-load of any node at any time, or a ratio to the best possible: steps/optimum,
        level-since/optimum or exchanges/optimum.
    most
        At most this many tokens on a node.
    tries
        How many initial loads to try: random ones, and small changes of them that do not lower the
        cost. None: all loads that leave some node empty, at most 2^30.
    any_numbering
        Play them under other numbers of the nodes, too, by which algorithms break ties: under all
        that make a difference (at most 9 nodes) or, with `tries`, random ones.
    param, beside_param
        Parameters of the two algorithms, by name.
    max_steps
        End every run after this many steps at the latest.

    Examples
    --------
    >>> found = worst("deal-agreement-3", "path:n=4", beside="deal-agreement-2", most=8,
    ...               quantity="rounds")
    >>> found["worst"]["ratio"], found["worst"]["loads"]
    (2.0, [3, 0, 4, 8])
    >>> found = worst("threshold-1", network="path:n=4", quantity="steps/optimum")["worst"]
    >>> found["value"], found["cost"], found["optimum"], found["loads_spec"]
    (12.0, 12, 1, 'at:0=1,1=2,3=1')
    """
    net = network_of(network, format=format, header=header, simplify=simplify,
                     largest_component=largest_component, seed=seed)
    options = {
        "seed": whole("seed", seed, 0, 2**64 - 1),
        "quantity": plain("quantity", quantity),
        "most": whole("most", most, 0, 2**64 - 1),
        "tries": None if tries is None else whole("tries", tries, 0, 2**64 - 1),
        "any_numbering": bool(any_numbering),
        "param": inputs.parameters(param),
        "beside_param": inputs.parameters(beside_param, "beside_param"),
        "max_steps": None if max_steps is None else whole("max_steps", max_steps, 0, 2**64 - 1),
    }
    given = {name: value for name, value in options.items() if value is not None}
    other = None if beside is None else _known(beside)
    return Worst(*_core.worst(_known(algorithm), other, net._handle, given))


def conjecture(*, k: int | str, h: int | str, profiles: int = 128) -> Conjecture:
    """Compares the maximum stable discrepancies of complete k-ary trees of height h with the
    conjecture of Houle, Symvonis and Wood; `k` and `h` are numbers or ranges such as ``"2..8"``,
    `profiles` is the search effort: cost profiles kept per level of the tree.

    >>> [row["holds"] for row in conjecture(k=2, h="1..3")]
    [True, True, True]
    """
    return Conjecture(*_core.conjecture(str(k), str(h), whole("profiles", profiles, 0)))


def verify(record: Run | Conjecture | Mapping[str, Any] | str | os.PathLike[str]) -> Verification:
    """Checks a record from its numbers alone, without the algorithms that made it: a `Run`, its
    `record`, a file (of a run or of `Plan.write_windows`), or what `conjecture` returned.

    >>> bool(verify(run("threshold-1", "path:n=4", [8, 0, 0, 0])))
    True
    """
    text: str | bytes
    if isinstance(record, Run):
        text, origin = record._handle.to_json(), "record"
    elif isinstance(record, Conjecture):
        text, origin = record.to_json(), "conjecture"
    elif isinstance(record, (str, os.PathLike)):
        origin = plain("record", record)
        text = _core.read_json_text(origin)
    elif isinstance(record, Mapping):
        text, origin = inputs.json_of("record", record), "record"
    else:
        raise InputError("verify: expected a Run, a record, a Conjecture or a file, found "
                         f"{type(record).__name__}")
    return Verification(*_core.verify(text, origin))


def replay(record: Run | str | os.PathLike[str], *, rule: AlgorithmLike | None = None,
           threads: int = 1) -> tuple[bool, str, Run]:
    """Repeats the run that a record describes; returns whether the outcome is the same, what
    differs or was compared, and the new run. `rule`: the rule of the run, if it was your own.

    >>> first = run("coin-averaging", "cycle:n=6", "spike:tokens=50", seed=3)
    >>> replay(first)[0]
    True
    """
    handle = (record._handle if isinstance(record, Run)
              else _core.read_record(plain("record", record)))
    same, detail, again = _core.replay(handle, whole("threads", threads, 0, 4096), rule)
    net = record.network if isinstance(record, Run) else Network._of(_core.network_of(handle))
    return same, detail, Run(again, net)


def read_run(path: str | os.PathLike[str]) -> Run:
    """A run from its record, as `Run.write` or `equipoise run --record` wrote it."""
    handle = _core.read_record(plain("path", path))
    return Run(handle, Network._of(_core.network_of(handle)))


def trace(*paths: str | os.PathLike[str], policy: str = "weighted", tolerance: float = 0.0,
          times: str | None = None, advise: bool = False, cost: float = 0.0,
          output: str | os.PathLike[str] | None = None,
          html: str | os.PathLike[str] | None = None) -> LoadTrace:
    """Levels a load trace of DARMA vt, and reports what that gains and what it moves.

    Parameters
    ----------
    paths
        A folder with the files of all ranks (``data.0.json``, ``data.1.json.br``, ...), or the
        files.
    policy
        ``"weighted"`` levels the seconds, ``"minimum-moves"`` the numbers of tasks,
        ``"keep-order"`` the numbers of tasks in their order across ranks.
    tolerance
        With the policy weighted: accept a largest load of (1 + tolerance) times the average, and
        move only as much as that requires (0: as level as the tasks allow).
    times
        ``"own"`` (default): plan each phase from its own times; ``"previous"``: from the times of
        the phase before, as a balancer must at run time.
    advise, cost
        Balance only after phases where it pays, if balancing once takes `cost` seconds.
    output
        Write the trace with its new placement to this folder, which must be new or empty.
    html
        Write an HTML page to this file: the loads of all ranks before and after.

    Notes
    -----
    Raises InputError for wrong input. Ctrl-C leaves nothing half-written.

    Examples
    --------
    >>> import json, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for rank, times in enumerate([[2.0, 1.0, 1.0], []]):
    ...         tasks = [{"entity": {"home": 0, "id": k, "migratable": True, "type": "object"},
    ...                   "node": rank, "resource": "cpu", "time": seconds}
    ...                  for k, seconds in enumerate(times)]
    ...         with open(f"{folder}/data.{rank}.json", "w") as file:
    ...             json.dump({"phases": [{"id": 0, "tasks": tasks}]}, file)
    ...     found = trace(folder)
    >>> found["imbalance"]["before"], found["imbalance"]["after"], found["moved"]["tasks"]
    (1.0, 0.0, 1)
    """
    options = {
        "policy": plain("policy", policy),
        "tolerance": inputs.real("tolerance", tolerance),
        "times": inputs.text("times", times) or "",
        "advise": bool(advise),
        "cost": inputs.real("cost", cost),
        "output": "" if output is None else plain("output", output),
        "html": "" if html is None else plain("html", html),
    }
    return LoadTrace(*_core.trace([plain("paths", path) for path in paths], options))


def algorithms() -> Algorithms:
    """All algorithms: what they need and promise, and which parameters they take.

    >>> algorithms()["threshold-2"]["model"]
    'single-port'
    """
    return Algorithms(_core.algorithms_json(), _core.algorithms(""))


def _known(algorithm: Any) -> Any:
    """An algorithm whose name, if it is one, the library can read."""
    return plain("algorithm", algorithm) if isinstance(algorithm, str) else algorithm
