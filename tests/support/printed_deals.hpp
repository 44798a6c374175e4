#pragma once
// Algorithms 4 and 5 of Dinitz, Dolev, Kumar 2020 as printed, line by line, to show where they
// fail. Misprints that can be read in only one way are read in that way: line 13 rounds down, line
// 17 fills PV_less from nothing, line 28 raises TLoad.

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::test {

/// Lines 34 to 43: what RRProposal proposes to neighbours with these loads, all below `tentative`.
/// Loads in TV_less are raised by what is proposed; otherwise the loop would propose the same
/// again.
[[nodiscard]] inline std::vector<Tokens> printed_round_robin(Tokens left,
                                                             const std::vector<Tokens>& loads,
                                                             Tokens tentative) {
    std::vector<Tokens> proposals(loads.size(), 0);
    std::vector<std::size_t> open(loads.size());  // TV_less
    std::iota(open.begin(), open.end(), std::size_t{0});
    const auto raised = [&](std::size_t i) { return loads[i] + proposals[i]; };
    while (!open.empty() && left > 0) {
        Tokens most = 0;
        for (const std::size_t i : open)
            most = std::max(most, raised(i));
        const Tokens each = tentative - most;
        if (each * static_cast<Tokens>(open.size()) <= left) {
            for (const std::size_t i : open)
                proposals[i] += each;
            left -= each * static_cast<Tokens>(open.size());
            std::erase_if(open, [&](std::size_t i) { return raised(i) == tentative; });
        } else {
            for (std::size_t turn = 0; left > 0; ++turn, --left)
                ++proposals[open[turn % open.size()]];
        }
    }
    return proposals;
}

/// Lines 10 to 20, for a node with a copy of its load and neighbours with these loads.
struct PrintedProposal {
    bool made = false;           ///< V_less is not empty
    Tokens tentative = 0;        ///< TentativeLoad
    std::vector<Tokens> amount;  ///< by neighbour

    PrintedProposal(Tokens load, std::span<const Tokens> neighbours)
        : amount(neighbours.size(), 0) {
        const Tokens least = *std::min_element(neighbours.begin(), neighbours.end());
        made = least < load;
        if (!made) return;
        const Tokens transfer = (load - least) / 2;
        tentative = load - transfer;
        std::vector<std::size_t> chosen;  // PV_less
        std::vector<Tokens> loads;
        for (std::size_t i = 0; i < neighbours.size(); ++i) {
            if (neighbours[i] >= tentative) continue;
            chosen.push_back(i);
            loads.push_back(neighbours[i]);
        }
        const std::vector<Tokens> proposals = printed_round_robin(transfer, loads, tentative);
        for (std::size_t i = 0; i < chosen.size(); ++i)
            amount[chosen[i]] = proposals[i];
    }
    [[nodiscard]] Tokens total() const {
        return std::accumulate(amount.begin(), amount.end(), Tokens{0});
    }
};

/// Lines 24 to 30.
[[nodiscard]] inline Tokens printed_deal(Tokens amount, Tokens tentative, Tokens load) {
    return tentative > load ? std::min(tentative - load, amount) : 0;
}

}  // namespace equipoise::test
