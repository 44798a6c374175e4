#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/mesh.hpp"
#include "equipoise/mesh/strong.hpp"

namespace equipoise::catalogue::entries {

namespace {

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          model::Notes& notes) {
    return play_strong(mesh::Agreement::mesh, task, options, notes);
}

}  // namespace

Algorithm mesh_strong_no_bus() {
    Algorithm entry = mesh_program();
    entry.name = "mesh-strong-no-bus";
    entry.after = "mesh-strong";
    entry.title =
        "token distribution on meshes, close to optimal for every initial distribution, without a "
        "bus";
    entry.source = "Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 4, repaired";
    entry.guarantee =
        "every load is between floor(mean) - 1 and ceil(mean) + 1, after "
        "O(d^3 T log k + s log T) steps: d dimensions, k the largest load, T the fewest steps in "
        "which these loads can be levelled, s the sum of the sides";
    entry.goal_discrepancy = 3;
    entry.promise = promise_one_exact;
    entry.moves = play;
    return entry;
}

}  // namespace equipoise::catalogue::entries
