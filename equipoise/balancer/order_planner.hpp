#pragma once
// Makes plans by weights of items that keep their order: gathers the words, and passes on the
// walks, that the steps of placement::SharedCuts need.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/balancer/options.hpp"
#include "equipoise/balancer/plan_data.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "equipoise/placement/in_order.hpp"
#include "equipoise/placement/in_order/own_stretch.hpp"
#include "equipoise/placement/in_order/shared_cuts.hpp"

namespace equipoise::balancer {

/// From now on, the sketch of a plan (placement/in_order/shared_cuts.hpp) has at most so many
/// words; at 0, walks pass through the ranks. Returns the number before. For tests; not while plans
/// are made.
std::size_t set_sketch_words(std::size_t words);

/// Plans by weights of items that keep their order.
class OrderPlanner {
  public:
    /// Allocates the memory of all steps but the last.
    OrderPlanner(const mpi::Communicator& communicator, const Options& options);

    /// Collective. Fills in `plan`; a failure is left in `failure`, and no rank waits for one that
    /// has failed.
    void plan(Plan::Data& plan, engine::LocalFailure& failure);

  private:
    void gather();
    void take_gathered(engine::LocalFailure& failure);
    [[nodiscard]] bool all_well(const engine::LocalFailure& failure);
    [[nodiscard]] bool are_few() const;
    void make_room(engine::LocalFailure& failure);
    void place_few(Plan::Data& plan, engine::LocalFailure& failure);
    void pass_walks(engine::LocalFailure& failure);
    void fill_in(const placement::OrderPlacement& placed, Plan::Data& plan) const;

    const mpi::Communicator* communicator_;
    const Options* options_;
    std::size_t rank_;
    std::size_t ranks_;
    placement::SharedCuts shared_;
    placement::OwnStretch own_;
    std::vector<std::int64_t> mine_;
    std::vector<std::int64_t> words_;
    std::vector<std::int64_t> walks_;
    std::vector<std::int64_t> flags_;
    std::vector<int> sizes_;
    std::vector<int> begins_;
};

}  // namespace equipoise::balancer
