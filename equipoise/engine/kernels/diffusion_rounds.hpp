#pragma once
// Rounds of first-order diffusion on a regular stored network, on the narrowest loads that fit.

#include <cstdint>
#include <optional>
#include <span>
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
                                                             std::span<const Tokens> loads);

    /// Plays a round: `loads` become the new ones. They must be what the last round left.
    [[nodiscard]] GatherTotals play(const Workers& workers, std::span<Tokens> loads);

  private:
    DiffusionRounds(const network::Network& network, Tokens divisor, std::span<const Tokens> loads,
                    bool narrow);

    template <class Word, class Kernel>
    [[nodiscard]] GatherTotals play(const Workers& workers, std::span<Tokens> loads,
                                    std::vector<Word>& now, std::vector<Word>& next,
                                    const Kernel& kernel);

    std::span<const NodeId> neighbours_;
    Port degree_;
    Tokens divisor_;
    std::vector<std::uint16_t> narrow_;
    std::vector<std::uint16_t> narrow_next_;
    std::vector<std::uint32_t> medium_;
    std::vector<std::uint32_t> medium_next_;
};

}  // namespace equipoise::engine
