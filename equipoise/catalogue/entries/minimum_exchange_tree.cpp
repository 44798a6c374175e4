#include "equipoise/programs/minimum_exchange_tree.hpp"

#include "equipoise/catalogue/entries/entries.hpp"
#include "equipoise/catalogue/entries/play.hpp"
#include "equipoise/catalogue/entries/play_program.hpp"
#include "equipoise/theory/tree_distribution.hpp"

namespace equipoise::catalogue::entries {

namespace {

using programs::MinimumExchangeTree;
using Kind = MinimumExchangeTree::Kind;

bool bundles(const Task& task) {
    return task.parameters.word("tokens") == "bundled";
}

/// With speeds shares differ, and so do loads.
model::Guarantee promise(const Task& task) {
    const std::string source = "the convex recursion over subtrees";
    if (!task.speeds.empty()) return {{}, {}, source};
    const auto height = network::diameter(tree_channels(task.facts)).upper;
    const Tokens total = load::total(task.loads);
    const auto nodes = static_cast<Tokens>(task.loads.size());
    return {1,
            theory::minimum_exchange_time(height, static_cast<std::uint64_t>(total % nodes), total,
                                          bundles(task)),
            source};
}

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          const engine::SimulationOptions& world, engine::ProgramCosts& costs) {
    return play_program(MinimumExchangeTree(bundles(task)), tree_channels(task.facts), task,
                        options, world, costs);
}

}  // namespace

Algorithm minimum_exchange_tree() {
    return {
        .name = "minimum-exchange-tree",
        .title = "Perfect token distribution on trees by the fewest exchanges, decentralised",
        .source = "answers open question 2 of Margara, Pistocchi, Vassura 2004, Section 5",
        .model = Model::asynchronous,
        .needs = "a connected network; runs on a spanning tree unless the network is a tree",
        .parameters = {{.name = "tokens",
                        .type = ParameterType::word,
                        .default_value = "single",
                        .help = "how tokens travel: single (one a message) or bundled (all that "
                                "cross a link in one message)",
                        .words = {"single", "bundled"}}},
        .guarantee =
            "floor or ceiling of every node's share, by exactly the fewest exchanges on "
            "the tree, under every schedule",
        .stop = "its own termination",
        .goal_discrepancy = {},
        .serves_speeds = true,
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = stop_at_rest,
        .program =
            ProgramPlay{
                .channels = tree_channels,
                .play = play,
                .kinds = {"local", "global", "surplus", "offer", "next", "keep", "token"},
                .acknowledgements = model::KindSet::of(Kind::global, Kind::offer, Kind::keep)},
    };
}

}  // namespace equipoise::catalogue::entries
