#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/program.hpp"
#include "equipoise/catalogue/registry/given_rule.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/engine/given_nodes.hpp"
#include "equipoise/engine/rounds/bulk_deal_rounds.hpp"
#include "equipoise/engine/rounds/bulk_edge_rounds.hpp"

namespace equipoise::catalogue {

namespace {

AnyRule any_rule(model::BulkEdgeRule rule) {
    return AnyRule(AnyRule::Begin(
        [rule = std::move(rule)](
            engine::AnySchedule&& schedule, engine::LoadedPart&& part,
            const engine::RoundOptions& options) -> std::unique_ptr<engine::RoundPlay> {
            return std::make_unique<engine::BulkEdgeRounds>(rule, std::move(schedule),
                                                            std::move(part), options);
        }));
}

AnyRule any_rule(model::BulkDealRule rule) {
    return AnyRule(AnyRule::Begin(
        [rule = std::move(rule)](
            engine::AnySchedule&& /*none*/, engine::LoadedPart&& part,
            const engine::RoundOptions& options) -> std::unique_ptr<engine::RoundPlay> {
            return std::make_unique<engine::BulkDealRounds>(rule, std::move(part), options);
        }));
}

/// A rule that is the same for every task.
template <class Rule>
class GivenRounds final : public Rounds {
  public:
    GivenRounds(Rule rule, Links links) : Rounds(links), rule_(std::move(rule)) {}

    [[nodiscard]] AnyRule make(const Task& task, const engine::RoundOptions& /*options*/,
                               model::Notes& /*notes*/) const override {
        Rule named = rule_;
        named.node_name = [&network = task.facts.network()](NodeId node) {
            return network.name(node);
        };
        return any_rule(std::move(named));
    }
    [[nodiscard]] AnyRule make_on_first(engine::Fabric& /*fabric*/, const Task* /*task*/,
                                        const engine::RoundOptions& /*options*/) const override {
        throw UnsuitableError(rule_.name +
                              " is a rule that the caller gave: expected a network that every "
                              "process holds whole");
    }
    [[nodiscard]] std::optional<AnyRule> make_for_any(
        const Parameters& /*parameters*/) const override {
        return any_rule(rule_);
    }

  private:
    [[nodiscard]] bool has_fixed_size() const override { return false; }

    Rule rule_;
};

DefaultStop stop_after(Step quiet_steps) {
    DefaultStop stop = stop_when_quiet(std::max<Step>(1, quiet_steps));
    stop.rule.steps_max = given_steps_max;
    return stop;
}

/// The number of steps in which every link is active at least once, except with a probability below
/// 1e-8: a link is matched with probability at least 1 / (2 d - 1).
Step steps_for_every_link(const network::AnyNetwork& network) {
    const double links = static_cast<double>(std::max<LinkId>(1, network.link_count()));
    return (2 * Step{network.degree_max()} + 1) *
           static_cast<Step>(std::ceil(std::log(links) + 20));
}

struct LinksRow {
    std::string word;
    Links (*links)();
    StepModel model;
    DefaultStop (*default_stop)(const Task&);
    std::string stop;
};

const std::vector<LinksRow>& links_table() {
    static const std::vector<LinksRow> rows = {
        {"colours", colours, StepModel::single_port,
         [](const Task& task) { return stop_after(task.facts.colour_count()); },
         "no token moved in a full round"},
        {"all", all_links, StepModel::multi_port, [](const Task&) { return stop_after(1); },
         "no token moved in a step"},
        {"random-matchings", random_matchings, StepModel::single_port,
         [](const Task& task) { return stop_after(steps_for_every_link(task.facts.network())); },
         "no token moved while almost surely every link was active"},
        {"steepest-matchings", steepest_matchings, StepModel::single_port,
         [](const Task&) { return stop_after(1); }, "no token moved in a step"},
        {"matchings", matchings, StepModel::single_port,
         [](const Task& task) {
             return stop_after(task.matchings != nullptr ? task.matchings->size()
                                                         : task.facts.natural_matchings().size());
         },
         "no token moved in a full round"},
    };
    return rows;
}

bool is_name(const std::string& name) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !name.empty() && name.size() <= 64 && is_letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) {
               return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
           });
}

void expect_name(const std::string& name) {
    if (!is_name(name))
        throw InputError(
            "expected a rule's name of at most 64 letters, digits, \"_\", \"-\" and \".\" that "
            "begins with a letter, found \"" +
            name + '"');
    for (const Algorithm& algorithm : algorithms()) {
        const std::vector<std::string>& former = algorithm.former_names;
        if (algorithm.name == name || std::find(former.begin(), former.end(), name) != former.end())
            throw InputError("there is an algorithm \"" + name +
                             "\" already: expected another name for the given rule");
    }
}

