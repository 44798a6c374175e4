#pragma once
// A cluster of Kafka's as its tools describe it: the one form into which all of their outputs are
// read, and from which problems, files of waves and commands are made.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/name_table.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/items.hpp"

namespace equipoise::kafka {

using BrokerId = std::uint32_t;  ///< the number of a broker in `Cluster::brokers`, from 0

/// A replica of a partition. The first one of a partition is its preferred leader.
struct Replica {
    BrokerId broker = 0;
    std::string log_dir;         ///< an absolute path; empty: any
    std::optional<Tokens> size;  ///< bytes on this broker, if known
    bool adding = false;         ///< being added by a reassignment that is under way
};

struct Partition {
    std::string topic;
    std::uint32_t number = 0;
    std::vector<Replica> replicas;   ///< in Kafka's order
    std::optional<BrokerId> leader;  ///< the present one, if it is known and there is one
    std::vector<BrokerId> in_sync;   ///< empty: not known

    [[nodiscard]] std::string name() const { return topic + '-' + std::to_string(number); }
    /// The replica that leads: the present leader's or, if that is not known, the first one.
    [[nodiscard]] std::size_t leading_replica() const;
    /// A replica is on this broker now; if that is another one than before, in any directory. A
    /// leader leads on.
    void put_on(std::size_t replica, BrokerId broker);
};

/// Where a reassignment is under way, the replicas are those to which it leads.
struct Cluster {
    NameTable brokers;                  ///< by their ids in decimal; those without replicas too
    std::vector<std::string> racks;     ///< by broker; empty: none; the list empty: racks not known
    std::vector<Partition> partitions;  ///< in the order of the file; each once
    std::vector<std::uint32_t> under_way;  ///< numbers of the partitions that are being reassigned
    std::vector<std::string> notes;        ///< for people, on what was read

    /// Whether some replica is in a directory that is known.
    [[nodiscard]] bool names_directories() const;
    /// How many replicas the partitions have in all.
    [[nodiscard]] std::uint64_t replica_count() const;
    /// Numbers the brokers that hold replicas anew, in the order that they had.
    void forget_brokers_without_replicas();
};

/// The replicas as items, partition by partition in Kafka's order; brokers keep their numbers.
/// Items have sizes if the size of each replica is known.
[[nodiscard]] load::Items items_of(const Cluster& cluster);

}  // namespace equipoise::kafka
