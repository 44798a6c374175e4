#include "equipoise/analysis/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <Spectra/SymEigsSolver.h>

#include "equipoise/analysis/epsilon.hpp"
#include "equipoise/analysis/shifted_factor.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/memory.hpp"

namespace equipoise::analysis {

namespace {

using Eigen::Index;

/// Tolerance of iterations that only multiply by the matrix; the residual, which is about as large,
/// is part of the result.
constexpr double product_tolerance = 1e-9;

void remove_mean(std::span<double> vector) {
    double sum = 0;
    for (const double x : vector)
        sum += x;
    const double mean = sum / static_cast<double>(vector.size());
    for (double& x : vector)
        x -= mean;
}

/// Type-erased product of a matrix and a vector, so that the solver, which takes seconds to
/// compile, is compiled once; the call costs next to nothing.
using Apply = std::function<void(std::span<const double> in, std::span<double> out)>;

/// A symmetric operator that maps the vector of ones to itself, on the vectors orthogonal to it.
class Deflated {
  public:
    using Scalar = double;

    Deflated(Index size, Apply apply) : size_(size), apply_(std::move(apply)) {}
    [[nodiscard]] Index rows() const { return size_; }
    [[nodiscard]] Index cols() const { return size_; }
    void perform_op(const double* in, double* out) const {
        const auto count = static_cast<std::size_t>(size_);
        const std::span<double> image(out, count);
        apply_(std::span<const double>(in, count), image);
        remove_mean(image);
    }

