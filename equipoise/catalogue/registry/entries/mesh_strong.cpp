#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/mesh.hpp"
#include "equipoise/mesh/strong.hpp"

namespace equipoise::catalogue::entries {

namespace {

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          model::Notes& notes) {
    return play_strong(mesh::Agreement::bus, task, options, notes);
}

}  // namespace

Algorithm mesh_strong() {
    Algorithm entry = mesh_program();
    entry.name = "mesh-strong";
    entry.after = "mesh-faster";
    entry.title =
        "Token distribution on meshes with a one-bit bus, close to the optimum for every load";
    entry.source = "Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 4, repaired";
    entry.guarantee =
        "every load within 1 of floor and ceiling of the mean after O(d^3 log k T) steps, T "
        "the fewest there are for these loads";
    entry.goal_discrepancy = 3;
    entry.promise = promise_one_exact;
    entry.moves = play;
    return entry;
}

}  // namespace equipoise::catalogue::entries
