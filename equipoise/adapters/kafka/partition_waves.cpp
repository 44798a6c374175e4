#include "equipoise/adapters/kafka/partition_waves.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::kafka {

ReplicaOrder::ReplicaOrder(const Items& items)
    : copies_(copies_by_thing(items)), places_(items.places) {}

void ReplicaOrder::drop(std::uint32_t thing, std::uint32_t copy) {
    std::erase(copies_[thing], copy);
    places_[copy] = no_node;
}

void ReplicaOrder::lead(std::uint32_t thing, NodeId node) {
    std::vector<std::uint32_t>& copies = copies_[thing];
    const auto found = std::find_if(copies.begin(), copies.end(),
                                    [&](std::uint32_t copy) { return places_[copy] == node; });
    if (found != copies.end()) std::iter_swap(copies.begin(), found);
}

void ReplicaOrder::arrange(std::uint32_t thing, const std::vector<NodeId>& nodes) {
    std::vector<std::pair<NodeId, std::uint32_t>> copies;  // those that are not there at the end
    for (const std::uint32_t copy : copies_[thing])
        copies.emplace_back(places_[copy], copy);
    std::sort(copies.begin(), copies.end());
    EQUIPOISE_ASSERT(nodes.size() == held(thing));
    for (std::size_t at = 0; at < copies.size(); ++at) {
        if (at >= nodes.size()) {
            copies_[thing][at] = copies[at].second;
            continue;
        }
        const auto found =
            std::lower_bound(copies.begin(), copies.end(), std::pair(nodes[at], std::uint32_t{0}));
        EQUIPOISE_ASSERT(found != copies.end() && found->first == nodes[at]);
        copies_[thing][at] = found->second;
    }
}

std::vector<ItemMove> ReplicaOrder::become(std::uint32_t thing, const std::vector<NodeId>& nodes) {
    std::vector<std::uint32_t> copies = copies_[thing];
    std::stable_partition(copies.begin(), copies.end(),
                          [&](std::uint32_t copy) { return places_[copy] != no_node; });
    EQUIPOISE_ASSERT(held(thing) <= nodes.size() && nodes.size() <= copies.size());
    copies.resize(nodes.size());
    std::vector<NodeId> before;
    before.reserve(copies.size());
    for (const std::uint32_t copy : copies)
        before.push_back(places_[copy]);
    load::give_ends(copies, nodes, places_);
    std::vector<ItemMove> moved;
    for (std::size_t at = 0; at < copies.size(); ++at)
        if (places_[copies[at]] != before[at])
            moved.push_back({0, copies[at], before[at], places_[copies[at]], 0});
    arrange(thing, nodes);
    return moved;
}

std::vector<NodeId> ReplicaOrder::nodes(std::uint32_t thing) const {
    std::vector<NodeId> nodes;
    for (const std::uint32_t copy : copies_[thing])
        if (places_[copy] != no_node) nodes.push_back(places_[copy]);
    return nodes;
}

std::size_t ReplicaOrder::held(std::uint32_t thing) const {
    return static_cast<std::size_t>(
        std::count_if(copies_[thing].begin(), copies_[thing].end(),
                      [&](std::uint32_t copy) { return places_[copy] != no_node; }));
}

std::uint64_t ReplicaOrder::other_leaders(const ReplicaOrder& before) const {
    std::uint64_t count = 0;
    for (std::uint32_t thing = 0; thing < copies_.size(); ++thing)
        if (leader(thing) != before.leader(thing)) ++count;
    return count;
}

void ReplicaOrder::store(Items& items) const {
    const std::vector<Tokens> sizes = items.sizes;
    std::uint32_t at = 0;
    for (std::uint32_t thing = 0; thing < copies_.size(); ++thing) {
        for (const std::uint32_t copy : copies_[thing]) {
            items.thing[at] = thing;
            items.places[at] = places_[copy];
            if (!sizes.empty()) items.sizes[at] = sizes[copy];
            ++at;
        }
    }
}

namespace {

bool is_given(const EndsByThing& proposal, std::uint32_t thing) {
    return thing < proposal.size() && !proposal[thing].empty();
}

/// Whether these are the same brokers in another order.
bool is_other_order(std::vector<NodeId> now, std::vector<NodeId> wanted) {
    if (now == wanted) return false;
    std::sort(now.begin(), now.end());
    std::sort(wanted.begin(), wanted.end());
    return now == wanted;
}

std::uint32_t leader_of(const ReplicaChanges& changes, std::uint32_t thing) {
    return changes.leaders.empty() ? no_copy : changes.leaders[thing];
}

}  // namespace

