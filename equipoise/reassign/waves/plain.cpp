#include "equipoise/reassign/waves/plain.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/copy_sources.hpp"
#include "equipoise/reassign/search/pair_counts.hpp"

namespace equipoise::reassign {

namespace {

class Conversion {
  public:
    Conversion(const Problem& problem, std::span<const MachineId> ends)
        : problem_(problem),
          ends_(ends),
          are_own_(CopySources(problem).are_own()),
          plain_(rates_alone(problem, ends, GiversAs::likely)) {}

    std::optional<PlainProblem> run() {
        if (plain_.problem.nodes > problem_.machine_count()) return std::nullopt;
        if (!may_be_at_ends() || !labels_stay() || !least_items_hold() || !add_capacities() ||
            !add_copies())
            return std::nullopt;
        return std::move(plain_);
    }

  private:
    [[nodiscard]] bool may_be_at_ends() const {
        return std::all_of(plain_.items.begin(), plain_.items.end(),
                           [&](ItemId item) { return problem_.may_be_on(item, ends_[item]); });
    }

    /// Whether no move changes what rules about racks and zones count.
    [[nodiscard]] bool labels_stay() const {
        const auto stays = [&](std::size_t label, std::size_t machine_label) {
            const std::vector<ValueId>& values = problem_.item_labels[label].of;
            const std::vector<ValueId>& at = problem_.machine_labels[machine_label].of;
            return std::all_of(plain_.items.begin(), plain_.items.end(), [&](ItemId item) {
                return values[item] == no_value || at[problem_.places[item]] == at[ends_[item]];
            });
        };
        return std::all_of(
                   problem_.spread.begin(), problem_.spread.end(),
                   [&](const Spread& rule) { return stays(rule.label, rule.machine_label); }) &&
               std::all_of(problem_.near.begin(), problem_.near.end(),
                           [&](const Near& rule) { return stays(rule.label, rule.machine_label); });
    }

    /// Whether machines keep enough items even when all have left that leave.
    [[nodiscard]] bool least_items_hold() const {
        if (problem_.least_items.empty()) return true;
        std::vector<Tokens> left(problem_.machine_count(), 0);
        for (const MachineId place : problem_.places)
            ++left[place];
        std::vector<Tokens> least = left;
        for (const ItemId item : plain_.items)
            --left[problem_.places[item]];
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            if (left[machine] < std::min(least[machine], problem_.least_items_of(machine)))
                return false;
        return true;
    }

    /// Capacities that may come to be short; false if they are of several resources.
    bool add_capacities() {
        const std::size_t kinds = problem_.resource_count();
        std::vector<Tokens> most(problem_.capacities.size(), 0);
        std::vector<bool> takes(most.size(), false);
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            for (std::size_t resource = 0; resource < kinds; ++resource) {
                const Tokens amount = problem_.amount(item, resource);
                most[problem_.places[item] * kinds + resource] += amount;
                if (ends_[item] == problem_.places[item] || amount == 0) continue;
                most[ends_[item] * kinds + resource] += amount;
                takes[ends_[item] * kinds + resource] = true;
            }
        }
        std::vector<bool> short_of(kinds, false);
        for (std::size_t at = 0; at < most.size(); ++at)
            if (takes[at] && most[at] > problem_.capacities[at]) short_of[at % kinds] = true;
        const auto count = std::count(short_of.begin(), short_of.end(), true);
        if (count == 0) return true;
        const auto resource = static_cast<std::size_t>(
            std::find(short_of.begin(), short_of.end(), true) - short_of.begin());
        const bool rates = !problem_.gives.empty() || !problem_.takes.empty();
        if (!are_own_ || count > 1 || problem_.resources[resource].release != Release::after_wave ||
            (rates && resource != problem_.copied))
            return false;
        return set_capacities(resource);
    }

    bool set_capacities(std::size_t resource) {
        optimum::ItemsProblem& plain = plain_.problem;
        plain.sizes.clear();
        for (const ItemId item : plain_.items)
            plain.sizes.push_back(problem_.amount(item, resource));
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            plain.capacities.push_back(problem_.capacity(machine, resource));
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (ends_[item] == problem_.places[item] &&
                plain.capacities[problem_.places[item]] != tokens_max)
                plain.capacities[problem_.places[item]] -= problem_.amount(item, resource);
        for (Tokens& capacity : plain.capacities)
            if (capacity < 0) return false;
        // No detours by way of machines that take nothing.
        if (plain.takes.empty()) plain.takes.assign(problem_.machine_count(), tokens_max);
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            if (!problem_.may_take(machine)) plain.takes[machine] = 0;
        return true;
    }

    /// Items that may have to wait for one from which they must be apart; false if these are of
    /// several rules, need not wait if others leave in the same wave, or can never arrive.
    bool add_copies() {
        std::optional<std::size_t> in_the_way;
        for (const Apart& rule : problem_.apart) {
            const std::vector<ValueId>& values = problem_.item_labels[rule.label].of;
            const std::size_t size = problem_.item_labels[rule.label].values.size();
            PairCounts present(size, problem_.machine_count(), problem_.item_count());
            for (ItemId item = 0; item < problem_.item_count(); ++item)
                if (values[item] != no_value) present.add(values[item], problem_.places[item]);
            const bool waits =
                std::any_of(plain_.items.begin(), plain_.items.end(), [&](ItemId item) {
                    return values[item] != no_value && present.at(values[item], ends_[item]) > 0;
                });
            if (!are_apart(values, size)) return false;
            if (!waits) continue;
            if (!are_own_ || !rule.on_the_way) return false;
            if (in_the_way && *in_the_way != rule.label) return false;
            in_the_way = rule.label;
        }
        return !in_the_way || set_copies(problem_.item_labels[*in_the_way]);
    }

