#include "equipoise/analysis/local_divergence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "equipoise/base/error.hpp"

namespace equipoise::analysis {

namespace {

/// Rows of P^t from several sources side by side, so that a link is looked up once for all.
template <std::size_t lanes>
using Lanes = std::array<double, lanes>;
constexpr std::size_t block = 8;

/// The sum for one source, enclosed: sum <= truth <= sum + rest (up to rounding).
struct Enclosure {
    double sum = 0;
    double rest = 0;
    std::uint64_t terms = 0;
};

/// Sums from the sources `first`, `first` + 1, ... of a block. `round(rows, sums)` adds one round's
/// differences and advances the rows; what is left after them is at most `factor` times their
/// lengths.
template <std::size_t lanes, class Round>
std::array<Enclosure, lanes> sum_from(NodeId first, NodeId node_count, double relative_error,
                                      double factor, Round round) {
    std::vector<Lanes<lanes>> rows(node_count);
    for (auto& row : rows)
        row.fill(-1.0 / node_count);
    for (std::size_t lane = 0; lane < lanes; ++lane)
        rows[std::min<std::size_t>(first + lane, node_count - 1)][lane] += 1;
    std::array<Enclosure, lanes> enclosures;
    constexpr std::uint64_t check_period = 8;
    Lanes<lanes> sums{};
    for (std::uint64_t terms = 0;; terms += check_period) {
        Lanes<lanes> squares{};
        for (const auto& row : rows)
            for (std::size_t lane = 0; lane < lanes; ++lane)
                squares[lane] += row[lane] * row[lane];
        bool done = true;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            enclosures[lane] = {sums[lane], factor * std::sqrt(squares[lane]), terms};
            done = done && enclosures[lane].rest <= relative_error * sums[lane];
        }
        if (done) return enclosures;
        for (std::uint64_t i = 0; i < check_period; ++i)
            round(rows, sums);
    }
}

/// `sum_block(lanes, source)` gives the enclosures of as many sources from `source` on.
template <class SumBlock>
Estimate maximum_over_sources(NodeId node_count, const DivergenceOptions& options, bool certified,
                              SumBlock sum_block) {
    double lower = 0;
    double upper = 0;
    const auto take = [](const auto& enclosures, double& low, double& high) {
        for (const Enclosure& enclosure : enclosures) {
            const double rounding = static_cast<double>(enclosure.terms) *
                                    std::numeric_limits<double>::epsilon() * enclosure.sum;
            low = std::max(low, enclosure.sum - rounding);
            high = std::max(high, enclosure.sum + enclosure.rest + rounding);
        }
    };
    if (options.source != no_node) {
        take(sum_block(std::integral_constant<std::size_t, 1>(), options.source), lower, upper);
    } else {
        const auto blocks = static_cast<std::int64_t>((node_count + block - 1) / block);
        // The maximum does not depend on the order in which threads meet the sources.
#pragma omp parallel for schedule(dynamic) reduction(max : lower, upper) \
    num_threads(std::max(1, options.threads))
        for (std::int64_t i = 0; i < blocks; ++i)
            take(sum_block(std::integral_constant<std::size_t, block>(),
                           static_cast<NodeId>(i * static_cast<std::int64_t>(block))),
                 lower, upper);
    }
    return {(lower + upper) / 2, (upper - lower) / 2, certified};
}

/// next := rows P, adding |row_i - row_j| over all links to the sums.
template <std::size_t lanes>
void diffuse(const DiffusionMatrix& matrix, const std::vector<Lanes<lanes>>& rows,
             std::vector<Lanes<lanes>>& next, Lanes<lanes>& sums) {
    next = rows;
    const std::span<const Ends> links = matrix.links();
    const std::span<const double> weights = matrix.weights();
    for (std::size_t link = 0; link < links.size(); ++link) {
        const Lanes<lanes>& tail = rows[links[link].tail];
        const Lanes<lanes>& head = rows[links[link].head];
        Lanes<lanes>& tail_next = next[links[link].tail];
        Lanes<lanes>& head_next = next[links[link].head];
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const double difference = tail[lane] - head[lane];
            sums[lane] += std::abs(difference);
            tail_next[lane] -= weights[link] * difference;
            head_next[lane] += weights[link] * difference;
        }
    }
}

/// Averages every matched pair, adding the differences before to the sums.
template <std::size_t lanes>
void average(std::span<const Ends> matching, std::vector<Lanes<lanes>>& rows, Lanes<lanes>& sums) {
    for (const Ends& ends : matching) {
        Lanes<lanes>& tail = rows[ends.tail];
        Lanes<lanes>& head = rows[ends.head];
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            sums[lane] += std::abs(tail[lane] - head[lane]);
            tail[lane] = head[lane] = (tail[lane] + head[lane]) / 2;
        }
    }
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
    return maximum_over_sources(
        matrix.node_count(), options, lambda.certified, [&](auto lanes, NodeId source) {
            std::vector<Lanes<lanes>> next(matrix.node_count());
            return sum_from<lanes>(source, matrix.node_count(), options.relative_error, factor,
                                   [&](std::vector<Lanes<lanes>>& rows, Lanes<lanes>& sums) {
                                       diffuse<lanes>(matrix, rows, next, sums);
                                       rows.swap(next);
                                   });
        });
}

Estimate local_divergence(const CircuitMatrix& matrix, const Estimate& lambda_2,
                          const DivergenceOptions& options) {
    if (matrix.node_count() < 2) return {0, 0, true};
    const double decay = std::sqrt(upper_bound_below_one(lambda_2));
    const double factor = std::sqrt(2.0 * static_cast<double>(matrix.slot_count())) / (1 - decay);
    return maximum_over_sources(
        matrix.node_count(), options, lambda_2.certified, [&](auto lanes, NodeId source) {
            return sum_from<lanes>(source, matrix.node_count(), options.relative_error, factor,
                                   [&](std::vector<Lanes<lanes>>& rows, Lanes<lanes>& sums) {
                                       for (const auto& matching : matrix.matchings())
                                           average<lanes>(matching, rows, sums);
                                   });
        });
}

}  // namespace equipoise::analysis
