#include "equipoise/report/answers/reassign.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "equipoise/base/figures.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/reasons/blocked.hpp"
#include "equipoise/reassign/reasons/held_back.hpp"
#include "equipoise/report/answers/reassign_files.hpp"
#include "equipoise/report/answers/reassign_machines.hpp"
#include "equipoise/report/tables/lines.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using NamedLines = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t line_width = 80;
constexpr std::size_t value_column = 19;  // of the lines below the tables
constexpr std::size_t rules_shown = 12;

std::string grouped_wide(Int128 number) {
    return grouped_decimal(reassign::exact_text({}, number));
}

/// Where the list by machine ends for people, who know no machine outside.
std::vector<bool>::const_iterator end_of_known(const reassign::Problem& problem,
                                               const std::vector<bool>& by_machine) {
    return by_machine.begin() + static_cast<std::ptrdiff_t>(problem.known_machines());
}

/// "2 GB", "50 moves".
std::string amount_with_name(const reassign::Problem& problem, std::size_t resource,
                             Int128 amount) {
    if (resource == reassign::items_resource)
        return grouped_wide(amount) + (amount == 1 ? " move" : " moves");
    const reassign::Resource& of = problem.resources[resource];
    const std::string text = reassign::amount_text(of, amount);
    return of.in_bytes ? text : of.name + ' ' + text;
}

std::string listed_machines(const reassign::Problem& problem, const std::vector<bool>& which) {
    constexpr std::size_t shown_max = 12;
    std::string text;
    std::size_t count = 0;
    for (const reassign::MachineId machine : machines_in_order(problem)) {
        if (!which[machine]) continue;
        if (++count <= shown_max)
            text.append(count == 1 ? "" : ", ").append(problem.machine_name(machine));
    }
    if (count > shown_max) text += fmt::format(", ... ({} in all)", grouped(std::uint64_t{count}));
    return text;
}

/// "  (no plan has fewer)", "  (every plan has at least 30)", or nothing if nothing is known.
std::string beside_bound(Int128 found, const reassign::Bound& bound, const char* fewer,
                         const std::string& at_least) {
    if (found <= bound.at_least) return fmt::format("  (no plan {})", fewer);
    return bound.at_least == 0 ? "" : "  (every plan " + at_least + ')';
}

/// Of all that a plan's score lists under one part, the part that no plan can avoid.
std::string beside_excess(Int128 found, const reassign::Bound& bound, const char* is_better,
                          const char* be_better) {
    if (found <= bound.at_least) return fmt::format("  (no plan {})", is_better);
    const double part = 100 * static_cast<double>(bound.at_least) / static_cast<double>(found);
    if (part < 1) return fmt::format("  (another plan may {})", be_better);
    if (part > 99) return "  (no plan has 1 % less)";
    return fmt::format("  (every plan has at least {:.0f} % of that)", part);
}

std::string tolerance_words(std::uint64_t tolerance) {
    return fmt::format("at most {:g} shares, rounded up, or one item",
                       1 + static_cast<double>(tolerance) / 1e6);
}

/// The members of an answer that only lines need, computed once.
class LinesOfAnswer {
  public:
    explicit LinesOfAnswer(const ReassignAnswer& answer)
        : answer_(answer),
          problem_(answer.problem),
          plan_(answer.plan),
          score_(answer.plan.replayed.end.score) {}

    [[nodiscard]] NamedLines all() {
        add_aims();
        add_moves();
        add_waves();
        if (tells_leaders(answer_)) add_leaders();
        add_rules();
        if ((answer_.timed && problem_.given_ends.empty()) || plan_.interrupted)
            add("effort", counted(plan_.effort, "iteration") +
                              (plan_.interrupted ? ", then interrupted" : ""));
        return std::move(lines_);
    }

  private:
    void add(const std::string& name, const std::string& value) {
        lines_.emplace_back(name, value);
    }