  private:
    Index size_;
    Apply apply_;
};

/// The error of eigenvalues from a backward stable dense solver: a small multiple of the machine
/// precision times the norm (1) times the size.
double dense_error(Index size) {
    return 16 * static_cast<double>(size) * epsilon;
}

Eigen::MatrixXd dense(Index size, const Apply& apply) {
    Eigen::MatrixXd matrix(size, size);
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(size);
    const auto count = static_cast<std::size_t>(size);
    for (Index column = 0; column < size; ++column) {
        unit[column] = 1;
        apply(std::span<const double>(unit.data(), count),
              std::span<double>(matrix.col(column).data(), count));
        unit[column] = 0;
    }
    return matrix;
}

/// The eigenvector of the largest eigenvalue of an operator without negative eigenvalues, by a
/// restarted Lanczos iteration; `visits` is the cost of a product, in links.
Eigen::VectorXd largest_eigenvector(Index size, Apply apply, double tolerance, double visits) {
    constexpr Index basis_size = 60;
    // Limits the time to about ten seconds, or a few restarts. One step costs a product plus
    // basis_size operations per node, i.e. about 20 link visits per node.
    constexpr double visits_max = 4e9;
    constexpr double node_visits = 20;
    const double step_visits = visits + node_visits * static_cast<double>(size);
    const auto restarts_max =
        static_cast<Index>(std::clamp(visits_max / (step_visits * basis_size), 8.0, 3000.0));
    // If only a few restarts are affordable, three digits are better than none; the residual tells
    // how good they are.
    constexpr Index few_restarts = 30;
    if (restarts_max < few_restarts) tolerance = std::max(tolerance, 1e-3);
    Deflated op(size, std::move(apply));
    Spectra::SymEigsSolver<Deflated> solver(op, 1, std::min(basis_size, size));
    solver.init();
    try {
        solver.compute(Spectra::SortRule::LargestAlge, restarts_max, tolerance);
    } catch (const std::runtime_error& error) {  // the small inner problem failed
        throw UnsuitableError(std::string("the second eigenvalue was not found: ") + error.what());
    }
    if (solver.info() != Spectra::CompInfo::Successful)
        throw UnsuitableError("the second eigenvalue did not converge in " +
                              std::to_string(restarts_max) + " restarts");
    return solver.eigenvectors(1).col(0);
}

/// The Rayleigh quotient of a vector and its residual, which bounds how far the quotient is from
/// the nearest eigenvalue.
Estimate quotient(const Apply& apply, Eigen::VectorXd vector) {
    const auto count = static_cast<std::size_t>(vector.size());
    remove_mean(std::span<double>(vector.data(), count));
    vector.normalize();
    Eigen::VectorXd image(vector.size());
    apply(std::span<const double>(vector.data(), count), std::span<double>(image.data(), count));
    const double value = vector.dot(image);
    return {std::clamp(value, -1.0, 1.0), (image - value * vector).norm() + 8 * epsilon, false};
}

/// Encloses an end of the spectrum: at most `expected` eigenvalues of sign * P lie more than the
/// new error above the value found. The estimate is unchanged when counting fails.
Estimate certify(const DiffusionMatrix& matrix, const EliminationOrder& order, Estimate found,
                 double sign, std::uint64_t expected) {
    Estimate best = found;
    // Close to a multiple eigenvalue pivots grow, and with them the error of the factor.
    for (double slack = std::max(4 * found.error, 16 * epsilon);
         slack < 1 - found.value && !(best.certified && slack > best.error); slack *= 10) {
        const ShiftedFactor factor(matrix, order, found.value + slack, -sign);
        if (!factor.usable() || factor.negative_pivots() > expected) continue;
        const double growth = factor.error();
        const double error = std::max(found.error, slack + growth);
        if (!best.certified || error < best.error) best = {found.value, error, true};
        if (growth < slack) break;
    }
    return best;
}

DiffusionSpectrum dense_spectrum(const DiffusionMatrix& matrix, bool with_vector) {
    const auto size = static_cast<Index>(matrix.node_count());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
        dense(size,
              [&](std::span<const double> in, std::span<double> out) { matrix.apply(in, out); }),
        with_vector ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
    const auto& values = solver.eigenvalues();
    DiffusionSpectrum result;
    result.second_largest = {std::min(values[size - 2], 1.0), dense_error(size), true};
    result.modulus = {
        std::clamp(std::max(std::abs(values[0]), std::abs(values[size - 2])), 0.0, 1.0),
        dense_error(size), true};
    if (with_vector) {
        Eigen::VectorXd vector = solver.eigenvectors().col(size - 2);
        result.vector.assign(vector.begin(), vector.end());
    }
    return result;
}

/// The eigenvector, orthogonal to the all-ones vector, of the largest other eigenvalue of sign * P;
/// computed from (I - sign * P)^+ if a factor is affordable, else from I + sign * P.
Eigen::VectorXd end_vector(const DiffusionMatrix& matrix, const EliminationOrder& order,
                           double sign) {
    const auto size = static_cast<Index>(matrix.node_count());
    if (order.affordable()) {
        // I - P is singular (it maps the ones to 0), so one node is fixed at 0.
        const auto part = sign > 0 ? ShiftedFactor::Part::grounded : ShiftedFactor::Part::whole;
        const ShiftedFactor factor(matrix, order, 1, -sign, part);
        std::vector<double> centred(matrix.node_count());
        if (factor.usable())
            return largest_eigenvector(
                size,
                [&](std::span<const double> in, std::span<double> out) {
                    std::copy(in.begin(), in.end(), centred.begin());
                    remove_mean(centred);
                    factor.solve(centred, out);
                },
                1e-12, 2.0 * static_cast<double>(order.fill));
    }
    return largest_eigenvector(
        size,
        [&](std::span<const double> in, std::span<double> out) {
            matrix.apply(in, out);
            for (std::size_t i = 0; i < in.size(); ++i)
                out[i] = in[i] + sign * out[i];
        },
        product_tolerance, static_cast<double>(matrix.links().size()));
}

}  // namespace

DiffusionSpectrum diffusion_spectrum(const DiffusionMatrix& matrix,
                                     const SpectrumOptions& options) {
    EQUIPOISE_ASSERT(matrix.symmetric());
    const NodeId nodes = matrix.node_count();
    if (nodes < 2)
        return {{0, 0, true}, {0, 0, true}, std::vector<double>(options.with_vector ? nodes : 0)};
    if (nodes <= dense_nodes_max) return dense_spectrum(matrix, options.with_vector);

    const EliminationOrder order = elimination_order(matrix, options.fill_max, options.work_max);
    const auto end = [&](double sign) {
        Eigen::VectorXd vector = end_vector(matrix, order, sign);
        const Estimate found = quotient(
            [&](std::span<const double> in, std::span<double> out) {
                matrix.apply(in, out);
                for (double& x : out)
                    x *= sign;
            },
            vector);
        return std::pair(found, std::move(vector));
    };
    auto [second, vector] = end(1);
    DiffusionSpectrum result;
    result.second_largest = order.affordable() ? certify(matrix, order, second, 1, 1) : second;
    if (options.with_vector) result.vector.assign(vector.begin(), vector.end());

    result.modulus = result.second_largest;
    if (order.affordable() && second.value > 0) {
        // No eigenvalue is below -lambda_2, so the other end does not matter.
        const Estimate enclosed = certify(matrix, order, result.second_largest, -1, 0);
        if (enclosed.certified && result.second_largest.certified &&
            enclosed.error <=
                std::max(100 * result.second_largest.error, 1e-9 * (1 - second.value))) {
            result.modulus = enclosed;
            return result;
        }
    }
    Estimate least = end(-1).first;
    if (order.affordable()) least = certify(matrix, order, least, -1, 0);
    if (std::abs(least.value) > std::abs(second.value)) result.modulus = least;
    result.modulus.value = std::abs(result.modulus.value);
    result.modulus.error = std::max(result.second_largest.error, least.error);
    result.modulus.certified = result.second_largest.certified && least.certified;
    return result;
}

namespace {

/// More entries of P P^T than this are not stored: with its factor, one takes some 100 bytes.
std::size_t entries_max() {
    constexpr std::uint64_t most = 8'000'000;
    return std::min(most, memory_bytes_max() / 400);
}

/// P P^T, which is doubly stochastic, as a diffusion, and by how much rounded entries may move its
/// eigenvalues.
struct Symmetrised {
    DiffusionMatrix matrix;
    double error = 0;
};

/// The pairs of a circuit by node, in the order of its matchings.
class PairsByNode {
  public:
    struct Pair {
        std::uint32_t level = 0;
        NodeId other = no_node;
    };

