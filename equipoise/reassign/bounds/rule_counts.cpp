#include "equipoise/reassign/bounds/rule_counts.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "equipoise/base/figures.hpp"
#include "equipoise/reassign/bounds/phrases.hpp"
#include "equipoise/reassign/checks/words.hpp"

namespace equipoise::reassign {

namespace {

class RuleCounter {
  public:
    RuleCounter(const Problem& problem, const Reach& reach) : problem_(problem), reach_(reach) {
        for (const std::vector<bool>& takers : reach.takers)
            takers_.push_back(
                static_cast<std::size_t>(std::count(takers.begin(), takers.end(), true)));
    }

    RuleCounts all() {
        forbidden_places();
        least_items();
        Int128 more = 0;  // where items must leave forbidden places, and only for one rule
        std::string reason_for_more;
        for (std::size_t rule = 0; rule < problem_.apart.size(); ++rule)
            offer(apart(rule), counts_.apart, more, reason_for_more);
        for (const Spread& rule : problem_.spread)
            offer(spread(rule), counts_.spread, more, reason_for_more);
        for (const Near& rule : problem_.near) {
            const Count count = near(rule);
            counts_.near.push_back(count.by == 0);
            add(count);
        }
        counts_.at_least = counts_.separate + more;
        add_reason(counts_.reason, reason_for_more);
        return std::move(counts_);
    }

  private:
    struct Count {
        Int128 by = 0;
        std::string reason;
    };
    /// Of one rule: as items may stay anywhere, and if they leave forbidden places.
    struct Counted {
        Count anyhow;
        Count leaving;
    };

    void add(const Count& count) {
        counts_.separate += count.by;
        add_reason(counts_.reason, count.reason);
    }

    void offer(const Counted& counted, std::vector<bool>& holds, Int128& more,
               std::string& reason_for_more) {
        add(counted.anyhow);
        holds.push_back(counted.anyhow.by == 0);
        const Int128 by = counted.leaving.by - counted.anyhow.by;
        if (by <= more) return;
        more = by;
        reason_for_more = counted.leaving.reason;
    }

    void forbidden_places() {
        Count count;
        ItemId first = 0;
        for (ItemId item = problem_.item_count(); item-- > 0;) {
            if (!reach_.must_leave[item] || reach_.leaves[item]) continue;
            ++count.by;
            first = item;
        }
        if (count.by == 0) return;
        count.reason = problem_.item_name(first) + " must leave " +
                       machine_words(problem_, problem_.places[first]) + ", and may not";
        if (count.by > 1)
            count.reason += "; so must " + counted(static_cast<Tokens>(count.by - 1), "other item");
        add(count);
    }

    /// Items that machines need, against those that may be there.
    void least_items() {
        if (problem_.least_items.empty()) return;
        std::vector<Int128> stuck(problem_.machine_count(), 0);
        Int128 free = 0;
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            if (reach_.leaves[item]) {
                ++free;
            } else {
                ++stuck[problem_.places[item]];
            }
        }
        Int128 missing = 0;
        Int128 closed = 0;
        std::vector<MachineId> closed_machines;
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine) {
            const Int128 least = problem_.least_items_of(machine);
            missing += surplus(least, stuck[machine]);
            const Int128 by = surplus(least, reach_.on(machine).size());
            if (problem_.may_take(machine) || by == 0) continue;
            closed += by;
            closed_machines.push_back(machine);
        }
        counts_.least_items = closed == 0 && missing <= free;
        if (closed >= surplus(missing, free)) {
            if (closed > 0)
                add({closed, some_machines(problem_, closed_machines) + " may take nothing, and " +
                                 counted(static_cast<Tokens>(closed), "item") + " are missing"});
            return;
        }
        add({missing - free, "machines must have " + counted(static_cast<Tokens>(missing), "item") +
                                 " more than cannot leave them, and " +
                                 counted(static_cast<Tokens>(free), "item") + " may move"});
    }

    /// On how many machines the items may end.
    [[nodiscard]] std::size_t machines_for(const std::vector<ItemId>& items, bool leave) const {
        std::vector<bool> possible(problem_.machine_count(), false);
        std::vector<bool> seen(reach_.takers.size(), false);
        for (const ItemId item : items) {
            if (reach_.may_stay(item, leave)) possible[problem_.places[item]] = true;
            if (!reach_.leaves[item] || seen[reach_.kinds[item]]) continue;
            seen[reach_.kinds[item]] = true;
            const std::vector<bool>& takers = reach_.takers[reach_.kinds[item]];
            for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
                if (takers[machine]) possible[machine] = true;
        }
        return static_cast<std::size_t>(std::count(possible.begin(), possible.end(), true));
    }

