#include "equipoise/analysis/local_divergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "equipoise/base/error.hpp"

namespace equipoise::analysis {

namespace {

double norm(std::span<const double> vector) {
    double squares = 0;
    for (const double x : vector)
        squares += x * x;
    return std::sqrt(squares);
}

double difference_over(std::span<const Ends> links, std::span<const double> row) {
    double sum = 0;
    for (const Ends& ends : links)
        sum += std::abs(row[ends.tail] - row[ends.head]);
    return sum;
}

/// The sum for one source, enclosed: sum <= truth <= sum + rest (up to rounding).
struct Enclosure {
    double sum = 0;
    double rest = 0;
    std::uint64_t terms = 0;
};

/// `round(row)` adds one round's differences and advances the row; `tail(row)` bounds what is left.
template <class Round, class Tail>
Enclosure sum_from(NodeId source, NodeId node_count, double relative_error, Round round,
                   Tail tail) {
    std::vector<double> row(node_count, -1.0 / node_count);
    row[source] += 1;
    Enclosure enclosure;
    constexpr std::uint64_t check_period = 8;
    enclosure.rest = tail(row);
    while (enclosure.rest > relative_error * enclosure.sum) {
        for (std::uint64_t i = 0; i < check_period; ++i, ++enclosure.terms)
            enclosure.sum += round(row);
        enclosure.rest = tail(row);
    }
    return enclosure;
}

template <class SumFrom>
Estimate maximum_over_sources(NodeId node_count, const DivergenceOptions& options, bool certified,
                              SumFrom sum_of) {
    if (node_count < 2) return {0, 0, true};
    const bool all = options.source == no_node;
    const auto first = static_cast<std::int64_t>(all ? 0 : options.source);
    const std::int64_t last = all ? static_cast<std::int64_t>(node_count) : first + 1;
    double lower = 0;
    double upper = 0;
    // The maximum does not depend on the order in which threads meet the sources.
#pragma omp parallel for schedule(dynamic) reduction(max : lower, upper) \
    num_threads(std::max(1, options.threads))
    for (std::int64_t source = first; source < last; ++source) {
        const Enclosure enclosure = sum_of(static_cast<NodeId>(source));
        const double rounding = static_cast<double>(enclosure.terms) *
                                std::numeric_limits<double>::epsilon() * enclosure.sum;
        lower = std::max(lower, enclosure.sum - rounding);
        upper = std::max(upper, enclosure.sum + enclosure.rest + rounding);
    }
    return {(lower + upper) / 2, (upper - lower) / 2, certified};
}

double upper_bound_below_one(const Estimate& lambda) {
    const double upper = lambda.value + lambda.error;
    if (upper >= 1)
        throw UnsuitableError(
            "the eigenvalue gap is 0 (network not connected?): the local divergence is infinite");
    return upper;
}

}  // namespace

Estimate local_divergence(const DiffusionMatrix& matrix, const Estimate& lambda,
                          const DivergenceOptions& options) {
    if (matrix.node_count() < 2) return {0, 0, true};
    const double decay = upper_bound_below_one(lambda);
    const double factor =
        std::sqrt(2.0 * matrix.degree_max() * static_cast<double>(matrix.links().size())) /
        (1 - decay);
    return maximum_over_sources(matrix.node_count(), options, lambda.certified, [&](NodeId source) {
        std::vector<double> next(matrix.node_count());
        return sum_from(
            source, matrix.node_count(), options.relative_error,
            [&](std::vector<double>& row) {
                const double differences = difference_over(matrix.links(), row);
                matrix.apply(row, next);
                row.swap(next);
                return differences;
            },
            [&](const std::vector<double>& row) { return factor * norm(row); });
    });
}

Estimate local_divergence(const CircuitMatrix& matrix, const Estimate& lambda_2,
                          const DivergenceOptions& options) {
    if (matrix.node_count() < 2) return {0, 0, true};
    const double decay = std::sqrt(upper_bound_below_one(lambda_2));
    const double factor = std::sqrt(2.0 * static_cast<double>(matrix.slot_count())) / (1 - decay);
    return maximum_over_sources(
        matrix.node_count(), options, lambda_2.certified, [&](NodeId source) {
            return sum_from(
                source, matrix.node_count(), options.relative_error,
                [&](std::vector<double>& row) {
                    double differences = 0;
                    for (const auto& matching : matrix.matchings()) {
                        differences += difference_over(matching, row);
                        average_pairs(matching, row);
                    }
                    return differences;
                },
                [&](const std::vector<double>& row) { return factor * norm(row); });
        });
}

}  // namespace equipoise::analysis
