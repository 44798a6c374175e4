#pragma once
// The optimum of an instance beside the runs of algorithms on it.

#include <span>

#include "equipoise/catalogue/algorithm.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/report/optimum.hpp"

namespace equipoise::catalogue {

/// Fewest steps, fewest exchanges and fewest moves that end with floor or ceiling of every node's
/// share, by speeds where these are given (empty: all 1).
class BestPossible {
  public:
    /// Throws UnsuitableError when the network does not let tokens go where they belong.
    BestPossible(const network::AnyNetwork& network, const load::Loads& loads,
                 std::span<const Tokens> speeds);

    [[nodiscard]] const report::Optimum& figures() const { return figures_; }

    /// Names the optimum in the record of a run that may be measured against it: one that ends
    /// where the optimum does and in which nothing came or went; its steps only if they move single
    /// tokens.
    void note_in(model::Record& record, const Algorithm& algorithm) const;

  private:
    optimum::FinalLoads target_;
    report::Optimum figures_;
};

}  // namespace equipoise::catalogue
