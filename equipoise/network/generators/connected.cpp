#include "equipoise/network/generators/connected.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::network {

namespace {

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
    [[nodiscard]] std::vector<Network> representatives() const {
        const std::uint32_t count = 1U << pairs_.size();
        std::vector<bool> seen(count, false);
        std::vector<Network> found;
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
        std::array<NodeId, connected_nodes_max> name{};
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
    std::array<std::array<unsigned, connected_nodes_max>, connected_nodes_max> bit_{};
};

}  // namespace

const std::vector<Network>& connected_networks(NodeId nodes) {
    EQUIPOISE_ASSERT(nodes >= 1 && nodes <= connected_nodes_max);
    static std::array<std::once_flag, connected_nodes_max + 1> made;
    static std::array<std::vector<Network>, connected_nodes_max + 1> by_size;
    std::call_once(made[nodes], [&] { by_size[nodes] = SmallGraphs(nodes).representatives(); });
    return by_size[nodes];
}

Network make_connected(NodeId nodes, std::uint64_t number) {
    const std::vector<Network>& all = connected_networks(nodes);
    if (number < 1 || number > all.size())
        throw InputError("there are " + std::to_string(all.size()) + " connected networks on " +
                         std::to_string(nodes) + " nodes; expected number= 1 to " +
                         std::to_string(all.size()) + ", found " + std::to_string(number));
    return all[number - 1];
}

}  // namespace equipoise::network
