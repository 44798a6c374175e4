// The steps of the two weakly adaptive algorithms, one by one: what Step 2 colours, what each step
// leaves, and how many phases of monotone routing the last one takes. The proof of Theorem 2(b)
// rests on these; the outcome and the time of a whole run hide them, since the last step levels
// whatever is left.

#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "equipoise/mesh/faster.hpp"
#include "equipoise/mesh/lines.hpp"
#include "equipoise/mesh/reduce.hpp"
#include "equipoise/mesh/routing.hpp"
#include "equipoise/mesh/weak.hpp"
#include "tests/support/mesh_play.hpp"

namespace equipoise::test {
namespace {

using mesh::Box;
using mesh::Layer;

/// Calls back after every step of an algorithm that takes time.
class Watch final : public model::MoveSink {
  public:
    std::function<void(int, const model::Stretch&)> after;

    [[nodiscard]] bool wants_moves() const override { return false; }
    [[nodiscard]] bool take(const model::Stretch& stretch) override {
        if (after) after(++stretches_, stretch);
        return true;
    }

  private:
    int stretches_ = 0;
};

/// Largest x with factor * x^d <= N^(d-1) k: what Step 2 allows a slice of a cube.
Tokens layer_root(Tokens total, Tokens most, std::size_t dimension, Tokens factor = 1) {
    const auto power = [](Tokens base, std::size_t exponent) {
        Int128 product = 1;
        for (std::size_t i = 0; i < exponent; ++i)
            product *= base;
        return product;
    };
    Tokens root = 0;
    while (factor * power(root + 1, dimension) <= power(total, dimension - 1) * most)
        ++root;
    return root;
}

Layer sum_of(const Layer& one, const Layer& other) {
    Layer sum = one;
    for (std::size_t cell = 0; cell < sum.size(); ++cell)
        sum[cell] += other[cell];
    return sum;
}

void expect_level_in_slices(const Box& box, std::size_t axis, const Layer& layer, Tokens most) {
    for (NodeId r = 0; r < box.axis(axis).side; ++r)
        EXPECT_LE(mesh::extremes(box.slice(axis, r), layer).discrepancy(), most);
}

/// The totals of a layer in the lines along an axis, and its discrepancy there.
std::vector<mesh::Extremes> lines_of(const Box& box, std::size_t axis, const Layer& layer) {
    std::vector<mesh::Extremes> found;
    box.for_each_line(axis, [&](NodeId first) {
        mesh::Extremes line;
        for (NodeId i = 0; i < box.axis(axis).side; ++i) {
            const Tokens here = layer[first + i * box.axis(axis).stride];
            line.least = std::min(line.least, here);
            line.most = std::max(line.most, here);
            line.total += here;
        }
        found.push_back(line);
    });
    return found;
}

/// For the last step: 2s steps for the extremes, 2s for a histogram, 6s for each phase.
void expect_phases(const Box& box, const model::Stretch& stretch, Step before, Step most) {
    const Step s = box.extent();
    const Step level_out = stretch.steps() - before;
    if (level_out == 2 * s) return;
    ASSERT_EQ((level_out - 4 * s) % (6 * s), 0U);
    EXPECT_LE((level_out - 4 * s) / (6 * s), most);
}

struct Instance {
    Box box;
    load::Loads loads;
    mesh::Extremes all;
    std::size_t axis = 0;

