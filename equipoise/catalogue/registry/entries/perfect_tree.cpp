#include "equipoise/programs/perfect_tree.hpp"

#include "equipoise/catalogue/registry/common/program.hpp"
#include "equipoise/theory/tree_distribution.hpp"

namespace equipoise::catalogue::entries::perfect_tree {

namespace {

using programs::PerfectTree;
using Kind = PerfectTree::Kind;

model::Guarantee promise(const Task& task) {
    const network::Network& tree = tree_channels(task.facts);
    const std::uint64_t time = theory::tree_distribution_time(
        network::diameter(tree).upper, load::total(task.loads), tree.degree_max());
    return {1, time, theory::cite(theory::papers::margara, "Theorem 3 and Section 5, repaired")};
}

PerfectTree make(const Task& task) {
    return PerfectTree(task.parameters.word("root") == "reserve"
                           ? PerfectTree::RootChoice::reserve
                           : PerfectTree::RootChoice::link_end);
}

}  // namespace

Algorithm entry() {
    return on_tree({
        .name = "perfect-tree",
        .after = "rooted-target",
        .title = "perfect token distribution on trees: elect a root, collect, hand out",
        .source = theory::cite(theory::papers::margara, "Section 3"),
        .parameters = {word_parameter(
            "root", {"reserve", "link-end"},
            "how the two nodes at the last link decide which of them is the root: reserve (whoever "
            "reserves the channel first sends, the other becomes the root) or link-end (the tail "
            "of the link, if their messages cross)")},
        .guarantee = "discrepancy at most 1 under every schedule; every node knows when it is done",
        .goal_discrepancy = 1,
        .promise = promise,
        .program = runs(make, {.channels = tree_channels,
                               .kinds = {"local", "global", "token", "token", "finished"},
                               .acknowledgements = model::KindSet::of(Kind::global, Kind::finished),
                               .steps_hold_single_port = true}),
    });
}

}  // namespace equipoise::catalogue::entries::perfect_tree