    explicit PairsByNode(const CircuitMatrix& matrix)
        : first_(std::size_t{matrix.node_count()} + 1, 0), pairs_(2 * matrix.slot_count()) {
        for (const auto& matching : matrix.matchings())
            for (const auto& [tail, head] : matching) {
                ++first_[std::size_t{tail} + 1];
                ++first_[std::size_t{head} + 1];
            }
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
        for (std::uint32_t level = 0; level < matrix.matchings().size(); ++level)
            for (const auto& [tail, head] : matrix.matchings()[level]) {
                pairs_[next[tail]++] = {level, head};
                pairs_[next[head]++] = {level, tail};
            }
    }
    [[nodiscard]] std::span<const Pair> of(NodeId node) const {
        return std::span(pairs_).subspan(first_[node], first_[node + 1] - first_[node]);
    }

  private:
    std::vector<std::uint64_t> first_;
    std::vector<Pair> pairs_;
};

/// A row of P P^T: a unit vector that goes through all matchings, there and back. Only pairs of
/// nodes that it has reached are visited, until there are so many that visiting all is cheaper.
class CircuitRow {
  public:
    explicit CircuitRow(const CircuitMatrix& matrix)
        : matrix_(matrix),
          pairs_(matrix),
          row_(matrix.node_count(), 0),
          meeting_(matrix.matchings().size()) {}

    /// The nodes with entries above 0, until the next call.
    [[nodiscard]] std::span<const NodeId> from(NodeId source) {
        for (const NodeId node : reached_)
            row_[node] = 0;
        reached_.assign(1, source);
        row_[source] = 1;
        all_ = false;
        const std::size_t levels = meeting_.size();
        const auto any = [](std::size_t /*level*/) { return true; };
        meet_all(any);
        for (std::size_t level = 0; level < levels; ++level)
            share(level, [level](std::size_t later) { return later > level; });
        if (!all_) meet_all(any);
        for (std::size_t level = levels; level-- > 0;)
            share(level, [level](std::size_t later) { return later < level; });
        work_ += 2 * levels;
        if (all_) {
            reached_.clear();
            for (NodeId node = 0; node < row_.size(); ++node)
                if (row_[node] != 0) reached_.push_back(node);
        }
        return reached_;
    }
    [[nodiscard]] double entry(NodeId node) const { return row_[node]; }
    /// Pairs and matchings visited so far.
    [[nodiscard]] std::uint64_t work() const { return work_; }

