#include "equipoise/engine/kernels/diffusion_rounds.hpp"

#include <algorithm>
#include <utility>

namespace equipoise::engine {

std::optional<DiffusionRounds> DiffusionRounds::make(const network::Network& network,
                                                     Tokens divisor,
                                                     std::span<const Tokens> loads) {
    const Port degree = network.degree_max();
    if (loads.empty() || degree == 0 || network.degree_min() != degree || divisor <= degree)
        return std::nullopt;
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    if (*least < 0 || *most > medium_load_max) return std::nullopt;
    return DiffusionRounds(network, divisor, loads, *most <= narrow_load_max);
}

DiffusionRounds::DiffusionRounds(const network::Network& network, Tokens divisor,
                                 std::span<const Tokens> loads, bool narrow)
    : neighbours_(network.row_neighbours()), degree_(network.degree_max()), divisor_(divisor) {
    if (narrow) {
        narrow_.assign(loads.begin(), loads.end());
        narrow_next_.resize(loads.size());
    } else {
        medium_.assign(loads.begin(), loads.end());
        medium_next_.resize(loads.size());
    }
}

template <class Word, class Kernel>
GatherTotals DiffusionRounds::play(const Workers& workers, std::span<Tokens> loads,
                                   std::vector<Word>& now, std::vector<Word>& next,
                                   const Kernel& kernel) {
    const GatherTotals totals = sum_over_blocks<GatherTotals>(
        workers, loads.size(), loads.size(), [&](std::uint64_t begin, std::uint64_t end) {
            return kernel(neighbours_, degree_, divisor_, std::span<const Word>(now),
                          std::span<Word>(next), loads, begin, end);
        });
    std::swap(now, next);
    return totals;
}

GatherTotals DiffusionRounds::play(const Workers& workers, std::span<Tokens> loads) {
    return narrow_.empty() ? play(workers, loads, medium_, medium_next_, gather_medium)
                           : play(workers, loads, narrow_, narrow_next_, gather_narrow);
}

}  // namespace equipoise::engine
