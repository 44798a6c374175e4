#include "equipoise/analysis/closed_forms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/analysis/laplacian_spectrum.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::analysis {

namespace {

/// Shapes of networks that have no coordinates.
enum class Shape : std::uint8_t { other, path, cycle, star, complete };

/// Degrees and the number of links tell most networks apart at once; only those that may still be a
/// path or a cycle are searched.
Shape shape_of(const network::AnyNetwork& network) {
    const NodeId nodes = network.node_count();
    const Port most = network.degree_max();
    if (nodes < 3) return Shape::other;
    if (network.degree_min() + 1 == nodes) return Shape::complete;
    const bool may_be_tree = network.link_count() + 1 == nodes;
    if (may_be_tree && most > 2 && most + 1 == nodes) return Shape::star;
    const bool may_be_cycle = network.link_count() == nodes;
    if (most != 2 || (!may_be_tree && !may_be_cycle) || !network::is_connected(network))
        return Shape::other;
    return may_be_tree ? Shape::path : Shape::cycle;
}

const network::Grid* torus_of(const network::AnyNetwork& network) {
    const network::Grid* grid = network.grid();
    return grid != nullptr && grid->shape() == network::Grid::Shape::torus ? grid : nullptr;
}

Estimate exactly(double value) {
    constexpr double roundings = 64;
    return {value, roundings * std::numeric_limits<double>::epsilon() * std::max(1.0, value), true};
}

/// The k-th eigenvalue of the Laplacian of a ring of `side` nodes; a ring of two is one link.
double ring_laplacian(NodeId side, NodeId k) {
    if (side == 2) return k == 0 ? 0 : 2;
    return 2 - 2 * std::cos(2 * std::numbers::pi * k / side);
}

/// The k-th eigenvalue of the Laplacian of a path of `side` nodes.
double line_laplacian(NodeId side, NodeId k) {
    return 2 - 2 * std::cos(std::numbers::pi * k / side);
}

/// The eigenvalues of a torus's Laplacian are sums of those of its axes.
double torus_eigenvalue(const network::Grid& grid) {
    double least = 4;
    double most = 0;
    for (const NodeId side : grid.sides()) {
        if (side < 2) continue;
        least = std::min(least, ring_laplacian(side, 1));
        most += ring_laplacian(side, side / 2);
    }
    const double weight = 1.0 / (grid.degree_max() + 1.0);
    return std::max(std::abs(1 - weight * least), std::abs(1 - weight * most));
}

/// The contribution of an axis to the local divergence, times the weight of a link.
double axis_divergence(NodeId side) {
    if (side < 2) return 0;
    const double s = side;
    return side % 2 == 0 ? s / 4 : (s - 1 / s) / 4;
}

/// A cycle of even length without coordinates: its natural circuit has two perfect matchings, as
/// there is no other way to colour it with two colours.
bool is_even_cycle(const network::AnyNetwork& network) {
    return network.node_count() % 2 == 0 && network.grid() == nullptr &&
           shape_of(network) == Shape::cycle;
}

/// lambda_2(P P^T) of the two matchings of a ring of even side: the gap is sin^2.
double ring_eigenvalue(double side) {
    const double sine = std::sin(2 * std::numbers::pi / side);
    return 1 - sine * sine;
}

/// A line of nodes, closed to a ring or not.
struct Axis {
    NodeId side = 1;
    bool closed = false;

