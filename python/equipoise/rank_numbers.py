"""Numbers that one rank gives, converted.

An error of one rank alone would leave the others waiting: what is wrong is returned, or becomes
nan, which the library refuses on all ranks. Only `costs` raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from equipoise.networks import shown

if TYPE_CHECKING:
    import numpy.typing as npt


def numbers(name: str, given: npt.ArrayLike | None,
            dimensions: tuple[int, ...]) -> tuple[Any, str]:
    """Numbers for each item, or None, and what is wrong with them."""
    if given is None:
        return None, ""
    try:
        found = costs(given)
    except Exception as error:  # whatever it is, other ranks must hear of it
        return None, f"{name}: {' '.join(str(error).split())}"
    if found.ndim not in dimensions:
        rows = " or one row" if 2 in dimensions else ""
        return None, f"{name}: expected one{rows} for each item, found {found.shape}"
    return found, ""


def costs(weights: Any) -> Any:
    """Numbers of any type as float64. Raises for a mask or imaginary parts, which would be
    forgotten, for what is no number (a text, a date), and for whole numbers that no float64
    equals."""
    if callable(weights):
        raise ValueError("expected an array of real numbers, found a function")
    given = np.asarray(weights)
    texts = given.dtype.kind == "O" and any(isinstance(each, (str, bytes)) for each in given.flat)
    if isinstance(weights, np.ma.MaskedArray) or given.dtype.kind not in "biufO" or texts:
        raise ValueError(f"expected real numbers without a mask, found {shown(weights)}")
    found = np.asarray(given, dtype=np.float64, order="C")
    # A list of whole numbers that no type has together, such as [2**63, -1], or of whole and other
    # numbers, is an array of rounded numbers already.
    listed = given.dtype.kind == "f" and not hasattr(weights, "dtype")
    wide = given.dtype.kind in "iu" and given.dtype.itemsize == 8
    if listed or wide or given.dtype.kind == "O":
        whole = np.asarray(weights, dtype=object) if listed else given
        for each in whole[np.abs(found) >= 2.0**53].tolist():
            number = each.item() if isinstance(each, (np.generic, np.ndarray)) else each
            if isinstance(number, int) and int(float(number)) != number:
                raise ValueError("expected numbers that a double can equal (all whole numbers up "
                                 f"to 2^53, ...), found {number}")
    return found


def as_given(weights: Any, moved: Any) -> Any:
    """Weights that travelled as float64, in the dtype of those that this rank gave; float64 after a
    list and where other ranks gave numbers that the dtype has not."""
    dtype = getattr(weights, "dtype", None)
    if not isinstance(dtype, np.dtype) or dtype.kind not in "biuf":
        return moved
    with np.errstate(all="ignore"):
        found = moved.astype(dtype)
    return found if np.array_equal(found.astype(np.float64), moved) else moved


def whole_numbers(name: str, values: Any, dtype: Any) -> tuple[Any, str]:
    """Values as whole numbers of a type, and what is wrong with them."""
    none = np.empty(0, dtype)
    try:
        given = np.asarray(values)
        if isinstance(values, np.ma.MaskedArray) or given.ndim != 1:
            return none, f"{name}: expected one for each item, found {shown(values)}"
        if given.size == 0:
            return none, ""
        if given.dtype.kind not in "iu":
            return none, f"{name}: expected whole numbers, found {given.dtype}"
        limits = np.iinfo(dtype)
        for number in (int(given.min()), int(given.max())):
            if not limits.min <= number <= limits.max:
                return none, (f"{name}: expected numbers of {limits.bits} bits, "
                              f"found {number}")
        return np.ascontiguousarray(given, dtype), ""
    except Exception as error:  # whatever it is, other ranks must hear of it
        return none, f"{name}: {' '.join(str(error).split())}"


def figure(value: Any) -> float:
    try:
        return float(value)
    except Exception:  # of the value's own code, too
        return float("nan")


def figures(value: Any) -> list[float]:
    """Those of a list, tuple or array; none for a single number."""
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0):
        return [figure(each) for each in value]
    return []
