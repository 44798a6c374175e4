#include "equipoise/engine/simulation/mailboxes.hpp"

#include "equipoise/base/assert.hpp"

namespace equipoise::engine {

Mailboxes::Mailboxes(const network::Network& network, MessageSlab& messages, const NodeOrder& order)
    : first_(1, 0), messages_(messages) {
    EQUIPOISE_ASSERT(2 * network.link_count() < none);
    first_.reserve(std::size_t{network.node_count()} + 1);
    sides_.resize(2 * network.link_count());
    std::vector<std::uint32_t> seen(network.link_count(), none);
    for (NodeId v = 0; v < network.node_count(); ++v) {
        const NodeId name = order.name(v);
        first_.push_back(first_.back() + network.degree(name));
        for (Port port = 0; port < network.degree(name); ++port) {
            const std::uint32_t here = first_[v] + port;
            sides_[here].neighbour = order.place(network.neighbour(name, port));
            std::uint32_t& other = seen[network.link(name, port)];
            if (other == none) {
                other = here;
            } else {
                sides_[here].reverse = other;
                sides_[other].reverse = here;
            }
        }
    }
}

Mailboxes::Mailboxes(const network::Network& network, MessageSlab& messages, NodeId begin,
                     NodeId end)
    : first_(1, 0), messages_(messages) {
    EQUIPOISE_ASSERT(2 * network.link_count() < none);
    first_.reserve(std::size_t{end - begin} + 1);
    for (NodeId v = begin; v < end; ++v) {
        for (Port port = 0; port < network.degree(v); ++port)
            sides_.emplace_back().neighbour = network.neighbour(v, port);
        first_.push_back(static_cast<std::uint32_t>(sides_.size()));
    }
}

}  // namespace equipoise::engine
