#pragma once
// What the two weakly adaptive algorithms share.

#include <cstddef>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/clock.hpp"
#include "equipoise/mesh/workspace.hpp"
#include "equipoise/model/local/move_program.hpp"

namespace equipoise::mesh {

/// Runs `act(slice, clock)` in each slice M_r across an axis, all at the same time; then a barrier.
template <class Act>
void in_each_slice(const Box& box, std::size_t axis, Clock& clock, const Act& act) {
    Parallel slices(clock);
    for (NodeId r = 0; r < box.axis(axis).side; ++r)
        slices.run([&](Clock& own) { act(box.slice(axis, r), own); });
    clock.barrier(box);
}

/// Runs `distribute(work, tokens, clock)` once, from the loads of the whole mesh.
template <class Distribute>
void run_on_whole_mesh(const Box& box, const std::vector<Tokens>& loads, model::MoveSink& sink,
                       const Distribute& distribute) {
    Workspace work(box, sink);
    Clock clock = work.clock();
    Layer tokens = loads;
    distribute(work, tokens, clock);
    static_cast<void>(work.tell(clock, tokens));
}

}  // namespace equipoise::mesh
