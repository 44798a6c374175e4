#include "equipoise/adapters/kafka/partition_list.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "equipoise/base/printable.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::kafka {

PartitionList::PartitionList(Cluster& cluster) : cluster_(cluster) {
    for (const Partition& partition : cluster_.partitions)
        static_cast<void>(names_.number_of(partition.name()));
    replicas_ = cluster_.replica_count();
    under_way_.resize(cluster_.partitions.size());
    for (const std::uint32_t number : cluster_.under_way)
        under_way_[number] = true;
}

Partition* PartitionList::add(std::string topic, std::uint32_t number) {
    Partition partition;
    partition.topic = std::move(topic);
    partition.number = number;
    if (names_.number_of(partition.name()) < cluster_.partitions.size()) return nullptr;
    return &cluster_.partitions.emplace_back(std::move(partition));
}

Partition* PartitionList::find(std::string_view name) {
    const auto number = names_.find(name);
    return number ? &cluster_.partitions[*number] : nullptr;
}

bool PartitionList::set_replicas(Partition& partition, const std::vector<std::string>& brokers) {
    replicas_ -= partition.replicas.size();
    replicas_ += brokers.size();
    if (replicas_ > replicas_max) return false;
    std::vector<Replica> replicas(brokers.size());
    for (std::size_t at = 0; at < brokers.size(); ++at) {
        const BrokerId broker = cluster_.brokers.number_of(brokers[at]);
        const auto held =
            std::find_if(partition.replicas.begin(), partition.replicas.end(),
                         [&](const Replica& replica) { return replica.broker == broker; });
        if (held != partition.replicas.end()) replicas[at] = *held;
        replicas[at].broker = broker;
    }
    partition.replicas = std::move(replicas);
    const auto has = [&](BrokerId broker) {
        return std::any_of(partition.replicas.begin(), partition.replicas.end(),
                           [&](const Replica& replica) { return replica.broker == broker; });
    };
    if (partition.leader && !has(*partition.leader)) partition.leader.reset();
    std::erase_if(partition.in_sync, [&](BrokerId broker) { return !has(broker); });
    return true;
}

void PartitionList::mark_under_way(const Partition& partition) {
    const std::uint32_t number = *names_.find(partition.name());
    if (under_way_.size() <= number) under_way_.resize(number + std::size_t{1});
    if (!under_way_[number]) cluster_.under_way.push_back(number);
    under_way_[number] = true;
}

bool PartitionList::is_under_way(const Partition& partition) const {
    const std::uint32_t number = *names_.find(partition.name());
    return number < under_way_.size() && under_way_[number];
}

std::string some_of(std::vector<std::string> names) {
    constexpr std::size_t shown_max = 3;
    const std::size_t more = names.size() - std::min(names.size(), shown_max);
    names.resize(names.size() - more);
    for (std::string& name : names)
        name = printable(name);
    if (more > 0) names.push_back(std::to_string(more) + " more");
    return listed(names, " and ");
}

std::string under_way_note(const std::string& name, std::vector<std::string> names) {
    const bool one = names.size() == 1;
    return name + ": " + some_of(std::move(names)) + (one ? " is" : " are") +
           " being reassigned; what follows begins where that leads, and Kafka refuses another "
           "reassignment before then, unless --additional is given";
}

void note_leaderless(const std::string& name, std::vector<std::string> names, Cluster& cluster) {
    if (names.empty()) return;
    const char* const words = names.size() == 1
                                  ? " has no leader, and cannot be copied until it has one"
                                  : " have no leaders, and cannot be copied until they have them";
    cluster.notes.push_back(name + ": " + some_of(std::move(names)) + words);
}

void note_not_in_sync(const std::string& name, Cluster& cluster) {
    std::vector<std::string> names;
    for (const Partition& partition : cluster.partitions) {
        const auto added = static_cast<std::size_t>(
            std::count_if(partition.replicas.begin(), partition.replicas.end(),
                          [](const Replica& replica) { return replica.adding; }));
        if (!partition.in_sync.empty() &&
            partition.in_sync.size() + added < partition.replicas.size())
            names.push_back(partition.name());
    }
    if (names.empty()) return;
    const char* const words = names.size() == 1 ? " has" : " have";
    cluster.notes.push_back(name + ": " + some_of(std::move(names)) + words +
                            " replicas that are not in sync");
}

}  // namespace equipoise::kafka
