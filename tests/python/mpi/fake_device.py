"""Memory of a device that is not there: the host cannot touch it, "kernels" can."""

import ctypes
import os

import numpy as np

import equipoise.mpi as balancer

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int,
                      ctypes.c_long]
LIBC.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
NOTHING, READ_AND_WRITE, SHARED = 0, 3, 1


def bytes_at(address, count):
    """The bytes from an address on, as an array."""
    return np.ctypeslib.as_array((ctypes.c_uint8 * count).from_address(address))


class FakeArray:
    """An array whose pages lie at two addresses: at one any touch faults, at the other they can be
    read and written. It presents itself as CuPy's arrays do."""

    def __init__(self, values, strides=None):
        self.bytes = max(values.nbytes, 1)
        file = os.memfd_create("device")
        os.ftruncate(file, self.bytes)
        self.device, self.alias = (LIBC.mmap(None, self.bytes, protection, SHARED, file, 0)
                                   for protection in (NOTHING, READ_AND_WRITE))
        os.close(file)
        self.raw = bytes_at(self.alias, self.bytes)
        self.raw[: values.nbytes] = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
        self.shape, self.dtype = values.shape, values.dtype
        self.__cuda_array_interface__ = {
            "shape": values.shape, "typestr": values.dtype.str, "strides": strides, "version": 3,
            "data": (self.device, False)}

    def __del__(self):
        del self.raw
        for address in (self.device, self.alias):
            LIBC.munmap(address, self.bytes)

    def values(self):
        """What is there, which only tests can see."""
        size = int(np.prod(self.shape)) * self.dtype.itemsize
        return self.raw[:size].copy().view(self.dtype).reshape(self.shape)


def faults(address):
    """Whether reading the byte at this address faults."""
    reader, writer = os.pipe()
    try:
        return LIBC.write(writer, ctypes.c_void_p(address), ctypes.c_size_t(1)) != 1
    finally:
        os.close(reader)
        os.close(writer)


class FakeDevice:
    """A device with some arrays. `lazy`: work is done when the host waits for it, and not before.
    `fails_in` names the function that raises, and `error` is what."""

    def __init__(self, *arrays, lazy=False, buffers=False, places_max=2**20):
        self.arrays, self.lazy, self.work, self.buffers, self.most = arrays, lazy, [], {}, 0
        self.fails_in, self.error = "", RuntimeError("the device has failed")
        self.functions = balancer.Device(
            self.pack, self.unpack, self.allocate if buffers else None,
            self.release if buffers else None, self.synchronise if lazy else None, places_max)

    def pack(self, rows, stride, row_bytes, places, packed):
        self.begin("pack", rows, stride, row_bytes, places, packed)

    def unpack(self, packed, places, rows, stride, row_bytes):
        self.begin("unpack", rows, stride, row_bytes, places, packed)

    def allocate(self, size):
        self.fail_if("allocate")
        buffer = ctypes.create_string_buffer(size)
        self.buffers[ctypes.addressof(buffer)] = buffer
        return ctypes.addressof(buffer)

    def release(self, address):
        del self.buffers[address]

    def synchronise(self):
        self.fail_if("synchronise")
        for kernel in self.work:
            self.run(*kernel)
        self.work = []

    def fail_if(self, function):
        if self.fails_in == function:
            raise self.error

    def begin(self, function, *kernel):
        self.fail_if(function)
        self.most = max(self.most, len(kernel[3]))
        if self.lazy:
            self.work.append((function, *kernel))
        else:
            self.run(function, *kernel)

    def run(self, function, rows, stride, row_bytes, places, packed):
        array = next(one for one in self.arrays if one.device <= rows < one.device + one.bytes)
        there = np.lib.stride_tricks.as_strided(array.raw[rows - array.device:],
                                                (int(places.max()) + 1, row_bytes), (stride, 1))
        buffer = bytes_at(packed, len(places) * row_bytes).reshape(len(places), row_bytes)
        if function == "pack":
            buffer[:] = there[places]
        else:
            there[places] = buffer
