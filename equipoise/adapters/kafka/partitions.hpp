#pragma once
// Assignments of partitions to brokers, as kafka-reassign-partitions takes and prints them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/adapters/kafka/documents.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/load/items.hpp"

namespace equipoise::kafka {

using load::EndsByThing;
using load::ItemMove;
using load::ItemMoves;
using load::Items;

/// The two assignments that kafka-reassign-partitions --generate prints, each under its heading.
enum class Assignment { current, proposed };

/// Reads Kafka's reassignment JSON (`{"version":1,"partitions":[{"topic","partition",
/// "replicas"}]}`) or a text that holds it, as kafka-reassign-partitions prints it. Of two
/// assignments under headings the wanted one is read; one that stands alone or has no heading is
/// read in any case; the cluster gets a note if there was a choice. `name` stands for the text in
/// messages. Throws InputError.
[[nodiscard]] Cluster read_assignment(std::string_view text, const std::string& name,
                                      Assignment wanted = Assignment::current);
[[nodiscard]] Cluster read_assignment(std::vector<Document> documents, const std::string& name,
                                      Assignment wanted = Assignment::current);

/// The assignment that a text proposes or, if it holds only one, that one (see `read_assignment`):
/// for each partition its replicas in order, empty if the text does not name it. `notes` also get a
/// line if the text names directories, which are ignored. Throws InputError, also for unknown
/// partitions and brokers.
[[nodiscard]] EndsByThing read_proposal(std::string_view text, const std::string& name,
                                        const Items& items,
                                        std::vector<std::string>* notes = nullptr);

/// The replicas of a partition in their order: the first is its preferred leader.
struct Replicas {
    std::uint32_t thing = 0;
    std::vector<NodeId> nodes;
    friend bool operator==(const Replicas&, const Replicas&) = default;
};

/// The reassignments that a text asks the brokers for, one document after the other: the partitions
/// that change, each with its new replicas. The current assignment that the tool also prints is
/// left out. Where the text also says what became of the last one (kafka-reassign-partitions
/// --verify or --list), partitions have the replicas on which they are or to which they are on
/// their way, and those that failed are left out. Throws as `read_proposal`.
[[nodiscard]] std::vector<std::vector<Replicas>> read_reassignments(std::string_view text,
                                                                    const std::string& name,
                                                                    const Items& items);

}  // namespace equipoise::kafka
