#include "equipoise/catalogue/entries/entries.hpp"
#include "equipoise/catalogue/entries/play_mesh.hpp"
#include "equipoise/catalogue/entries/smoothing.hpp"
#include "equipoise/mesh/strong.hpp"

namespace equipoise::catalogue::entries {

namespace {

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          std::map<std::string, std::string>& constants) {
    return play_strong(mesh::Agreement::mesh, task, options, constants);
}

}  // namespace

Algorithm mesh_strong_no_bus() {
    return {
        .name = "mesh-strong-no-bus",
        .title = "Token distribution on meshes, close to the optimum for every load, without a bus",
        .source = "Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 4, repaired",
        .model = Model::single_token,
        .needs = mesh_needs(),
        .parameters = {},
        .guarantee =
            "every load within 1 of floor and ceiling of the mean after O(d^3 log k T + s log T) "
            "steps, T the fewest there are for these loads, s the sum of sides",
        .stop = "its own termination",
        .goal_discrepancy = 3,
        .one_token_steps = true,
        .expect_suitable = expect_box,
        .promise = promise_one_exact,
        .default_stop = stop_by_itself,
        .play = play,
    };
}

}  // namespace equipoise::catalogue::entries
