#include "equipoise/reassign/leaders/decide.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "equipoise/base/figures.hpp"
#include "equipoise/reassign/bounds/phrases.hpp"
#include "equipoise/reassign/checks/leaders.hpp"
#include "equipoise/reassign/leaders/leader_flow.hpp"

namespace equipoise::reassign {

namespace {

/// The items of each thing, in order.
class ItemsOfThings {
  public:
    explicit ItemsOfThings(const Problem& problem)
        : first_(std::size_t{problem.things.size()} + 1, 0), items_(problem.item_count()) {
        for (const std::uint32_t thing : problem.thing)
            ++first_[thing + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        std::vector<std::uint32_t> end = first_;
        for (ItemId item = 0; item < problem.item_count(); ++item)
            items_[end[problem.thing[item]]++] = item;
    }
    [[nodiscard]] std::span<const ItemId> of(std::uint32_t thing) const {
        return std::span(items_).subspan(first_[thing], first_[thing + 1] - first_[thing]);
    }

  private:
    std::vector<std::uint32_t> first_;
    std::vector<ItemId> items_;
};

class Decision {
  public:
    Decision(const Problem& problem, std::span<const MachineId> places)
        : problem_(problem),
          places_(places),
          items_(problem),
          before_(leaders_of(problem)),
          after_(before_) {}

    LeaderPlan make() {
        for (std::uint32_t thing = 0; thing < problem_.things.size(); ++thing)
            settle(thing);
        std::string& reason = plan_.changed.reason;
        if (given_ > 0) reason = counted(given_, "leader") + " that the target gives";
        if (must_go_ > 0)
            add_reason(reason, counted(must_go_, "leader") + " on machines that must end empty");
        if (problem_.leaders_tolerance) level();
        for (std::uint32_t thing = 0; thing < problem_.things.size(); ++thing)
            if (after_[thing] != before_[thing])
                plan_.changes.push_back({thing, before_[thing], after_[thing]});
        plan_.changed.at_least = static_cast<Tokens>(plan_.changes.size());
        return std::move(plan_);
    }

  private:
    /// Decides who leads the thing, or among which items that is still to be decided.
    void settle(std::uint32_t thing) {
        const ItemId leader = before_[thing];
        const bool is_pinned = leader != no_item && problem_.pinned[places_[leader]];
        const ItemId given =
            problem_.given_leaders.empty() ? no_item : problem_.given_leaders[thing];
        const bool is_given =
            given != no_item &&
            (given == leader || (!is_pinned && problem_.may_take(places_[given])));
        if (is_given) {
            after_[thing] = given;
            if (given != leader) ++given_;
        }
        if (after_[thing] == no_item) return;
        const bool must_go = !is_pinned && !is_given && problem_.drained[places_[leader]];
        std::vector<ItemId> choices;
        if (!must_go) choices.push_back(after_[thing]);
        if (must_go || (problem_.leaders_tolerance && !is_pinned && !is_given))
            add_choices(thing, choices);
        if (choices.empty()) {
            choices.push_back(leader);
        } else if (must_go) {
            ++must_go_;
        }
        after_[thing] = choices.front();
        if (problem_.leaders_tolerance) offer(choices, leader);
    }

    /// Adds the items of the thing that may begin to lead, one for each machine.
    void add_choices(std::uint32_t thing, std::vector<ItemId>& choices) const {
        for (const ItemId item : items_.of(thing)) {
            const bool is_elsewhere =
                std::none_of(choices.begin(), choices.end(),
                             [&](ItemId other) { return places_[other] == places_[item]; });
            if (problem_.may_take(places_[item]) && is_elsewhere) choices.push_back(item);
        }
    }

    void offer(std::span<const ItemId> items, ItemId leader) {
        choices_.first.push_back(choices_.first.back());
        for (const ItemId item : items) {
            ++choices_.first.back();
            choices_.machine.push_back(places_[item]);
            choices_.is_change.push_back(item != leader);
            choice_items_.push_back(item);
        }
    }