    void add_aims() {
        if (!answer_.target.empty()) {
            const std::uint64_t items = problem_.item_count();
            add("target", plan_.missed == 0
                              ? "reached: every item ends where it says"
                              : grouped(plan_.missed) + " of " + counted(items, "item") +
                                    (plan_.missed == 1 ? " ends" : " end") + " elsewhere");
        }
        if (problem_.objective.given) {
            add("cost",
                grouped_wide(score_.cost) +
                    beside_bound(score_.cost, plan_.at_least.cost, "costs less",
                                 "costs at least " + grouped_wide(plan_.at_least.cost.at_least)));
            add("cost before", grouped_wide(plan_.before.score.cost));
        } else {
            add_thresholds();
            add_levels();
        }
        add_copies();
        if (std::find(problem_.drained.begin(), end_of_known(problem_, problem_.drained), true) !=
            end_of_known(problem_, problem_.drained))
            add("to drain", listed_machines(problem_, problem_.drained));
        if (std::find(problem_.pinned.begin(), problem_.pinned.end(), true) !=
            problem_.pinned.end())
            add("pinned", listed_machines(problem_, problem_.pinned));
        if (const std::string budget = budget_words(); !budget.empty()) add("at most", budget);
        if (answer_.resumed > 0) add("done already", counted(answer_.resumed, "move"));
    }

    /// Copies that are made and dropped.
    void add_copies() {
        const auto made = static_cast<std::uint64_t>(
            std::count(problem_.places.begin(), problem_.places.end(), problem_.outside));
        const std::uint64_t dropped = answer_.dropped.size();
        std::string words = made > 0 ? grouped(made) + " to be made" : "";
        if (dropped > 0)
            words.append(words.empty() ? "" : ", ")
                .append(grouped(dropped) + " dropped before the first wave");
        if (!words.empty()) add("copies", words);
    }

    void add_thresholds() {
        std::size_t resources = 0;
        for (std::size_t resource = 0; resource < problem_.resource_count(); ++resource)
            if (has_thresholds(problem_, resource)) ++resources;
        for (std::size_t resource = 0; resource < problem_.resource_count(); ++resource) {
            if (!has_thresholds(problem_, resource)) continue;
            const reassign::Resource& of = problem_.resources[resource];
            const Int128 before = reassign::above_thresholds(problem_, resource, plan_.before.used);
            const Int128 after =
                reassign::above_thresholds(problem_, resource, plan_.replayed.end.used);
            std::string words = of.name + ": ";
            words += after == 0 ? "kept" : reassign::amount_text(of, after) + " above";
            if (before > 0) words += " (before: " + reassign::amount_text(of, before) + ')';
            if (after > 0 && resources == 1) words += beside_thresholds();
            add("thresholds", words);
        }
        // The bound is on the sum over all resources.
        if (resources > 1 && score_.over_thresholds > 0)
            add("all thresholds", "exceeded" + beside_thresholds());
    }

    [[nodiscard]] std::string beside_thresholds() const {
        return beside_excess(score_.over_thresholds, plan_.at_least.over_thresholds,
                             "exceeds them less", "exceed them less");
    }

    void add_levels() {
        if (problem_.level.empty() && !problem_.leaders_tolerance && answer_.target.empty())
            add("level", "none asked for");
        for (const reassign::LevelAim& aim : problem_.level) {
            const reassign::Resource& resource = problem_.resources[aim.resource];
            const std::vector<Tokens> above =
                reassign::above_level(problem_, aim, plan_.replayed.places);
            const auto machines = static_cast<std::uint64_t>(
                std::count_if(above.begin(), above.end(), [](Tokens each) { return each > 0; }));
            std::string words = resource.name + ": ";
            if (machines == 0) {
                words += "reached  (" + tolerance_words(aim.tolerance) + ')';
            } else {
                const Int128 sum = std::accumulate(above.begin(), above.end(), Int128{0});
                words += counted(machines, "machine") + " above " +
                         fmt::format("{:g} times the share, by ",
                                     1 + static_cast<double>(aim.tolerance) / 1e6) +
                         reassign::amount_text(resource, sum);
                // The bound is on the sum over all resources.
                if (problem_.level.size() == 1) words += beside_level();
            }
            add("level", words);
        }
        if (problem_.level.size() > 1 && score_.over_levels > 0)
            add("all levels", "not reached" + beside_level());
        if (problem_.leaders_tolerance) add_level_of_leaders(*problem_.leaders_tolerance);
    }

