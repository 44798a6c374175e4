#pragma once
// The sizes and directories of replicas, as kafka-log-dirs --describe prints them.

#include <string>
#include <string_view>

#include "equipoise/adapters/kafka/cluster.hpp"

namespace equipoise::kafka {

/// Gives replicas the sizes (bytes) that kafka-log-dirs --describe printed, once or for some
/// brokers at a time; a replica that is being added counts as large as the largest of its
/// partition. Copies on their way to another directory of their broker (isFuture) do not count. A
/// replica that the cluster has in some directory is in the one where it was found. Notes name
/// directories with errors. Throws InputError, also if a size is missing.
void read_log_dirs(std::string_view text, const std::string& name, Cluster& cluster);

}  // namespace equipoise::kafka
