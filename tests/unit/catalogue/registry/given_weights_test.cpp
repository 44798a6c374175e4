// Weights and fractions that people give: in lowest terms or not, and matrices that level all loads
// although their P P^T has gap 0.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/local_divergence.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/catalogue/registry/convergence.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/verify/verify.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

using Support = std::vector<std::vector<bool>>;

/// The mean of `count` permutations of a complete network's nodes: doubly stochastic.
network::RoundWeights mean_of_permutations(const network::AnyNetwork& complete, Tokens count,
                                           RandomStream& random) {
    const LinkId links = complete.link_count();
    const NodeId nodes = complete.node_count();
    network::RoundWeights weights(2 * links, {0, count});
    for (Tokens i = 0; i < count; ++i) {
        std::vector<NodeId> to(nodes);
        std::iota(to.begin(), to.end(), NodeId{0});
        for (NodeId node = nodes; node > 1; --node)
            std::swap(to[node - 1], to[random.below(node)]);
        for (LinkId link = 0; link < links; ++link) {
            const auto [tail, head] = complete.ends(link);
            if (to[tail] == head) ++weights[link].numerator;
            if (to[head] == tail) ++weights[links + link].numerator;
        }
    }
    return weights;
}

Support support_of(NodeId nodes, const WeightedLinks& weighted) {
    Support gives(nodes, std::vector<bool>(nodes, false));
    std::vector<double> left(nodes, 1);
    for (std::size_t link = 0; link < weighted.links.size(); ++link) {
        const auto [tail, head] = weighted.links[link];
        const auto enter = [&](NodeId from, NodeId to, const network::Weight& weight) {
            left[from] -=
                static_cast<double>(weight.numerator) / static_cast<double>(weight.denominator);
            if (weight.numerator > 0) gives[from][to] = true;
        };
        enter(tail, head, weighted.forth(link));
        enter(head, tail, weighted.back(link));
    }
    for (NodeId node = 0; node < nodes; ++node)
        if (left[node] > 1e-9) gives[node][node] = true;
    return gives;
}

bool connects(const Support& gives) {
    const std::size_t nodes = gives.size();
    std::vector<bool> reached(nodes, false);
    std::vector<std::size_t> order = {0};
    reached[0] = true;
    for (std::size_t next = 0; next < order.size(); ++next)
        for (std::size_t other = 0; other < nodes; ++other) {
            const auto meet = [&](std::size_t taker) {
                return gives[order[next]][taker] && gives[other][taker];
            };
            bool together = false;
            for (std::size_t taker = 0; taker < nodes; ++taker)
                together = together || meet(taker);
            if (!together || reached[other]) continue;
            reached[other] = true;
            order.push_back(other);
        }
    return order.size() == nodes;
}

/// By the definition: the first power P^k for which P^k (P^k)^T connects all nodes.
std::optional<std::uint64_t> rounds_by_powers(const Support& gives) {
    const std::size_t nodes = gives.size();
    Support power = gives;
    for (std::uint64_t k = 1; k <= nodes * nodes; ++k) {
        if (connects(power)) return k;
        Support next(nodes, std::vector<bool>(nodes, false));
        for (std::size_t i = 0; i < nodes; ++i)
            for (std::size_t j = 0; j < nodes; ++j)
                for (std::size_t k2 = 0; power[i][j] && k2 < nodes; ++k2)
                    if (gives[j][k2]) next[i][k2] = true;
        power = std::move(next);
    }
    return std::nullopt;
}

TEST(RoundsThatMix, AreTheFirstWhoseMatrixConnectsAllNodes) {
    RandomStream random(3, Purpose::sampling, 0);
    std::vector<int> seen(8, 0);
    for (int tried = 0; tried < 3000; ++tried) {
        const NodeId nodes = 2 + static_cast<NodeId>(random.below(6));
        const network::AnyNetwork complete =
            network::generate("complete:n=" + std::to_string(nodes), 0);
        const auto weights =
            mean_of_permutations(complete, 1 + static_cast<Tokens>(random.below(3)), random);
        const WeightedLinks weighted = weighted_links(complete, weights);
        const auto found = rounds_that_mix(nodes, weighted);
        ASSERT_EQ(found, rounds_by_powers(support_of(nodes, weighted))) << tried;
        ++seen[std::min<std::uint64_t>(7, found.value_or(0))];
    }
    EXPECT_GT(seen[0], 100);  // loads that go round for ever, or parts that never meet
    EXPECT_GT(seen[1], 100);
    EXPECT_GT(seen[2], 100);
    EXPECT_GT(seen[3], 10);
}