    void add_level_of_leaders(std::uint64_t tolerance) {
        const reassign::LeaderStanding& led = plan_.led_after;
        const std::string shares =
            tolerance == 0 ? "the share"
                           : fmt::format("{:g} shares", 1 + static_cast<double>(tolerance) / 1e6);
        if (led.over == 0)
            return add("level", "leaders: reached  (at most " + shares + ", rounded up)");
        const auto machines = static_cast<std::uint64_t>(std::count_if(
            led.above.begin(), led.above.end(), [](Tokens each) { return each > 0; }));
        std::string words = "leaders: " + counted(machines, "machine") + " above " + shares +
                            ", by " + grouped(led.over);
        words += Int128{led.over} <= plan_.at_least.leaders_over.at_least
                     ? problem_.has_given_leaders()
                           ? "  (no leaders are more level beside those of the target)"
                           : "  (no leaders are more level where items end)"
                     : "  (others would be more level)";
        add("level", words);
    }

    [[nodiscard]] std::string beside_level() const {
        return beside_excess(score_.over_levels, plan_.at_least.over_levels, "is more level",
                             "be more level");
    }

    [[nodiscard]] std::string budget_words() const {
        std::string words;
        const auto also = [&words](const std::string& more) {
            words.append(words.empty() ? "" : ", ").append(more);
        };
        for (std::size_t resource = 0; resource < problem_.budget.amounts.size(); ++resource)
            if (problem_.budget.amounts[resource] != tokens_max)
                also(amount_with_name(problem_, resource, problem_.budget.amounts[resource]));
        if (problem_.budget.waves != tokens_max) also(counted(problem_.budget.waves, "wave"));
        return words;
    }

    void add_moves() {
        const bool fewest_moves =
            problem_.fewest == reassign::items_resource || problem_.objective.given;
        const reassign::Bound& moves = fewest_moves && !problem_.objective.given
                                           ? plan_.at_least.fewest
                                           : plan_.at_least.moves;
        const auto count = static_cast<Tokens>(plan_.moves.size());
        std::string words =
            grouped(count) +
            beside_bound(count, moves,
                         fewest_moves ? "has fewer" : "that moves as little has fewer",
                         "has at least " + grouped_wide(moves.at_least));
        if (plan_.detours > 0) words += ", " + counted(plan_.detours, "detour");
        add("moves", words);
        for (std::size_t resource = 1; resource < problem_.resource_count(); ++resource) {
            const reassign::Resource& of = problem_.resources[resource];
            std::string moved = reassign::amount_text(of, plan_.replayed.moved[resource]);
            if (resource == problem_.fewest && !problem_.objective.given)
                moved += beside_bound(
                    plan_.replayed.moved[resource], plan_.at_least.fewest, "moves less",
                    "moves at least " + reassign::amount_text(of, plan_.at_least.fewest.at_least));
            add(of.name + " moved", moved);
        }
        if (const auto groups = machine_groups(problem_)) add_crossings(*groups);
    }

    void add_crossings(std::size_t groups) {
        const std::vector<Tokens> across = amounts_across(problem_, plan_.moves, groups);
        std::string words = counted(across[reassign::items_resource], "move");
        for (std::size_t resource = 1; resource < problem_.resource_count(); ++resource)
            words += ", " + amount_with_name(problem_, resource, across[resource]);
        add("across " + problem_.machine_labels[groups].name + 's', words);
    }

    void add_waves() {
        const auto waves = static_cast<Tokens>(plan_.replayed.waves);
        add("waves",
            grouped(waves) +
                beside_bound(waves, plan_.at_least.waves, "has fewer",
                             "has at least " + grouped_wide(plan_.at_least.waves.at_least)));
        if (plan_.waves_cut_short && !plan_.waves_exact())
            add("", "the time ended before all ways to fewer were tried");
        if (!plan_.replayed.seconds.empty() && !plan_.moves.empty()) add_time();
    }

    void add_time() {
        const std::vector<double>& seconds = plan_.replayed.seconds;
        const double waves = std::accumulate(seconds.begin(), seconds.end(), 0.0);
        if (plan_.order.ends.empty())
            return add("time", duration(waves) + "  (at the given rates)");
        const double free = plan_.order.seconds();
        const double least = plan_.seconds_at_least.at_least;
        constexpr double rounding = 1e-9;
        const std::string words =
            free < waves * (1 - rounding)
                ? duration(waves) + " in waves, " + duration(free) + " without barriers"
                : duration(waves) + ", in waves or without barriers";
        add("time", words + (least >= free * (1 - rounding)
                                 ? "  (no schedule takes less)"
                                 : "  (every schedule takes at least " + duration(least) + ')'));
    }