  private:
    template <class IsToCome>
    void meet_all(const IsToCome& is_to_come) {
        for (const NodeId node : reached_)
            meet(node, is_to_come);
    }
    template <class IsToCome>
    void meet(NodeId node, const IsToCome& is_to_come) {
        const auto pairs = pairs_.of(node);
        work_ += pairs.size();
        for (const PairsByNode::Pair& pair : pairs)
            if (is_to_come(pair.level)) meeting_[pair.level].push_back({node, pair.other});
    }
    template <class IsToCome>
    void share(std::size_t level, const IsToCome& is_to_come) {
        constexpr std::size_t many = 8;  // a pair that must be looked for costs as much as 8
        all_ = all_ || many * reached_.size() > row_.size();
        if (all_) {
            const auto& matching = matrix_.matchings()[level];
            for (const auto& [node, other] : matching)
                if (row_[node] != 0 || row_[other] != 0) share(node, other);
            work_ += matching.size();
        } else {
            for (const auto& [node, other] : meeting_[level]) {
                if (row_[other] != 0 && other < node) continue;
                if (row_[other] == 0) {
                    reached_.push_back(other);
                    meet(other, is_to_come);
                }
                share(node, other);
            }
        }
        meeting_[level].clear();
    }
    void share(NodeId node, NodeId other) {
        if (matrix_.even()) {
            row_[node] = row_[other] = (row_[node] + row_[other]) / 2;
            return;
        }
        const double moves = matrix_.share() * (row_[node] - row_[other]);
        row_[node] -= moves;
        row_[other] += moves;
    }

