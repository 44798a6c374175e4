#pragma once
// Small problems of items on machines, drawn with rules of all kinds. reassign_brute_force.hpp says
// what can be reached.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/givers.hpp"
#include "equipoise/reassign/input/copies.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::test {

/// How large drawn problems are at most.
struct DrawnSize {
    std::uint32_t items = 5;
    std::uint32_t machines = 4;
    bool objectives = false;   ///< whether some have weighted costs
    bool budgets = false;      ///< whether some have a budget
    bool copies = false;       ///< whether things have leaders, and some get more copies
    bool half_duplex = false;  ///< whether giving and taking count together in most
};

/// The same problem, in which items that are apart are so on the way.
[[nodiscard]] inline reassign::Problem apart_on_the_way(reassign::Problem problem) {
    for (reassign::Apart& rule : problem.apart)
        rule.on_the_way = true;
    return problem;
}

/// Draws problems. Every kind of rule and limit is in some of them; most have a few.
class ReassignDraw {
  public:
    explicit ReassignDraw(std::uint64_t seed) : random_(seed, Purpose::sampling) {}

    reassign::Problem draw(const DrawnSize& size = {}) {
        problem_ = {};
        draw_machines(size);
        draw_items(size);
        draw_labels();
        draw_limits();
        draw_rules();
        draw_aims(size);
        draw_waves(size);
        if (size.copies) draw_copies();
        problem_.check();
        return reassign::with_givers_only(problem_);
    }

  private:
    using ItemId = reassign::ItemId;
    using MachineId = reassign::MachineId;

    /// True in so many of a hundred cases.
    bool in(std::uint64_t percent) { return random_.below(100) < percent; }
    std::uint64_t between(std::uint64_t least, std::uint64_t most) {
        return least + random_.below(most - least + 1);
    }
    Tokens tokens_between(std::uint64_t least, std::uint64_t most) {
        return static_cast<Tokens>(between(least, most));
    }
    [[nodiscard]] std::vector<Tokens> used() const {
        const std::size_t kinds = problem_.resource_count();
        std::vector<Tokens> sums(problem_.machine_count() * kinds, 0);
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            for (std::size_t resource = 0; resource < kinds; ++resource)
                sums[problem_.places[item] * kinds + resource] += problem_.amount(item, resource);
        return sums;
    }

    void draw_machines(const DrawnSize& size) {
        const std::uint64_t machines = between(2, size.machines);
        for (std::uint64_t machine = 0; machine < machines; ++machine) {
            problem_.machines.number_of("m" + std::to_string(machine));
            problem_.drained.push_back(in(10));
            problem_.pinned.push_back(!problem_.drained.back() && in(7));
            problem_.speeds.push_back(in(15) ? between(1, 3) : 1);
        }
    }

    void draw_items(const DrawnSize& size) {
        problem_.resources = {{"items"}, {"bytes"}};
        if (in(40)) problem_.resources.push_back({"disk"});
        for (std::size_t at = 1; at < problem_.resources.size(); ++at) {
            if (in(20)) problem_.resources[at].release = reassign::Release::at_once;
            if (in(15)) problem_.resources[at].release = reassign::Release::after_last;
        }
        if (in(10)) problem_.resources[0].release = reassign::Release::at_once;
        problem_.item_labels.push_back({"item", {}, {}});
        const std::uint64_t items = between(1, size.items);
        const bool one_size = in(20);
        const bool copies = in(50);
        for (std::uint64_t item = 0; item < items; ++item) {
            const bool is_copy = copies && item > 0 && in(50);
            const std::string name =
                "i" + std::to_string(is_copy ? random_.below(problem_.things.size())
                                             : std::uint64_t{problem_.things.size()});
            problem_.thing.push_back(problem_.things.number_of(name));
            problem_.item_labels[0].of.push_back(problem_.item_labels[0].values.number_of(name));
            problem_.places.push_back(static_cast<MachineId>(place_for(problem_.thing.back())));
            problem_.amounts.push_back(1);
            for (std::size_t at = 1; at < problem_.resources.size(); ++at)
                problem_.amounts.push_back(one_size ? 2 : tokens_between(in(10) ? 0 : 1, 6));
        }
    }

    /// Copies of one thing are mostly apart from the beginning.
    std::uint64_t place_for(std::uint32_t thing) {
        std::uint64_t place = 0;
        for (int tries = 0; tries < 8; ++tries) {
            place = in(35) ? 0 : random_.below(problem_.machine_count());
            bool is_free = true;
            for (std::size_t other = 0; other < problem_.places.size(); ++other)
                if (problem_.thing[other] == thing && problem_.places[other] == place)
                    is_free = false;
            if (is_free) break;
        }
        return place;
    }

    void draw_labels() {
        problem_.item_labels.push_back(label("group", problem_.item_count(), between(1, 3)));
        problem_.machine_labels.push_back(label("rack", problem_.machine_count(), between(1, 3)));
    }

    reassign::Label label(const char* name, std::size_t size, std::uint64_t values) {
        reassign::Label drawn{name, {}, {}};
        for (std::uint64_t value = 0; value < values; ++value)
            drawn.values.number_of(std::string(1, name[0]) + std::to_string(value));
        const bool has_empty = in(15);
        for (std::size_t at = 0; at < size; ++at)
            drawn.of.push_back(has_empty && in(30)
                                   ? reassign::no_value
                                   : static_cast<reassign::ValueId>(random_.below(values)));
        return drawn;
    }

