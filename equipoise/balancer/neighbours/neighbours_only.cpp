#include "equipoise/balancer/neighbours/neighbours_only.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/preparation.hpp"
#include "equipoise/catalogue/runner/requirements.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::balancer {

namespace {

bool is_letter(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '-' || character == '_';
}

// Words of the laboratory, replaced by those of ranks and communicators.
std::string_view word_here(std::string_view word) {
    using Pair = std::pair<std::string_view, std::string_view>;
    constexpr std::array<Pair, 6> words = {{{"token", "item"},
                                            {"tokens", "items"},
                                            {"node", "rank"},
                                            {"nodes", "ranks"},
                                            {"network", "topology"},
                                            {"networks", "topologies"}}};
    const auto* const found = std::find_if(words.begin(), words.end(),
                                           [&](const Pair& pair) { return pair.first == word; });
    return found == words.end() ? word : found->second;
}

// Whether this is a hint in brackets that is useful only on the command line: about specs of
// networks, or options.
bool is_hint(std::string_view bracket) {
    return bracket.find('=') != std::string_view::npos ||
           bracket.find(':') != std::string_view::npos ||
           bracket.find("--") != std::string_view::npos;
}

// The catalogue's errors about networks, nodes and tokens, reworded for programs that have a
// topology, ranks and items.
std::string in_words_of_mpi(std::string_view text) {
    const auto up_to = [&](char last) {
        return text.substr(0, std::min(text.find(last, 1), text.size() - 1) + 1);
    };
    std::string said;
    while (!text.empty()) {
        std::string_view part = text.substr(0, 1);
        if (text.front() == '"') {
            part = up_to('"');  // somebody else's word
            said += part;
        } else if (text.starts_with(" (") && is_hint(up_to(')'))) {
            part = up_to(')');
        } else if (is_letter(text.front())) {
            const auto end = std::find_if_not(text.begin(), text.end(), is_letter);
            part = {text.begin(), end};
            said += word_here(part);
        } else {
            said += part;
        }
        text.remove_prefix(part.size());
    }
    return said;
}

/// Runs code that asks the catalogue, and turns the catalogue's errors into those of an MPI
/// program.
template <class Ask>
auto asking(const Ask& ask) {
    try {
        return ask();
    } catch (const InputError& error) {
        throw InputError("neighbours-only: " + in_words_of_mpi(error.what()));
    }
}

[[noreturn]] void refuse_parts_of_items(const std::string& algorithm) {
    throw InputError(algorithm +
                     " uses fractions of items, dummies or debts, which real items do not allow");
}

load::Loads whole_numbers(std::span<const double> speeds) {
    load::Loads whole;
    for (const double speed : speeds) {
        if (speed != std::floor(speed) || speed < 1 || speed > 1e9)
            throw InputError("expected speeds that are whole numbers from 1 to 10^9, found " +
                             grouped_real(speed));
        whole.push_back(static_cast<Tokens>(speed));
    }
    return whole;
}

void expect_known(const std::string& algorithm) {
    asking([&] { static_cast<void>(catalogue::find_algorithm(algorithm)); });
}

void expect_suitable(const std::vector<Ends>& links, std::span<const Tokens> counts,
                     const std::string& algorithm) {
    asking([&] {
        const network::AnyNetwork network =
            network::Network(static_cast<NodeId>(counts.size()), links);
        const catalogue::NetworkFacts facts(network);
        const catalogue::RunOptions options;
        const load::Loads loads(counts.begin(), counts.end());
        const catalogue::Preparation prepared =
            catalogue::prepare(catalogue::find_algorithm(algorithm), facts, loads, options);
        if (prepared.task().load_scale != 1) refuse_parts_of_items(algorithm);
    });
}

std::vector<Transfer> transfers(const std::vector<Ends>& links, std::span<const Tokens> counts,
                                std::span<const double> speeds, const std::string& algorithm) {
    return asking([&] {
        const network::Network network(static_cast<NodeId>(counts.size()), links);
        catalogue::RunOptions options;
        options.record_level = model::RecordLevel::full;
        options.speeds = whole_numbers(speeds);
        if (!catalogue::effective_speeds(options.speeds).empty() &&
            !catalogue::find_algorithm(algorithm).serves_speeds)
            throw InputError(algorithm + " works with equal speeds only");
        const load::Loads loads(counts.begin(), counts.end());
        const catalogue::Outcome outcome = catalogue::run(algorithm, network, loads, options);
        const model::Record& record = outcome.record;
        const bool items_survive = record.load_scale == 1 && record.created.empty() &&
                                   record.destroyed.empty() &&
                                   std::all_of(record.final_loads.begin(), record.final_loads.end(),
                                               [](Tokens load) { return load >= 0; });
        if (!items_survive) refuse_parts_of_items(algorithm);
        std::vector<Transfer> moves;
        moves.reserve(record.transfers.size());
        for (const model::Transfer& transfer : record.transfers)
            moves.push_back(
                {static_cast<int>(transfer.from), static_cast<int>(transfer.to), transfer.tokens});
        return moves;
    });
}

constexpr NeighbourPlanner planner = {expect_known, expect_suitable, transfers};

}  // namespace

Options neighbours_only(std::string algorithm) {
    Options options;
    options.policy = Policy::neighbours_only;
    options.algorithm = std::move(algorithm);
    options.neighbour_planner = &planner;
    return options;
}

}  // namespace equipoise::balancer
