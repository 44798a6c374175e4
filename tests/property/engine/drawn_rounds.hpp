#pragma once
// What tests of rounds draw at random: instances, and a rule and a schedule that use every feature.

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "equipoise/base/random.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/model/run/schedule.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/connected_graphs.hpp"

namespace equipoise::engine {

using network::Network;

/// A rule that uses every member of the contract: both kinds of state, degrees, speeds,
/// randomness, wakes, merges, creation and notes.
struct EverythingRule {
    struct NodeState {
        Tokens highest = 0;
        Tokens net = 0;
        Tokens merged = 0;
        std::uint64_t wakes = 0;
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    using LinkState = Tokens;

    [[nodiscard]] NodeState start_node(model::NodeInfo info) const {
        return {info.load, Tokens{info.degree}, info.speed, 0};
    }
    [[nodiscard]] LinkState start_link(model::NodeInfo tail, model::NodeInfo head) const {
        return tail.load - head.load + tail.speed;
    }
    [[nodiscard]] bool wakes_all(Step step) const { return step % 3 == 1; }
    void before_step(NodeState& state, Tokens load, model::StepInfo at) const {
        state.wakes += at.step + at.seed + static_cast<std::uint64_t>(load);
    }
    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& link,
                                                      model::EdgeStep at) const {
        const Tokens pull = tail.load * head.speed - head.load * tail.speed + link +
                            tail.state.net - head.state.net + (at.random().coin() ? 1 : 0);
        const Tokens flow = pull / Tokens{tail.degree + head.degree + 1};
        return {flow, (link + flow + static_cast<Tokens>(head.state.wakes % 3)) % 7};
    }
    void merge(NodeState& own, const NodeState& neighbour, const LinkState& link,
               model::LinkEnd own_end, Tokens inflow) const {
        own.highest = std::max(own.highest, neighbour.highest);
        own.merged += neighbour.net + link + 3 * inflow + (own_end == model::LinkEnd::tail ? 5 : 0);
    }
    [[nodiscard]] Tokens create(NodeState& state, Tokens load, Tokens outflow) const {
        const Tokens made = load > 30 && outflow == 0 ? -1 : std::max<Tokens>(0, outflow - load);
        state.merged += made;
        return made;
    }
    void after_step(NodeState& state, Tokens old_load, Tokens new_load,
                    model::StepInfo /*at*/) const {
        state.net = (state.net + new_load - old_load) % 11;
    }
};
static_assert(model::EdgeRule<EverythingRule>);

/// A fresh random matching every step; its slots have no state of their own.
class RandomMatchings {
  public:
    RandomMatchings(const Network& network, std::uint64_t seed) : network_(&network), seed_(seed) {}
    [[nodiscard]] static Step period() { return 0; }
    [[nodiscard]] static std::uint64_t slot_count() { return 0; }
    [[nodiscard]] static bool disjoint() { return true; }
    void prepare(Step step) {
        RandomStream random(seed_, Purpose::schedule, 0, step);
        std::vector<LinkId> order(network_->link_count());
        std::iota(order.begin(), order.end(), LinkId{0});
        std::shuffle(order.begin(), order.end(), random);
        std::set<NodeId> used;
        links_.clear();
        for (const LinkId link : order) {
            const Ends ends = network_->ends(link);
            if (used.contains(ends.tail) || used.contains(ends.head)) continue;
            used.insert({ends.tail, ends.head});
            links_.push_back(random.coin() ? ends : Ends{ends.head, ends.tail});
        }
    }
    [[nodiscard]] std::span<const Ends> links(Step /*step*/) const { return links_; }
    [[nodiscard]] static std::uint64_t first_slot(Step /*step*/) { return 0; }

  private:
    const Network* network_;
    std::uint64_t seed_;
    std::vector<Ends> links_;
};
static_assert(model::ListSchedule<RandomMatchings>);

/// What rapidcheck draws.
struct Instance {
    Network network;
    load::Loads loads;
    std::vector<Tokens> speeds;  ///< empty: all 1
    std::uint64_t seed = 0;
    RandomStream random{0, Purpose::sampling};
};

inline Instance draw() {
    const auto nodes = *rc::gen::inRange<NodeId>(2, 60);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    RandomStream random(seed, Purpose::sampling);
    Instance drawn{
        test::random_connected_graph(nodes, random.below(2 * std::uint64_t{nodes}), random),
        {},
        {},
        seed,
        random};
    drawn.loads = test::random_loads(nodes, *rc::gen::inRange<Tokens>(0, 200), drawn.random);
    if (drawn.random.coin())
        for (NodeId node = 0; node < nodes; ++node)
            drawn.speeds.push_back(1 + static_cast<Tokens>(drawn.random.below(4)));
    return drawn;
}

inline RoundOptions options_for(const Instance& instance, Body body, int threads) {
    RoundOptions options;
    options.seed = instance.seed;
    options.threads = threads;
    options.body = body;
    options.speeds = instance.speeds;
    options.items_per_thread_min = 1;
    return options;
}

/// The definition of `RoundOutcome::level_since`, from the loads at the start and after every step,
/// and when they were seen.
inline Step plain_level_since(std::span<const load::Loads> loads,
                              std::span<const model::Costs> costs) {
    std::size_t first = loads.size() - 1;
    while (first > 0 && load::discrepancy(loads[first - 1]) == load::discrepancy(loads.back()))
        --first;
    return costs[first].steps;
}

inline constexpr std::array ranks_to_try = {1, 2, 3, 4, 7};

/// Parts of the nodes for ranks: consecutive numbers, or any; their nodes by number, or in any
/// order.
inline Partition draw_partition(NodeId nodes, int ranks, RandomStream& random) {
    if (random.below(4) == 0) {
        std::vector<NodeId> order(nodes);
        std::iota(order.begin(), order.end(), NodeId{0});
        std::shuffle(order.begin(), order.end(), random);
        return draw_partition(nodes, ranks, random).in_order(order);
    }
    if (random.coin()) return Partition::contiguous(nodes, ranks);
    std::vector<std::uint32_t> owners(nodes);
    for (std::uint32_t& owner : owners)
        owner = static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(ranks)));
    return Partition::of(std::move(owners), ranks);
}

}  // namespace equipoise::engine
