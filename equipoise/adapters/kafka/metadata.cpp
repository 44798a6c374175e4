#include "equipoise/adapters/kafka/metadata.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/adapters/kafka/partition_list.hpp"
#include "equipoise/adapters/kafka/words.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::kafka {

namespace {

/// The ids of a list of brokers, each once.
std::vector<std::string> ids_of(const JsonValue& list) {
    std::vector<std::string> ids;
    list.for_each(
        [&](const JsonValue& each) {
            std::string id = std::to_string(each.at("id").whole<std::uint64_t>(0, broker_id_max));
            if (std::find(ids.begin(), ids.end(), id) != ids.end())
                list.refuse("every broker once");
            ids.push_back(std::move(id));
        },
        "a list of brokers");
    return ids;
}

class MetadataReader {
  public:
    explicit MetadataReader(const Document& document) : document_(document), list_(cluster_) {}

    Cluster read() {
        const JsonValue top = document_.top();
        top.at("brokers").for_each([&](const JsonValue& broker) {
            static_cast<void>(cluster_.brokers.number_of(
                std::to_string(broker.at("id").whole<std::uint64_t>(0, broker_id_max))));
        });
        top.at("topics").for_each([&](const JsonValue& topic) { take_topic(topic); });
        if (cluster_.partitions.empty())
            throw InputError(document_.name + ": expected the partitions of a topic, found none");
        note_leaderless(document_.name, std::move(leaderless_), cluster_);
        return std::move(cluster_);
    }

  private:
    void take_topic(const JsonValue& topic) {
        const std::string name = topic.at("topic").text();
        if (name.empty()) topic.at("topic").refuse("the name of a topic");
        const auto error = topic.find("error");
        const auto partitions = topic.find("partitions");
        if (error && error->is_text() && (!partitions || partitions->size() == 0)) {
            cluster_.notes.push_back(document_.name + ": topic " + printable(name) +
                                     " is left out: " + printable(error->text()));
            return;
        }
        topic.at("partitions").for_each([&](const JsonValue& partition) {
            take_partition(partition, name);
        });
    }

    void take_partition(const JsonValue& partition, const std::string& topic) {
        const auto number = partition.at("partition").whole<std::uint32_t>(0, partition_number_max);
        const JsonValue list = partition.at("replicas");
        const std::vector<std::string> replicas = ids_of(list);
        if (replicas.empty()) list.refuse("a broker or more");
        Partition* const made = list_.add(topic, number);
        if (made == nullptr) partition.refuse("every partition once");
        if (!list_.set_replicas(*made, replicas))
            list.refuse("at most " + std::to_string(replicas_max) + " replicas in all");
        const auto holds = [&](const std::string& broker) {
            return std::find(replicas.begin(), replicas.end(), broker) != replicas.end();
        };
        if (const auto in_sync = partition.find("isrs"))
            for (const std::string& broker : ids_of(*in_sync))
                if (holds(broker)) made->in_sync.push_back(cluster_.brokers.number_of(broker));
        const JsonValue leader = partition.at("leader");
        const auto id = leader.whole<std::int64_t>(-1);
        if (id < 0) {
            leaderless_.push_back(made->name());
        } else if (const std::string broker = std::to_string(id); holds(broker)) {
            made->leader = cluster_.brokers.number_of(broker);
        } else {
            leader.refuse("one of the replicas or -1");
        }
    }

    const Document& document_;
    Cluster cluster_;
    PartitionList list_;
    std::vector<std::string> leaderless_;
};

}  // namespace

bool is_metadata(const Document& document) {
    return document.has("brokers") && document.has("topics");
}

Cluster read_metadata(const Document& document) {
    return MetadataReader(document).read();
}

}  // namespace equipoise::kafka
