#pragma once
// When to balance: the advisor on the ranks of a communicator.
//
//     Advisor advisor(MPI_COMM_WORLD);
//     while (...) {
//         const double began = MPI_Wtime();
//         compute(items);                         // this rank's own work, without waiting
//         advisor.step(MPI_Wtime() - began);
//         if (advisor.worth_it()) advisor.balanced(rebalance(MPI_COMM_WORLD, items, costs));
//     }
// placement/advisor.hpp describes the rule and its guarantee; it has no parameters.

#include <cstdint>
#include <optional>

#include <mpi.h>

#include "equipoise/balancer/options.hpp"
#include "equipoise/engine/local_failure.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "equipoise/placement/advisor.hpp"

namespace equipoise::balancer {

using placement::Advice;

/// Learns from the seconds of steps and balances, and gives the same advice on every rank. Cheap to
/// copy. The caller's communicator must live as long.
class Advisor {
  public:
    /// Collective at the first use of the communicator. Throws InputError if there is no rank to
    /// agree with (MPI is not running, no communicator); MpiError.
    explicit Advisor(MPI_Comm callers);

    /// Reports the seconds that this rank's work took in a step, without the time in which it
    /// waited for others; seconds are counted in whole nanoseconds. Collective: one reduction of 14
    /// words, O(log P) messages. `failure` is what went wrong on this rank before.
    ///
    /// Throws CollectiveError, the same on every rank, for a failure, for seconds (of the step or
    /// of a balance) that are negative, not finite or more than 2^61 nanoseconds divided by P, and
    /// if ranks have reported different numbers of steps or balances; the step is then not counted.
    void step(double seconds, engine::LocalFailure failure = {});

    /// Reports that items were moved after the last step, and how long planning and moving took.
    /// Not collective, but every rank must report every balance; the next step finds the slowest
    /// rank's seconds.
    void balanced(const Report& report) {
        balanced(report.seconds_planning + report.seconds_moving);
    }
    void balanced(double seconds);

    /// Whether to balance now. Not collective; all ranks get the same answer.
    [[nodiscard]] Advice worth_it() const;

    /// The number of steps that were counted.
    [[nodiscard]] std::int64_t steps() const { return rule_.steps(); }
    /// The number of balances that this rank has reported.
    [[nodiscard]] std::int64_t balances() const { return balances_; }

  private:
    mpi::Communicator communicator_;
    placement::Advisor rule_;
    std::int64_t balances_ = 0;
    std::int64_t total_ = 0;               // nanoseconds of this rank's work since the last balance
    std::optional<double> balanced_ = {};  // seconds of balances since the last step
};

}  // namespace equipoise::balancer
