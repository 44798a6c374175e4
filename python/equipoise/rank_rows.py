"""Arrays of one rank that have room for more rows than they hold, on the host or on a device.

What is wrong with those of one rank is passed on to the others, which would wait otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from equipoise.networks import shown

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True)
class Device:
    """How to reach rows that only functions of the program can read and write, as on a GPU.

    Rows are packed one after the other into buffers from `allocate`. Addresses are numbers, for
    ctypes or `cupy.cuda.UnownedMemory`. `pack` and `unpack` may return before their work is done,
    if work that begins later waits for it, and `synchronise` for all of it. A function that fails
    raises; what that leads to is told at `Plan.move_within`.

    Attributes
    ----------
    pack
        `pack(rows, stride, row_bytes, places, packed)` copies the rows at these places, an array of
        int64, counted from 0: row i begins at the address `rows + i * stride` and has `row_bytes`.
        They go to the address `packed`, one after the other.
    unpack
        `unpack(packed, places, rows, stride, row_bytes)` copies them from there to their places, of
        which none comes twice.
    allocate
        `allocate(bytes)` returns the address of a buffer of at least 1 byte that `pack`, `unpack`
        and MPI can read and write: memory of the device if MPI is aware of it, otherwise pinned
        host memory. By default ordinary memory of the host.
    release
        `release(address)` gives a buffer back; needed if there is `allocate`.
    synchronise
        `synchronise()` waits until all work is done; not needed if `pack` and `unpack` do.
    places_max
        No call has more places than this, at least 1.
    """

    pack: Callable[[int, int, int, npt.NDArray[np.int64], int], object]
    unpack: Callable[[int, npt.NDArray[np.int64], int, int, int], object]
    allocate: Callable[[int], int] | None = None
    release: Callable[[int], object] | None = None
    synchronise: Callable[[], object] | None = None
    places_max: int = 2**20


# Address, room, bytes of a row, bytes from one row to the next, type, whether on a device.
Room = tuple[int, int, int, int, str, bool]


def rooms_of(arrays: Any, device: object) -> tuple[list[Room], str]:
    """Where the rows of arrays are, and what is wrong with them."""
    if not (device is None or isinstance(device, Device)):
        return [], f"device: expected an equipoise.mpi.Device, found {type(device).__name__}"
    labels: list[str]
    if isinstance(arrays, dict):
        labels, given = [f"{shown(key)}: " for key in arrays], list(arrays.values())
    elif isinstance(arrays, tuple):
        labels, given = ["tuple: "] * len(arrays), list(arrays)
    else:
        labels, given = [""], [arrays]
    if not given:
        return [], "arrays: expected at least one array"
    try:
        return [_room_of(label, array, device) for label, array in zip(labels, given)], ""
    except ValueError as error:
        return [], f"arrays: {error}"
    except Exception as error:  # of a foreign array's own code
        return [], f"arrays: {' '.join(str(error).split())}"


def _room_of(label: str, array: Any, device: object) -> Room:
    there = getattr(array, "__cuda_array_interface__", None)
    if there is not None and device is None:
        raise ValueError("expected a device for memory that is not the host's, found None")
    masked = isinstance(array, np.ma.MaskedArray)
    if there is None and (masked or not isinstance(array, np.ndarray)):
        raise ValueError("expected NumPy arrays without a mask, or arrays of a device, found "
                         f"{type(array).__name__}")
    what = array.__array_interface__ if there is None else there
    dtype = array.dtype if there is None else np.dtype(what["typestr"])
    shape, strides = what["shape"], what.get("strides")
    address, read_only = what["data"]
    if not shape:
        raise ValueError("expected arrays with rows, found a single number")
    if dtype.hasobject:
        raise ValueError(f"expected arrays without Python objects, found {dtype}")
    if read_only:
        raise ValueError("expected arrays that can be written to, found one that is read-only")
    row_bytes = dtype.itemsize
    for size, stride in zip(reversed(shape[1:]), reversed((strides or shape)[1:])):
        if strides and size > 1 and stride != row_bytes:
            raise ValueError("expected arrays whose rows are contiguous, found strides of "
                             f"{strides}")
        row_bytes *= size
    stride = strides[0] if strides and shape[0] > 1 else row_bytes
    if stride < row_bytes:
        raise ValueError(f"expected rows one after the other, found a stride of {stride}")
    kind = f"{label}{dtype}{list(shape[1:]) or ''}"
    return address, shape[0], row_bytes, stride, kind, there is not None
