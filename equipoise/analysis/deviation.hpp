#pragma once
// The distance of the token process from the idealised one.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <variant>
#include <vector>

#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/network/io/round_files.hpp"

namespace equipoise::analysis {

/// Facts about the rule whose tokens are observed.
struct TokenRule {
    /// After this many consecutive steps without a move no token ever moves again; 0: no such
    /// number is proved.
    Step quiet_steps = 0;
    /// Whether everything that follows depends only on the loads at the end of a round.
    bool memoryless = false;
    /// Whether no step takes a load beyond the extremes of the loads before it. If not, loads are
    /// never negative.
    bool within_extremes = true;
    /// Whether deviations after the run's end count: not if the rule itself ends after a number of
    /// rounds, or if idealised loads may go beyond their extremes.
    bool for_ever = true;
    /// The share of a pair's difference that moves over a balancer.
    network::Weight share = {1, 2};
};

/// How a diffusion of second order differs from first order: the idealised flow over a link is
/// (beta - 1) times that of the step before plus beta times the weighted difference. The first step
/// and those from `switch_at` on have beta = 1.
struct SecondOrder {
    static constexpr unsigned fraction_bits = 32;

    Tokens beta = Tokens{1} << fraction_bits;  ///< in units of 2^-32, from 1 to below 2
    Step switch_at = ~Step{0};
};

/// The pairs that average in a step. The span stays valid until the next call.
using PairsOfStep = std::function<std::span<const Ends>(Step step)>;

/// Plays the idealised process (no roundings) beside a run from the same loads, and encloses the
/// supremum of |x_i - xi_i| over all nodes and all steps: the left side of Theorem 2 of Rabani,
/// Sinclair, Wanka 1998. Steps after the run's end are included unless the rule says otherwise.
///
/// Only the difference delta = x - xi is kept: delta' = delta P + e, where e, the difference
/// between the idealised step and that of the tokens, consists of whole numbers and of fractions
/// that are taken exactly from the loads. So rounding errors are relative to the deviation, however
/// large the loads. As P never enlarges the largest difference, these errors only add up; they are
/// counted.
///
/// With second order delta' = beta delta P + (1 - beta) delta_before + e. An error of one step
/// comes back h(t) = r^t + r^(t-1) s + ... + s^t times, r and s the roots of z^2 - beta lambda z +
/// beta - 1, in the direction of an eigenvector of P with the eigenvalue lambda. As |lambda| <= 1,
/// |h(t)| <= 1 + (beta - 1) + (beta - 1)^2 + ... < 1 / (2 - beta) (h is a Chebyshev polynomial of
/// the second kind in lambda, which is largest at lambda = 1); so the error of a step counts at
/// most sqrt(nodes) / (2 - beta) times.
///
/// If neither the tokens' nor the idealised extremes ever widen, then after any step every later
/// deviation is at most max(x_max - xi_min, xi_max - x_min). Once x_max and x_min stay for ever (no
/// token moves any more, they differ by at most 1, or the loads have been met before), their
/// distances from the mean are those in the limit: the two bounds meet as the idealised loads
/// become level. If a rule may widen the tokens' extremes, the same holds once loads are met again,
/// with the extremes of all loads in between; until then only the number of tokens, or a bound
/// known from elsewhere, limits later deviations.
///
/// Cost O(nodes + links) a step of a diffusion, O(nodes + pairs) of matched pairs; 48 bytes per
/// node, 64 with second order.
class DeviationObserver final : public model::Observer {
  public:
    /// `weights`: the exact weights of the matrix's links; if it is not symmetric, those from tail
    /// to head and then those from head to tail.
    DeviationObserver(DiffusionMatrix matrix, network::RoundWeights weights,
                      const TokenRule& rule = {.quiet_steps = 1, .memoryless = true});
    /// Of second order, which needs a symmetric matrix. Not for ever.
    DeviationObserver(DiffusionMatrix matrix, network::RoundWeights weights, SecondOrder order);
    /// A round has a step for every matching.
    DeviationObserver(CircuitMatrix matrix, const TokenRule& rule);
    /// Pairs that differ from step to step; every step is a round.
    DeviationObserver(PairsOfStep pairs, const TokenRule& rule);

