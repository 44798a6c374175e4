#pragma once
// The optimum of an instance, for comparison with the runs of algorithms on it.

#include <span>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/report/runs/best_possible.hpp"

namespace equipoise::catalogue {

/// The fewest steps, exchanges and moves after which every node holds the floor or ceiling of its
/// share, by speeds if these are given (empty: all 1).
class BestPossible {
  public:
    /// Throws UnsuitableError when tokens cannot reach their targets.
    BestPossible(const network::AnyNetwork& network, const load::Loads& loads,
                 std::span<const Tokens> speeds);

    [[nodiscard]] const report::Optimum& figures() const { return figures_; }

    /// Notes the optimum in the record of a run that can be compared with it: the run ends with the
    /// same loads or equally level ones, and no tokens, nodes or links came or went. The steps are
    /// noted only if the run moves single tokens.
    void note_in(model::Record& record, const Algorithm& algorithm) const;

  private:
    optimum::FinalLoads target_;
    report::Optimum figures_;
};

}  // namespace equipoise::catalogue
