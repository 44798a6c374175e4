#include "equipoise/report/page/reassign_page_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/figures.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/report/page/filling.hpp"

namespace equipoise::report {

namespace {

using nlohmann::json;

constexpr std::size_t machines_most = 20'000;
constexpr std::size_t moves_most = 200'000;
constexpr std::size_t moves_of_more = 1'000;
constexpr std::size_t rules_most = 200;
constexpr std::uint32_t not_on_page = std::numeric_limits<std::uint32_t>::max();

/// Which machines and items the page lists, and their numbers there.
struct Listed {
    std::vector<reassign::MachineId> machines;
    std::vector<std::uint32_t> number;  ///< by machine
    std::size_t moves = 0;              ///< the first ones
    bool played = true;                 ///< whether all moves are listed
};

Listed listed_of(const ReassignAnswer& answer) {
    const reassign::Problem& problem = answer.problem;
    Listed listed;
    const std::vector<reassign::Move>& all = answer.plan.moves;
    const reassign::Replayed& replayed = answer.plan.replayed;
    // What is replayed ends before the wave of a move that is not allowed.
    const auto is_done = [&](const reassign::Move& move) {
        return replayed.allowed || move.wave < all[replayed.fault_at].wave;
    };
    const auto moves = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_done));
    listed.played = moves <= moves_most;
    listed.moves = listed.played ? moves : moves_of_more;
    std::vector<bool> shown(problem.machine_count(), problem.machine_count() <= machines_most);
    for (const reassign::Move& move : answer.plan.moves)
        shown[move.from] = shown[move.to] = true;
    listed.number.assign(problem.machine_count(), not_on_page);
    for (reassign::MachineId machine = 0; machine < problem.known_machines(); ++machine) {
        if (!shown[machine]) continue;
        listed.number[machine] = static_cast<std::uint32_t>(listed.machines.size());
        listed.machines.push_back(machine);
    }
    return listed;
}

const reassign::LevelAim* level_of(const reassign::Problem& problem, std::size_t resource) {
    for (const reassign::LevelAim& aim : problem.level)
        if (aim.resource == resource) return &aim;
    return nullptr;
}

const char* release_name(reassign::Release release) {
    switch (release) {
        case reassign::Release::at_once:
            return "at once";
        case reassign::Release::after_wave:
            return "after the wave";
        case reassign::Release::after_last:
            return "after the last wave";
    }
    return "";
}

json resources_json(const reassign::Problem& problem) {
    json list = json::array();
    for (std::size_t i = 0; i < problem.resource_count(); ++i) {
        const reassign::Resource& resource = problem.resources[i];
        list.push_back({{"name", resource.name},
                        {"decimals", resource.decimals},
                        {"bytes", resource.in_bytes},
                        {"level", level_of(problem, i) != nullptr},
                        {"release", release_name(resource.release)}});
    }
    return list;
}

json labels_json(const reassign::Problem& problem, const Listed& listed) {
    json list = json::array();
    for (const reassign::Label& label : problem.machine_labels) {
        json values = json::array();
        for (reassign::ValueId value = 0; value < label.values.size(); ++value)
            values.push_back(std::string(label.values.name(value)));
        json of = json::array();
        for (const reassign::MachineId machine : listed.machines) {
            const reassign::ValueId value = label.of[machine];
            of.push_back(value == reassign::no_value ? std::int64_t{-1} : std::int64_t{value});
        }
        list.push_back({{"name", label.name}, {"values", values}, {"of", of}});
    }
    return list;
}

/// For each resource a list with a number, or null, for each machine listed.
template <class Amount>
json columns_json(const reassign::Problem& problem, const Listed& listed, const Amount& amount) {
    json columns = json::array();
    for (std::size_t resource = 0; resource < problem.resource_count(); ++resource) {
        json column = json::array();
        for (const reassign::MachineId machine : listed.machines)
            column.push_back(amount(machine, resource));
        columns.push_back(std::move(column));
    }
    return columns;
}

json flags_json(const std::vector<bool>& flags, const Listed& listed) {
    json column = json::array();
    for (const reassign::MachineId machine : listed.machines)
        column.push_back(flags[machine] ? 1 : 0);
    return column;
}

json limit_or_null(Tokens limit) {
    return limit == tokens_max ? json() : json(limit);
}

/// By resource, then machine; empty for resources that are not to be level.
struct LevelColumns {
    std::vector<std::vector<Tokens>> limits;
    std::vector<std::vector<Tokens>> above_before;  ///< what keeps a machine from being level
    std::vector<std::vector<Tokens>> above_after;
};

