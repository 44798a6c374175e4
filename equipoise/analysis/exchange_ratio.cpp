#include "equipoise/analysis/exchange_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "equipoise/analysis/epsilon.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/distances.hpp"

namespace equipoise::analysis {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

void expect_small_tree(const network::AnyNetwork& tree) {
    const NodeId nodes = tree.node_count();
    if (nodes == 0 || tree.link_count() != nodes - 1 || !network::is_connected(tree))
        throw UnsuitableError("the network is not a tree");
    if (nodes > exchange_nodes_max)
        throw UnsuitableError("expected a tree of at most " + std::to_string(exchange_nodes_max) +
                              " nodes, found " + std::to_string(nodes));
}

/// The matrix of a round without its eigenvalue 1, whose left and right vectors are constant.
MatrixXd round_matrix(const network::AnyNetwork& tree, double ratio) {
    const auto size = static_cast<Index>(tree.node_count());
    MatrixXd matrix = MatrixXd::Identity(size, size);  // transposed: its columns are rows
    for (LinkId link = 0; link < tree.link_count(); ++link) {
        const Ends ends = tree.ends(link);
        auto tail = matrix.col(static_cast<Index>(ends.tail));
        auto head = matrix.col(static_cast<Index>(ends.head));
        const Eigen::VectorXd flow = ratio * (tail - head);
        tail -= flow;
        head += flow;
    }
    matrix.array() -= 1.0 / static_cast<double>(size);
    return matrix;
}

double spectral_radius(const MatrixXd& matrix) {
    return Eigen::EigenSolver<MatrixXd>(matrix, false).eigenvalues().cwiseAbs().maxCoeff();
}

struct Interval {
    double lower = 0;
    double upper = 0;
};

/// Bounds on the spectral radius of a matrix that differs from the true one by at most this error
/// in the Frobenius norm: |trace A^k| / n <= radius^k <= |A^k|. They are close unless the largest
/// eigenvalue is a double one, whose powers soon consist of rounding errors.
Interval radius_by_powers(MatrixXd matrix, double error) {
    constexpr int squarings_max = 34;
    const auto size = static_cast<double>(matrix.rows());
    Interval radius{0, matrix.norm() + error};
    double log_scale = 0;  // the true power is e^log_scale times (matrix up to error)
    double power = 1;
    for (int squaring = 0; squaring <= squarings_max; ++squaring) {
        const double norm = matrix.norm();
        if (norm <= 2 * error) break;  // nothing but rounding is left
        matrix /= norm;
        error = error / norm + epsilon;
        log_scale += std::log(norm);
        radius.upper = std::min(radius.upper, std::exp((log_scale + std::log1p(error)) / power));
        const double trace = std::abs(matrix.trace()) - std::sqrt(size) * (error + size * epsilon);
        if (trace > 0)
            radius.lower =
                std::max(radius.lower, std::exp((log_scale + std::log(trace / size)) / power));
        if (radius.upper - radius.lower <= 1e-12 || error > 0.25) break;
        matrix = (matrix * matrix).eval();
        error = error * (2 + error) + size * epsilon;
        log_scale *= 2;
        power *= 2;
    }
    return radius;
}

/// Whether r^2 P - A^T P A and P are positive definite for the sum P of (A / r)^k^T (A / r)^k,
/// which proves that no eigenvalue of the true matrix A is as large as r. Every rounding counts.
bool is_radius_below(const MatrixXd& matrix, double error, double r) {
    constexpr int doublings_max = 40;
    const Index size = matrix.rows();
    const MatrixXd unit = MatrixXd::Identity(size, size);
    MatrixXd sum = unit;
    MatrixXd power = matrix / r;
    for (int doubling = 0; doubling < doublings_max && power.norm() > 1e-3; ++doubling) {
        sum += (power.transpose() * sum * power).eval();
        power = (power * power).eval();
    }
    const double roundings = 4 * static_cast<double>(size) * epsilon;
    if (!(roundings * sum.norm() < 0.25)) return false;
    const MatrixXd rest = r * r * sum - matrix.transpose() * sum * matrix;
    const double norm = matrix.norm() + error;
    const double slack = sum.norm() * (roundings * (norm * norm + r * r) + 2 * error * norm) +
                         roundings * rest.norm();
    return (rest - slack * unit).llt().info() == Eigen::Success &&
           (sum - 0.5 * unit).llt().info() == Eigen::Success;
}

/// The spectral radius by the eigenvalues, with its distance to the bounds that can be proved.
Estimate enclosed_radius(const MatrixXd& matrix, double error, double least) {
    constexpr double of_logarithms = 1e-13;
    Interval proved = radius_by_powers(matrix, error);
    proved.lower = std::max(proved.lower, least);
    const double value = std::clamp(spectral_radius(matrix), proved.lower, proved.upper);
    for (double beyond = 1e-7; value * (1 + beyond) < proved.upper; beyond *= 4)
        if (is_radius_below(matrix, error, value * (1 + beyond))) {
            proved.upper = value * (1 + beyond);
            break;
        }
    return {value, std::max(proved.upper - value, value - proved.lower) + of_logarithms, true};
}

/// The smallest value of a function on (0, 1): the best of a grid, then golden sections around it.
template <class Function>
double smallest_on_unit(const Function& function) {
    constexpr int grid = 24;
    constexpr double tolerance = 1e-7;
    double best = 0.5;
    double value_best = std::numeric_limits<double>::infinity();
    for (int i = 1; i < grid; ++i) {
        const double at = static_cast<double>(i) / grid;
        const double value = function(at);
        if (value < value_best) std::tie(best, value_best) = std::pair(at, value);
    }
    const double section = (3 - std::sqrt(5.0)) / 2;
    double from = best - 1.0 / grid;
    double to = best + 1.0 / grid;
    double left = from + section * (to - from);
    double right = to - section * (to - from);
    double at_left = function(left);
    double at_right = function(right);
    while (to - from > tolerance) {
        if (at_left <= at_right) {
            to = right;
            right = left;
            at_right = at_left;
            left = from + section * (to - from);
            at_left = function(left);
        } else {
            from = left;
            left = right;
            at_left = at_right;
            right = to - section * (to - from);
            at_right = function(right);
        }
    }
    return at_left <= at_right ? left : right;
}

}  // namespace

Estimate exchange_factor(const network::AnyNetwork& tree, double ratio) {
    expect_small_tree(tree);
    const MatrixXd matrix = round_matrix(tree, ratio);
    // Each link rounds the entries of two columns, a few operations each, and its rounding errors
    // pass through doubly stochastic matrices, which do not enlarge them.
    const auto size = static_cast<double>(matrix.rows());
    return enclosed_radius(matrix, 8 * epsilon * size * std::sqrt(size), std::abs(1 - 2 * ratio));
}

ExchangeRatio best_exchange_ratio(const network::AnyNetwork& tree) {
    expect_small_tree(tree);
    ExchangeRatio found;
    found.factor = found.factor_at_half = exchange_factor(tree, found.ratio);
    const double ratio =
        smallest_on_unit([&](double at) { return spectral_radius(round_matrix(tree, at)); });
    if (const Estimate factor = exchange_factor(tree, ratio);
        factor.value < found.factor_at_half.value) {
        found.ratio = ratio;
        found.factor = factor;
    }
    return found;
}

}  // namespace equipoise::analysis
