#pragma once
// The balancer: one call that levels the items of all ranks of an MPI program.
//
//     #include <equipoise/balancer/balancer.hpp>
//
//     std::vector<Particle> particles = ...;
//     equipoise::balancer::rebalance(MPI_COMM_WORLD, particles);
// Afterwards every rank holds the floor or the ceiling of the mean, no item has moved without need,
// and every item is unchanged, byte for byte. docs/how-to/balancer.md describes policies, plans,
// weights and errors.

#include <cstddef>
#include <string>
#include <vector>

#include <mpi.h>

#include "equipoise/balancer/moving.hpp"
#include "equipoise/balancer/options.hpp"
#include "equipoise/balancer/plan.hpp"

namespace equipoise::balancer {

namespace detail {

/// Makes a plan that says what a kind of move carries, so that all ranks compare that even if
/// nothing has to move.
template <class Move>
[[nodiscard]] Plan begin_plan_of(MPI_Comm communicator, std::size_t count, const Options& options,
                                 engine::LocalFailure& failure) {
    std::string what;
    failure.guard([&] { what = Move::describe(); });
    return begin_plan(communicator, static_cast<Tokens>(count), options, failure, what);
}

}  // namespace detail

/// Levels trivially copyable items. Collective over the communicator.
///
/// Sizes become the floor or the ceiling of the mean, or what speeds, pinned items and the policy
/// require. Items that leave are the last of their rank, items that arrive are appended (with
/// keep_order they arrive where the order requires). Cost: two reductions and a gathering of O(P)
/// words to plan, at most (ranks above) + (ranks below) - 1 messages to move; one reduction if all
/// is level already. Pointers into a vector that gains items become invalid.
///
/// Throws CollectiveError, the same on every rank, if something is wrong on one, even if nothing
/// has to move; then all items are where they were. make_plan lists the other errors.
///
/// Threads may call it at the same time if each has a communicator of its own
/// (MPI_THREAD_MULTIPLE): see mpi::Communicator.
template <class T, class Allocator>
Report rebalance(MPI_Comm communicator, std::vector<T, Allocator>& items,
                 const Options& options = {}) {
    using Move = DirectMove<T, Allocator>;
    engine::LocalFailure failure;
    const Plan plan = detail::begin_plan_of<Move>(communicator, items.size(), options, failure);
    if (plan.settled()) return plan.report();
    return Moving<Move>(failure, plan, items).end();
}

/// Levels items that a serialiser turns into bytes and back (see Plan::execute).
template <class T, class Allocator, class Serialiser>
Report rebalance(MPI_Comm communicator, std::vector<T, Allocator>& items, const Options& options,
                 const Serialiser& serialiser) {
    using Move = SerialisedMove<T, Allocator, Serialiser>;
    engine::LocalFailure failure;
    const Plan plan = detail::begin_plan_of<Move>(communicator, items.size(), options, failure);
    if (plan.settled()) return plan.report();
    return Moving<Move>(failure, plan, items, serialiser).end();
}

/// Levels the weights of items, one for each, and moves them with their items: afterwards
/// `weights[i]` is the weight of `items[i]`, ready for the next call. The policy is
/// Policy::weighted unless `options` name keep_order; others are refused. Otherwise as above: if
/// something fails on one rank, items and weights are where they were.
template <class T, class Allocator, class WeightAllocator>
Report rebalance(MPI_Comm communicator, std::vector<T, Allocator>& items,
                 std::vector<double, WeightAllocator>& weights, const Options& options = {}) {
    using Move = WithWeights<DirectMove<T, Allocator>, WeightAllocator>;
    engine::LocalFailure failure;
    failure.guard([&] { detail::expect_different_vectors(&items, &weights); });
    const Plan plan = detail::begin_plan_of<Move>(communicator, items.size(),
                                                  by_weight(options, weights), failure);
    return Moving<Move>(failure, plan, weights, items).end();
}
template <class T, class Allocator, class WeightAllocator, class Serialiser>
Report rebalance(MPI_Comm communicator, std::vector<T, Allocator>& items,
                 std::vector<double, WeightAllocator>& weights, const Options& options,
                 const Serialiser& serialiser) {
    using Move = WithWeights<SerialisedMove<T, Allocator, Serialiser>, WeightAllocator>;
    engine::LocalFailure failure;
    failure.guard([&] { detail::expect_different_vectors(&items, &weights); });
    const Plan plan = detail::begin_plan_of<Move>(communicator, items.size(),
                                                  by_weight(options, weights), failure);
    return Moving<Move>(failure, plan, weights, items, serialiser).end();
}

}  // namespace equipoise::balancer
