#include "equipoise/reassign/input/schedule_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <string_view>
#include <system_error>
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

/// The columns of schedules without barriers.
class WaitColumns {
  public:
    static constexpr const char* names = "move,waits_for,starts,ends";

    explicit WaitColumns(const LineSource& source) : source_(source) {}

    /// The next move's.
    void take(const std::vector<std::string>& fields) {
        const std::uint64_t name = number(fields[4]);
        if (!moves_.try_emplace(name, static_cast<std::uint32_t>(names_.size())).second)
            source_.fail("a number that no move before it has", fields[4]);
        std::vector<std::uint64_t>& list = names_.emplace_back();
        std::string_view rest = fields[5];
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            if (end > 0) list.push_back(number(rest.substr(0, end)));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }

    /// Nothing if the file has no such columns.
    [[nodiscard]] std::optional<WaitsFor> lists() const {
        if (names_.empty()) return std::nullopt;
        WaitsFor lists;
        for (const std::vector<std::uint64_t>& named : names_) {
            std::vector<std::uint32_t>& list = lists.emplace_back();
            for (const std::uint64_t name : named)
                if (const auto move = moves_.find(name); move != moves_.end())
                    list.push_back(move->second);
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
        return lists;
    }

  private:
    [[nodiscard]] std::uint64_t number(std::string_view text) const {
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size())
            source_.fail("the number of a move", std::string(text));
        return number;
    }

    const LineSource& source_;
    std::map<std::uint64_t, std::uint32_t> moves_;  ///< by the number in the file
    std::vector<std::vector<std::uint64_t>>
        names_;  ///< by move: what it waits for, as the file says
};

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
    WaitColumns waits(source);
    items.more_columns = WaitColumns::names;
    items.take_more = [&](const std::vector<std::string>& fields) { waits.take(fields); };
    load::ItemMoves read = load::read_item_moves(source, items);
    ReadMoves moves;
    moves.moves.reserve(read.moves.size());
    moves.lines.reserve(read.moves.size());
    for (const load::ItemMove& move : read.moves) {
        moves.moves.push_back({move.wave, move.copy, move.from, move.to});
        moves.lines.push_back(move.line);
    }
    moves.waits_for = waits.lists();
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
           ',' + csv_field(problem.machines.name(places[change.to]));
}

/// A schedule with further columns, which `columns` names and of which `more` gives the fields of
/// each move, both with a comma before each. Other lines leave them empty.
template <class More>
std::string schedule_text(const Problem& problem, std::span<const Move> moves,
                          std::span<const LeaderChange> leaders,
                          std::span<const DroppedCopy> dropped, const std::string& columns,
                          const More& more) {
    std::string text = "wave,item,from,to" + columns + '\n';
    std::string no_more = columns;
    std::erase_if(no_more, [](char letter) { return letter != ','; });
    for (const DroppedCopy& copy : dropped)
        text += "0," + csv_field(problem.things.name(copy.thing)) + ',' +
                csv_field(problem.machines.name(copy.machine)) + ',' + no_more + '\n';
    for (std::size_t at = 0; at < moves.size(); ++at) {
        const Move& move = moves[at];
        text += std::to_string(move.wave);
        for (const std::string_view name :
             {problem.things.name(problem.thing[move.item]), problem.machines.name(move.from),
              problem.machines.name(move.to)})
            (text += ',') += csv_field(name);
        text += more(at) + '\n';
    }
    if (leaders.empty()) return text;
    const std::vector<MachineId> places = places_after(problem, moves);
    for (const LeaderChange& change : leaders)
        text.append(leaders_word)
            .append(",")
            .append(change_text(problem, places, change))
            .append(no_more)
            .append("\n");
    return text;
}

}  // namespace

std::string moves_text(const Problem& problem, std::span<const Move> moves,
                       std::span<const LeaderChange> leaders,
                       std::span<const DroppedCopy> dropped) {
    return schedule_text(problem, moves, leaders, dropped, "",
                         [](std::size_t) { return std::string(); });
}

std::string waits_text(const Problem& problem, std::span<const Move> moves,
                       const WaitsFor& waits_for, std::span<const double> starts,
                       std::span<const double> ends, std::span<const LeaderChange> leaders,
                       std::span<const DroppedCopy> dropped) {
    const auto seconds = [](std::span<const double> times, std::size_t at) {
        if (times.empty()) return std::string();
        std::array<char, 32> digits = {};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), times[at]);
        return std::string(digits.data(), end.ptr);
    };
    const auto more = [&](std::size_t at) {
        std::string fields = ',' + std::to_string(at) + ',';
        for (const std::uint32_t first : waits_for[at])
            fields += (first == waits_for[at].front() ? "" : " ") + std::to_string(first);
        return fields + ',' + seconds(starts, at) + ',' + seconds(ends, at);
    };
    return schedule_text(problem, moves, leaders, dropped, std::string(",") + WaitColumns::names,
                         more);
}

std::string leaders_text(const Problem& problem, std::span<const Move> moves,
                         std::span<const LeaderChange> leaders) {
    std::string text = "item,from,to\n";
    const std::vector<MachineId> places = places_after(problem, moves);
    for (const LeaderChange& change : leaders)
        text += change_text(problem, places, change) + '\n';
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
