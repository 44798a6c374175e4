#pragma once
// Rounds of first-order diffusion on a regular stored network, on the narrowest loads that fit.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/kernels/diffusion_gather.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// Keeps copies of the loads in 16 or 32 bits from round to round. Memory: 4 or 8 bytes a node. The
/// network must outlive it.
class DiffusionRounds {
  public:
    /// Nothing where the gather does not fit: a network that is not regular, a divisor that is not
    /// above the degree, loads below 0 or above `medium_load_max`.
    [[nodiscard]] static std::optional<DiffusionRounds> make(const network::Network& network,
                                                             Tokens divisor,
                                                             std::span<const Tokens> loads) {
        const Port degree = network.degree_max();
        if (loads.empty() || degree == 0 || network.degree_min() != degree || divisor <= degree)
            return std::nullopt;
        const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
        if (*least < 0 || *most > medium_load_max) return std::nullopt;
        return DiffusionRounds(network, divisor, loads, *most <= narrow_load_max);
    }

    /// Plays a round: `loads` become the new ones. They must be what the last round left.
    [[nodiscard]] GatherTotals play(const Workers& workers, std::span<Tokens> loads) {
        return narrow_.empty() ? play(workers, loads, medium_, medium_next_, gather_medium)
                               : play(workers, loads, narrow_, narrow_next_, gather_narrow);
    }

  private:
    DiffusionRounds(const network::Network& network, Tokens divisor, std::span<const Tokens> loads,
                    bool narrow)
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
    [[nodiscard]] GatherTotals play(const Workers& workers, std::span<Tokens> loads,
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

    std::span<const NodeId> neighbours_;
    Port degree_;
    Tokens divisor_;
    std::vector<std::uint16_t> narrow_;
    std::vector<std::uint16_t> narrow_next_;
    std::vector<std::uint32_t> medium_;
    std::vector<std::uint32_t> medium_next_;
};

}  // namespace equipoise::engine
