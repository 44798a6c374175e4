#include "equipoise/analysis/exchange_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <vector>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::analysis {
namespace {

network::AnyNetwork tree_of(const std::string& spec, std::uint64_t seed = 1) {
    return network::generate(spec, seed);
}

/// The second largest absolute eigenvalue of a round that takes the links in this order.
double factor_by_eigenvalues(const network::AnyNetwork& tree, double ratio,
                             const std::vector<LinkId>& order) {
    const auto size = static_cast<Eigen::Index>(tree.node_count());
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(size, size);
    for (const LinkId link : order) {
        const Ends ends = tree.ends(link);
        Eigen::MatrixXd exchange = Eigen::MatrixXd::Identity(size, size);
        for (const auto& [a, b] : {std::pair(ends.tail, ends.head), {ends.head, ends.tail}}) {
            exchange(a, a) = 1 - ratio;
            exchange(a, b) = ratio;
        }
        matrix = exchange * matrix;
    }
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix, false);
    std::vector<double> moduli;
    for (const std::complex<double>& value : solver.eigenvalues())
        moduli.push_back(std::abs(value));
    std::sort(moduli.begin(), moduli.end());
    return moduli[moduli.size() - 2];
}

std::vector<LinkId> links_of(const network::AnyNetwork& tree) {
    std::vector<LinkId> links(tree.link_count());
    std::iota(links.begin(), links.end(), LinkId{0});
    return links;
}

const char* const trees[] = {"path:n=2",
                             "path:n=9",
                             "star:leaves=7",
                             "tree:k=2,h=3",
                             "tree:k=3,h=2",
                             "caterpillar:spine=4,legs=2",
                             "broom:handle=5,bristles=3",
                             "random-tree:n=14"};

TEST(ExchangeFactor, IsTheSecondLargestEigenvalueWhateverTheOrderOfTheLinks) {
    for (const char* spec : trees)
        for (const double ratio : {0.2, 0.5, 0.7, 0.9}) {
            const network::AnyNetwork tree = tree_of(spec);
            const Estimate found = exchange_factor(tree, ratio);
            EXPECT_TRUE(found.certified);
            EXPECT_LT(found.error, 1e-3) << spec << ' ' << ratio;
            std::vector<LinkId> order = links_of(tree);
            EXPECT_NEAR(found.value, factor_by_eigenvalues(tree, ratio, order), found.error + 1e-7)
                << spec << ' ' << ratio;
            std::reverse(order.begin(), order.end());
            std::rotate(order.begin(),
                        order.begin() + static_cast<std::ptrdiff_t>(order.size() / 3), order.end());
            for (std::size_t i = 0; i + 1 < order.size(); i += 3)
                std::swap(order[i], order[order.size() - 1 - i]);
            EXPECT_NEAR(found.value, factor_by_eigenvalues(tree, ratio, order), found.error + 1e-7)
                << spec << ' ' << ratio;
        }
}

TEST(ExchangeFactor, IsNeverBelowWhatTheDeterminantAllows) {
    for (const char* spec : trees)
        for (const double ratio : {0.1, 0.4, 0.6, 0.95}) {
            const Estimate found = exchange_factor(tree_of(spec), ratio);
            EXPECT_GE(found.upper(), std::abs(1 - 2 * ratio)) << spec << ' ' << ratio;
        }
}

/// Xu, Lau 1992: the chain.
TEST(BestExchangeRatio, OfAPathIsKnown) {
    for (const int nodes : {2, 3, 8, 16, 33}) {
        const ExchangeRatio best = best_exchange_ratio(tree_of("path:n=" + std::to_string(nodes)));
        const double sine = std::sin(std::numbers::pi / nodes);
        EXPECT_NEAR(best.ratio, 1 / (1 + sine), 2e-6) << nodes;
        EXPECT_NEAR(best.factor.value, (1 - sine) / (1 + sine), 1e-5) << nodes;
        EXPECT_NEAR(best.factor_at_half.value, std::pow(std::cos(std::numbers::pi / nodes), 2),
                    1e-6)
            << nodes;
    }
}

/// Each leaf multiplies the load of the centre by g = ((1 - r) mu + 2r - 1) / (mu - 1 + r), so that
/// mu = g^k decides.
TEST(ExchangeFactor, OfAStarSolvesItsEquation) {
    for (const int leaves : {3, 5, 12}) {
        const network::AnyNetwork star = tree_of("star:leaves=" + std::to_string(leaves));
        for (const double ratio : {0.3, 0.6}) {
            // The polynomial mu (mu - 1 + r)^k - ((1 - r) mu + 2r - 1)^k changes sign, or its
            // argument turns, once for each root: count those outside a circle.
            const auto turns = [&](double radius) {
                double turned = 0;
                std::complex<double> before;
                constexpr int points = 20'000;
                for (int i = 0; i <= points; ++i) {
                    const auto mu = std::polar(radius, 2 * std::numbers::pi * i / points);
                    const std::complex<double> value =
                        mu * std::pow(mu - 1.0 + ratio, leaves) -
                        std::pow((1 - ratio) * mu + (2 * ratio - 1), leaves);
                    if (i > 0) turned += std::arg(value / before);
                    before = value;
                }
                return std::lround(turned / (2 * std::numbers::pi));
            };
            const Estimate found = exchange_factor(star, ratio);
            EXPECT_EQ(turns(found.upper() + 1e-6), leaves);  // all but 1
            EXPECT_LT(turns(found.lower() - 1e-6), leaves);
        }
    }
}

TEST(BestExchangeRatio, IsBetterThanItsNeighboursAndThanOneHalf) {
    for (const char* spec : trees) {
        const network::AnyNetwork tree = tree_of(spec);
        const ExchangeRatio best = best_exchange_ratio(tree);
        EXPECT_LE(best.factor.lower(), best.factor_at_half.upper()) << spec;
        for (const double off : {-0.02, -0.001, 0.001, 0.02})
            EXPECT_GE(exchange_factor(tree, best.ratio + off).upper(), best.factor.lower()) << spec;
    }
}

TEST(BestExchangeRatio, IsThatOfASmallTree) {
    EXPECT_THROW(static_cast<void>(best_exchange_ratio(tree_of("cycle:n=5"))), UnsuitableError);
    EXPECT_THROW(static_cast<void>(best_exchange_ratio(tree_of("path:n=301"))), UnsuitableError);
    EXPECT_NEAR(best_exchange_ratio(tree_of("path:n=1")).factor.value, 0, 1e-12);
}

}  // namespace
}  // namespace equipoise::analysis
