#include "equipoise/network/generators/random.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"

namespace equipoise::network {

namespace {

/// The links of G(n, m) or G(n, p) are numbered row by row: (0,1), (0,2), ..., (1,2), ... Turns
/// ascending numbers into ends without division.
class PairCursor {
  public:
    explicit PairCursor(NodeId nodes) : row_length_(nodes == 0 ? 0 : nodes - 1) {}

    Ends at(std::uint64_t number) {
        while (number - row_first_ >= row_length_) {
            row_first_ += row_length_--;
            ++row_;
        }
        return {row_, static_cast<NodeId>(row_ + 1 + (number - row_first_))};
    }

  private:
    NodeId row_ = 0;
    std::uint64_t row_first_ = 0;
    std::uint64_t row_length_;
};

std::uint64_t pairs_of(NodeId nodes) {
    return nodes == 0 ? 0 : std::uint64_t{nodes} * (nodes - 1) / 2;
}

/// All links but the given ones, which are in ascending order.
std::vector<Ends> complement(NodeId nodes, const std::vector<Ends>& links) {
    std::vector<Ends> others;
    others.reserve(pairs_of(nodes) - links.size());
    auto skip = links.begin();
    for (NodeId tail = 0; tail < nodes; ++tail) {
        for (NodeId head = tail + 1; head < nodes; ++head) {
            if (skip != links.end() && *skip == Ends{tail, head}) {
                ++skip;
            } else {
                others.push_back({tail, head});
            }
        }
    }
    return others;
}

void shuffle(std::vector<NodeId>& nodes, RandomStream& random) {
    for (std::size_t i = nodes.size(); i > 1; --i)
        std::swap(nodes[i - 1], nodes[random.below(i)]);
}

/// Whether the links join all nodes, by union-find with path halving.
bool joins_all(NodeId nodes, const std::vector<Ends>& links) {
    std::vector<NodeId> parent(nodes);
    for (NodeId node = 0; node < nodes; ++node)
        parent[node] = node;
    const auto root = [&](NodeId node) {
        while (parent[node] != node) {
            parent[node] = parent[parent[node]];
            node = parent[node];
        }
        return node;
    };
    NodeId components = nodes;
    for (const Ends& ends : links) {
        const NodeId a = root(ends.tail);
        const NodeId b = root(ends.head);
        if (a == b) continue;
        // The smaller number becomes the root: cheap, and with halving nearly linear in practice.
        parent[std::max(a, b)] = std::min(a, b);
        --components;
    }
    return components <= 1;
}

// A random simple regular graph by pairing and switching.
// Problem: n nodes of d points each; pair all points so that no loop or double link arises.
// Source: the pairing model of Bollobas (1980); loops and doubles are repaired by switches in the
// manner of McKay and Wormald (1990).
// Each bad link u-v is switched with a random link x-y to u-x, v-y, if both are new and neither is
// a loop; a switch removes at least one bad link and makes none. Expected O(d^2) bad links.
// Deviation: switches are not corrected for their bias, which vanishes as n grows.
class Pairing {
  public:
    Pairing(NodeId nodes, NodeId degree, RandomStream random)
        : degree_(degree), random_(random), rows_(std::size_t{nodes} * degree) {
        for (std::size_t point = 0; point < rows_.size(); ++point)
            rows_[point] = static_cast<NodeId>(point / degree);
        shuffle(rows_, random_);
        links_.reserve(rows_.size() / 2);
        for (std::size_t point = 0; point < rows_.size(); point += 2)
            links_.emplace_back(std::minmax(rows_[point], rows_[point + 1]));
        std::sort(links_.begin(), links_.end());
        fill_rows(nodes);
    }

    /// False if no further repair was found; another pairing should then be tried.
    bool repair() {
        for (std::size_t i = 0; i < links_.size(); ++i) {
            std::uint64_t attempts = 64 * links_.size() + 1024;
            while (is_bad(links_[i])) {
                if (attempts-- == 0) return false;
                switch_with(i, random_.below(links_.size()));
            }
        }
        return true;
    }

    [[nodiscard]] std::vector<Ends> links() const {
        std::vector<Ends> links;
        links.reserve(links_.size());
        for (const auto& [tail, head] : links_)
            links.push_back({std::min(tail, head), std::max(tail, head)});
        std::sort(links.begin(), links.end());
        return links;
    }

  private:
    using Pair = std::pair<NodeId, NodeId>;