    /// Whether no moved item ends where another one with its value is.
    [[nodiscard]] bool are_apart(const std::vector<ValueId>& values, std::size_t size) const {
        PairCounts there(size, problem_.machine_count(), problem_.item_count());
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (values[item] != no_value) there.add(values[item], ends_[item]);
        return std::all_of(plain_.items.begin(), plain_.items.end(), [&](ItemId item) {
            return values[item] == no_value || there.at(values[item], ends_[item]) == 1;
        });
    }

    bool set_copies(const Label& label) {
        PairCounts present(label.values.size(), problem_.machine_count(), problem_.item_count());
        std::uint32_t fresh = label.values.size();
        for (const ItemId item : plain_.items) {
            const ValueId value = label.of[item];
            // Two that must be apart and are together: the check of plain problems refuses them.
            if (value != no_value && present.add(value, problem_.places[item]) > 0) return false;
            plain_.problem.copies_of.push_back(value == no_value ? fresh++ : value);
        }
        return true;
    }

    const Problem& problem_;
    std::span<const MachineId> ends_;
    bool are_own_;
    PlainProblem plain_;
};

/// Which machine gives each item that moves to these ends; `no_machine`: not known.
class MoveGivers {
  public:
    MoveGivers(const Problem& problem, std::span<const MachineId> ends, GiversAs as)
        : problem_(problem), ends_(ends), sources_(problem), as_(as) {
        if (as == GiversAs::machines && !sources_.are_own()) find_largest();
    }

    [[nodiscard]] ItemId source_of(ItemId item) const {
        return sources_.of(item, problem_.places[item]);
    }
    [[nodiscard]] MachineId of(ItemId item) const {
        const ItemId source = source_of(item);
        const MachineId place = problem_.places[source];
        if (place == problem_.outside) return no_machine;
        if (source == item || problem_.must_stay(source)) return place;
        if (ends_[source] != place || as_ == GiversAs::sources) return no_machine;
        return as_ == GiversAs::likely || largest_[source] == item ? place : no_machine;
    }

  private:
    /// Of the items that are copied from one: the largest that is no larger than this one, which
    /// may leave instead of being copied.
    void find_largest() {
        largest_.assign(problem_.item_count(), no_item);
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            const ItemId source = source_of(item);
            if (source == item || ends_[item] == problem_.places[item]) continue;
            const auto amount = [&](ItemId of) { return problem_.amount(of, problem_.copied); };
            ItemId& largest = largest_[source];
            if (amount(item) <= amount(source) &&
                (largest == no_item || amount(item) > amount(largest)))
                largest = item;
        }
    }

    const Problem& problem_;
    std::span<const MachineId> ends_;
    CopySources sources_;
    GiversAs as_;
    std::vector<ItemId> largest_;  ///< by item that others are copied from
};

}  // namespace

PlainProblem rates_alone(const Problem& problem, std::span<const MachineId> ends, GiversAs givers) {
    PlainProblem plain;
    optimum::ItemsProblem& items = plain.problem;
    items.nodes = problem.machine_count();
    const MoveGivers gives(problem, ends, givers);
    std::unordered_map<ItemId, NodeId> node_of;
    const bool rates = !problem.gives.empty() || !problem.takes.empty();
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        if (ends[item] == problem.places[item]) continue;
        plain.items.push_back(item);
        const MachineId giver = gives.of(item);
        if (giver == no_machine) {
            const ItemId source = gives.source_of(item);
            const auto [node, is_new] = node_of.try_emplace(source, items.nodes);
            if (is_new) {
                ++items.nodes;
                plain.sources.push_back(source);
            }
            items.places.push_back(node->second);
        } else {
            items.places.push_back(giver);
        }
        items.final_places.push_back(ends[item]);
        if (rates && problem.copied != items_resource)
            items.sizes.push_back(problem.amount(item, problem.copied));
    }
    items.gives = problem.gives;
    items.takes = problem.takes;
    if (problem.half_duplex) {
        // Which machines no item can go by way of decides how many can move in a wave.
        items.takes.assign(problem.machine_count(), tokens_max);
        for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
            if (!problem.may_take(machine)) items.takes[machine] = 0;
    }
    if (!items.gives.empty())
        items.gives.resize(items.nodes,
                           *std::max_element(problem.gives.begin(), problem.gives.end()));
    if (!items.takes.empty()) items.takes.resize(items.nodes, 0);
    items.at_once = problem.at_once;
    items.half_duplex = problem.half_duplex;
    return plain;
}

std::optional<PlainProblem> as_plain(const Problem& problem, std::span<const MachineId> ends) {
    return Conversion(problem, ends).run();
}

}  // namespace equipoise::reassign
