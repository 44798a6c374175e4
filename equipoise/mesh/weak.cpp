#include "equipoise/mesh/weak.hpp"

#include <algorithm>

#include "equipoise/mesh/colours.hpp"
#include "equipoise/mesh/lines.hpp"
#include "equipoise/mesh/reduce.hpp"
#include "equipoise/mesh/routing.hpp"
#include "equipoise/mesh/threshold.hpp"
#include "equipoise/mesh/weakly_adaptive.hpp"

namespace equipoise::mesh {

namespace {

/// Steps 3 and 8: a layer in each slice M_r, all at the same time.
void recurse(Workspace& work, const Box& box, std::size_t axis, Layer& tokens, Clock& clock,
             std::size_t depth) {
    in_each_slice(box, axis, clock, [&](const Box& slice, Clock& own) {
        distribute_weakly(work, slice, tokens, own, depth + 1);
    });
}

}  // namespace

void distribute_weakly(Workspace& work, const Box& box, Layer& tokens, Clock& clock,
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
    // Step 2: at most (N^(d-1) k)^(1/d) tokens of each slice M_r are black.
    clock.prefix_sums(slice, box.axis(axis).side);
    colour(box, axis, tokens_per_layer(box, all.total, all.most), tokens, black, white);
    // Step 3: black tokens in each M_r.
    recurse(work, box, axis, black, clock, depth);
    if (!tell()) return;
    // Step 4: select k_r of each cell, the least in M_r.
    clock.reduce_and_broadcast(slice, box.axis(axis).side);
    select_least_of_slices(box, axis, black, selected);
    // Step 5: selected tokens in each line A_s; all lines look the same and take equally long.
    balance_lines(work, box, axis, selected, clock);
    if (!tell()) return;
    unite(box, black, selected);
    // Step 6: white tokens in each A_s.
    balance_lines(work, box, axis, white, clock);
    clock.barrier(box);
    if (!tell()) return;
    // Step 7: select h_s of each cell, the least in A_s.
    clock.scan_lines(box, axis, 2);
    select_least_of_lines(box, axis, white, selected);
    // Step 8: selected white tokens in each M_r.
    recurse(work, box, axis, selected, clock, depth);
    if (!tell()) return;
    unite(box, white, selected);
    // Step 9: discrepancy 2 of either colour, at most 4 together; down to 1.
    unite(box, tokens, black, white);
    level_out(work, box, tokens, clock);
}

void Weak::run(const Box& box, const std::vector<Tokens>& loads, model::MoveSink& sink) {
    run_on_whole_mesh(box, loads, sink, [&](Workspace& work, Layer& tokens, Clock& clock) {
        distribute_weakly(work, box, tokens, clock);
    });
}

}  // namespace equipoise::mesh
