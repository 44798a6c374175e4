#pragma once
// A plan: which rank sends how many items to which, known to every rank.

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <mpi.h>

#include "equipoise/balancer/options.hpp"
#include "equipoise/base/numbers_view.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "equipoise/placement/exchange.hpp"
#include "equipoise/placement/rank_moves.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::balancer {

using placement::Exchange;
using placement::Parcel;
using placement::RankMoves;

/// A plan, made collectively by `make_plan`. Cheap to copy. It can be executed any number of times,
/// on every array that has the planned sizes, so that arrays that belong together (positions,
/// velocities, weights) stay together. The caller's communicator must live as long. Threads that
/// plan or move at the same time need a communicator each.
class Plan {
  public:
    /// All transfers, in the order of rounds; the same on all ranks.
    [[nodiscard]] std::span<const Transfer> transfers() const;
    /// The report of executing it, except for the seconds of moving.
    [[nodiscard]] const Report& report() const;
    [[nodiscard]] Tokens moved() const { return report().moved; }
    /// The number of items that this rank has before and after.
    [[nodiscard]] Tokens size_before() const;
    [[nodiscard]] Tokens size_after() const;
    /// The plan in words, with a line for each transfer, at most `lines_max` of them. Not
    /// collective.
    [[nodiscard]] std::string describe(std::size_t lines_max = 20) const;

    /// Whether moving pays under a cost model. Collective; all ranks get the same answer: for every
    /// figure the largest value given by any rank counts. Throws CollectiveError for a figure that
    /// is negative or not finite. `failure` is any earlier failure of this rank.
    [[nodiscard]] Verdict worth_it(const CostModel& costs, engine::LocalFailure failure = {}) const;

    /// Moves the items. Collective. Before anything moves, all ranks agree that none of them has
    /// failed; if one has, every rank throws the same CollectiveError, and all items are where they
    /// were. Trivially copyable items are sent from and received into the vectors directly.
    template <class T, class Allocator>
    Report execute(std::vector<T, Allocator>& items) const;
    /// The same through a serialiser: an object with
    ///     void save(const T& item, ByteWriter& out) const;
    ///     T load(ByteReader& in) const;
    /// either of which may be static.
    template <class T, class Allocator, class Serialiser>
    Report execute(std::vector<T, Allocator>& items, const Serialiser& serialiser) const;
    /// Several vectors in one move: `plan.execute(std::tie(positions, charges))`. All of them
    /// travel, or none does. A serialiser is for the first; the others travel as bytes.
    template <class... T, class... Allocator, class... Serialiser>
    Report execute(const std::tuple<std::vector<T, Allocator>&...>& vectors,
                   const Serialiser&... serialiser) const;

    /// Begins to move; `items` must be left alone until `end()` of the returned object. What
    /// execute promises holds for `begin` and `end` together. `serialiser` must live until then.
    template <class T, class Allocator>
    [[nodiscard]] auto begin(std::vector<T, Allocator>& items) const;
    template <class T, class Allocator, class Serialiser>
    [[nodiscard]] auto begin(std::vector<T, Allocator>& items, const Serialiser& serialiser) const;
    template <class... T, class... Allocator>
    [[nodiscard]] auto begin(const std::tuple<std::vector<T, Allocator>&...>& vectors) const;
    template <class... T, class... Allocator, class Serialiser>
    [[nodiscard]] auto begin(const std::tuple<std::vector<T, Allocator>&...>& vectors,
                             const Serialiser& serialiser) const;
    /// A temporary would not live until then.
    template <class T, class Allocator, class Serialiser>
    void begin(std::vector<T, Allocator>& items, const Serialiser&& serialiser) const = delete;
    template <class... T, class... Allocator, class Serialiser>
    void begin(const std::tuple<std::vector<T, Allocator>&...>& vectors,
               const Serialiser&& serialiser) const = delete;

    /// The plan that undoes this one: every item returns to the rank and the place that it left.
    /// Not collective; nothing is planned again.
    [[nodiscard]] Plan inverse() const;

    // For programs that move their items themselves, by an Alltoallv or a migrate call of their
    // own. Not collective; what is returned is this rank's. Several rounds are followed to their
    // end. A rank that runs out of memory throws std::bad_alloc alone.

    /// For every item of this rank the rank where it goes: its own for those that stay. Cost
    /// O(items), and for several rounds O(transfers) more.
    [[nodiscard]] std::vector<int> destinations() const;
    /// How many items go to each rank and come from it, which leave, in which order, and the places
    /// where execute() would put them. Counts are of the type that the exchange takes: int for
    /// MPI_Alltoallv, std::int64_t for MPI_Alltoallv_c. Cost O(ranks + transfers + items that leave
    /// or arrive).
    ///
    /// Throws InputError, on all ranks alike, if a rank sends or receives more items than `Count`
    /// can count.
    template <std::integral Count = int>
    [[nodiscard]] Exchange<Count> exchange() const {
        return placement::exchange_of<Count>(routes(), communicator().size());
    }

