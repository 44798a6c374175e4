#include "equipoise/engine/parts/metis.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#ifdef EQUIPOISE_WITH_METIS
#include <metis.h>
#endif

#include "equipoise/base/error.hpp"

namespace equipoise::engine {

#ifdef EQUIPOISE_WITH_METIS

bool has_metis() {
    return true;
}

namespace {

// The owner of every node; empty if parts of consecutive nodes are good enough.
std::vector<std::uint32_t> owners_of(const network::AnyNetwork& network, int ranks) {
    if (ranks == 1 || network.node_count() / 2 < static_cast<NodeId>(ranks)) return {};
    constexpr auto ends_max = static_cast<std::uint64_t>(std::numeric_limits<idx_t>::max());
    if (2 * std::uint64_t{network.link_count()} > ends_max || network.node_count() >= ends_max)
        throw UnsuitableError("METIS numbers at most " + std::to_string(ends_max) +
                              " ends of links: expected a smaller network, or parts of "
                              "consecutive nodes");
    std::vector<idx_t> offsets = {0};
    std::vector<idx_t> neighbours;
    offsets.reserve(std::size_t{network.node_count()} + 1);
    neighbours.reserve(2 * std::size_t{network.link_count()});
    network.visit([&](const auto& graph) {
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            for (Port port = 0; port < graph.degree(node); ++port)
                neighbours.push_back(static_cast<idx_t>(graph.neighbour(node, port)));
            offsets.push_back(static_cast<idx_t>(neighbours.size()));
        }
    });
    auto nodes = static_cast<idx_t>(network.node_count());
    idx_t constraints = 1;
    auto parts = static_cast<idx_t>(ranks);
    idx_t cut = 0;
    std::vector<idx_t> options(METIS_NOPTIONS);
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = 1;  // the same parts every time
    std::vector<idx_t> part(network.node_count());
    const int status = METIS_PartGraphKway(&nodes, &constraints, offsets.data(), neighbours.data(),
                                           nullptr, nullptr, nullptr, &parts, nullptr, nullptr,
                                           options.data(), &cut, part.data());
    if (status == METIS_ERROR_MEMORY) throw std::bad_alloc();
    if (status != METIS_OK)
        throw UnsuitableError("METIS found no partition: expected parts of consecutive nodes");
    return {part.begin(), part.end()};
}

}  // namespace

#else

bool has_metis() {
    return false;
}

namespace {

std::vector<std::uint32_t> owners_of(const network::AnyNetwork& /*network*/, int /*ranks*/) {
    throw UnsuitableError(
        "this library was built without METIS: expected parts of consecutive nodes");
}

}  // namespace

#endif

Partition partition_by_metis(Fabric& fabric, const network::AnyNetwork* whole) {
    std::vector<std::uint32_t> owners;
    NodeId node_count = 0;
    on_first(fabric, [&] {
        owners = owners_of(*whole, fabric.ranks());
        node_count = whole->node_count();
    });
    broadcast_value(fabric, node_count);
    broadcast_values(fabric, owners);
    if (owners.empty()) return Partition::contiguous(node_count, fabric.ranks());
    return Partition::of(std::move(owners), fabric.ranks());
}

}  // namespace equipoise::engine
