// Groups go to hosts.

#include "equipoise/replication/search/pools.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/support/replication_draw.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::replication {
namespace {

using Hosts = std::vector<std::uint32_t>;

/// The largest load of a host, or the limit, and what is lacking, times the groups of a host.
std::tuple<Tokens, int> worth(const Problem& problem, const Hosts& hosts, Tokens limit) {
    const int room = static_cast<int>(problem.groups / problem.hosts);
    std::vector<Tokens> sums(problem.hosts, 0);
    for (ItemId item = 0; item < problem.items(); ++item)
        sums[hosts[problem.group_of(item)]] += problem.loads[item];
    int lacks = 0;
    for (std::uint32_t group = 0; group < problem.groups && !problem.placement.empty(); ++group) {
        std::set<ItemId> items;
        std::set<std::pair<MachineId, ItemId>> pairs;
        for (std::uint32_t slot = 0; slot < problem.all_slots(); ++slot) {
            const ItemId item = problem.placement[slot];
            const MachineId machine = slot / problem.slots;
            if (problem.group_of(item) != group || problem.host_of(machine) != hosts[group])
                continue;
            items.insert(item);
            pairs.insert({machine, item});
        }
        const auto size = static_cast<int>(problem.items() / problem.groups);
        lacks += std::max((size - static_cast<int>(items.size())) * room,
                          static_cast<int>(problem.all_slots() / problem.hosts) -
                              static_cast<int>(pairs.size()) * room);
    }
    const Tokens least = limit * (problem.machines / problem.hosts);
    return {std::max(least, *std::max_element(sums.begin(), sums.end())), lacks};
}

std::tuple<Tokens, int> best_worth(const Problem& problem, Tokens limit) {
    Hosts hosts;
    for (std::uint32_t group = 0; group < problem.groups; ++group)
        hosts.push_back(group / (problem.groups / problem.hosts));
    auto best = worth(problem, hosts, limit);
    while (std::next_permutation(hosts.begin(), hosts.end()))
        best = std::min(best, worth(problem, hosts, limit));
    return best;
}

TEST(ReplicationPools, GroupsGoToHostsInTheBestOfAllWays) {
    int seen = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const Problem problem = test::draw_replication(seed);
        if (problem.groups == 0) continue;
        ++seen;
        Tokens total = 0;
        for (const Tokens load : problem.loads)
            total += load;
        for (const Tokens limit : {Tokens{0}, total / problem.machines + 1, total}) {
            const Hosts hosts = hosts_of_groups(problem, limit);
            for (std::uint32_t host = 0; host < problem.hosts; ++host)
                ASSERT_EQ(std::count(hosts.begin(), hosts.end(), host),
                          problem.groups / problem.hosts);
            EXPECT_EQ(worth(problem, hosts, limit), best_worth(problem, limit)) << seed;
        }
    }
    EXPECT_GT(seen, 100);
}

TEST(ReplicationPools, ManyGroupsGoToHostsEvenly) {
    Problem problem;
    for (int item = 0; item < 256; ++item)
        problem.loads.push_back(1'000'000 / (item + 1));
    std::reverse(problem.loads.begin() + 10, problem.loads.end());
    problem.machines = 32;
    problem.slots = 8;
    problem.hosts = 16;
    problem.groups = 64;
    const Hosts hosts = hosts_of_groups(problem, 0);
    Tokens heaviest_group = 0;
    for (ItemId item = 0; item < 4; ++item)
        heaviest_group += problem.loads[item];
    const auto [largest, lacks] = worth(problem, hosts, 0);
    for (std::uint32_t host = 0; host < 16; ++host)
        EXPECT_EQ(std::count(hosts.begin(), hosts.end(), host), 4);
    EXPECT_LE(largest, heaviest_group + heaviest_group / 20) << "no host has much beside it";
}

TEST(ReplicationPools, HostsWithFewerItemsThanAMachineHasSlotsAreRefused) {
    Problem problem{{1, 1, 1, 1}, 2, 3, 2, 2, {}};
    EXPECT_EQ(
        test::thrown_by([&] { refuse_unsuitable(problem); }),
        "unsuitable: expected at most as many slots on a GPU as a host has experts (2), found 3");
    problem.groups = 0;
    EXPECT_EQ(test::thrown_by([&] { refuse_unsuitable(problem); }), "nothing");
}

}  // namespace
}  // namespace equipoise::replication
