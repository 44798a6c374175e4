#pragma once
// A check of waves that shares nothing with the planners: plain replay.

#include <span>
#include <string>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::optimum {

/// The result of replaying waves.
struct WaveVerdict {
    bool holds = false;        ///< every move is allowed, and the end is the required one
    bool is_allowed = false;   ///< every move is allowed
    std::string fault;         ///< the first thing that is wrong; empty when it holds
    std::size_t fault_at = 0;  ///< the move that it is about; the number of moves: the end
    NodeId fault_node = no_node;
    Step waves = 0;  ///< waves with moves in them
    std::uint64_t moves = 0;
    Tokens size = 0;             ///< the total size of all moves
    Tokens peak = 0;             ///< most that a node held in a wave in which it took something
    Tokens wave_peak = 0;        ///< most that moved in one wave, as sizes
    std::vector<NodeId> places;  ///< in the end, by item
    load::Loads loads;           ///< in the end
};

/// How messages call nodes and items.
struct WaveNames {
    virtual ~WaveNames() = default;
    [[nodiscard]] virtual std::string node(NodeId node) const { return std::to_string(node); }
    [[nodiscard]] virtual std::string item(ItemId item) const { return std::to_string(item); }
};

/// Replays moves wave by wave. The moves may be anything. Cost O(moves log moves + items + nodes).
[[nodiscard]] WaveVerdict check_waves(const ItemsProblem& problem, std::span<const WaveMove> moves,
                                      const WaveNames& names = WaveNames());

}  // namespace equipoise::optimum
