#include "equipoise/network/structure/node_orders.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::network {

namespace {

constexpr std::array<std::pair<NodeOrder, std::string_view>, 4> words = {
    {{NodeOrder::natural, "natural"},
     {NodeOrder::cuthill_mckee, "cuthill-mckee"},
     {NodeOrder::degrees, "degrees"},
     {NodeOrder::hilbert, "hilbert"}}};

/// Breadth-first searches, one component after the other, that append what they reach to an order.
template <class N>
class LevelSearch {
  public:
    explicit LevelSearch(const N& network) : network_(network), met_(network.node_count(), false) {
        order_.reserve(network.node_count());
    }

    [[nodiscard]] bool met(NodeId node) const { return met_[node]; }
    [[nodiscard]] std::vector<NodeId>& order() { return order_; }

    /// What a search from `root` found, beginning at `first` in the order.
    struct Search {
        std::size_t first = 0;
        std::size_t last_level = 0;  ///< where its last level begins
        std::uint32_t depth = 0;
    };

    /// Appends after each node those of its neighbours that were not yet met, low degrees first.
    Search run(NodeId root) {
        Search search{order_.size(), order_.size(), 0};
        meet(root);
        std::size_t level_end = order_.size();
        for (std::size_t i = search.first; i < order_.size(); ++i) {
            if (i == level_end) {
                search.last_level = i;
                level_end = order_.size();
                ++search.depth;
            }
            const NodeId node = order_[i];
            const std::size_t begin = order_.size();
            for (Port port = 0; port < network_.degree(node); ++port)
                if (const NodeId other = network_.neighbour(node, port); !met_[other]) meet(other);
            std::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin), order_.end(),
                      [&](NodeId a, NodeId b) {
                          return std::pair(network_.degree(a), a) <
                                 std::pair(network_.degree(b), b);
                      });
        }
        return search;
    }

    void forget(const Search& search) {
        for (std::size_t i = search.first; i < order_.size(); ++i)
            met_[order_[i]] = false;
        order_.resize(search.first);
    }

    /// The node of least degree in the last level.
    [[nodiscard]] NodeId far_node(const Search& search) const {
        const auto last = std::span(order_).subspan(search.last_level);
        return *std::min_element(last.begin(), last.end(), [&](NodeId a, NodeId b) {
            return std::pair(network_.degree(a), a) < std::pair(network_.degree(b), b);
        });
    }

  private:
    void meet(NodeId node) {
        met_[node] = true;
        order_.push_back(node);
    }

    const N& network_;
    std::vector<bool> met_;
    std::vector<NodeId> order_;
};

// Reverse Cuthill-McKee.
// Problem: number the nodes so that the numbers of neighbours differ little.
// Source: Cuthill, McKee 1969; reversed by George 1971; the first node is found as by George and
// Liu 1979: from any node to a far one of low degree, as long as that leads farther.
// Guarantee: every node but the first of its component has a neighbour later in the order; nothing
// is promised about the largest difference, which is hard to approximate.
// Deviation: at most four searches for the first node; equal degrees go by number.
template <class N>
std::vector<NodeId> reverse_cuthill_mckee(const N& network) {
    constexpr int searches_max = 4;
    LevelSearch levels(network);
    for (NodeId node = 0; node < network.node_count(); ++node) {
        if (levels.met(node)) continue;
        auto search = levels.run(node);
        for (int i = 1; i < searches_max; ++i) {
            const std::uint32_t depth = search.depth;
            const NodeId far = levels.far_node(search);
            levels.forget(search);
            search = levels.run(far);
            if (search.depth <= depth) break;
        }
    }
    std::reverse(levels.order().begin(), levels.order().end());
    return std::move(levels.order());
}

/// A counting sort.
template <class N>
std::vector<NodeId> highest_degree_first(const N& network) {
    std::vector<NodeId> places(std::size_t{network.degree_max()} + 2);
    for (NodeId node = 0; node < network.node_count(); ++node)
        ++places[network.degree_max() - network.degree(node) + 1];
    std::partial_sum(places.begin(), places.end(), places.begin());
    std::vector<NodeId> order(network.node_count());
    for (NodeId node = 0; node < network.node_count(); ++node)
        order[places[network.degree_max() - network.degree(node)]++] = node;
    return order;
}

/// The place of a cell on the Hilbert curve through 2^31 x 2^31 cells (Hilbert 1891).
[[nodiscard]] std::uint64_t place_on_curve(std::uint32_t x, std::uint32_t y) {
    std::uint64_t place = 0;
    for (std::uint32_t side = 1U << 30U; side > 0; side /= 2) {
        const bool right = (x & side) != 0;
        const bool up = (y & side) != 0;
        place = 4 * place + (right ? (up ? 2U : 3U) : (up ? 1U : 0U));
        if (!up) {
            if (right) {
                x = ~x;
                y = ~y;
            }
            std::swap(x, y);
        }
    }
    return place;
}

std::vector<NodeId> along_hilbert_curve(const AnyNetwork& network) {
    const std::vector<Position>& positions = network.labels().positions;
    if (positions.empty())
        throw UnsuitableError(
            "the order hilbert needs the positions of the nodes, which this network does not have "
            "(GML and GraphML files may have them)");
    double left = std::numeric_limits<double>::max();
    double low = left;
    double side = 0;
    for (const Position& position : positions) {
        left = std::min(left, position.x);
        low = std::min(low, position.y);
    }
    for (const Position& position : positions)
        side = std::max({side, position.x - left, position.y - low});
    const auto cell = [&](double from_edge) {
        constexpr double cells = 2147483647.0;
        const double share = from_edge / side;
        return share > 0 ? static_cast<std::uint32_t>(std::min(share, 1.0) * cells) : 0U;
    };
    std::vector<std::pair<std::uint64_t, NodeId>> placed;
    placed.reserve(positions.size());
    for (const Position& position : positions)
        placed.emplace_back(place_on_curve(cell(position.x - left), cell(position.y - low)),
                            static_cast<NodeId>(placed.size()));
    std::sort(placed.begin(), placed.end());
    std::vector<NodeId> order;
    order.reserve(placed.size());
    for (const auto& [place, node] : placed)
        order.push_back(node);
    return order;
}

}  // namespace

std::string to_string(NodeOrder order) {
    const auto* const found = std::find_if(words.begin(), words.end(),
                                           [&](const auto& row) { return row.first == order; });
    return std::string(found->second);
}

NodeOrder node_order_from_word(std::string_view word) {
    for (const auto& [order, name] : words)
        if (name == word) return order;
    throw InputError("--reorder: " + expected_word(word, node_order_words()));
}

std::vector<std::string> node_order_words() {
    std::vector<std::string> names;
    for (const auto& [order, name] : words)
        if (order != NodeOrder::natural) names.emplace_back(name);
    return names;
}

std::vector<NodeId> node_order(const AnyNetwork& network, NodeOrder order) {
    if (order == NodeOrder::hilbert) return along_hilbert_curve(network);
    return network.visit([&](const auto& graph) {
        if (order == NodeOrder::cuthill_mckee) return reverse_cuthill_mckee(graph);
        if (order == NodeOrder::degrees) return highest_degree_first(graph);
        std::vector<NodeId> natural(graph.node_count());
        std::iota(natural.begin(), natural.end(), NodeId{0});
        return natural;
    });
}

}  // namespace equipoise::network
