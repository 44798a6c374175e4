// Whatever the network, loads, seed and number of threads: tokens are conserved, and fast bodies
// equal the reference body bit for bit.

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/engine/parts/thread_fabric.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/model/run/grid_schedule.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/protocols/balancing_circuit.hpp"
#include "equipoise/protocols/baselines/flow_imitation.hpp"
#include "equipoise/protocols/baselines/quasirandom_diffusion.hpp"
#include "equipoise/protocols/baselines/random_walks.hpp"
#include "equipoise/protocols/baselines/randomised_diffusion.hpp"
#include "equipoise/protocols/baselines/rooted_target.hpp"
#include "equipoise/protocols/coin_averaging.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/deal_agreement_3.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "equipoise/protocols/diffusion_2.hpp"
#include "equipoise/protocols/discrepancy_1.hpp"
#include "equipoise/protocols/max_neighbor.hpp"
#include "equipoise/protocols/randomised_rounding.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "equipoise/protocols/threshold_plus.hpp"
#include "tests/property/engine/drawn_rounds.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/property.hpp"

namespace equipoise::engine::rounds_property {
namespace {

/// How a rule is played on an instance: the choices that do not change the rule.
template <class R>
RandomStream choices_of(const Instance& instance) {
    return {instance.seed, Purpose::sampling, 1, typeid(R).hash_code()};
}
template <class T, std::size_t count>
T one_of(const std::array<T, count>& all, RandomStream& random) {
    return all[random.below(count)];
}

/// The bodies that played on ranks so far in a test, by name.
class PlayedBodies {
  public:
    static void clear() { names().clear(); }
    static void add(Body body) {
        static std::mutex mutex;
        const std::lock_guard lock(mutex);
        names().insert(std::string(body.name()));
    }
    [[nodiscard]] static std::set<std::string>& names() {
        static std::set<std::string> names;
        return names;
    }
};

/// Plays `steps` steps of what `make(options)` makes on each of the ranks, which are threads. After
/// every step the loads and states of their nodes, and the costs, must equal those of what it makes
/// for one process with the reference body.
template <class Make>
void expect_ranks_agree(const Make& make, const Instance& instance, int ranks, Body body,
                        const Partition& partition, Step steps) {
    run_as_threads(ranks, [&](Fabric& fabric) {
        auto one = make(options_for(instance, Body::reference, 1));
        RoundOptions options = options_for(instance, body, ranks == 1 ? 3 : 1);
        options.fabric = &fabric;
        options.partition = &partition;
        auto many = make(options);
        PlayedBodies::add(many.body());
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
            RC_ASSERT(many.level_since() == one.level_since());
        }
    });
}

/// Plays the rule with the reference body, with the fast one on 1 to 4 threads, and with one of all
/// bodies on some ranks; after every step loads, states and costs must agree and no token may be
/// missing. A hundred instances take every body to every number of ranks.
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
            RC_ASSERT(reference.level_since() == fast.level_since());
            RC_ASSERT(reference.node_states() == fast.node_states());
            if (schedule.period() > 0) RC_ASSERT(reference.link_states() == fast.link_states());
            if constexpr (!model::CreatesTokens<R>) RC_ASSERT(load::total(fast.loads()) == total);
        }
    }
    RandomStream random = choices_of<R>(instance);
    const Body body = one_of(EdgeRounds<R>::Bodies::names, random);
    const int ranks = one_of(ranks_to_try, random);
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

/// The links in random orientation, cut into sets in which a node may occur several times.
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
        expect_bodies_agree(protocols::CoinAveraging{}, schedule, network, instance);
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
            RC_ASSERT(reference.level_since() == fast.level_since());
            RC_ASSERT(load::total(fast.loads()) == load::total(instance.loads));
        }
    }
    RandomStream random = choices_of<R>(instance);
    const Body body = one_of(DealRounds<R>::Bodies::names, random);
    const int ranks = one_of(ranks_to_try, random);
    const auto play = [&](const RoundOptions& options) {
        return DealRounds<R>(rule, instance.loads, instance.network, options);
    };
    expect_ranks_agree(play, instance, ranks, body,
                       draw_partition(instance.network.node_count(), ranks, random), 8);
}

/// A network with a few nodes of high degree.
Network draw_skew(RandomStream& random) {
    const auto nodes = static_cast<NodeId>(2 + random.below(60));
    Network drawn = test::random_connected_graph(nodes, random.below(30), random);
    std::vector<Ends> links(drawn.links().begin(), drawn.links().end());
    const std::array<NodeId, 2> hubs = {0, nodes / 2};
    std::set<std::pair<NodeId, NodeId>> there;
    for (const auto [tail, head] : links)
        there.insert(std::minmax(tail, head));
    for (const NodeId hub : hubs)
        for (NodeId node = 0; node < nodes; ++node)
            if (node != hub && random.below(3) != 0 && there.insert(std::minmax(node, hub)).second)
                links.push_back({hub, node});
    return {nodes, std::move(links)};
}

