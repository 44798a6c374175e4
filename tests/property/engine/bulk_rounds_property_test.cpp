// Whatever the network, loads, speeds and seed, on any number of ranks: a rule that is given as
// functions of many links or nodes gives, bit by bit, what the reference body gives for the same
// rule written link by link.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/engine/parts/thread_fabric.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/engine/rounds/bulk_deal_rounds.hpp"
#include "equipoise/engine/rounds/bulk_edge_rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/model/run/grid_schedule.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/protocols/coin_averaging.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "tests/property/engine/drawn_rounds.hpp"
#include "tests/support/property.hpp"

namespace equipoise::engine::bulk_rounds_property {
namespace {

using model::BulkEdgeRule;
using model::BulkLinks;
using model::BulkNodes;
using model::LinkEnd;

/// A rule that uses all that bulk rules can: both kinds of state, degrees, speeds, random words.
struct Remembering {
    struct NodeState {
        Tokens trend = 0;
        Tokens start = 0;
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    using LinkState = Tokens;
    static constexpr bool may_owe = true;

    [[nodiscard]] NodeState start_node(model::NodeInfo info) const {
        return {Tokens{info.degree} + info.speed, info.load};
    }
    [[nodiscard]] static Tokens flow(Tokens pull, Tokens degrees, std::uint64_t word) {
        return (pull + static_cast<Tokens>(word % 3)) / (degrees + 1);
    }
    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& link,
                                                      model::EdgeStep at) const {
        const Tokens pull = tail.load * head.speed - head.load * tail.speed + link +
                            tail.state.trend - head.state.start;
        const Tokens moved = flow(pull, Tokens{tail.degree} + head.degree, at.random().at(1));
        return {moved, (link + moved) % 7};
    }
    void after_step(NodeState& state, Tokens old_load, Tokens new_load, model::StepInfo at) const {
        state.trend = (state.trend + new_load - old_load + static_cast<Tokens>(at.step)) % 11;
    }
};
static_assert(model::EdgeRule<Remembering>);

BulkEdgeRule bulk_remembering() {
    BulkEdgeRule bulk;
    bulk.name = "remembering";
    bulk.nodes.node_fields = 2;
    bulk.nodes.start_nodes = [](BulkNodes& nodes) {
        for (std::size_t i = 0; i < nodes.count(); ++i) {
            nodes.state(0)[i] = nodes.degrees()[i] + nodes.speeds()[i];
            nodes.state(1)[i] = nodes.loads()[i];
        }
    };
    bulk.nodes.after_step = [](BulkNodes& nodes) {
        const std::span<Tokens> trend = nodes.state(0);
        for (std::size_t i = 0; i < nodes.count(); ++i)
            trend[i] = (trend[i] + nodes.loads()[i] - nodes.old_loads()[i] +
                        static_cast<Tokens>(nodes.info().step)) %
                       11;
    };
    bulk.link_fields = 1;
    bulk.may_owe = true;
    bulk.evaluate = [](BulkLinks& links, std::span<Tokens> flows) {
        const auto state = links.link_state(0);
        for (std::size_t i = 0; i < flows.size(); ++i) {
            const Tokens pull = links.loads(LinkEnd::tail)[i] * links.speeds(LinkEnd::head)[i] -
                                links.loads(LinkEnd::head)[i] * links.speeds(LinkEnd::tail)[i] +
                                state[i] + links.node_state(LinkEnd::tail, 0)[i] -
                                links.node_state(LinkEnd::head, 1)[i];
            flows[i] = Remembering::flow(
                pull, links.degrees(LinkEnd::tail)[i] + links.degrees(LinkEnd::head)[i],
                links.random(1)[i]);
            state[i] = (state[i] + flows[i]) % 7;
        }
    };
    return bulk;
}

/// A rule that remembers nothing, for many links at once.
template <model::EdgeRule R>
BulkEdgeRule bulk_of(const R& rule) {
    BulkEdgeRule bulk;
    bulk.name = "bulk";
    bulk.evaluate = [rule](BulkLinks& links, std::span<Tokens> flows) {
        const model::Nothing nothing;
        const auto end = [&](LinkEnd which, std::size_t i) {
            return model::EdgeEnd<model::Nothing>{links.loads(which)[i],
                                                  static_cast<Port>(links.degrees(which)[i]),
                                                  links.speeds(which)[i], nothing};
        };
        for (std::size_t i = 0; i < flows.size(); ++i)
            flows[i] = rule.evaluate(end(LinkEnd::tail, i), end(LinkEnd::head, i), nothing,
                                     {links.info().step, links.info().seed, links.slots()[i]})
                           .flow;
    };
    return bulk;
}

BulkEdgeRule written_in_bulk(const Remembering& /*rule*/) {
    return bulk_remembering();
}
template <model::EdgeRule R>
BulkEdgeRule written_in_bulk(const R& rule) {
    return bulk_of(rule);
}

template <class R>
void expect_same_states(const EdgeRounds<R>& /*one*/, const BulkEdgeRounds& /*bulk*/,
                        std::span<const NodeId> /*own*/) {}
void expect_same_states(const EdgeRounds<Remembering>& one, const BulkEdgeRounds& bulk,
                        std::span<const NodeId> own) {
    for (NodeId i = 0; i < own.size(); ++i) {
        RC_ASSERT(one.node_states()[own[i]].trend == bulk.node_state(i, 0));
        RC_ASSERT(one.node_states()[own[i]].start == bulk.node_state(i, 1));
    }
}

/// What observers see of a run.
class Watching final : public model::Observer {
  public:
    [[nodiscard]] bool wants_transfers() const override { return true; }
    void on_step(const model::StepView& view) override {
        seen.insert(seen.end(), view.transfers.begin(), view.transfers.end());
    }
    std::vector<model::Transfer> seen;
};

/// Steps of the reference body and of the bulk rule, on one process and on ranks.
template <model::EdgeRule R, model::Schedule S, network::AnyGraph N>
void expect_bulk_agrees(const R& rule, const S& schedule, const N& network,
                        const Instance& instance, Step steps = 7) {
    const int ranks = ranks_to_try[instance.seed % ranks_to_try.size()];
    RandomStream random(instance.seed, Purpose::sampling, 2);
    const Partition partition = draw_partition(network.node_count(), ranks, random);
    run_as_threads(ranks, [&](Fabric& fabric) {
        Watching watched_one;
        Watching watched_bulk;
        const std::vector<model::Observer*> one_watches = {&watched_one};
        const std::vector<model::Observer*> bulk_watches = {&watched_bulk};
        S first = schedule;
        S second = schedule;
        RoundOptions as_one = options_for(instance, Body::reference, 1);
        as_one.observers = one_watches;
        RoundOptions as_rank = options_for(instance, Body::fast, 1);
        as_rank.observers = bulk_watches;
        if (ranks > 1 || !partition.consecutive()) {
            as_rank.fabric = &fabric;
            as_rank.partition = &partition;
        }
        EdgeRounds<R> one(rule, first, instance.loads, network, as_one);
        BulkEdgeRounds bulk(written_in_bulk(rule), second, instance.loads, network, as_rank);
        const std::vector<NodeId> own = partition.nodes_of(fabric.rank());
        for (Step step = 0; step < steps; ++step) {
            one.step();
            bulk.step();
            for (std::size_t i = 0; i < own.size(); ++i)
                RC_ASSERT(bulk.loads()[i] == one.loads()[own[i]]);
            expect_same_states(one, bulk, own);
            RC_ASSERT(bulk.costs() == one.costs());
        }
        if (fabric.rank() == 0) RC_ASSERT(watched_one.seen == watched_bulk.seen);
    });
}

TEST(BulkRoundsProperty, RulesOfManyLinksEqualTheReferenceOnColourings) {
    EXPECT_TRUE(test::holds([] {
        Instance instance = draw();
        const auto schedule = model::colour_schedule(
            instance.network, test::random_colouring(instance.network, instance.random));
        expect_bulk_agrees(protocols::Threshold2{}, schedule, instance.network, instance);
        expect_bulk_agrees(protocols::CoinAveraging{}, schedule, instance.network, instance);
        expect_bulk_agrees(Remembering{}, schedule, instance.network, instance);
    }));
}

TEST(BulkRoundsProperty, RulesOfManyLinksEqualTheReferenceWithAllLinksAtOnce) {
    EXPECT_TRUE(test::holds([] {
        const Instance instance = draw();
        const model::AllLinks all(instance.network);
        expect_bulk_agrees(protocols::Diffusion(), all, instance.network, instance);
        expect_bulk_agrees(Remembering{}, all, instance.network, instance);
    }));
}

TEST(BulkRoundsProperty, RulesOfManyLinksEqualTheReferenceOnFreshMatchings) {
    EXPECT_TRUE(test::holds([] {
        const Instance instance = draw();
        const RandomMatchings matchings(instance.network, instance.seed);
        expect_bulk_agrees(protocols::CoinAveraging{}, matchings, instance.network, instance);
        expect_bulk_agrees(Remembering{}, matchings, instance.network, instance);
    }));
}

TEST(BulkRoundsProperty, RulesOfManyLinksEqualTheReferenceOnGrids) {
    EXPECT_TRUE(test::holds([] {
        Instance instance;
        instance.seed = *rc::gen::arbitrary<std::uint64_t>();
        instance.random = RandomStream(instance.seed, Purpose::sampling);
        const auto side = [&] { return static_cast<NodeId>(1 + instance.random.below(9)); };
        const std::vector<NodeId> sides = {side(), side()};
        const network::Grid grid(sides, network::Grid::Shape::torus);
        instance.loads = test::random_loads(grid.node_count(), 40, instance.random);
        const model::GridSchedule rows(grid);
        expect_bulk_agrees(protocols::Threshold2{}, rows, grid, instance);
        expect_bulk_agrees(Remembering{}, rows, grid, instance);
    }));
}

/// Nodes and links that come and go, and tokens that arrive.
class WildWorld final : public model::Environment {
  public:
    explicit WildWorld(const Instance& instance) : instance_(instance) {}
    [[nodiscard]] bool changes_network() const override { return true; }
    void before_round(Step round, std::span<const Tokens> /*loads*/,
                      model::Changes& changes) override {
        RandomStream random(instance_.seed, Purpose::environment, 0, round);
        const auto node = [&] {
            return static_cast<NodeId>(random.below(instance_.network.node_count()));
        };
        changes.nodes.push_back({node(), random.coin()});
        changes.links.push_back({random.below(instance_.network.link_count()), random.coin()});
        changes.arrivals.push_back({node(), static_cast<Tokens>(random.below(20)) - 10});
    }

