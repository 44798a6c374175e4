#include "equipoise/programs/perfect_tree_batched.hpp"

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/program.hpp"
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
                          const engine::SimulationOptions& asynchrony,
                          engine::ProgramCosts& costs) {
    return play_program(PerfectTreeBatched(), tree_channels(task.facts), task, options, asynchrony,
                        costs);
}

}  // namespace

Algorithm perfect_tree_batched() {
    Algorithm entry = tree_program();
    entry.name = "perfect-tree-batched";
    entry.after = "perfect-tree";
    entry.title = "perfect token distribution on trees with tokens in bundles";
    entry.source = "Margara, Pistocchi, Vassura 2004, Section 3; tokens in bundles";
    entry.guarantee = "discrepancy at most 1 under every schedule; at most four messages per link";
    entry.promise = promise;
    entry.program->play = play;
    entry.program->kinds = {"local", "global", "bundle", "bundle"};
    entry.program->acknowledgements = model::KindSet::of(Kind::global, Kind::bundle_3);
    return entry;
}

}  // namespace equipoise::catalogue::entries
