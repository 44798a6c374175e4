"""Items that one rank gives to equipoise.mpi, taken apart and put together again.

What is wrong with those of one rank is passed on to the others, which would wait otherwise.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from equipoise import _mpi  # type: ignore[attr-defined]
from equipoise.networks import shown


Taken = tuple["list[str] | None", Sequence[Any], Callable[[Sequence[Any]], Any], str]
T = TypeVar("T")


def attempt(act: Callable[[], T]) -> tuple[T | None, str, bool]:
    """What a function returns, or what is wrong, and whether memory is missing."""
    try:
        return act(), "", False
    except Exception as error:  # whatever it is, other ranks must hear of it
        text = " ".join(str(error).split()) or type(error).__name__
        return None, text, isinstance(error, MemoryError)


def taken_apart(items: Any) -> Taken:
    """What arrays are called, which must be the same on all ranks (None: objects); the arrays or
    the list; how to put them together again; and what is wrong."""
    taken, wrong, _ = attempt(lambda: _taken_apart(items))
    return taken or ([], [], tuple, f"items: {wrong}")


def _taken_apart(items: Any) -> Taken:
    if isinstance(items, list):
        return None, [items if type(items) is list else list(items)], lambda parts: parts[0], ""
    arrays: list[Any]
    rebuild: Callable[[Sequence[Any]], Any]
    labels = [""]
    if isinstance(items, dict):
        keys = list(items)
        labels = [f"{shown(key)}: " for key in keys]
        arrays, rebuild = list(items.values()), lambda parts: dict(zip(keys, parts))
    elif isinstance(items, tuple):
        arrays, rebuild, labels = list(items), tuple, ["tuple: "] * len(items)
    else:
        arrays, rebuild = [items], lambda parts: parts[0]
    for array in arrays:
        if isinstance(array, np.ma.MaskedArray):
            return [], [], rebuild, ("items: expected arrays without a mask (move the mask "
                                     "beside the data), found a masked array")
        if not isinstance(array, np.ndarray):
            return [], [], rebuild, ("items: expected a NumPy array, a tuple or dict of "
                                     "arrays, or a list of objects, found "
                                     f"{type(array).__name__}")
        if array.ndim == 0:
            return [], [], rebuild, "items: expected arrays with rows, found a single number"
        if array.dtype.hasobject:
            return [], [], rebuild, ("items: expected arrays without Python objects (a list "
                                     f"takes them), found {array.dtype}")
        if len(array) != len(arrays[0]):
            return [], [], rebuild, ("items: expected arrays of one length, found "
                                     f"{len(arrays[0])} and {len(array)}")
    return labels, arrays, rebuild, "" if arrays else "items: expected at least one array"


class UnderWay:
    """Items of one rank on their way; what they become is returned by `end`, with the report."""

    def __init__(self, plan: Any, labels: list[str] | None, arrays: Sequence[Any],
                 rebuild: Callable[[Sequence[Any]], Any], problem: str,
                 no_memory: bool = False) -> None:
        self._rebuild = rebuild
        self._contiguous: list[Any] | None = None
        if labels is None:
            self._moving = _mpi.ObjectsUnderWay(plan, arrays[0], dumps, pickle.loads, problem,
                                                no_memory)
            return
        names = labels
        rows = None
        if not problem:
            rows, problem, no_memory = attempt(lambda: _rows_of(names, arrays))
        self._contiguous, as_bytes, row_bytes, types = rows or ([], [], [], [])
        self._moving = _mpi.ArraysUnderWay(plan, as_bytes, row_bytes, types, problem, no_memory)

    def end(self) -> tuple[Any, dict[str, Any]]:
        arrived, report = self._moving.end()
        if self._contiguous is None:
            return self._rebuild([arrived]), report
        return self._rebuild([new.view(old.dtype).reshape(-1, *old.shape[1:])
                              for new, old in zip(arrived, self._contiguous)]), report


def _rows_of(labels: Sequence[str], arrays: Sequence[Any],
             ) -> tuple[list[Any], list[Any], list[int], list[str]]:
    """The arrays in C order, their bytes, the bytes of a row and its type."""
    contiguous = [np.ascontiguousarray(array) for array in arrays]
    as_bytes = [array.reshape(-1).view(np.uint8) if array.nbytes else np.empty(0, np.uint8)
                for array in contiguous]
    row_bytes = [array.dtype.itemsize * int(np.prod(array.shape[1:])) for array in contiguous]
    types = [f"{label}{array.dtype}{list(array.shape[1:]) or ''}"
             for label, array in zip(labels, contiguous)]
    return contiguous, as_bytes, row_bytes, types


def dumps(item: object) -> bytes:
    return pickle.dumps(item, protocol=pickle.HIGHEST_PROTOCOL)
