#pragma once
// Rounds of first-order diffusion on nodes of equal degree, with the narrowest loads that fit.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/kernels/diffusion_gather.hpp"
#include "equipoise/engine/kernels/parallel.hpp"

namespace equipoise::engine {

/// Keeps copies of the loads in 16 or 32 bits from round to round. Memory: 4 or 8 bytes per node.
/// The rows must outlive it.
class DiffusionRounds {
  public:
    /// `neighbours`: `degree` entries for each own node. `local_count`: how many nodes they may
    /// name. Requires divisor > degree, and that no load of the network is below 0 or above
    /// `load_most`, which is at most `medium_load_max`. `own_loads`: those of the first nodes.
    DiffusionRounds(std::span<const NodeId> neighbours, Port degree, Tokens divisor,
                    Tokens load_most, std::span<const Tokens> own_loads, NodeId local_count);

    /// Plays nodes [begin, end) and stores their new loads in `loads`, which must be what the last
    /// round left.
    [[nodiscard]] GatherTotals play(const Workers& workers, std::span<Tokens> loads,
                                    std::uint64_t begin, std::uint64_t end);
    /// Copies the loads of the nodes from `first` on.
    void hear(std::span<const Tokens> loads, NodeId first);
    /// Ends the round.
    void turn();

  private:
    template <class Word, class Kernel>
    [[nodiscard]] GatherTotals play(const Workers& workers, std::span<Tokens> loads,
                                    const std::vector<Word>& now, std::vector<Word>& next,
                                    std::uint64_t begin, std::uint64_t end, const Kernel& kernel);

    std::span<const NodeId> neighbours_;
    Port degree_;
    Tokens divisor_;
    std::vector<std::uint16_t> narrow_;
    std::vector<std::uint16_t> narrow_next_;
    std::vector<std::uint32_t> medium_;
    std::vector<std::uint32_t> medium_next_;
};

}  // namespace equipoise::engine
