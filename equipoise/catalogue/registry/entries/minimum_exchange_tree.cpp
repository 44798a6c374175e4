#include "equipoise/programs/minimum_exchange_tree.hpp"

#include "equipoise/catalogue/registry/common/program.hpp"
#include "equipoise/theory/tree_distribution.hpp"

namespace equipoise::catalogue::entries::minimum_exchange_tree {

namespace {

using programs::MinimumExchangeTree;
using Kind = MinimumExchangeTree::Kind;

bool bundles(const Task& task) {
    return task.parameters.word("tokens") == "bundled";
}

/// With speeds shares differ, and so do loads.
model::Guarantee promise(const Task& task) {
    const std::string source =
        "a recursion over subtrees (docs/algorithms/minimum-exchange-tree.md)";
    if (!task.speeds.empty()) return {{}, {}, source};
    const auto height = network::diameter(tree_channels(task.facts)).upper;
    const Tokens total = load::total(task.loads);
    const auto nodes = static_cast<Tokens>(task.loads.size());
    return {1,
            theory::minimum_exchange_time(height, static_cast<std::uint64_t>(total % nodes), total,
                                          bundles(task)),
            source};
}

MinimumExchangeTree make(const Task& task) {
    return MinimumExchangeTree(bundles(task));
}

}  // namespace

Algorithm entry() {
    return on_tree({
        .name = "minimum-exchange-tree",
        .after = "perfect-tree-batched",
        .title = "perfect token distribution on trees by the fewest exchanges, decentralised",
        .source = "answers open question 2 of Margara, Pistocchi, Vassura 2004, Section 6",
        .parameters = {word_parameter("tokens", {"single", "bundled"},
                                      "how tokens travel: single (one per message) or bundled (all "
                                      "that cross a link in one message)")},
        .guarantee = "floor or ceiling of every node's share, by exactly the fewest exchanges on "
                     "the tree, under every schedule",
        .serves_speeds = true,
        .promise = promise,
        .program = runs(
            make, {.channels = tree_channels,
                   .kinds = {"local", "global", "surplus", "offer", "next", "keep", "token"},
                   .acknowledgements = model::KindSet::of(Kind::global, Kind::offer, Kind::keep)}),
    });
}

}  // namespace equipoise::catalogue::entries::minimum_exchange_tree