/// A connected network whose nodes have one degree.
Network draw_regular(RandomStream& random) {
    const std::array<std::string, 7> specs = {"cycle:n=17",
                                              "complete:n=9",
                                              "torus:5x6",
                                              "hypercube:d=5",
                                              "random-regular:n=30,d=3",
                                              "random-regular:n=40,d=8",
                                              "path:n=2"};
    const auto made = network::generate(specs[random.below(specs.size())], random.below(1'000'000));
    std::vector<Ends> links;
    for (LinkId link = 0; link < made.link_count(); ++link)
        links.push_back(made.visit([&](const auto& graph) { return graph.ends(link); }));
    return {made.node_count(), links};
}

/// Loads that need 16 bits, 32 and more; of some instances one node has far more than all others,
/// so that they need fewer on the way.
load::Loads draw_loads(NodeId nodes, RandomStream& random) {
    constexpr Tokens narrow = word_most<std::uint16_t>;
    constexpr Tokens medium = word_most<std::uint32_t>;
    const std::array<Tokens, 6> most = {40,     narrow,     narrow + 1,
                                        medium, medium + 1, Tokens{1} << 45U};
    load::Loads loads = test::random_loads(nodes, one_of(most, random), random);
    if (random.coin()) loads[random.below(nodes)] = one_of(most, random);
    return loads;
}

/// For divisors at or below some degree, so that nodes may give more than they have.
struct OwingDiffusion : protocols::Diffusion {
    using Diffusion::Diffusion;
    static constexpr bool may_owe = true;
};

TEST(RoundsProperty, DiffusionAndDealsOnRegularNetworksEqualTheReferenceInEverySizeOfWords) {
    PlayedBodies::clear();
    EXPECT_TRUE(test::holds([] {
        Instance instance;
        instance.seed = *rc::gen::arbitrary<std::uint64_t>();
        instance.random = RandomStream(instance.seed, Purpose::sampling);
        instance.network = draw_regular(instance.random);
        const Network& network = instance.network;
        instance.loads = draw_loads(network.node_count(), instance.random);
        const model::AllLinks all(network);
        expect_bodies_agree(protocols::Diffusion(0), all, network, instance);
        expect_bodies_agree(protocols::Diffusion(Tokens{network.degree_max()} + 3), all, network,
                            instance);
        expect_deals_agree(protocols::DealAgreement2{}, instance);
        expect_deals_agree(protocols::DealAgreement3{}, instance);
    }));
    EXPECT_TRUE(PlayedBodies::names().contains("diffusion"));
    EXPECT_TRUE(PlayedBodies::names().contains("gathered"));
    EXPECT_TRUE(PlayedBodies::names().contains("announced"));
}

TEST(RoundsProperty, DiffusionOnAnyNetworkEqualsTheReferenceInEverySizeOfWords) {
    PlayedBodies::clear();
    EXPECT_TRUE(test::holds([] {
        Instance instance;
        instance.seed = *rc::gen::arbitrary<std::uint64_t>();
        instance.random = RandomStream(instance.seed, Purpose::sampling);
        instance.network = draw_skew(instance.random);
        const Network& network = instance.network;
        instance.loads = draw_loads(network.node_count(), instance.random);
        const model::AllLinks all(network);
        expect_bodies_agree(protocols::Diffusion(0), all, network, instance, 10);
        expect_bodies_agree(protocols::Diffusion(Tokens{network.degree_max()} + 3), all, network,
                            instance, 10);
        expect_bodies_agree(OwingDiffusion(2), all, network, instance, 1);
    }));
    EXPECT_TRUE(PlayedBodies::names().contains("diffusion"));
    EXPECT_TRUE(PlayedBodies::names().contains("gathered"));
    EXPECT_TRUE(PlayedBodies::names().contains("reference"));
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
        expect_bodies_agree(protocols::CoinAveraging{}, schedule, instance.network, instance);
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

TEST(RoundsProperty, DealRulesConserveTokensAndAgreeOnAnyNumberOfThreads) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
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
        expect_deals_agree(protocols::RandomisedRounding(1.5, instance.network.degree_max(),
                                                         *rc::gen::inRange<Step>(0, 12)),
                           instance);
        expect_deals_agree(protocols::MaxNeighbor{}, instance);
    }));
}

}  // namespace
}  // namespace equipoise::engine::rounds_property
