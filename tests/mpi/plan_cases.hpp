#pragma once
// Plans of every kind, with what they do to vectors, for tests of other ways to move.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/neighbours/neighbours_only.hpp"
#include "equipoise/base/random.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {

/// Calls `each(plan, before, after)` for plans of all policies, of one round and of several, with
/// scattered items and with consecutive ones, in short pieces and in long messages, and for their
/// inverses. `after` is what execute() makes of the vector `before`. Collective.
template <class Each>
void for_plan_cases(const Each& each) {
    const auto play = [&](const Plan& plan, const std::vector<Grain>& before) {
        std::vector<Grain> after = before;
        plan.execute(after);
        each(plan, before, after);
        // NOLINTNEXTLINE(readability-suspicious-call-argument): back again
        each(plan.inverse(), after, before);
    };
    const std::array ranks = {world_size()};
    const std::array open = {0};
    MPI_Comm line = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, ranks.data(), open.data(), 0, &line);

    std::vector<std::vector<Tokens>> all = distributions(world_size());
    all.emplace_back(static_cast<std::size_t>(world_size()), 10);  // long messages
    all.back().front() = 20000;
    for (const auto& counts : all) {
        const std::vector<Grain> before = make_items(counts, make_grain);
        const auto size = static_cast<Tokens>(before.size());
        std::vector<double> weights;
        std::vector<int> to;
        RandomStream random(17, Purpose::loads, static_cast<std::uint64_t>(world_rank()));
        for (const Grain& item : before) {
            weights.push_back(static_cast<double>(item.number % 7));
            to.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(world_size()))));
        }
        play(make_plan(MPI_COMM_WORLD, size), before);
        play(make_plan(MPI_COMM_WORLD, size, {.message_bytes_max = 100}), before);
        for (const Policy policy : {Policy::keep_order, Policy::random_pairs})
            play(make_plan(MPI_COMM_WORLD, size, {.policy = policy}), before);
        play(make_plan(MPI_COMM_WORLD, size,
                       {.policy = Policy::hierarchical, .machine = world_rank() / 2}),
             before);
        for (const Policy policy : {Policy::weighted, Policy::keep_order})
            play(make_plan(MPI_COMM_WORLD, size, {.policy = policy, .weights = weights}), before);
        play(plan_to(MPI_COMM_WORLD, to), before);
        if (counts.front() <= 1000)
            play(make_plan(line, size, neighbours_only("discrepancy-1")), before);
    }
    MPI_Comm_free(&line);
}

}  // namespace equipoise::balancer
