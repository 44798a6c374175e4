#pragma once
// What ranks hold, and what they hold after transfers.

#include <cstddef>
#include <vector>

#include <rapidcheck.h>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::test {

using Counts = std::vector<Tokens>;

inline Counts after(const Counts& counts, const std::vector<placement::Transfer>& transfers) {
    Counts sizes = counts;
    for (const placement::Transfer& transfer : transfers) {
        sizes[static_cast<std::size_t>(transfer.from)] -= transfer.items;
        sizes[static_cast<std::size_t>(transfer.to)] += transfer.items;
    }
    return sizes;
}

inline std::size_t ranks_apart(const Counts& counts, const Counts& targets) {
    std::size_t ranks = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank)
        ranks += counts[rank] != targets[rank] ? 1 : 0;
    return ranks;
}

inline Counts any_counts(std::size_t ranks) {
    return *rc::gen::container<Counts>(
        ranks, rc::gen::oneOf(rc::gen::just(Tokens{0}), rc::gen::inRange<Tokens>(0, 30)));
}

}  // namespace equipoise::test
