// How many items are copied at least, where no machine may hold more than a level.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "equipoise/base/plural.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/replication/bounds.hpp"
#include "equipoise/replication/fewest_pairs.hpp"
#include "equipoise/replication/groups_on_hosts.hpp"
#include "equipoise/replication/level_needs.hpp"

namespace equipoise::replication {

namespace {

/// The items of the groups whose home the host is, on its machines.
Problem problem_of_host(const Problem& problem, const std::vector<std::uint32_t>& home,
                        std::uint32_t host) {
    Problem own;
    own.machines = problem.machines / problem.hosts;
    own.slots = problem.slots;
    std::vector<ItemId> numbers(problem.items(), 0);
    for (ItemId item = 0; item < problem.items(); ++item) {
        if (home[problem.group_of(item)] != host) continue;
        numbers[item] = own.items();
        own.loads.push_back(problem.loads[item]);
    }
    const std::size_t first = std::size_t{host} * own.all_slots();
    for (std::size_t slot = first; slot < first + own.all_slots(); ++slot)
        own.placement.push_back(numbers[problem.placement[slot]]);
    return own;
}

/// The fewest items copied, host by host: a group that comes to a host is copied whole.
Tokens copied_by_hosts(const Problem& problem, const PresentPairs& present, const LevelNeeds& needs,
                       Tokens level) {
    GroupsOnHosts hosts(problem, needs, level);
    std::vector<Tokens> there(std::size_t{problem.groups} * problem.hosts, 0);  // pairs
    for (MachineId machine = 0; machine < problem.machines; ++machine)
        for (const ItemId item : present.on[machine])
            ++there[std::size_t{problem.group_of(item)} * problem.hosts + problem.host_of(machine)];
    GroupsOnHosts::Costs costs;
    std::vector<std::uint32_t> groups_on(problem.hosts, 0);
    for (std::uint32_t group = 0; group < problem.groups; ++group)
        for (std::uint32_t host = 0; host < problem.hosts; ++host) {
            const Tokens pairs = there[std::size_t{group} * problem.hosts + host];
            costs.of_group.push_back(std::max(hosts.copies_of(group) - pairs, Tokens{0}));
            if (pairs > 0) ++groups_on[host];
        }
    costs.home.assign(problem.groups, problem.hosts);
    costs.of_host.assign(problem.hosts, 0);
    for (std::uint32_t host = 0; host < problem.hosts; ++host) {
        if (groups_on[host] != problem.groups / problem.hosts) continue;
        for (std::uint32_t group = 0; group < problem.groups; ++group)
            if (there[std::size_t{group} * problem.hosts + host] > 0) costs.home[group] = host;
    }
    for (std::uint32_t host = 0; host < problem.hosts; ++host) {
        const auto at_home = std::count(costs.home.begin(), costs.home.end(), host);
        if (at_home != problem.groups / problem.hosts) continue;
        const Problem own = problem_of_host(problem, costs.home, host);
        costs.of_host[host] = own.items() < own.slots || largest_at_least(own).at_least > level
                                  ? GroupsOnHosts::impossible
                                  : copied_at_least(own, level).at_least;
    }
    return hosts.least_cost(costs, 20'000);
}

}  // namespace

Bound copied_at_least(const Problem& problem, Tokens level) {
    if (problem.placement.empty())
        return {Tokens{problem.all_slots()}, "nothing is there yet, and every slot gets a copy"};
    Bound bound;
    const auto raise = [&](std::uint64_t at_least, const auto& reason) {
        const auto count =
            static_cast<Tokens>(std::min<std::uint64_t>(at_least, problem.all_slots()));
        if (count > bound.at_least) bound = {count, reason()};
    };
    const PresentPairs present(problem);
    const LevelNeeds needs(problem);
    raise(present.twice, [&] {
        return with_noun(present.twice, "slot has", "slots have") +
               " an expert that another slot of the GPU has, too";
    });
    const Tokens most = needs.most_of_smallest(level, 1);
    std::uint64_t lacking = 0;
    for (ItemId item = 0; item < problem.items(); ++item) {
        const std::uint32_t copies = needs.copies_for(problem.loads[item], most);
        if (copies > present.machines_with[item]) lacking += copies - present.machines_with[item];
    }
    raise(lacking, [&] {
        return "experts need " + with_noun(lacking, "more copy", "more copies") +
               ", so that none carries too much for a GPU";
    });
    const FewestPairs fewest(problem, present, needs, level);
    raise(fewest.at_least(), [&] {
        return with_noun(fewest.above(), "GPU holds", "GPUs hold") +
               " more than the level; fewer copies do not bring all of them down, whatever they "
               "replace and whatever shares they take over";
    });
    if (problem.groups != 0 && problem.hosts > 1) {
        const Tokens by_hosts = copied_by_hosts(problem, present, needs, level);
        raise(static_cast<std::uint64_t>(by_hosts), [] {
            return "whichever groups of experts each host gets, those that come to it are copied "
                   "whole, and where all stay its GPUs must still come down to the level";
        });
    }
    return bound;
}

}  // namespace equipoise::replication
