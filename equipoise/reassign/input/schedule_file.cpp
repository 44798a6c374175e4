#include "equipoise/reassign/input/schedule_file.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/load/items.hpp"

namespace equipoise::reassign {

ReadMoves read_moves(LineSource& source, const Problem& problem) {
    load::ItemMoves read = load::read_item_moves(
        source, load::MovableItems{problem.machines, problem.things, problem.thing, problem.places,
                                   "machine", "a machine of the file of items or of --machines"});
    ReadMoves moves;
    moves.moves.reserve(read.moves.size());
    moves.lines.reserve(read.moves.size());
    for (const load::ItemMove& move : read.moves) {
        moves.moves.push_back({move.wave, move.copy, move.from, move.to});
        moves.lines.push_back(move.line);
    }
    moves.fault = std::move(read.fault);
    moves.fault_line = read.fault_line;
    moves.fault_wave = read.fault_wave;
    return moves;
}

std::string moves_text(const Problem& problem, std::span<const Move> moves) {
    std::string text = "wave,item,from,to\n";
    for (const Move& move : moves) {
        text += std::to_string(move.wave);
        for (const std::string_view name :
             {problem.things.name(problem.thing[move.item]), problem.machines.name(move.from),
              problem.machines.name(move.to)})
            (text += ',') += csv_field(name);
        text += '\n';
    }
    return text;
}

std::vector<Move> way_back(std::span<const Move> moves) {
    std::vector<Move> back(moves.begin(), moves.end());
    std::stable_sort(back.begin(), back.end(),
                     [](const Move& a, const Move& b) { return a.wave > b.wave; });
    Step back_wave = 0;
    Step wave = back.empty() ? 0 : back.front().wave;
    for (Move& move : back) {
        if (move.wave != wave) ++back_wave;
        wave = std::exchange(move.wave, back_wave);
        std::swap(move.from, move.to);
    }
    return back;
}

void carry_out(Problem& problem, std::span<const Move> moves) {
    for (const Move& move : moves)
        problem.places[move.item] = move.to;
}

}  // namespace equipoise::reassign
