#include "equipoise/catalogue/entries/entries.hpp"
#include "equipoise/catalogue/entries/play_mesh.hpp"
#include "equipoise/catalogue/entries/smoothing.hpp"
#include "equipoise/mesh/faster.hpp"

namespace equipoise::catalogue::entries {

namespace {

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          std::map<std::string, std::string>& constants) {
    return play_mesh(mesh::Faster{}, task, options, constants);
}

}  // namespace

Algorithm mesh_faster() {
    return {
        .name = "mesh-faster",
        .title = "Token distribution on meshes, polynomial in the dimension",
        .source = "Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 3.2, repaired",
        .model = Model::single_token,
        .needs = mesh_needs(),
        .parameters = {},
        .guarantee =
            "discrepancy at most 1 after O(d^2 (root + n)) steps, root = (N k^(d-1))^(1/d) on "
            "cubes of d dimensions and side n",
        .stop = "its own termination",
        .goal_discrepancy = 1,
        .one_token_steps = true,
        .expect_suitable = expect_box,
        .promise = promise_discrepancy_1,
        .default_stop = stop_by_itself,
        .play = play,
    };
}

}  // namespace equipoise::catalogue::entries
