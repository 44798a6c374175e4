#include "equipoise/catalogue/studies/compare.hpp"

#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/engine/fabric.hpp"

namespace equipoise::catalogue {

namespace {

/// The facts of one network, with the given tree or colouring for algorithms that take it.
class FactsByNeed {
  public:
    FactsByNeed(const network::AnyNetwork& made, const network::GivenStructures& given)
        : plain_(made),
          on_tree_(made, {given.tree, given.tree_links, {}}),
          by_colours_(made, {network::SpanningTree::breadth_first, {}, given.colouring}) {}

    [[nodiscard]] const NetworkFacts& plain() const { return plain_; }
    [[nodiscard]] const NetworkFacts& of(const Algorithm& algorithm) const {
        const bool has_tree = on_tree_.given().tree != network::SpanningTree::breadth_first;
        if (has_tree && algorithm.takes_tree) return on_tree_;
        const bool has_colours = !by_colours_.given().colouring.empty();
        return has_colours && algorithm.takes_colouring ? by_colours_ : plain_;
    }

  private:
    NetworkFacts plain_;
    NetworkFacts on_tree_;
    NetworkFacts by_colours_;
};

/// The parameters that an algorithm has, among all that were given.
ParameterTexts own_parameters(const Algorithm& algorithm, const ParameterTexts& given) {
    ParameterTexts own;
    for (const Parameter& parameter : algorithm.parameters)
        if (const auto found = given.find(parameter.name); found != given.end()) own.insert(*found);
    return own;
}

/// Whether `here` is true on any rank.
bool on_any(engine::Fabric* fabric, bool here) {
    return fabric == nullptr ? here : engine::largest_of(*fabric, here ? 1 : 0) != 0;
}

}  // namespace

Contest::Contest(const std::vector<std::string>& names, RunRequest request)
    : named_(!names.empty()), request_(std::move(request)) {
    for (const std::string& name : names)
        algorithms_.push_back(&find_algorithm(name));
    if (!named_)
        for (const Algorithm& algorithm : algorithms())
            algorithms_.push_back(&algorithm);
    expect_takers();
}

Contest::Contest(std::vector<const Algorithm*> algorithms, RunRequest request)
    : algorithms_(std::move(algorithms)), request_(std::move(request)) {
    expect_takers();
}

void Contest::expect_takers() {
    const auto takers = [&](const std::string& option, const std::string& what, const auto& takes) {
        std::vector<std::string> found;
        for (const Algorithm* algorithm : algorithms_)
            if (takes(*algorithm)) found.push_back(algorithm->name);
        if (found.empty()) throw InputError(option + ": none of the algorithms " + what);
        return found;
    };
    const auto tell = [&](const std::string& option, const std::vector<std::string>& found) {
        if (found.size() < algorithms_.size())
            notes_.push_back(option + " is for " + listed(found, " and ") +
                             "; the others run without it");
    };
    for (const auto& one : request_.options.parameters)
        takers("--param", "has a parameter \"" + one.first + '"',
               [&](const Algorithm& a) { return !own_parameters(a, {one}).empty(); });
    if (!request_.options.asynchrony.empty()) {
        const std::string options = "--delays, --adversary, --faults and --ports";
        const auto found = takers(options, "is asynchronous",
                                  [](const Algorithm& a) { return a.program.has_value(); });
        if (found.size() < algorithms_.size())
            notes_.push_back(options +
                             " are for asynchronous algorithms; the others run without them");
    }
    if (request_.speeds.given())
        takers("--speeds", "levels in proportion to speeds",
               [](const Algorithm& a) { return a.serves_speeds; });
    if (request_.matchings.given())
        tell("--matchings", takers("--matchings", "takes matchings",
                                   [](const Algorithm& a) { return a.takes_matchings; }));
    if (request_.matrix.given())
        tell("--matrix", takers("--matrix", "takes a round matrix",
                                [](const Algorithm& a) { return a.takes_weights; }));
    if (request_.tree.given())
        tell("--tree", takers("--tree", "runs on a spanning tree",
                              [](const Algorithm& a) { return a.takes_tree; }));
    if (request_.colouring.given())
        tell("--colouring", takers("--colouring", "takes its steps from an edge colouring",
                                   [](const Algorithm& a) { return a.takes_colouring; }));
    if (request_.options.with_deviation)
        tell("--deviation", takers("--deviation", "has an idealised process beside it",
                                   [](const Algorithm& a) { return a.measures_deviation; }));
}

RunOptions Contest::own_options(const Algorithm& algorithm, const RunOptions& given) const {
    RunOptions own = given;
    own.parameters = own_parameters(algorithm, request_.options.parameters);
    if (!algorithm.takes_matchings) own.matchings.clear();
    if (!algorithm.takes_weights) own.weights.clear();
    own.with_deviation = given.with_deviation && algorithm.measures_deviation;
    if (!algorithm.program) own.asynchrony = {};
    return own;
}

Comparison Contest::play(const network::AnyNetwork& network, const network::GivenStructures& given,
                         const load::Loads& loads, const RunOptions& options,
                         const BestPossible* best, const CompareWatch& watch) const {
    const FactsByNeed facts(network, given);
    Comparison result;
    for (const Algorithm* algorithm : algorithms_) {
        if (on_any(options.fabric, watch.interrupt.stop_requested())) break;
        if (!named_ && !options.speeds.empty() && !algorithm->serves_speeds) {
            result.left_out["they work with equal speeds only"].push_back(algorithm->name);
            continue;
        }
        if (!named_ && !request_.options.asynchrony.faults.empty() && algorithm->program &&
            algorithm->program->expect_supported == nullptr) {
            result.left_out["they send tokens in their messages, which --faults may lose"]
                .push_back(algorithm->name);
            continue;
        }
        try {
            RunOptions own = own_options(*algorithm, options);
            Supervision supervision = {watch.interrupt, {}};
            if (watch.progress) supervision.progress = watch.progress(algorithm->name);
            own.supervision = &supervision;
            result.records.push_back(run(*algorithm, facts.of(*algorithm), loads, own).record);
        } catch (const UnsuitableError& error) {
            if (named_ || !facts.plain().connected()) throw;
            result.left_out[error.what()].push_back(algorithm->name);
            continue;
        } catch (const OverflowError& error) {
            if (named_) throw InputError(algorithm->name + ": " + error.what());
            result.left_out[error.what()].push_back(algorithm->name);
            continue;
        }
        model::Record& record = result.records.back();
        const auto take_note = [&] {
            if (best != nullptr) best->note_in(record, *algorithm);
            if (watch.ended) watch.ended(record);
        };
        if (options.fabric == nullptr) {
            take_note();
        } else {
            engine::on_first(*options.fabric, take_note);
        }
        result.all_reached = result.all_reached && record.reached;
    }
    if (on_any(options.fabric, watch.interrupt.stop_requested())) result.all_reached = false;
    return result;
}

}  // namespace equipoise::catalogue
