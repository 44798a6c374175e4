#include "equipoise/engine/kernels/diffusion_rounds.hpp"

#include <algorithm>
#include <utility>

namespace equipoise::engine {

DiffusionRounds::DiffusionRounds(std::span<const NodeId> neighbours, Port degree, Tokens divisor,
                                 Tokens load_most, std::span<const Tokens> own_loads,
                                 NodeId local_count)
    : neighbours_(neighbours), degree_(degree), divisor_(divisor) {
    const auto copy = [&](auto& now, auto& next) {
        now.assign(own_loads.begin(), own_loads.end());
        now.resize(local_count);
        next.resize(local_count);
    };
    if (load_most <= narrow_load_max)
        copy(narrow_, narrow_next_);
    else
        copy(medium_, medium_next_);
}

template <class Word, class Kernel>
GatherTotals DiffusionRounds::play(const Workers& workers, std::span<Tokens> loads,
                                   const std::vector<Word>& now, std::vector<Word>& next,
                                   std::uint64_t begin, std::uint64_t end, const Kernel& kernel) {
    return sum_over_blocks<GatherTotals>(
        workers, end - begin, end - begin, [&](std::uint64_t from, std::uint64_t to) {
            return kernel(neighbours_, degree_, divisor_, std::span<const Word>(now),
                          std::span<Word>(next), loads, begin + from, begin + to);
        });
}

GatherTotals DiffusionRounds::play(const Workers& workers, std::span<Tokens> loads,
                                   std::uint64_t begin, std::uint64_t end) {
    return narrow_.empty() ? play(workers, loads, medium_, medium_next_, begin, end, gather_medium)
                           : play(workers, loads, narrow_, narrow_next_, begin, end, gather_narrow);
}

void DiffusionRounds::hear(std::span<const Tokens> loads, NodeId first) {
    const auto copy = [&](auto& now) {
        for (std::size_t node = first; node < now.size(); ++node)
            now[node] = static_cast<std::decay_t<decltype(now[node])>>(loads[node]);
    };
    narrow_.empty() ? copy(medium_) : copy(narrow_);
}

void DiffusionRounds::turn() {
    std::swap(narrow_, narrow_next_);
    std::swap(medium_, medium_next_);
}

}  // namespace equipoise::engine