    void add_leaders() {
        const auto changes = static_cast<Tokens>(plan_.leaders.size());
        std::string words = grouped(changes) + (changes == 1 ? " changes" : " change");
        // Fewer may do where they leave leaders less level or not as given.
        const reassign::Bounds& least = plan_.at_least;
        if (Int128{plan_.led_after.over} <= least.leaders_over.at_least &&
            plan_.led_after.elsewhere == 0)
            words +=
                beside_bound(changes, least.leaders_changed, "changes fewer",
                             "changes at least " + grouped_wide(least.leaders_changed.at_least));
        add("leaders", words);
        if (plan_.led_after.elsewhere > 0)
            add("", counted(plan_.led_after.elsewhere, "leader") + " not as the target says");
    }

    void add_rules() {
        const std::size_t before = told_before(problem_, plan_.before.broken).size();
        const std::size_t after = told_once(problem_, plan_.replayed.end.broken).size();
        std::string words = after == 0 ? "all hold" : grouped(std::uint64_t{after}) + " broken";
        if (before > 0) words += "  (" + grouped(std::uint64_t{before}) + " broken before)";
        add("rules", words);
    }

    const ReassignAnswer& answer_;
    const reassign::Problem& problem_;
    const reassign::Plan& plan_;
    const reassign::Score& score_;
    NamedLines lines_;
};

/// Rules that do not hold, under a title; nothing if all do.
std::string rules_text(const reassign::Problem& problem,
                       const std::vector<reassign::BrokenRule>& broken, const char* title) {
    if (broken.empty()) return "";
    std::string text = fmt::format("\n{}\n", title);
    for (std::size_t i = 0; i < std::min(broken.size(), rules_shown); ++i)
        text += "  " + hanging(reassign::words(problem, broken[i]), 4, line_width, 2) + '\n';
    if (broken.size() > rules_shown)
        text += fmt::format("  ... ({} in all)\n", grouped(std::uint64_t{broken.size()}));
    return text;
}

/// Names items that a target sends where they do not end, and what stands in their way.
std::string missed_text(const ReassignAnswer& answer) {
    const reassign::Problem& problem = answer.problem;
    const std::vector<reassign::BlockedItem> blocked =
        reassign::blocked_items(problem, answer.plan.moves, rules_shown);
    std::string text;
    for (std::size_t i = 0; i < std::min(blocked.size(), rules_shown); ++i) {
        const auto& [item, place, reason] = blocked[i];
        text += "  " +
                hanging(fmt::format("{} ends on {}, not on {}: {}", problem.item_name(item),
                                    problem.machine_name(place),
                                    problem.machine_name(problem.given_ends[item]), reason),
                        4, line_width, 2) +
                '\n';
    }
    if (blocked.size() > rules_shown)
        text += fmt::format("  ... ({} in all)\n", grouped(std::uint64_t{blocked.size()}));
    return text;
}

/// Why what is asked for is not reached, where that is not a matter of rules: the way fails, or
/// nothing may move.
std::string unreached_text(const ReassignAnswer& answer) {
    const reassign::Plan& plan = answer.plan;
    const reassign::Problem& problem = answer.problem;
    if (answer.judged()) return "";
    const auto paragraph = [](const char* words) {
        return '\n' + hanging(words, 0, line_width) + '\n';
    };
    if (plan.missed > 0)
        return paragraph(
                   plan.waves_cut_short
                       ? "The time ended before waves were found that lead where the target says."
                       : "No waves were found that lead where the target says: rules, rates, "
                         "--at-once, capacities on the way, items that must be apart or the budget "
                         "stand against it.") +
               missed_text(answer);
    const bool leaders_alone = !problem.given_ends.empty() && answer.target.empty();
    std::string text;
    if (plan.led_after.over > 0)
        text = paragraph(
            leaders_alone ? "Leaders can be more level only if items move, which is not asked for: "
                            "see the reasons below."
            : problem.has_given_leaders()
                ? "Leaders can be more level only if items end elsewhere, or if the target gives "
                  "other leaders: see the reasons below."
                : "Leaders can be more level only if items end elsewhere. Where they end is "
                  "decided first, without a view to who can lead then.");
    if (plan.replayed.end.score.broken == 0) return text;
    if (leaders_alone)
        return text + paragraph(
                          "No item moves, since nothing but leaders is to be level. With --level "
                          "none,leaders items move where rules need it.");
    if (!problem.given_ends.empty()) return text;
    text += paragraph(
        plan.waves_cut_short ? "The time ended before waves were found after which all rules hold."
        : problem.budget.waves == tokens_max
            ? "No waves were found after which all rules hold: rates, --at-once, capacities on "
              "the way, items that must be apart or the budget stand against them."
            : "No plan of so few waves was found after which all rules hold.");
    for (const std::string& item : reassign::held_back(problem, plan.replayed.places, rules_shown))
        text += "  " + hanging(item, 4, line_width, 2) + '\n';
    return text;
}