    /// Numbers k = 1 .. count() give all eigenvalues but 0, each once, ascending.
    [[nodiscard]] NodeId count() const { return closed ? side / 2 : side - 1; }
    /// 4 sin^2(pi turns k / side) with half a turn for a path; exact where it is a whole number, by
    /// Niven's theorem only at multiples of 30 and 45 degrees.
    [[nodiscard]] theory::Enclosure eigenvalue(NodeId k) const {
        const std::uint64_t halves = std::uint64_t{closed ? 2U : 1U} * k;
        const double sine = std::sin(std::numbers::pi * static_cast<double>(halves) / (2.0 * side));
        const double value = 4 * sine * sine;
        if (3 * halves % side == 0 || 2 * halves % side == 0)
            return {std::round(value), std::round(value)};
        constexpr double roundings = 32 * std::numeric_limits<double>::epsilon();
        return {value * (1 - roundings), value * (1 + roundings)};
    }
};

/// The axes of a grid, a path or a cycle; nothing for others.
std::optional<std::vector<Axis>> axes_of(const network::AnyNetwork& network) {
    if (const network::Grid* grid = network.grid()) {
        std::vector<Axis> axes;
        for (std::size_t i = 0; i < grid->sides().size(); ++i)
            axes.push_back({grid->sides()[i], grid->closed(i)});
        return axes;
    }
    switch (shape_of(network)) {
        case Shape::path:
            return std::vector<Axis>{{network.node_count(), false}};
        case Shape::cycle:
            return std::vector<Axis>{{network.node_count(), true}};
        case Shape::star:
        case Shape::complete:
        case Shape::other:
            break;
    }
    if (network::is_hypercube(network)) return std::vector<Axis>(network.degree_max(), {2, false});
    return std::nullopt;
}

/// The Laplacian has the eigenvalues 2, 4, ..., 2d.
DiffusionSpectrum hypercube_spectrum(const network::AnyNetwork& network) {
    const double d = network.degree_max();
    const double entry = 1 / std::sqrt(static_cast<double>(network.node_count()));
    DiffusionSpectrum spectrum;
    spectrum.second_largest = exactly(1 - 2 / (d + 1));
    spectrum.modulus = exactly(std::max(std::abs(1 - 2 / (d + 1)), std::abs(1 - 2 * d / (d + 1))));
    spectrum.vector.reserve(network.node_count());
    for (NodeId node = 0; node < network.node_count(); ++node)
        spectrum.vector.push_back(node < network.node_count() / 2 ? -entry : entry);
    return spectrum;
}

/// An enclosure of the sum of two numbers.
theory::Enclosure sum(const theory::Enclosure& a, const theory::Enclosure& b) {
    const theory::Enclosure both{a.least + b.least, a.most + b.most};
    if (a.least == a.most && b.least == b.most) return both;  // whole numbers
    constexpr double rounding = std::numeric_limits<double>::epsilon();
    return {both.least * (1 - rounding), both.most * (1 + rounding)};
}

void expect_few(std::size_t count, std::size_t count_max) {
    if (count > count_max)
        throw UnsuitableError("the Laplacian of this network has more than " +
                              std::to_string(count_max) + " distinct eigenvalues");
}

/// 0 and the distinct sums of eigenvalues of all axes.
std::vector<theory::Enclosure> sums_of(std::span<const Axis> axes, std::size_t count_max) {
    std::vector<theory::Enclosure> sums{{0, 0}};
    for (const Axis& axis : axes) {
        expect_few(axis.count(), count_max);
        std::vector<theory::Enclosure> longer = sums;
        for (NodeId k = 1; k <= axis.count(); ++k) {
            const theory::Enclosure step = axis.eigenvalue(k);
            for (const theory::Enclosure& one : sums)
                longer.push_back(sum(one, step));
        }
        sums = joined(std::move(longer));
        expect_few(sums.size() - 1, count_max);
    }
    return sums;
}

}  // namespace

std::optional<std::vector<theory::Enclosure>> known_laplacian_eigenvalues(
    const network::AnyNetwork& network, std::size_t count_max) {
    if (network.node_count() < 2) return std::vector<theory::Enclosure>{};
    if (const std::optional<std::vector<Axis>> axes = axes_of(network)) {
        std::vector<theory::Enclosure> sums = sums_of(*axes, count_max);
        sums.erase(sums.begin());
        return sums;
    }
    const double n = network.node_count();
    switch (shape_of(network)) {
        case Shape::star:
            return std::vector<theory::Enclosure>{{1, 1}, {n, n}};
        case Shape::complete:
            return std::vector<theory::Enclosure>{{n, n}};
        case Shape::path:
        case Shape::cycle:
        case Shape::other:
            break;
    }
    return std::nullopt;
}

std::optional<std::pair<theory::Enclosure, theory::Enclosure>> known_laplacian_ends(
    const network::AnyNetwork& network) {
    const std::optional<std::vector<Axis>> axes = axes_of(network);
    if (!axes) {
        const auto known = known_laplacian_eigenvalues(network, 2);
        if (!known || known->empty()) return std::nullopt;
        return std::pair(known->front(), known->back());
    }
    constexpr double none = std::numeric_limits<double>::infinity();
    theory::Enclosure smallest{none, none};
    theory::Enclosure largest;
    for (const Axis& axis : *axes) {
        if (axis.count() == 0) continue;
        const theory::Enclosure first = axis.eigenvalue(1);
        smallest = {std::min(smallest.least, first.least), std::min(smallest.most, first.most)};
        largest = sum(largest, axis.eigenvalue(axis.count()));
    }
    if (largest.most == 0) return std::nullopt;
    return std::pair(smallest, largest);
}

