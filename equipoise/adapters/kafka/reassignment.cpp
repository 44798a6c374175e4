#include "equipoise/adapters/kafka/reassignment.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "equipoise/reassign/checks/leaders.hpp"
#include "equipoise/reassign/input/copies.hpp"

namespace equipoise::kafka {

namespace {

/// The first resource that is counted in bytes.
std::optional<std::size_t> bytes_of(const reassign::Problem& problem) {
    for (std::size_t resource = 0; resource < problem.resource_count(); ++resource)
        if (problem.resources[resource].in_bytes) return resource;
    return {};
}

/// By number of a replica or an added one: the instance's item.
std::vector<reassign::ItemId> items_by_number(const PartitionItems& read) {
    std::vector<reassign::ItemId> items(read.items.count(), reassign::no_item);
    for (reassign::ItemId item = 0; item < read.number.size(); ++item)
        items[read.number[item]] = item;
    return items;
}

/// The replicas in their order before the first wave that copies: without those that are dropped,
/// and led by the successors of dropped leaders.
ReplicaOrder order_before(const reassign::Instance& instance, const Items& items) {
    ReplicaOrder before(items);
    for (const reassign::DroppedCopy& copy : instance.dropped)
        before.drop(copy.thing, copy.read);
    for (const reassign::ItemId item : successors(instance))
        before.lead(instance.problem.thing[item], instance.problem.places[item]);
    return before;
}

/// The leaders of which the plan says nothing, and that move without being the first replica, each
/// with that one, which brokers elect when the leader's old broker leaves the partition.
std::vector<reassign::LeaderChange> deposed(const reassign::Instance& instance,
                                            const PartitionItems& read,
                                            const reassign::Plan& plan) {
    const reassign::Problem& problem = instance.problem;
    if (problem.leaders_tolerance) return {};
    const ReplicaOrder before = order_before(instance, read.items);
    const std::vector<reassign::ItemId> item_of = items_by_number(read);
    std::set<std::uint32_t> decided;
    for (const reassign::LeaderChange& change : plan.leaders)
        decided.insert(change.thing);
    for (std::uint32_t thing = 0; thing < problem.given_leaders.size(); ++thing)
        if (problem.given_leaders[thing] != reassign::no_item) decided.insert(thing);
    std::map<std::uint32_t, reassign::LeaderChange> changes;
    for (const reassign::Move& move : plan.moves) {
        const std::uint32_t thing = problem.thing[move.item];
        if (!problem.leads[move.item] || decided.contains(thing)) continue;
        const reassign::ItemId first = item_of[before.leading_copy(thing)];
        if (first != move.item) changes[thing] = {thing, move.item, first};
    }
    std::vector<reassign::LeaderChange> found;
    found.reserve(changes.size());
    for (const auto& [thing, change] : changes)
        found.push_back(change);
    return found;
}

ReplicaChanges changes_of(const reassign::Instance& instance, const reassign::Plan& plan,
                          const PartitionItems& read) {
    const reassign::Problem& problem = instance.problem;
    const std::vector<std::uint32_t>& number = read.number;
    ReplicaChanges changes;
    changes.leaders.assign(problem.things.size(), no_copy);
    // Levelled leaders are to stay where they are, so that they must be the preferred ones.
    if (problem.leaders_tolerance)
        for (reassign::ItemId item = 0; item < problem.leads.size(); ++item)
            if (problem.leads[item]) changes.leaders[problem.thing[item]] = number[item];
    for (const reassign::LeaderChange& change : deposed(instance, read, plan))
        changes.leaders[change.thing] = number[change.from];
    for (const reassign::LeaderChange& change : plan.leaders)
        changes.leaders[change.thing] = number[change.to];
    for (const reassign::DroppedCopy& copy : instance.dropped)
        changes.dropped.push_back(copy.read);
    for (const reassign::ItemId item : successors(instance))
        changes.successors.push_back(number[item]);
    return changes;
}

/// `drops` says whether the first of the waves only drops copies.
std::vector<WaveFigures> figures_of(const reassign::Problem& problem, const reassign::Plan& plan,
                                    const PartitionWaves& waves, bool drops) {
    std::vector<WaveFigures> figures(waves.waves.size());
    for (std::size_t wave = 0; wave < figures.size(); ++wave)
        figures[wave].partitions = waves.waves[wave].size();
    const std::optional<std::size_t> bytes = bytes_of(problem);
    if (bytes)
        for (WaveFigures& each : figures)
            each.bytes = 0;
    const std::size_t first = drops ? 1 : 0;
    std::size_t at = first;
    for (std::size_t move = 0; move < plan.moves.size(); ++move) {
        if (move > 0 && plan.moves[move].wave != plan.moves[move - 1].wave) ++at;
        ++figures[at].copied;
        if (bytes)
            figures[at].bytes =
                checked_add(*figures[at].bytes, problem.amount(plan.moves[move].item, *bytes));
        if (at - first < plan.replayed.seconds.size())
            figures[at].seconds = plan.replayed.seconds[at - first];
    }
    return figures;
}

bool holds(const std::vector<NodeId>& nodes, NodeId node) {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

/// Follows leaders as brokers choose them: one whose broker no longer holds the partition is
/// replaced by the first replica.
void find_elections(const std::vector<bool>& asked, const reassign::Plan& plan,
                    Reassignment& reassignment) {
    const ReplicaOrder before(reassignment.items);
    std::vector<NodeId> leaders = reassignment.leaders;
    std::map<std::uint32_t, NodeId> preferred;  // of partitions that change, in the end
    std::set<std::uint32_t> changed;
    for (const std::vector<Replicas>& wave : reassignment.waves.waves) {
        for (const Replicas& replicas : wave) {
            preferred[replicas.thing] = replicas.nodes.front();
            if (holds(replicas.nodes, leaders[replicas.thing])) continue;
            leaders[replicas.thing] = replicas.nodes.front();
            changed.insert(replicas.thing);
        }
    }
    std::set<std::uint32_t> elected;
    for (const reassign::LeaderChange& change : plan.leaders)
        elected.insert(change.thing);
    for (std::uint32_t thing = 0; thing < asked.size(); ++thing) {
        if (!asked[thing]) continue;
        const auto found = preferred.find(thing);
        const NodeId first = found == preferred.end() ? before.leader(thing) : found->second;
        if (leaders[thing] != first) elected.insert(thing);
    }
    reassignment.elected.assign(elected.begin(), elected.end());
    changed.insert(elected.begin(), elected.end());
    for (const std::uint32_t thing : changed)
        if (before.leader(thing) == reassignment.leaders[thing])
            reassignment.elected_back.push_back(thing);
}

}  // namespace

std::vector<Replicas> Reassignment::last_lists() const {
    std::map<std::uint32_t, std::vector<NodeId>> by_thing;
    for (const std::vector<Replicas>& wave : waves.waves)
        for (const Replicas& replicas : wave)
            by_thing[replicas.thing] = replicas.nodes;
    std::vector<Replicas> all;
    all.reserve(by_thing.size());
    for (const auto& [thing, nodes] : by_thing)
        all.push_back({thing, nodes});
    return all;
}

PartitionItems partition_items(const reassign::Instance& instance, const Cluster& cluster) {
    const reassign::Problem& problem = instance.problem;
    PartitionItems made;
    made.items = items_of(cluster);
    for (reassign::ItemId item = 0; item < problem.item_count(); ++item) {
        const reassign::ItemId read = instance.as_read.empty() ? item : instance.as_read[item];
        if (read != reassign::no_item) {
            made.number.push_back(read);
            continue;
        }
        made.number.push_back(made.items.count());
        made.items.thing.push_back(problem.thing[item]);
        made.items.places.push_back(no_node);
        if (!made.items.sizes.empty()) made.items.sizes.push_back(0);
    }
    return made;
}

EndsByThing given_order(const reassign::Instance& instance) {
    EndsByThing order = instance.target;
    for (std::uint32_t thing = 0; thing < order.size(); ++thing)
        if (instance.problem.given_leaders[thing] == reassign::no_item) order[thing].clear();
    return order;
}

void add_elected_leaders(const reassign::Instance& instance, const Cluster& cluster,
                         reassign::Plan& plan) {
    const reassign::Problem& problem = instance.problem;
    const std::vector<reassign::MachineId>& places = plan.replayed.places;
    for (const reassign::LeaderChange& change :
         deposed(instance, partition_items(instance, cluster), plan))
        if (problem.may_take(places[change.to])) plan.leaders.push_back(change);
    std::stable_sort(plan.leaders.begin(), plan.leaders.end(),
                     [](const auto& one, const auto& other) { return one.thing < other.thing; });
    plan.replayed_leaders = replay_leaders(problem, places, plan.leaders);
    plan.led_after = stand_leaders(problem, places, plan.replayed_leaders.leaders);
}

Reassignment reassignment_of(const reassign::Instance& instance, const Cluster& cluster,
                             const reassign::Plan& plan) {
    const EndsByThing order = given_order(instance);
    const reassign::Problem& problem = instance.problem;
    PartitionItems read = partition_items(instance, cluster);
    const ReplicaChanges changes = changes_of(instance, plan, read);
    Reassignment made;
    made.items = std::move(read.items);
    std::vector<ItemMove> moves;
    moves.reserve(plan.moves.size());
    for (const reassign::Move& move : plan.moves)
        moves.push_back({move.wave, read.number[move.item],
                         move.from == problem.outside ? no_node : move.from, move.to, 0});
    made.waves = partition_waves(made.items, moves, order, changes);
    made.figures = figures_of(problem, plan, made.waves, !changes.dropped.empty());
    for (const Partition& partition : cluster.partitions)
        made.leaders.push_back(partition.replicas[partition.leading_replica()].broker);
    std::vector<bool> asked(cluster.partitions.size(), false);
    for (std::uint32_t thing = 0; thing < asked.size(); ++thing)
        asked[thing] =
            changes.leaders[thing] != no_copy || (thing < order.size() && !order[thing].empty());
    find_elections(asked, plan, made);
    made.log_dirs = LogDirs(cluster);
    if (problem.resources[problem.copied].in_bytes) {
        made.gives = problem.gives_a_second;
        made.takes = problem.takes_a_second;
        made.half_duplex = problem.half_duplex;
    }
    return made;
}

namespace {

/// By thing, the copies of one that leads now and of one that is the first in the end, if that one
/// gets to lead.
std::vector<reassign::LeaderChange> leaders_of(const reassign::Instance& instance,
                                               const ReplicaOrder& before,
                                               const ReplicaOrder& after,
                                               const std::vector<reassign::ItemId>& item_of,
                                               const std::vector<reassign::Move>& moves) {
    const reassign::Problem& problem = instance.problem;
    std::vector<reassign::ItemId> leads(problem.things.size(), reassign::no_item);
    for (reassign::ItemId item = 0; item < problem.leads.size(); ++item)
        if (problem.leads[item]) leads[problem.thing[item]] = item;
    const bool asked = problem.leaders_tolerance || !problem.given_leaders.empty();
    std::set<reassign::ItemId> moved;
    for (const reassign::Move& move : moves)
        moved.insert(move.item);
    std::vector<reassign::LeaderChange> changes;
    for (std::uint32_t thing = 0; thing < leads.size(); ++thing) {
        if (leads[thing] == reassign::no_item || after.held(thing) == 0) continue;
        const reassign::ItemId first = item_of[after.leading_copy(thing)];
        const bool is_other = after.leading_copy(thing) != before.leading_copy(thing);
        if (first != reassign::no_item && first != leads[thing] &&
            (asked || is_other || moved.contains(leads[thing])))
            changes.push_back({thing, leads[thing], first});
    }
    return changes;
}

/// Refuses waves by which a partition that loses a replica keeps it while replicas are copied: what
/// brokers hold on the way is counted without it.
void expect_drops_first(const std::set<std::uint32_t>& losing, const Items& items,
                        WaveMoves& waves) {
    std::set<std::uint32_t> seen;
    ItemMoves& read = waves.moves;
    std::size_t move = 0;
    for (std::size_t at = 0; at < waves.waves.size(); ++at) {
        const std::uint64_t wave = waves.files.first + at;
        if (!read.fault.empty() && wave >= read.fault_wave) return;
        const bool is_copied = move > 0;
        std::set<std::uint32_t> gaining;
        for (; move < read.moves.size() && read.moves[move].wave == wave; ++move)
            gaining.insert(items.thing[read.moves[move].copy]);
        for (std::size_t line = 0; line < waves.waves[at].size(); ++line) {
            const std::uint32_t thing = waves.waves[at][line].thing;
            if (!losing.contains(thing) || !seen.insert(thing).second) continue;
            if (!is_copied && !gaining.contains(thing)) continue;
            read.fault = "partition " + items.thing_name(thing) + " loses a replica in wave " +
                         std::to_string(wave) +
                         ", but what --replicas drops goes before anything is copied";
            read.fault_wave = wave;
            read.fault_line = line;
            return;
        }
    }
}

}  // namespace

ReadReassignment read_reassignment(WaveFiles files,
                                   const std::function<std::string(const std::string&)>& text,
                                   const reassign::Instance& instance, const Cluster& cluster) {
    const reassign::Problem& problem = instance.problem;
    const PartitionItems read = partition_items(instance, cluster);
    const std::vector<reassign::ItemId> item_of = items_by_number(read);
    const ReplicaOrder before = order_before(instance, read.items);
    std::set<std::uint32_t> losing;
    for (const reassign::DroppedCopy& copy : instance.dropped)
        losing.insert(copy.thing);
    ReadReassignment made{read_wave_moves(std::move(files), text, read.items, before), {}, {}, {}};
    for (const ItemMove& move : made.waves.moves.moves)
        made.moves.push_back({move.wave, item_of[move.copy],
                              move.from == no_node ? problem.outside : move.from, move.to});
    expect_drops_first(losing, read.items, made.waves);
    std::set<std::uint32_t> named;
    for (const std::vector<Replicas>& wave : made.waves.waves)
        for (const Replicas& replicas : wave)
            named.insert(replicas.thing);
    for (const reassign::DroppedCopy& copy : instance.dropped)
        if (named.contains(copy.thing)) made.drops.push_back({copy.thing, copy.machine, 0});
    if (made.waves.moves.fault.empty())
        made.leaders = leaders_of(instance, before, made.waves.order, item_of, made.moves);
    return made;
}

std::vector<load::ItemDrop> drops_of(const std::vector<std::vector<Replicas>>& waves,
                                     const Cluster& cluster) {
    std::vector<load::ItemDrop> drops;
    std::set<std::uint32_t> seen;
    for (const std::vector<Replicas>& wave : waves) {
        for (const Replicas& replicas : wave) {
            if (!seen.insert(replicas.thing).second) continue;
            const Partition& partition = cluster.partitions[replicas.thing];
            std::size_t more = partition.replicas.size() -
                               std::min(partition.replicas.size(), replicas.nodes.size());
            const auto drop = [&](std::size_t at) {
                const BrokerId broker = partition.replicas[at].broker;
                if (more == 0 || holds(replicas.nodes, broker)) return;
                drops.push_back({replicas.thing, broker, 0});
                --more;
            };
            const std::size_t leading = partition.leading_replica();
            for (std::size_t at = partition.replicas.size(); at-- > 0;)
                if (at != leading) drop(at);
            if (more > 0) drop(leading);
        }
    }
    return drops;
}

std::uint64_t carry_out(const std::vector<std::vector<Replicas>>& waves, Cluster& cluster) {
    std::uint64_t count = 0;
    for (const std::vector<Replicas>& wave : waves) {
        for (const auto& [thing, nodes] : wave) {
            Partition& partition = cluster.partitions[thing];
            const std::optional<Tokens> size = partition.replicas[partition.leading_replica()].size;
            const std::vector<Replica> before = std::move(partition.replicas);
            std::vector<Replica> leaving;
            std::copy_if(before.begin(), before.end(), std::back_inserter(leaving),
                         [&](const Replica& each) { return !holds(nodes, each.broker); });
            partition.replicas.clear();
            for (const NodeId node : nodes) {
                const auto kept =
                    std::find_if(before.begin(), before.end(),
                                 [&](const Replica& each) { return each.broker == node; });
                if (kept != before.end()) {
                    partition.replicas.push_back(*kept);
                    continue;
                }
                Replica& added = partition.replicas.emplace_back();
                added.broker = node;
                added.size = leaving.empty() ? size : leaving.front().size;
                if (!leaving.empty()) leaving.erase(leaving.begin());
                ++count;
            }
            if (partition.leader && !holds(nodes, *partition.leader))
                partition.leader = nodes.front();
        }
    }
    return count;
}

std::vector<std::string> wave_documents(const Reassignment& reassignment) {
    LogDirs log_dirs = reassignment.log_dirs;
    return wave_documents(reassignment.waves.waves, reassignment.items, log_dirs);
}

std::vector<std::string> rollback_documents(const Reassignment& reassignment) {
    LogDirs log_dirs = reassignment.log_dirs;
    for (const std::vector<Replicas>& wave : reassignment.waves.waves)
        for (const Replicas& replicas : wave)
            log_dirs.follow(replicas);
    return wave_documents(waves_back(reassignment.items, reassignment.waves.waves),
                          reassignment.items, log_dirs);
}

}  // namespace equipoise::kafka