LevelColumns level_columns(const ReassignAnswer& answer) {
    const reassign::Problem& problem = answer.problem;
    const std::vector<std::vector<Tokens>> none(problem.resource_count());
    LevelColumns columns{none, none, none};
    for (const reassign::LevelAim& aim : problem.level) {
        columns.limits[aim.resource] = problem.level_limits(aim);
        columns.above_before[aim.resource] = reassign::above_level(problem, aim, problem.places);
        columns.above_after[aim.resource] =
            reassign::above_level(problem, aim, answer.plan.replayed.places);
    }
    return columns;
}

json machines_json(const ReassignAnswer& answer, const Listed& listed) {
    const reassign::Problem& problem = answer.problem;
    const std::size_t resources = problem.resource_count();
    const auto from = [&](const std::vector<Tokens>& amounts) {
        return columns_json(problem, listed,
                            [&](reassign::MachineId machine, std::size_t resource) {
                                return limit_or_null(amounts[machine * resources + resource]);
                            });
    };
    const auto of_level = [&](const std::vector<std::vector<Tokens>>& columns) {
        return columns_json(
            problem, listed, [&](reassign::MachineId machine, std::size_t resource) {
                return columns[resource].empty() ? json() : json(columns[resource][machine]);
            });
    };
    std::vector<reassign::Problem::Shares> shares;
    for (std::size_t resource = 0; resource < resources; ++resource)
        shares.push_back(problem.shares(resource));
    const auto share = [&](reassign::MachineId machine, std::size_t resource) {
        // A tenth of a unit is more than a picture shows.
        return json(std::round(10 * shares[resource].of(machine)) / 10);
    };
    json names = json::array();
    for (const reassign::MachineId machine : listed.machines)
        names.push_back(problem.machine_name(machine));
    const LevelColumns level = level_columns(answer);
    return {{"name", names},
            {"drained", flags_json(problem.drained, listed)},
            {"pinned", flags_json(problem.pinned, listed)},
            {"before", from(answer.plan.before.used)},
            {"after", from(answer.plan.replayed.end.used)},
            {"peak", from(answer.plan.replayed.peaks)},
            {"share", columns_json(problem, listed, share)},
            {"limit", of_level(level.limits)},
            {"above_before", of_level(level.above_before)},
            {"above_after", of_level(level.above_after)},
            {"threshold", from(problem.thresholds)},
            {"capacity", from(problem.capacities)}};
}

/// The moves as columns, and the names of the items that move.
void add_move_columns(const ReassignAnswer& answer, const Listed& listed, json& out) {
    const reassign::Problem& problem = answer.problem;
    std::vector<std::uint32_t> number(problem.things.size(), not_on_page);
    json names = json::array();
    json wave = json::array();
    json item = json::array();
    json from = json::array();
    json to = json::array();
    json amounts(std::vector<json>(problem.resource_count() - 1, json::array()));
    for (std::size_t i = 0; i < listed.moves; ++i) {
        const reassign::Move& move = answer.plan.moves[i];
        std::uint32_t& name = number[problem.thing[move.item]];
        if (name == not_on_page) {
            name = static_cast<std::uint32_t>(names.size());
            names.push_back(problem.item_name(move.item));
        }
        wave.push_back(move.wave);
        item.push_back(name);
        // A copy that is made comes from no machine.
        from.push_back(move.from == problem.outside ? std::int64_t{-1}
                                                    : std::int64_t{listed.number[move.from]});
        to.push_back(listed.number[move.to]);
        for (std::size_t resource = 1; resource < problem.resource_count(); ++resource)
            amounts[resource - 1].push_back(problem.amount(move.item, resource));
    }
    out["items"] = std::move(names);
    out["moves"] = {
        {"wave", wave}, {"item", item}, {"from", from}, {"to", to}, {"amounts", amounts}};
    out["moves_left_out"] = answer.plan.moves.size() - listed.moves;
    out["played"] = listed.played;
    out["seconds"] = answer.plan.replayed.seconds;
}

json broken_json(const reassign::Problem& problem,
                 const std::vector<reassign::BrokenRule>& broken) {
    json lines = json::array();
    for (std::size_t i = 0; i < std::min(broken.size(), rules_most); ++i)
        lines.push_back(reassign::words(problem, broken[i]));
    return lines;
}

std::size_t more_than_listed(const std::vector<reassign::BrokenRule>& broken) {
    return broken.size() - std::min(broken.size(), rules_most);
}

json conflicts_json(const std::vector<reassign::Conflict>& conflicts) {
    json list = json::array();
    for (const reassign::Conflict& conflict : conflicts)
        list.push_back(
            {{"words", conflict.words}, {"relax", conflict.relax}, {"proved", conflict.proved}});
    return list;
}

json proofs_json(const reassign::Bounds& bounds) {
    json list = json::array();
    for (const reassign::Bound* bound :
         {&bounds.broken, &bounds.over_thresholds, &bounds.over_levels, &bounds.cost,
          &bounds.fewest, &bounds.moves, &bounds.waves, &bounds.leaders_over,
          &bounds.leaders_changed})
        if (!bound->reason.empty() &&
            std::find(list.begin(), list.end(), bound->reason) == list.end())
            list.push_back(bound->reason);
    return list;
}

