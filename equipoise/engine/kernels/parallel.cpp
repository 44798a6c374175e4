#include "equipoise/engine/kernels/parallel.hpp"

#include <algorithm>
#include <thread>

namespace equipoise::engine {

Workers Workers::of(int threads, std::uint64_t items_per_thread_min) {
    if (threads <= 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return {threads, std::max<std::uint64_t>(1, items_per_thread_min)};
}

int Workers::for_items(std::uint64_t items) const {
    const std::uint64_t useful = std::max<std::uint64_t>(1, items / items_per_thread_min);
    return static_cast<int>(std::min<std::uint64_t>(useful, static_cast<std::uint64_t>(threads)));
}

}  // namespace equipoise::engine
