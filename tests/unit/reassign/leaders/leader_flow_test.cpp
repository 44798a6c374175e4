#include "equipoise/reassign/leaders/leader_flow.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/support/property.hpp"

namespace equipoise::reassign {
namespace {

/// Adds a thing that may be led from the machines of a set; from `present` without a change.
void add_thing(LeaderChoices& choices, std::uint32_t set, std::optional<MachineId> present) {
    choices.first.push_back(choices.first.back());
    for (MachineId machine = 0; machine < choices.limits.size(); ++machine) {
        if ((set >> machine) % 2 == 0) continue;
        ++choices.first.back();
        choices.machine.push_back(machine);
        choices.is_change.push_back(machine != present);
    }
}

/// The least excess and, with that, the fewest changes of all choices.
std::pair<Tokens, Tokens> best_of_all(const LeaderChoices& choices) {
    std::vector<std::uint32_t> chosen(choices.first.begin(), choices.first.end() - 1);
    std::pair<Tokens, Tokens> best = {tokens_max, tokens_max};
    while (true) {
        std::vector<Tokens> led(choices.limits.size(), 0);
        std::pair<Tokens, Tokens> found = {0, 0};
        for (const std::uint32_t choice : chosen) {
            ++led[choices.machine[choice]];
            if (choices.is_change[choice]) ++found.second;
        }
        for (std::size_t machine = 0; machine < led.size(); ++machine)
            found.first += std::max<Tokens>(led[machine] - choices.limits[machine], 0);
        best = std::min(best, found);
        std::size_t thing = 0;
        while (thing < chosen.size() && ++chosen[thing] == choices.first[thing + 1]) {
            chosen[thing] = choices.first[thing];
            ++thing;
        }
        if (thing == chosen.size()) return best;
    }
}

/// What the flow says of itself, added up anew; and that its prices prove it.
std::pair<Tokens, Tokens> checked(const LeaderChoices& choices, const LeaderFlow& flow) {
    std::vector<Tokens> led(choices.limits.size(), 0);
    Tokens changes = 0;
    for (std::uint32_t thing = 0; thing < choices.things(); ++thing) {
        const std::uint32_t choice = flow.chosen[thing];
        EXPECT_GE(choice, choices.first[thing]);
        EXPECT_LT(choice, choices.first[thing + 1]);
        ++led[choices.machine[choice]];
        if (choices.is_change[choice]) ++changes;
    }
    Tokens over = 0;
    Tokens crowded = 0;
    for (std::size_t machine = 0; machine < led.size(); ++machine) {
        const Tokens above = led[machine] - choices.limits[machine];
        over += std::max<Tokens>(above, 0);
        if (flow.crowded[machine]) crowded += above;
        EXPECT_GE(flow.prices[machine], 0);
        EXPECT_LE(flow.prices[machine], flow.over_price);
    }
    EXPECT_EQ(flow.over, over);
    EXPECT_EQ(flow.changes, changes);
    EXPECT_EQ(crowded, over);
    for (std::uint32_t thing = 0; thing < choices.things(); ++thing)
        for (std::uint32_t at = choices.first[thing]; at < choices.first[thing + 1]; ++at)
            EXPECT_TRUE(flow.crowded[choices.machine[at]] ||
                        !flow.crowded[choices.machine[flow.chosen[thing]]]);
    EXPECT_GT(flow.over_price, static_cast<Tokens>(choices.things()));
    EXPECT_TRUE(at_least(choices, flow.prices) == Int128{over} * flow.over_price + changes);
    return {over, changes};
}

/// All ways in which a thing may be led from three machines: a set, and one of it, or none, from
/// which it is led without a change.
std::vector<std::pair<std::uint32_t, std::optional<MachineId>>> all_things() {
    std::vector<std::pair<std::uint32_t, std::optional<MachineId>>> things;
    for (std::uint32_t set = 1; set < 8; ++set) {
        things.emplace_back(set, std::nullopt);
        for (MachineId machine = 0; machine < 3; ++machine)
            if ((set >> machine) % 2 == 1) things.emplace_back(set, machine);
    }
    return things;
}

TEST(LeaderFlow, IsBestForAllThreeThingsOnThreeMachinesUnderAllLimits) {
    const auto things = all_things();
    std::vector<std::vector<Tokens>> limits;
    for (Tokens a = 0; a < 3; ++a)
        for (Tokens b = 0; b < 3; ++b)
            for (Tokens c = 0; c < 3; ++c)
                limits.push_back({a, b, c});
    std::uint64_t gaps = 0;
    std::uint64_t longer = 0;  // more changes than machines lead too much
    for (const std::vector<Tokens>& limit : limits)
        for (std::size_t i = 0; i < things.size(); ++i)
            for (std::size_t j = i; j < things.size(); ++j)
                for (std::size_t k = j; k < things.size(); ++k) {
                    LeaderChoices choices;
                    choices.limits = limit;
                    for (const std::size_t thing : {i, j, k})
                        add_thing(choices, things[thing].first, things[thing].second);
                    const LeaderFlow flow = level_leaders(choices);
                    const auto best = best_of_all(choices);
                    ASSERT_EQ(checked(choices, flow), best);
                    if (best.first > 0) ++gaps;
                    if (best.second > 1) ++longer;
                }
    EXPECT_GT(gaps, 1'000U);
    EXPECT_GT(longer, 1'000U);
}

TEST(LeaderFlow, IsBestForDrawnThingsOnFourMachines) {
    EXPECT_TRUE(test::holds([] {
        LeaderChoices choices;
        for (int machine = 0; machine < 4; ++machine)
            choices.limits.push_back(*rc::gen::inRange<Tokens>(0, 4));
        const int things = *rc::gen::inRange(0, 7);
        for (int thing = 0; thing < things; ++thing) {
            const auto set = *rc::gen::inRange<std::uint32_t>(1, 16);
            const auto present = *rc::gen::inRange<MachineId>(0, 4);
            add_thing(choices, set,
                      (set >> present) % 2 == 1 ? std::optional(present) : std::nullopt);
        }
        RC_ASSERT(checked(choices, level_leaders(choices)) == best_of_all(choices));
    }));
}

/// Leaders go on from machine to machine: each leads one thing that only the next one can take.
TEST(LeaderFlow, FindsPathsThroughAllMachinesAndCyclesOfNoCost) {
    LeaderChoices choices;
    constexpr std::uint32_t machines = 20;
    choices.limits.assign(machines, 1);
    choices.limits.back() = 2;
    add_thing(choices, 1, 0);
    for (MachineId machine = 0; machine + 1 < machines; ++machine)
        add_thing(choices, 3U << machine, machine);
    add_thing(choices, 1U << (machines - 1), machines - 1);
    const LeaderFlow flow = level_leaders(choices);
    EXPECT_EQ(checked(choices, flow), (std::pair<Tokens, Tokens>{0, machines - 1}));
}

TEST(LeaderFlow, OfNothingIsNothing) {
    LeaderChoices choices;
    choices.limits = {0, 5};
    EXPECT_EQ(checked(choices, level_leaders(choices)), (std::pair<Tokens, Tokens>{0, 0}));
}

TEST(LeaderFlow, ProvesItselfOnManyThings) {
    EXPECT_TRUE(test::holds([] {
        LeaderChoices choices;
        const auto machines = *rc::gen::inRange<MachineId>(1, 20);
        const int things = *rc::gen::inRange(0, 300);
        choices.limits.assign(machines, things / static_cast<int>(machines) + 1);
        for (int thing = 0; thing < things; ++thing) {
            const auto present = *rc::gen::inRange<MachineId>(0, machines) / 3;
            std::uint32_t set = 1U << present;
            for (int copy = 0; copy < 2; ++copy)
                set |= 1U << *rc::gen::inRange<MachineId>(0, machines);
            add_thing(choices, set, present);
        }
        checked(choices, level_leaders(choices));
    }));
}

}  // namespace
}  // namespace equipoise::reassign
