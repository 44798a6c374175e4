#include "equipoise/optimum/steps/halver.hpp"

#include <cstddef>

#include "equipoise/optimum/flows/circulation_rounding.hpp"

namespace equipoise::optimum {

bool Halver::play(const Totals& totals, Step first, Step steps) {
    if (totals.empty()) return true;
    if (steps == 1) {
        for (const FatMove& move : totals)
            for (Tokens i = 0; i < move.tokens; ++i)
                schedule_.push_back({first, move.from, move.to});
        return true;
    }
    if (stop_.stop_requested()) return false;
    auto [early, late] = split(totals, steps);
    if (!play(early, first, steps / 2)) return false;
    early = {};
    return play(late, first + steps / 2, steps - steps / 2);
}

/// The node's place among those of these totals.
std::uint32_t Halver::place(NodeId node) {
    if (index_[node] == none) {
        index_[node] = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back(node);
        sent_.push_back(0);
        received_.push_back(0);
    }
    return index_[node];
}

// Every node has three places: tokens that it sends leave the second, tokens that it receives
// enter the third, and both belong to what the first holds; the very last place is time.
std::pair<Halver::Totals, Halver::Totals> Halver::split(const Totals& totals, Step steps) {
    const auto whole = static_cast<UInt128>(steps);
    const UInt128 part = whole / 2;
    const auto remainder = [&](Tokens tokens) {
        return static_cast<std::uint64_t>(static_cast<UInt128>(tokens) * part % whole);
    };
    std::vector<FractionalArc> arcs;
    arcs.reserve(totals.size());
    for (const FatMove& move : totals) {
        const std::uint32_t from = place(move.from);
        const std::uint32_t to = place(move.to);
        sent_[from] += move.tokens;
        received_[to] += move.tokens;
        arcs.push_back({3 * from + 1, 3 * to + 2, remainder(move.tokens)});
    }
    const auto count = static_cast<std::uint32_t>(nodes_.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        arcs.push_back({3 * i, 3 * i + 1, remainder(sent_[i])});
        arcs.push_back({3 * i + 2, 3 * i, remainder(received_[i])});
        const std::uint64_t more = remainder(received_[i]);
        const std::uint64_t less = remainder(sent_[i]);
        arcs.push_back({3 * i, 3 * count, more >= less ? more - less : more + steps - less});
    }
    for (const NodeId node : nodes_)
        index_[node] = none;
    nodes_.clear();
    sent_.clear();
    received_.clear();
    const std::vector<std::uint8_t> up = round_circulation(3 * count + 1, arcs, steps);
    std::pair<Totals, Totals> halves;
    for (std::size_t i = 0; i < totals.size(); ++i) {
        const FatMove& move = totals[i];
        const auto early =
            static_cast<Tokens>(static_cast<UInt128>(move.tokens) * part / whole) + up[i];
        if (early > 0) halves.first.push_back({move.from, move.to, early});
        if (early < move.tokens) halves.second.push_back({move.from, move.to, move.tokens - early});
    }
    return halves;
}

}  // namespace equipoise::optimum
