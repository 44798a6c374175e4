// What it costs to fill new memory, which is most of what a move of items costs: a vector of items
// of 64 bytes is filled from a buffer in the nearest caches, in several ways. The last two columns
// have the system copy as many bytes out of a process into such a buffer, and copy them into memory
// that was touched before.
//
// usage: first_touch [REPEATS]

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

#include <malloc.h>
#include <sys/uio.h>
#include <unistd.h>

#include "equipoise/base/large_pages.hpp"

namespace {

struct Item {
    std::uint64_t number = 0;
    std::array<std::uint64_t, 7> payload = {};
};
using Items = std::vector<Item>;

constexpr std::size_t piece_items = 4096;  // 256 KiB

// Calls `each(first, items)` for every piece.
template <class Each>
void for_pieces(std::size_t items, const Each& each) {
    for (std::size_t first = 0; first < items; first += piece_items)
        each(first, std::min(piece_items, items - first));
}

void resized(const Items& source, std::size_t count) {
    Items items(count);
    for_pieces(count, [&](std::size_t first, std::size_t some) {
        std::memcpy(items.data() + first, source.data(), some * sizeof(Item));
    });
}

void appended(const Items& source, std::size_t count, bool large, bool touch) {
    Items items;
    const std::size_t bytes = count * sizeof(Item);
    items.reserve(large ? equipoise::bytes_to_reserve(bytes) / sizeof(Item) : count);
    if (large) equipoise::prefer_large_pages(items.data(), items.capacity() * sizeof(Item), bytes);
    for_pieces(count, [&](std::size_t first, std::size_t some) {
        if (touch) equipoise::touch_pages(items.data() + first, some * sizeof(Item));
        items.insert(items.end(), source.begin(), source.begin() + static_cast<long>(some));
    });
}

// Out of this process, which costs what it costs out of another.
void copied_by_the_system(Items& buffer, const Items& old) {
    for_pieces(old.size(), [&](std::size_t first, std::size_t some) {
        const iovec to = {buffer.data(), some * sizeof(Item)};
        const iovec from = {const_cast<Item*>(old.data()) + first, some * sizeof(Item)};
        if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) < 0) std::puts("refused");
    });
}

double median_ms(int repeats, const std::function<void()>& action) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> all;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const auto began = Clock::now();
        action();
        all.push_back(std::chrono::duration<double, std::milli>(Clock::now() - began).count());
    }
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);  // new memory comes from the system, as in `rebalance`
    int repeats = 21;
    const std::string_view text = argc > 1 ? argv[1] : "";
    std::from_chars(text.data(), text.data() + text.size(), repeats);
    const Items source(piece_items);
    Items buffer(piece_items);
    std::printf(
        "| Bytes | resized, then filled | appended | appended, touched in one call | "
        "large pages | large pages, touched | process_vm_readv | memory touched before |\n"
        "|---|---|---|---|---|---|---|---|\n");
    for (const std::size_t count : {62'500UL, 125'000UL, 250'000UL, 1'000'000UL}) {
        Items old(count);
        const std::array<double, 7> ms = {
            median_ms(repeats, [&] { resized(source, count); }),
            median_ms(repeats, [&] { appended(source, count, false, false); }),
            median_ms(repeats, [&] { appended(source, count, false, true); }),
            median_ms(repeats, [&] { appended(source, count, true, false); }),
            median_ms(repeats, [&] { appended(source, count, true, true); }),
            median_ms(repeats, [&] { copied_by_the_system(buffer, old); }),
            median_ms(repeats, [&] {
                for_pieces(count, [&](std::size_t first, std::size_t some) {
                    std::memcpy(old.data() + first, source.data(), some * sizeof(Item));
                });
            })};
        std::printf("| %zu MB ", count * sizeof(Item) / 1'000'000);
        for (const double one : ms)
            std::printf("| %.2f ms ", one);
        std::printf("|\n");
    }
}
