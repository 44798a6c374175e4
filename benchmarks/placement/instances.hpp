#pragma once
// Weighted items over time: measured and made.

#include <cstdint>
#include <string>
#include <vector>

namespace equipoise::benchmarks {

/// Items whose weights change from step to step. Weights are seconds.
struct Trace {
    std::string name;
    std::vector<int> rank;                     ///< where each item begins
    std::vector<double> bytes;                 ///< of each item; empty: not known
    std::vector<std::vector<double>> weights;  ///< step by step, item by item
    std::vector<std::vector<double>> fixed;    ///< step by step, rank by rank: what cannot move
    [[nodiscard]] std::size_t ranks() const { return fixed.front().size(); }
    [[nodiscard]] std::size_t steps() const { return weights.size(); }
};

/// The phases of a folder of traces in vt's LBDatafile format, one file a rank, as steps.
[[nodiscard]] Trace read_vt(const std::string& folder, const std::string& name);
/// The given steps of a trace, one after the other.
[[nodiscard]] Trace steps_of(const Trace& trace, const std::string& name,
                             const std::vector<std::size_t>& steps);

/// One step: weights in proportion to 1, 1/2, 1/3, ..., at random over the ranks.
[[nodiscard]] Trace zipf(std::size_t ranks, std::size_t items_per_rank, std::uint64_t seed);
/// One step: a tenth of the items weighs ten times as much as the others, more of them on some
/// ranks than on others.
[[nodiscard]] Trace bimodal(std::size_t ranks, std::size_t items_per_rank, std::uint64_t seed);
/// Weights that go each a random way: every step multiplies them by exp(s x), x of mean 0 and
/// deviation 1.
[[nodiscard]] Trace walk(std::size_t ranks, std::size_t items_per_rank, std::size_t steps, double s,
                         std::uint64_t seed);
/// Ranks whose items grow at different rates, up to `rate` of their first weight a step.
[[nodiscard]] Trace growth(std::size_t ranks, std::size_t items_per_rank, std::size_t steps,
                           double rate, std::uint64_t seed);
/// A hot spot, where items weigh up to four times as much, passes `speed` ranks a step.
[[nodiscard]] Trace hot_spot(std::size_t ranks, std::size_t items_per_rank, std::size_t steps,
                             double speed, std::uint64_t seed);
/// The items of a random rank weigh four times as much for some steps, `length` on average; then
/// there are 5 to 24 quiet steps.
[[nodiscard]] Trace spikes(std::size_t ranks, std::size_t items_per_rank, std::size_t steps,
                           double length, std::uint64_t seed);
/// Weights that stay but for noise: exp(s x) anew in every step, for items or for whole ranks.
[[nodiscard]] Trace noise(std::size_t ranks, std::size_t items_per_rank, std::size_t steps,
                          double s, bool whole_ranks, std::uint64_t seed);

}  // namespace equipoise::benchmarks
