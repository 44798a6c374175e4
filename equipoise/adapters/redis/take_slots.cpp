#include "equipoise/adapters/redis/take_slots.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/lower_case.hpp"

namespace equipoise::redis {

using reassign::Columns;
using reassign::expect_column_there;
using reassign::Label;
using reassign::NamedColumn;
using reassign::Problem;
using reassign::ReadTables;
using reassign::Release;
using reassign::Resource;

namespace {

constexpr std::size_t bytes_resource = 2;

/// Of all keys that a master holds, those of slots that are not its own.
std::uint64_t strays_of(const Holdings& holdings, MasterId master) {
    std::uint64_t own = 0;
    for (std::size_t slot = 0; slot < slot_count; ++slot)
        if (holdings.cluster.owners[slot] == master) own += holdings.sizes.keys[slot];
    const std::uint64_t all = holdings.states[master].keys;
    return all > own ? all - own : 0;
}

}  // namespace

void take_slots(const Holdings& holdings, const std::string& url, const Columns& columns,
                Problem& problem, ReadTables& read) {
    const Cluster& cluster = holdings.cluster;
    read.items_file = url;
    const std::string labels = "slots, whose label is item";
    for (const NamedColumn& label : columns.item_labels)
        expect_column_there(url, label, lower_case(label.name) == "item", labels);
    for (const NamedColumn& label : columns.labels)
        read.labels_found.push_back(lower_case(label.name) == "item");
    if (columns.depends) expect_column_there(url, {"depends", "--near"}, false, labels);
    if (columns.cost) expect_column_there(url, *columns.cost, false, labels);
    for (const NamedColumn& resource : columns.resources) {
        const std::string name = lower_case(resource.name);
        const bool is_there = name == "slots" || name == "items" || name == "moves" ||
                              name == "keys" || name == "bytes";
        expect_column_there(url, resource, is_there,
                            "slots, whose resources are slots, keys and bytes");
    }
    for (MasterId master = 0; master < cluster.masters.size(); ++master)
        static_cast<void>(problem.machines.number_of(cluster.name(master)));
    if (problem.machines.size() != cluster.masters.size())
        throw InputError(url + ": expected an address of its own for each master, found fewer");
    problem.resources = {Resource{"slots", 0, Release::after_wave, false},
                         Resource{"keys", 0, Release::after_wave, false},
                         Resource{"bytes", 0, Release::after_wave, true}};
    read.without_unit.assign(problem.resources.size(), false);
    for (std::uint32_t slot = 0; slot < slot_count; ++slot) {
        problem.thing.push_back(problem.things.number_of(std::to_string(slot)));
        problem.places.push_back(cluster.owners[slot]);
        for (const std::uint64_t amount :
             {std::uint64_t{1}, holdings.sizes.keys[slot], holdings.sizes.bytes[slot]})
            problem.amounts.push_back(static_cast<Tokens>(amount));
    }
    problem.item_labels = {Label{"item", problem.things, problem.thing}};
}

void set_memory_limits(const Holdings& holdings, Problem& problem) {
    const std::size_t resources = problem.resource_count();
    for (MasterId master = 0; master < holdings.cluster.masters.size(); ++master) {
        const MasterState& state = holdings.states[master];
        if (state.memory_max == 0) continue;
        std::uint64_t bytes = 0;
        for (std::size_t slot = 0; slot < slot_count; ++slot)
            if (holdings.cluster.owners[slot] == master) bytes += holdings.sizes.bytes[slot];
        const std::uint64_t besides = state.memory_used - std::min(bytes, state.memory_used);
        const std::uint64_t room = state.memory_max - std::min(besides, state.memory_max);
        Tokens& capacity = problem.capacities[master * resources + bytes_resource];
        capacity = std::min(capacity, static_cast<Tokens>(room));
    }
}

std::vector<std::string> notes_of(const Holdings& holdings) {
    const Cluster& cluster = holdings.cluster;
    std::vector<std::string> notes;
    std::uint64_t keys = 0;
    for (const std::uint64_t each : holdings.sizes.keys)
        keys += each;
    const double error =
        holdings.sizes.error.empty()
            ? 0
            : *std::max_element(holdings.sizes.error.begin(), holdings.sizes.error.end());
    constexpr double percent = 100;
    const std::string sampled = counted(holdings.sizes.sampled, "key");
    notes.push_back("bytes are those of " + sampled + " of " + grouped(keys) +
                    (error > 0 ? ", and a master's may be off by " +
                                     grouped_real(std::ceil(error * percent * 10) / 10) + " %"
                               : std::string()));
    // While clients write, keys are not all counted at one moment.
    const std::uint64_t few = keys / 1000;
    for (MasterId master = 0; master < cluster.masters.size(); ++master) {
        const std::uint64_t strays = strays_of(holdings, master);
        if (strays > few && cluster.open.empty())
            notes.push_back(cluster.name(master) + " holds about " + counted(strays, "key") +
                            " of slots that are not its own, which no client finds");
    }
    if (!cluster.open.empty())
        notes.push_back(counted(std::uint64_t{cluster.open.size()}, "open slot") +
                        ", which somebody began to move; --execute finishes or closes them first");
    const bool safe = std::all_of(holdings.states.begin(), holdings.states.end(),
                                  [](const MasterState& state) { return state.saves_always; });
    if (!safe)
        notes.emplace_back(
            "a master that crashes loses what it has not yet written to disk, keys that it just "
            "took among them; appendonly yes with appendfsync always loses nothing");
    if (std::any_of(cluster.masters.begin(), cluster.masters.end(),
                    [](const Master& master) { return !master.replicas.empty(); }))
        notes.emplace_back(
            "a replica that takes over lacks what its master had not yet sent it, keys that it "
            "just took among them");
    return notes;
}

}  // namespace equipoise::redis
