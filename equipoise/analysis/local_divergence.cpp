#include "equipoise/analysis/local_divergence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "equipoise/analysis/epsilon.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::analysis {

namespace {

/// Rows of P^t for several sources side by side, so that a link is looked up once for all of them.
template <std::size_t lanes>
using Lanes = std::array<double, lanes>;
constexpr std::size_t block = 8;

/// The sum for one source. Let g_s be the error that step s made in the row. The computed sum is
/// off by at most the fraction `added` of itself because of additions, by `rest` for the part cut
/// off, and by what the errors g_s contribute later: see `enclose`.
struct Sum {
    double sum = 0;
    double rest = 0;       ///< of the computed row, after the last step, at most
    double row_error = 0;  ///< sum_s ||g_s||_1, at most
    std::uint64_t steps = 0;
};

/// How rounding in one round adds to the errors.
struct Roundings {
    double of_round = 0;     ///< ||g_s||_1 <= of_round ||row||_1
    double within = 0;       ///< differences that an error adds in the round in which it is made
    double added_links = 0;  ///< additions between a difference and its round's sum, at most
};

/// Sums from the sources `first`, `first` + 1, ... of a block. `round(rows, sums)` adds one round's
/// differences and advances the rows; the rest of each sum is at most `factor` times the length of
/// its row.
template <std::size_t lanes, class Round>
std::array<Sum, lanes> sum_from(NodeId first, NodeId node_count, double relative_error,
                                double factor, const Roundings& roundings, Round round) {
    std::vector<Lanes<lanes>> rows(node_count);
    for (auto& row : rows)
        row.fill(-1.0 / node_count);
    for (std::size_t lane = 0; lane < lanes; ++lane)
        rows[std::min<std::size_t>(first + lane, node_count - 1)][lane] += 1;
    std::array<Sum, lanes> result;
    for (Sum& sum : result)
        sum.row_error = 2 * epsilon;  // 1/N and 1 - 1/N are rounded
    constexpr std::uint64_t check_period = 8;
    const double many_terms = 1 + (node_count + 16.0) * epsilon;
    for (std::uint64_t steps = 0;; steps += check_period) {
        Lanes<lanes> squares{};
        Lanes<lanes> sizes{};
        for (const auto& row : rows)
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                squares[lane] += row[lane] * row[lane];
                sizes[lane] += std::abs(row[lane]);
            }
        bool done = true;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            Sum& sum = result[lane];
            sum.steps = steps;
            sum.rest = factor * std::sqrt(squares[lane]) * many_terms;
            // Going on gains nothing once errors exceed the rest.
            done = done && sum.rest <= std::max(relative_error, sum.row_error) * sum.sum;
        }
        if (done) return result;
        for (std::size_t lane = 0; lane < lanes; ++lane)  // a row's length never grows
            result[lane].row_error +=
                check_period * roundings.of_round * sizes[lane] * many_terms * (1 + 1e-6);
        for (std::uint64_t i = 0; i < check_period; ++i) {
            Lanes<lanes> sums{};
            round(rows, sums);
            for (std::size_t lane = 0; lane < lanes; ++lane)
                result[lane].sum += sums[lane];
        }
    }
}

/// Encloses Psi by sums from sources. An error g made at some step evolves like a row: over all
/// time its differences are at most `within` + Psi for every unit of ||g||_1, as those of a row are
/// at most Psi. So Psi is at most sum + rest + (within + Psi) row_error, which is solved for Psi.
/// `any` is a known upper bound on Psi, used if not all sources were summed.
class Enclosure {
  public:
    Enclosure(const Roundings& roundings, double any) : roundings_(roundings), any_(any) {}

