#include "equipoise/programs/perfect_tree.hpp"

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/program.hpp"
#include "equipoise/theory/tree_distribution.hpp"

namespace equipoise::catalogue::entries {

namespace {

using programs::PerfectTree;
using Kind = PerfectTree::Kind;

model::Guarantee promise(const Task& task) {
    const network::Network& tree = tree_channels(task.facts);
    const std::uint64_t time = theory::tree_distribution_time(
        network::diameter(tree).upper, load::total(task.loads), tree.degree_max());
    return {1, time, "Margara, Pistocchi, Vassura 2004, Theorem 3 and Section 5, repaired"};
}

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          const engine::SimulationOptions& asynchrony,
                          engine::ProgramCosts& costs) {
    const PerfectTree program(task.parameters.word("root") == "reserve"
                                  ? PerfectTree::RootChoice::reserve
                                  : PerfectTree::RootChoice::link_end);
    return play_program(program, tree_channels(task.facts), task, options, asynchrony, costs);
}

}  // namespace

Algorithm perfect_tree() {
    Algorithm entry = tree_program();
    entry.name = "perfect-tree";
    entry.after = "rooted-target";
    entry.title = "perfect token distribution on trees: elect a root, collect, hand out";
    entry.source = "Margara, Pistocchi, Vassura 2004, Section 3";
    entry.parameters = {{.name = "root",
                         .type = ParameterType::word,
                         .default_value = "reserve",
                         .help =
                             "how the two nodes at the last link decide which of them is the root: "
                             "reserve (whoever reserves the channel first sends, the other "
                             "becomes the root) or link-end (the tail of the link, if "
                             "their messages cross)",
                         .words = {"reserve", "link-end"}}};
    entry.guarantee =
        "discrepancy at most 1 under every schedule; every node knows when it is done";
    entry.promise = promise;
    entry.program->play = play;
    entry.program->kinds = {"local", "global", "token", "token", "finished"};
    entry.program->steps_hold_single_port = true;
    entry.program->acknowledgements = model::KindSet::of(Kind::global, Kind::finished);
    return entry;
}

}  // namespace equipoise::catalogue::entries