std::optional<Estimate> known_diffusion_eigenvalue(const network::AnyNetwork& network) {
    const double n = network.node_count();
    if (network.node_count() < 2) return Estimate{0, 0, true};
    if (const network::Grid* grid = torus_of(network)) return exactly(torus_eigenvalue(*grid));
    if (network::is_hypercube(network)) {
        const double d = network.degree_max();
        return exactly((d - 1) / (d + 1));
    }
    const auto third = [](double laplacian) { return std::abs(1 - laplacian / 3); };
    const auto path_laplacian = [n](double k) {
        return 2 - 2 * std::cos(std::numbers::pi * k / n);
    };
    switch (shape_of(network)) {
        case Shape::path:
            return exactly(std::max(third(path_laplacian(1)), third(path_laplacian(n - 1))));
        case Shape::cycle:
            return exactly(
                std::max(third(ring_laplacian(network.node_count(), 1)),
                         third(ring_laplacian(network.node_count(), network.node_count() / 2))));
        case Shape::star:
            return exactly(1 - 1 / n);
        case Shape::complete:
            return exactly(0);
        case Shape::other:
            break;
    }
    return std::nullopt;
}

std::optional<DiffusionSpectrum> known_uniform_spectrum(const network::AnyNetwork& network) {
    if (network.node_count() < 2) return std::nullopt;
    if (network::is_hypercube(network)) return hypercube_spectrum(network);
    const network::Grid* grid = network.grid();
    if (grid == nullptr) return std::nullopt;
    double least = 4;
    double most = 0;
    std::size_t axis = 0;
    for (std::size_t i = 0; i < grid->sides().size(); ++i) {
        const NodeId side = grid->sides()[i];
        if (side < 2) continue;
        const double slowest = grid->closed(i) ? ring_laplacian(side, 1) : line_laplacian(side, 1);
        most += grid->closed(i) ? ring_laplacian(side, side / 2) : line_laplacian(side, side - 1);
        if (slowest >= least) continue;
        least = slowest;
        axis = i;
    }
    const double weight = 1.0 / (grid->degree_max() + 1.0);
    DiffusionSpectrum spectrum;
    spectrum.second_largest = exactly(1 - weight * least);
    spectrum.modulus = exactly(std::max(std::abs(1 - weight * least), std::abs(1 - weight * most)));
    const double side = grid->sides()[axis];
    const double turns = grid->closed(axis) ? 2 : 1;
    double squares = 0;
    spectrum.vector.reserve(network.node_count());
    for (NodeId node = 0; node < network.node_count(); ++node) {
        const double place = grid->coordinate(node, axis) + 0.5;
        spectrum.vector.push_back(std::cos(turns * std::numbers::pi * place / side));
        squares += spectrum.vector.back() * spectrum.vector.back();
    }
    for (double& entry : spectrum.vector)
        entry /= std::sqrt(squares);
    return spectrum;
}

std::optional<Estimate> known_diffusion_divergence(const network::AnyNetwork& network) {
    const double n = network.node_count();
    if (const network::Grid* grid = torus_of(network)) {
        double sum = 0;
        for (const NodeId side : grid->sides())
            sum += axis_divergence(side);
        return exactly(sum * (grid->degree_max() + 1.0));
    }
    if (network::is_hypercube(network)) {
        const double d = network.degree_max();
        return exactly(d * (d + 1) / 2);
    }
    switch (shape_of(network)) {
        case Shape::path:
            return exactly(3 * (n - 1) / 2);
        case Shape::cycle:
            return exactly(3 * axis_divergence(network.node_count()));
        case Shape::star:
            return exactly(2 * n - 3);
        case Shape::complete:
            return exactly(n - 1);
        case Shape::other:
            break;
    }
    return std::nullopt;
}

std::optional<Estimate> known_circuit_divergence(const network::AnyNetwork& network) {
    if (network::is_hypercube(network)) return exactly(network.degree_max());
    if (is_even_cycle(network)) return exactly(network.node_count() / 2.0);
    const network::Grid* grid = torus_of(network);
    if (grid == nullptr) return std::nullopt;
    double sum = 0;
    for (const NodeId side : grid->sides()) {
        if (side < 2) continue;
        if (side % 2 != 0) return std::nullopt;
        sum += side / 2.0;
    }
    return exactly(sum);
}

std::optional<Estimate> known_circuit_eigenvalue(const network::AnyNetwork& network) {
    if (network::is_hypercube(network)) return exactly(0);
    if (is_even_cycle(network)) return exactly(ring_eigenvalue(network.node_count()));
    const network::Grid* grid = network.grid();
    if (grid == nullptr) return std::nullopt;
    double largest = 0;
    for (std::size_t axis = 0; axis < grid->sides().size(); ++axis) {
        const NodeId side = grid->sides()[axis];
        if (side <= 2) continue;
        if (grid->closed(axis) && side % 2 != 0) return std::nullopt;
        // A line is a ring of twice as many nodes folded in half.
        largest = std::max(largest, ring_eigenvalue(grid->closed(axis) ? side : 2.0 * side));
    }
    return exactly(largest);
}

bool known_vertex_transitive(const network::AnyNetwork& network) {
    if (torus_of(network) != nullptr || network::is_hypercube(network)) return true;
    const Shape shape = shape_of(network);
    return shape == Shape::cycle || shape == Shape::complete;
}

}  // namespace equipoise::analysis
