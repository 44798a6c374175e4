"""Levels indivisible work across a network of processors by local exchanges."""

from equipoise import _core
from equipoise.errors import InputError, OverflowError, UnsuitableError

__version__ = _core.version


def run(algorithm, *, network, loads, seed=0):
    return _core.run(algorithm, _core.network_from_text(network, "", False, False, seed),
                     loads, seed)
