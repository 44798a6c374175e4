// Whatever the network, loads, seed and number of threads: tokens are conserved, and fast bodies
// equal the reference body bit for bit.

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/engine/parts/thread_fabric.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/model/run/grid_schedule.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/protocols/balancing_circuit.hpp"
#include "equipoise/protocols/baselines/coin_matching.hpp"
#include "equipoise/protocols/baselines/flow_imitation.hpp"
#include "equipoise/protocols/baselines/quasirandom_diffusion.hpp"
#include "equipoise/protocols/baselines/random_walks.hpp"
#include "equipoise/protocols/baselines/randomised_diffusion.hpp"
#include "equipoise/protocols/baselines/rooted_target.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/deal_agreement_3.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "equipoise/protocols/diffusion_2.hpp"
#include "equipoise/protocols/discrepancy_1.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "equipoise/protocols/threshold_plus.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/property.hpp"

namespace equipoise::engine {
namespace {

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

Instance draw() {
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

RoundOptions options_for(const Instance& instance, Body body, int threads) {
    RoundOptions options;
    options.seed = instance.seed;
    options.threads = threads;
    options.body = body;
    options.speeds = instance.speeds;
    options.items_per_thread_min = 1;
    return options;
}

/// Every body of a rule that may be asked for, and how many ranks play.
constexpr std::array all_bodies = {Body::fast,      Body::diffusion, Body::in_place,
                                   Body::gathered,  Body::announced, Body::pushed,
                                   Body::exchanged, Body::reference};
constexpr std::array ranks_to_try = {1, 2, 3, 4, 7};

/// Shares of nodes for ranks: consecutive numbers, or any.
Partition draw_partition(NodeId nodes, int ranks, RandomStream& random) {
    if (random.coin()) return Partition::contiguous(nodes, ranks);
    std::vector<std::uint32_t> owners(nodes);
    for (std::uint32_t& owner : owners)
        owner = static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(ranks)));
    return Partition::of(std::move(owners), ranks);
}

/// Plays `steps` steps of what `make(options)` makes on each of so many ranks, which are threads;
/// after every step the loads and states of their nodes, and the costs, must be those of what it
/// makes for one process by the reference body.
template <class Make>
void expect_ranks_agree(const Make& make, const Instance& instance, int ranks, Body body,
                        const Partition& partition, Step steps) {
    run_as_threads(ranks, [&](Fabric& fabric) {
        auto one = make(options_for(instance, Body::reference, 1));
        RoundOptions options = options_for(instance, body, 1);
        options.fabric = &fabric;
        options.partition = &partition;
        auto many = make(options);
        const std::vector<NodeId> own = partition.nodes_of(fabric.rank());
        for (Step step = 0; step < steps; ++step) {
            one.step();
            many.step();
            RC_ASSERT(many.loads().size() == own.size());
            for (std::size_t i = 0; i < own.size(); ++i) {
                RC_ASSERT(many.loads()[i] == one.loads()[own[i]]);
                RC_ASSERT(many.node_states()[i] == one.node_states()[own[i]]);
            }
            RC_ASSERT(many.costs() == one.costs());
        }
    });
}

/// Plays the rule by the reference body and by the fast one on 1 to 4 threads, and by each body on
/// some ranks; after every step loads, states and costs must agree and no token may be missing.
template <model::EdgeRule R, model::Schedule S, network::AnyGraph N>
void expect_bodies_agree(const R& rule, const S& schedule, const N& network,
                         const Instance& instance, Step steps = 6) {
    const Tokens total = load::total(instance.loads);
    for (int threads = 1; threads <= 4; ++threads) {
        S first = schedule;
        S second = schedule;
        EdgeRounds<R> reference(rule, first, instance.loads, network,
                                options_for(instance, Body::reference, 1));
        EdgeRounds<R> fast(rule, second, instance.loads, network,
                           options_for(instance, Body::fast, threads));
        for (Step step = 0; step < steps; ++step) {
            reference.step();
            fast.step();
            RC_ASSERT(std::equal(reference.loads().begin(), reference.loads().end(),
                                 fast.loads().begin()));
            RC_ASSERT(reference.costs() == fast.costs());
            RC_ASSERT(reference.node_states() == fast.node_states());
            if (schedule.period() > 0) RC_ASSERT(reference.link_states() == fast.link_states());
            if constexpr (!model::CreatesTokens<R>) RC_ASSERT(load::total(fast.loads()) == total);
        }
    }
    RandomStream random = instance.random;
    for (const Body body : all_bodies) {
        const int ranks = ranks_to_try[random.below(ranks_to_try.size())];
        std::vector<S> schedules;  // stay where they are
        schedules.reserve(2 * static_cast<std::size_t>(ranks));
        std::mutex mutex;
        const auto own_schedule = [&]() -> S& {
            const std::lock_guard lock(mutex);
            return schedules.emplace_back(schedule);
        };
        const auto play = [&](const RoundOptions& options) {
            return EdgeRounds<R>(rule, own_schedule(), instance.loads, network, options);
        };
        expect_ranks_agree(play, instance, ranks, body,
                           draw_partition(network.node_count(), ranks, random), steps);
    }
}

/// The links in random orientation, cut into sets in which nodes may stand several times.
model::PeriodicSchedule overlapping_sets(Instance& instance) {
    std::vector<std::vector<Ends>> sets(1 + instance.random.below(3));
    for (const Ends& ends : instance.network.links()) {
        const Ends oriented = instance.random.coin() ? ends : Ends{ends.head, ends.tail};
        sets[instance.random.below(sets.size())].push_back(oriented);
    }
    return model::PeriodicSchedule(sets, false);
}

TEST(RoundsProperty, FastBodiesEqualTheReferenceOnColourings) {
    EXPECT_TRUE(test::holds([] {
        Instance instance = draw();
        const Network& network = instance.network;
        const auto colouring = test::random_colouring(network, instance.random);
        const auto schedule = model::colour_schedule(network, colouring);
        expect_bodies_agree(protocols::Threshold1{}, schedule, network, instance);
        expect_bodies_agree(protocols::Threshold2{}, schedule, network, instance);
        expect_bodies_agree(protocols::Threshold1Plus{}, schedule, network, instance);
        expect_bodies_agree(protocols::Discrepancy1(network.node_count(), colouring.colour_count),
                            schedule, network, instance, 40);
        expect_bodies_agree(protocols::baselines::CoinMatching{}, schedule, network, instance);
        expect_bodies_agree(protocols::KeptBalancers{}, schedule, network, instance);
        expect_bodies_agree(protocols::baselines::RootedTarget(20, colouring.colour_count),
                            schedule, network, instance, 40);
        expect_bodies_agree(EverythingRule{}, schedule, network, instance);
    }));
}

TEST(RoundsProperty, FastBodiesEqualTheReferenceWithAllLinksAtOnce) {
    EXPECT_TRUE(test::holds([] {
        const Instance instance = draw();
        const Network& network = instance.network;
        const auto sets =
            model::PeriodicSchedule({{network.links().begin(), network.links().end()}}, false);
        expect_bodies_agree(protocols::Diffusion2(1.5), sets, network, instance);
        expect_bodies_agree(EverythingRule{}, sets, network, instance);
        const model::AllLinks all(network);
        expect_bodies_agree(protocols::baselines::QuasirandomDiffusion{}, all, network, instance);
        using protocols::baselines::FlowImitation;
        expect_bodies_agree(FlowImitation(FlowImitation::Rounding::random), all, network, instance,
                            12);
        expect_bodies_agree(EverythingRule{}, all, network, instance);
    }));
}

TEST(RoundsProperty, FastBodiesEqualTheReferenceWhereSetsOverlap) {
    EXPECT_TRUE(test::holds([] {
        Instance instance = draw();
        const auto schedule = overlapping_sets(instance);
        expect_bodies_agree(protocols::baselines::QuasirandomDiffusion{}, schedule,
                            instance.network, instance);
        expect_bodies_agree(EverythingRule{}, schedule, instance.network, instance);
    }));
}

TEST(RoundsProperty, FastBodiesEqualTheReferenceOnRandomMatchings) {
    EXPECT_TRUE(test::holds([] {
        const Instance instance = draw();
        const RandomMatchings schedule(instance.network, instance.seed);
        expect_bodies_agree(protocols::baselines::CoinMatching{}, schedule, instance.network,
                            instance);
        expect_bodies_agree(protocols::Threshold1Plus{}, schedule, instance.network, instance);
    }));
}

TEST(RoundsProperty, GridRowsEqualTheStoredNetworkWithTheSameColouring) {
    EXPECT_TRUE(test::holds([] {
        std::vector<NodeId> sides;
        for (int axis = *rc::gen::inRange(1, 4); axis > 0; --axis)
            sides.push_back(*rc::gen::inRange<NodeId>(1, 9));
        const auto shape =
            *rc::gen::element(network::Grid::Shape::mesh, network::Grid::Shape::torus);
        const network::Grid grid(sides, shape);
        const model::GridSchedule rows(grid);
        std::vector<Ends> links;
        for (LinkId link = 0; link < grid.link_count(); ++link)
            links.push_back(grid.ends(link));
        const Network stored(grid.node_count(), links);
        std::vector<std::vector<Ends>> classes(rows.period());
        for (Step step = 0; step < rows.period(); ++step)
            for (std::uint64_t index = 0; index < rows.row_count(step); ++index) {
                const model::LinkRow row = rows.row(step, index);
                for (NodeId i = 0; i < row.count; ++i)
                    classes[step].push_back({row.tail + i * row.stride, row.head + i * row.stride});
            }
        model::PeriodicSchedule listed(classes);

        Instance instance;
        instance.seed = *rc::gen::arbitrary<std::uint64_t>();
        instance.random = RandomStream(instance.seed, Purpose::sampling);
        instance.loads = test::random_loads(grid.node_count(), 40, instance.random);
        expect_bodies_agree(protocols::Threshold1{}, rows, grid, instance);
        expect_bodies_agree(protocols::Threshold2{}, rows, grid, instance);
        expect_bodies_agree(EverythingRule{}, rows, grid, instance);

        model::GridSchedule again = rows;
        const RoundOptions options = options_for(instance, Body::fast, 2);
        EdgeRounds by_rows(EverythingRule{}, again, instance.loads, grid, options);
        EdgeRounds by_list(EverythingRule{}, listed, instance.loads, stored, options);
        for (int step = 0; step < 12; ++step) {
            by_rows.step();
            by_list.step();
            RC_ASSERT(std::equal(by_rows.loads().begin(), by_rows.loads().end(),
                                 by_list.loads().begin()));
            RC_ASSERT(by_rows.node_states() == by_list.node_states());
            RC_ASSERT(by_rows.link_states() == by_list.link_states());
            RC_ASSERT(by_rows.costs() == by_list.costs());
        }
    }));
}

template <model::DealRule R>
void expect_deals_agree(const R& rule, const Instance& instance) {
    for (int threads = 1; threads <= 4; ++threads) {
        DealRounds<R> reference(rule, instance.loads, instance.network,
                                options_for(instance, Body::reference, 1));
        DealRounds<R> fast(rule, instance.loads, instance.network,
                           options_for(instance, Body::fast, threads));
        for (int round = 0; round < 8; ++round) {
            reference.step();
            fast.step();
            RC_ASSERT(std::equal(reference.loads().begin(), reference.loads().end(),
                                 fast.loads().begin()));
            RC_ASSERT(reference.costs() == fast.costs());
            RC_ASSERT(load::total(fast.loads()) == load::total(instance.loads));
        }
    }
    RandomStream random = instance.random;
    for (const Body body : all_bodies) {
        const int ranks = ranks_to_try[random.below(ranks_to_try.size())];
        const auto play = [&](const RoundOptions& options) {
            return DealRounds<R>(rule, instance.loads, instance.network, options);
        };
        expect_ranks_agree(play, instance, ranks, body,
                           draw_partition(instance.network.node_count(), ranks, random), 8);
    }
}

TEST(RoundsProperty, DealRulesConserveTokensAndAgreeOnAnyNumberOfThreads) {
    EXPECT_TRUE(test::holds([] {
        const Instance instance = draw();
        expect_deals_agree(protocols::DealAgreement2{}, instance);
        expect_deals_agree(protocols::DealAgreement3{}, instance);
        expect_deals_agree(protocols::baselines::RandomisedDiffusion(instance.network.degree_max()),
                           instance);
        protocols::baselines::RandomWalks::Plan plan;
        plan.diffusion_rounds = 3;
        plan.mean_floor = plan.mean_ceiling = *rc::gen::inRange<Tokens>(0, 100);
        expect_deals_agree(protocols::baselines::RandomWalks(plan), instance);
    }));
}

/// Runs under every body end with the same outcome, for the same reason.
TEST(RoundsProperty, OutcomesAgreeForEveryStopRule) {
    EXPECT_TRUE(test::holds([] {
        Instance instance = draw();
        const Network& network = instance.network;
        const auto colouring = test::random_colouring(network, instance.random);
        model::StopRule stop;
        stop.steps_max = 200;
        switch (*rc::gen::inRange(0, 4)) {
            case 0:
                stop.discrepancy = *rc::gen::inRange<Tokens>(0, 20);
                break;
            case 1:
                stop.one_balanced = true;
                break;
            case 2:
                stop.quiet_steps = *rc::gen::inRange<Step>(1, 30);
                break;
            default:
                stop.stable_steps = *rc::gen::inRange<Step>(1, 60);
                break;
        }
        std::vector<RoundOutcome> outcomes;
        for (int threads = 0; threads <= 2; ++threads) {
            auto schedule = model::colour_schedule(network, colouring);
            RoundOptions options =
                options_for(instance, threads == 0 ? Body::reference : Body::fast, threads);
            options.stop = stop;
            outcomes.push_back(
                run_rounds(protocols::Threshold2{}, schedule, instance.loads, network, options));
            RC_ASSERT(outcomes.back().loads == outcomes.front().loads);
            RC_ASSERT(outcomes.back().costs == outcomes.front().costs);
            RC_ASSERT(outcomes.back().stopped_because == outcomes.front().stopped_because);
        }
        const RoundOutcome& end = outcomes.front();
        if (end.stopped_because == model::StopReason::discrepancy)
            RC_ASSERT(load::discrepancy(end.loads) <= *stop.discrepancy);
        if (end.stopped_because == model::StopReason::one_balanced)
            RC_ASSERT(load::local_imbalance(network, end.loads) <= 1);
    }));
}

}  // namespace
}  // namespace equipoise::engine
