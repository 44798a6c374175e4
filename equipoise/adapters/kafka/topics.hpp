#pragma once
// Partitions as kafka-topics --describe prints them.

#include <string>
#include <string_view>

#include "equipoise/adapters/kafka/cluster.hpp"

namespace equipoise::kafka {

/// Whether kafka-topics --describe prints such a line.
[[nodiscard]] bool is_topic_line(std::string_view line);

/// Reads what kafka-topics --describe printed: replicas in order, leaders, which replicas are in
/// sync, what is being added and removed. Other lines are skipped. `name` stands for the text in
/// messages. Throws InputError naming the line, also where a topic has fewer partitions than its
/// first line says.
[[nodiscard]] Cluster read_topics(std::string_view text, const std::string& name);

}  // namespace equipoise::kafka
