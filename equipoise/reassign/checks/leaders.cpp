#include "equipoise/reassign/checks/leaders.hpp"

#include <algorithm>

#include "equipoise/base/assert.hpp"
#include "equipoise/reassign/checks/words.hpp"

namespace equipoise::reassign {

namespace {

/// Why the change is not allowed, in words; empty: it is.
std::string fault_of(const Problem& problem, std::span<const MachineId> places,
                     const Leaders& leaders, const LeaderChange& change) {
    const std::string name = "item " + std::string(problem.things.name(change.thing));
    if (change.from != leaders[change.thing])
        return change.from == no_item
                   ? name + " has a leader"
                   : machine_words(problem, places[change.from]) + " does not lead " + name;
    if (change.to == no_item || problem.thing[change.to] != change.thing)
        return name + " gets a leader that is none of its copies";
    if (change.to == change.from)
        return machine_words(problem, places[change.to]) + " leads " + name + " already";
    if (change.from != no_item && problem.pinned[places[change.from]])
        return machine_words(problem, places[change.from]) + " is pinned, but ceases to lead " +
               name;
    if (!problem.may_take(places[change.to]))
        return machine_words(problem, places[change.to]) +
               (problem.pinned[places[change.to]] ? " is pinned" : " is drained") +
               ", but begins to lead " + name;
    return "";
}

}  // namespace

Leaders leaders_of(const Problem& problem) {
    Leaders leaders(problem.things.size(), no_item);
    for (ItemId item = 0; item < problem.leads.size(); ++item)
        if (problem.leads[item]) leaders[problem.thing[item]] = item;
    return leaders;
}

LeaderStanding stand_leaders(const Problem& problem, std::span<const MachineId> places,
                             std::span<const ItemId> leaders) {
    EQUIPOISE_ASSERT(places.size() == problem.item_count() &&
                     leaders.size() == problem.things.size());
    LeaderStanding standing;
    standing.led.assign(problem.machine_count(), 0);
    for (const ItemId leader : leaders)
        if (leader != no_item) ++standing.led[places[leader]];
    standing.above.assign(problem.machine_count(), 0);
    const std::vector<Tokens> limits = problem.leader_limits();
    for (MachineId machine = 0; machine < limits.size(); ++machine) {
        standing.above[machine] = std::max<Tokens>(standing.led[machine] - limits[machine], 0);
        standing.over += standing.above[machine];
    }
    for (std::uint32_t thing = 0; thing < problem.given_leaders.size(); ++thing)
        if (problem.given_leaders[thing] != no_item &&
            problem.given_leaders[thing] != leaders[thing])
            ++standing.elsewhere;
    return standing;
}

ReplayedLeaders replay_leaders(const Problem& problem, std::span<const MachineId> places,
                               std::span<const LeaderChange> changes) {
    ReplayedLeaders replayed;
    replayed.leaders = leaders_of(problem);
    std::vector<bool> has_changed(problem.things.size(), false);
    for (std::size_t at = 0; at < changes.size(); ++at) {
        const LeaderChange& change = changes[at];
        replayed.fault = has_changed[change.thing]
                             ? "item " + std::string(problem.things.name(change.thing)) +
                                   " changes its leader twice"
                             : fault_of(problem, places, replayed.leaders, change);
        replayed.fault_at = at;
        if (!replayed.fault.empty()) return replayed;
        has_changed[change.thing] = true;
        replayed.leaders[change.thing] = change.to;
    }
    return replayed;
}

}  // namespace equipoise::reassign
