#include "equipoise/catalogue/registry/rounds.hpp"

#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::catalogue {

namespace {

HeldSchedule own_colours(const Task& task, std::uint64_t /*seed*/) {
    const network::AnyNetwork& network = task.facts.network();
    if (const network::MatchingSequence& given = task.facts.given().colouring; !given.empty())
        return {model::PeriodicSchedule(given)};
    if (const network::Grid* grid = network.grid()) return {model::GridSchedule(*grid)};
    return {model::colour_schedule(*network.stored(), task.facts.colouring())};
}

HeldSchedule own_dimensions(const Task& task, std::uint64_t seed) {
    const bool cube =
        task.facts.given().colouring.empty() && network::is_hypercube(task.facts.network());
    return (cube ? matchings() : colours()).schedule(task, seed);
}

HeldSchedule colours_of_tree(const Task& task, std::uint64_t /*seed*/) {
    const ColouredTree& coloured =
        task.facts.coloured_tree(network::spanning_tree_from_word(task.parameters.word("tree")));
    return {model::colour_schedule(coloured.tree, coloured.colouring)};
}

HeldSchedule own_matchings(const Task& task, std::uint64_t /*seed*/) {
    return {model::PeriodicSchedule(task.matchings != nullptr ? *task.matchings
                                                              : task.facts.natural_matchings())};
}

}  // namespace

Links neighbours() {
    return {};
}

Links all_links() {
    return {Links::Kind::all, [](const Task& task, std::uint64_t /*seed*/) -> HeldSchedule {
                return {model::AllLinks(task.facts.stored())};
            }};
}

Links colours() {
    return {Links::Kind::periodic, own_colours};
}

Links dimensions() {
    return {Links::Kind::periodic, own_dimensions};
}

const network::MatchingSequence& dimensions_of(const Task& task) {
    const network::MatchingSequence& given = task.facts.given().colouring;
    return given.empty() ? task.facts.natural_matchings() : given;
}

Links tree_colours() {
    return {Links::Kind::periodic, colours_of_tree};
}

Links matchings() {
    return {Links::Kind::periodic, own_matchings};
}

Links random_matchings() {
    return {Links::Kind::drawn, [](const Task& task, std::uint64_t seed) -> HeldSchedule {
                return {model::RandomMatching(task.facts.network(), seed)};
            }};
}

Links random_links() {
    return {Links::Kind::drawn, [](const Task& task, std::uint64_t seed) -> HeldSchedule {
                return {model::RandomLink(task.facts.network(), seed)};
            }};
}

Links random_pairs_of_nodes() {
    return {Links::Kind::drawn, [](const Task& task, std::uint64_t seed) -> HeldSchedule {
                return {model::RandomPair(task.facts.network().node_count(), seed)};
            }};
}

Links steepest_matchings() {
    return {Links::Kind::drawn, [](const Task& task, std::uint64_t /*seed*/) -> HeldSchedule {
                return {model::SteepestMatching(task.facts.network())};
            }};
}

engine::RoundOutcome play_rule(const AnyRule& rule, const Links& links, const Task& task,
                               const engine::RoundOptions& options) {
    const bool all = links.kind == Links::Kind::all;
    const bool on_ranks = options.fabric != nullptr;
    const engine::Graph graph =
        all && !on_ranks ? engine::Graph(task.facts.stored()) : engine::Graph(task.facts.network());
    std::optional<HeldSchedule> held;
    engine::AnySchedule schedule;
    if (all && on_ranks) {
        schedule = engine::all_links_of(graph);
    } else if (links.schedule != nullptr) {
        held.emplace(links.schedule(task, options.seed));
        schedule = held->any();
    }
    return rule.begin(std::move(schedule), engine::take_part(graph, task.loads, options), options)
        ->run();
}

engine::RoundOutcome play_rounds(const Algorithm& algorithm, const Task& task,
                                 const engine::RoundOptions& options, model::Notes& notes) {
    const Play play = [&](const engine::RoundOptions& as) {
        engine::RoundOptions to_find = as;
        to_find.keeper = nullptr;  // other rounds than those that are saved
        const AnyRule rule = algorithm.rounds->make(task, to_find, notes);
        return play_rule(rule, algorithm.rounds->links(task.parameters), task, as);
    };
    return algorithm.around == nullptr ? play(options)
                                       : algorithm.around(task, options, notes, play);
}

}  // namespace equipoise::catalogue
