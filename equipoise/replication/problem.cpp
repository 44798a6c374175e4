#include "equipoise/replication/problem.hpp"

#include <algorithm>
#include <string>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/plural.hpp"

namespace equipoise::replication {

namespace {

/// Counts the copies that are on another host than most copies of their group (of several such
/// hosts, the first), and whether each host has as many groups.
bool groups_are_even(const Problem& problem, const std::vector<ItemId>& placement,
                     std::uint32_t& astray) {
    std::vector<std::uint32_t> on_host(std::size_t{problem.groups} * problem.hosts, 0);
    for (std::uint32_t slot = 0; slot < problem.all_slots(); ++slot)
        ++on_host[std::size_t{problem.group_of(placement[slot])} * problem.hosts +
                  problem.host_of(slot / problem.slots)];
    std::vector<std::uint32_t> groups(problem.hosts, 0);
    for (std::uint32_t group = 0; group < problem.groups; ++group) {
        const auto first =
            on_host.begin() + static_cast<std::ptrdiff_t>(std::size_t{group} * problem.hosts);
        const auto last = first + static_cast<std::ptrdiff_t>(problem.hosts);
        const auto most = std::max_element(first, last);
        ++groups[static_cast<std::size_t>(most - first)];
        for (auto host = first; host != last; ++host)
            if (host != most) astray += *host;
    }
    return std::all_of(groups.begin(), groups.end(), [&](std::uint32_t count) {
        return count == problem.groups / problem.hosts;
    });
}

}  // namespace

void Problem::check() const {
    const auto refuse = [](const std::string& text) { throw InputError(text); };
    if (loads.empty()) refuse("expected at least one expert, found none");
    if (machines == 0 || slots == 0) refuse("expected at least one GPU with at least one slot");
    if (loads.size() > std::uint64_t{machines} * slots)
        refuse("expected a slot for each of " + std::to_string(loads.size()) + " experts, found " +
               std::to_string(std::uint64_t{machines} * slots));
    if (slots > loads.size())
        refuse("expected at most as many slots on a GPU as there are experts (" +
               std::to_string(loads.size()) + "), found " + std::to_string(slots));
    if (hosts == 0 || machines % hosts != 0)
        refuse("expected a number of hosts that divides the " + std::to_string(machines) +
               " GPUs, found " + std::to_string(hosts));
    if (groups != 0 && (loads.size() % groups != 0 || groups % hosts != 0))
        refuse("expected groups that divide " + std::to_string(loads.size()) +
               " experts and go evenly on " + with_noun(hosts, "host", "hosts") + ", found " +
               with_noun(groups, "group", "groups"));
    Tokens total = 0;
    for (const Tokens load : loads) {
        if (load < 0) refuse("expected loads of 0 or more, found " + std::to_string(load));
        total = checked_add(total, load);
    }
    if (!placement.empty() && placement.size() != all_slots())
        refuse("expected a placement of " + std::to_string(all_slots()) + " slots, found " +
               std::to_string(placement.size()));
    for (const ItemId item : placement)
        if (item >= loads.size())
            refuse("expected experts from 0 to " + std::to_string(loads.size() - 1) + ", found " +
                   std::to_string(item));
}

Standing stand(const Problem& problem, const std::vector<ItemId>& placement) {
    EQUIPOISE_ASSERT(placement.size() == problem.all_slots());
    Standing standing;
    standing.copies.assign(problem.items(), 0);
    for (const ItemId item : placement)
        ++standing.copies[item];
    standing.missing = static_cast<std::uint32_t>(
        std::count(standing.copies.begin(), standing.copies.end(), std::uint32_t{0}));
    std::vector<MachineId> had(problem.items(), problem.machines);   // the last machine that did
    std::vector<MachineId> seen(problem.items(), problem.machines);  // and that does
    for (MachineId machine = 0; machine < problem.machines; ++machine) {
        const std::uint32_t first = machine * problem.slots;
        Tokens held = 0;
        if (!problem.placement.empty())
            for (std::uint32_t slot = first; slot < first + problem.slots; ++slot)
                had[problem.placement[slot]] = machine;
        for (std::uint32_t slot = first; slot < first + problem.slots; ++slot) {
            const ItemId item = placement[slot];
            held += load_of_copy(problem.loads[item], Tokens{standing.copies[item]});
            if (seen[item] == machine) {
                ++standing.twice;
            } else if (had[item] != machine) {
                ++standing.copied;
            }
            seen[item] = machine;
        }
        standing.held.push_back(held);
    }
    standing.largest = *std::max_element(standing.held.begin(), standing.held.end());
    const bool even = problem.groups == 0 || groups_are_even(problem, placement, standing.astray);
    standing.allowed = standing.missing == 0 && standing.twice == 0 && standing.astray == 0 && even;
    return standing;
}

}  // namespace equipoise::replication
