#pragma once
// The optimum of an instance beside the runs of algorithms on it.

#include <span>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/report/optimum.hpp"

namespace equipoise::catalogue {

/// Fewest steps, fewest exchanges and fewest moves that end with floor or ceiling of every node's
/// share, by speeds if these are given (empty: all 1).
class BestPossible {
  public:
    /// Throws UnsuitableError when tokens have no way to their targets.
    BestPossible(const network::AnyNetwork& network, const load::Loads& loads,
                 std::span<const Tokens> speeds);

    [[nodiscard]] const report::Optimum& figures() const { return figures_; }

    /// Notes the optimum in the record of a run that is comparable with it: one that ends with the
    /// same loads or equally level ones and in which nothing came or went; notes its steps only if
    /// the run moves single tokens.
    void note_in(model::Record& record, const Algorithm& algorithm) const;

  private:
    optimum::FinalLoads target_;
    report::Optimum figures_;
};

}  // namespace equipoise::catalogue
