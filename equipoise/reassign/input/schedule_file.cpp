#include "equipoise/reassign/input/schedule_file.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/load/items.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/input/tables.hpp"

namespace equipoise::reassign {

namespace {

constexpr std::string_view leaders_word = "leaders";  // in place of a wave

/// A line about a leader, by names that are known.
struct LeaderLine {
    std::uint32_t thing = 0;
    MachineId from = no_machine;
    MachineId to = no_machine;
    std::uint64_t line = 0;
};

LeaderLine leader_line(const LineSource& source, const Problem& problem,
                       const std::vector<std::string>& fields) {
    LeaderLine line;
    line.thing = load::known_thing(source, problem.things, fields[1]);
    line.to = load::known_node(source, problem.machines, fields[3], known_machine);
    if (!fields[2].empty())
        line.from = load::known_node(source, problem.machines, fields[2], known_machine);
    line.line = source.line_number();
    return line;
}

/// Finds the items that lines about leaders mean, which are where they end.
void find_leaders(const Problem& problem, const std::vector<LeaderLine>& lines, ReadMoves& read) {
    std::map<std::uint32_t, std::vector<ItemId>> items;  // of things with a line
    for (const LeaderLine& line : lines)
        items[line.thing];
    for (ItemId item = 0; item < problem.item_count(); ++item)
        if (const auto found = items.find(problem.thing[item]); found != items.end())
            found->second.push_back(item);
    const std::vector<MachineId> places = places_after(problem, read.moves);
    for (const LeaderLine& line : lines) {
        LeaderChange change{line.thing, no_item, no_item};
        for (const auto& [machine, item] :
             {std::pair(line.from, &change.from), std::pair(line.to, &change.to)}) {
            if (machine == no_machine) continue;
            for (const ItemId each : items[line.thing])
                if (places[each] == machine && *item == no_item) *item = each;
            if (*item != no_item) continue;
            read.fault = "machine " + problem.machine_name(machine) + " does not hold item " +
                         std::string(problem.things.name(line.thing)) + " after the last wave";
            read.fault_line = line.line;
            read.fault_wave = std::numeric_limits<Step>::max();
            return;
        }
        read.leaders.push_back(change);
        read.leader_lines.push_back(line.line);
    }
}

}  // namespace

ReadMoves read_moves(LineSource& source, const Problem& problem) {
    std::vector<LeaderLine> leaders;
    load::MovableItems items{problem.machines, problem.things, problem.thing,
                             problem.places,   "machine",      known_machine};
    items.may_drop = true;
    items.take_other = [&](const std::vector<std::string>& fields) {
        if (fields.front() != leaders_word) return false;
        leaders.push_back(leader_line(source, problem, fields));
        return true;
    };
    load::ItemMoves read = load::read_item_moves(source, items);
    ReadMoves moves;
    moves.moves.reserve(read.moves.size());
    moves.lines.reserve(read.moves.size());
    for (const load::ItemMove& move : read.moves) {
        moves.moves.push_back({move.wave, move.copy, move.from, move.to});
        moves.lines.push_back(move.line);
    }
    moves.drops = std::move(read.drops);
    moves.fault = std::move(read.fault);
    moves.fault_line = read.fault_line;
    moves.fault_wave = read.fault_wave;
    if (moves.fault.empty()) find_leaders(problem, leaders, moves);
    return moves;
}

namespace {

/// "item,from,to", where items are at the end.
std::string change_text(const Problem& problem, const std::vector<MachineId>& places,
                        const LeaderChange& change) {
    return csv_field(problem.things.name(change.thing)) + ',' +
           (change.from == no_item ? std::string()
                                   : csv_field(problem.machines.name(places[change.from]))) +
           ',' + csv_field(problem.machines.name(places[change.to])) + '\n';
}

}  // namespace

std::string moves_text(const Problem& problem, std::span<const Move> moves,
                       std::span<const LeaderChange> leaders,
                       std::span<const DroppedCopy> dropped) {
    std::string text = "wave,item,from,to\n";
    for (const DroppedCopy& copy : dropped)
        text += "0," + csv_field(problem.things.name(copy.thing)) + ',' +
                csv_field(problem.machines.name(copy.machine)) + ",\n";
    for (const Move& move : moves) {
        text += std::to_string(move.wave);
        for (const std::string_view name :
             {problem.things.name(problem.thing[move.item]), problem.machines.name(move.from),
              problem.machines.name(move.to)})
            (text += ',') += csv_field(name);
        text += '\n';
    }
    if (leaders.empty()) return text;
    const std::vector<MachineId> places = places_after(problem, moves);
    for (const LeaderChange& change : leaders)
        text.append(leaders_word).append(",").append(change_text(problem, places, change));
    return text;
}

std::string leaders_text(const Problem& problem, std::span<const Move> moves,
                         std::span<const LeaderChange> leaders) {
    std::string text = "item,from,to\n";
    const std::vector<MachineId> places = places_after(problem, moves);
    for (const LeaderChange& change : leaders)
        text += change_text(problem, places, change);
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

std::vector<LeaderChange> leaders_back(std::span<const LeaderChange> leaders) {
    std::vector<LeaderChange> back;
    for (const LeaderChange& change : leaders)
        if (change.from != no_item) back.push_back({change.thing, change.to, change.from});
    return back;
}

void carry_out(Problem& problem, std::span<const Move> moves,
               std::span<const LeaderChange> leaders) {
    problem.places = places_after(problem, moves);
    if (!leaders.empty()) problem.leads.resize(problem.item_count(), false);
    for (const LeaderChange& change : leaders) {
        if (change.from != no_item) problem.leads[change.from] = false;
        problem.leads[change.to] = true;
    }
}

}  // namespace equipoise::reassign
