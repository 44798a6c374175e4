#pragma once
// A task of the catalogue, made from a caller's options.

#include <cstdint>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/parameters.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::catalogue {

/// Speeds that are all equal have no effect: they count as none.
[[nodiscard]] load::Loads effective_speeds(const load::Loads& speeds);

/// A task and everything that it refers to, except facts and options, which must outlive it.
class Preparation {
  public:
    /// Loads in tokens; the task counts them in units. Throws InputError for parameters, and
    /// UnsuitableError for networks, that do not fit the algorithm; OverflowError if units do not
    /// fit into 64 bits.
    Preparation(const Algorithm& algorithm, const NetworkFacts& facts, load::Loads loads,
                const RunOptions& options);

    [[nodiscard]] Task task() const;

  private:
    const NetworkFacts& facts_;
    load::Loads loads_;
    Parameters parameters_;
    load::Loads speeds_;
    network::RoundWeights weights_;
    const RunOptions& options_;
    std::uint64_t scale_ = 1;
};

}  // namespace equipoise::catalogue
