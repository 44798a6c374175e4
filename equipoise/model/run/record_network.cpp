#include "equipoise/model/run/record_network.hpp"

#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/generators/size.hpp"

namespace equipoise::model {

namespace {

std::string counts(UInt128 nodes, UInt128 links) {
    return load::to_decimal(static_cast<Int128>(nodes)) + " nodes and " +
           load::to_decimal(static_cast<Int128>(links)) + " links";
}

network::AnyNetwork made_anew(const Record& record) {
    const std::string& spec = record.labels.origin;
    const network::NetworkSize size = network::size_of(Spec::parse(spec));
    const bool fits = size.nodes == record.node_count && size.links_least <= record.link_count &&
                      record.link_count <= size.links_most;
    if (!fits)
        throw InputError("the record's network: expected " +
                         counts(record.node_count, record.link_count) + ", but " + spec +
                         " would have " + counts(size.nodes, size.links_most));
    return network::generate(spec, record.labels.seed);
}

network::AnyNetwork as_listed(const Record& record) {
    if (record.links.size() != record.link_count)
        throw InputError("the record's network: expected " + std::to_string(record.link_count) +
                         " links, found " + std::to_string(record.links.size()));
    return {network::Network(record.node_count, record.links), record.labels};
}

}  // namespace

network::AnyNetwork network_of(const Record& record) {
    // The loads are already in memory, so a network with that number of nodes is reasonable.
    if (record.initial_loads.size() != record.node_count)
        throw InputError("the record's network: expected one initial load for each of " +
                         std::to_string(record.node_count) + " nodes, found " +
                         std::to_string(record.initial_loads.size()));
    network::AnyNetwork found =
        record.generated && record.links.empty() ? made_anew(record) : as_listed(record);
    const bool same = found.node_count() == record.node_count &&
                      found.link_count() == record.link_count &&
                      found.visit([](const auto& graph) { return network::digest(graph); }) ==
                          record.network_digest;
    if (!same)
        throw InputError("the record's network: its " +
                         counts(found.node_count(), found.link_count()) +
                         " do not have the recorded counts and digest");
    return found;
}

void expect_given(const Record& record, const network::AnyNetwork& network) {
    try {
        network::expect_matchings(record.matchings, network);
        if (!record.matrix.empty()) network::expect_round_weights(record.matrix, network);
        network::expect_structures(record.given, network);
    } catch (const InputError& error) {
        throw InputError(std::string("what the record says was given: ") + error.what());
    }
}

}  // namespace equipoise::model
