#include "equipoise/catalogue/runner/same_run.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/digest.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/same_on_ranks.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::catalogue {

namespace {

void add(Digest& digest, std::string_view text) {
    digest.add(text.size());
    for (const char c : text)
        digest.add(static_cast<unsigned char>(c));
}

void add(Digest& digest, const std::optional<std::uint64_t>& number) {
    digest.add(number ? 1 : 0);
    digest.add(number.value_or(0));
}

std::uint64_t digest_of(const load::Loads& values) {
    Digest digest;
    digest.add(values.size());
    for (const Tokens value : values)
        digest.add(static_cast<std::uint64_t>(value));
    return digest.value();
}

std::uint64_t digest_of(const network::MatchingSequence& matchings) {
    Digest digest;
    for (const std::vector<Ends>& matching : matchings) {
        digest.add(matching.size());
        for (const Ends& pair : matching)
            digest.add(std::uint64_t{pair.tail} << 32U | pair.head);
    }
    return digest.value();
}

std::uint64_t digest_of(const network::RoundWeights& weights) {
    Digest digest;
    for (const network::Weight& weight : weights) {
        digest.add(static_cast<std::uint64_t>(weight.numerator));
        digest.add(static_cast<std::uint64_t>(weight.denominator));
    }
    return digest.value();
}

/// The digest of a spec and of the contents of the file that it names.
std::uint64_t digest_of_events(const std::string& spec) {
    Digest digest;
    add(digest, spec);
    constexpr std::string_view replay = "replay:";
    if (!spec.starts_with(replay)) return digest.value();
    LineSource source(spec.substr(replay.size()));
    std::string_view line;
    while (source.next(line))
        add(digest, line);
    return digest.value();
}

std::uint64_t digest_of_owners(const engine::Partition* partition, int ranks) {
    Digest digest;
    if (partition == nullptr || partition->consecutive()) return digest.value();
    for (int rank = 0; rank < ranks; ++rank)
        for (const NodeId node : partition->nodes_of(rank))
            digest.add(node);
    return digest.value();
}

std::uint64_t digest_of_options(const Algorithm& algorithm, const NetworkFacts& facts,
                                const RunOptions& options) {
    Digest digest;
    add(digest, algorithm.name);
    add(digest, to_string(facts.given().tree));
    for (const auto& [name, value] : options.parameters) {
        add(digest, name);
        add(digest, value);
    }
    digest.add(options.seed);
    if (options.stop) {
        const model::StopRule& rule = *options.stop;
        digest.add(rule.discrepancy ? static_cast<std::uint64_t>(*rule.discrepancy) : ~0ULL);
        digest.add(rule.one_balanced ? 1 : 0);
        add(digest, rule.quiet_steps);
        add(digest, rule.stable_steps);
        digest.add(rule.own_termination ? 1 : 0);
        digest.add(rule.steps_max);
    }
    add(digest, options.steps_max);
    digest.add(options.with_deviation ? 1 : 0);
    digest.add(static_cast<std::uint64_t>(options.reorder));
    digest.add(options.stop_in_units ? 1 : 0);
    digest.add(options.nodes_on_ranks ? 1 : 0);
    digest.add(options.may_play_alone ? 1 : 0);
    for (const std::string* text : {&options.asynchrony.delays, &options.asynchrony.adversary,
                                    &options.asynchrony.faults, &options.asynchrony.ports})
        add(digest, *text);
    return digest.value();
}

}  // namespace

void expect_same_run(const Algorithm& algorithm, const NetworkFacts& facts,
                     const load::Loads& loads, const RunOptions& options) {
    if (options.fabric == nullptr || options.fabric->ranks() == 1) return;
    std::vector<engine::Held> held;
    engine::try_together(options.fabric, [&] {
        held = {
            {"options", digest_of_options(algorithm, facts, options)},
            {"links",
             facts.network().visit([](const auto& graph) { return network::digest(graph); })},
            {"loads", digest_of(loads)},
            {"speeds", digest_of(options.speeds)},
            {"matchings", digest_of(options.matchings)},
            {"entries of the matrix", digest_of(options.weights)},
            {"links of the tree", digest_of(network::MatchingSequence{facts.given().tree_links})},
            {"colours", digest_of(facts.given().colouring)},
            {"arrivals", digest_of_events(options.arrivals)},
            {"events of the churn", digest_of_events(options.churn)},
            {"owners of nodes", digest_of_owners(options.partition, options.fabric->ranks())}};
    });
    engine::expect_same(*options.fabric, held);
}

}  // namespace equipoise::catalogue
