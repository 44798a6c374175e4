#pragma once
// A plan of `reassign` for partitions, in the form in which Kafka carries it out.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/adapters/kafka/partition_waves.hpp"
#include "equipoise/adapters/kafka/partitions.hpp"
#include "equipoise/adapters/kafka/wave_files.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/items.hpp"
#include "equipoise/reassign/input/instance.hpp"
#include "equipoise/reassign/plan.hpp"

namespace equipoise::kafka {

/// What a wave does.
struct WaveFigures {
    std::uint64_t partitions = 0;   ///< that change
    std::uint64_t copied = 0;       ///< replicas that are copied
    std::optional<Tokens> bytes;    ///< copied; nothing: not known
    std::optional<double> seconds;  ///< nothing: not known
};

struct Reassignment {
    Items items;  ///< the replicas now, then, on `no_node`, those that are added
    PartitionWaves waves;
    std::vector<WaveFigures> figures;  ///< by wave
    std::vector<NodeId> leaders;       ///< by partition: the broker that leads now
    /// Partitions whose preferred leader is to be elected when all waves are over, and those where
    /// an election brings the present leader back after the way back.
    std::vector<std::uint32_t> elected;
    std::vector<std::uint32_t> elected_back;
    LogDirs log_dirs;  ///< now
    std::vector<double>
        gives;  ///< by broker: bytes a second, infinite without a limit; empty: none
    std::vector<double> takes;  ///< the same
    bool half_duplex = false;   ///< whether `gives` is for giving and taking together

    /// The replicas of the partitions that change, in their order, after the last wave.
    [[nodiscard]] std::vector<Replicas> last_lists() const;
};

/// The replicas of the cluster as items, then those that the instance adds, which are on `no_node`.
/// `number` is, by item of the instance's problem, which of them it is.
struct PartitionItems {
    Items items;
    std::vector<std::uint32_t> number;
};
[[nodiscard]] PartitionItems partition_items(const reassign::Instance& instance,
                                             const Cluster& cluster);

/// The order in which replicas end, where a target says who leads.
[[nodiscard]] EndsByThing given_order(const reassign::Instance& instance);

/// Adds to the plan, whose moves were found without a view to Kafka, the changes of leaders that
/// they bring about: where a leader moves that is not the first replica, brokers elect the first
/// one. Left out are partitions whose leader is given, to be level or changed by the plan already,
/// and those whose first replica may not begin to lead, as its broker is pinned or drained:
/// `reassignment_of` keeps their leaders.
void add_elected_leaders(const reassign::Instance& instance, const Cluster& cluster,
                         reassign::Plan& plan);

/// The instance's items are the replicas of the cluster (`Instance::as_read`). Partitions end in
/// the order that is given; where there is none, the plan's leader becomes the preferred one if
/// leaders are asked for, if the plan changes it, or if it would not lead otherwise, as it moves
/// without being the first replica; the order is that of `partition_waves`.
[[nodiscard]] Reassignment reassignment_of(const reassign::Instance& instance,
                                           const Cluster& cluster, const reassign::Plan& plan);

/// Files of waves as moves of the instance's items.
struct ReadReassignment {
    WaveMoves waves;
    std::vector<reassign::Move> moves;  ///< as `waves.moves`, whose lines and fault hold for them
    /// Of partitions whose preferred leader changes, of those whose leader moves without being the
    /// first replica and, where leaders are asked for, of those where another replica leads now:
    /// preferred leaders are elected in the end.
    std::vector<reassign::LeaderChange> leaders;
    std::vector<load::ItemDrop> drops;  ///< copies that go, as they are to, in some wave
};

/// Reads them; `text` gives the contents of a file. Copies that go (`Instance::dropped`) must do so
/// before anything is copied; otherwise there is a fault. Throws InputError as `read_wave_moves`.
[[nodiscard]] ReadReassignment read_reassignment(
    WaveFiles files, const std::function<std::string(const std::string&)>& text,
    const reassign::Instance& instance, const Cluster& cluster);

/// The copies that waves drop, as far as they can be told from those that move: of the brokers that
/// a partition leaves, so many, from the last one on, and the one that leads it at the very last.
[[nodiscard]] std::vector<load::ItemDrop> drops_of(const std::vector<std::vector<Replicas>>& waves,
                                                   const Cluster& cluster);

/// Carries waves out: partitions get these replicas in this order. One that is new has the size of
/// one that leaves or, if none does, of the leader; a leader that leaves is followed by the first
/// replica. Returns how many are new.
std::uint64_t carry_out(const std::vector<std::vector<Replicas>>& waves, Cluster& cluster);

/// The documents of the waves, and those of the way back.
[[nodiscard]] std::vector<std::string> wave_documents(const Reassignment& reassignment);
[[nodiscard]] std::vector<std::string> rollback_documents(const Reassignment& reassignment);

}  // namespace equipoise::kafka
