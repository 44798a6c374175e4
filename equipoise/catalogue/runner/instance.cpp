#include "equipoise/catalogue/runner/instance.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "equipoise/analysis/meeting_graph.hpp"
#include "equipoise/analysis/rooted_tree.hpp"
#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/model/run/record_network.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/generators/meant.hpp"
#include "equipoise/network/io/raw_network.hpp"
#include "equipoise/network/node_names.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::catalogue {

namespace {

/// A text that is neither a generator nor a file: most likely a typing mistake.
[[noreturn]] void fail_unknown(const std::string& spec) {
    if (const std::string meant = network::meant_network(spec); !meant.empty())
        throw InputError("unknown network \"" + spec + '"' + meant);
    std::vector<std::string> names;
    for (const SpecInfo& info : network::generators())
        names.push_back(info.name);
    const std::string near = did_you_mean(spec.substr(0, spec.find(':')), names);
    throw InputError(
        "unknown network \"" + spec + '"' +
        (near.empty() ? ": expected a file or a generator (see equipoise generate --list)" : near));
}

bool like_file(const std::string& spec) {
    return spec.substr(0, spec.find(':')).find_first_of("./") != std::string::npos;
}

/// The largest component gets an origin that is not a spec: the spec alone would not recreate it.
network::AnyNetwork component_of_generated(const network::AnyNetwork& network,
                                           network::ReadReport* report) {
    if (network::is_connected(network)) return network;
    network::AnyNetwork component = network::largest_component_of(network);
    component.labels().origin = "largest component of " + network.labels().origin;
    component.labels().seed = network.labels().seed;
    if (report != nullptr) report->nodes_left_out = network.node_count() - component.node_count();
    return component;
}

network::Network tree_for(const Spec& spec, const network::AnyNetwork& network) {
    if (!network::is_tree(network))
        throw UnsuitableError("loads " + spec.name() + " need a tree, and the network is not one");
    return network.stored() != nullptr
               ? *network.stored()
               : network::Network(network.node_count(), network::all_links(network));
}

/// Distances in the meeting graph of the network's colouring, from the observer that begins here.
load::Loads worst_stable_off_trees(const Spec& spec, const network::AnyNetwork& network,
                                   NodeId source) {
    if (!network::is_connected(network))
        throw UnsuitableError("loads " + spec.name() + " need a connected network");
    const analysis::MeetingGraph meetings(network, network::colour_edges(network));
    load::Loads loads;
    for (const NodeId distance : meetings.distances(source))
        loads.push_back(distance);
    return loads;
}

load::Loads worst_stable(const Spec& spec, const network::AnyNetwork& network) {
    const std::string name = spec.word("node", network.name(0));
    const network::NodeNames names(network);
    const std::optional<NodeId> source = names.find(name);
    if (!source)
        throw InputError("spec '" + spec.text() + "': node=: expected " + names.expected() +
                         ", found \"" + name + '"');
    if (!network::is_tree(network)) return worst_stable_off_trees(spec, network, *source);
    return analysis::worst_stable_loads(tree_for(spec, network), network::colour_edges(network),
                                        *source);
}

/// Loads for which everything that is to be levelled must cross one link, a token at a time.
load::Loads one_side(const Spec& spec, const network::AnyNetwork& network) {
    const network::Network tree = tree_for(spec, network);
    const auto high = static_cast<Tokens>(
        spec.whole("high", 0, static_cast<std::uint64_t>(std::numeric_limits<Tokens>::max())));
    const NodeId n = tree.node_count();
    load::Loads loads(n, 0);
    if (n < 2) return loads;
    const analysis::RootedTree rooted = analysis::root_tree(tree, 0);
    const auto smaller_side = [&](NodeId below) {
        return std::min(rooted.size[below], n - rooted.size[below]);
    };
    NodeId half = 1;
    for (NodeId node = 2; node < n; ++node)
        if (smaller_side(node) > smaller_side(half)) half = node;
    // In preorder the subtree below a node is a run.
    const auto place = static_cast<std::size_t>(
        std::find(rooted.order.begin(), rooted.order.end(), half) - rooted.order.begin());
    const NodeId size = rooted.size[half];
    for (std::size_t k = 0; k < rooted.order.size(); ++k) {
        const bool below = k >= place && k < place + size;
        if (below == (2 * size <= n)) loads[rooted.order[k]] = high;
    }
    return loads;
}

std::span<const load::LoadGenerator> own_load_generators() {
    static const std::vector<load::LoadGenerator> own = {
        {{"worst-stable", "worst-stable",
          "uneven loads that threshold-1 never levels; on a tree the most uneven ones, elsewhere "
          "those with none at `node`",
          false},
         {"node"},
         worst_stable},
        {{"one-side", "one-side:high=100",
          "on a tree: `high` tokens on every node of one side of the link that halves it best, on "
          "the smaller side; none on the other",
          false},
         {"high"},
         one_side}};
    return own;
}

}  // namespace

std::vector<SpecInfo> load_generators() {
    std::vector<SpecInfo> all = load::load_generators();
    for (const load::LoadGenerator& generator : own_load_generators())
        all.push_back(generator.info);
    return all;
}

load::Loads make_loads(std::string_view spec, const network::AnyNetwork& network,
                       std::uint64_t seed) {
    return load::make_loads(spec, network, seed, own_load_generators());
}

network::AnyNetwork make_network(const NetworkRequest& request, network::ReadReport* report) {
    if (network::names_generator(request.spec)) {
        if (request.format != network::Format::automatic)
            throw InputError("network \"" + request.spec +
                             "\" is generated: expected no format, found \"" +
                             network::to_string(request.format) + '"');
        if (request.header)
            throw InputError("network \"" + request.spec +
                             "\" is generated: expected no header, found one");
        network::AnyNetwork network = network::generate(request.spec, request.seed);
        return request.largest_component ? component_of_generated(network, report) : network;
    }
    std::error_code ignored;
    if (!like_file(request.spec) && !std::filesystem::exists(request.spec, ignored))
        fail_unknown(request.spec);
    const network::ReadOptions options{request.format, request.simplify, request.largest_component,
                                       request.header};
    return network::read(request.spec, options, report);
}

Instance make_instance(const NetworkRequest& request, const std::string& loads,
                       network::ReadReport* report) {
    Instance instance;
    instance.network = make_network(request, report);
    instance.loads = make_loads(loads, instance.network, request.seed);
    return instance;
}

Instance instance_of(const model::Record& record) {
    return {model::network_of(record), record.initial_loads};
}

}  // namespace equipoise::catalogue