    void take(std::span<const Sum> sums) {
        for (const Sum& sum : sums) {
            const double added =
                (roundings_.added_links + static_cast<double>(sum.steps)) * epsilon * sum.sum;
            low_ = std::max(low_, sum.sum - added);
            high_ = std::max(high_, sum.sum + sum.rest + added);
            error_ = std::max(error_, sum.row_error);
        }
    }
    [[nodiscard]] Estimate found(bool certified) const {
        const double own = (high_ + roundings_.within * error_) / (1 - error_);
        const double going_on = (roundings_.within + (any_ > 0 ? any_ : own)) * error_;
        const double upper = high_ + going_on;
        const double lower = std::max(0.0, low_ - going_on);
        return {(lower + upper) / 2, (upper - lower) / 2 + 4 * epsilon * upper, certified};
    }
    void join(const Enclosure& other) {
        low_ = std::max(low_, other.low_);
        high_ = std::max(high_, other.high_);
        error_ = std::max(error_, other.error_);
    }

  private:
    Roundings roundings_;
    double any_ = 0;
    double low_ = 0;
    double high_ = 0;
    double error_ = 0;
};

/// `sum_block(lanes, source)` gives the sums of `lanes` sources from `source` on. `factor` times
/// the length of a row bounds its sum.
template <class SumBlock>
Estimate maximum_over_sources(NodeId node_count, const DivergenceOptions& options, bool certified,
                              const Roundings& roundings, double factor, SumBlock sum_block) {
    if (options.source != no_node) {
        Enclosure one(roundings, factor * (1 + 16 * epsilon));
        one.take(sum_block(std::integral_constant<std::size_t, 1>(), options.source));
        return one.found(certified);
    }
    Enclosure all(roundings, 0);
    const auto blocks = static_cast<std::int64_t>((node_count + block - 1) / block);
    // The maximum does not depend on the order in which threads meet the sources.
#pragma omp parallel num_threads(std::max(1, options.threads))
    {
        Enclosure own(roundings, 0);
#pragma omp for schedule(dynamic)
        for (std::int64_t i = 0; i < blocks; ++i)
            own.take(sum_block(std::integral_constant<std::size_t, block>(),
                               static_cast<NodeId>(i * static_cast<std::int64_t>(block))));
#pragma omp critical
        all.join(own);
    }
    return all.found(certified);
}

/// How many links' differences are added up before they join the total, to reduce rounding errors.
constexpr std::size_t group = 512;

double additions(std::size_t links) {
    return static_cast<double>(std::min(links, group) + links / group + 4);
}

template <std::size_t lanes>
void add(Lanes<lanes>& sums, const Lanes<lanes>& more) {
    for (std::size_t lane = 0; lane < lanes; ++lane)
        sums[lane] += more[lane];
}

/// next := rows P, adding |row_i - row_j| over all links to the sums.
///
/// A link's flow takes three roundings of what flows each way (that of the weight included) and is
/// added at both its ends: at most 6 u ||row||_1 over all links, u = epsilon / 2, as rows sum to 1.
/// A node's sums never exceed its entry plus all that flows: deg additions, together at most 3
/// d_max u ||row||_1.
template <std::size_t lanes>
void diffuse(const DiffusionMatrix& matrix, const std::vector<Lanes<lanes>>& rows,
             std::vector<Lanes<lanes>>& next, Lanes<lanes>& sums) {
    next = rows;
    const std::span<const Ends> links = matrix.links();
    const std::span<const double> weights = matrix.weights();
    const std::span<const double> back = matrix.weights_back();
    const bool symmetric = matrix.symmetric();
    for (std::size_t begin = 0; begin < links.size(); begin += group) {
        Lanes<lanes> part{};
        for (std::size_t link = begin; link < std::min(links.size(), begin + group); ++link) {
            const Lanes<lanes>& tail = rows[links[link].tail];
            const Lanes<lanes>& head = rows[links[link].head];
            Lanes<lanes>& tail_next = next[links[link].tail];
            Lanes<lanes>& head_next = next[links[link].head];
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const double difference = tail[lane] - head[lane];
                const double flow = symmetric
                                        ? weights[link] * difference
                                        : weights[link] * tail[lane] - back[link] * head[lane];
                part[lane] += std::abs(difference);
                tail_next[lane] -= flow;
                head_next[lane] += flow;
            }
        }
        add<lanes>(sums, part);
    }
}

