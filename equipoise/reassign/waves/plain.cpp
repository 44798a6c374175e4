#include "equipoise/reassign/waves/plain.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/search/pair_counts.hpp"

namespace equipoise::reassign {

namespace {

class Conversion {
  public:
    Conversion(const Problem& problem, std::span<const MachineId> ends)
        : problem_(problem), ends_(ends), plain_(rates_alone(problem, ends)) {}

    std::optional<PlainProblem> run() {
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
        if (count > 1 || problem_.resources[resource].release != Release::after_wave ||
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
    /// several rules, or some can never arrive.
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
    PlainProblem plain_;
};

}  // namespace

PlainProblem rates_alone(const Problem& problem, std::span<const MachineId> ends) {
    PlainProblem plain;
    optimum::ItemsProblem& items = plain.problem;
    items.nodes = problem.machine_count();
    const bool rates = !problem.gives.empty() || !problem.takes.empty();
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        if (ends[item] == problem.places[item]) continue;
        plain.items.push_back(item);
        items.places.push_back(problem.places[item]);
        items.final_places.push_back(ends[item]);
        if (rates && problem.copied != items_resource)
            items.sizes.push_back(problem.amount(item, problem.copied));
    }
    items.gives = problem.gives;
    items.takes = problem.takes;
    items.at_once = problem.at_once;
    return plain;
}

std::optional<PlainProblem> as_plain(const Problem& problem, std::span<const MachineId> ends) {
    return Conversion(problem, ends).run();
}

}  // namespace equipoise::reassign