    // The following is for the code that makes plans and moves items.

    struct Data;
    [[nodiscard]] static Plan of(std::shared_ptr<Data> data);
    /// This rank's part of every round.
    [[nodiscard]] std::span<const RankMoves> rounds() const;
    /// The same from end to end. The plan must outlive it.
    [[nodiscard]] placement::Routes routes() const;
    /// Whether all ranks know from the first vote that nothing moves.
    [[nodiscard]] bool settled() const;
    [[nodiscard]] const mpi::Communicator& communicator() const;
    [[nodiscard]] std::size_t message_bytes_max() const;
    /// Collective: throws the same CollectiveError on all ranks if one has failed. `call` names the
    /// call.
    void agree(const engine::LocalFailure& failure, std::string_view call) const;
    /// Collective: throws on all ranks if one has failed, if they hold different plans, or if they
    /// would move different things: `describe` names what moves and must return the same on every
    /// rank.
    void agree_to_move(const engine::LocalFailure& failure,
                       const std::function<std::string()>& describe) const;

  private:
    friend Plan begin_plan(MPI_Comm callers, Tokens count, const Options& given,
                           engine::LocalFailure& failure, std::string_view what);
    void agree(const engine::LocalFailure& failure, engine::Ballot ballot) const;
    std::shared_ptr<Data> data_;
};

/// Plans for `count` items on this rank. Collective; two reductions and, with more than 32 ranks, a
/// gathering of O(P) words (with weights several gatherings, also of items that may move:
/// docs/how-to/balancer.md), or a single reduction if the numbers of all ranks differ by at most
/// one and neither speeds nor weights are given: then nothing moves. (neighbours_only takes two,
/// and at its first use of a communicator a gathering of its links, since it refuses even level
/// loads if it could not plan there.) `failure` is any earlier failure of this rank. `what` says in
/// words what is planned for ("items of 8 bytes", if that is known already); it must be the same on
/// all ranks.
///
/// Throws CollectiveError, the same on every rank, for a failure, bad options, options that differ
/// between ranks, and a rank that runs out of memory; InputError if there is no rank to agree with
/// (MPI is not running, no communicator); MpiError if an MPI call fails.
[[nodiscard]] Plan make_plan(MPI_Comm callers, Tokens count, const Options& options = {},
                             engine::LocalFailure failure = {}, std::string_view what = "a plan");

/// The plan by which item i of this rank goes to rank `ranks[i]`, whatever the resulting loads.
/// Items that stay keep their order; those that arrive are appended, in the order of the ranks from
/// which they come and of their places there. Collective; three reductions and gatherings of one
/// word of every rank and of three for every pair of ranks between which items move.
///
/// Throws as make_plan does, also for ranks that the communicator does not have.
[[nodiscard]] Plan plan_to(MPI_Comm callers, std::span<const int> ranks,
                           std::size_t message_bytes_max = Options().message_bytes_max,
                           engine::LocalFailure failure = {});

/// The same for numbers of 64 bits, none of which is cut.
[[nodiscard]] Plan plan_to_wide(MPI_Comm callers, std::span<const std::int64_t> ranks,
                                std::size_t message_bytes_max, engine::LocalFailure failure);

/// The same for a vector, array or span of any other type of whole numbers.
template <std::ranges::contiguous_range Ranks>
    requires(std::integral<std::ranges::range_value_t<Ranks>> &&
             !std::same_as<std::ranges::range_value_t<Ranks>, int>)
[[nodiscard]] Plan plan_to(MPI_Comm callers, const Ranks& ranks,
                           std::size_t message_bytes_max = Options().message_bytes_max,
                           engine::LocalFailure failure = {}) {
    if constexpr (std::same_as<std::ranges::range_value_t<Ranks>, std::int64_t>) {
        return plan_to_wide(callers, ranks, message_bytes_max, failure);
    } else {
        std::vector<std::int64_t> wide;
        failure.guard([&] { wide = as_int64(ranks, "ranks"); });
        return plan_to_wide(callers, wide, message_bytes_max, failure);
    }
}

/// Throws InputError where no rank can have this many items, or none that this policy plans for.
void expect_count(Tokens count, Policy policy);

/// `make_plan`, except that a failure after the first vote is left in `failure`, so that the ranks
/// agree on it together with later failures.
[[nodiscard]] Plan begin_plan(MPI_Comm callers, Tokens count, const Options& given,
                              engine::LocalFailure& failure, std::string_view what);

}  // namespace equipoise::balancer
