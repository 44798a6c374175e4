#pragma once
// When to balance, learnt from the steps alone.
//
// Model: a step takes its largest load L; A is the average, which no balance changes. The sum of A
// is the work done and serves as time; L / A is the level.
// Rule: 1. The first balance is a trial, after the steps have wasted (L - A) one step's work.
// 2. Least squares fit a line to the levels since the last balance; if they grew by d per unit of
//    work W, a balance now and W more like the last save d W^2 / 2 against staying at this level.
//    A quarter of the hope for better is added: hope begins at level 1, which is perfect, and goes
//    half the way to the mean level of every cycle, so that vain attempts become rare.
// 3. A balance is worth it if this gain reaches its cost and all earlier balances have paid for
//    themselves: credits (a balance's drop in level times the work since) reach all costs. That is
//    waived once the last balance has done harm, a rise in level times work, beyond its cost.
// Best: under levels that grow by d, C / W + d W / 2 is least at d W^2 / 2 = C.
// Guarantee: if no step is slower than in a run that never balances, and balances save at least
//    their credits, this run never lags that one by more than its costliest balance: savings cover
//    all costs at each balance, and lack at most its own cost thereafter (docs/balancer.md).

#include <cstdint>
#include <optional>

namespace equipoise::placement {

/// Whether to balance now. Converts to bool.
struct Advice {
    bool worth_it = false;
    /// Seconds that the slowest rank saves by a balance now, until as much work is done as since
    /// the last one. Before the first: what a perfect balance would have saved so far.
    double gain = 0;
    /// Seconds that a balance costs: half the last one's, a quarter of that before, and so on.
    /// Unknown before the first.
    std::optional<double> cost = {};
    /// The step (the first is 1) at whose end a balance now would have paid for itself; none if it
    /// never would or nothing is known of the cost.
    std::optional<std::int64_t> break_even_step = {};
    explicit operator bool() const { return worth_it; }
};

/// Learns from steps and balances. Constant memory; every call costs constant time. The same calls
/// give the same advice; other units of time change nothing but the units.
class Advisor {
  public:
    /// A step whose slowest rank took `largest` seconds and whose ranks took `average`. Throws
    /// InputError unless 0 <= average <= largest and both are finite.
    void step(double largest, double average);
    /// A balance after the last step, which took this many seconds. Throws InputError if they are
    /// negative or not finite.
    void balanced(double seconds);

    [[nodiscard]] Advice worth_it() const;
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    [[nodiscard]] std::int64_t balances() const { return balances_; }
    /// Seconds that the balances have saved, as far as they were measured, minus what they cost.
    [[nodiscard]] double account() const;

  private:
    /// Levels over work, and the line fitted to them.
    struct Line {
        double work = 0;
        double load = 0;         // sum of L
        double work_moment = 0;  // integral of x over the work done
        double work_square = 0;  // integral of x^2
        double load_moment = 0;  // integral of x L / A

        void add(double largest, double average);
        [[nodiscard]] double mean() const { return load / work; }
        [[nodiscard]] double slope() const;
        [[nodiscard]] double start() const { return mean() - slope() * work / 2; }
        [[nodiscard]] double end() const { return mean() + slope() * work / 2; }
    };
    /// How much the last balance lowered the level.
    [[nodiscard]] double gap() const { return before_ - since_.start(); }

    Line since_;  // since the last balance
    std::int64_t steps_ = 0;
    std::int64_t balances_ = 0;
    double work_ = 0;    // of all steps
    double waste_ = 0;   // sum of L - A of all steps
    double cost_ = 0;    // expected of the next balance
    double spent_ = 0;   // on all balances
    double earned_ = 0;  // credits of all balances but the last
    double before_ = 1;  // the level when the last balance was made
    double hope_ = 1;    // the level that a balance may reach
};

}  // namespace equipoise::placement