    void on_start(const model::StepView& view) override;
    void on_step(const model::StepView& view) override;

    /// at_least() <= supremum <= at_most(), in units of the run's loads.
    [[nodiscard]] double at_least() const;
    [[nodiscard]] double at_most() const;
    /// Whether the two agree in seven digits, or as well as rounding errors allow.
    [[nodiscard]] bool known() const;
    /// Whether no token moves any more after the last step.
    [[nodiscard]] bool frozen() const;
    /// Whether the supremum is a limit that no step reaches.
    [[nodiscard]] bool in_the_limit() const { return limit_ > largest_ + rounding_; }
    /// Steps after which the largest deviation so far first occurred.
    [[nodiscard]] Step largest_at() const { return largest_at_; }

    /// Declares that no deviation exceeds this, by Theorem 2.
    void limit_to(double bound) { bound_ = bound; }
    /// Asks a run to end once the deviation is known or the tokens are frozen; null switches this
    /// off.
    void ask_to_end(std::stop_source* end) { end_ = end; }
    /// Continues the idealised process beside frozen tokens until the deviation is known, this many
    /// links have been visited, or a stop is requested.
    void play_on(double link_visits, const std::stop_token& stop);

  private:
    /// What flows over a link, exactly: `whole` tokens from tail to head and a fraction.
    struct Flow {
        Tokens whole = 0;
        double fraction = 0;
    };
    [[nodiscard]] std::span<const Ends> links_of(Step step) const;
    /// `beta` in units of 2^-32.
    [[nodiscard]] Flow flow_over(std::size_t link, const Ends& ends, Tokens beta) const;
    /// beta of the next step, in units of 2^-32.
    [[nodiscard]] Tokens beta_now() const;
    /// A step of the difference, from the loads before to those after it.
    void advance(std::span<const Tokens> after);
    /// What the idealised process makes of the difference alone.
    void advance_difference(std::span<const Ends> links, Tokens beta);
    /// Takes the idealised flows that are left from second order back from `wholes_`.
    void subtract_momentum(Tokens beta);
    void look(std::span<const Tokens> loads);
    void note_limit(std::span<const Tokens> loads, Tokens least, Tokens most);
    [[nodiscard]] bool met_before(std::span<const Tokens> loads);
    [[nodiscard]] double from_mean(Tokens load) const;
    void apply_step(std::span<const Ends> links, std::vector<double>& loads);

    std::variant<DiffusionMatrix, CircuitMatrix, PairsOfStep> matrix_;
    network::RoundWeights weights_;
    TokenRule rule_;
    std::optional<SecondOrder> order_;
    double share_ = 0.5;        ///< of matched pairs
    double amplification_ = 1;  ///< how often the error of a step counts
    Step round_length_ = 1;
    double degree_max_ = 1;
    std::optional<double> bound_;
    std::stop_source* end_ = nullptr;

    std::vector<Tokens> before_;
    std::vector<double> difference_;
    std::vector<double> next_;
    std::vector<Tokens> earlier_;             ///< loads a step before `before_`; second order only
    std::vector<double> earlier_difference_;  ///< likewise
    std::vector<double> fractions_;
    std::vector<Tokens> wholes_;
    Int128 total_ = 0;
    Step steps_ = 0;
    Step quiet_ = 0;
    double widest_ = 0;  ///< of the differences after the last step
    double earlier_widest_ = 0;
    double rounding_ = 0;  ///< a bound on the error of every difference
    double largest_ = 0;
    Step largest_at_ = 0;
    double to_come_ = 0;  ///< a bound on all deviations after the last step
    double limit_ = 0;    ///< the deviation comes arbitrarily near to this, or exceeds it
    bool lasting_ = false;
    // Loads met before, by Brent's method: compared with those after 1, 2, 4, ... rounds.
    std::vector<Tokens> met_;
    Tokens least_since_met_ = 0;
    Tokens most_since_met_ = 0;
    Step rounds_ = 0;
    Step next_met_ = 1;
};

}  // namespace equipoise::analysis