std::string verdict_of(const ReassignAnswer& answer) {
    if (!answer.fault.empty()) return "Not every move is allowed. " + answer.fault;
    const reassign::Score& score = answer.plan.replayed.end.score;
    const auto waves = std::uint64_t{answer.plan.replayed.waves};
    const std::string begin =
        waves == 0 ? "Nothing moves, and " : "After " + counted(waves, "wave") + ", ";
    if (answer.reached()) return begin + "all rules, thresholds and levels hold.";
    std::vector<std::string> missing;
    const std::size_t broken = told_once(answer.problem, answer.plan.replayed.end.broken).size();
    if (score.broken > 0)
        missing.push_back(counted(std::uint64_t{broken}, "rule") +
                          (broken == 1 ? " is broken" : " are broken"));
    if (score.over_thresholds > 0) missing.emplace_back("thresholds are exceeded");
    if (score.over_levels > 0) missing.emplace_back("not every machine counts as level");
    if (answer.plan.led_after.over > 0)
        missing.emplace_back("some machines lead more than their share");
    if (answer.plan.missed > 0)
        missing.push_back(counted(answer.plan.missed, "item") + " not where the target says");
    if (answer.plan.led_after.elsewhere > 0)
        missing.push_back(counted(answer.plan.led_after.elsewhere, "leader") +
                          " not as the target says");
    return begin + fmt::format("{}.", fmt::join(missing, " and "));
}

/// Figures at the top of the page, from the lines that all faces show: "34  (no plan has fewer)".
json tiles_json(const std::vector<std::pair<std::string, std::string>>& lines) {
    json tiles = json::array();
    for (const auto& [name, value] : lines) {
        const bool figure = name == "moves" || name.ends_with(" moved") || name == "waves" ||
                            name == "time" || name.starts_with("across ") || name == "rules" ||
                            name == "cost" || name == "leaders";
        if (!figure) continue;
        const std::size_t blanks = value.find("  (");
        const std::size_t comma = value.find(", ");
        json tile = {{"name", name}, {"value", value}, {"note", ""}};
        tile["bad"] = name == "rules" && value.find("all hold") != 0;
        if (blanks != std::string::npos) {
            tile["value"] = value.substr(0, blanks);
            // "34  (no plan has fewer), 2 detours".
            const std::size_t end = value.rfind(')');
            tile["note"] = value.substr(blanks + 3, end - blanks - 3) +
                           (end + 1 < value.size() ? value.substr(end + 1) : "");
        } else if (comma != std::string::npos) {
            tile["value"] = value.substr(0, comma);
            tile["note"] = value.substr(comma + 2);
        }
        tiles.push_back(std::move(tile));
    }
    return tiles;
}

/// The resource that people look at first: the first that is to be level besides the number of
/// items, otherwise what is moved least, otherwise the items.
std::size_t shown_first(const reassign::Problem& problem) {
    for (const reassign::LevelAim& aim : problem.level)
        if (aim.resource != reassign::items_resource) return aim.resource;
    return problem.fewest;
}

}  // namespace

std::string reassign_page_data(const ReassignAnswer& answer) {
    const reassign::Problem& problem = answer.problem;
    const Listed listed = listed_of(answer);
    const std::vector<std::pair<std::string, std::string>> lines = reassign_lines(answer);
    json out;
    out["reached"] = answer.reached();
    out["verdict"] = verdict_of(answer);
    out["tiles"] = tiles_json(lines);
    out["lines"] = lines;
    out["notes"] = answer.notes;
    out["resources"] = resources_json(problem);
    out["shown"] = shown_first(problem);
    out["labels"] = labels_json(problem, listed);
    const std::optional<std::size_t> group = machine_groups(problem);
    out["group"] = group ? json(*group) : json();
    out["machines"] = machines_json(answer, listed);
    out["machines_left_out"] = problem.known_machines() - listed.machines.size();
    add_move_columns(answer, listed, out);
    const std::vector<reassign::BrokenRule> before =
        told_before(problem, answer.plan.before.broken);
    const std::vector<reassign::BrokenRule> after =
        told_once(problem, answer.plan.replayed.end.broken);
    out["broken"] = {{"before", broken_json(problem, before)},
                     {"before_more", more_than_listed(before)},
                     {"after", broken_json(problem, after)},
                     {"after_more", more_than_listed(after)}};
    out["conflicts"] = conflicts_json(answer.plan.conflicts);
    out["proofs"] = proofs_json(answer.plan.at_least);
    return escape_for_script(json_text(out));
}

}  // namespace equipoise::report