    Instance(const std::vector<NodeId>& sides, load::Loads given)
        : box(sides), loads(std::move(given)), all(mesh::extremes(box, loads)) {
        if (box.dimension() > 0) axis = box.longest_axis();
    }
    /// Otherwise only Step 1 happens.
    [[nodiscard]] bool has_steps() const { return box.dimension() >= 2 && all.discrepancy() > 1; }
    [[nodiscard]] bool cube() const {
        return std::all_of(box.axes().begin(), box.axes().end(),
                           [&](const mesh::Axis& one) { return one.side == box.axis(0).side; });
    }
    /// Step 2: in each slice all tokens are black, but at most `threshold`.
    void expect_coloured(const Layer& black, Tokens threshold) const {
        for (NodeId r = 0; r < box.axis(axis).side; ++r) {
            const Box slice = box.slice(axis, r);
            EXPECT_EQ(mesh::extremes(slice, black).total,
                      std::min(mesh::extremes(slice, loads).total, threshold));
        }
    }
};

void check_weak(const std::vector<NodeId>& sides, const load::Loads& loads) {
    SCOPED_TRACE(describe(sides, loads));
    const Instance at(sides, loads);
    if (!at.has_steps()) return;
    Watch watch;
    mesh::Workspace work(at.box, watch);
    mesh::Clock clock = work.clock();
    Layer tokens = loads;
    auto& [black, white, selected] = work.colours(0);
    watch.after = [&](int step, const model::Stretch& stretch) {
        if (step == 1) {  // Step 3
            if (at.cube())
                at.expect_coloured(black,
                                   layer_root(at.all.total, at.all.most, at.box.dimension()));
            EXPECT_EQ(load::total(black) + load::total(white), at.all.total);
            expect_level_in_slices(at.box, at.axis, black, 1);
        } else if (step == 2) {  // Step 5
            EXPECT_LE(load::discrepancy(sum_of(black, selected)), 2);
        } else if (step == 3) {  // Step 6
            for (const mesh::Extremes& line : lines_of(at.box, at.axis, white)) {
                EXPECT_LE(line.discrepancy(), 1);
                // White tokens lie in fewer than (N/k)^(1/d) slices, at most k on a cell.
                EXPECT_TRUE(!at.cube() ||
                            line.total <= mesh::root(at.box, at.all.total, at.all.most));
            }
        } else if (step == 4) {  // Step 8
            EXPECT_LE(load::discrepancy(sum_of(white, selected)), 2);
            EXPECT_LE(load::discrepancy(sum_of(sum_of(white, selected), black)), 4);
        }
        if (!stretch.loads.empty()) expect_phases(at.box, stretch, 0, 3);  // Step 9
    };
    mesh::distribute_weakly(work, at.box, tokens, clock);
    static_cast<void>(work.tell(clock, tokens));
    EXPECT_LE(load::discrepancy(tokens), 1);
}

void check_faster(const std::vector<NodeId>& sides, const load::Loads& loads) {
    SCOPED_TRACE(describe(sides, loads));
    const Instance at(sides, loads);
    if (!at.has_steps()) return;
    Watch watch;
    mesh::Workspace work(at.box, watch);
    mesh::Clock clock = work.clock();
    Layer tokens = loads;
    auto& [black, white, selected] = work.colours(0);
    const std::size_t d = at.box.dimension();
    const Tokens raised =
        std::max(at.all.most, ceil_divide(2 * at.all.total, static_cast<Tokens>(at.box.cells())));
    watch.after = [&](int step, const model::Stretch& stretch) {
        if (step == 1) {  // Step 3
            if (at.cube())
                at.expect_coloured(black, layer_root(at.all.total, raised, d) -
                                              layer_root(at.all.total, raised, d, 2));
            EXPECT_EQ(load::total(black) + load::total(white), at.all.total);
            for (const mesh::Extremes& line : lines_of(at.box, at.axis, white))
                EXPECT_LE(line.discrepancy(), 1);
        } else if (step == 2) {  // Step 5
            expect_level_in_slices(at.box, at.axis, black, 1);
            expect_level_in_slices(at.box, at.axis, sum_of(black, white), 2);
        } else if (step == 3) {  // Step 7; Step 6 left h_r, h_r + 1 or h_r + 2 less h_r
            EXPECT_LE(*std::max_element(tokens.begin(), tokens.end()), 2);
            EXPECT_LE(load::discrepancy(sum_of(tokens, selected)), 3);
        }
        if (!stretch.loads.empty()) expect_phases(at.box, stretch, 0, 2);  // Step 8
    };
    mesh::distribute_faster(work, at.box, tokens, clock);
    static_cast<void>(work.tell(clock, tokens));
    EXPECT_LE(load::discrepancy(tokens), 1);
}

TEST(StepsOfTheorem2, OfTheWeaklyAdaptiveAlgorithmColourAndLeaveWhatTheProofSays) {
    RandomStream random(1, Purpose::sampling);
    for (int turn = 0; turn < 20; ++turn)
        for (const auto& sides : some_boxes())
            if (cells_of(sides) <= 256) check_weak(sides, random_mesh_loads(sides, random));
}

TEST(StepsOfTheorem2, OfTheFasterAlgorithmColourAndLeaveWhatTheProofSays) {
    RandomStream random(2, Purpose::sampling);
    for (int turn = 0; turn < 20; ++turn)
        for (const auto& sides : some_boxes())
            if (cells_of(sides) <= 256) check_faster(sides, random_mesh_loads(sides, random));
}

/// Loads of a box that is halved once along every axis (halves may differ by a cell), every part
/// levelled: b or b + 1 on each of its cells, b any.
load::Loads levelled_parts(const std::vector<NodeId>& sides, RandomStream& random) {
    const network::Grid grid(sides, network::Grid::Shape::mesh);
    std::map<std::vector<bool>, Tokens> base;
    load::Loads loads(cells_of(sides));
    for (NodeId cell = 0; cell < loads.size(); ++cell) {
        std::vector<bool> part;
        for (std::size_t axis = 0; axis < sides.size(); ++axis)
            part.push_back(2 * grid.coordinate(cell, axis) >= sides[axis]);
        const auto entry = base.try_emplace(part, static_cast<Tokens>(random.below(9))).first;
        loads[cell] = entry->second + static_cast<Tokens>(random.below(2));
    }
    return loads;
}

// The paper's comment says d + 1, and its (b) takes d phases. d and d - 1 are enough: after lines
// along p axes, boxes that span these axes have discrepancy p. Each line along the next axis takes
// the cell at one place of every such box, so the means of the lines differ by at most p and their
// loads by at most p + 1.
TEST(StepsOfLocalTd, Phase3aLeavesDiscrepancyDAndPhase3bLevelsItInDMinusOnePhases) {
    RandomStream random(3, Purpose::sampling);
    std::vector<Tokens> worst(4, 0);
    for (int turn = 0; turn < 400; ++turn) {
        std::vector<NodeId> sides(1 + random.below(3));
        for (NodeId& side : sides)
            side = 2 + static_cast<NodeId>(random.below(5));
        load::Loads tokens = levelled_parts(sides, random);
        SCOPED_TRACE(describe(sides, tokens));
        const Box box(sides);
        const std::size_t d = box.dimension();
        Watch watch;
        mesh::Workspace work(box, watch);
        mesh::Clock clock = work.clock();
        for (std::size_t axis = 0; axis < d; ++axis)
            mesh::balance_lines(work, box, axis, tokens, clock);
        ASSERT_LE(load::discrepancy(tokens), static_cast<Tokens>(d));
        worst[d] = std::max(worst[d], load::discrepancy(tokens));
        const Step before = clock.now();
        watch.after = [&](int /*step*/, const model::Stretch& stretch) {
            expect_phases(box, stretch, before, d - 1);
        };
        mesh::level_out(work, box, tokens, clock);
        static_cast<void>(work.tell(clock, tokens));
        ASSERT_LE(load::discrepancy(tokens), 1);
    }
    EXPECT_EQ(worst, (std::vector<Tokens>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace equipoise::test