std::string conflicts_text(const ReassignAnswer& answer) {
    const std::vector<reassign::Conflict>& conflicts = answer.plan.conflicts;
    if (conflicts.empty()) return unreached_text(answer);
    const bool proved = std::all_of(conflicts.begin(), conflicts.end(),
                                    [](const auto& each) { return each.proved; });
    std::string text = proved ? "\nThe rules cannot all hold. What is missing:\n"
                              : "\nNo plan was found in which all rules hold. What is missing:\n";
    for (const reassign::Conflict& conflict : conflicts)
        text += "  " + hanging(conflict.words, 4, line_width, 2) + '\n';
    text += conflicts.size() == 1 ? "This change would do:\n"
                                  : "These changes, all of them together, would do:\n";
    for (const reassign::Conflict& conflict : conflicts)
        text += "  " + hanging(conflict.relax, 4, line_width, 2) + '\n';
    return text;
}

/// Why no plan does better, for each part that has a reason.
std::string reasons_text(const ReassignAnswer& answer) {
    const reassign::Bounds& at_least = answer.plan.at_least;
    const bool fewest_moves = answer.problem.fewest == reassign::items_resource;
    const std::string fewest =
        fewest_moves ? "moves" : answer.problem.resources[answer.problem.fewest].name + " moved";
    const reassign::Bound seconds = {0, answer.plan.seconds_at_least.reason};
    const std::array<std::pair<std::string, const reassign::Bound*>, 10> parts = {
        {{"rules", &at_least.broken},
         {"thresholds", &at_least.over_thresholds},
         {"level", &at_least.over_levels},
         {"cost", &at_least.cost},
         {fewest, &at_least.fewest},
         {"moves", fewest_moves ? nullptr : &at_least.moves},
         {"waves", &at_least.waves},
         {"time", &seconds},
         {"level of leaders", &at_least.leaders_over},
         {"leaders", &at_least.leaders_changed}}};
    std::string text;
    for (const auto& [name, bound] : parts) {
        if (bound == nullptr || bound->reason.empty()) continue;
        const std::string begin = fmt::format("  {:<16} ", name);
        text += begin + hanging(bound->reason, value_column, line_width, begin.size()) + '\n';
    }
    if (!text.empty()) text.insert(0, "\nReasons for the bounds:\n");
    if (answer.plan.bounds_cut_short)
        text += '\n' +
                hanging(
                    "The time ended before all bounds were computed: more --seconds may prove "
                    "more.",
                    0, line_width) +
                '\n';
    return text;
}

/// "moves.csv: 34 moves in 17 waves, all allowed; the end is as asked for".
std::string judged_title(const ReassignAnswer& answer) {
    const reassign::Plan& plan = answer.plan;
    const auto changes = std::uint64_t{plan.leaders.size()};
    return fmt::format("{}: {} in {}{}, all allowed; the end is {}as asked for", answer.schedule,
                       counted(std::uint64_t{plan.moves.size()}, "move"),
                       counted(std::uint64_t{plan.replayed.waves}, "wave"),
                       changes == 0 ? "" : ", " + counted(changes, "change") + " of leaders",
                       answer.reached() ? "" : "not ");
}

}  // namespace

