#pragma once
// Kafka's partitions: assignments to brokers and sizes, as its tools take and print them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/load/items.hpp"

namespace equipoise::load {

/// Whether a file is one of Kafka's rather than a table: its name ends in .json, or one of its
/// first lines begins an object (pipes are not looked into). Throws nothing: a file that cannot be
/// read counts as a table.
[[nodiscard]] bool holds_documents(const std::string& path);

/// The two assignments that kafka-reassign-partitions --generate prints, each under its heading.
enum class Assignment { current, proposed };

/// Reads Kafka's reassignment JSON (`{"version":1,"partitions":[{"topic","partition",
/// "replicas"}]}`) or a text that holds it, as kafka-reassign-partitions prints it: items are
/// partitions, named topic-partition, of size 1, nodes brokers. Copies of a partition stand in the
/// order of its replicas. Of two assignments under headings the wanted one is read; one that stands
/// alone or has no heading is read in any case. `notes`, if not null, get a line if there was a
/// choice. `name` stands for the text in messages. Throws InputError.
[[nodiscard]] Items read_partitions(std::string_view text, const std::string& name,
                                    Assignment wanted = Assignment::current,
                                    std::vector<std::string>* notes = nullptr);

/// Gives partitions the sizes that kafka-log-dirs --describe printed, once or for some brokers at a
/// time (bytes; an empty one counts as 1). Throws InputError, also if the size of a partition is
/// missing.
void read_partition_sizes(std::string_view text, const std::string& name, Items& items);

/// The assignment that a text proposes or, if it holds only one, that one (see `read_partitions`):
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
/// left out. Throws as `read_proposal`.
[[nodiscard]] std::vector<std::vector<Replicas>> read_reassignments(std::string_view text,
                                                                    const std::string& name,
                                                                    const Items& items);

}  // namespace equipoise::load
