#include "equipoise/optimum/exchanges/minimum_exchanges.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/optimum/exchanges/cheapest_exchanges.hpp"
#include "equipoise/optimum/exchanges/slope_lists.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

namespace {

/// The tree rooted at node 0. Places are in depth-first order, so that a subtree is a run of
/// consecutive places.
struct Hung {
    std::vector<NodeId> node;    ///< by place
    std::vector<NodeId> parent;  ///< by place: the parent's place
    std::vector<LinkId> link;    ///< by place: to the parent

    explicit Hung(const network::Network& tree) {
        const NodeId count = tree.node_count();
        node.reserve(count);
        parent.reserve(count);
        link.reserve(count);
        struct Branch {
            NodeId node;
            NodeId parent;
            LinkId link;
        };
        std::vector<Branch> open = {{0, no_node, 0}};
        while (!open.empty() && node.size() <= count) {
            const Branch branch = open.back();
            open.pop_back();
            const auto place = static_cast<NodeId>(node.size());
            const NodeId above = branch.parent == no_node ? no_node : node[branch.parent];
            node.push_back(branch.node);
            parent.push_back(branch.parent);
            link.push_back(branch.link);
            for (Port port = 0; port < tree.degree(branch.node); ++port)
                if (const NodeId next = tree.neighbour(branch.node, port); next != above)
                    open.push_back({next, place, tree.link(branch.node, port)});
        }
    }
    /// Whether the search reached all nodes; it does not if there are two components, one with a
    /// cycle.
    [[nodiscard]] bool spans(const network::Network& tree) const {
        return node.size() == tree.node_count();
    }
};

void expect_one_a_node(const network::Network& tree, std::span<const Tokens> values,
                       const char* what) {
    if (values.size() != tree.node_count())
        throw InputError("fewest exchanges: expected one " + std::string(what) + " for each of " +
                         std::to_string(tree.node_count()) + " nodes, found " +
                         std::to_string(values.size()));
    if (std::any_of(values.begin(), values.end(), [](Tokens value) { return value < 0; }))
        throw InputError("fewest exchanges: expected no negative " + std::string(what));
}

/// Every node's share of all tokens.
struct Shares {
    load::Loads floors;
    std::vector<bool> whole;  ///< whether the share is its floor

    Shares(Tokens tokens, NodeId count, std::span<const Tokens> speeds)
        : floors(count), whole(count) {
        Int128 speed_total = speeds.empty() ? Int128{count} : Int128{0};
        for (const Tokens speed : speeds)
            speed_total += speed;
        if (speed_total == 0)
            throw InputError("fewest exchanges: expected a speed above 0 for at least one node");
        if (speeds.empty()) {
            std::fill(floors.begin(), floors.end(), tokens / Tokens{count});
            whole.assign(count, tokens % Tokens{count} == 0);
            return;
        }
        for (NodeId v = 0; v < count; ++v) {
            const Int128 share = static_cast<Int128>(tokens) * speeds[v];  // below 2^61 * 2^63
            floors[v] = static_cast<Tokens>(share / speed_total);
            whole[v] = share % speed_total == 0;
        }
    }
};

MinimumExchanges by_cheapest_flow(const network::Network& network, std::span<const Tokens> loads,
                                  std::span<const Tokens> speeds) {
    const std::vector<std::uint64_t> unsigned_speeds(speeds.begin(), speeds.end());
    Problem problem;
    problem.network = &network;
    problem.loads.assign(loads.begin(), loads.end());
    problem.target = floor_or_ceiling(loads, unsigned_speeds);
    return cheapest_exchanges(problem);
}

MinimumExchanges by_slopes(const network::Network& tree, const Hung& hung,
                           std::span<const Tokens> loads, std::span<const Tokens> speeds) {
    const NodeId count = tree.node_count();
    const Shares shares(load::total(loads), count, speeds);

    // Upwards: surpluses b_v and lists of slopes.
    std::vector<Tokens> surplus(count);
    SlopeLists lists(count);
    std::vector<SlopeLists::List> list(count, SlopeLists::empty);
    for (NodeId v = count; v-- > 0;) {
        const NodeId node = hung.node[v];
        surplus[v] += loads[node] - shares.floors[node];
        if (!shares.whole[node]) list[v] = lists.merge(list[v], lists.single(v));
        if (v == 0) break;
        const auto kept = std::clamp<Tokens>(surplus[v], 0, lists.size(list[v]));
        lists.shift(list[v], static_cast<std::uint32_t>(kept));
        const NodeId parent = hung.parent[v];
        surplus[parent] += surplus[v];
        list[parent] = lists.merge(list[parent], list[v]);
    }

    // The root's choice.
    const Tokens extras = surplus[0];
    EQUIPOISE_ASSERT(extras >= 0 && extras <= Tokens{lists.size(list[0])});
    MinimumExchanges result;
    result.loads = shares.floors;
    std::vector<Tokens> kept(count, 0);  // X_v
    lists.for_first(list[0], static_cast<std::uint32_t>(extras), [&](NodeId v) {
        kept[v] = 1;
        ++result.loads[hung.node[v]];
    });

    // The tokens that every subtree passes to its parent.
    result.flows.resize(tree.link_count());
    for (NodeId v = count; v-- > 1;) {
        kept[hung.parent[v]] += kept[v];
        const Tokens upwards = surplus[v] - kept[v];
        result.exchanges = checked_add(result.exchanges, upwards < 0 ? -upwards : upwards);
        const bool from_tail = tree.ends(hung.link[v]).tail == hung.node[v];
        result.flows[hung.link[v]] = from_tail ? upwards : -upwards;
    }
    return result;
}

}  // namespace

MinimumExchanges minimum_exchanges(const network::Network& network, std::span<const Tokens> loads,
                                   std::span<const Tokens> speeds) {
    expect_one_a_node(network, loads, "load");
    if (!speeds.empty()) expect_one_a_node(network, speeds, "speed");
    if (network.node_count() == 0)
        throw InputError("fewest exchanges: expected a node, found an empty network");
    if (network.link_count() + 1 == network.node_count())
        if (const Hung hung(network); hung.spans(network))
            return by_slopes(network, hung, loads, speeds);
    return by_cheapest_flow(network, loads, speeds);
}

}  // namespace equipoise::optimum