    void fill_rows(NodeId nodes) {
        std::vector<NodeId> filled(nodes, 0);
        const auto put = [&](NodeId at, NodeId other) {
            rows_[std::size_t{at} * degree_ + filled[at]++] = other;
        };
        for (const auto& [tail, head] : links_) {
            put(tail, head);
            put(head, tail);
        }
    }
    [[nodiscard]] std::span<NodeId> row(NodeId node) {
        return {rows_.data() + std::size_t{node} * degree_, degree_};
    }
    [[nodiscard]] std::ptrdiff_t multiplicity(NodeId node, NodeId other) {
        const std::span<NodeId> others = row(node);
        return std::count(others.begin(), others.end(), other);
    }
    [[nodiscard]] bool is_bad(const Pair& link) {
        return link.first == link.second || multiplicity(link.first, link.second) > 1;
    }
    void replace(NodeId node, NodeId old_other, NodeId new_other) {
        const std::span<NodeId> others = row(node);
        *std::find(others.begin(), others.end(), old_other) = new_other;
    }
    void switch_with(std::size_t bad, std::size_t partner) {
        if (bad == partner) return;
        const auto [u, v] = links_[bad];
        auto [x, y] = links_[partner];
        if (random_.coin()) std::swap(x, y);
        if (u == x || v == y || (u == v && x == y)) return;
        if (multiplicity(u, x) > 0 || multiplicity(v, y) > 0) return;
        replace(u, v, x);
        replace(v, u, y);
        replace(x, y, u);
        replace(y, x, v);
        links_[bad] = {u, x};
        links_[partner] = {v, y};
    }

    std::size_t degree_;
    RandomStream random_;
    std::vector<NodeId> rows_;  ///< neighbours of every node, `degree_` each, in no order
    std::vector<Pair> links_;
};

// The links of G(n, p), tile by tile.
// Problem: the links that touch some nodes, without drawing all others.
// Source: the gaps between links have the geometric law (Batagelj and Brandes 2005); parts of the
// adjacency matrix have random streams of their own as in Funke et al. 2019, which cuts one chunk
// per process, while here tiles depend on n and p alone. The pairs tail < head are cut into square
// tiles of `side` tails by `side` heads, those on the diagonal halved. `side` is the smallest power
// of two for which a whole tile expects 16 links or more (so at most 64), or that reaches n. A
// tile's stream is that of (seed, heads, tails): its links are the same whichever process draws
// them. Expected O(1) per tile.
class GnpTiles {
  public:
    /// 0 < probability <= 1.
    GnpTiles(NodeId nodes, double probability, std::uint64_t seed)
        : nodes_(nodes), seed_(seed), log_miss_(std::log1p(-probability)) {
        constexpr double links_least = 16;
        while (side() < nodes && std::ldexp(probability, 2 * static_cast<int>(bits_)) < links_least)
            ++bits_;
    }

    [[nodiscard]] std::uint64_t blocks() const { return (nodes_ + side() - 1) >> bits_; }
    [[nodiscard]] std::uint64_t block_of(NodeId node) const { return std::uint64_t{node} >> bits_; }

    /// Visits the links of a tile, tails <= heads.
    template <class Visit>
    void each_link(std::uint64_t heads, std::uint64_t tails, const Visit& visit) const {
        const std::uint64_t head = heads << bits_;
        const std::uint64_t tail = tails << bits_;
        const std::uint64_t rows = std::min(nodes_ - head, side());
        const bool diagonal = heads == tails;
        // At most 2^63, since a tile off the diagonal has at most 2^31 rows and columns.
        const std::uint64_t pairs = diagonal ? rows * (rows - 1) / 2 : rows << bits_;
        RandomStream random(seed_, Purpose::network, heads, tails);
        for (std::uint64_t next = 0; next < pairs; ++next) {
            const double gap = std::floor(std::log1p(-random.unit()) / log_miss_);
            if (!(gap < static_cast<double>(pairs - next))) return;
            next += static_cast<std::uint64_t>(gap);
            if (next >= pairs) return;
            const std::uint64_t row = diagonal ? triangle_row(next) : next >> bits_;
            const std::uint64_t column = next - (diagonal ? row * (row - 1) / 2 : row << bits_);
            visit(static_cast<NodeId>(tail + column), static_cast<NodeId>(head + row));
        }
    }

  private:
    [[nodiscard]] std::uint64_t side() const { return std::uint64_t{1} << bits_; }

    /// The row of a pair of a triangle whose row r = 1, 2, ... has r pairs: the largest r with
    /// r (r-1)/2 <= pair.
    static std::uint64_t triangle_row(std::uint64_t pair) {
        auto row =
            static_cast<std::uint64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(pair))) / 2);
        // The square root is rounded: at most one off.
        if (row * (row - 1) / 2 > pair) --row;
        if (row * (row + 1) / 2 <= pair) ++row;
        return row;
    }

    std::uint64_t nodes_;
    std::uint64_t seed_;
    double log_miss_;
    unsigned bits_ = 0;
};

}  // namespace

