#include "equipoise/programs/minimum_exchange_tree.hpp"

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/program.hpp"
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
                          const engine::SimulationOptions& asynchrony,
                          engine::ProgramCosts& costs) {
    return play_program(MinimumExchangeTree(bundles(task)), tree_channels(task.facts), task,
                        options, asynchrony, costs);
}

}  // namespace

Algorithm minimum_exchange_tree() {
    Algorithm entry = tree_program();
    entry.name = "minimum-exchange-tree";
    entry.after = "perfect-tree-batched";
    entry.title = "perfect token distribution on trees by the fewest exchanges, decentralised";
    entry.source = "answers open question 2 of Margara, Pistocchi, Vassura 2004, Section 6";
    entry.parameters = {{.name = "tokens",
                         .type = ParameterType::word,
                         .default_value = "single",
                         .help = "how tokens travel: single (one per message) or bundled (all that "
                                 "cross a link in one message)",
                         .words = {"single", "bundled"}}};
    entry.guarantee =
        "floor or ceiling of every node's share, by exactly the fewest exchanges on the tree, "
        "under every schedule";
    entry.goal_discrepancy = {};  // speeds make shares differ
    entry.serves_speeds = true;
    entry.promise = promise;
    entry.program->play = play;
    entry.program->kinds = {"local", "global", "surplus", "offer", "next", "keep", "token"};
    entry.program->acknowledgements = model::KindSet::of(Kind::global, Kind::offer, Kind::keep);
    return entry;
}

}  // namespace equipoise::catalogue::entries
