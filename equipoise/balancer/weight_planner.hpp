#pragma once
// Makes plans by weights of items: gathers the words that the steps of placement::SharedPlan need.

#include <cstddef>
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

/// What `options` ask of placement.
[[nodiscard]] placement::PlaceOptions place_options(const Options& options);
/// The items of this rank as the options describe them.
[[nodiscard]] placement::RankItems items_of(const Options& options);
/// The machine of this rank, where machines come first; collective if MPI is asked.
[[nodiscard]] int machine_of(const mpi::Communicator& communicator, const Options& options);

/// Fills in what the report of a plan by weights says of them. Weights are rank by rank, kind by
/// kind; `speeds` by rank.
void note_weights(std::span<const double> before, std::span<const double> after,
                  std::span<const double> speeds, const placement::PlacementFigures& figures,
                  std::size_t kinds, Plan::Data& plan);

/// How many words are gathered at once on all ranks together, if that is not too few for each;
/// returns what it was. Only for tests, which have few ranks.
std::size_t set_first_words(std::size_t of_all);

/// Plans by weights of items that may change their order.
class WeightPlanner {
  public:
    /// Allocates the memory that gathering needs.
    WeightPlanner(const mpi::Communicator& communicator, const Options& options);

    /// Collective. Fills in `plan`; a failure is left in `failure`, and no rank waits for one that
    /// has failed.
    void plan(Plan::Data& plan, engine::LocalFailure& failure);

  private:
    bool gather(std::span<const std::int64_t> words, bool failed);
    void fill_in(Plan::Data& plan);
    void note_departures(const placement::Departures& least, Plan::Data& plan) const;

    const mpi::Communicator* communicator_;
    const Options* options_;
    std::size_t ranks_;
    placement::SharedPlan shared_;
    std::size_t first_words_;         // of each rank, that are gathered with their number
    std::vector<std::int64_t> mine_;  // that number and these words
    std::vector<std::int64_t> all_;   // the same of all ranks
    std::vector<int> sizes_;
    std::vector<int> begins_;
    std::vector<std::int64_t> words_;
};

}  // namespace equipoise::balancer
