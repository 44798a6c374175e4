#pragma once
// Makes plans: the collective calls between the steps of the planning arithmetic. Every rank makes
// these calls even if something has failed on it, and the memory that they need is allocated before
// the first vote, so that no rank is left waiting.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "equipoise/balancer/options.hpp"
#include "equipoise/balancer/plan_data.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "equipoise/placement/hierarchical.hpp"

namespace equipoise::balancer {

/// The result of the first vote.
struct Census {
    Tokens least = 0;
    Tokens most = 0;
    Tokens items = 0;  ///< of all ranks, if least and most are level
    bool any_pinned = false;
    bool any_limited = false;  ///< in items_max
    bool any_speed = false;
};

/// Plans by numbers of items: every policy except weighted.
class CountPlanner {
  public:
    /// For `count` items on this rank. Allocates memory.
    CountPlanner(const mpi::Communicator& communicator, Tokens count, const Options& options);

    /// The words of this rank, for the first vote.
    [[nodiscard]] std::span<const std::int64_t> first_words() const { return mine_; }
    /// Collective, right after the first vote. Fills in `plan`; a failure is left in `failure`.
    void plan(const Census& census, Plan::Data& plan, engine::LocalFailure& failure);
    /// The same if the census shows that nothing has to move. With policies other than
    /// neighbours_only it is then not collective, and the plan is settled.
    void settle(const Census& census, Plan::Data& plan, engine::LocalFailure& failure) const;

  private:
    void gather(const Census& census);
    [[nodiscard]] std::size_t choose(const Census& census, std::span<const std::int64_t> from,
                                     std::span<std::int64_t> to) const;
    void read_words(const Census& census);
    void plan_over_links(const std::vector<Ends>& links, Plan::Data& plan) const;
    /// Lays out rounds in which items hop from rank to rank.
    void take_rounds(const std::vector<std::vector<Transfer>>& rounds, Plan::Data& plan) const;
    void fill_in(Plan::Data& plan) const;
    [[nodiscard]] std::vector<Tokens> targets() const;
    [[nodiscard]] bool needs_machines() const;
    [[nodiscard]] placement::Places places() const { return {machine_, socket_}; }

    const mpi::Communicator* communicator_;
    const Options* options_;
    std::size_t ranks_;
    /// Its count, pinned items, items_max, speed, machine and socket.
    std::array<std::int64_t, mpi::Communicator::words_brought> mine_;
    std::vector<std::int64_t> words_;  ///< of all ranks: those of the six that matter
    std::vector<Tokens> counts_;
    std::vector<Tokens> pinned_;
    std::vector<Tokens> most_;
    std::vector<double> speeds_;
    std::vector<int> machine_;
    std::vector<int> socket_;
};

/// Least, most and average of one number for each rank.
template <class Number>
[[nodiscard]] Spread<Number> spread_of(std::span<const Number> values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return {
        *least, *most,
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size())};
}

/// Fills in the report of a plan whose transfers are known: every rank's size before and after,
/// items moved, messages.
void note_counts(std::span<const Tokens> before, Plan::Data& plan);

/// The largest load divided by its speed (empty: all 1); infinite for a load with speed 0.
[[nodiscard]] double slowest(std::span<const double> loads, std::span<const double> speeds);

}  // namespace equipoise::balancer