    [[nodiscard]] Int128 stuck_together(const std::vector<ItemId>& items) const {
        std::map<MachineId, Int128> stuck;
        for (const ItemId item : items)
            if (!reach_.leaves[item]) ++stuck[problem_.places[item]];
        Int128 together = 0;
        for (const auto& [machine, count] : stuck)
            together += count - 1;
        return together;
    }

    [[nodiscard]] bool has_room_for_all(const std::vector<ItemId>& items) const {
        return std::all_of(items.begin(), items.end(), [&](ItemId item) {
            return reach_.leaves[item] && takers_[reach_.kinds[item]] >= items.size();
        });
    }

    [[nodiscard]] Counted apart(std::size_t rule) const {
        Counted counted_rule;
        const std::size_t label = problem_.apart[rule].label;
        const std::vector<std::vector<ItemId>> groups = items_by_value(problem_.item_labels[label]);
        for (ValueId value = 0; value < groups.size(); ++value) {
            const std::vector<ItemId>& items = groups[value];
            if (items.size() < 2 || has_room_for_all(items)) continue;
            const Int128 together = stuck_together(items);
            const auto look = [&](bool leave, Count& count) {
                const std::size_t machines = machines_for(items, leave);
                const Int128 by = std::max(surplus(items.size(), machines), together);
                count.by += by;
                if (by > 0 && count.reason.empty())
                    count.reason =
                        items_words(problem_, label, value, static_cast<Tokens>(items.size())) +
                        " must be apart, and only " + counted(std::uint64_t{machines}, "machine") +
                        " may have one" + (by == together ? ", where some cannot leave" : "");
            };
            look(false, counted_rule.anyhow);
            look(true, counted_rule.leaving);
        }
        return counted_rule;
    }

    [[nodiscard]] Counted spread(const Spread& rule) const {
        Counted counted_rule;
        const SpreadNeeds needs(problem_, reach_, rule);
        const std::vector<std::vector<ItemId>> groups =
            items_by_value(problem_.item_labels[rule.label]);
        for (ValueId value = 0; value < groups.size(); ++value) {
            const std::vector<ItemId>& items = groups[value];
            const Int128 anyhow = needs.broken_at_least(items, false);
            const auto look = [&](bool leave, Count& count) {
                // An item that stays breaks a rule, and may mend more than one of this kind.
                const Int128 by =
                    leave ? std::min(needs.broken_at_least(items, true), anyhow + 1) : anyhow;
                count.by += by;
                if (by > 0 && count.reason.empty())
                    count.reason =
                        items_words(problem_, rule.label, value,
                                    static_cast<Tokens>(items.size())) +
                        " must be spread over " +
                        std::to_string(needs.values_needed(items.size())) + " values of " +
                        problem_.machine_labels[rule.machine_label].name + ", and may be on " +
                        std::to_string(needs.possible(items, leave).values.size());
            };
            look(false, counted_rule.anyhow);
            look(true, counted_rule.leaving);
        }
        return counted_rule;
    }

    /// Services that need others which do not exist.
    [[nodiscard]] Count near(const Near& rule) const {
        Count count;
        const Label& label = problem_.item_labels[rule.label];
        const std::vector<std::vector<ItemId>> groups = items_by_value(label);
        for (const auto& [service, other] : rule.depends) {
            if (groups[service].empty() || !groups[other].empty()) continue;
            ++count.by;
            if (count.reason.empty())
                count.reason = "there is no item of " + label.name + " " +
                               std::string(label.values.name(other)) + ", near which " +
                               std::string(label.values.name(service)) + " must be";
        }
        return count;
    }

    const Problem& problem_;
    const Reach& reach_;
    std::vector<std::size_t> takers_;  ///< by kind of item: how many machines may take it
    RuleCounts counts_;
};

}  // namespace

RuleCounts rules_broken(const Problem& problem, const Reach& reach) {
    return RuleCounter(problem, reach).all();
}

}  // namespace equipoise::reassign
