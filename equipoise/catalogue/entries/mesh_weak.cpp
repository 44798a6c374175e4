#include "equipoise/catalogue/entries/entries.hpp"
#include "equipoise/catalogue/entries/play_mesh.hpp"
#include "equipoise/catalogue/entries/smoothing.hpp"
#include "equipoise/mesh/weak.hpp"

namespace equipoise::catalogue::entries {

namespace {

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          std::map<std::string, std::string>& constants) {
    return play_mesh(mesh::Weak{}, task, options, constants);
}

}  // namespace

Algorithm mesh_weak() {
    return {
        .name = "mesh-weak",
        .title =
            "Token distribution on meshes, optimal for the number of tokens and the maximum load",
        .source = "Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 3.2",
        .model = Model::single_token,
        .needs = mesh_needs(),
        .parameters = {},
        .guarantee =
            "discrepancy at most 1 after O(2^d (root + n)) steps, root = (N k^(d-1))^(1/d) on "
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