/// Averages every matched pair, or moves a share of its difference, adding the differences before
/// to the sums. Averages take one rounding a pair, of the sum: at most u ||row||_1 over a matching.
/// Other shares take three roundings of what moves, at both ends, and one of each entry: at most 7
/// u ||row||_1.
template <std::size_t lanes>
void average(std::span<const Ends> matching, double share, std::vector<Lanes<lanes>>& rows,
             Lanes<lanes>& sums) {
    const bool even = share == 0.5;
    for (std::size_t begin = 0; begin < matching.size(); begin += group) {
        Lanes<lanes> part{};
        for (std::size_t pair = begin; pair < std::min(matching.size(), begin + group); ++pair) {
            Lanes<lanes>& tail = rows[matching[pair].tail];
            Lanes<lanes>& head = rows[matching[pair].head];
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const double difference = tail[lane] - head[lane];
                part[lane] += std::abs(difference);
                if (even) {
                    tail[lane] = head[lane] = (tail[lane] + head[lane]) / 2;
                } else {
                    tail[lane] -= share * difference;
                    head[lane] += share * difference;
                }
            }
        }
        add<lanes>(sums, part);
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
    const double upper = upper_bound_below_one(lambda);
    // The most by which a row can shrink in a round; 1 - sqrt(x) without cancellation.
    const double below_one = matrix.symmetric() ? 1 - upper : (1 - upper) / (1 + std::sqrt(upper));
    const double factor =
        std::sqrt(2.0 * matrix.degree_max() * static_cast<double>(matrix.links().size())) *
        static_cast<double>(options.rounds) / below_one;
    // Half as much is proved (see `diffuse`); the other half is for terms of higher order.
    const Roundings roundings{epsilon * (3.0 * matrix.degree_max() + 6), 0,
                              additions(matrix.links().size())};
    return maximum_over_sources(matrix.node_count(), options, lambda.certified, roundings, factor,
                                [&](auto lanes, NodeId source) {
                                    std::vector<Lanes<lanes>> next(matrix.node_count());
                                    return sum_from<lanes>(
                                        source, matrix.node_count(), options.relative_error, factor,
                                        roundings,
                                        [&](std::vector<Lanes<lanes>>& rows, Lanes<lanes>& sums) {
                                            diffuse<lanes>(matrix, rows, next, sums);
                                            rows.swap(next);
                                        });
                                });
}

Estimate local_divergence(const CircuitMatrix& matrix, const Estimate& lambda_2,
                          const DivergenceOptions& options) {
    if (matrix.node_count() < 2) return {0, 0, true};
    const double upper = upper_bound_below_one(lambda_2);
    // A pair that moves a share s loses 2 s (1 - s) times its difference squared of the row's
    // length squared; so the squared differences of a round sum to at most the squared length
    // divided by this loss.
    const double loss = 2 * matrix.share() * (1 - matrix.share());
    // 1 - sqrt(x), without cancellation.
    const double factor = std::sqrt(static_cast<double>(matrix.slot_count()) / loss) *
                          (1 + std::sqrt(upper)) / (1 - upper);
    // A matching's differences of a row of size 1 are at most 1.
    const auto levels = static_cast<double>(matrix.matchings().size());
    const Roundings roundings{(matrix.even() ? 1 : 8) * epsilon * levels, levels,
                              additions(matrix.slot_count()) + levels};
    return maximum_over_sources(
        matrix.node_count(), options, lambda_2.certified, roundings, factor,
        [&](auto lanes, NodeId source) {
            return sum_from<lanes>(source, matrix.node_count(), options.relative_error, factor,
                                   roundings,
                                   [&](std::vector<Lanes<lanes>>& rows, Lanes<lanes>& sums) {
                                       for (const auto& matching : matrix.matchings())
                                           average<lanes>(matching, matrix.share(), rows, sums);
                                   });
        });
}

}  // namespace equipoise::analysis