PartitionWaves partition_waves(const Items& items, std::span<const ItemMove> moves,
                               const EndsByThing& proposal, const ReplicaChanges& changes) {
    const ReplicaOrder before(items);
    ReplicaOrder order = before;
    PartitionWaves made;
    std::set<std::uint32_t> changed;
    for (const std::uint32_t copy : changes.dropped) {
        order.drop(items.thing[copy], copy);
        changed.insert(items.thing[copy]);
    }
    for (const std::uint32_t copy : changes.successors)
        order.lead(items.thing[copy], order.place(copy));
    const auto end_wave = [&] {
        std::vector<Replicas>& wave = made.waves.emplace_back();
        for (const std::uint32_t thing : changed)
            wave.push_back({thing, order.nodes(thing)});
        changed.clear();
    };
    if (!changed.empty()) end_wave();
    for (std::size_t first = 0; first < moves.size();) {
        if (first > 0) end_wave();
        const std::uint64_t wave = moves[first].wave;
        std::set<std::uint32_t> leaderless;
        for (; first < moves.size() && moves[first].wave == wave; ++first) {
            const std::uint32_t thing = items.thing[moves[first].copy];
            if (order.leading_copy(thing) == moves[first].copy) leaderless.insert(thing);
            order.move(moves[first].copy, moves[first].to);
            changed.insert(thing);
        }
        for (const std::uint32_t thing : leaderless) {
            if (is_given(proposal, thing)) {
                order.lead(thing, proposal[thing].front());
            } else if (const std::uint32_t copy = leader_of(changes, thing);
                       copy != no_copy && order.place(copy) != no_node) {
                order.lead(thing, order.place(copy));
            }
        }
    }
    for (std::uint32_t thing = 0; thing < items.things.size(); ++thing) {
        const std::uint32_t copy = leader_of(changes, thing);
        if (is_given(proposal, thing) && is_other_order(order.nodes(thing), proposal[thing])) {
            order.arrange(thing, proposal[thing]);
        } else {
            if (copy == no_copy || order.leading_copy(thing) == copy) continue;
            order.lead(thing, order.place(copy));
        }
        made.reordered.push_back(thing);
        changed.insert(thing);
    }
    if (!changed.empty()) end_wave();
    made.leaders = order.other_leaders(before);
    return made;
}

std::vector<std::vector<Replicas>> waves_back(const Items& items,
                                              const std::vector<std::vector<Replicas>>& waves) {
    const ReplicaOrder before(items);
    std::map<std::uint32_t, std::vector<NodeId>> present;
    std::vector<std::vector<Replicas>> back(waves.size());
    for (std::size_t wave = 0; wave < waves.size(); ++wave) {
        for (const Replicas& change : waves[wave]) {
            const auto [at, first] = present.try_emplace(change.thing);
            if (first) at->second = before.nodes(change.thing);
            back[waves.size() - 1 - wave].push_back({change.thing, std::move(at->second)});
            at->second = change.nodes;
        }
    }
    return back;
}

std::string broker_words(const Items& items, const std::vector<NodeId>& brokers) {
    std::string text;
    for (const NodeId broker : brokers)
        text.append(text.empty() ? "" : ",").append(items.node_name(broker));
    return text;
}

std::string fault_of_order(const Items& items, const EndsByThing& proposal,
                           const ReplicaOrder& order) {
    for (std::uint32_t thing = 0; thing < proposal.size(); ++thing) {
        if (!is_given(proposal, thing)) continue;
        const std::vector<NodeId> found = order.nodes(thing);
        if (found == proposal[thing]) continue;
        return "partition " + items.thing_name(thing) + " ends with the replicas " +
               broker_words(items, found) + ", not " + broker_words(items, proposal[thing]);
    }
    return {};
}

ItemMoves moves_of(const std::vector<std::vector<Replicas>>& waves, std::uint64_t first_wave,
                   const Items& items, ReplicaOrder& order) {
    ItemMoves read;
    for (std::size_t at = 0; at < waves.size(); ++at) {
        for (std::size_t line = 0; line < waves[at].size(); ++line) {
            const auto& [thing, nodes] = waves[at][line];
            const std::size_t held = order.held(thing);
            if (nodes.size() < held || nodes.size() > order.most(thing)) {
                read.fault = "partition " + items.thing_name(thing) + " has " +
                             std::to_string(nodes.size()) + " replicas in wave " +
                             std::to_string(first_wave + at) + ", not " + std::to_string(held);
                if (order.most(thing) > held)
                    read.fault += " to " + std::to_string(order.most(thing));
                read.fault_wave = first_wave + at;
                read.fault_line = line;
                return read;
            }
            for (ItemMove move : order.become(thing, nodes)) {
                move.wave = first_wave + at;
                move.line = line;
                read.moves.push_back(move);
            }
        }
    }
    return read;
}

}  // namespace equipoise::kafka