  private:
    const Instance& instance_;
};

TEST(BulkRoundsProperty, RulesOfManyLinksEqualTheReferenceWhileNodesAndLinksComeAndGo) {
    EXPECT_TRUE(test::holds([] {
        Instance instance = draw();
        const auto colours = model::colour_schedule(
            instance.network, test::random_colouring(instance.network, instance.random));
        const auto play = [&](const auto& rule, auto schedule) {
            using R = std::decay_t<decltype(rule)>;
            auto again = schedule;
            WildWorld world(instance);
            RoundOptions options = options_for(instance, Body::reference, 1);
            options.environment = &world;
            EdgeRounds<R> one(rule, schedule, instance.loads, instance.network, options);
            BulkEdgeRounds bulk(written_in_bulk(rule), again, instance.loads, instance.network,
                                options);
            for (int step = 0; step < 30; ++step) {
                one.step();
                bulk.step();
                RC_ASSERT(std::equal(one.loads().begin(), one.loads().end(), bulk.loads().begin()));
                RC_ASSERT(one.costs() == bulk.costs());
            }
        };
        play(protocols::Threshold2{}, colours);
        play(Remembering{}, colours);
        play(protocols::Diffusion(), model::AllLinks(instance.network));
        play(Remembering{}, model::AllLinks(instance.network));
    }));
}

/// Offers to each lower neighbour a part of the difference, takes at most half of what is offered,
/// and counts: a deal rule that uses all that bulk rules can.
struct Haggling {
    struct NodeState {
        Tokens offers = 0;
        Tokens trend = 0;
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    using Proposal = Tokens;

