#pragma once
// The hot loop of first-order diffusion on tori without stored links, in place.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/kernels/diffusion_gather.hpp"
#include "equipoise/engine/parts/packed_loads.hpp"
#include "equipoise/network/grid.hpp"

namespace equipoise::engine {

/// A round of diffusion on consecutive nodes of a torus.
///
/// Along the first axis, of stride s, the neighbours of node g are g - s and g + s modulo the
/// number of nodes, and the neighbours along all other axes lie between these two. So a round that
/// goes through the nodes in order needs the old loads of only the last s nodes: `window_` holds
/// these, those of the nodes that are worked on, and those of the s nodes after these. Memory:
/// three times s loads, or some 200 kB if that is more.
class GridDiffusion {
  public:
    /// Nodes first .. first + count - 1, at least s of them, of a torus whose sides are all 3 or
    /// more. Requires divisor > degree.
    GridDiffusion(const network::Grid& torus, NodeId first, NodeId count, Tokens divisor);

    /// Plays a round on loads of 0 or more, those of own nodes first. `before` and `after`: where
    /// the loads of the s nodes before and after the own nodes stand; they may be own nodes
    /// themselves.
    [[nodiscard]] GatherTotals play(const PackedLoads& loads, std::span<const NodeId> before,
                                    std::span<const NodeId> after);

    [[nodiscard]] NodeId reach() const { return reach_; }  ///< s

  private:
    template <class Word>
    GatherTotals play(Word* loads, std::span<const NodeId> before, std::span<const NodeId> after);
    template <class Word>
    void play_lines(NodeId begin, NodeId count, const Word* window, Word* out,
                    GatherTotals& totals);
    template <class Word>
    void play_stretch(const Word* own, NodeId count, Word* out, GatherTotals& totals);

    const network::Grid* torus_;
    NodeId first_;
    NodeId count_;
    Tokens divisor_;
    NodeId reach_;
    std::vector<std::byte> window_;
    std::vector<std::byte> after_;
    std::vector<std::ptrdiff_t> offsets_;  ///< of the neighbours of the nodes at work
};

}  // namespace equipoise::engine
