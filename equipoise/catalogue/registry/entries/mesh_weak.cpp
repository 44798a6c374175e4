#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/mesh.hpp"
#include "equipoise/mesh/weak.hpp"

namespace equipoise::catalogue::entries {

namespace {

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          model::Notes& notes) {
    return play_mesh(mesh::Weak{}, task, options, notes);
}

}  // namespace

Algorithm mesh_weak() {
    Algorithm entry = mesh_program();
    entry.name = "mesh-weak";
    entry.after = "async-one-token-diffusion";
    entry.title =
        "token distribution on meshes, up to a constant factor (for a fixed dimension) as fast as "
        "possible for the worst loads with this number of tokens and this maximum load";
    entry.source = "Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 3.2";
    entry.guarantee =
        "discrepancy at most 1 after O(2^d (root + n)) steps, root = (N k^(d-1))^(1/d) on "
        "cubes of d dimensions and side n";
    entry.goal_discrepancy = 1;
    entry.promise = promise_discrepancy_1;
    entry.moves = play;
    return entry;
}

}  // namespace equipoise::catalogue::entries