TEST(RoundsThatMix, GiveAGapAndALocalDivergenceThatHold) {
    RandomStream random(5, Purpose::sampling, 0);
    int several = 0;
    for (int tried = 0; tried < 400; ++tried) {
        const NodeId nodes = 3 + static_cast<NodeId>(random.below(5));
        const network::AnyNetwork complete =
            network::generate("complete:n=" + std::to_string(nodes), 0);
        const WeightedLinks weighted =
            weighted_links(complete, mean_of_permutations(complete, 2, random));
        const auto rounds = rounds_that_mix(nodes, weighted);
        if (!rounds || *rounds == 1) continue;
        ++several;
        const analysis::Convergence found = diffusion_convergence(complete, weighted);
        ASSERT_EQ(found.rounds, *rounds);
        ASSERT_TRUE(found.gap() && found.divergence_upper());
        // The largest that any row's deviation from the mean shrinks by, and all its differences.
        const analysis::DiffusionMatrix matrix = weighted.matrix(nodes).transposed();
        double divergence = 0;
        for (NodeId source = 0; source < nodes; ++source) {
            std::vector<double> row(nodes, -1.0 / nodes);
            row[source] += 1;
            std::vector<double> next(nodes);
            double sum = 0;
            for (int round = 0; round < 4000; ++round) {
                for (const auto& [tail, head] : matrix.links())
                    sum += std::abs(row[tail] - row[head]);
                matrix.apply(row, next);
                row.swap(next);
            }
            divergence = std::max(divergence, sum);
        }
        EXPECT_LE(divergence, *found.divergence_upper() * (1 + 1e-9));
        EXPECT_NEAR(divergence, found.divergence->value, 1e-4 * divergence);
    }
    EXPECT_GT(several, 50);
}

/// 0 to 1 two thirds and to 2 the rest, 1 to 0 all, 2 to 1 a third: links 0-1, 0-2, 1-2.
network::RoundWeights gap_0() {
    return {{2, 3}, {1, 3}, {0, 1}, {1, 1}, {0, 1}, {1, 3}};
}

TEST(DiffusionEntry, EndsAndPromisesWhereOneRoundHasGap0) {
    const network::AnyNetwork cycle = network::generate("cycle:n=3", 0);
    RunOptions options;
    options.weights = gap_0();
    for (const char* rounding : {"net", "down"})
        for (const char* idealised : {"no", "yes"})
            for (const load::Loads& loads :
                 {load::Loads{237, 43, 3}, load::Loads{0, 1, 0}, load::Loads{5'000'000, 0, 1}}) {
                options.parameters = {{"rounding", rounding}, {"idealised", idealised}};
                const Outcome run = catalogue::run("diffusion", cycle, loads, options);
                EXPECT_TRUE(run.reached());
                EXPECT_LT(run.steps(), 2000U);
                ASSERT_TRUE(run.guarantee().steps && run.guarantee().discrepancy);
                EXPECT_LE(run.steps(), *run.guarantee().steps);
                EXPECT_LE(run.discrepancy(), *run.guarantee().discrepancy);
                EXPECT_NE(run.guarantee().source.find("of 2 rounds together"), std::string::npos);
                EXPECT_EQ(run.record.constants.at("second_eigenvalue_rounds"), "2");
                EXPECT_TRUE(verify::verify(run.record).passed());
                EXPECT_TRUE(catalogue::replay(run.record).same);
            }
}

TEST(DiffusionEntry, KeepsWhatItPromisesOfEveryMatrixThatLevels) {
    RandomStream random(7, Purpose::sampling, 0);
    int played = 0;
    for (int tried = 0; tried < 200; ++tried) {
        const NodeId nodes = 3 + static_cast<NodeId>(random.below(5));
        const network::AnyNetwork complete =
            network::generate("complete:n=" + std::to_string(nodes), 0);
        RunOptions options;
        options.weights = mean_of_permutations(complete, 2, random);
        options.with_deviation = true;
        load::Loads loads(nodes, 0);
        for (Tokens& load : loads)
            load = static_cast<Tokens>(random.below(1000));
        if (!rounds_that_mix(nodes, weighted_links(complete, options.weights))) {
            EXPECT_NE(test::message_of([&] {
                          static_cast<void>(catalogue::run("diffusion", complete, loads, options));
                      }).find("does not level every load"),
                      std::string::npos);
            continue;
        }
        ++played;
        const Outcome run = catalogue::run("diffusion", complete, loads, options);
        EXPECT_TRUE(run.reached());
        EXPECT_LE(run.steps(), run.guarantee().steps.value());
        EXPECT_LE(run.discrepancy(), run.guarantee().discrepancy.value());
        const model::Deviation deviation = run.record.deviation.value();
        EXPECT_LE(deviation.value - deviation.error.value(), deviation.bound.value());
    }
    EXPECT_GT(played, 80);
}

