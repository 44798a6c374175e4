#pragma once
// Other ends that are as good, and to which fewer waves may lead.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

struct EqualEndsOptions {
    Step enough = 0;  ///< as many waves on each machine are few enough
    std::uint64_t effort = 100'000;
    std::uint64_t seed = 1;
    std::stop_token stop;
};

// Problem: among placements with the same score, one in which the busiest machine gives and takes
//   in few waves.
// Model: what a wave allows each machine by itself.
// Source: local search: an item of the busiest machine goes elsewhere, alone, or in exchange for
//   one that then goes there, or in place of another item of its first machine.
// Guarantee: the score is no higher than that of `ends`. Cost O(items + effort).

/// Placements as good as `ends`, by item.
[[nodiscard]] std::vector<MachineId> equal_ends(const Problem& problem,
                                                std::span<const MachineId> ends,
                                                const EqualEndsOptions& options);

}  // namespace equipoise::reassign