Algorithm given(const std::string& name) {
    expect_name(name);
    Algorithm algorithm;
    algorithm.name = name;
    algorithm.title = "a rule that the caller gave";
    algorithm.source = "given by the caller";
    algorithm.needs = "nothing";
    algorithm.guarantee = "none: the rule is the caller's";
    algorithm.anytime = true;
    algorithm.serves_speeds = true;
    algorithm.is_given = true;
    algorithm.expect_suitable = [](const Task& /*task*/) {};
    return algorithm;
}

std::string capped(const std::string& stop) {
    return stop + "; after " + std::to_string(given_steps_max) + " steps at the latest";
}

}  // namespace

detail::GivenEntry detail::given_entry(const std::string& name, GivenLinks links) {
    const LinksRow& row = links_table()[static_cast<std::size_t>(links)];
    Algorithm algorithm = given(name);
    algorithm.model = row.model;
    algorithm.stop = capped(row.stop);
    algorithm.takes_matchings = links == GivenLinks::matchings;
    algorithm.takes_colouring = links == GivenLinks::colours;
    algorithm.default_stop = row.default_stop;
    return {std::move(algorithm), row.links()};
}

detail::GivenEntry detail::given_entry(const std::string& name) {
    Algorithm algorithm = given(name);
    algorithm.model = StepModel::multi_port;
    algorithm.stop = capped("no token moved in a round");
    algorithm.default_stop = [](const Task& /*task*/) { return stop_after(1); };
    return {std::move(algorithm), neighbours()};
}

Algorithm detail::given_program(const std::string& name, const std::vector<std::string>& kinds) {
    constexpr std::size_t kinds_max = 31;
    if (kinds.empty() || kinds.size() > kinds_max)
        throw InputError(name + ": expected 1 to " + std::to_string(kinds_max) +
                         " kinds of message, found " + std::to_string(kinds.size()));
    for (const std::string& kind : kinds)
        if (!is_name(kind) || std::count(kinds.begin(), kinds.end(), kind) > 1)
            throw InputError(name +
                             ": expected a name of its own for each kind of message, found \"" +
                             kind + '"');
    Algorithm algorithm = given(name);
    algorithm.model = StepModel::asynchronous;
    algorithm.stop = capped("its own end, or nothing is on the way");
    algorithm.anytime = false;
    algorithm.default_stop = [](const Task& /*task*/) {
        DefaultStop stop;
        stop.rule.steps_max = given_steps_max;
        return stop;
    };
    algorithm.program = {.kinds = kinds};
    // The simulation itself refuses faults that the program does not support.
    algorithm.program->expect_supported = [](const Task& /*task*/, const engine::FaultPlan&) {};
    return algorithm;
}

Algorithm given_algorithm(Algorithm given, const std::string& name) {
    EQUIPOISE_ASSERT(given.is_given);
    expect_name(name);
    given.name = name;
    return given;
}

const std::vector<std::string>& given_links_words() {
    static const std::vector<std::string> words = [] {
        std::vector<std::string> all;
        for (const LinksRow& row : links_table())
            all.push_back(row.word);
        return all;
    }();
    return words;
}

GivenLinks given_links_from_word(const std::string& word) {
    const std::vector<std::string>& words = given_links_words();
    const auto found = std::find(words.begin(), words.end(), word);
    if (found != words.end()) return static_cast<GivenLinks>(found - words.begin());
    std::string all;
    for (std::size_t i = 0; i < words.size(); ++i)
        all += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    throw InputError("links: expected " + all + ", found \"" + word + '"');
}

Algorithm given_algorithm(const model::BulkEdgeRule& rule, GivenLinks links) {
    auto [algorithm, over] = detail::given_entry(rule.name, links);
    algorithm.loads_may_be_negative = rule.may_owe;
    algorithm.rounds = std::make_shared<GivenRounds<model::BulkEdgeRule>>(rule, over);
    return algorithm;
}

Algorithm given_algorithm(const model::BulkDealRule& rule) {
    auto [algorithm, over] = detail::given_entry(rule.name);
    algorithm.loads_may_be_negative = rule.may_owe;
    algorithm.rounds = std::make_shared<GivenRounds<model::BulkDealRule>>(rule, over);
    return algorithm;
}

Algorithm given_algorithm(const model::GivenProgram& program) {
    Algorithm algorithm = detail::given_program(program.name, program.kinds);
    algorithm.program->acknowledgements = program.acknowledgements;
    algorithm.program->play = [program](const Task& task, const engine::RoundOptions& options,
                                        const engine::SimulationOptions& asynchrony,
                                        engine::ProgramCosts& costs) {
        if (asynchrony.fabric != nullptr)
            throw UnsuitableError(program.name +
                                  " is a program that the caller gave: expected a simulation");
        const network::Network& channels = all_channels(task.facts);
        engine::GivenNodes nodes(program, channels, [&network = task.facts.network()](NodeId node) {
            return network.name(node);
        });
        return play_nodes(nodes, channels, task, options, asynchrony, costs);
    };
    return algorithm;
}

}  // namespace equipoise::catalogue
