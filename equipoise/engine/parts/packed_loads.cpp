#include "equipoise/engine/parts/packed_loads.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace equipoise::engine {

namespace {

// Words are copied as bytes: those of different widths lie in the same memory.
template <class From, class To>
void move_one(std::byte* bytes, std::size_t node) {
    From load{};
    std::memcpy(&load, bytes + node * sizeof(From), sizeof(From));
    const To moved = static_cast<To>(load);
    std::memcpy(bytes + node * sizeof(To), &moved, sizeof(To));
}

// Narrower words are written behind what has been read, wider ones from the end.
template <class From, class To>
void move_all(std::byte* bytes, std::size_t count) {
    if constexpr (sizeof(To) <= sizeof(From)) {
        for (std::size_t node = 0; node < count; ++node)
            move_one<From, To>(bytes, node);
    } else {
        for (std::size_t node = count; node-- > 0;)
            move_one<From, To>(bytes, node);
    }
}

// Only advice: if the system ignores it, the process keeps the memory.
void give_back([[maybe_unused]] std::byte* begin, [[maybe_unused]] std::byte* end) {
#if defined(__linux__)
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
    const std::uintptr_t last = reinterpret_cast<std::uintptr_t>(end) / page * page;
    if (last > first)
        static_cast<void>(madvise(begin + (first - reinterpret_cast<std::uintptr_t>(begin)),
                                  last - first, MADV_DONTNEED));
#endif
}

}  // namespace

void repack(load::Loads& loads, Width from, Width to) {
    if (from == to) return;
    const PackedLoads now = packed(loads, from);
    now.visit([&]<class From>(From* /*loads*/) {
        packed(loads, to).visit(
            [&]<class To>(To* /*loads*/) { move_all<From, To>(now.bytes, now.count); });
    });
    if (to < from)
        give_back(now.bytes + packed(loads, to).all().size(), now.bytes + now.all().size());
}

}  // namespace equipoise::engine
