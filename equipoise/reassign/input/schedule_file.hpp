#pragma once
// Schedules as lines `wave,item,from,to`.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// The moves of a file, up to the first line that moves an item from a machine that does not hold
/// it. Waves are numbered as in the file.
struct ReadMoves {
    std::vector<Move> moves;
    std::vector<std::uint64_t> lines;  ///< by move
    std::string fault;                 ///< why the list ends early; empty: it holds all lines
    std::uint64_t fault_line = 0;
    Step fault_wave = 0;
};

/// Reads `wave,item,from,to` lines. Throws InputError naming file and line for
/// a wrong header or line, and for items and machines that the problem does not have.
[[nodiscard]] ReadMoves read_moves(LineSource& source, const Problem& problem);

/// The moves as such lines, with their header.
[[nodiscard]] std::string moves_text(const Problem& problem, std::span<const Move> moves);

/// The way back from where the moves lead: the last wave first, every move from its end to where it
/// began; waves are counted from 0.
[[nodiscard]] std::vector<Move> way_back(std::span<const Move> moves);

/// Carries out the moves: gives the items their new places.
void carry_out(Problem& problem, std::span<const Move> moves);

}  // namespace equipoise::reassign
