#include "equipoise/mesh/local_td.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/mesh/faster.hpp"
#include "equipoise/mesh/halving.hpp"
#include "equipoise/mesh/lines.hpp"
#include "equipoise/mesh/reduce.hpp"
#include "equipoise/mesh/routing.hpp"

namespace equipoise::mesh {

namespace {

Levels submesh_levels(const Box& box, Step t) {
    return deepest_levels(box, std::max<Step>(1, submesh_side(box, t)));
}

/// Local-TD(t) in one submesh S.
class Submesh {
  public:
    Submesh(Workspace& work, const Box& whole, Step t, Layer& tokens)
        : work_(work), whole_(whole), t_(t), tokens_(tokens) {}

    void distribute(const Part& submesh, Clock& clock) {
        // Phase 1.
        const Box box = submesh.box();
        const Extremes all = extremes(box, tokens_);
        clock.reduce_and_broadcast(box);
        if (all.discrepancy() <= 1) return;
        passes_ = pass_levels(whole_, t_, all.most);
        static_cast<void>(combine(submesh, passes_.size() - 1, clock));
    }

  private:
    /// Balances a part at the levels of a pass: directly in the first pass (Phase 2), else from its
    /// balanced parts. Returns whether it could.
    bool combine(const Part& part, std::size_t pass, Clock& clock) {
        const Box box = part.box();
        if (box.dimension() == 0) return true;
        if (pass == 0) {
            distribute_faster(work_, box, tokens_, clock, 1);
            return true;
        }
        const Levels& deeper = passes_[pass - 1];
        if (deeper == passes_[pass]) return combine(part, pass - 1, clock);
        bool all_balanced = true;
        std::uint64_t side_min = ~std::uint64_t{0};
        Parallel parts(clock);
        part.for_each_part(passes_[pass], deeper, [&](const Part& inner) {
            for (std::size_t i = 0; i < whole_.dimension(); ++i)
                if (deeper[i] > 0) side_min = std::min<std::uint64_t>(side_min, inner.side(i));
            parts.run(
                [&](Clock& own) { all_balanced = combine(inner, pass - 1, own) && all_balanced; });
        });
        clock.barrier(box);
        if (!all_balanced) return false;
        const Extremes now = extremes(box, tokens_);
        clock.reduce_and_broadcast(box);
        if (now.discrepancy() <= 1) return true;
        // By Lemma 3 the discrepancy is at most 4dt/h + 3 if t steps are enough off-line.
        if (static_cast<Int128>(now.discrepancy() - 3) * static_cast<Int128>(side_min) >
            Int128{2} * static_cast<Int128>(submesh_side(whole_, t_)))
            return false;
        join_halves(part, deeper, passes_[pass], clock);
        level_out(work_, box, tokens_, clock);  // Phase 3(b)
        return true;
    }

    /// Phase 3(a): joins the halves along one axis after the other.
    void join_halves(const Part& part, const Levels& deeper, const Levels& levels, Clock& clock) {
        const Box box = part.box();
        for (std::size_t i = 0; i < whole_.dimension(); ++i) {
            if (deeper[i] == levels[i]) continue;
            balance_lines(work_, box, axis_in(box, whole_.axis(i).stride), tokens_, clock);
            clock.barrier(box);
        }
    }

    /// The index, in a part, of the axis with a given stride.
    static std::size_t axis_in(const Box& box, NodeId stride) {
        std::size_t axis = 0;
        while (box.axis(axis).stride != stride)
            ++axis;
        return axis;
    }

    Workspace& work_;
    const Box& whole_;
    Step t_;
    Layer& tokens_;
    std::vector<Levels> passes_;
};

}  // namespace

Step submesh_side(const Box& box, Step t) {
    Step side = 0;
    if (__builtin_mul_overflow(2 * box.dimension(), t, &side)) throw OverflowError("side 2dt");
    return side;
}

std::vector<Levels> pass_levels(const Box& box, Step t, Tokens most) {
    const Levels submeshes = submesh_levels(box, t);
    std::vector<Levels> passes;
    if (most > 2) {
        const auto side = static_cast<UInt128>(submesh_side(box, t));
        const auto k = static_cast<UInt128>(most);
        for (unsigned l = 1; (UInt128{1} << l) < k; ++l) {
            const UInt128 width = ((side << l) + k - 1) / k;
            Levels levels = deepest_levels(box, static_cast<std::uint64_t>(width));
            for (std::size_t i = 0; i < box.dimension(); ++i)
                levels[i] = std::max(levels[i], submeshes[i]);
            passes.push_back(levels);
        }
    }
    passes.push_back(submeshes);
    return passes;
}

void local_token_distribution(Workspace& work, const Box& box, Step t, Layer& tokens,
                              Clock& clock) {
    EQUIPOISE_ASSERT(t >= 1);
    const Levels levels = submesh_levels(box, t);
    Submesh submesh(work, box, t, tokens);
    Parallel submeshes(clock);
    Part(box).for_each_part(Levels{}, levels, [&](const Part& part) {
        submeshes.run([&](Clock& own) { submesh.distribute(part, own); });
    });
}

}  // namespace equipoise::mesh
