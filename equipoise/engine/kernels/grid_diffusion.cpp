#include "equipoise/engine/kernels/grid_diffusion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "equipoise/base/assert.hpp"

namespace equipoise::engine {

namespace {

/// The least number of nodes that are worked on at once.
constexpr NodeId nodes_at_once = 1U << 14U;
/// The largest number of nodes whose flows are summed side by side.
constexpr NodeId stretch_most = 1U << 10U;

/// Rounds difference / divisor towards zero. Loads of two and four bytes are divided by
/// multiplication in float and double, which is exact (diffusion_gather.cpp says why).
template <class Word>
class Quotient {
  public:
    using Real = std::conditional_t<sizeof(Word) == 2, float, double>;
    using Int = std::int32_t;
    explicit Quotient(Tokens divisor)
        : reciprocal_(std::nextafter(Real{1} / static_cast<Real>(divisor), Real{2})) {}
    [[nodiscard]] Int operator()(Int difference) const {
        return static_cast<Int>(static_cast<Real>(difference) * reciprocal_);
    }

  private:
    Real reciprocal_;
};

template <>
class Quotient<Tokens> {
  public:
    using Int = Tokens;
    explicit Quotient(Tokens divisor) : divisor_(divisor) {}
    [[nodiscard]] Tokens operator()(Tokens difference) const { return difference / divisor_; }

  private:
    Tokens divisor_;
};

/// Nodes own[0 .. count-1], whose neighbours are at these offsets. A node's flows sum up to no more
/// than the loads around it, since divisor > degree.
template <class Word, class Offsets>
void gather_stretch(const Quotient<Word>& quotient, const Word* __restrict own,
                    const Offsets& offsets, NodeId count, Word* __restrict out,
                    GatherTotals& totals) {
    using Int = typename Quotient<Word>::Int;
    using Unsigned = std::make_unsigned_t<Int>;
    std::uint64_t flows = 0;
    Unsigned steep = 0;
#if defined(_OPENMP)
#pragma omp simd reduction(+ : flows) reduction(| : steep)
#endif
    for (NodeId i = 0; i < count; ++i) {
        const auto load = static_cast<Int>(own[i]);
        Int inflow = 0;
        Unsigned sizes = 0;
        for (const std::ptrdiff_t offset : offsets) {
            const Int difference = static_cast<Int>(own[i + offset]) - load;
            const Int flow = quotient(difference);
            inflow += flow;
            sizes += static_cast<Unsigned>(flow < 0 ? -flow : flow);
            steep |= static_cast<Unsigned>(static_cast<Unsigned>(difference) + 1U > 2U);
        }
        out[i] = static_cast<Word>(load + inflow);
        flows += sizes;
    }
    totals += {flows, steep != 0};
}

}  // namespace

GridDiffusion::GridDiffusion(const network::Grid& torus, NodeId first, NodeId count, Tokens divisor)
    : torus_(&torus), first_(first), count_(count), divisor_(divisor), reach_(torus.stride(0)) {
    EQUIPOISE_ASSERT(count_ >= reach_);
    offsets_.resize(2 * torus.dimension());
}

GatherTotals GridDiffusion::play(const PackedLoads& loads, std::span<const NodeId> before,
                                 std::span<const NodeId> after) {
    return loads.visit([&](auto* words) { return play(words, before, after); });
}

template <class Word>
GatherTotals GridDiffusion::play(Word* loads, std::span<const NodeId> before,
                                 std::span<const NodeId> after) {
    GatherTotals totals;
    const NodeId at_once = std::max(reach_, nodes_at_once);
    window_.resize((std::size_t{at_once} + 2 * std::size_t{reach_}) * sizeof(Word));
    after_.resize(reach_ * sizeof(Word));
    auto* const window = reinterpret_cast<Word*>(window_.data());
    auto* const beyond = reinterpret_cast<Word*>(after_.data());
    for (NodeId i = 0; i < reach_; ++i) {
        window[i] = loads[before[i]];
        beyond[i] = loads[after[i]];
    }
    for (NodeId begin = 0; begin < count_;) {
        const NodeId count = std::min(at_once, count_ - begin);
        const NodeId own = std::min(count_ - begin, count + reach_);
        std::copy_n(loads + begin, own, window + reach_);
        std::copy_n(beyond, count + reach_ - own, window + reach_ + own);
        play_lines(begin, count, window + reach_, loads + begin, totals);
        // The old loads of the last nodes; copied in ascending order, so that an overlap does no
        // harm.
        std::copy_n(window + count, reach_, window);
        begin += count;
    }
    return totals;
}

// Lines along the last axis: all neighbours in a stretch of a line have the same offsets, except
// where the line closes.
template <class Word>
void GridDiffusion::play_lines(NodeId begin, NodeId count, const Word* window, Word* out,
                               GatherTotals& totals) {
    const std::size_t last_axis = torus_->dimension() - 1;
    const NodeId side = torus_->sides()[last_axis];
    for (NodeId i = 0; i < count;) {
        const NodeId node = first_ + begin + i;
        const NodeId x = node % side;
        std::size_t k = 0;
        for (std::size_t axis = 0; axis <= last_axis; ++axis) {
            const std::ptrdiff_t stride = torus_->stride(axis);
            const std::ptrdiff_t around = (std::ptrdiff_t{torus_->sides()[axis]} - 1) * stride;
            // Along the first axis the first node follows the last.
            const NodeId at = axis == 0 ? 1 : torus_->coordinate(node, axis);
            offsets_[k++] = at == 0 ? around : -stride;
            offsets_[k++] = axis > 0 && at + 1 == torus_->sides()[axis] ? -around : stride;
        }
        const bool cycle = last_axis == 0;
        const bool closes = !cycle && (x == 0 || x + 1 == side);
        const NodeId rest = cycle ? count - i : (closes ? 1 : side - 1 - x);
        const NodeId stretch = std::min({rest, count - i, stretch_most});
        play_stretch(window + i, stretch, out + i, totals);
        i += stretch;
    }
}

template <class Word>
void GridDiffusion::play_stretch(const Word* own, NodeId count, Word* out, GatherTotals& totals) {
    const Quotient<Word> quotient(divisor_);
    if (offsets_.size() == 4) {
        const std::array<std::ptrdiff_t, 4> four = {offsets_[0], offsets_[1], offsets_[2],
                                                    offsets_[3]};
        return gather_stretch(quotient, own, four, count, out, totals);
    }
    gather_stretch(quotient, own, offsets_, count, out, totals);
}

}  // namespace equipoise::engine
