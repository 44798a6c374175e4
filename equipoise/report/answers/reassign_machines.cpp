#include "equipoise/report/answers/reassign_machines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "equipoise/base/figures.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/report/tables/glossary.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// The digits at the front of a text, without leading zeros; removes them from it.
std::string_view take_number(std::string_view& text) {
    std::size_t end = 0;
    while (end < text.size() && is_digit(text[end]))
        ++end;
    std::string_view number = text.substr(0, end);
    text.remove_prefix(end);
    while (number.size() > 1 && number.front() == '0')
        number.remove_prefix(1);
    return number;
}

/// Whether people count a before b: numbers within names by their value.
bool counts_before(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        if (is_digit(a.front()) && is_digit(b.front())) {
            const std::string_view x = take_number(a);
            const std::string_view y = take_number(b);
            if (x.size() != y.size()) return x.size() < y.size();
            if (x != y) return x < y;
            continue;
        }
        if (a.front() != b.front()) return a.front() < b.front();
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    return a.empty() && !b.empty();
}

/// The label's value of a machine, or nothing.
std::string_view value_of(const reassign::Label& label, reassign::MachineId machine) {
    return label.of[machine] == reassign::no_value ? std::string_view()
                                                   : label.values.name(label.of[machine]);
}

Tokens at(std::span<const Tokens> amounts, const reassign::Problem& problem,
          reassign::MachineId machine, std::size_t resource) {
    return amounts[machine * problem.resource_count() + resource];
}

/// What each machine's row says besides its amounts.
class Marks {
  public:
    explicit Marks(const ReassignAnswer& answer) : answer_(answer) {
        const reassign::Problem& problem = answer.problem;
        for (const reassign::LevelAim& aim : problem.level)
            above_.emplace_back(aim.resource,
                                reassign::above_level(problem, aim, answer.plan.replayed.places));
    }

    /// Whether the machine ends above a limit, or with items though it is to be empty.
    [[nodiscard]] bool stands_out(reassign::MachineId machine) const {
        for (std::size_t resource = 0; resource < answer_.problem.resource_count(); ++resource)
            if (!limit(machine, resource).empty()) return true;
        if (leads_too_many(machine)) return true;
        return answer_.problem.drained[machine] && after(machine, reassign::items_resource) > 0;
    }

    [[nodiscard]] std::string of(reassign::MachineId machine, std::size_t resource) const {
        const reassign::Problem& problem = answer_.problem;
        std::string text = limit(machine, resource);
        const auto add = [&text](const char* more) {
            text.append(text.empty() ? "" : ", ").append(more);
        };
        if (problem.drained[machine])
            add(after(machine, reassign::items_resource) > 0 ? "to empty" : "drained");
        if (problem.pinned[machine]) add("pinned");
        return text;
    }

    [[nodiscard]] std::string of_leaders(reassign::MachineId machine) const {
        const reassign::Problem& problem = answer_.problem;
        if (problem.drained[machine]) return "drained";
        if (problem.pinned[machine]) return "pinned";
        return leads_too_many(machine) ? "above level" : "";
    }

  private:
    /// Nobody leads too many where it is not known who leads.
    [[nodiscard]] bool leads_too_many(reassign::MachineId machine) const {
        const std::vector<Tokens>& above = answer_.plan.led_after.above;
        return !above.empty() && above[machine] > 0;
    }
    [[nodiscard]] Tokens after(reassign::MachineId machine, std::size_t resource) const {
        return at(answer_.plan.replayed.end.used, answer_.problem, machine, resource);
    }

    [[nodiscard]] std::string limit(reassign::MachineId machine, std::size_t resource) const {
        const reassign::Problem& problem = answer_.problem;
        if (after(machine, resource) > problem.capacity(machine, resource)) return "above capacity";
        if (after(machine, resource) > problem.threshold(machine, resource))
            return "above threshold";
        for (const auto& [levelled, above] : above_)
            if (levelled == resource && above[machine] > 0 && !problem.drained[machine])
                return "above level";
        return "";
    }

    const ReassignAnswer& answer_;
    std::vector<std::pair<std::size_t, std::vector<Tokens>>> above_;  ///< by aim: its resource
};

/// Machines in the order of a number, the largest first.
std::vector<reassign::MachineId> by_largest(
    const reassign::Problem& problem, const std::function<double(reassign::MachineId)>& number) {
    std::vector<std::pair<double, reassign::MachineId>> all;
    for (reassign::MachineId machine = 0; machine < problem.known_machines(); ++machine)
        all.emplace_back(-number(machine), machine);
    std::sort(all.begin(), all.end());
    std::vector<reassign::MachineId> machines;
    machines.reserve(all.size());
    for (const auto& [negative, machine] : all)
        machines.push_back(machine);
    return machines;
}

/// The resource whose levels people look at first.
std::size_t first_resource(const reassign::Problem& problem) {
    if (!problem.level.empty()) return problem.level.front().resource;
    return problem.resource_count() > 1 ? 1 : reassign::items_resource;
}

