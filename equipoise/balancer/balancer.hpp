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

#include <tuple>
#include <utility>
#include <vector>

#include <mpi.h>

#include "equipoise/balancer/goods.hpp"
#include "equipoise/balancer/options.hpp"
#include "equipoise/balancer/plan.hpp"
#include "equipoise/balancer/weights.hpp"

namespace equipoise::balancer {

/// Levels several vectors of one length at once, such as the fields of a structure of arrays:
///
///     rebalance(communicator, std::tie(positions, charges), options);
///
/// Afterwards item i of each is what it was when it left: all of them travel, or none does. With a
/// serialiser the first vector travels through it, and the others as bytes. With weights, these
/// travel as well. Otherwise as for one vector, below; vectors whose lengths differ, and one that
/// is given twice, are errors on all ranks. Functions that tell weights take an item of each.
template <class... T, class... Allocator, class... Serialiser>
Report rebalance(MPI_Comm communicator, const std::tuple<std::vector<T, Allocator>&...>& vectors,
                 const Options& options = {}, const Serialiser&... serialiser) {
    return detail::level(communicator, vectors, options, [&] {
        return detail::goods_of<const Serialiser&...>(vectors, false, serialiser...);
    });
}
template <class... T, class... Allocator, WeightsOf<T...> Weights, class... Serialiser>
Report rebalance(MPI_Comm communicator, const std::tuple<std::vector<T, Allocator>&...>& vectors,
                 Weights&& weights, const Options& options = {}, const Serialiser&... serialiser) {
    return detail::level_by(communicator, vectors, weights, options, [&] {
        detail::Goods goods = detail::goods_of<const Serialiser&...>(vectors, false, serialiser...);
        if constexpr (detail::weights_move<Weights>)
            goods =
                detail::with_weights(std::move(goods), vectors, weights, options.weights_per_item);
        return goods;
    });
}

/// Levels trivially copyable items. Collective over the communicator.
///
/// Sizes become the floor or the ceiling of the mean, or what speeds, pinned items and the policy
/// require. Items that leave are the last of their rank, items that arrive are appended (with
/// keep_order they arrive where the order requires). Cost: two reductions and, with more than 32
/// ranks, a gathering of O(P) words to plan, at most (ranks above) + (ranks below) - 1 messages to
/// move; one reduction if all is level already. The vector keeps its allocator; its memory may be
/// another and its capacity any that suffices, so that pointers and iterators into it must be taken
/// anew.
///
/// Throws CollectiveError, the same on every rank, if something is wrong on one, even if nothing
/// has to move; then all items are where they were. make_plan lists the other errors.
///
/// Threads may call it at the same time if each has a communicator of its own
/// (MPI_THREAD_MULTIPLE): see mpi::Communicator.
template <class T, class Allocator>
Report rebalance(MPI_Comm communicator, std::vector<T, Allocator>& items,
                 const Options& options = {}) {
    return rebalance(communicator, std::tie(items), options);
}

/// Levels items that a serialiser turns into bytes and back (see Plan::execute).
template <class T, class Allocator, class Serialiser>
Report rebalance(MPI_Comm communicator, std::vector<T, Allocator>& items, const Options& options,
                 const Serialiser& serialiser) {
    return rebalance(communicator, std::tie(items), options, serialiser);
}

/// Levels the weights of items, of any type of numbers. The policy is Policy::weighted unless
/// `options` name keep_order; others are refused. `weights` is one of these:
/// - a std::vector, one for each item, whose weights move with their items: afterwards `weights[i]`
///   is the weight of `items[i]`, ready for the next call;
/// - a const vector, a temporary one, a span or another contiguous range, which is only read;
/// - a function `cost(item)`, which is asked once for each item of this rank. What it throws
///   becomes the same CollectiveError on all ranks.
///
/// Several weights an item are a std::array, or, with `weights_per_item`, numbers that stand
/// together. Otherwise as above: if something fails on one rank, items and weights are where they
/// were. Weights that are no doubles are copied for planning; integers that no double equals are
/// errors.
template <class T, class Allocator, WeightsOf<T> Weights, class... Serialiser>
Report rebalance(MPI_Comm communicator, std::vector<T, Allocator>& items, Weights&& weights,
                 const Options& options = {}, const Serialiser&... serialiser) {
    return rebalance(communicator, std::tie(items), std::forward<Weights>(weights), options,
                     serialiser...);
}

}  // namespace equipoise::balancer