    void draw_limits() {
        const std::size_t kinds = problem_.resource_count();
        problem_.capacities.assign(problem_.machine_count() * kinds, tokens_max);
        problem_.thresholds = problem_.capacities;
        const std::vector<Tokens> used = this->used();
        for (std::size_t resource = 0; resource < kinds; ++resource) {
            const bool has_capacity = in(40);
            const bool has_threshold = in(20);
            const Tokens room = tokens_between(0, resource == 0 ? 2 : 6);
            for (std::size_t at = resource; at < used.size(); at += kinds) {
                if (has_capacity && in(80))
                    problem_.capacities[at] =
                        in(8) ? std::max<Tokens>(used[at] - 1, 0) : used[at] + room;
                if (has_threshold && in(80)) problem_.thresholds[at] = tokens_between(0, 8);
            }
        }
        if (in(15))
            for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
                problem_.least_items.push_back(problem_.drained[machine] ? 0
                                                                         : tokens_between(0, 2));
    }

    void draw_rules() {
        problem_.apart.push_back({0});
        const std::uint64_t apart = random_.below(100);
        if (apart < 25) problem_.apart.push_back({1, apart < 13});
        if (in(35))
            problem_.spread.push_back({in(60) ? std::size_t{0} : std::size_t{1}, 0,
                                       static_cast<std::uint32_t>(in(50) ? 0 : between(1, 2))});
        if (in(15) && problem_.item_labels[1].values.size() > 1) {
            problem_.near.push_back({1, 0, {{0, 1}}});
            if (in(30)) problem_.near[0].depends.emplace_back(1, 0);
        }
        if (in(15))
            for (ItemId item = 0; item < problem_.item_count(); ++item)
                problem_.stays.push_back(in(20));
        if (!in(20)) return;
        for (int set = 0; set < 2; ++set) {
            std::vector<bool>& drawn = problem_.sets.emplace_back();
            for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
                drawn.push_back(in(70));
        }
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            problem_.allowed_set.push_back(in(40) ? reassign::any_machine
                                                  : static_cast<std::uint32_t>(random_.below(2)));
    }

    void draw_aims(const DrawnSize& size) {
        const std::size_t kinds = problem_.resource_count();
        for (std::size_t resource = 0; resource < kinds; ++resource)
            if (in(resource == 1 ? 60 : 25))
                problem_.level.push_back({resource, in(30) ? 0 : 100'000 * between(1, 4)});
        problem_.fewest = in(50) ? 0 : random_.below(kinds);
        if (in(10)) problem_.only_if_above = 1'000'000 + 100'000 * random_.below(5);
        if (size.budgets && in(50)) {
            problem_.budget.amounts.assign(kinds, tokens_max);
            problem_.budget.amounts[random_.below(kinds)] = tokens_between(0, 5);
            if (in(30)) problem_.budget.waves = tokens_between(1, 2);
        }
        if (size.objectives && in(50)) draw_objective();
    }

    void draw_objective() {
        reassign::Objective& objective = problem_.objective;
        objective.given = true;
        problem_.level.clear();
        for (Tokens& capacity : problem_.capacities)
            capacity = std::min<Tokens>(capacity, 40);
        for (std::size_t resource = 0; resource < problem_.resource_count(); ++resource)
            objective.over_threshold.push_back(tokens_between(0, 5));
        if (in(50)) objective.balances.push_back({0, 1, tokens_between(1, 3), 1});
        if (in(50))
            for (ItemId item = 0; item < problem_.item_count(); ++item)
                objective.move_costs.push_back(tokens_between(0, 4));
        if (in(50)) {
            objective.most_moved = tokens_between(1, 3);
            objective.most_moved_label = 1;
        }
        if (!in(50)) return;
        objective.pair_weight = 1;
        const std::size_t machines = problem_.machine_count();
        for (std::size_t at = 0; at < machines * machines; ++at)
            objective.pair_costs.push_back(
                at % (machines + 1) == 0 ? 0 : static_cast<std::uint32_t>(random_.below(4)));
    }

    void draw_waves(const DrawnSize& size) {
        problem_.copied = problem_.fewest == 0 && in(50) ? 1 : problem_.fewest;
        problem_.at_once = in(50) ? 1 : static_cast<Tokens>(random_.below(3));
        if (in(20)) draw_rates(problem_.gives);
        if (in(20)) draw_rates(problem_.takes);
        if (size.half_duplex && in(70)) {
            problem_.half_duplex = true;
            problem_.takes.clear();
            if (problem_.at_once == 1 && in(50)) problem_.at_once = 2;
        }
    }
    /// One or two copies more in most problems, all of the same thing in some.
    void draw_copies() {
        std::vector<bool> led(problem_.things.size(), false);
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            problem_.leads.push_back(!led[problem_.thing[item]] && in(70));
            if (problem_.leads.back()) led[problem_.thing[item]] = true;
        }
        problem_.copies_from_leader = in(70);
        if (in(25)) return;
        reassign::AskedCopies asked;
        const auto thing = static_cast<std::uint32_t>(random_.below(problem_.things.size()));
        const auto has = static_cast<std::uint64_t>(
            std::count(problem_.thing.begin(), problem_.thing.end(), thing));
        const auto open = static_cast<std::uint64_t>(
            std::count(problem_.drained.begin(), problem_.drained.end(), false));
        const std::uint64_t wanted = has + between(1, 2);
        if (wanted > open) return;
        asked.all.push_back(
            {std::string(problem_.things.name(thing)), static_cast<std::uint32_t>(wanted)});
        reassign::Instance instance;
        instance.problem = std::move(problem_);
        add_copies(asked, instance);
        problem_ = std::move(instance.problem);
    }

    void draw_rates(std::vector<Tokens>& rates) {
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            rates.push_back(in(8) ? 0 : tokens_between(problem_.copied == 0 ? 1 : 4, 8));
    }

    RandomStream random_;
    reassign::Problem problem_;
};

}  // namespace equipoise::test
