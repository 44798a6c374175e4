#include "equipoise/analysis/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <Eigen/Dense>
#include <Spectra/SymEigsSolver.h>

#include "equipoise/base/error.hpp"

namespace equipoise::analysis {

namespace {

using Eigen::Index;

/// A symmetric doubly stochastic operator without its trivial eigenvalue: M - J/N, where J is all
/// ones. Its eigenvalue largest in modulus is the second one of M.
template <class Apply>
class Deflated {
  public:
    using Scalar = double;

    Deflated(Index size, Apply apply) : size_(size), apply_(apply) {}
    [[nodiscard]] Index rows() const { return size_; }
    [[nodiscard]] Index cols() const { return size_; }
    void perform_op(const double* in, double* out) const {
        const auto count = static_cast<std::size_t>(size_);
        apply_(std::span<const double>(in, count), std::span<double>(out, count));
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i)
            sum += in[i];
        const double mean = sum / static_cast<double>(size_);
        for (std::size_t i = 0; i < count; ++i)
            out[i] -= mean;
    }

  private:
    Index size_;
    Apply apply_;
};

/// All eigenvalues of the deflated operator by a backward stable dense solver: its error is a small
/// multiple of the machine precision times the norm (1) times the size.
template <class Operator>
Estimate largest_dense(const Operator& op) {
    const Index size = op.rows();
    Eigen::MatrixXd matrix(size, size);
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(size);
    for (Index column = 0; column < size; ++column) {
        unit[column] = 1;
        op.perform_op(unit.data(), matrix.col(column).data());
        unit[column] = 0;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
    const double value = solver.eigenvalues().cwiseAbs().maxCoeff();
    const double error = 16 * static_cast<double>(size) * std::numeric_limits<double>::epsilon();
    return {std::min(value, 1.0), error, true};
}

/// The largest eigenvalue in modulus by a restarted Lanczos iteration; the residual bounds the
/// distance to some eigenvalue, not necessarily the largest.
template <class Operator>
Estimate largest_sparse(Operator& op) {
    constexpr Index basis_size = 60;
    constexpr Index restarts_max = 3000;
    constexpr double tolerance = 1e-12;
    Spectra::SymEigsSolver<Operator> solver(op, 1, std::min(basis_size, op.rows()));
    solver.init();
    solver.compute(Spectra::SortRule::LargestMagn, restarts_max, tolerance);
    if (solver.info() != Spectra::CompInfo::Successful)
        throw UnsuitableError("the second eigenvalue did not converge in " +
                              std::to_string(restarts_max) + " restarts");
    const double value = solver.eigenvalues()[0];
    const Eigen::VectorXd vector = solver.eigenvectors(1).col(0);
    Eigen::VectorXd image(op.rows());
    op.perform_op(vector.data(), image.data());
    const double residual = (image - value * vector).norm() / vector.norm();
    return {std::min(std::abs(value), 1.0),
            residual + 16 * std::numeric_limits<double>::epsilon() * std::sqrt(op.rows()), false};
}

template <class Apply>
Estimate largest(NodeId node_count, Apply apply) {
    if (node_count < 2) return {0, 0, true};
    Deflated<Apply> op(static_cast<Index>(node_count), apply);
    return node_count <= dense_nodes_max ? largest_dense(op) : largest_sparse(op);
}

}  // namespace

Estimate second_eigenvalue(const DiffusionMatrix& matrix) {
    return largest(matrix.node_count(), [&](std::span<const double> in, std::span<double> out) {
        matrix.apply(in, out);
    });
}

Estimate second_eigenvalue(const CircuitMatrix& matrix) {
    return largest(matrix.node_count(), [&](std::span<const double> in, std::span<double> out) {
        std::copy(in.begin(), in.end(), out.begin());
        matrix.apply(out);
        matrix.apply_transposed(out);
    });
}

}  // namespace equipoise::analysis
