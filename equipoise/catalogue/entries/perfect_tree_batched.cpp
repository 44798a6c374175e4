#include "equipoise/programs/perfect_tree_batched.hpp"

#include "equipoise/catalogue/entries/entries.hpp"
#include "equipoise/catalogue/entries/play.hpp"
#include "equipoise/catalogue/entries/play_program.hpp"
#include "equipoise/theory/tree_distribution.hpp"

namespace equipoise::catalogue::entries {

namespace {

using programs::PerfectTreeBatched;
using Kind = PerfectTreeBatched::Kind;

model::Guarantee promise(const Task& task) {
    const auto diameter = network::diameter(tree_channels(task.facts)).upper;
    return {1, theory::tree_distribution_batched_time(diameter),
            "Margara, Pistocchi, Vassura 2004, Theorem 3, with tokens in bundles"};
}

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          const engine::SimulationOptions& world, engine::ProgramCosts& costs) {
    return play_program(PerfectTreeBatched(), tree_channels(task.facts), task, options, world,
                        costs);
}

}  // namespace

Algorithm perfect_tree_batched() {
    return {
        .name = "perfect-tree-batched",
        .title = "Perfect token distribution on trees with tokens in bundles",
        .source = "Margara, Pistocchi, Vassura 2004, Section 3; tokens in bundles",
        .model = Model::asynchronous,
        .needs = "a connected network; runs on a spanning tree unless the network is a tree",
        .parameters = {},
        .guarantee = "discrepancy at most 1 under every schedule; at most four messages a link",
        .stop = "its own termination",
        .goal_discrepancy = 1,
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = stop_at_rest,
        .program =
            ProgramPlay{.channels = tree_channels,
                        .play = play,
                        .kinds = {"local", "global", "bundle", "bundle"},
                        .acknowledgements = model::KindSet::of(Kind::global, Kind::bundle_3)},
    };
}

}  // namespace equipoise::catalogue::entries
