"""Levels indivisible work across a network of processors by local exchanges.

    >>> import equipoise
    >>> run = equipoise.run("threshold-2", network="torus:8x8", loads="spike:tokens=1000")
    >>> int(run.final_loads.sum())
    1000

Networks come from generators, files, NetworkX, SciPy and arrays (`Network`); the verbs of the
command line are functions: `run`, `compare`, `plan`, `reassign`, `check_reassign`, `plan_items`,
`check_items`, `experts`, `experts_each_step`, `analyze`, `worst`, `conjecture`, `verify`, `sweep`,
`summarise`, `trace`, `algorithms`.
Algorithms of your own are functions of NumPy arrays (`edge_rule`, `deal_rule`) and classes
(`node_program`). Wrong input raises `InputError`, which is a ValueError.
"""

from equipoise import _core
from equipoise.errors import InputError, OverflowError, UnsuitableError
from equipoise.expert_copies import Experts, ExpertsSteps, experts, experts_each_step
from equipoise.items import ItemCheck, ItemPlan, check_items, plan_items
from equipoise.networks import Network
from equipoise.programs import NodeProgram, node_program
from equipoise.reassignment import Reassignment, check_reassign, reassign
from equipoise.results import (Algorithms, Analysis, Comparison, Conjecture, Guarantee, History,
                               LoadTrace, Plan, Run, Verification, Worst)
from equipoise.rules import DealRule, EdgeRule, deal_rule, edge_rule
from equipoise.summaries import Summary, summarise
from equipoise.sweeps import Sweep, sweep
from equipoise.verbs import (algorithms, analyze, compare, conjecture, plan, read_run, replay, run,
                             trace, verify, worst)

__version__ = _core.version
# `OverflowError` is not exported, since it would hide the built-in one.
__all__ = [
    "Algorithms", "Analysis", "Comparison", "Conjecture", "DealRule", "EdgeRule", "Experts",
    "ExpertsSteps", "Guarantee", "History", "InputError", "ItemCheck", "ItemPlan", "LoadTrace",
    "Network", "NodeProgram", "Plan", "Reassignment", "Run", "Summary", "Sweep", "UnsuitableError",
    "Verification", "Worst",
    "algorithms", "analyze", "check_items", "check_reassign", "compare", "conjecture", "deal_rule",
    "edge_rule", "experts", "experts_each_step", "node_program", "plan", "plan_items", "read_run",
    "reassign", "replay", "run", "summarise", "sweep", "trace", "verify", "worst",
]
