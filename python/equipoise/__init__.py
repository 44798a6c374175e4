"""Levels indivisible work across a network of processors by local exchanges.

    >>> import equipoise
    >>> run = equipoise.run("threshold-2", network="torus:8x8", loads="spike:tokens=1000")
    >>> int(run.final_loads.sum())
    1000

Networks come from generators, files, NetworkX, SciPy and arrays (`Network`); the verbs of the
command line are functions: `run`, `compare`, `plan`, `analyze`, `conjecture`, `verify`, `sweep`,
`algorithms`. Wrong input raises `InputError`, which is a ValueError.
"""

from equipoise import _core
from equipoise.errors import InputError, OverflowError, UnsuitableError
from equipoise.networks import Network
from equipoise.results import (Algorithms, Analysis, Comparison, Conjecture, Guarantee, History,
                               Plan, Run, Sweep, Verification)
from equipoise.verbs import (algorithms, analyze, compare, conjecture, plan, read_run, replay, run,
                             sweep, verify)

__version__ = _core.version
__all__ = [
    "Algorithms", "Analysis", "Comparison", "Conjecture", "Guarantee", "History", "InputError",
    "Network", "OverflowError", "Plan", "Run", "Sweep", "UnsuitableError", "Verification",
    "algorithms", "analyze", "compare", "conjecture", "plan", "read_run", "replay", "run", "sweep",
    "verify",
]
