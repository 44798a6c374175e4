#include "tests/support/connected_graphs.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "equipoise/base/assert.hpp"

namespace equipoise::test {

namespace {

constexpr NodeId nodes_max = 6;

/// A graph on a few nodes as a set of bits, one for each pair of nodes.
class SmallGraphs {
  public:
    explicit SmallGraphs(NodeId nodes) : nodes_(nodes) {
        for (NodeId tail = 0; tail < nodes; ++tail)
            for (NodeId head = tail + 1; head < nodes; ++head) {
                bit_[tail][head] = bit_[head][tail] = static_cast<unsigned>(pairs_.size());
                pairs_.push_back({tail, head});
            }
    }

    /// One representative, the smallest number, of every class of isomorphic connected graphs.
    [[nodiscard]] std::vector<network::Network> representatives() const {
        const std::uint32_t count = 1U << pairs_.size();
        std::vector<bool> seen(count, false);
        std::vector<network::Network> found;
        for (std::uint32_t graph = 0; graph < count; ++graph) {
            if (seen[graph] || !connected(graph)) continue;
            mark_renamings(graph, seen);
            std::vector<Ends> links;
            for (std::size_t i = 0; i < pairs_.size(); ++i)
                if ((graph >> i & 1U) != 0) links.push_back(pairs_[i]);
            found.emplace_back(nodes_, std::move(links));
        }
        return found;
    }

  private:
    [[nodiscard]] bool connected(std::uint32_t graph) const {
        std::uint32_t reached = 1;
        for (NodeId pass = 0; pass < nodes_; ++pass)
            for (std::size_t i = 0; i < pairs_.size(); ++i) {
                const std::uint32_t ends = 1U << pairs_[i].tail | 1U << pairs_[i].head;
                if ((graph >> i & 1U) != 0 && (reached & ends) != 0) reached |= ends;
            }
        return reached == (1U << nodes_) - 1;
    }

    void mark_renamings(std::uint32_t graph, std::vector<bool>& seen) const {
        std::array<NodeId, nodes_max> name{};
        std::iota(name.begin(), name.end(), NodeId{0});
        do {
            std::uint32_t renamed = 0;
            for (std::size_t i = 0; i < pairs_.size(); ++i)
                if ((graph >> i & 1U) != 0)
                    renamed |= 1U << bit_[name[pairs_[i].tail]][name[pairs_[i].head]];
            seen[renamed] = true;
        } while (std::next_permutation(name.begin(), name.begin() + nodes_));
    }

    NodeId nodes_;
    std::vector<Ends> pairs_;
    std::array<std::array<unsigned, nodes_max>, nodes_max> bit_{};
};

/// The colours of links that share a node with `ends`.
std::set<Colour> colours_around(const network::Network& network, const Ends& ends,
                                const std::vector<Colour>& by_link) {
    std::set<Colour> taken;
    for (const NodeId node : {ends.tail, ends.head})
        for (Port port = 0; port < network.degree(node); ++port)
            taken.insert(by_link[network.link(node, port)]);
    return taken;
}

}  // namespace

const std::vector<network::Network>& connected_graphs(NodeId nodes) {
    EQUIPOISE_ASSERT(nodes >= 1 && nodes <= nodes_max);
    static const auto all = [] {
        std::array<std::vector<network::Network>, nodes_max + 1> by_size;
        for (NodeId size = 1; size <= nodes_max; ++size)
            by_size[size] = SmallGraphs(size).representatives();
        return by_size;
    }();
    return all[nodes];
}

network::Network random_connected_graph(NodeId nodes, LinkId extra_links, RandomStream& random) {
    std::set<Ends> links;
    for (NodeId node = 1; node < nodes; ++node)
        links.insert({static_cast<NodeId>(random.below(node)), node});
    for (LinkId i = 0; i < extra_links && nodes >= 2; ++i) {
        const auto a = static_cast<NodeId>(random.below(nodes));
        const auto b = static_cast<NodeId>(random.below(nodes));
        if (a != b) links.insert({std::min(a, b), std::max(a, b)});
    }
    return {nodes, std::vector<Ends>(links.begin(), links.end())};
}

network::EdgeColouring greedy_colouring(const network::Network& network) {
    network::EdgeColouring colouring{0, std::vector<Colour>(network.link_count(), no_colour)};
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const auto taken = colours_around(network, network.ends(link), colouring.by_link);
        Colour colour = 0;
        while (taken.contains(colour))
            ++colour;
        colouring.by_link[link] = colour;
        colouring.colour_count = std::max(colouring.colour_count, colour + 1);
    }
    return colouring;
}

network::EdgeColouring random_colouring(const network::Network& network, RandomStream& random) {
    network::EdgeColouring colouring{network.link_count() == 0 ? 0 : 2 * network.degree_max() - 1,
                                     std::vector<Colour>(network.link_count(), no_colour)};
    std::vector<LinkId> order(network.link_count());
    std::iota(order.begin(), order.end(), LinkId{0});
    std::shuffle(order.begin(), order.end(), random);
    for (const LinkId link : order) {
        const auto taken = colours_around(network, network.ends(link), colouring.by_link);
        std::vector<Colour> free;
        for (Colour colour = 0; colour < colouring.colour_count; ++colour)
            if (!taken.contains(colour)) free.push_back(colour);
        colouring.by_link[link] = free[random.below(free.size())];
    }
    return colouring;
}

load::Loads random_loads(NodeId nodes, Tokens most, RandomStream& random) {
    load::Loads loads(nodes);
    for (Tokens& load : loads)
        load = static_cast<Tokens>(random.below(static_cast<std::uint64_t>(most) + 1));
    return loads;
}

std::vector<load::Loads> uneven_loads(NodeId nodes, Tokens tokens, int random_count,
                                      RandomStream& random) {
    std::vector<load::Loads> all;
    for (NodeId node = 0; node < nodes; ++node) {
        all.emplace_back(nodes, 0);
        all.back()[node] = tokens;
    }
    for (int i = 0; i < random_count; ++i)
        all.push_back(random_loads(nodes, tokens, random));
    return all;
}

}  // namespace equipoise::test
