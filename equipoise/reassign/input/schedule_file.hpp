#pragma once
// Schedules as lines `wave,item,from,to`. A copy that is made comes from nowhere, one that is
// dropped goes nowhere: that field is empty. With `leaders` in place of a wave, a line says that
// from the end of the last wave on the item is led from another machine. Schedules without barriers
// have more columns, `move,waits_for,starts,ends`: the number of the move, the numbers of the moves
// that it waits for, separated by blanks, and when it begins and ends, in seconds.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/load/items.hpp"
#include "equipoise/reassign/checks/waits.hpp"
#include "equipoise/reassign/input/instance.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// The moves of a file, up to the first line that moves an item from a machine that does not hold
/// it. Waves are numbered as in the file.
struct ReadMoves {
    std::vector<Move> moves;
    std::vector<std::uint64_t> lines;   ///< by move
    std::vector<load::ItemDrop> drops;  ///< copies that are dropped, in the order of lines
    /// Of a schedule without barriers: by move. What waits for moves that the file does not have
    /// waits for nothing: they are done.
    std::optional<WaitsFor> waits_for;
    std::vector<LeaderChange> leaders;
    std::vector<std::uint64_t> leader_lines;  ///< by change of leaders
    std::string fault;  ///< why the list ends early; empty: it holds all lines
    std::uint64_t fault_line = 0;
    Step fault_wave = 0;
};

/// Reads `wave,item,from,to` lines, with or without the columns of schedules without barriers, of
/// which times are not looked at. Throws InputError naming file and line for a wrong header or
/// line, and for items and machines that the problem does not have.
[[nodiscard]] ReadMoves read_moves(LineSource& source, const Problem& problem);

/// Moves and changes of leaders as such lines, with their header. Copies that are dropped stand
/// before them, in wave 0.
[[nodiscard]] std::string moves_text(const Problem& problem, std::span<const Move> moves,
                                     std::span<const LeaderChange> leaders = {},
                                     std::span<const DroppedCopy> dropped = {});

/// The same as a schedule without barriers. `starts` and `ends` are by move, or empty.
[[nodiscard]] std::string waits_text(const Problem& problem, std::span<const Move> moves,
                                     const WaitsFor& waits_for, std::span<const double> starts,
                                     std::span<const double> ends,
                                     std::span<const LeaderChange> leaders = {},
                                     std::span<const DroppedCopy> dropped = {});

/// Changes of leaders alone, after these moves, as lines `item,from,to` with their header; `from`
/// is empty where nothing led.
[[nodiscard]] std::string leaders_text(const Problem& problem, std::span<const Move> moves,
                                       std::span<const LeaderChange> leaders);

/// The way back from where the moves lead: the last wave first, every move from its end to where it
/// began; waves are counted from 0.
[[nodiscard]] std::vector<Move> way_back(std::span<const Move> moves);
/// The changes that make lead again what led before; a thing that nothing led keeps its leader.
[[nodiscard]] std::vector<LeaderChange> leaders_back(std::span<const LeaderChange> leaders);

/// Carries out the moves, then the changes: gives the items their new places and leaders.
void carry_out(Problem& problem, std::span<const Move> moves,
               std::span<const LeaderChange> leaders = {});

}  // namespace equipoise::reassign
