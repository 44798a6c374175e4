#pragma once
// A changing world as a run sees it: arrivals and churn together, and figures on how well an
// algorithm copes.

#include <cstdint>
#include <memory>
#include <vector>

#include "equipoise/model/run/environment.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/model/run/record.hpp"

namespace equipoise::model {

/// Arrivals, churn or both as one environment.
class World final : public Environment {
  public:
    /// Either may be null. `scale`: load units for each token.
    World(std::unique_ptr<Environment> arrivals, std::unique_ptr<Environment> churn,
          std::uint64_t scale = 1);

    [[nodiscard]] bool changes_network() const override;
    void begin(Step round_length) override;
    void before_round(Step round, std::span<const Tokens> loads, Changes& changes) override;

  private:
    std::vector<std::unique_ptr<Environment>> parts_;
    Tokens scale_;
};

/// Collects the discrepancy after every step (the largest within a live component) and summarises
/// it. Cost O(nodes) for each step; memory 8 bytes a step.
class WorldObserver final : public Observer {
  public:
    void on_step(const StepView& view) override;
    void on_end(const StepView& view) override;

    /// Quantiles (nearest rank) of the discrepancies after the run's first tenth of steps; all 0
    /// for a run without steps.
    [[nodiscard]] WorldFigures figures() const;

  private:
    std::vector<Tokens> discrepancies_;
    Tokens arrived_ = 0;
    Tokens consumed_ = 0;
    std::uint64_t exchanges_ = 0;
};

}  // namespace equipoise::model
