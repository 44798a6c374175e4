#include "equipoise/analysis/spectrum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "equipoise/analysis/closed_forms.hpp"
#include "equipoise/analysis/expansion.hpp"
#include "equipoise/analysis/local_divergence.hpp"
#include "equipoise/analysis/shifted_factor.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::analysis {
namespace {

network::AnyNetwork make(const std::string& spec) {
    return network::generate(spec, 1);
}

TEST(DiffusionSpectrum, IsCertifiedAndMatchesClosedFormsBeyondTheDenseSize) {
    for (const std::string spec : {"path:n=3000", "cycle:n=2001", "torus:32x40", "torus:9x10x11",
                                   "star:leaves=800", "hypercube:d=10"}) {
        const auto network = make(spec);
        const Estimate computed = second_eigenvalue(DiffusionMatrix::metropolis(network));
        const auto known = known_diffusion_eigenvalue(network);
        ASSERT_TRUE(known) << spec;
        EXPECT_TRUE(computed.certified) << spec;
        EXPECT_LE(std::abs(computed.value - known->value), computed.error + known->error) << spec;
        EXPECT_LT(computed.error, 1e-3 * (1 - known->value)) << spec;
    }
}

TEST(DiffusionSpectrum, MatchesTheClosedFormsOfSmallShapes) {
    for (const std::string spec : {"path:n=3", "path:n=10", "cycle:n=3", "cycle:n=8",
                                   "star:leaves=2", "star:leaves=9", "complete:n=7", "torus:2x3",
                                   "torus:4x5x2", "hypercube:d=1", "hypercube:d=5", "torus:6"}) {
        const auto network = make(spec);
        const Estimate computed = second_eigenvalue(DiffusionMatrix::metropolis(network));
        const auto known = known_diffusion_eigenvalue(network);
        ASSERT_TRUE(known) << spec;
        EXPECT_NEAR(computed.value, known->value, computed.error + known->error) << spec;
    }
}

TEST(DiffusionSpectrum, AgreesBetweenFactorsAndProducts) {
    const auto network = make("random-regular:n=800,d=4");
    const auto matrix = DiffusionMatrix::metropolis(network);
    SpectrumOptions products;
    products.fill_max = 0;
    const Estimate plain = second_eigenvalue(matrix, products);
    const Estimate counted = second_eigenvalue(matrix);
    EXPECT_FALSE(plain.certified);
    EXPECT_TRUE(counted.certified);
    EXPECT_NEAR(plain.value, counted.value, plain.error + counted.error);
}

TEST(DiffusionSpectrum, OfTheDeBruijnNetworkWithItsLoopsIsACosine) {
    // Delorme, Tillich 1998: the eigenvalues of the undirected de Bruijn network of degree 4 are
    // 4 cos(pi i / (D + 1)) at most; loops and double links count.
    for (const unsigned digits : {3U, 6U, 10U}) {
        const NodeId nodes = NodeId{1} << digits;
        std::vector<Ends> links;
        std::vector<double> weights;
        for (NodeId v = 0; v < nodes; ++v) {
            for (const NodeId w : {(2 * v) % nodes, (2 * v + 1) % nodes}) {
                if (v == w) continue;
                links.push_back({v, w});
                weights.push_back(0.2);
            }
        }
        const DiffusionMatrix matrix(nodes, links, weights);
        const Estimate lambda = diffusion_spectrum(matrix).second_largest;
        const double expected = (1 + 4 * std::cos(std::numbers::pi / (digits + 1))) / 5;
        EXPECT_NEAR(lambda.value, expected, lambda.error) << digits;
        EXPECT_TRUE(lambda.certified);
    }
}

TEST(ShiftedFactor, CountsTheEigenvaluesBeyondAShift) {
    const auto network = make("path:n=50");
    const auto matrix = DiffusionMatrix::uniform(network);
    const EliminationOrder order = elimination_order(matrix, 1000, 1U << 30U);
    ASSERT_TRUE(order.affordable());
    EXPECT_EQ(order.fill, 49U);
    for (const double shift : {-0.2, 0.1, 0.5, 0.9, 0.99}) {
        std::uint64_t beyond = 0;
        for (int k = 0; k < 50; ++k)
            beyond += 1 - (2 - 2 * std::cos(std::numbers::pi * k / 50)) / 3 > shift ? 1 : 0;
        const ShiftedFactor factor(matrix, order, shift, -1);
        EXPECT_EQ(factor.negative_pivots(), beyond) << shift;
        EXPECT_LT(factor.error(), 1e-9);
    }
}

TEST(ShiftedFactor, IsRefusedWhereItWouldBeTooLarge) {
    const auto matrix = DiffusionMatrix::uniform(make("complete:n=40"));
    EXPECT_FALSE(elimination_order(matrix, 779, 1U << 30U).affordable());
    EXPECT_EQ(elimination_order(matrix, 780, 1U << 30U).fill, 780U);
    // 0^2 + 1^2 + ... + 39^2 products.
    EXPECT_FALSE(elimination_order(matrix, 780, 20'539).affordable());
    EXPECT_TRUE(elimination_order(matrix, 780, 20'540).affordable());
}

TEST(CircuitEigenvalue, HasAClosedFormOnRingsOfEvenSideAndLines) {
    for (const std::string spec :
         {"torus:4", "torus:6", "torus:40", "mesh:2", "mesh:3", "mesh:4", "mesh:41", "torus:2x3x4",
          "torus:8x2", "mesh:5x7", "torus:1x6", "cycle:n=6", "cycle:n=40"}) {
        const auto network = make(spec);
        const auto known = known_circuit_eigenvalue(network);
        if (spec == "torus:2x3x4") {
            EXPECT_FALSE(known);  // a ring of three
            continue;
        }
        ASSERT_TRUE(known) << spec;
        const Estimate found = second_eigenvalue(
            CircuitMatrix(network.node_count(), network::natural_matchings(network)));
        EXPECT_NEAR(known->value, found.value, known->error + found.error) << spec;
    }
}

TEST(CircuitEigenvalue, IsCertifiedOnLongLinesAndRings) {
    const auto found = [](const std::string& spec) {
        const auto network = make(spec);
        return second_eigenvalue(
            CircuitMatrix(network.node_count(), network::natural_matchings(network)));
    };
    for (const std::string spec : {"mesh:601", "mesh:2000", "torus:1200"}) {
        const Estimate product = found(spec);
        const Estimate known = *known_circuit_eigenvalue(make(spec));
        EXPECT_TRUE(product.certified) << spec;
        EXPECT_NEAR(product.value, known.value, product.error + known.error) << spec;
        EXPECT_LT(product.error, 1e-3 * (1 - known.value)) << spec;
    }
    // The third matching of an odd ring takes something off the line's eigenvalue.
    const Estimate odd = found("torus:2001");
    EXPECT_TRUE(odd.certified);
    EXPECT_LT(odd.upper(), known_circuit_eigenvalue(make("mesh:2001"))->value);
    EXPECT_GT(odd.lower(), 1 - std::pow(3 * std::numbers::pi / 2001, 2));
}

TEST(LocalDivergence, EqualsTheClosedFormsThatShapesHave) {
    for (const std::string spec :
         {"torus:4x6", "torus:3x5", "torus:2x4", "torus:2x2x3", "torus:1x7", "path:n=12",
          "cycle:n=9", "star:leaves=5", "complete:n=6", "hypercube:d=4"}) {
        const auto network = make(spec);
        const auto matrix = DiffusionMatrix::metropolis(network);
        const Estimate psi = local_divergence(matrix, second_eigenvalue(matrix));
        const auto known = known_diffusion_divergence(network);
        ASSERT_TRUE(known) << spec;
        EXPECT_NEAR(psi.value, known->value, psi.error + known->error + 1e-9) << spec;
    }
}

TEST(LocalDivergence, OfOneSourceIsThatOfAllOnVertexTransitiveNetworks) {
    for (const std::string spec : {"torus:4x5", "cycle:n=11", "hypercube:d=4", "complete:n=5"}) {
        const auto network = make(spec);
        ASSERT_TRUE(known_vertex_transitive(network)) << spec;
        const auto matrix = DiffusionMatrix::metropolis(network);
        const Estimate lambda = second_eigenvalue(matrix);
        DivergenceOptions one;
        one.source = 0;
        const Estimate single = local_divergence(matrix, lambda, one);
        const Estimate all = local_divergence(matrix, lambda);
        EXPECT_NEAR(single.value, all.value, single.error + all.error + 1e-9) << spec;
    }
}

TEST(EdgeExpansion, EnclosesTheTruthOfSmallNetworks) {
    for (const std::string spec :
         {"path:n=9", "cycle:n=10", "complete:n=6", "barbell:clique=4,path=1", "random-tree:n=11",
          "gnp:n=10,p=0.5", "hypercube:d=3", "hypercube:d=4", "torus:4x3", "star:leaves=6"}) {
        const auto network = make(spec);
        const NodeId nodes = network.node_count();
        double truth = nodes;
        for (std::uint32_t set = 1; set < (1U << nodes) - 1; ++set) {
            const int size = std::popcount(set);
            if (2 * size > static_cast<int>(nodes)) continue;
            int leaving = 0;
            for (const Ends& ends : network::all_links(network))
                leaving += ((set >> ends.tail) & 1U) != ((set >> ends.head) & 1U) ? 1 : 0;
            truth = std::min(truth, static_cast<double>(leaving) / size);
        }
        const EdgeExpansion found = edge_expansion(network);
        EXPECT_LE(found.lower, truth + 1e-12) << spec;
        EXPECT_GE(found.upper, truth - 1e-12) << spec;
        const double laplacian = 2 * found.lower;
        EXPECT_LE(found.upper, std::sqrt(2 * network.degree_max() * laplacian) + 1e-9) << spec;
        std::uint64_t leaving = 0;
        for (const Ends& ends : network::all_links(network))
            leaving += std::binary_search(found.cut.begin(), found.cut.end(), ends.tail) !=
                               std::binary_search(found.cut.begin(), found.cut.end(), ends.head)
                           ? 1
                           : 0;
        EXPECT_EQ(leaving, found.cut_links) << spec;
        EXPECT_DOUBLE_EQ(found.upper,
                         static_cast<double>(leaving) / static_cast<double>(found.cut.size()));
    }
}

TEST(EdgeExpansion, OfHypercubesIsOne) {
    for (const char* d : {"1", "2", "3", "7", "10"}) {
        const auto cube = make(std::string("hypercube:d=") + d);
        const EdgeExpansion found = edge_expansion(cube);
        EXPECT_EQ(found.lower, 1) << d;
        EXPECT_EQ(found.upper, 1) << d;
        EXPECT_TRUE(found.lower_certified) << d;
        EXPECT_EQ(found.cut.size(), cube.node_count() / 2) << d;
    }
}

TEST(KnownUniformSpectrum, OfHypercubesIsThatOfTheMatrix) {
    for (const char* d : {"1", "2", "5"}) {
        const auto cube = make(std::string("hypercube:d=") + d);
        const auto known = known_uniform_spectrum(cube);
        ASSERT_TRUE(known);
        const DiffusionMatrix matrix = DiffusionMatrix::uniform(cube);
        const DiffusionSpectrum found = diffusion_spectrum(matrix);
        EXPECT_NEAR(known->second_largest.value, found.second_largest.value, 1e-12) << d;
        EXPECT_NEAR(known->modulus.value, found.modulus.value, 1e-12) << d;
        std::vector<double> product(known->vector.size());
        matrix.apply(known->vector, product);
        for (std::size_t node = 0; node < product.size(); ++node)
            EXPECT_NEAR(product[node], known->second_largest.value * known->vector[node], 1e-12);
    }
}

TEST(SecondEigenvalue, OfMatricesThatAreNotSymmetricIsThatOfTheProductWithTheTranspose) {
    // A ring whose nodes give p to the next one and b to the one before: the eigenvalues of P P^T
    // are |1 - p - b + p w + b / w|^2 for the n-th roots of unity w.
    for (const NodeId nodes : {5U, 64U, 1500U}) {
        const double p = 0.5;
        const double b = 0.125;
        std::vector<Ends> links;
        std::vector<double> forth;
        std::vector<double> back;
        for (NodeId node = 0; node < nodes; ++node) {
            const NodeId next = (node + 1) % nodes;
            links.push_back({std::min(node, next), std::max(node, next)});
            forth.push_back(node < next ? p : b);
            back.push_back(node < next ? b : p);
        }
        const DiffusionMatrix matrix(nodes, links, forth, back);
        EXPECT_FALSE(matrix.symmetric());
        const double angle = 2 * std::numbers::pi / nodes;
        const double real = 1 - p - b + (p + b) * std::cos(angle);
        const double imaginary = (p - b) * std::sin(angle);
        const Estimate found = second_eigenvalue(matrix);
        EXPECT_TRUE(found.certified) << nodes;
        EXPECT_NEAR(found.value, real * real + imaginary * imaginary, found.error + 1e-14) << nodes;
        EXPECT_LT(found.error, 1e-3 * (1 - found.value)) << nodes;
    }
}

TEST(CircuitEigenvalue, OfCircuitsOfManyMatchingsIsThatOfTheDenseProduct) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    for (const auto& [spec, share] :
         {std::pair("star:leaves=604", 0.5), std::pair("random-regular:n=604,d=9", 0.3)}) {
        const auto network = make(spec);
        const CircuitMatrix circuit(network.node_count(), network::natural_matchings(network),
                                    share);
        const auto size = static_cast<Eigen::Index>(network.node_count());
        Eigen::MatrixXd product = Eigen::MatrixXd::Identity(size, size);
        for (Eigen::Index column = 0; column < size; ++column) {
            const std::span<double> row(product.col(column).data(), network.node_count());
            circuit.apply(row);
            circuit.apply_transposed(row);
        }
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(product,
                                                                    Eigen::EigenvaluesOnly);
        const Estimate found = second_eigenvalue(circuit);
        EXPECT_TRUE(found.certified) << spec;
        EXPECT_NEAR(found.value, solver.eigenvalues()[size - 2], found.error + 1e-11)
            << spec << ", share " << share;
    }
}

TEST(CircuitEigenvalue, OfUnevenBalancersOnAGridIsThatOfAnAxis) {
    for (const double share : {1.0 / 3, 0.75}) {
        const auto found = [&](const std::string& spec) {
            const auto network = make(spec);
            return second_eigenvalue(
                CircuitMatrix(network.node_count(), network::natural_matchings(network), share));
        };
        const Estimate axis = found("torus:26");
        const Estimate grid = found("torus:26x26");
        EXPECT_NEAR(axis.value, grid.value, axis.error + grid.error);
        EXPECT_LT(grid.error, 1e-3 * (1 - grid.value));
    }
}

TEST(KnownUniformSpectrum, IsThatOfMeshesAndTori) {
    for (const auto shape : {network::Grid::Shape::mesh, network::Grid::Shape::torus})
        for (const std::vector<NodeId>& sides :
             std::vector<std::vector<NodeId>>{{2}, {7}, {3, 5}, {6, 6}, {1, 4, 2}, {2, 2, 3}}) {
            const network::AnyNetwork grid(network::Grid(sides, shape));
            const auto known = known_uniform_spectrum(grid);
            ASSERT_TRUE(known);
            const DiffusionMatrix matrix = DiffusionMatrix::uniform(grid);
            const DiffusionSpectrum found = diffusion_spectrum(matrix);
            EXPECT_NEAR(known->second_largest.value, found.second_largest.value, 1e-12);
            EXPECT_NEAR(known->modulus.value, found.modulus.value, 1e-12);
            std::vector<double> product(known->vector.size());
            matrix.apply(known->vector, product);
            for (std::size_t node = 0; node < product.size(); ++node)
                EXPECT_NEAR(product[node], known->second_largest.value * known->vector[node],
                            1e-12);
        }
    EXPECT_FALSE(known_uniform_spectrum(network::generate("star:leaves=4", 1)));
}

}  // namespace
}  // namespace equipoise::analysis