    const CircuitMatrix& matrix_;
    PairsByNode pairs_;
    std::vector<double> row_;
    std::vector<NodeId> reached_;
    bool all_ = false;                        ///< all pairs are visited
    std::vector<std::vector<Ends>> meeting_;  ///< by matching: pairs of nodes that were reached
    std::uint64_t work_ = 0;
};

/// Nothing if there are too many entries, or computing them would take more than seconds. With even
/// balancers the entries are multiples of a power of 1/2 and exact; otherwise each matching takes
/// at most four roundings of an entry, twice, and rows sum to 1.
std::optional<Symmetrised> symmetrised_matrix(const CircuitMatrix& matrix) {
    constexpr std::uint64_t work_max = 10'000'000'000;
    const NodeId nodes = matrix.node_count();
    const std::size_t most = entries_max();
    std::vector<Ends> links;
    std::vector<double> weights;
    CircuitRow row(matrix);
    for (NodeId source = 0; source < nodes; ++source) {
        for (const NodeId node : row.from(source))
            if (node > source) {
                links.push_back({source, node});
                weights.push_back(row.entry(node));
            }
        if (links.size() > most || row.work() > work_max) return std::nullopt;
    }
    const double roundings =
        matrix.even() ? 0 : 16.0 * static_cast<double>(matrix.matchings().size());
    return Symmetrised{{nodes, std::move(links), std::move(weights)}, roundings * epsilon};
}

/// The same for a diffusion: (P P^T)_uv = sum_w P_uw P_vw, sums of one product for each neighbour
/// of a node and one for the node itself.
std::optional<Symmetrised> symmetrised_matrix(const DiffusionMatrix& matrix) {
    const NodeId nodes = matrix.node_count();
    struct Entry {
        NodeId node;
        double weight;
    };
    std::vector<std::vector<Entry>> rows(nodes);
    std::vector<std::vector<Entry>> columns(nodes);
    const auto enter = [&](NodeId row, NodeId column, double weight) {
        if (weight <= 0) return;
        rows[row].push_back({column, weight});
        columns[column].push_back({row, weight});
    };
    std::vector<double> rest(nodes, 1);
    for (std::size_t i = 0; i < matrix.links().size(); ++i) {
        const auto [tail, head] = matrix.links()[i];
        rest[tail] -= matrix.weights()[i];
        rest[head] -= matrix.weights_back()[i];
        enter(tail, head, matrix.weights()[i]);
        enter(head, tail, matrix.weights_back()[i]);
    }
    for (NodeId node = 0; node < nodes; ++node)
        enter(node, node, rest[node]);
    const std::size_t most = entries_max();
    std::vector<Ends> links;
    std::vector<double> weights;
    std::vector<double> row(nodes, 0);
    std::vector<NodeId> reached;
    for (NodeId source = 0; source < nodes; ++source) {
        reached.clear();
        for (const Entry& first : rows[source])
            for (const Entry& second : columns[first.node]) {
                if (second.node <= source) continue;
                if (row[second.node] == 0) reached.push_back(second.node);
                row[second.node] += first.weight * second.weight;
            }
        for (const NodeId node : reached) {
            links.push_back({source, node});
            weights.push_back(row[node]);
            row[node] = 0;
        }
        if (links.size() > most) return std::nullopt;
    }
    return Symmetrised{{nodes, std::move(links), std::move(weights)},
                       (4.0 * matrix.degree_max() + 16) * epsilon};
}

/// lambda_2(P P^T), where `product` is the operator P P^T and `visits` its cost; `stores`: whether
/// `symmetrised_matrix` is that operator, too.
template <class Matrix>
Estimate second_of_product(const Matrix& matrix, const Apply& product, double visits,
                           bool stores = true) {
    const auto size = static_cast<Index>(matrix.node_count());
    if (matrix.node_count() <= dense_nodes_max) {
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(dense(size, product),
                                                                    Eigen::EigenvaluesOnly);
        return {std::clamp(solver.eigenvalues()[size - 2], 0.0, 1.0), dense_error(size), true};
    }
    const SpectrumOptions options;
    if (const auto stored = stores ? symmetrised_matrix(matrix) : std::nullopt;
        stored &&
        elimination_order(stored->matrix, options.fill_max, options.work_max).affordable()) {
        Estimate found = diffusion_spectrum(stored->matrix, options).second_largest;
        found.error += stored->error;
        return found;
    }
    return quotient(product, largest_eigenvector(size, product, product_tolerance, visits));
}

}  // namespace

Estimate second_eigenvalue(const DiffusionMatrix& matrix, const SpectrumOptions& options,
                           std::uint64_t rounds) {
    if (matrix.symmetric()) {
        EQUIPOISE_ASSERT(rounds == 1);
        return diffusion_spectrum(matrix, options).modulus;
    }
    if (matrix.node_count() < 2) return {0, 0, true};
    std::vector<double> between(matrix.node_count());
    const auto product = [&](std::span<const double> in, std::span<double> out) {
        std::copy(in.begin(), in.end(), out.begin());
        for (std::uint64_t round = 0; round < rounds; ++round) {
            matrix.apply(out, between);
            std::copy(between.begin(), between.end(), out.begin());
        }
        for (std::uint64_t round = 0; round < rounds; ++round) {
            matrix.apply_transposed(out, between);
            std::copy(between.begin(), between.end(), out.begin());
        }
    };
    const auto many = static_cast<double>(rounds);
    Estimate found = second_of_product(
        matrix, product, 2.0 * many * static_cast<double>(matrix.links().size()), rounds == 1);
    // A round adds at most 3 d + 8 rounding errors of a row's size, which later rounds do not
    // enlarge; the norm of the errors of all rows is at most sqrt(n) times the largest of them.
    if (rounds > 1)
        found.error += 2 * many * (3.0 * matrix.degree_max() + 8) * epsilon *
                       std::sqrt(static_cast<double>(matrix.node_count()));
    return found;
}

Estimate second_eigenvalue(const CircuitMatrix& matrix) {
    if (matrix.node_count() < 2) return {0, 0, true};
    return second_of_product(
        matrix,
        [&](std::span<const double> in, std::span<double> out) {
            std::copy(in.begin(), in.end(), out.begin());
            matrix.apply(out);
            matrix.apply_transposed(out);
        },
        2.0 * static_cast<double>(matrix.slot_count()));
}

}  // namespace equipoise::analysis
