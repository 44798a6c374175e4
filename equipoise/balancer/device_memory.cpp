#include "equipoise/balancer/device_memory.hpp"

#include <cstring>
#include <new>

#include "equipoise/balancer/row_buffers.hpp"

namespace equipoise::balancer {

namespace {

// Calls `copy(row, packed, rows)` for places that are next to each other, or for one after the
// other if rows have gaps between them.
template <class Copy>
void for_neighbours(std::span<const Tokens> places, bool gaps, const Copy& copy) {
    for_stretches(places, [&](Tokens place, Tokens packed, Tokens rows) {
        if (!gaps)
            return copy(static_cast<std::size_t>(place), static_cast<std::size_t>(packed),
                        static_cast<std::size_t>(rows));
        for (Tokens i = 0; i < rows; ++i)
            copy(static_cast<std::size_t>(place + i), static_cast<std::size_t>(packed + i),
                 std::size_t{1});
    });
}

void pack_on_host(void* /*stream*/, const std::byte* rows, std::size_t stride,
                  std::size_t row_bytes, std::span<const Tokens> places, std::byte* packed) {
    for_neighbours(
        places, stride != row_bytes, [&](std::size_t place, std::size_t row, std::size_t count) {
            std::memcpy(packed + row * row_bytes, rows + place * stride, count * row_bytes);
        });
}

void unpack_on_host(void* /*stream*/, const std::byte* packed, std::span<const Tokens> places,
                    std::byte* rows, std::size_t stride, std::size_t row_bytes) {
    for_neighbours(
        places, stride != row_bytes, [&](std::size_t place, std::size_t row, std::size_t count) {
            std::memcpy(rows + place * stride, packed + row * row_bytes, count * row_bytes);
        });
}

}  // namespace

const DeviceMemory& host_memory() {
    // Few places at a time: caches hold the rows that change their place.
    static const DeviceMemory memory = {
        .pack = pack_on_host, .unpack = unpack_on_host, .places_max = std::size_t{1} << 12U};
    return memory;
}

DeviceBuffer::DeviceBuffer(const DeviceMemory& memory, std::size_t bytes) {
    if (bytes == 0) return;
    void* const buffer = memory.allocate ? memory.allocate(bytes) : ::operator new(bytes);
    if (buffer == nullptr) throw std::bad_alloc();
    bytes_ = {static_cast<std::byte*>(buffer), detail::ReleaseBuffer{&memory}};
}

void detail::ReleaseBuffer::operator()(std::byte* bytes) const {
    if (memory->allocate)
        memory->release(bytes);
    else
        ::operator delete(bytes);
}

}  // namespace equipoise::balancer
