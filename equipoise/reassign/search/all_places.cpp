#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/reassign/search/local_search.hpp"
#include "equipoise/reassign/search/partial_placement.hpp"
#include "equipoise/reassign/search/search.hpp"

namespace equipoise::reassign {

namespace {

// Problem: a placement with the least score of all.
// Model: as `Problem` says; the budget and what no schedule allows are never exceeded.
// Source: branch and bound by depth-first search. Items of machines that hold too much come first,
//   and of their places the one with the lowest bound. Bounds: what placed items cost already;
//   amounts that have no room; and what every machine must give if it is to hold no more than its
//   limits (continuous knapsacks). Equal items are placed in the order of machines; of machines
//   without items that are alike, only the first empty one is tried.
// Guarantee: exact if it ends.
class AllPlaces {
  public:
    AllPlaces(const SearchTables& tables, std::uint64_t effort, const std::stop_token& stop,
              const LocalSearch& found)
        : tables_(tables),
          problem_(tables.problem),
          placement_(tables),
          effort_(effort),
          stop_(stop),
          best_(found.best().score),
          best_places_(found.best_places().begin(), found.best_places().end()) {
        order_items();
        find_twins();
        find_alike_machines();
    }

    /// Whether it came to its end.
    bool run() {
        search(0);
        return !is_spent();
    }
    [[nodiscard]] const std::vector<MachineId>& best_places() const { return best_places_; }
    [[nodiscard]] const Score& best() const { return best_; }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }

  private:
    struct Choice {
        FullScore bound;
        MachineId machine = 0;
    };

    void order_items();
    void find_twins();
    void find_alike_machines();
    [[nodiscard]] bool are_twins(ItemId item, ItemId other) const;
    [[nodiscard]] bool are_alike(MachineId machine, MachineId other) const;
    [[nodiscard]] bool is_tried(ItemId item, MachineId machine) const;
    [[nodiscard]] bool is_spent() const { return steps_ > effort_ || stop_.stop_requested(); }
    [[nodiscard]] bool worth_it(const FullScore& bound) const {
        return bound.excluded == 0 && bound.score < best_;
    }
    /// Machines in the order in which equal items are placed on them: the item's own first.
    [[nodiscard]] std::uint64_t rank(ItemId item, MachineId machine) const {
        return machine == problem_.places[item] ? 0 : std::uint64_t{machine} + 1;
    }
    void search(std::size_t depth);

