#pragma once
// The token process beside the idealised one.

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/model/run/observer.hpp"

namespace equipoise::analysis {

/// Plays the idealised process (real-valued loads, no roundings) beside a run from the same initial
/// loads and keeps the largest deviation max |x_i - xi_i| over all nodes and rounds: the left side
/// of Theorem 2 of Rabani, Sinclair, Wanka 1998. Cost O(links) a round. Deviations are known to
/// about 1e-16 times the largest load.
class DeviationObserver final : public model::Observer {
  public:
    explicit DeviationObserver(DiffusionMatrix matrix)
        : matrix_(std::move(matrix)), round_length_(1) {}
    explicit DeviationObserver(CircuitMatrix matrix)
        : matrix_(std::move(matrix)),
          round_length_(std::max<Step>(1, std::get<CircuitMatrix>(matrix_).matchings().size())) {}

    [[nodiscard]] Step next_wanted(Step done) const override {
        return (done / round_length_ + 1) * round_length_;
    }
    void on_start(const model::StepView& view) override;
    void on_step(const model::StepView& view) override;

    /// Units of the run's loads.
    [[nodiscard]] double largest() const { return largest_; }
    /// Steps after which it was met first.
    [[nodiscard]] Step largest_at() const { return largest_at_; }
    /// The idealised loads after the last full round.
    [[nodiscard]] std::span<const double> idealised() const { return loads_; }

  private:
    std::variant<DiffusionMatrix, CircuitMatrix> matrix_;
    Step round_length_;
    std::vector<double> loads_;
    std::vector<double> next_;
    double largest_ = 0;
    Step largest_at_ = 0;
};

}  // namespace equipoise::analysis
