#pragma once
// The partitions of a cluster while they are read.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/base/name_table.hpp"

namespace equipoise::kafka {

inline constexpr std::uint64_t partition_number_max = 0x7fff'ffff;
inline constexpr std::uint64_t replicas_max = 50'000'000;

/// Numbers the partitions of a cluster by their names.
class PartitionList {
  public:
    explicit PartitionList(Cluster& cluster);

    /// Adds a partition; null if it is there already.
    [[nodiscard]] Partition* add(std::string topic, std::uint32_t number);
    /// The partition with this name; null if there is none.
    [[nodiscard]] Partition* find(std::string_view name);
    /// Sets the replicas: these brokers, in order. What is known of replicas that stay is kept; a
    /// leader that goes is forgotten. False if the cluster would have more than `replicas_max`.
    [[nodiscard]] bool set_replicas(Partition& partition, const std::vector<std::string>& brokers);
    /// Marks a partition as being reassigned.
    void mark_under_way(const Partition& partition);
    [[nodiscard]] bool is_under_way(const Partition& partition) const;

  private:
    Cluster& cluster_;
    NameTable names_;
    std::vector<bool> under_way_;  ///< by partition; those beyond its end are not
    std::uint64_t replicas_ = 0;
};

/// "t-0", "t-0 and t-1" or, of many, "t-0, t-1, t-2 and 7 more", as far as they can be printed.
[[nodiscard]] std::string some_of(std::vector<std::string> names);

/// Adds a note on partitions that have no leader, if there are any. `name` stands for what says so.
void note_leaderless(const std::string& name, std::vector<std::string> names, Cluster& cluster);

/// Adds a note on partitions that have replicas which are not in sync, if there are any.
void note_not_in_sync(const std::string& name, Cluster& cluster);

/// That these partitions are being reassigned, and what follows for a plan.
[[nodiscard]] std::string under_way_note(const std::string& name, std::vector<std::string> names);

}  // namespace equipoise::kafka