    void level() {
        choices_.limits = problem_.leader_limits();
        const LeaderFlow flow = level_leaders(choices_);
        for (const std::uint32_t choice : flow.chosen)
            after_[problem_.thing[choice_items_[choice]]] = choice_items_[choice];
        plan_.over.at_least = flow.over;
        if (flow.over > 0)
            plan_.over.reason =
                (problem_.has_given_leaders() ? "with the leaders of the target, " : "") +
                crowded_words(flow);
        const Tokens levelled = flow.changes - static_cast<Tokens>(must_go_ + given_);
        const Tokens above = above_before() - flow.over;
        if (above > 0)
            add_reason(plan_.changed.reason,
                       counted(above, "leader") + " above what machines may lead");
        if (levelled > above)
            add_reason(plan_.changed.reason,
                       counted(levelled - above, "leader") +
                           (levelled - above == 1 ? " that makes" : " that make") +
                           " room for others");
    }

    /// What machines lead above their limits where nothing changes but what must.
    [[nodiscard]] Tokens above_before() const {
        std::vector<Tokens> led(problem_.machine_count(), 0);
        Tokens above = 0;
        for (std::uint32_t thing = 0; thing < choices_.things(); ++thing)
            if (!choices_.is_change[choices_.first[thing]])
                ++led[choices_.machine[choices_.first[thing]]];
        for (MachineId machine = 0; machine < led.size(); ++machine)
            above += std::max<Tokens>(led[machine] - choices_.limits[machine], 0);
        return above;
    }

    /// Sets of machines that all choices of some things are on, more than they may lead.
    [[nodiscard]] std::string crowded_words(const LeaderFlow& flow) const {
        std::vector<MachineId> set(problem_.machine_count());
        std::iota(set.begin(), set.end(), MachineId{0});
        const auto find = [&](MachineId machine) {
            while (set[machine] != machine)
                machine = set[machine] = set[set[machine]];
            return machine;
        };
        std::vector<Tokens> things(set.size(), 0);
        for (std::uint32_t thing = 0; thing < choices_.things(); ++thing) {
            const MachineId chosen = choices_.machine[flow.chosen[thing]];
            if (!flow.crowded[chosen]) continue;
            ++things[chosen];
            for (std::uint32_t at = choices_.first[thing]; at < choices_.first[thing + 1]; ++at)
                set[find(choices_.machine[at])] = find(chosen);
        }
        std::string words;
        constexpr std::size_t sets_shown = 3;
        std::size_t sets = 0;
        for (MachineId root = 0; root < set.size(); ++root) {
            if (set[root] != root || !flow.crowded[root] || ++sets > sets_shown) continue;
            std::vector<MachineId> machines;
            Tokens led = 0;
            Tokens may = 0;
            for (MachineId machine = 0; machine < set.size(); ++machine) {
                if (find(machine) != root) continue;
                machines.push_back(machine);
                led += things[machine];
                may += choices_.limits[machine];
            }
            add_reason(words, counted(led, "item") + " can be led from " +
                                  some_machines(problem_, machines) + " only, which may lead " +
                                  grouped(may));
        }
        if (sets > sets_shown)
            add_reason(words, counted(std::uint64_t{sets - sets_shown}, "other such set") +
                                  " of machines");
        return words;
    }

    const Problem& problem_;
    std::span<const MachineId> places_;
    ItemsOfThings items_;
    Leaders before_;
    Leaders after_;
    LeaderChoices choices_;
    std::vector<ItemId> choice_items_;  ///< by choice
    std::uint64_t given_ = 0;           ///< changes to given leaders
    std::uint64_t must_go_ = 0;         ///< leaders on drained machines
    LeaderPlan plan_;
};

}  // namespace

LeaderPlan decide_leaders(const Problem& problem, std::span<const MachineId> places) {
    return Decision(problem, places).make();
}

}  // namespace equipoise::reassign
