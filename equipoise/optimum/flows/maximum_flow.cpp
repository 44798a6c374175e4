#include <algorithm>
#include <limits>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/optimum/flows/flow_budget.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"

namespace equipoise::optimum {

namespace {

constexpr FlowNode unreached = std::numeric_limits<FlowNode>::max();

/// The residual network in compressed rows: every arc is stored at its tail and, reversed, at its
/// head.
class Residual {
  public:
    Residual(const FlowNetwork& network, const std::vector<std::int64_t>& start, FlowBudget* budget)
        : budget_(budget),
          source_(network.source),
          sink_(network.sink),
          offsets_(network.nodes + std::size_t{1}),
          heads_(2 * network.from.size()),
          mates_(2 * network.from.size()),
          left_(2 * network.from.size()),
          distances_(network.nodes),
          place_(network.from.size()) {
        const std::size_t arcs = network.from.size();
        for (std::size_t arc = 0; arc < arcs; ++arc) {
            ++offsets_[network.from[arc] + std::size_t{1}];
            ++offsets_[network.to[arc] + std::size_t{1}];
        }
        for (FlowNode node = 0; node < network.nodes; ++node)
            offsets_[node + std::size_t{1}] += offsets_[node];
        current_.assign(offsets_.begin(), offsets_.end() - 1);
        for (std::size_t arc = 0; arc < arcs; ++arc) {
            const FlowArc forward = current_[network.from[arc]]++;
            const FlowArc backward = current_[network.to[arc]]++;
            const std::int64_t flow = start.empty() ? 0 : start[arc];
            heads_[forward] = network.to[arc];
            heads_[backward] = network.from[arc];
            mates_[forward] = backward;
            mates_[backward] = forward;
            left_[forward] = network.capacity[arc] - flow;
            left_[backward] = flow;
            place_[arc] = forward;
        }
        queue_.reserve(network.nodes);
    }

    /// Computes distances to the sink: exact up to the source's, larger beyond. Returns whether the
    /// source has one.
    bool search() {
        if (!spend(heads_.size())) return false;
        std::fill(distances_.begin(), distances_.end(), unreached);
        distances_[sink_] = 0;
        queue_.assign(1, sink_);
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const FlowNode node = queue_[i];
            if (distances_[node] >= distances_[source_]) break;
            const FlowNode next = distances_[node] + 1;
            for (FlowArc half = offsets_[node]; half < offsets_[node + std::size_t{1}]; ++half) {
                const FlowNode other = heads_[half];
                if (distances_[other] != unreached || left_[mates_[half]] == 0) continue;
                distances_[other] = next;
                queue_.push_back(other);
            }
        }
        if (distances_[source_] == unreached) return false;
        for (FlowNode& distance : distances_)
            distance = std::min(distance, distances_[source_] + 1);
        return true;
    }

    /// Fills paths along which every arc is one nearer to the sink. A node without such an arc gets
    /// the distance that its neighbours allow, until distances have risen so often that searching
    /// again is cheaper.
    std::int64_t send() {
        current_.assign(offsets_.begin(), offsets_.end() - 1);
        path_.clear();
        std::int64_t sent = 0;
        std::size_t looks_left = heads_.size();
        FlowNode node = source_;
        while (true) {
            if (node == sink_) {
                sent += augment();
                if (over_) return sent;
                node = path_.empty() ? source_ : heads_[path_.back()];
                continue;
            }
            if (const FlowArc half = next_arc(node); half != no_arc) {
                path_.push_back(half);
                node = heads_[half];
                continue;
            }
            const std::size_t looks = offsets_[node + std::size_t{1}] - offsets_[node];
            if (looks > looks_left) return sent;
            looks_left -= looks;
            if (!work(looks)) return sent;
            raise(node);
            if (distances_[source_] >= distances_.size()) return sent;
            if (path_.empty()) continue;
            node = heads_[mates_[path_.back()]];
            path_.pop_back();
        }
    }

    /// Whether the budget has ended the search.
    [[nodiscard]] bool over() const { return over_; }

    /// The nodes that the source still reaches.
    [[nodiscard]] std::vector<std::uint8_t> reached() {
        std::vector<std::uint8_t> side(distances_.size(), 0);
        side[source_] = 1;
        queue_.assign(1, source_);
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const FlowNode node = queue_[i];
            for (FlowArc half = offsets_[node]; half < offsets_[node + std::size_t{1}]; ++half) {
                if (left_[half] == 0 || side[heads_[half]] != 0) continue;
                side[heads_[half]] = 1;
                queue_.push_back(heads_[half]);
            }
        }
        return side;
    }