    [[nodiscard]] NodeState start_node(model::NodeInfo info) const {
        return {Tokens{info.degree}, info.load + info.speed};
    }
    [[nodiscard]] static Tokens offer(Tokens difference, Tokens degrees, std::uint64_t word) {
        return difference > 0 ? (difference + static_cast<Tokens>(word % 2)) / (degrees + 2) : 0;
    }
    void propose(const model::Surroundings<NodeState>& here, std::span<Proposal> out) const {
        for (Port port = 0; port < here.degree(); ++port)
            out[port] = offer(
                here.load * here.neighbour_speed(port) - here.neighbour_loads[port] * here.speed,
                Tokens{here.degree()} * here.neighbour_speed(port) + here.neighbour_degrees[port],
                here.random().at(0));
        here.state.offers = (here.state.offers + here.state.trend + here.load) % 13;
    }
    void accept(const model::Surroundings<NodeState>& here, std::span<const Proposal> in,
                std::span<Tokens> taken) const {
        for (Port port = 0; port < here.degree(); ++port)
            taken[port] = in[port] - (here.state.offers % 2 == 0 ? 0 : in[port] / 2);
    }
    void after_step(NodeState& state, Tokens old_load, Tokens new_load,
                    model::StepInfo /*at*/) const {
        state.trend = (state.trend + 2 * new_load - old_load) % 11;
    }
};
static_assert(model::DealRule<Haggling>);

model::BulkDealRule bulk_haggling() {
    model::BulkDealRule bulk;
    bulk.name = "haggling";
    bulk.nodes.node_fields = 2;
    bulk.nodes.start_nodes = [](BulkNodes& nodes) {
        for (std::size_t i = 0; i < nodes.count(); ++i) {
            nodes.state(0)[i] = nodes.degrees()[i];
            nodes.state(1)[i] = nodes.loads()[i] + nodes.speeds()[i];
        }
    };
    bulk.propose = [](model::BulkSurroundings& here, std::span<Tokens> out) {
        for (std::size_t port = 0; port < out.size(); ++port) {
            const auto node = static_cast<std::size_t>(here.owners()[port]);
            out[port] = Haggling::offer(here.loads()[node] * here.neighbour_speeds()[port] -
                                            here.neighbour_loads()[port] * here.speeds()[node],
                                        here.degrees()[node] * here.neighbour_speeds()[port] +
                                            here.neighbour_degrees()[port],
                                        here.random(0, 0)[node]);
        }
        for (std::size_t i = 0; i < here.count(); ++i)
            here.state(0)[i] = (here.state(0)[i] + here.state(1)[i] + here.loads()[i]) % 13;
    };
    bulk.accept = [](model::BulkSurroundings& here, std::span<const Tokens> offered,
                     std::span<Tokens> taken) {
        for (std::size_t port = 0; port < taken.size(); ++port) {
            const auto node = static_cast<std::size_t>(here.owners()[port]);
            taken[port] = offered[port] - (here.state(0)[node] % 2 == 0 ? 0 : offered[port] / 2);
        }
    };
    bulk.nodes.after_step = [](BulkNodes& nodes) {
        for (std::size_t i = 0; i < nodes.count(); ++i)
            nodes.state(1)[i] =
                (nodes.state(1)[i] + 2 * nodes.loads()[i] - nodes.old_loads()[i]) % 11;
    };
    return bulk;
}

void expect_same_deals(const DealRounds<Haggling>& one, const BulkDealRounds& bulk,
                       std::span<const NodeId> own) {
    for (NodeId i = 0; i < own.size(); ++i) {
        RC_ASSERT(bulk.loads()[i] == one.loads()[own[i]]);
        RC_ASSERT(one.node_states()[own[i]].offers == bulk.node_state(i, 0));
        RC_ASSERT(one.node_states()[own[i]].trend == bulk.node_state(i, 1));
    }
    RC_ASSERT(bulk.costs() == one.costs());
}

TEST(BulkRoundsProperty, RulesOfManyNodesEqualTheReference) {
    EXPECT_TRUE(test::holds([] {
        const Instance instance = draw();
        const int ranks = ranks_to_try[instance.seed % ranks_to_try.size()];
        RandomStream random(instance.seed, Purpose::sampling, 2);
        const Partition partition = draw_partition(instance.network.node_count(), ranks, random);
        run_as_threads(ranks, [&](Fabric& fabric) {
            RoundOptions as_rank = options_for(instance, Body::fast, 1);
            if (ranks > 1 || !partition.consecutive()) {
                as_rank.fabric = &fabric;
                as_rank.partition = &partition;
            }
            DealRounds<Haggling> one(Haggling{}, instance.loads, instance.network,
                                     options_for(instance, Body::reference, 1));
            BulkDealRounds bulk(bulk_haggling(), instance.loads, instance.network, as_rank);
            for (int round = 0; round < 8; ++round) {
                one.step();
                bulk.step();
                expect_same_deals(one, bulk, partition.nodes_of(fabric.rank()));
            }
        });
    }));
}

TEST(BulkRoundsProperty, RulesOfManyNodesEqualTheReferenceWhileNodesAndLinksComeAndGo) {
    EXPECT_TRUE(test::holds([] {
        const Instance instance = draw();
        WildWorld world(instance);
        RoundOptions options = options_for(instance, Body::reference, 1);
        options.environment = &world;
        const Partition all = Partition::contiguous(instance.network.node_count(), 1);
        DealRounds<Haggling> one(Haggling{}, instance.loads, instance.network, options);
        BulkDealRounds bulk(bulk_haggling(), instance.loads, instance.network, options);
        for (int round = 0; round < 30; ++round) {
            one.step();
            bulk.step();
            expect_same_deals(one, bulk, all.nodes_of(0));
        }
    }));
}

}  // namespace
}  // namespace equipoise::engine::bulk_rounds_property
