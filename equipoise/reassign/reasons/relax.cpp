#include "equipoise/reassign/reasons/relax.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "equipoise/base/figures.hpp"
#include "equipoise/reassign/bounds/bounds.hpp"
#include "equipoise/reassign/checks/words.hpp"
#include "equipoise/reassign/reasons/relaxed_problem.hpp"
#include "equipoise/reassign/schedule/schedule.hpp"

namespace equipoise::reassign {

namespace {

/// Relaxations are taken back one by one for so long, or so often in runs by effort.
constexpr double seconds_most = 5;
constexpr std::size_t tries_most = 16;
/// Steps of the search through all placements without one of them.
constexpr std::uint64_t steps_most = 500'000;
/// Iterations of the local search, where that does not end.
constexpr std::uint64_t effort_most = 50'000;

/// Rules that are relaxed together, as one.
struct Relaxation {
    std::vector<BrokenRule> rules;
    bool proved = false;
};

class Relaxations {
  public:
    Relaxations(const Problem& problem, const SearchedPlacement& best, const SearchOptions& options)
        : problem_(problem),
          best_(best),
          options_(options),
          rules_(rules_only(problem)),
          places_(best.places) {}

    std::vector<Conflict> all() {
        collect();
        if (stand(relaxed(rules_, rules_of(no_one), best_.places), best_.places).score.broken == 0)
            take_back();
        if (!can_be_reached()) return {};
        std::vector<Conflict> conflicts;
        for (const Relaxation& relaxation : kept_)
            for (const BrokenRule& rule : relaxation.rules)
                // Copies that stay outside are told once.
                if (rule.kind != RuleKind::apart || rule.machine != problem_.outside)
                    conflicts.push_back(conflict(rule, relaxation.proved));
        return conflicts;
    }

  private:
    static constexpr std::size_t no_one = std::numeric_limits<std::size_t>::max();

    void collect() {
        std::map<std::pair<std::size_t, ValueId>, std::size_t> spread;
        for (const BrokenRule& broken : stand(problem_, best_.places).broken) {
            if (broken.kind == RuleKind::spread) {
                const auto [at, is_new] =
                    spread.try_emplace({broken.rule, broken.value}, kept_.size());
                if (!is_new) {
                    kept_[at->second].rules.push_back(broken);
                    continue;
                }
            }
            kept_.push_back({{broken}, false});
        }
    }

    /// The rules of all that are kept but one.
    [[nodiscard]] std::vector<BrokenRule> rules_of(std::size_t but) const {
        std::vector<BrokenRule> rules;
        for (std::size_t at = 0; at < kept_.size(); ++at)
            if (at != but)
                rules.insert(rules.end(), kept_[at].rules.begin(), kept_[at].rules.end());
        return rules;
    }

    /// Whether waves lead to a placement in which all rules hold, relaxed as they are.
    [[nodiscard]] bool can_be_reached() const {
        ScheduleOptions waves;
        waves.seed = options_.seed;
        waves.stop = options_.stop;
        return schedule_moves(relaxed(rules_, rules_of(no_one), best_.places), places_, waves)
            .complete;
    }

    void take_back() {
        using Clock = std::chrono::steady_clock;
        const Clock::time_point begin = Clock::now();
        std::size_t tries = 0;
        for (std::size_t at = 0; at < kept_.size();) {
            const std::chrono::duration<double> passed = Clock::now() - begin;
            if (options_.effort ? ++tries > tries_most : passed.count() > seconds_most) return;
            if (options_.stop.stop_requested()) return;
            const std::optional<bool> holds =
                rules_can_hold(relaxed(rules_, rules_of(at), best_.places));
            if (holds && *holds) {
                kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(at));
                continue;
            }
            kept_[at].proved = holds.has_value();
            ++at;
        }
    }

    /// Nothing if no placement was found, and nothing says that there is none.
    [[nodiscard]] std::optional<bool> rules_can_hold(const Problem& rules) {
        BoundOptions bounds;
        bounds.effort = 0;
        bounds.linear_program = !options_.effort;
        bounds.seconds = 1;
        // In relation to any broken rule there is room for a better bound.
        Score broken;
        broken.broken = std::numeric_limits<Tokens>::max();
        if (bounds_of(rules, broken, bounds).broken.at_least > 0) return false;
        if (const std::optional<SearchedPlacement> all = search_all_places(rules, steps_most)) {
            if (all->score.broken > 0) return false;
            places_ = all->places;
            return true;
        }
        SearchOptions search = options_;
        search.progress = nullptr;
        search.effort = effort_most;
        if (options_.effort) search.effort = std::min(*options_.effort, effort_most);
        Score unbroken;
        for (Int128* part : {&unbroken.over_thresholds, &unbroken.over_levels, &unbroken.cost,
                             &unbroken.fewest, &unbroken.moves})
            *part = std::numeric_limits<Tokens>::max();
        const SearchedPlacement found = search_places(rules, search, unbroken);
        if (found.score.broken > 0) return std::nullopt;
        places_ = found.places;
        return true;
    }