    [[nodiscard]] std::vector<std::int64_t> flow(const FlowNetwork& network) const {
        std::vector<std::int64_t> by_arc(network.from.size());
        for (std::size_t arc = 0; arc < by_arc.size(); ++arc)
            by_arc[arc] = left_[mates_[place_[arc]]];
        return by_arc;
    }

  private:
    static constexpr FlowArc no_arc = std::numeric_limits<FlowArc>::max();

    bool spend(std::uint64_t looks) {
        over_ = over_ || (budget_ != nullptr && !budget_->spend(looks));
        return !over_;
    }
    /// Notes work in portions, since asking costs more than looking at a few arcs.
    bool work(std::uint64_t looks) {
        constexpr std::uint64_t portion = 1U << 16U;
        work_ += looks;
        return work_ < portion || spend(std::exchange(work_, 0));
    }
    FlowArc next_arc(FlowNode node) {
        const FlowNode wanted = distances_[node] - 1;
        for (FlowArc& half = current_[node]; half < offsets_[node + std::size_t{1}]; ++half)
            if (left_[half] > 0 && distances_[heads_[half]] == wanted) return half;
        return no_arc;
    }
    /// One more than the least distance that an open arc leads to; without such an arc, more than
    /// the length of any path.
    void raise(FlowNode node) {
        auto least = static_cast<FlowNode>(distances_.size());
        for (FlowArc half = offsets_[node]; half < offsets_[node + std::size_t{1}]; ++half)
            if (left_[half] > 0) least = std::min(least, distances_[heads_[half]]);
        distances_[node] = least + 1;
        current_[node] = offsets_[node];
    }
    /// Sends what the path can take and goes back to the tail of its first full arc.
    std::int64_t augment() {
        static_cast<void>(work(path_.size()));
        std::int64_t amount = std::numeric_limits<std::int64_t>::max();
        for (const FlowArc half : path_)
            amount = std::min(amount, left_[half]);
        std::size_t keep = path_.size();
        for (std::size_t i = path_.size(); i-- > 0;) {
            left_[path_[i]] -= amount;
            left_[mates_[path_[i]]] += amount;
            if (left_[path_[i]] == 0) keep = i;
        }
        path_.resize(keep);
        return amount;
    }

    FlowBudget* budget_;
    std::uint64_t work_ = 0;
    bool over_ = false;
    FlowNode source_;
    FlowNode sink_;
    std::vector<FlowArc> offsets_;
    std::vector<FlowNode> heads_;
    std::vector<FlowArc> mates_;
    std::vector<std::int64_t> left_;
    std::vector<FlowNode> distances_;
    std::vector<FlowArc> place_;  ///< of every arc, its forward half
    std::vector<FlowArc> current_;
    std::vector<FlowNode> queue_;
    std::vector<FlowArc> path_;
};

}  // namespace

// Problem: largest flow, integral capacities.
// Source: shortest augmenting paths with distances that rise (Ahuja, Orlin 1991), starting with a
//   backward search from the sink and with a flow if one is given. Like Dinic 1970 it searches
//   again, but only after raising has cost as much as a search would: most nodes are far from where
//   the flow still changes. Cost O(nodes^2 arcs) at worst.
Flow maximum_flow(const FlowNetwork& network, std::vector<std::int64_t> start, FlowBudget* budget) {
    std::int64_t value = start.empty() ? 0 : flow_value(network, start);
    EQUIPOISE_ASSERT(value >= 0);
    Residual residual(network, start, budget);
    start = {};
    while (residual.search())
        value += residual.send();
    if (residual.over())
        return {.complete = false, .value = value, .by_arc = {}, .source_side = {}};
    Flow flow{true, value, residual.flow(network), residual.reached()};
    EQUIPOISE_ASSERT(value == cut_capacity(network, flow.source_side));
    return flow;
}

std::int64_t flow_value(const FlowNetwork& network, const std::vector<std::int64_t>& by_arc) {
    std::vector<std::int64_t> balance(network.nodes, 0);
    for (std::size_t arc = 0; arc < by_arc.size(); ++arc) {
        if (by_arc[arc] < 0 || by_arc[arc] > network.capacity[arc]) return -1;
        balance[network.from[arc]] -= by_arc[arc];
        balance[network.to[arc]] += by_arc[arc];
    }
    for (FlowNode node = 0; node < network.nodes; ++node)
        if (node != network.source && node != network.sink && balance[node] != 0) return -1;
    return balance[network.sink];
}

std::int64_t cut_capacity(const FlowNetwork& network,
                          const std::vector<std::uint8_t>& source_side) {
    std::int64_t sum = 0;
    for (std::size_t arc = 0; arc < network.from.size(); ++arc)
        if (source_side[network.from[arc]] != 0 && source_side[network.to[arc]] == 0)
            sum = std::min(unlimited_flow, sum + network.capacity[arc]);
    return sum;
}

}  // namespace equipoise::optimum
