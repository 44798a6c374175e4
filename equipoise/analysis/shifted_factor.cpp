#include "equipoise/analysis/shifted_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "equipoise/base/assert.hpp"

namespace equipoise::analysis {

namespace {

using Position = std::int32_t;
using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, Position>;
using Entry = Eigen::Triplet<double, Position>;
using Factorisation = Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::NaturalOrdering<Position>>;

/// The entries below the diagonal of the factor, or nothing beyond `fill_max` of them or beyond
/// `work_max` products of two entries of a column: row by row along the elimination tree.
std::optional<std::uint64_t> symbolic_fill(const DiffusionMatrix& matrix,
                                           const std::vector<Position>& place,
                                           std::uint64_t fill_max, std::uint64_t work_max) {
    const auto count = static_cast<std::size_t>(matrix.node_count());
    std::vector<Position> starts(count + 1, 0);
    for (const Ends& ends : matrix.links())
        ++starts[static_cast<std::size_t>(std::max(place[ends.tail], place[ends.head])) + 1];
    for (std::size_t row = 0; row < count; ++row)
        starts[row + 1] += starts[row];
    std::vector<Position> earlier(matrix.links().size());
    std::vector<Position> next(starts.begin(), starts.end() - 1);
    for (const Ends& ends : matrix.links()) {
        const auto [low, high] = std::minmax(place[ends.tail], place[ends.head]);
        earlier[static_cast<std::size_t>(next[static_cast<std::size_t>(high)]++)] = low;
    }
    std::vector<Position> parent(count, -1);
    std::vector<Position> seen(count, -1);
    std::vector<std::uint32_t> lengths(count, 0);
    std::uint64_t fill = 0;
    std::uint64_t work = 0;
    for (Position row = 0; row < static_cast<Position>(count); ++row) {
        seen[static_cast<std::size_t>(row)] = row;
        const auto at = static_cast<std::size_t>(row);
        for (Position i = starts[at]; i < starts[at + 1]; ++i) {
            Position column = earlier[static_cast<std::size_t>(i)];
            while (seen[static_cast<std::size_t>(column)] != row) {
                const auto here = static_cast<std::size_t>(column);
                seen[here] = row;
                if (parent[here] < 0) parent[here] = row;
                work += 2 * std::uint64_t{lengths[here]++} + 1;
                if (++fill > fill_max || work > work_max) return std::nullopt;
                column = parent[here];
            }
        }
    }
    return fill;
}

}  // namespace

EliminationOrder elimination_order(const DiffusionMatrix& matrix, std::uint64_t fill_max,
                                   std::uint64_t work_max) {
    const std::uint64_t index_max = std::numeric_limits<Position>::max();
    if (matrix.node_count() == 0 || matrix.node_count() > index_max ||
        matrix.links().size() > std::min(fill_max, index_max))
        return {};
    std::vector<Entry> entries;
    entries.reserve(matrix.links().size() + matrix.node_count());
    for (const Ends& ends : matrix.links())
        entries.emplace_back(static_cast<Position>(std::max(ends.tail, ends.head)),
                             static_cast<Position>(std::min(ends.tail, ends.head)), 1.0);
    const auto size = static_cast<Position>(matrix.node_count());
    // The ordering library omits nodes without an entry on the diagonal.
    for (Position node = 0; node < size; ++node)
        entries.emplace_back(node, node, 1.0);
    Sparse pattern(size, size);
    pattern.setFromTriplets(entries.begin(), entries.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Position> pivots;
    Eigen::AMDOrdering<Position>()(pattern.selfadjointView<Eigen::Lower>(), pivots);
    EliminationOrder order;
    order.place.resize(matrix.node_count());
    for (Position place = 0; place < size; ++place)
        order.place[static_cast<std::size_t>(pivots.indices()[place])] = place;
    const auto fill = symbolic_fill(matrix, order.place, std::min(fill_max, index_max), work_max);
    if (!fill) return {};
    order.fill = *fill;
    return order;
}

struct ShiftedFactor::Factor {
    Factorisation solver;
    double entry_rounding = 0;
};

ShiftedFactor::ShiftedFactor(const DiffusionMatrix& matrix, const EliminationOrder& order,
                             double shift, double sign, Part part)
    : factor_(std::make_unique<Factor>()), place_(order.place) {
    EQUIPOISE_ASSERT(order.affordable());
    const auto size = static_cast<Position>(matrix.node_count()) - (part == Part::grounded ? 1 : 0);
    std::vector<double> diagonal(matrix.node_count(), shift + sign);
    std::vector<Entry> entries;
    entries.reserve(matrix.links().size() + matrix.node_count());
    for (std::size_t i = 0; i < matrix.links().size(); ++i) {
        const auto [low, high] =
            std::minmax(place_[matrix.links()[i].tail], place_[matrix.links()[i].head]);
        const double entry = sign * matrix.weights()[i];
        diagonal[static_cast<std::size_t>(low)] -= entry;
        diagonal[static_cast<std::size_t>(high)] -= entry;
        if (high < size) entries.emplace_back(high, low, entry);
    }
    for (Position row = 0; row < size; ++row)
        entries.emplace_back(row, row, diagonal[static_cast<std::size_t>(row)]);
    Sparse shifted(size, size);
    shifted.setFromTriplets(entries.begin(), entries.end());
    factor_->solver.compute(shifted);
    factor_->entry_rounding = std::numeric_limits<double>::epsilon() * (matrix.degree_max() + 4.0) *
                              (std::abs(shift) + 2);
}

ShiftedFactor::~ShiftedFactor() = default;
ShiftedFactor::ShiftedFactor(ShiftedFactor&& other) noexcept = default;
ShiftedFactor& ShiftedFactor::operator=(ShiftedFactor&& other) noexcept = default;

bool ShiftedFactor::usable() const {
    return factor_->solver.info() == Eigen::Success;
}

void ShiftedFactor::solve(std::span<const double> in, std::span<double> out) const {
    const Eigen::Index size = factor_->solver.rows();
    Eigen::VectorXd right(size);
    for (std::size_t node = 0; node < place_.size(); ++node)
        if (place_[node] < size) right[place_[node]] = in[node];
    const Eigen::VectorXd solution = factor_->solver.solve(right);
    for (std::size_t node = 0; node < place_.size(); ++node)
        out[node] = place_[node] < size ? solution[place_[node]] : 0.0;
}

std::uint64_t ShiftedFactor::negative_pivots() const {
    const auto& pivots = factor_->solver.vectorD();
    return static_cast<std::uint64_t>(
        std::count_if(pivots.begin(), pivots.end(), [](double pivot) { return pivot < 0; }));
}

double ShiftedFactor::error() const {
    const auto& lower = factor_->solver.matrixL().nestedExpression();
    const auto& pivots = factor_->solver.vectorD();
    const Eigen::Index size = lower.rows();
    // |L| |D| |L^T| applied to ones, and the longest row of L.
    Eigen::VectorXd weighted(size);
    std::vector<Position> row_length(static_cast<std::size_t>(size), 1);
    for (Eigen::Index column = 0; column < size; ++column) {
        double sum = 1;
        for (Sparse::InnerIterator entry(lower, column); entry; ++entry) {
            if (entry.row() == column) continue;
            sum += std::abs(entry.value());
            ++row_length[static_cast<std::size_t>(entry.row())];
        }
        weighted[column] = sum * std::abs(pivots[column]);
    }
    Eigen::VectorXd image = weighted;
    for (Eigen::Index column = 0; column < size; ++column)
        for (Sparse::InnerIterator entry(lower, column); entry; ++entry)
            if (entry.row() != column)
                image[entry.row()] += std::abs(entry.value()) * weighted[column];
    const Position longest = *std::max_element(row_length.begin(), row_length.end());
    const double unit = (longest + 2.0) * std::numeric_limits<double>::epsilon();
    return unit / (1 - unit) * image.maxCoeff() + factor_->entry_rounding;
}

}  // namespace equipoise::analysis
