#include "equipoise/mesh/faster.hpp"

#include <algorithm>

#include "equipoise/mesh/colours.hpp"
#include "equipoise/mesh/lines.hpp"
#include "equipoise/mesh/reduce.hpp"
#include "equipoise/mesh/routing.hpp"
#include "equipoise/mesh/threshold.hpp"
#include "equipoise/mesh/weakly_adaptive.hpp"

namespace equipoise::mesh {

namespace {

/// max(k, 2N/V), rounded up.
Tokens raised_maximum(const Extremes& all, NodeId cells) {
    const auto twice_average =
        static_cast<Tokens>((2 * static_cast<UInt128>(all.total) + cells - 1) / cells);
    return std::max(all.most, twice_average);
}

}  // namespace

void distribute_faster(Workspace& work, const Box& box, Layer& tokens, Clock& clock,
                       std::size_t depth) {
    if (box.dimension() == 0) return;
    if (box.dimension() == 1) return balance_lines(work, box, 0, tokens, clock);  // Step 1
    const Extremes all = extremes(box, tokens);
    clock.reduce_and_broadcast(box);
    if (all.discrepancy() <= 1) return;

    const std::size_t axis = box.longest_axis();
    const Box slice = box.slice(axis, 0);
    auto& [black, white, selected] = work.colours(depth);
    const auto tell = [&] { return depth > 0 || work.tell(clock); };
    // Step 2: at most (1 - 2^(-1/d)) (N^(d-1) k)^(1/d) tokens of each slice M_r are black.
    clock.prefix_sums(slice, box.axis(axis).side);
    const Tokens threshold =
        tokens_per_layer_reduced(box, all.total, raised_maximum(all, box.cells()));
    colour(box, axis, threshold, tokens, black, white);
    // Step 3: white tokens in each line A_s.
    balance_lines(work, box, axis, white, clock);
    clock.barrier(box);
    if (!tell()) return;
    // Step 4: select k_s of each cell, the least in A_s.
    clock.scan_lines(box, axis, 2);
    select_least_of_lines(box, axis, white, selected);
    // Step 5: black tokens and the selected white ones in each M_r.
    unite(box, black, selected);
    in_each_slice(box, axis, clock, [&](const Box& part, Clock& own) {
        distribute_faster(work, part, black, own, depth + 1);
    });
    if (!tell()) return;
    // Step 6: select h_r of each cell, the least in M_r.
    clock.reduce_and_broadcast(slice, box.axis(axis).side);
    unite(box, tokens, black, white);
    select_least_of_slices(box, axis, tokens, selected);
    // Step 7: selected tokens in each A_s; all lines look the same and take equally long.
    balance_lines(work, box, axis, selected, clock);
    if (!tell()) return;
    // Step 8: discrepancy at most 3; down to 1.
    unite(box, tokens, selected);
    level_out(work, box, tokens, clock);
}

void Faster::run(const Box& box, const std::vector<Tokens>& loads, model::MoveSink& sink) {
    run_on_whole_mesh(box, loads, sink, [&](Workspace& work, Layer& tokens, Clock& clock) {
        distribute_faster(work, box, tokens, clock);
    });
}

}  // namespace equipoise::mesh
