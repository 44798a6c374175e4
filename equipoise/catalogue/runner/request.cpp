#include "equipoise/catalogue/runner/request.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/spec_rows.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/load/csv.hpp"
#include "equipoise/model/run/arrivals.hpp"
#include "equipoise/model/run/churn.hpp"
#include "equipoise/network/structure/circuits.hpp"

namespace equipoise::catalogue {

namespace {

constexpr NodeId transfers_shown_nodes_max = 400;
/// The most loads that the samples of all runs hold together; each takes 8 bytes.
constexpr std::size_t loads_held_max = std::size_t{1} << 26U;

/// Whether a value is one of these names; otherwise it is a file. Throws InputError for a value
/// that looks like neither, which is most likely a typing mistake.
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

bool names_tree(const std::string& tree) {
    return names_one_of("--tree", tree, {"breadth-first", "minimum-diameter", "low-degree"},
                        "a file of its links");
}

bool names_matchings(const std::string& matchings) {
    return names_one_of("--matchings", matchings, network::matchings_names(),
                        "a file of matchings");
}

/// Throws InputError unless the text begins with the name of a row or names a file to replay.
void expect_row(const std::string& kind, const std::string& text,
                const std::vector<SpecInfo>& rows) {
    constexpr std::string_view replay = "replay:";
    if (text.empty()) return;
    if (text.starts_with(replay)) return expect_file_there(text.substr(replay.size()));
    const std::string name = text.substr(0, text.find(':'));
    if (std::none_of(rows.begin(), rows.end(),
                     [&](const SpecInfo& row) { return row.name == name; }))
        throw InputError(unknown_row(kind, text, rows));
}

network::NodeOrder order_of(const RunRequest& request) {
    return request.reorder.empty() ? network::NodeOrder::natural
                                   : network::node_order_from_word(request.reorder);
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

void expect_file_there(const std::string& text) {
    if (!text.empty()) static_cast<void>(LineSource(text));
}

void expect_matchings_there(const TextOr<network::MatchingSequence>& matchings) {
    if (!matchings.text.empty() && !names_matchings(matchings.text))
        expect_file_there(matchings.text);
}

void check(const RunRequest& request) {
    if (!request.stop.empty()) static_cast<void>(parse_stop(request.stop));
    static_cast<void>(order_of(request));
    expect_file_there(request.speeds.text);
    expect_matchings_there(request.matchings);
    expect_file_there(request.matrix.text);
    const std::string& tree = request.tree.text;
    if (!tree.empty() && !names_tree(tree)) expect_file_there(tree);
    expect_file_there(request.colouring.text);
    check(request.options.asynchrony);
    expect_row("kind of arrivals", request.options.arrivals, model::arrival_generators());
    expect_row("kind of churn", request.options.churn, model::churn_generators());
}

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
    RunOptions options = request.options;
    options.reorder = order_of(request);
    if (!request.stop.empty()) options.stop = parse_stop(request.stop);
    options.speeds = speeds_of(request.speeds, network);
    options.matchings = matchings_of(request.matchings, network);
    options.weights = weights_of(request.matrix, network);
    if (request.recovery && options.churn.empty())
        throw InputError(
            "--recovery tells how a network recovers from changes: expected --churn with it");
    if (request.extremes || request.recovery) options.record_level = model::RecordLevel::full;
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
        if (names_tree(tree)) {
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
    return names_matchings(matchings.text) ? network::named_matchings(matchings.text, network)
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
