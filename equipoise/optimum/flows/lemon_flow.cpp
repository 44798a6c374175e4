// The only unit that sees LEMON. Compiled as C++17: LEMON's headers use members of allocators that
// C++20 removed.
#define LEMON_ONLY_TEMPLATES
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include <lemon/network_simplex.h>
#include <lemon/preflow.h>
#include <lemon/static_graph.h>

#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"

namespace equipoise::optimum {

namespace {

struct Stopped {};

/// Looks from time to time whether the search of this thread is to end, and throws Stopped then.
class StopWatch {
  public:
    explicit StopWatch(const std::function<bool()>& is_stopped) : is_stopped_(is_stopped) {
        watch = this;
    }
    StopWatch(const StopWatch&) = delete;
    StopWatch& operator=(const StopWatch&) = delete;
    ~StopWatch() { watch = nullptr; }

    static void look() {
        constexpr std::uint32_t every = 1024;
        if (watch == nullptr || ++watch->count_ % every != 0) return;
        if (watch->is_stopped_ && watch->is_stopped_()) throw Stopped{};
    }

  private:
    static thread_local StopWatch* watch;

    const std::function<bool()>& is_stopped_;
    std::uint32_t count_ = 0;
};

thread_local StopWatch* StopWatch::watch = nullptr;

/// A whole number. LEMON's simplex cannot be asked to end, but it compares two flows by >= at every
/// pivot, which looks at the watch.
struct WatchedFlow {
    std::int64_t number = 0;

    WatchedFlow() = default;
    WatchedFlow(std::int64_t value) : number(value) {}  // NOLINT(google-explicit-constructor)
    operator std::int64_t() const { return number; }    // NOLINT(google-explicit-constructor)
    WatchedFlow& operator+=(std::int64_t other) {
        number += other;
        return *this;
    }
    WatchedFlow& operator-=(std::int64_t other) {
        number -= other;
        return *this;
    }
};

// Only for two flows: with a plain number, the conversion decides.
template <class T, std::enable_if_t<std::is_same_v<T, WatchedFlow>, int> = 0>
bool operator>=(const WatchedFlow& one, const T& other) {
    StopWatch::look();
    return one.number >= other.number;
}
template <class T, std::enable_if_t<std::is_same_v<T, WatchedFlow>, int> = 0>
WatchedFlow operator-(const WatchedFlow& one, const T& other) {
    return one.number - other.number;
}

}  // namespace

}  // namespace equipoise::optimum

template <>
class std::numeric_limits<equipoise::optimum::WatchedFlow>
    : public std::numeric_limits<std::int64_t> {
  public:
    static equipoise::optimum::WatchedFlow max() { return numeric_limits<std::int64_t>::max(); }
    static equipoise::optimum::WatchedFlow infinity() { return max(); }
};

namespace equipoise::optimum {

namespace {

using lemon::StaticDigraph;
using ArcValues = StaticDigraph::ArcMap<std::int64_t>;

/// The arcs of a network in the order of their tails, as StaticDigraph requires.
struct Digraph {
    StaticDigraph graph;
    std::vector<FlowArc> order;  ///< by position in the graph

    explicit Digraph(const FlowNetwork& network) : order(network.from.size()) {
        std::iota(order.begin(), order.end(), FlowArc{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](FlowArc a, FlowArc b) { return network.from[a] < network.from[b]; });
        std::vector<std::pair<int, int>> pairs;
        pairs.reserve(order.size());
        for (const FlowArc arc : order)
            pairs.emplace_back(static_cast<int>(network.from[arc]),
                               static_cast<int>(network.to[arc]));
        graph.build(static_cast<int>(network.nodes), pairs.begin(), pairs.end());
    }

    /// Passes a value for every arc to LEMON.
    void fill(ArcValues& by_position, const std::vector<std::int64_t>& values) const {
        for (std::size_t i = 0; i < order.size(); ++i)
            by_position[StaticDigraph::arc(static_cast<int>(i))] = values[order[i]];
    }
    template <class Map>
    [[nodiscard]] std::vector<std::int64_t> by_arc(const Map& by_position) const {
        std::vector<std::int64_t> values(order.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            values[order[i]] = by_position[StaticDigraph::arc(static_cast<int>(i))];
        return values;
    }
};

}  // namespace

Flow maximum_flow_by_preflow(const FlowNetwork& network) {
    const Digraph digraph(network);
    ArcValues capacity(digraph.graph);
    digraph.fill(capacity, network.capacity);
    lemon::Preflow<StaticDigraph, ArcValues> solver(
        digraph.graph, capacity, StaticDigraph::node(static_cast<int>(network.source)),
        StaticDigraph::node(static_cast<int>(network.sink)));
    solver.run();
    Flow flow;
    flow.value = solver.flowValue();
    flow.by_arc = digraph.by_arc(solver.flowMap());
    flow.source_side.resize(network.nodes);
    for (FlowNode node = 0; node < network.nodes; ++node)
        flow.source_side[node] = solver.minCut(StaticDigraph::node(static_cast<int>(node))) ? 1 : 0;
    return flow;
}

CheapestFlow cheapest_flow(const FlowNetwork& network, const std::vector<std::int64_t>& cost,
                           std::int64_t value, const std::function<bool()>& is_stopped) {
    using Simplex = lemon::NetworkSimplex<StaticDigraph, WatchedFlow, std::int64_t>;
    CheapestFlow flow;
    flow.complete = !is_stopped || !is_stopped();
    if (!flow.complete) return flow;
    const Digraph digraph(network);
    // The simplex sums capacities: none larger than the flow.
    std::vector<std::int64_t> capacity = network.capacity;
    for (std::int64_t& most : capacity)
        most = std::min(most, value);
    ArcValues capacities(digraph.graph);
    ArcValues costs(digraph.graph);
    digraph.fill(capacities, capacity);
    digraph.fill(costs, cost);
    Simplex solver(digraph.graph);
    solver.upperMap(capacities)
        .costMap(costs)
        .stSupply(StaticDigraph::node(static_cast<int>(network.source)),
                  StaticDigraph::node(static_cast<int>(network.sink)), value);
    try {
        const StopWatch watch(is_stopped);
        flow.feasible = solver.run() == Simplex::OPTIMAL;
    } catch (const Stopped&) {
        flow.complete = false;
    }
    if (!flow.feasible) return flow;
    ArcValues result(digraph.graph);
    solver.flowMap(result);
    flow.by_arc = digraph.by_arc(result);
    for (std::size_t arc = 0; arc < cost.size(); ++arc)
        flow.cost = checked_add(flow.cost, checked_multiply(flow.by_arc[arc], cost[arc]));
    return flow;
}

}  // namespace equipoise::optimum
