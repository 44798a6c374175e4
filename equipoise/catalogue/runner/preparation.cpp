#include "equipoise/catalogue/runner/preparation.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/idealised.hpp"

namespace equipoise::catalogue {

namespace {

/// The given parameters and, if the algorithm has a parameter for it, the given spanning tree.
ParameterTexts with_tree(const Algorithm& algorithm, const NetworkFacts& facts,
                         const ParameterTexts& asked) {
    const network::SpanningTree tree = facts.given().tree;
    ParameterTexts texts = asked;
    const bool is_parameter =
        std::any_of(algorithm.parameters.begin(), algorithm.parameters.end(),
                    [](const Parameter& parameter) { return parameter.name == "tree"; });
    if (tree == network::SpanningTree::breadth_first || !is_parameter) return texts;
    const auto [entry, is_new] = texts.emplace("tree", to_string(tree));
    if (!is_new && entry->second != to_string(tree))
        throw InputError("expected one spanning tree, found --tree " + to_string(tree) +
                         " and the parameter tree=" + entry->second);
    return texts;
}

}  // namespace

load::Loads effective_speeds(const load::Loads& speeds) {
    const bool equal = std::all_of(speeds.begin(), speeds.end(),
                                   [&](Tokens speed) { return speed == speeds.front(); });
    return equal ? load::Loads{} : speeds;
}

Preparation::Preparation(const Algorithm& algorithm, const NetworkFacts& facts, load::Loads loads,
                         const RunOptions& options)
    : facts_(facts),
      loads_(std::move(loads)),
      parameters_(algorithm.name, algorithm.parameters,
                  with_tree(algorithm, facts, options.parameters)),
      speeds_(effective_speeds(options.speeds)),
      weights_(network::in_lowest_terms(options.weights, facts.network().link_count())),
      options_(options) {
    expect_deviation_makes_sense(task());
    algorithm.expect_suitable(task());
    if (algorithm.load_scale != nullptr) scale_ = algorithm.load_scale(task());
    if (scale_ == 1) return;
    const auto scale = static_cast<Tokens>(scale_);
    if (load::total(loads_) > tokens_max / scale)
        throw OverflowError("the number of tokens in units of 1/" + std::to_string(scale));
    for (Tokens& load : loads_)
        load *= scale;
}

Task Preparation::task() const {
    return {facts_,
            loads_,
            parameters_,
            scale_,
            speeds_,
            options_.matchings.empty() ? nullptr : &options_.matchings,
            weights_.empty() ? nullptr : &weights_,
            options_.with_deviation};
}

}  // namespace equipoise::catalogue