TEST(GivenFractions, CountInLowestTerms) {
    const network::AnyNetwork cycle = network::generate("cycle:n=8", 0);
    const auto share = [&](const char* text) {
        RunOptions options;
        options.parameters = {{"share", text}};
        return catalogue::run("balancing-circuit", cycle, test::spike(cycle, 1000), options);
    };
    for (const auto& [lowest, others] :
         {std::pair<const char*, std::vector<const char*>>{"1/2", {"2/4", "3/6", "500/1000"}},
          {"1/3", {"2/6", "100/300"}},
          {"3/4", {"6/8", "75/100"}}})
        for (const char* other : others) {
            EXPECT_EQ(share(other).guarantee(), share(lowest).guarantee()) << other;
            EXPECT_EQ(share(other).loads(), share(lowest).loads()) << other;
            EXPECT_EQ(share(other).record.constants, share(lowest).record.constants) << other;
        }
    // What only even balancers may do.
    RunOptions kept;
    kept.parameters = {{"share", "2/4"}, {"balancers", "kept"}};
    EXPECT_TRUE(catalogue::run("balancing-circuit", cycle, test::spike(cycle, 9), kept).reached());
}

TEST(GivenWeights, CountInLowestTermsAndOnceWhereBothDirectionsAgree) {
    const network::AnyNetwork path = network::generate("path:n=4", 0);
    const auto promise = [&](network::RoundWeights weights) {
        RunOptions options;
        options.weights = std::move(weights);
        return catalogue::run("diffusion", path, {90, 0, 0, 7}, options).guarantee();
    };
    const model::Guarantee lowest = promise({{1, 3}, {1, 3}, {1, 2}});
    EXPECT_EQ(promise({{2, 6}, {100, 300}, {2, 4}}), lowest);
    EXPECT_EQ(promise({{1, 3}, {1, 3}, {1, 2}, {1, 3}, {2, 6}, {1, 2}}), lowest);
}

TEST(ChebyshevEntry, TakesEndsThatCannotBeToldFromTheEigenvalues) {
    // K4 without a link: eigenvalues 2, 4 and 4, computed with an error.
    const network::AnyNetwork network(
        network::Network(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}));
    const auto with = [&](const char* l2, const char* lmax) {
        RunOptions options;
        options.parameters = {{"l2", l2}, {"lmax", lmax}};
        return catalogue::run("chebyshev", network, {100, 0, 0, 0}, options);
    };
    const Outcome exact = with("2", "4");
    ASSERT_TRUE(exact.guarantee().discrepancy);
    EXPECT_LE(exact.discrepancy(), *exact.guarantee().discrepancy);
    EXPECT_EQ(exact.guarantee(), with("0", "0").guarantee());
    // What was used is said: a little more than was given.
    EXPECT_GT(std::stod(exact.record.constants.at("ends_widened_by")), 0);
    EXPECT_LT(std::stod(exact.record.constants.at("ends_widened_by")), 1e-10);
    EXPECT_TRUE(with("2", "0").guarantee().discrepancy);
    EXPECT_TRUE(with("0", "4").guarantee().discrepancy);
    // Ends outside are used as they are; those inside promise nothing.
    EXPECT_TRUE(with("1.5", "5").guarantee().discrepancy);
    EXPECT_FALSE(with("1.5", "5").record.constants.contains("ends_widened_by"));
    EXPECT_FALSE(with("2.001", "4").guarantee().discrepancy);
    EXPECT_FALSE(with("2", "3.999").guarantee().discrepancy);
    EXPECT_FALSE(with("2.001", "4.5").record.constants.contains("ends_widened_by"));
}

}  // namespace
}  // namespace equipoise::catalogue
