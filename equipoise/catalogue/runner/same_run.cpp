#include "equipoise/catalogue/runner/same_run.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "equipoise/base/digest.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/catalogue/runner/run_option.hpp"
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

void add(Digest& digest, std::uint64_t number) {
    digest.add(number);
}

void add(Digest& digest, const std::optional<std::uint64_t>& number) {
    digest.add(number ? 1 : 0);
    digest.add(number.value_or(0));
}

void add(Digest& digest, const ParameterTexts& parameters) {
    for (const auto& [name, value] : parameters) {
        add(digest, name);
        add(digest, value);
    }
}

void add(Digest& digest, const std::optional<model::StopRule>& given) {
    digest.add(given ? 1 : 0);
    if (!given) return;
    const auto& [discrepancy, one_balanced, quiet, stable, own_termination, steps_max] = *given;
    digest.add(discrepancy ? static_cast<std::uint64_t>(*discrepancy) : ~0ULL);
    digest.add(one_balanced ? 1 : 0);
    add(digest, quiet);
    add(digest, stable);
    digest.add(own_termination ? 1 : 0);
    digest.add(steps_max);
}

void add(Digest& digest, const load::Loads& values) {
    digest.add(values.size());
    for (const Tokens value : values)
        digest.add(static_cast<std::uint64_t>(value));
}

void add(Digest& digest, const network::MatchingSequence& matchings) {
    for (const std::vector<Ends>& matching : matchings) {
        digest.add(matching.size());
        for (const Ends& pair : matching)
            digest.add(std::uint64_t{pair.tail} << 32U | pair.head);
    }
}

void add(Digest& digest, const network::RoundWeights& weights) {
    for (const network::Weight& weight : weights) {
        digest.add(static_cast<std::uint64_t>(weight.numerator));
        digest.add(static_cast<std::uint64_t>(weight.denominator));
    }
}

void add(Digest& digest, const network::NodeOrder& order) {
    digest.add(static_cast<std::uint64_t>(order));
}

void add(Digest& digest, const model::FinalLoads& where) {
    digest.add(static_cast<std::uint64_t>(where));
}

/// Adds the tree; the colouring is an option of its own.
void add(Digest& digest, const network::GivenStructures& given) {
    const auto& [tree, tree_links, colouring] = given;
    add(digest, to_string(tree));
    add(digest, network::MatchingSequence{tree_links});
}

template <class T>
std::uint64_t digest_of(const T& held) {
    Digest digest;
    add(digest, held);
    return digest.value();
}

/// The digest of a spec and of the contents of the file that it names after the prefix.
std::uint64_t digest_of_spec(const std::string& spec, std::string_view file_prefix) {
    Digest digest;
    add(digest, spec);
    if (file_prefix.empty() || !spec.starts_with(file_prefix)) return digest.value();
    LineSource source(spec.substr(file_prefix.size()));
    std::string_view line;
    while (source.next(line))
        add(digest, line);
    return digest.value();
}

std::uint64_t digest_of_owners(const engine::Partition* partition) {
    Digest digest;
    if (partition == nullptr || partition->consecutive()) return digest.value();
    for (int rank = 0; rank < partition->ranks(); ++rank)
        for (const NodeId node : partition->nodes_of(rank))
            digest.add(node);
    return digest.value();
}

std::uint64_t digest_of(const HeldValue& held, std::string_view file_prefix) {
    return std::visit(
        [&](const auto& value) {
            using Value = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, bool>)
                return digest_of(std::uint64_t{value});
            else if constexpr (std::is_same_v<Value, const std::string*>)
                return digest_of_spec(*value, file_prefix);
            else if constexpr (std::is_same_v<Value, const engine::Partition*>)
                return digest_of_owners(value);
            else
                return digest_of(*value);
        },
        held);
}

std::vector<engine::Held> held_by(const Algorithm& algorithm, const NetworkFacts& facts,
                                  const load::Loads& loads, const RunOptions& options) {
    std::vector<engine::Held> held = {
        {"algorithms", digest_of(std::string_view(algorithm.name))},
        {"links", facts.network().visit([](const auto& graph) { return network::digest(graph); })},
        {"loads", digest_of(loads)}};
    for (const RunOption& option : options_of_runs())
        if (option.held != nullptr)
            held.push_back(
                {"values of --" + std::string(option.info.name),
                 digest_of(option.held(options, facts.given()), option.info.file_prefix)});
    for (const ProgramField& field : fields_set_by_programs())
        if (field.held != nullptr)
            held.push_back({"values of " + std::string(field.name),
                            digest_of(field.held(options, facts.given()), "")});
    return held;
}

}  // namespace

void expect_same_run(const Algorithm& algorithm, const NetworkFacts& facts,
                     const load::Loads& loads, const RunOptions& options) {
    if (options.fabric == nullptr || options.fabric->ranks() == 1) return;
    std::vector<engine::Held> held;
    engine::try_together(options.fabric, [&] { held = held_by(algorithm, facts, loads, options); });
    engine::expect_same(*options.fabric, held);
}

}  // namespace equipoise::catalogue
