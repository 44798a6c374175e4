#pragma once
// Makes plans by weights of items: gathers the words that the steps of placement::SharedPlan need.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/balancer/options.hpp"
#include "equipoise/balancer/plan_data.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "equipoise/placement/few_moves/own_items.hpp"
#include "equipoise/placement/few_moves/shared_plan.hpp"

namespace equipoise::balancer {

/// Plans by weights of items.
class WeightPlanner {
  public:
    /// Allocates the memory that gathering needs.
    WeightPlanner(const mpi::Communicator& communicator, const Options& options);

    /// Collective. Fills in `plan`; a failure is left in `failure`, and no rank waits for one that
    /// has failed.
    void plan(Plan::Data& plan, engine::LocalFailure& failure);

  private:
    [[nodiscard]] placement::RankItems own_items() const;
    bool gather(std::span<const std::int64_t> words, bool failed);
    void fill_in(Plan::Data& plan);

    const mpi::Communicator* communicator_;
    const Options* options_;
    std::size_t ranks_;
    placement::SharedPlan shared_;
    std::vector<std::int64_t> counts_;  // of words, by rank
    std::vector<int> sizes_;
    std::vector<int> begins_;
    std::vector<std::int64_t> words_;
};

}  // namespace equipoise::balancer