Network make_random_regular(NodeId nodes, NodeId degree, std::uint64_t seed) {
    const std::string what = "a connected simple network of " + std::to_string(nodes) +
                             " nodes of degree " + std::to_string(degree);
    if (degree >= nodes) throw InputError(what + " needs a degree below the number of nodes");
    if (std::uint64_t{nodes} * degree % 2 != 0)
        throw InputError(what + " does not exist: nodes times degree is odd");
    if (degree < 2 && degree + 1 < nodes)
        throw InputError(what + " does not exist: expected degree 2 or more");
    if (degree == 2) {
        RandomStream random(seed, Purpose::network);
        std::vector<NodeId> order(nodes);
        for (NodeId node = 0; node < nodes; ++node)
            order[node] = node;
        shuffle(order, random);
        std::vector<Ends> links;
        for (NodeId i = 0; i < nodes; ++i)
            links.push_back({order[i], order[(i + 1) % nodes]});
        return {nodes, std::move(links)};
    }
    // Dense graphs are complements of sparse ones; they are connected because a component has more
    // than half of the nodes.
    const bool dense = degree >= nodes - degree;
    const NodeId drawn = dense ? nodes - 1 - degree : degree;
    for (std::uint64_t attempt = 0;; ++attempt) {
        std::vector<Ends> links;
        if (drawn > 0) {
            Pairing pairing(nodes, drawn, RandomStream(seed, Purpose::network, attempt));
            if (!pairing.repair()) continue;
            links = pairing.links();
        }
        if (dense) links = complement(nodes, links);
        if (joins_all(nodes, links)) return {nodes, std::move(links)};
    }
}

void each_link_of_gnp(NodeId nodes, double probability, std::uint64_t seed, NodeId first,
                      NodeId last, const std::function<void(NodeId, NodeId)>& visit) {
    if (first >= last || probability <= 0) return;
    const GnpTiles tiles(nodes, std::min(1.0, probability), seed);
    const auto visit_own = [&](NodeId tail, NodeId head) {
        const auto own = [&](NodeId node) { return first <= node && node < last; };
        if (own(tail) || own(head)) visit(tail, head);
    };
    const std::uint64_t first_own = tiles.block_of(first);
    const std::uint64_t last_own = tiles.block_of(last - 1);
    for (std::uint64_t heads = first_own; heads < tiles.blocks(); ++heads) {
        const bool own = heads <= last_own;
        for (std::uint64_t tails = own ? 0 : first_own; tails <= (own ? heads : last_own); ++tails)
            tiles.each_link(heads, tails, visit_own);
    }
}

Network make_gnp(NodeId nodes, double probability, std::uint64_t seed) {
    std::vector<Ends> links;
    links.reserve(static_cast<std::size_t>(static_cast<double>(pairs_of(nodes)) *
                                           std::min(1.0, probability) * 1.01) +
                  64);
    each_link_of_gnp(nodes, probability, seed, 0, nodes, [&](NodeId tail, NodeId head) {
        links.push_back({tail, head});
    });
    return {nodes, std::move(links)};
}

Network make_gnm(NodeId nodes, std::uint64_t links, std::uint64_t seed) {
    const std::uint64_t pairs = pairs_of(nodes);
    if (links > pairs)
        throw InputError(std::to_string(nodes) + " nodes have only " + std::to_string(pairs) +
                         " pairs to link, fewer than " + std::to_string(links));
    const bool dense = links > pairs - links;
    const std::uint64_t drawn = dense ? pairs - links : links;
    RandomStream random(seed, Purpose::network);
    // Draws with repetition; repeated links are drawn again until enough different ones are there.
    std::vector<std::uint64_t> numbers;
    numbers.reserve(drawn);
    while (numbers.size() < drawn) {
        for (std::uint64_t missing = drawn - numbers.size(); missing > 0; --missing)
            numbers.push_back(random.below(pairs));
        std::sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    }
    PairCursor cursor(nodes);
    std::vector<Ends> chosen;
    chosen.reserve(drawn);
    for (const std::uint64_t number : numbers)
        chosen.push_back(cursor.at(number));
    return {nodes, dense ? complement(nodes, chosen) : std::move(chosen)};
}

Network make_preferential_attachment(NodeId nodes, NodeId links_per_node, std::uint64_t seed) {
    if (links_per_node < 1 || links_per_node >= nodes)
        throw InputError(
            "preferential attachment needs from 1 to nodes - 1 links per node, found " +
            std::to_string(links_per_node) + " for " + std::to_string(nodes) + " nodes");
    RandomStream random(seed, Purpose::network);
    // Every end of every link is once in `ends`, so a uniform draw from it is in proportion to
    // degrees.
    std::vector<NodeId> ends;
    std::vector<Ends> links;
    const std::size_t expected =
        std::size_t{nodes - links_per_node} * links_per_node + pairs_of(links_per_node);
    links.reserve(expected);
    ends.reserve(2 * expected);
    const auto add = [&](NodeId tail, NodeId head) {
        links.push_back({tail, head});
        ends.push_back(tail);
        ends.push_back(head);
    };
    for (NodeId tail = 0; tail <= links_per_node; ++tail)
        for (NodeId head = tail + 1; head <= links_per_node; ++head)
            add(tail, head);
    std::vector<NodeId> targets;
    for (NodeId node = links_per_node + 1; node < nodes; ++node) {
        targets.clear();
        const std::uint64_t choices = ends.size();
        while (targets.size() < links_per_node) {
            const NodeId target = ends[random.below(choices)];
            if (std::find(targets.begin(), targets.end(), target) == targets.end())
                targets.push_back(target);
        }
        for (const NodeId target : targets)
            add(target, node);
    }
    return {nodes, std::move(links)};
}

}  // namespace equipoise::network