    [[nodiscard]] std::string value_of(std::size_t label, ValueId value) const {
        return std::string(problem_.item_labels[label].values.name(value));
    }
    [[nodiscard]] std::string rack_words(const BrokenRule& rule) const {
        const std::size_t label = rule.kind == RuleKind::spread
                                      ? problem_.spread[rule.rule].machine_label
                                      : problem_.near[rule.rule].machine_label;
        const Label& racks = problem_.machine_labels[label];
        if (rule.machine_value == no_value) return "machines without " + racks.name;
        return racks.name + " " + std::string(racks.values.name(rule.machine_value));
    }
    /// The items left on a drained machine.
    [[nodiscard]] std::string left_on(MachineId machine) const {
        constexpr std::size_t named_most = 3;
        std::string names;
        std::size_t left = 0;
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (best_.places[item] == machine && ++left <= named_most)
                names += (left > 1 ? ", " : "") + problem_.item_name(item);
        if (left > named_most)
            names += " and " + counted(std::uint64_t{left - named_most}, "other");
        return names;
    }

    [[nodiscard]] Conflict conflict(const BrokenRule& rule, bool proved) const {
        Conflict made;
        made.rule = rule;
        made.short_by = rule.by;
        made.proved = proved;
        switch (rule.kind) {
            case RuleKind::capacity:
                add_capacity(rule, made);
                break;
            case RuleKind::least_items:
                made.words = machine_words(problem_, rule.machine) + ": " +
                             counted(rule.by, "item") + " fewer";
                made.relax = "least items of " + machine_words(problem_, rule.machine) + ": " +
                             grouped(rule.limit - rule.by) + ", not " + grouped(rule.limit);
                break;
            case RuleKind::drained:
                if (rule.machine == problem_.outside) {
                    made.words = words(problem_, rule) + ": " + left_on(rule.machine);
                    made.relax = "ask for " + grouped(rule.by) +
                                 (rule.by == 1 ? " copy" : " copies") +
                                 " fewer: " + left_on(rule.machine);
                    break;
                }
                made.words = machine_words(problem_, rule.machine) + ": " +
                             counted(rule.by, "item") + " left";
                made.relax = "drain " + machine_words(problem_, rule.machine) + " except for " +
                             left_on(rule.machine);
                break;
            case RuleKind::not_allowed:
                made.words = machine_words(problem_, rule.machine) + ": " +
                             problem_.item_name(rule.item) + " stays";
                made.relax = "allow " + problem_.item_name(rule.item) + " on " +
                             machine_words(problem_, rule.machine);
                break;
            case RuleKind::apart:
                add_apart(rule, made);
                break;
            case RuleKind::spread:
                add_spread(rule, made);
                break;
            case RuleKind::near:
                add_near(rule, made);
                break;
        }
        return made;
    }

    void add_capacity(const BrokenRule& rule, Conflict& made) const {
        const Resource& resource = problem_.resources[rule.resource];
        const std::string machine = machine_words(problem_, rule.machine);
        made.words = machine + ": " + resource.name + ": " + amount_text(resource, rule.by) +
                     " more capacity";
        made.relax = "capacity of " + machine + ": " + resource.name + " " +
                     exact_text(resource, rule.limit + rule.by) + ", not " +
                     exact_text(resource, rule.limit);
    }

    void add_apart(const BrokenRule& rule, Conflict& made) const {
        const std::size_t label = problem_.apart[rule.rule].label;
        const std::string items = items_words(problem_, label, rule.value, rule.by + 1);
        made.words = machine_words(problem_, rule.machine) + ": " + items + " together";
        // Copies of one thing cannot be together at all.
        made.relax = label == 0
                         ? items_words(problem_, label, rule.value, rule.by) +
                               " fewer, or as many machines more"
                         : "let " + items + " be on " + machine_words(problem_, rule.machine);
    }

    void add_spread(const BrokenRule& rule, Conflict& made) const {
        const Spread& spread = problem_.spread[rule.rule];
        const std::string& racks = problem_.machine_labels[spread.machine_label].name;
        if (rule.machine_value == no_value) {
            const std::string items = value_of(spread.label, rule.value);
            made.words = items + ": " + grouped(rule.by) + " fewer of " + racks;
            made.relax = "spread " + items + " over " + grouped(rule.limit - rule.by) + " of " +
                         racks + ", not " + grouped(rule.limit);
            return;
        }
        made.words = rack_words(rule) + ": " +
                     items_words(problem_, spread.label, rule.value, rule.by) + " more";
        made.relax = "let " + rack_words(rule) + " have " +
                     items_words(problem_, spread.label, rule.value, rule.limit + rule.by) +
                     ", not " + grouped(rule.limit);
    }

    void add_near(const BrokenRule& rule, Conflict& made) const {
        const Near& near = problem_.near[rule.rule];
        const std::string service = value_of(near.label, rule.value);
        const std::string other = value_of(near.label, near.depends[rule.pair].second);
        made.words = rack_words(rule) + ": " + service + " without " + other;
        made.relax = "let " + service + " be in " + rack_words(rule) + " without " + other;
        if (rule.machine_value == no_value)
            made.relax = "let " + service + " be on " + rack_words(rule);
    }

    const Problem& problem_;
    const SearchedPlacement& best_;
    const SearchOptions& options_;
    Problem rules_;
    std::vector<MachineId> places_;  ///< in which they hold, relaxed as they are
    std::vector<Relaxation> kept_;
};

}  // namespace

std::vector<Conflict> relaxations(const Problem& problem, const SearchedPlacement& best,
                                  const SearchOptions& options) {
    return Relaxations(problem, best, options).all();
}

}  // namespace equipoise::reassign