/// A share in the unit of its resource, to one decimal where it is a small count.
std::string share_text(const reassign::Resource& resource, double share) {
    if (resource.decimals == 0 && share < 1000 && share != std::floor(share)) {
        const std::string whole = reassign::amount_text(resource, static_cast<Int128>(share));
        if (std::all_of(whole.begin(), whole.end(), is_digit)) return fmt::format("{:.1f}", share);
    }
    return reassign::amount_text(resource, static_cast<Int128>(std::llround(share)));
}

/// The table of one resource, or of leaders.
class MachineTable {
  public:
    /// Without a resource: of leaders.
    MachineTable(const ReassignAnswer& answer, std::optional<std::size_t> resource)
        : answer_(answer),
          resource_(resource),
          unit_(resource ? answer.problem.resources[*resource] : reassign::Resource{"leaders"}),
          groups_(machine_groups(answer.problem)),
          shares_(resource ? answer.problem.shares(*resource) : answer.problem.leader_shares()),
          capacities_(resource && has_capacities(answer.problem, *resource)),
          thresholds_(resource && has_thresholds(answer.problem, *resource)) {}

    [[nodiscard]] std::string text(const std::vector<reassign::MachineId>& shown,
                                   const Marks& marks, bool plain) {
        std::vector<Column> columns = {{unit_.name + "\nmachine", Align::left}};
        for (const char* title : {"before", "after", "share"})
            columns.push_back({title, Align::right});
        if (resource_) columns.push_back({"peak", Align::right});
        if (capacities_) columns.push_back({"capacity", Align::right});
        if (thresholds_) columns.push_back({"threshold", Align::right});
        std::vector<std::string> notes = {};
        const std::size_t width = columns.size();
        std::vector<std::vector<std::string>> rows;
        for (std::size_t i = 0; i < shown.size(); ++i) {
            if (groups_ && (i == 0 || group(shown[i]) != group(shown[i - 1]))) {
                rows.push_back(group_row(group(shown[i])));
                notes.emplace_back();
            }
            rows.push_back(machine_row(shown[i]));
            notes.push_back(resource_ ? marks.of(shown[i], *resource_)
                                      : marks.of_leaders(shown[i]));
        }
        if (std::any_of(notes.begin(), notes.end(), [](const auto& note) { return !note.empty(); }))
            columns.push_back({"", Align::left});
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i].resize(width);
            if (columns.size() > width) rows[i].push_back(notes[i]);
        }
        return layout(columns, rows, plain);
    }

  private:
    [[nodiscard]] const reassign::Problem& problem() const { return answer_.problem; }

    [[nodiscard]] Tokens before(reassign::MachineId machine) const {
        return resource_ ? at(answer_.plan.before.used, problem(), machine, *resource_)
                         : answer_.plan.led_before.led[machine];
    }
    [[nodiscard]] Tokens after(reassign::MachineId machine) const {
        return resource_ ? at(answer_.plan.replayed.end.used, problem(), machine, *resource_)
                         : answer_.plan.led_after.led[machine];
    }

    [[nodiscard]] reassign::ValueId group(reassign::MachineId machine) const {
        return problem().machine_labels[*groups_].of[machine];
    }

    [[nodiscard]] std::string amount(Int128 number) const {
        return reassign::amount_text(unit_, number);
    }
    [[nodiscard]] std::string limit(Tokens number) const {
        return number == tokens_max ? "" : amount(number);
    }

    [[nodiscard]] std::vector<std::string> machine_row(reassign::MachineId machine) const {
        std::vector<std::string> row = {(groups_ ? "  " : "") + problem().machine_name(machine),
                                        amount(before(machine)), amount(after(machine)),
                                        share_text(unit_, shares_.of(machine))};
        if (resource_)
            row.push_back(amount(at(answer_.plan.replayed.peaks, problem(), machine, *resource_)));
        if (capacities_) row.push_back(limit(problem().capacity(machine, *resource_)));
        if (thresholds_) row.push_back(limit(problem().threshold(machine, *resource_)));
        return row;
    }

    /// What all machines of a group hold together, those that are not shown included.
    [[nodiscard]] std::vector<std::string> group_row(reassign::ValueId value) const {
        const reassign::Label& label = problem().machine_labels[*groups_];
        Int128 held_before = 0;
        Int128 held_after = 0;
        double share = 0;
        for (reassign::MachineId machine = 0; machine < problem().known_machines(); ++machine) {
            if (label.of[machine] != value) continue;
            held_before += before(machine);
            held_after += after(machine);
            share += shares_.of(machine);
        }
        const std::string name = value == reassign::no_value
                                     ? "no " + label.name
                                     : label.name + ' ' + std::string(label.values.name(value));
        return {name, amount(held_before), amount(held_after), share_text(unit_, share)};
    }

    const ReassignAnswer& answer_;
    std::optional<std::size_t> resource_;
    reassign::Resource unit_;
    std::optional<std::size_t> groups_;
    reassign::Problem::Shares shares_;
    bool capacities_;
    bool thresholds_;
};

