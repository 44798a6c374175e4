#include "equipoise/reassign/input/way_back.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/copy_sources.hpp"
#include "equipoise/reassign/checks/machine_ends.hpp"
#include "equipoise/reassign/input/copies.hpp"
#include "equipoise/reassign/input/schedule_file.hpp"

namespace equipoise::reassign {

namespace {

/// In which wave, from 0, each dropped copy can be made again, one after the other.
std::vector<Step> waves_to_make_again(const Instance& instance) {
    /// What passes an end of a machine in its last wave.
    struct Traffic {
        Step wave = 0;
        Tokens items = 0;
        Tokens copied = 0;
    };
    const Problem& problem = instance.problem;
    const CopySources sources(problem);
    const MachineEnds ends(problem);
    std::vector<Traffic> passed(ends.count());
    std::vector<Step> waves;
    for (const DroppedCopy& copy : instance.dropped) {
        const std::size_t giver = ends.giving(problem.places[sources.to_make(copy.thing)]);
        const std::size_t taker = ends.taking(copy.machine);
        const Tokens copied = copy.amounts[problem.copied];
        Step wave = std::max(passed[giver].wave, passed[taker].wave);
        const auto is_full = [&](std::size_t end) {
            const Traffic& traffic = passed[end];
            return traffic.wave == wave && traffic.items > 0 &&
                   ((problem.at_once > 0 && traffic.items == problem.at_once) ||
                    traffic.copied + copied > ends.rate(end));
        };
        if (is_full(giver) || is_full(taker)) ++wave;
        for (const std::size_t end : {giver, taker}) {
            Traffic& traffic = passed[end];
            if (traffic.wave < wave) traffic = {wave, 0, 0};
            ++traffic.items;
            traffic.copied += copied;
        }
        waves.push_back(wave);
    }
    return waves;
}

/// Adds that dropped copies which led do so again: they are the items after all others, in order.
void lead_again(const Instance& instance, std::vector<LeaderChange>& changes) {
    std::vector<ItemId> led(instance.problem.things.size(), no_item);
    ItemId item = instance.problem.item_count();
    for (const DroppedCopy& copy : instance.dropped) {
        if (copy.led) led[copy.thing] = item;
        ++item;
    }
    for (LeaderChange& change : changes)
        if (led[change.thing] != no_item) change.to = std::exchange(led[change.thing], no_item);
    for (const ItemId successor : successors(instance)) {
        const std::uint32_t thing = instance.problem.thing[successor];
        if (led[thing] != no_item) changes.push_back({thing, successor, led[thing]});
    }
}

}  // namespace

std::string way_back_text(const Instance& instance, std::span<const Move> moves,
                          std::span<const LeaderChange> leaders) {
    // With the dropped copies as items that are outside.
    Problem whole = instance.problem;
    const ItemId items = whole.item_count();
    if (whole.outside == no_machine) whole.outside = whole.machines.number_of("");
    std::vector<Move> kept;
    std::vector<DroppedCopy> made;
    std::vector<bool> is_made(items, false);
    std::vector<MachineId> places = whole.places;
    for (const Move& move : moves) {
        places[move.item] = move.to;
        is_made[move.item] = whole.places[move.item] == whole.outside;
        if (!is_made[move.item]) kept.push_back(move);
    }
    for (ItemId item = 0; item < items; ++item)
        if (is_made[item]) made.push_back({no_item, whole.thing[item], places[item]});
    std::vector<Move> back = way_back(kept);
    const Step first = back.empty() ? 0 : back.back().wave + 1;
    const std::size_t undone = back.size();
    const std::vector<Step> again = waves_to_make_again(instance);
    for (std::size_t at = 0; at < again.size(); ++at) {
        back.push_back(
            {first + again[at], whole.item_count(), whole.outside, instance.dropped[at].machine});
        whole.thing.push_back(instance.dropped[at].thing);
        whole.places.push_back(whole.outside);
    }
    std::stable_sort(back.begin() + static_cast<std::ptrdiff_t>(undone), back.end(),
                     [](const Move& a, const Move& b) { return a.wave < b.wave; });
    std::vector<LeaderChange> changes = leaders_back(leaders);
    lead_again(instance, changes);
    for (LeaderChange& change : changes)
        if (is_made[change.from]) change.from = no_item;
    return moves_text(whole, back, changes, made);
}

}  // namespace equipoise::reassign
