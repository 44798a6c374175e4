#pragma once
// When to balance, learnt from the steps alone.
//
// Model: a step takes its largest load L; no balance changes the average A. Work, the sum of A, is
//   the time; L / A is the level; L - A is waste; the part that falls on the same rank in all steps
//   is lasting.
// Rule: (1) The first balance is a trial, made once the lasting waste reaches one step's work and
//   at least three quarters of all waste. (2) A line is fitted to the levels since the last
//   balance, W units of work ago. If they grow by d per unit (less one standard error), a balance
//   now gains d W^2 / 2 over the next W units, plus a quarter of the hope for an even lower level,
//   which halves with every attempt in vain; at most the lasting waste. (3) A balance is worth it
//   if this gain reaches its cost and the credits of earlier balances (drop in level times work
//   since) reach theirs. Credits are not required if the levels since the last balance, compared
//   with the one before, cost more than a balance.
// Guarantee: if no step is slower than in a run that never balances, and balances do no harm and
//   save at least their credits, this run never lags that one by more than its costliest balance.
//   Proof and details: docs/how-to/balancer.md.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace equipoise::placement {

/// Whether to balance now. Converts to bool.
struct Advice {
    bool worth_it = false;
    /// Seconds that the slowest rank saves by a balance now, until as much work is done as since
    /// the last one. Before the first: the lasting waste, which is the most that one could have
    /// saved so far.
    double gain = 0;
    /// Seconds that a balance costs: half the last one's, a quarter of that before, and so on.
    /// Unknown before the first.
    std::optional<double> cost = {};
    /// The step (the first is 1) at whose end a balance now would have paid for itself; none if it
    /// never would or nothing is known of the cost.
    std::optional<std::int64_t> break_even_step = {};
    explicit operator bool() const { return worth_it; }
};

/// Learns from steps and balances. The same calls give the same advice, whatever the unit of time.
/// Every call costs constant time and memory, unless it names all ranks.
class Advisor {
  public:
    /// A step, in which rank r worked for `seconds[r]` seconds. Throws InputError unless these are
    /// finite, at least 0, and for as many ranks as before. Cost O(P).
    void step(std::span<const double> seconds);
    /// The same for callers that know the largest and the average of the seconds, and the largest
    /// sum of one rank's seconds since the last balance. Throws InputError unless 0 <= average <=
    /// largest <= largest_total and all are finite.
    void step(double largest, double average, double largest_total);
    /// A balance after the last step, which took this many seconds. Throws InputError if they are
    /// negative or not finite.
    void balanced(double seconds);

    [[nodiscard]] Advice worth_it() const;
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    [[nodiscard]] std::int64_t balances() const { return balances_; }
    /// The seconds that the balances have saved, as far as they were measured, minus those that
    /// they cost.
    [[nodiscard]] double account() const;
    /// Seconds that the steps since the last balance took above the level before it; below 0 if
    /// they were faster. 0 before the first.
    [[nodiscard]] double harm() const;

  private:
    /// Levels over work, and the line fitted to them.
    struct Line {
        double work = 0;
        double load = 0;         // sum of L
        double work_moment = 0;  // sum of A x, x being the work at the middle of a step
        double work_square = 0;  // sum of A x^2
        double load_moment = 0;  // sum of L x
        double load_square = 0;  // sum of L^2 / A
        double steps = 0;

        void add(double largest, double average);
        [[nodiscard]] double mean() const { return load / work; }
        /// By how much the line rises from the middle to the end, less one standard error; negative
        /// if it falls.
        [[nodiscard]] double rise() const;
    };
    /// How much the last balance lowered the level.
    [[nodiscard]] double gap() const { return before_ - std::min(after_, since_.mean()); }

    Line since_;  // since the last balance
    std::int64_t steps_ = 0;
    std::int64_t balances_ = 0;
    double work_ = 0;     // of all steps
    double lasting_ = 0;  // waste since the last balance
    double waste_ = 0;    // sum of L - A of all steps
    double cost_ = 0;     // expected of the next balance
    double spent_ = 0;    // on all balances
    double earned_ = 0;   // credits of all balances but the last
    double before_ = 1;   // the level when the last balance was made
    /// The lowest mean level since then, once an average step's work is done.
    double after_ = std::numeric_limits<double>::infinity();
    double hope_ = 0;  // the lasting waste, as a share of the work, that a balance may leave
    std::vector<double> totals_;  // of the ranks since the last balance, if they are named
};

}  // namespace equipoise::placement
