#include "equipoise/adapters/kafka/cluster.hpp"

#include <algorithm>
#include <utility>

namespace equipoise::kafka {

std::size_t Partition::leading_replica() const {
    if (!leader) return 0;
    for (std::size_t at = 0; at < replicas.size(); ++at)
        if (replicas[at].broker == *leader) return at;
    return 0;
}

void Partition::put_on(std::size_t replica, BrokerId broker) {
    Replica& moved = replicas[replica];
    if (moved.broker == broker) return;
    if (leader == moved.broker) leader = broker;
    moved.broker = broker;
    moved.log_dir.clear();
}

bool Cluster::names_directories() const {
    return std::any_of(partitions.begin(), partitions.end(), [](const Partition& partition) {
        return std::any_of(partition.replicas.begin(), partition.replicas.end(),
                           [](const Replica& replica) { return !replica.log_dir.empty(); });
    });
}

std::uint64_t Cluster::replica_count() const {
    std::uint64_t count = 0;
    for (const Partition& partition : partitions)
        count += partition.replicas.size();
    return count;
}

void Cluster::forget_brokers_without_replicas() {
    std::vector<bool> holds(brokers.size(), false);
    for (const Partition& partition : partitions)
        for (const Replica& replica : partition.replicas)
            holds[replica.broker] = true;
    NameTable kept;
    std::vector<BrokerId> numbers(brokers.size(), 0);
    for (BrokerId broker = 0; broker < brokers.size(); ++broker)
        if (holds[broker]) numbers[broker] = kept.number_of(brokers.name(broker));
    for (Partition& partition : partitions) {
        for (Replica& replica : partition.replicas)
            replica.broker = numbers[replica.broker];
        if (partition.leader) partition.leader = numbers[*partition.leader];
        for (BrokerId& broker : partition.in_sync)
            broker = numbers[broker];
    }
    brokers = std::move(kept);
}

load::Items items_of(const Cluster& cluster) {
    load::Items items;
    items.are_partitions = true;
    items.nodes = cluster.brokers;
    bool sized = true;
    for (const Partition& partition : cluster.partitions) {
        const std::uint32_t thing = items.things.number_of(partition.name());
        for (const Replica& replica : partition.replicas) {
            items.thing.push_back(thing);
            items.places.push_back(replica.broker);
            items.sizes.push_back(replica.size.value_or(0));
            sized = sized && replica.size.has_value();
        }
    }
    if (!sized) items.sizes.clear();
    return items;
}

}  // namespace equipoise::kafka