bool has_limits(const reassign::Problem& problem, std::span<const Tokens> limits,
                std::size_t resource) {
    for (reassign::MachineId machine = 0; machine < problem.machine_count(); ++machine)
        if (at(limits, problem, machine, resource) != tokens_max) return true;
    return false;
}

}  // namespace

bool has_capacities(const reassign::Problem& problem, std::size_t resource) {
    return has_limits(problem, problem.capacities, resource);
}

bool has_thresholds(const reassign::Problem& problem, std::size_t resource) {
    return has_limits(problem, problem.thresholds, resource);
}

std::vector<reassign::MachineId> machines_in_order(const reassign::Problem& problem) {
    std::vector<reassign::MachineId> machines(problem.known_machines());
    for (reassign::MachineId machine = 0; machine < machines.size(); ++machine)
        machines[machine] = machine;
    const std::optional<std::size_t> groups = machine_groups(problem);
    const auto before = [&](reassign::MachineId a, reassign::MachineId b) {
        if (groups) {
            const reassign::Label& label = problem.machine_labels[*groups];
            if (label.of[a] != label.of[b]) {
                if (label.of[a] == reassign::no_value || label.of[b] == reassign::no_value)
                    return label.of[b] == reassign::no_value;
                return counts_before(value_of(label, a), value_of(label, b));
            }
        }
        return counts_before(problem.machines.name(a), problem.machines.name(b));
    };
    std::stable_sort(machines.begin(), machines.end(), before);
    return machines;
}

std::vector<reassign::MachineId> machines_shown(const ReassignAnswer& answer, std::size_t most) {
    const reassign::Problem& problem = answer.problem;
    std::vector<reassign::MachineId> all = machines_in_order(problem);
    if (all.size() <= most) return all;
    const Marks marks(answer);
    const std::size_t resource = first_resource(problem);
    const reassign::Problem::Shares shares = problem.shares(resource);
    const auto held = [&](const std::vector<Tokens>& used, reassign::MachineId machine) {
        return static_cast<double>(at(used, problem, machine, resource));
    };
    const std::vector<Tokens>& before = answer.plan.before.used;
    const std::vector<Tokens>& after = answer.plan.replayed.end.used;
    const auto beside_share = [&](const std::vector<Tokens>& used, reassign::MachineId machine) {
        return held(used, machine) / std::max(shares.of(machine), 1.0);
    };
    std::array<std::vector<reassign::MachineId>, 5> orders = {
        by_largest(problem, [&](reassign::MachineId m) { return beside_share(before, m); }),
        by_largest(problem, [&](reassign::MachineId m) { return beside_share(after, m); }),
        by_largest(problem, [&](reassign::MachineId m) { return -beside_share(after, m); }),
        by_largest(
            problem,
            [&](reassign::MachineId m) { return std::abs(held(after, m) - held(before, m)); }),
        {}};
    for (const reassign::MachineId machine : all)
        if (marks.stands_out(machine) || problem.drained[machine]) orders.back().push_back(machine);
    std::vector<bool> chosen(problem.machine_count(), false);
    std::size_t count = 0;
    for (std::size_t place = 0; count < most; ++place)
        for (const std::vector<reassign::MachineId>& order : orders) {
            if (count == most || place >= order.size() || chosen[order[place]]) continue;
            chosen[order[place]] = true;
            ++count;
        }
    std::erase_if(all, [&](reassign::MachineId machine) { return !chosen[machine]; });
    return all;
}

std::string machine_tables(const ReassignAnswer& answer, bool plain, std::size_t most) {
    const reassign::Problem& problem = answer.problem;
    const std::vector<reassign::MachineId> shown = machines_shown(answer, most);
    const Marks marks(answer);
    // Items last, unless they are to be level; leaders first, if nothing else is to be level.
    const std::size_t first = first_resource(problem);
    std::vector<std::optional<std::size_t>> order = {first};
    for (std::size_t resource = 1; resource < problem.resource_count(); ++resource)
        if (resource != first) order.emplace_back(resource);
    if (first != reassign::items_resource) order.emplace_back(reassign::items_resource);
    if (tells_leaders(answer))
        order.insert(problem.level.empty() ? order.begin() : order.end(), std::nullopt);
    std::string text;
    for (const std::optional<std::size_t>& resource : order)
        text +=
            (text.empty() ? "" : "\n") + MachineTable(answer, resource).text(shown, marks, plain);
    text += explained({"peak"});
    if (const std::size_t left = problem.known_machines() - shown.size(); left > 0)
        text += fmt::format("\n{} not shown; --csv FILE writes all of them.\n",
                            counted(std::uint64_t{left}, "machine"));
    return text;
}

}  // namespace equipoise::report
