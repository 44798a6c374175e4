#include "equipoise/analysis/laplacian_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "equipoise/analysis/closed_forms.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "tests/support/stored_copy.hpp"

namespace equipoise::analysis {
namespace {

network::AnyNetwork generated(const std::string& spec) {
    return network::generate(spec, 1);
}

std::vector<double> computed(const network::AnyNetwork& network) {
    const Eigen::Index size = network.node_count();
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
    for (const auto& [tail, head] : network::all_links(network)) {
        matrix(tail, head) = matrix(head, tail) = -1;
        ++matrix(tail, tail);
        ++matrix(head, head);
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
    return {solver.eigenvalues().begin() + 1, solver.eigenvalues().end()};
}

TEST(LaplacianSpectrum, HasAnEnclosureForEveryEigenvalueAndNoOther) {
    for (const std::string spec :
         {"path:n=2", "path:n=9", "cycle:n=3", "cycle:n=10", "cycle:n=11", "star:leaves=6",
          "complete:n=7", "mesh:3x5", "torus:4x5", "torus:2x3x4", "hypercube:d=5", "mesh:1x4",
          "random-tree:n=30", "gnp:n=20,p=0.3", "random-regular:n=20,d=3"}) {
        const network::AnyNetwork network = generated(spec);
        const LaplacianSpectrum spectrum = laplacian_spectrum(network);
        const std::vector<double> truth = computed(network);
        constexpr double error = 1e-11;
        const auto holds = [&](const theory::Enclosure& e, double value) {
            return e.least - error <= value && value <= e.most + error;
        };
        for (const double value : truth)
            EXPECT_EQ(std::count_if(spectrum.distinct.begin(), spectrum.distinct.end(),
                                    [&](const auto& e) { return holds(e, value); }),
                      1)
                << spec << " " << value;
        for (const theory::Enclosure& e : spectrum.distinct) {
            EXPECT_TRUE(std::any_of(truth.begin(), truth.end(), [&](double value) {
                return holds(e, value);
            })) << spec;
            EXPECT_LT(e.most - e.least, 1e-10);
            EXPECT_GT(e.least, 0);
        }
        const theory::Enclosure ends = laplacian_ends(network).around();
        EXPECT_TRUE(laplacian_ends(network).certified);
        EXPECT_LE(ends.least, truth.front() + error);
        EXPECT_GE(ends.most, truth.back() - error);
        EXPECT_GE(laplacian_at_most(network), truth.back() - error) << spec;
    }
}

TEST(LaplacianSpectrum, OfGridsIsThatOfTheirStoredCopies) {
    for (const std::string spec : {"mesh:4x6", "torus:5x5", "hypercube:d=4"}) {
        const auto known = laplacian_spectrum(generated(spec));
        const auto dense =
            laplacian_spectrum(network::AnyNetwork(test::stored_copy(generated(spec))));
        ASSERT_EQ(known.distinct.size(), dense.distinct.size()) << spec;
        EXPECT_TRUE(known.closed_form);
        for (std::size_t i = 0; i < known.distinct.size(); ++i)
            EXPECT_NEAR(known.distinct[i].least, dense.distinct[i].most, 1e-10);
    }
}

TEST(LaplacianSpectrum, IsExactWhereEigenvaluesAreWhole) {
    EXPECT_EQ(laplacian_spectrum(generated("hypercube:d=3")).distinct,
              (std::vector<theory::Enclosure>{{2, 2}, {4, 4}, {6, 6}}));
    EXPECT_EQ(laplacian_spectrum(generated("cycle:n=6")).distinct,
              (std::vector<theory::Enclosure>{{1, 1}, {3, 3}, {4, 4}}));
    EXPECT_EQ(laplacian_spectrum(generated("star:leaves=5")).distinct,
              (std::vector<theory::Enclosure>{{1, 1}, {6, 6}}));
    EXPECT_EQ(laplacian_spectrum(generated("complete:n=8")).distinct,
              (std::vector<theory::Enclosure>{{8, 8}}));
    EXPECT_TRUE(laplacian_spectrum(generated("path:n=1")).distinct.empty());
}

TEST(LaplacianSpectrum, IsRefusedWhereItWouldTakeMinutes) {
    EXPECT_THROW(static_cast<void>(laplacian_spectrum(generated("random-tree:n=1300"))),
                 UnsuitableError);
    EXPECT_THROW(static_cast<void>(laplacian_spectrum(generated("cycle:n=100000"))),
                 UnsuitableError);
}

TEST(LaplacianEnds, AreCertifiedBeyondTheDenseSize) {
    const LaplacianEnds ends = laplacian_ends(generated("random-tree:n=1500"));
    EXPECT_TRUE(ends.certified);
    EXPECT_GT(ends.around().least, 0);
    const LaplacianEnds torus = laplacian_ends(generated("torus:1000x1000"));
    const double sine = std::sin(std::acos(-1.0) / 1000);
    EXPECT_NEAR(torus.around().least, 4 * sine * sine, 1e-15);
    EXPECT_NEAR(torus.around().most, 8, 1e-12);
}

TEST(Joined, TakesOverlappingEnclosuresTogether) {
    EXPECT_EQ(joined({{3, 4}, {1, 2}, {2, 2.5}, {4, 5}, {1.5, 1.6}}),
              (std::vector<theory::Enclosure>{{1, 2.5}, {3, 5}}));
}

}  // namespace
}  // namespace equipoise::analysis
