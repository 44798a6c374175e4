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
/// first lines begins an object (which a pipe cannot show). Throws nothing: a file that cannot be
/// read is none of Kafka's.
[[nodiscard]] bool holds_documents(const std::string& path);

/// The two assignments that kafka-reassign-partitions --generate prints, each under its heading.
enum class Assignment { current, proposed };

/// Reads Kafka's reassignment JSON (`{"version":1,"partitions":[{"topic","partition",
/// "replicas"}]}`) or a text that holds it, as kafka-reassign-partitions prints it: items are
/// partitions, named topic-partition, of size 1, nodes brokers. Copies of a partition stand in the
/// order of its replicas. Of two assignments the wanted one is read, an assignment without a
/// heading or alone in any case. `notes`, if not null, get a line if there was a choice. `name`
/// stands for the text in messages. Throws InputError.
[[nodiscard]] Items read_partitions(std::string_view text, const std::string& name,
                                    Assignment wanted = Assignment::current,
                                    std::vector<std::string>* notes = nullptr);

/// Gives partitions the sizes that kafka-log-dirs --describe printed, once or for some brokers at a
/// time (bytes; an empty one counts as 1). Throws InputError, also if it knows no size of one of
/// them.
void read_partition_sizes(std::string_view text, const std::string& name, Items& items);

/// The assignment that is proposed, or alone, in a text (`read_partitions`): by partition, its
/// replicas in order, empty where the text does not name it. `notes` also get a line if it names
/// directories, which are not read. Throws InputError, also for unknown partitions and brokers.
[[nodiscard]] EndsByThing read_proposal(std::string_view text, const std::string& name,
                                        const Items& items,
                                        std::vector<std::string>* notes = nullptr);

/// The replicas of a partition in their order: the first is its preferred leader.
struct Replicas {
    std::uint32_t thing = 0;
    std::vector<NodeId> nodes;
    friend bool operator==(const Replicas&, const Replicas&) = default;
};

/// What a text asks the brokers for, one document after the other: the partitions that change and
/// the replicas that they then have. The current assignment that the tool prints is none of them.
/// Throws as `read_proposal`.
[[nodiscard]] std::vector<std::vector<Replicas>> read_reassignments(std::string_view text,
                                                                    const std::string& name,
                                                                    const Items& items);

}  // namespace equipoise::load
