#pragma once
// Brokers and partitions as kcat -L -J prints them.

#include <string>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/adapters/kafka/documents.hpp"

namespace equipoise::kafka {

/// Whether a document is the metadata that kcat prints.
[[nodiscard]] bool is_metadata(const Document& document);

/// Reads it: all brokers, replicas in order, leaders, which replicas are in sync. It knows no
/// racks. Throws InputError.
[[nodiscard]] Cluster read_metadata(const Document& document);

}  // namespace equipoise::kafka
