#include "equipoise/catalogue/runner/request.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/load/csv.hpp"
#include "equipoise/network/structure/circuits.hpp"

namespace equipoise::catalogue {

namespace {

constexpr NodeId transfers_shown_nodes_max = 400;
/// Loads that the samples of all runs hold together, in numbers of 8 bytes.
constexpr std::size_t loads_held_max = std::size_t{1} << 26U;

/// Whether a value is one of these names; otherwise it is a file. Throws InputError for what looks
/// like neither: most likely a typing mistake.
bool names_one_of(const std::string& option, const std::string& value,
                  std::vector<std::string> names, const std::string& file) {
    if (std::find(names.begin(), names.end(), value) != names.end()) return true;
    std::error_code ignored;
    if (value.find_first_of("./") == std::string::npos &&
        !std::filesystem::exists(value, ignored)) {
        names.push_back(file);
        throw InputError(option + ": " + expected_word(value, names));
    }
    return false;
}

load::Loads speeds_of(const TextOr<load::Loads>& speeds, const network::AnyNetwork& network) {
    if (speeds.value) return *speeds.value;
    load::Loads read;
    if (!speeds.text.empty())
        for (const std::uint64_t speed : load::read_speeds(speeds.text, network, speed_max))
            read.push_back(static_cast<Tokens>(speed));
    return read;
}

}  // namespace

ParameterTexts parameter_texts(const std::vector<std::string>& pairs) {
    ParameterTexts texts;
    for (const std::string& pair : pairs) {
        const std::size_t at = pair.find('=');
        if (at == std::string::npos || at == 0)
            throw InputError("--param: expected name=value, found \"" + pair + '"');
        if (!texts.emplace(pair.substr(0, at), pair.substr(at + 1)).second)
            throw InputError("--param: \"" + pair.substr(0, at) + "\" is given twice");
    }
    return texts;
}

RunOptions run_options(const RunRequest& request, const network::AnyNetwork& network) {
    RunOptions options;
    options.seed = request.seed;
    options.threads = request.threads;
    options.parameters = request.parameters;
    options.steps_max = request.steps_max;
    if (!request.stop.empty()) options.stop = parse_stop(request.stop);
    options.speeds = speeds_of(request.speeds, network);
    options.matchings = matchings_of(request.matchings, network);
    options.weights = weights_of(request.matrix, network);
    options.with_deviation = request.deviation;
    options.asynchrony = request.asynchrony;
    options.arrivals = request.arrivals;
    options.churn = request.churn;
    return options;
}

network::GivenStructures structures_of(const RunRequest& request,
                                       const network::AnyNetwork& network) {
    network::GivenStructures given;
    const std::string& tree = request.tree.text;
    if (request.tree.value) {
        given.tree = network::SpanningTree::given;
        given.tree_links = *request.tree.value;
    } else if (!tree.empty()) {
        if (names_one_of("--tree", tree, {"breadth-first", "minimum-diameter", "low-degree"},
                         "a file of its links")) {
            given.tree = network::spanning_tree_from_word(tree);
        } else {
            given.tree = network::SpanningTree::given;
            given.tree_links = network::read_spanning_tree(tree, network);
        }
    }
    if (request.colouring.value) {
        given.colouring = *request.colouring.value;
    } else if (!request.colouring.text.empty()) {
        given.colouring = network::read_colouring(request.colouring.text, network);
    }
    if (request.tree.value || request.colouring.value) network::expect_structures(given, network);
    return given;
}

void expect_loads_given(const TextOr<load::Loads>& loads) {
    if (!loads.given()) throw InputError("expected --loads with a spec or a CSV file, found none");
}

load::Loads loads_of(const TextOr<load::Loads>& loads, const network::AnyNetwork& network,
                     std::uint64_t seed) {
    expect_loads_given(loads);
    if (!loads.value) return make_loads(loads.text, network, seed);
    if (loads.value->size() != network.node_count())
        throw InputError("expected one load for each of " + std::to_string(network.node_count()) +
                         " nodes, found " + std::to_string(loads.value->size()));
    return *loads.value;
}

network::MatchingSequence matchings_of(const TextOr<network::MatchingSequence>& matchings,
                                       const network::AnyNetwork& network) {
    if (matchings.value) {
        network::expect_matchings(*matchings.value, network);
        return *matchings.value;
    }
    if (matchings.text.empty()) return {};
    return names_one_of("--matchings", matchings.text, network::matchings_names(),
                        "a file of matchings")
               ? network::named_matchings(matchings.text, network)
               : network::read_matchings(matchings.text, network);
}

network::RoundWeights weights_of(const TextOr<network::RoundWeights>& matrix,
                                 const network::AnyNetwork& network) {
    if (matrix.value) {
        network::expect_round_weights(*matrix.value, network);
        return *matrix.value;
    }
    return matrix.text.empty() ? network::RoundWeights{}
                               : network::read_round_weights(matrix.text, network);
}

void keep_for_page(RunOptions& options, NodeId nodes, std::size_t runs) {
    options.record_level =
        nodes <= transfers_shown_nodes_max ? model::RecordLevel::full : model::RecordLevel::sampled;
    const std::size_t each = loads_held_max / std::max<std::size_t>(1, runs * std::size_t{nodes});
    options.samples = std::clamp<std::size_t>(each, 2, options.samples);
}

}  // namespace equipoise::catalogue