    const SearchTables& tables_;
    const Problem& problem_;
    PartialPlacement placement_;
    std::uint64_t effort_;
    const std::stop_token& stop_;
    std::uint64_t steps_ = 0;
    Score best_;
    std::vector<MachineId> best_places_;
    std::vector<ItemId> order_;
    /// By item: the item before it in the order that is equal to it in everything.
    std::vector<std::optional<ItemId>> twin_before_;
    /// By machine: the one before it that is equal to it in everything, if both are empty.
    std::vector<std::optional<MachineId>> alike_before_;
};

void AllPlaces::order_items() {
    // How much of a machine's most exceeded limit is exceeded, in millionths.
    std::vector<Int128> excess(problem_.machine_count(), 0);
    for (MachineId machine = 0; machine < problem_.machine_count(); ++machine) {
        const auto look = [&](std::size_t resource, Tokens limit) {
            const Tokens held = tables_.held[machine * tables_.kinds + resource];
            if (held > limit)
                excess[machine] = std::max(
                    excess[machine], Int128{held - limit} * 1'000'000 / std::max<Tokens>(held, 1));
        };
        for (std::size_t resource = 0; resource < tables_.kinds; ++resource)
            look(resource, std::min(problem_.capacity(machine, resource),
                                    problem_.threshold(machine, resource)));
        for (const AimTable& aim : tables_.aims)
            look(aim.resource, aim.limits[machine]);
        if (problem_.drained[machine]) look(items_resource, 0);
    }
    for (ItemId item = 0; item < problem_.item_count(); ++item)
        if (tables_.movable[item]) order_.push_back(item);
    const auto size = [&](ItemId item) {
        Int128 sum = 0;
        for (std::size_t resource = 0; resource < tables_.kinds; ++resource)
            sum += Int128{problem_.amount(item, resource)} * tables_.weights[resource];
        return sum;
    };
    std::stable_sort(order_.begin(), order_.end(), [&](ItemId a, ItemId b) {
        const MachineId home = problem_.places[a];
        const MachineId other = problem_.places[b];
        if (excess[home] != excess[other]) return excess[home] > excess[other];
        if (home != other) return home < other;
        return size(a) > size(b);
    });
}

bool AllPlaces::are_twins(ItemId item, ItemId other) const {
    if (problem_.places[item] != problem_.places[other]) return false;
    for (std::size_t resource = 0; resource < tables_.kinds; ++resource)
        if (problem_.amount(item, resource) != problem_.amount(other, resource)) return false;
    if (!problem_.allowed_set.empty() && problem_.allowed_set[item] != problem_.allowed_set[other])
        return false;
    const std::vector<Tokens>& costs = problem_.objective.move_costs;
    if (!costs.empty() && costs[item] != costs[other]) return false;
    const auto same = [&](std::size_t by) {
        const ItemGroups& groups = tables_.groups[by];
        const std::uint32_t group = groups.of[item];
        const std::uint32_t another = groups.of[other];
        return group == another || (group != ItemGroups::none && another != ItemGroups::none &&
                                    groups.sizes[group] == 1 && groups.sizes[another] == 1);
    };
    const auto in_one = [&](std::size_t by) {
        return tables_.groups[by].of[item] == tables_.groups[by].of[other];
    };
    return std::all_of(tables_.apart.begin(), tables_.apart.end(),
                       [&](const ApartTable& table) { return same(table.groups); }) &&
           std::all_of(tables_.spread.begin(), tables_.spread.end(),
                       [&](const SpreadTable& table) { return same(table.groups); }) &&
           std::all_of(tables_.near.begin(), tables_.near.end(),
                       [&](const NearTable& table) { return in_one(table.groups); }) &&
           (!tables_.most_moved || same(*tables_.most_moved));
}

void AllPlaces::find_twins() {
    twin_before_.resize(problem_.item_count());
    for (std::size_t place = 1; place < order_.size(); ++place)
        for (std::size_t before = place; before-- > 0;) {
            if (problem_.places[order_[before]] != problem_.places[order_[place]]) break;
            if (!are_twins(order_[place], order_[before])) continue;
            twin_before_[order_[place]] = order_[before];
            break;
        }
}

bool AllPlaces::are_alike(MachineId machine, MachineId other) const {
    for (std::size_t resource = 0; resource < tables_.kinds; ++resource)
        if (problem_.capacity(machine, resource) != problem_.capacity(other, resource) ||
            problem_.threshold(machine, resource) != problem_.threshold(other, resource))
            return false;
    if (problem_.least_items_of(machine) != problem_.least_items_of(other)) return false;
    for (const AimTable& aim : tables_.aims)
        if (aim.limits[machine] != aim.limits[other]) return false;
    for (const std::vector<bool>& set : problem_.sets)
        if (set[machine] != set[other]) return false;
    const std::vector<std::uint32_t>& costs = problem_.objective.pair_costs;
    if (!costs.empty())
        for (MachineId from = 0; from < problem_.machine_count(); ++from) {
            const std::size_t row = std::size_t{from} * problem_.machine_count();
            if (costs[row + machine] != costs[row + other]) return false;
        }
    return std::all_of(tables_.spread.begin(), tables_.spread.end(),
                       [&](const SpreadTable& table) {
                           return table.value[machine] == table.value[other];
                       }) &&
           std::all_of(tables_.near.begin(), tables_.near.end(), [&](const NearTable& table) {
               return table.value[machine] == table.value[other];
           });
}

void AllPlaces::find_alike_machines() {
    alike_before_.resize(problem_.machine_count());
    std::vector<MachineId> empty;
    for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
        if (tables_.takes[machine] && tables_.held[machine * tables_.kinds + items_resource] == 0)
            empty.push_back(machine);
    for (std::size_t place = 1; place < empty.size(); ++place)
        for (std::size_t before = place; before-- > 0;) {
            if (!are_alike(empty[place], empty[before])) continue;
            alike_before_[empty[place]] = empty[before];
            break;
        }
}

bool AllPlaces::is_tried(ItemId item, MachineId machine) const {
    if (!tables_.may_be_on(item, machine)) return false;
    if (alike_before_[machine] && placement_.is_empty(machine) &&
        placement_.is_empty(*alike_before_[machine]))
        return false;
    const std::optional<ItemId> twin = twin_before_[item];
    return !twin || rank(item, machine) >= rank(*twin, placement_.place_of(*twin));
}

void AllPlaces::search(std::size_t depth) {
    if (steps_ > effort_) return;
    if (depth == order_.size()) {
        const FullScore score = placement_.at_least();
        if (!worth_it(score)) return;
        best_ = score.score;
        best_places_.assign(placement_.places().begin(), placement_.places().end());
        return;
    }
    const ItemId item = order_[depth];
    std::vector<Choice> choices;
    for (MachineId machine = 0; machine < problem_.machine_count(); ++machine) {
        if (!is_tried(item, machine)) continue;
        ++steps_;
        if (is_spent()) return;
        placement_.place(item, machine);
        const FullScore bound = placement_.at_least(best_);
        placement_.take_back(item);
        if (worth_it(bound)) choices.push_back({bound, machine});
    }
    std::stable_sort(choices.begin(), choices.end(),
                     [](const Choice& a, const Choice& b) { return a.bound < b.bound; });
    for (const Choice& choice : choices) {
        if (!worth_it(choice.bound)) continue;
        placement_.place(item, choice.machine);
        search(depth + 1);
        placement_.take_back(item);
        if (is_spent()) return;
    }
}

/// Tables by value and machine must stay small.
bool is_small(const SearchTables& tables) {
    constexpr std::uint64_t most = 1U << 20U;
    constexpr std::uint64_t deepest = 512;
    const Problem& problem = tables.problem;
    std::uint64_t cells = problem.machine_count() * std::uint64_t{tables.kinds};
    for (const ApartTable& table : tables.apart)
        cells += tables.groups[table.groups].sizes.size() * std::uint64_t{problem.machine_count()};
    for (const SpreadTable& table : tables.spread)
        cells += tables.groups[table.groups].sizes.size() * table.values;
    for (const NearTable& table : tables.near)
        cells += tables.groups[table.groups].sizes.size() * (table.values + 1);
    const auto movable =
        static_cast<std::uint64_t>(std::count(tables.movable.begin(), tables.movable.end(), true));
    return cells <= most && movable <= deepest;
}

}  // namespace

std::optional<SearchedPlacement> search_all_places(const Problem& problem, std::uint64_t effort,
                                                   const std::stop_token& stop) {
    const SearchTables tables(problem);
    // What is good already cuts off most of the tree.
    const std::uint64_t first = 2000 + 200 * std::uint64_t{problem.item_count()};
    LocalSearch found(tables, 1, 0, std::min(effort / 8, first),
                      [&stop](const LocalSearch&) { return !stop.stop_requested(); });
    found.run({});
    SearchedPlacement result;
    result.effort = found.iterations();
    if (found.best().score != Score{}) {
        if (!is_small(tables)) return {};
        AllPlaces all(tables, effort - found.iterations(), stop, found);
        if (!all.run()) return {};
        result.effort += all.steps();
        result.places = all.best_places();
        result.score = all.best();
    } else {
        result.places.assign(found.best_places().begin(), found.best_places().end());
    }
    EQUIPOISE_ASSERT(stand(problem, result.places).score == result.score);
    result.proved = true;
    return result;
}

}  // namespace equipoise::reassign
