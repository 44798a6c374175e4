// The rotor-router (docs/results/stateless-diffusion.md):
//
// Fairness. In any interval of rounds, any two ports of a rotor have been given numbers of tokens
// that differ by at most 1.
//
// In each round every port gets floor or ceiling of x / D (both variants), and no load falls below
// 0.

#include "equipoise/protocols/rotor_router.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/played_rule.hpp"

namespace equipoise::test::rotor_router {
namespace {

using protocols::RotorRouter;
using Variant = RotorRouter::Variant;
using Play = PlayedRule<RotorRouter>;
using State = RotorRouter::NodeState;
using load::Loads;

constexpr Variant variants[] = {Variant::plain, Variant::star};

/// What the ports of one rotor have been given in all, and how far apart any two of them have been
/// at two times.
class Given {
  public:
    explicit Given(Tokens ports)
        : sums_(static_cast<std::size_t>(ports)),
          least_(sums_.size() * sums_.size()),
          most_(least_.size()) {}

    void add(const RotorRouter& rule, Tokens load, Tokens next) {
        const Tokens tokens = rule.dealt(load);
        for (std::size_t port = 0; port < sums_.size(); ++port)
            sums_[port] += rule.sent_by(static_cast<Tokens>(port), tokens, next);
        for (std::size_t a = 0; a < sums_.size(); ++a)
            for (std::size_t b = 0; b < sums_.size(); ++b) {
                const std::size_t pair = a * sums_.size() + b;
                least_[pair] = std::min(least_[pair], sums_[a] - sums_[b]);
                most_[pair] = std::max(most_[pair], sums_[a] - sums_[b]);
            }
    }
    /// The largest difference between two ports over any interval so far.
    [[nodiscard]] Tokens unfairness() const {
        Tokens worst = 0;
        for (std::size_t pair = 0; pair < least_.size(); ++pair)
            worst = std::max(worst, most_[pair] - least_[pair]);
        return worst;
    }

  private:
    std::vector<Tokens> sums_;
    std::vector<Tokens> least_;
    std::vector<Tokens> most_;
};

/// The state after a node with this state and load has proposed, and what it proposed.
std::pair<State, std::vector<Tokens>> proposed(const RotorRouter& rule, Port degree, Tokens load,
                                               State state) {
    const Loads unseen(degree);
    const std::vector<Port> degrees(degree);
    std::vector<Tokens> out(degree);
    rule.propose({load, 1, state, unseen, {}, degrees, NodeId{0}, Step{0}, 0}, out);
    return {state, out};
}

TEST(RotorRouterFairness, HoldsForOneNodeFromAllStatesAndAllShortHistories) {
    for (const Variant variant : variants)
        for (Port degree = 1; degree <= 3; ++degree) {
            const RotorRouter rule(degree, variant);
            constexpr NodeId rounds = 4;
            for (Tokens next = 0; next < rule.ports(); ++next)
                for_each_loads(rounds, rule.divisor() + 1, [&](const Loads& history) {
                    Given given(rule.ports());
                    State state{next};
                    for (const Tokens load : history) {
                        given.add(rule, load, state.next);
                        state = proposed(rule, degree, load, state).first;
                    }
                    ASSERT_LE(given.unfairness(), 1) << next;
                });
        }
}

TEST(RotorRouterFairness, EveryPortGetsFloorOrCeilingInARoundAndTheNodeKeepsTheRest) {
    for (const Variant variant : variants)
        for (Port degree = 1; degree <= 5; ++degree) {
            const RotorRouter rule(degree, variant);
            for (Tokens next = 0; next < rule.ports(); ++next)
                for (Tokens load = 0; load <= 4 * rule.divisor(); ++load) {
                    Tokens all = load - rule.dealt(load);
                    for (Tokens port = 0; port < rule.ports(); ++port) {
                        const Tokens sent = rule.sent_by(port, rule.dealt(load), next);
                        ASSERT_GE(sent, load / rule.divisor());
                        ASSERT_LE(sent, (load + rule.divisor() - 1) / rule.divisor());
                        all += sent;
                    }
                    ASSERT_EQ(all, load);
                    if (variant == Variant::star) {
                        ASSERT_EQ(load - rule.dealt(load),
                                  (load + rule.divisor() - 1) / rule.divisor());
                    }
                    const std::vector<Tokens> out = proposed(rule, degree, load, {next}).second;
                    for (Port port = 0; port < degree; ++port)
                        ASSERT_EQ(out[port], rule.sent_by(port, rule.dealt(load), next));
                }
        }
}

TEST(RotorRouterFairness, HoldsAtEveryNodeOfRandomNetworksWithoutDebt) {
    RandomStream random(25, Purpose::sampling);
    for (int i = 0; i < 400; ++i) {
        const auto nodes = static_cast<NodeId>(2 + random.below(9));
        const network::Network network =
            random_connected_graph(nodes, static_cast<LinkId>(random.below(10)), random);
        const RotorRouter rule(network.degree_max(), variants[i % 2]);
        Play play(rule, network);
        Play::Moment at = play.start(random_loads(nodes, 50, random));
        const Tokens total = load::total(at.loads);
        for (State& state : at.states)
            state.next =
                static_cast<Tokens>(random.below(static_cast<std::uint64_t>(rule.ports())));
        std::vector<Given> given(nodes, Given(rule.ports()));
        for (int round = 0; round < 60; ++round) {
            for (NodeId node = 0; node < nodes; ++node)
                given[node].add(rule, at.loads[node], at.states[node].next);
            play.round(at);
            ASSERT_EQ(load::total(at.loads), total);
            ASSERT_GE(*std::min_element(at.loads.begin(), at.loads.end()), 0);
        }
        for (const Given& node : given)
            EXPECT_LE(node.unfairness(), 1);
    }
}

}  // namespace
}  // namespace equipoise::test::rotor_router
