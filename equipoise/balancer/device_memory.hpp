#pragma once
// Rows in memory that only functions of the caller can read and write, such as that of a GPU.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "equipoise/base/tokens.hpp"

namespace equipoise::balancer {

/// How to reach rows, one every `stride` bytes from `rows` on, that the library itself must not
/// touch. Rows are packed one after the other, `row_bytes` each, into buffers from `allocate`.
///
/// `pack` and `unpack` may return before their work is done, if work that is begun later on the
/// same stream waits for it, and `synchronise` for all of it. The places, counted from 0, are in
/// host memory and stay as they are until the next `synchronise`. A function that fails throws.
///
/// `pack` and `allocate` are called before the ranks agree that all can move: if one throws, all
/// ranks throw the same CollectiveError, and all rows are where they were. `unpack` is called
/// afterwards, when rows have left: if it throws (or its `synchronise`), this rank's rows are lost,
/// and all ranks throw the same CollectiveError once the messages have arrived; the program cannot
/// go on with its rows. What `unpack` needs should be taken in `allocate`, or before the call.
struct DeviceMemory {
    /// Handed to all functions as it is: a stream, a queue, a context.
    void* stream = nullptr;
    /// packed[i] = rows[places[i]], row by row.
    std::function<void(void* stream, const std::byte* rows, std::size_t stride,
                       std::size_t row_bytes, std::span<const Tokens> places, std::byte* packed)>
        pack = {};
    /// rows[places[i]] = packed[i], row by row. No place comes twice.
    std::function<void(void* stream, const std::byte* packed, std::span<const Tokens> places,
                       std::byte* rows, std::size_t stride, std::size_t row_bytes)>
        unpack = {};
    /// A buffer of this many bytes, at least 1, that `pack`, `unpack` and MPI can read and write:
    /// memory of the device if MPI is aware of it, otherwise pinned host memory. The library does
    /// not touch it. Without this function: ordinary host memory.
    std::function<void*(std::size_t bytes)> allocate = {};
    /// Gives a buffer back. Must not throw. Needed if there is `allocate`.
    std::function<void(void* buffer)> release = {};
    /// Waits until all work on the stream is done. Not needed if pack and unpack return afterwards.
    std::function<void(void* stream)> synchronise = {};
    /// No call has more places than this, at least 1; a code may keep a list of as many on its
    /// device. Rows that stay but change their place go through a buffer of at most as many rows.
    std::size_t places_max = std::size_t{1} << 20U;
};

/// The functions for ordinary memory of the host.
[[nodiscard]] const DeviceMemory& host_memory();

namespace detail {

struct ReleaseBuffer {
    const DeviceMemory* memory = nullptr;
    void operator()(std::byte* bytes) const;
};

}  // namespace detail

/// A buffer of DeviceMemory.
class DeviceBuffer {
  public:
    DeviceBuffer() = default;
    /// Of no bytes: no memory is allocated. `memory` must outlive it. Throws std::bad_alloc, and
    /// what `allocate` throws.
    DeviceBuffer(const DeviceMemory& memory, std::size_t bytes);

    [[nodiscard]] std::byte* data() const { return bytes_.get(); }

  private:
    std::unique_ptr<std::byte, detail::ReleaseBuffer> bytes_;
};

}  // namespace equipoise::balancer