std::vector<Tokens> amounts_across(const reassign::Problem& problem,
                                   std::span<const reassign::Move> moves, std::size_t groups) {
    const std::vector<reassign::ValueId>& of = problem.machine_labels[groups].of;
    std::vector<Tokens> across(problem.resource_count(), 0);
    for (const reassign::Move& move : moves) {
        if (of[move.from] == of[move.to] || move.from == problem.outside) continue;
        for (std::size_t resource = 0; resource < across.size(); ++resource)
            across[resource] = checked_add(across[resource], problem.amount(move.item, resource));
    }
    return across;
}

bool knows_leaders(const ReassignAnswer& answer) {
    return !answer.plan.leaders.empty() ||
           std::find(answer.problem.leads.begin(), answer.problem.leads.end(), true) !=
               answer.problem.leads.end();
}

bool tells_leaders(const ReassignAnswer& answer) {
    return !answer.plan.leaders.empty() || answer.problem.leaders_tolerance ||
           answer.plan.led_after.elsewhere > 0;
}

bool is_name(const reassign::Label& label) {
    return label.name == "machine";
}

std::optional<std::size_t> machine_groups(const reassign::Problem& problem) {
    for (const reassign::Spread& rule : problem.spread)
        if (!is_name(problem.machine_labels[rule.machine_label])) return rule.machine_label;
    constexpr std::array<std::string_view, 8> words = {"rack", "zone", "az",   "room",
                                                       "row",  "host", "site", "region"};
    for (const std::string_view word : words)
        for (std::size_t label = 0; label < problem.machine_labels.size(); ++label)
            if (lower_case(problem.machine_labels[label].name) == word) return label;
    return {};
}

std::string reassign_title(const ReassignAnswer& answer) {
    return fmt::format("{}: {} on {}", answer.origin,
                       counted(std::uint64_t{answer.problem.item_count()}, "item"),
                       counted(std::uint64_t{answer.problem.known_machines()}, "machine"));
}

std::vector<std::pair<std::string, std::string>> reassign_lines(const ReassignAnswer& answer) {
    return LinesOfAnswer(answer).all();
}

std::string score_words(const reassign::Score& score, std::uint64_t iterations) {
    const std::string so_far = counted(iterations, "iteration") + ": ";
    if (score.broken > 0) return so_far + "some rules do not hold yet";
    if (score.over_thresholds > 0) return so_far + "some thresholds are exceeded";
    if (score.over_levels > 0) return so_far + "not level yet";
    if (score.cost > 0) return so_far + "cost " + grouped_wide(score.cost);
    return so_far + grouped_wide(score.moves) + (score.moves == 1 ? " move" : " moves");
}

std::string reassign_text(const ReassignAnswer& answer, const ReassignFiles& files, bool plain,
                          std::size_t machines_max) {
    if (!answer.fault.empty()) return answer.fault + '\n';
    std::string text =
        hanging(answer.judged() ? judged_title(answer) : reassign_title(answer), 0, line_width);
    text += "\n\n" + machine_tables(answer, plain, machines_max) + '\n';
    NamedLines lines = reassign_lines(answer);
    if (!answer.judged())
        lines.emplace_back("schedule", files.schedule.empty()
                                           ? "not written (use --schedule FILE.csv)"
                                           : written_words(files.schedule, answer));
    if (!files.rollback.empty())
        lines.emplace_back("way back", written_words(files.rollback, answer));
    if (!files.leaders.empty())
        lines.emplace_back("leaders", "changes written to " + files.leaders);
    if (!files.moves.empty()) lines.emplace_back("without barriers", "written to " + files.moves);
    if (!files.steps.empty())
        lines.emplace_back("steps", "written to " + files.steps + " and files beside it");
    for (const auto& [name, value] : lines) {
        const std::string begin = fmt::format("  {:<16} ", name);
        text += begin + hanging(value, value_column, line_width, width_of(begin)) + '\n';
    }
    text += rules_text(answer.problem, told_before(answer.problem, answer.plan.before.broken),
                       "Rules broken before:");
    text += rules_text(answer.problem, told_once(answer.problem, answer.plan.replayed.end.broken),
                       "Rules broken at the end:");
    text += conflicts_text(answer);
    return text + reasons_text(answer);
}

}  // namespace equipoise::report
