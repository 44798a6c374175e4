// Columns of air are lent so that all ranks share the work of the day: the results are those, bit
// by bit, that every rank would have computed alone.

#include "tests/support/day_and_night.hpp"

#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/lend.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {
namespace {

using test::Profile;
using test::Site;

constexpr int hours = 6;
constexpr int steps_an_hour = 2;

// Ranks have different numbers of columns.
std::vector<Site> own_sites() {
    return test::Box(world_rank(), world_size())
        .sites(60 + 10 * static_cast<std::size_t>(world_rank() % 3));
}

std::vector<Profile> first_states(std::size_t columns) {
    std::vector<Profile> states(columns);
    for (std::size_t i = 0; i < columns; ++i)
        for (std::size_t level = 0; level < states[i].size(); ++level)
            states[i][level] = 0.1 * static_cast<double>(i % 7) + 0.01 * static_cast<double>(level);
    return states;
}

void step_alone(const std::vector<Site>& sites, std::vector<Profile>& states, double hour) {
    for (std::size_t i = 0; i < sites.size(); ++i) {
        const Profile change = test::heating(sites[i], states[i], hour, 2);
        for (std::size_t level = 0; level < change.size(); ++level)
            states[i][level] += change[level];
    }
}

std::vector<double> costs(const std::vector<Site>& sites, double hour) {
    std::vector<double> all;
    for (const Site& site : sites)
        all.push_back(test::cost_of(site, hour));
    return all;
}

TEST(DayAndNight, HasTheSameResultsIfColumnsAreLentHourAfterHour) {
    std::vector<Site> sites = own_sites();
    const std::vector<Site> sites_before = sites;
    std::vector<Profile> states = first_states(sites.size());
    std::vector<Profile> expected = states;
    for (int hour = 0; hour < hours; ++hour) {
        const std::vector<double> weights = costs(sites, hour);
        Loan loan = lend(MPI_COMM_WORLD, std::tie(sites, states),
                         {.policy = Policy::weighted, .weights = weights});
        for (int step = 0; step < steps_an_hour; ++step) {
            if (step > 0) loan.lend_again();
            step_alone(sites, states, hour);
            loan.give_back();
            step_alone(sites_before, expected, hour);
            ASSERT_EQ(expected, states);
        }
        const Report report = loan.report();
        EXPECT_LE(report.weight_after.most, report.weight_before.most);
        EXPECT_LE(report.weight_after.most, report.weight_after.average + test::lit_costs);
    }
}

TEST(DayAndNight, HasTheSameResultsIfOnlyTheHeatingComesHome) {
    std::vector<Site> sites = own_sites();
    std::vector<Profile> states = first_states(sites.size());
    std::vector<Profile> expected = states;
    for (int hour = 0; hour < hours; ++hour) {
        const std::vector<double> weights = costs(sites, hour);
        Loan loan = begin_lend_copies(MPI_COMM_WORLD, std::tie(sites, states),
                                      {.policy = Policy::weighted, .weights = weights});
        // What stays is computed while the rest travels.
        const auto first = static_cast<std::size_t>(loan.staying().first);
        const std::size_t last = first + static_cast<std::size_t>(loan.staying().count);
        std::vector<Profile> changes(static_cast<std::size_t>(loan.size_lent()));
        const auto compute = [&](std::size_t i) {
            changes[i] = test::heating(sites[i], states[i], hour, 2);
        };
        for (std::size_t i = first; i < last; ++i)
            compute(i);
        loan.wait();
        for (std::size_t i = 0; i < changes.size(); ++i)
            if (i < first || i >= last) compute(i);
        loan.give_back(changes);
        for (std::size_t i = 0; i < states.size(); ++i)
            for (std::size_t level = 0; level < states[i].size(); ++level)
                states[i][level] += changes[i][level];
        step_alone(own_sites(), expected, hour);
        ASSERT_EQ(expected, states);
    }
}

}  // namespace
}  // namespace equipoise::balancer
