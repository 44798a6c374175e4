#include "equipoise/programs/perfect_tree_batched.hpp"

#include "equipoise/catalogue/registry/common/program.hpp"
#include "equipoise/theory/tree_distribution.hpp"

namespace equipoise::catalogue::entries::perfect_tree_batched {

namespace {

using programs::PerfectTreeBatched;
using Kind = PerfectTreeBatched::Kind;

model::Guarantee promise(const Task& task) {
    const auto diameter = network::diameter(tree_channels(task.facts)).upper;
    return {1, theory::tree_distribution_batched_time(diameter),
            theory::cite(theory::papers::margara, "Theorem 3, with tokens in bundles")};
}

}  // namespace

Algorithm entry() {
    return on_tree({
        .name = "perfect-tree-batched",
        .after = "perfect-tree",
        .title = "perfect token distribution on trees with tokens in bundles",
        .source = theory::cite(theory::papers::margara, "Section 3; tokens in bundles"),
        .guarantee = "discrepancy at most 1 under every schedule; at most four messages per link",
        .goal_discrepancy = 1,
        .promise = promise,
        .program = runs(PerfectTreeBatched(),
                        {.channels = tree_channels,
                         .kinds = {"local", "global", "bundle", "bundle"},
                         .acknowledgements = model::KindSet::of(Kind::global, Kind::bundle_3)}),
    });
}

}  // namespace equipoise::catalogue::entries::perfect_tree_batched
