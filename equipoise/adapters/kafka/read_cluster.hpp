#pragma once
// A cluster from what any of Kafka's tools prints.

#include <string>
#include <string_view>

#include "equipoise/adapters/kafka/cluster.hpp"

namespace equipoise::kafka {

/// Reads partitions, their replicas and what else a text says of them: the output of kafka-topics
/// --describe or kcat -L -J, or an assignment (`read_assignment`, the current one). Of
/// reassignments that the same text says to be under way (kafka-topics, or
/// kafka-reassign-partitions --list) the end counts. `name` stands for the text in messages.
/// Throws InputError naming line or place.
[[nodiscard]] Cluster read_cluster(std::string_view text, const std::string& name);

}  // namespace equipoise::kafka
