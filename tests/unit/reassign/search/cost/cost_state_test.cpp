#include "equipoise/reassign/search/cost/cost_state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/reassign/checks/ends.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/search/placement.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/reassign_draw.hpp"

namespace equipoise::reassign {
namespace {

using Hops = std::vector<CostState::Hop>;

/// Up to three different items from different machines, which may go where they go: to different
/// machines.
Hops drawn_hops(const CostState& state, test::Draw<std::uint32_t>& draw) {
    const Problem& problem = state.tables().problem;
    Hops hops;
    for (std::uint32_t left = draw(1, 3); left > 0; --left) {
        // Most close a chain.
        const bool follows = !hops.empty() && draw(0, 2) > 0;
        const ItemId item = draw(0, problem.item_count() - 1);
        const MachineId to =
            follows ? state.place(hops.back().item) : draw(0, problem.machine_count() - 1);
        bool is_new = to != state.place(item) && state.tables().may_go(item, to);
        for (const CostState::Hop& hop : hops)
            is_new &= state.place(hop.item) != state.place(item) && hop.to != to;
        if (is_new) hops.push_back({item, to});
    }
    return hops;
}

/// One comes, others go from there to where it was, each once.
void expect_exchange(const CostState& state, CostState::Hop comes, const Hops& hops) {
    ASSERT_GE(hops.size(), 2U);
    ASSERT_LE(hops.size(), CostState::exchanged_max);
    EXPECT_EQ(hops.front().item, comes.item);
    EXPECT_EQ(hops.front().to, comes.to);
    std::set<ItemId> items{comes.item};
    for (std::size_t hop = 1; hop < hops.size(); ++hop) {
        EXPECT_EQ(state.place(hops[hop].item), comes.to);
        EXPECT_EQ(hops[hop].to, state.place(comes.item));
        EXPECT_TRUE(items.insert(hops[hop].item).second);
    }
}

/// Moves drawn items, or exchanges one for some; the hops that were tried.
struct Tried {
    Hops hops;
    bool exchanges = false;
    bool done = false;
};

Tried try_some(CostState& state, Tokens most, test::Draw<std::uint32_t>& draw) {
    const Problem& problem = state.tables().problem;
    Tried tried;
    if (draw(0, 2) == 0) {
        RandomStream random(draw(0, 1'000'000), Purpose::sampling);
        const CostState::Hop comes{draw(0, problem.item_count() - 1),
                                   draw(0, problem.machine_count() - 1)};
        if (comes.to == state.place(comes.item) || !state.tables().may_go(comes.item, comes.to) ||
            !state.draw_exchange(comes, random, tried.hops)) {
            tried.hops.clear();
            return tried;
        }
        expect_exchange(state, comes, tried.hops);
        tried.exchanges = true;
        tried.done = state.exchange(tried.hops, most);
        return tried;
    }
    tried.hops = drawn_hops(state, draw);
    tried.done = !tried.hops.empty() && state.move(tried.hops, most);
    return tried;
}

/// What is dearer is told from prices set anew, and is as it was when it is forgotten.
void adapt_and_compare(CostState& state, const CostState::Prices& prices,
                       test::Draw<std::uint32_t>& draw) {
    const Tokens energy = state.energy();
    state.adapt_prices(1.5, 1.2);
    const Tokens adapted = state.energy();
    if (state.is_allowed()) {
        ASSERT_EQ(adapted, energy);
    } else {
        ASSERT_GE(adapted, energy);
    }
    state.set_prices(prices);
    ASSERT_EQ(state.energy(), adapted);
    if (draw(0, 3) == 0) state.forget_what_is_dearer();
}

/// How often a placement is allowed by `CostState`, and by plain sums.
struct Allowed {
    int exchanges = 0;
    int states = 0;
    int by_sums = 0;
    int by_state = 0;
};

/// Moves items about, and compares what is kept up to date with plain sums.
void move_about(const Problem& problem, std::span<const MachineId> places,
                test::Draw<std::uint32_t>& draw, Allowed& allowed) {
    const SearchTables tables(problem);
    const CostTables costs(tables);
    const Standing before = stand(problem, problem.places);
    const Standing begin = stand(problem, places);
    CostState state(costs, places);
    ASSERT_EQ(Int128{state.energy()}, begin.score.cost);
    const CostState::Prices prices{.over_capacity = 2, .too_full = 5, .far = 7};
    state.set_prices(prices);
    ASSERT_EQ(Int128{state.energy()}, begin.score.cost);
    ASSERT_TRUE(state.is_allowed());
    for (int step = 0; step < 40; ++step) {
        if (draw(0, 4) == 0) {
            ASSERT_NO_FATAL_FAILURE(adapt_and_compare(state, prices, draw));
        }
        const Tokens energy = state.energy();
        const Tokens most = draw(0, 1) == 0 ? 1'000'000 : static_cast<Tokens>(draw(0, 40));
        std::vector<MachineId> after(state.places().begin(), state.places().end());
        const Tried tried = try_some(state, most, draw);
        if (tried.hops.empty()) continue;
        if (tried.done) {
            for (const CostState::Hop& hop : tried.hops)
                after[hop.item] = hop.to;
            ASSERT_LE(state.energy(), energy + most);
            allowed.exchanges += tried.exchanges ? 1 : 0;
            if (tried.exchanges) {
                ASSERT_FALSE(state.is_too_full(tried.hops.front().to));
            }
        } else {
            ASSERT_EQ(state.energy(), energy);
        }
        ASSERT_EQ(std::vector<MachineId>(state.places().begin(), state.places().end()), after);
        const Standing standing = stand(problem, after);
        ASSERT_EQ(Int128{state.moves()}, standing.score.moves);
        ASSERT_TRUE(within(problem.budget, standing.moved));
        const bool is_allowed = may_end(problem, after, standing, before);
        ++allowed.states;
        if (is_allowed && is_no_worse(standing, begin)) ++allowed.by_sums;
        if (state.is_allowed()) {
            ++allowed.by_state;
            ASSERT_TRUE(is_allowed);
            ASSERT_TRUE(is_no_worse(standing, begin));
            ASSERT_EQ(Int128{state.energy()}, standing.score.cost);
        } else {
            ASSERT_GT(Int128{state.energy()}, standing.score.cost);
        }
        // The same as of a state that comes here another way.
        if (step % 10 != 0) continue;
        state.forget_what_is_dearer();
        CostState other(costs, places);
        other.set_prices(prices);
        other.go_to(after);
        ASSERT_EQ(other.energy(), state.energy());
        ASSERT_EQ(other.is_allowed(), state.is_allowed());
    }
    state.go_to(places);
    ASSERT_EQ(Int128{state.energy()}, begin.score.cost);
    ASSERT_EQ(Int128{state.moves()}, begin.score.moves);
}

TEST(CostState, AgreesWithPlainSumsAfterAnyMovesWhereAllRulesHold) {
    test::ReassignDraw drawn(41);
    test::Draw<std::uint32_t> draw(42);
    Allowed allowed;
    int problems = 0;
    for (int round = 0; round < 4000; ++round) {
        SCOPED_TRACE(round);
        const Problem problem =
            drawn.draw({.items = 12, .machines = 5, .objectives = true, .budgets = true});
        if (!CostTables::suit(problem) || stand(problem, problem.places).score.broken > 0) continue;
        ++problems;
        ASSERT_NO_FATAL_FAILURE(move_about(problem, problem.places, draw, allowed));
    }
    EXPECT_GT(problems, 500);
    EXPECT_GT(allowed.by_state, 1000);
    EXPECT_GT(allowed.states - allowed.by_state, 1000);
    EXPECT_GT(allowed.exchanges, 200);
    EXPECT_EQ(allowed.by_state, allowed.by_sums);
}

TEST(CostState, AllowsNothingThatIsBrokenFurtherThanWhereItBegins) {
    test::ReassignDraw drawn(43);
    test::Draw<std::uint32_t> draw(44);
    Allowed allowed;
    int problems = 0;
    for (int round = 0; round < 2000; ++round) {
        SCOPED_TRACE(round);
        const Problem problem =
            drawn.draw({.items = 12, .machines = 5, .objectives = true, .budgets = true});
        if (!CostTables::suit(problem) || stand(problem, problem.places).score.broken == 0)
            continue;
        // It may also begin where some items have moved already.
        const SearchTables tables(problem);
        Placement placement(tables);
        for (int step = 0; step < 12; ++step) {
            const ItemId item = draw(0, problem.item_count() - 1);
            const MachineId to = draw(0, problem.machine_count() - 1);
            if (to == placement.place(item) || !tables.may_be_on(item, to)) continue;
            if (placement.change(item, to).excluded == 0) placement.move(item, to);
        }
        ++problems;
        ASSERT_NO_FATAL_FAILURE(move_about(problem, placement.places(), draw, allowed));
    }
    EXPECT_GT(problems, 500);
    EXPECT_GT(allowed.by_state, allowed.by_sums * 9 / 10);
}

TEST(CostTables, ListMovableItemsLargestFirst) {
    test::ReassignDraw drawn(46);
    int compared = 0;
    for (int round = 0; round < 200; ++round) {
        const Problem problem = drawn.draw({.items = 12, .machines = 4, .objectives = true});
        const SearchTables tables(problem);
        const CostTables costs(tables);
        ASSERT_EQ(costs.by_size.size(), costs.movable.size());
        ASSERT_TRUE(
            std::is_permutation(costs.by_size.begin(), costs.by_size.end(), costs.movable.begin()));
        std::vector<double> totals(costs.kinds, 1);
        for (ItemId item = 0; item < problem.item_count(); ++item)
            for (std::size_t kind = 0; kind < costs.kinds; ++kind)
                totals[kind] += static_cast<double>(costs.amounts_of(item)[kind]);
        const auto size = [&](ItemId item) {
            double most = 0;
            for (std::size_t kind = 0; kind < costs.kinds; ++kind)
                most = std::max(most,
                                static_cast<double>(costs.amounts_of(item)[kind]) / totals[kind]);
            return most;
        };
        for (std::size_t at = 1; at < costs.by_size.size(); ++at) {
            ASSERT_GE(size(costs.by_size[at - 1]), size(costs.by_size[at]));
            compared += size(costs.by_size[at - 1]) > size(costs.by_size[at]) ? 1 : 0;
        }
    }
    EXPECT_GT(compared, 200);
}

TEST(CostTables, SuitCostsBelowTheLimitOfTheirSums) {
    test::ReassignDraw drawn(45);
    Problem problem = drawn.draw({.objectives = true});
    while (!problem.objective.given)
        problem = drawn.draw({.objectives = true});
    EXPECT_TRUE(CostTables::suit(problem));
    const Objective given = problem.objective;
    problem.objective.over_threshold[0] = (Tokens{1} << 60U) / problem.item_count() + 1;
    EXPECT_FALSE(CostTables::suit(problem));
    problem.objective = given;
    problem.objective.balances = {{1, 0, Tokens{1} << 58U, 1}};
    EXPECT_FALSE(CostTables::suit(problem));
    problem.objective = given;
    problem.objective.given = false;
    EXPECT_FALSE(CostTables::suit(problem));
}

TEST(CellCounts, CountAlikeInTablesAndInHashedOnes) {
    CellCounts<std::uint8_t> table(40, 40, 255, 300);
    CellCounts<std::uint8_t> hashed(40, 40, 256, 300);
    test::Draw<std::size_t> draw(6);
    std::vector<std::pair<std::size_t, std::size_t>> there;
    for (int step = 0; step < 5000; ++step) {
        if (there.empty() || (there.size() < 250 && draw(0, 1) == 0)) {
            const auto [row, column] = there.emplace_back(draw(0, 39), draw(0, 39));
            ASSERT_EQ(table.add(row, column), hashed.add(row, column));
            continue;
        }
        const std::size_t place = draw(0, there.size() - 1);
        const auto [row, column] = there[place];
        ASSERT_EQ(table.at(row, column), hashed.at(row, column));
        ASSERT_EQ(table.subtract(row, column), hashed.subtract(row, column));
        there[place] = there.back();
        there.pop_back();
    }
}

}  // namespace
}  // namespace equipoise::reassign
