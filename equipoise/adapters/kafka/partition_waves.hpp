#pragma once
// Kafka's partitions as they change in waves: which replicas they have, and in which order.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "equipoise/adapters/kafka/partitions.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/load/items.hpp"

namespace equipoise::kafka {

/// The replicas of partitions in their order, while they move. A replica that moves keeps its place
/// in the order. A copy on `no_node` is a replica that is not there yet; it comes last.
class ReplicaOrder {
  public:
    explicit ReplicaOrder(const Items& items);

    void move(std::uint32_t copy, NodeId to) { places_[copy] = to; }
    /// The partition loses this replica for good.
    void drop(std::uint32_t thing, std::uint32_t copy);
    /// Exchanges the places of the replica on this broker, if there is one, and the first replica.
    void lead(std::uint32_t thing, NodeId node);
    /// Sets the order: the brokers that hold the partition.
    void arrange(std::uint32_t thing, const std::vector<NodeId>& nodes);
    /// Moves as few replicas as possible so that they are on these brokers, one for each replica,
    /// and sets the order; replicas that are not there yet come if the brokers are more. Returns
    /// the moves, all of wave 0.
    std::vector<ItemMove> become(std::uint32_t thing, const std::vector<NodeId>& nodes);

    /// The brokers that hold the partition, in order.
    [[nodiscard]] std::vector<NodeId> nodes(std::uint32_t thing) const;
    /// How many replicas the partition has, and could have with those that are not there yet.
    [[nodiscard]] std::size_t held(std::uint32_t thing) const;
    [[nodiscard]] std::size_t most(std::uint32_t thing) const { return copies_[thing].size(); }
    [[nodiscard]] NodeId place(std::uint32_t copy) const { return places_[copy]; }
    [[nodiscard]] std::uint32_t leading_copy(std::uint32_t thing) const {
        return copies_[thing].front();
    }
    [[nodiscard]] NodeId leader(std::uint32_t thing) const { return places_[leading_copy(thing)]; }
    /// How many partitions have another preferred leader than in `before`, which is of the same
    /// items.
    [[nodiscard]] std::uint64_t other_leaders(const ReplicaOrder& before) const;
    /// Gives the items their present places, copies in the order of replicas.
    void store(Items& items) const;

  private:
    std::vector<std::vector<std::uint32_t>> copies_;  ///< by partition, in the order of replicas
    std::vector<NodeId> places_;                      ///< by copy
};

inline constexpr std::uint32_t no_copy = ~std::uint32_t{0};

/// What changes partitions besides moves and an order that is given.
struct ReplicaChanges {
    /// By partition: the copy that is its preferred leader in the end, or `no_copy`; empty: nothing
    /// is said.
    std::vector<std::uint32_t> leaders = {};
    std::vector<std::uint32_t> dropped = {};     ///< copies that go
    std::vector<std::uint32_t> successors = {};  ///< copies that lead when one that led has gone
};

/// A reassignment in waves, in the form in which brokers are asked for it.
struct PartitionWaves {
    /// By wave: the partitions that change, with the replicas that they then have.
    std::vector<std::vector<Replicas>> waves;
    /// Partitions that the last wave puts into another order, beyond what moves change.
    std::vector<std::uint32_t> reordered;
    std::uint64_t leaders = 0;  ///< partitions that end with another preferred leader
};

/// Groups moves, which are given in the order of their waves. Copies that go do so in a wave of
/// their own before all others: Kafka drops them at once where a partition gets no new replica, and
/// otherwise only when that one is in sync. A replica that moves keeps its place
/// in the order, with one exception: when the leader moves, the proposed leader takes its place if
/// it is already there. In the last wave, or in one of its own, partitions get the order of the
/// proposal if it names them and they are on its brokers, or their preferred leader exchanges its
/// place with the first replica. So before the last wave a leader is replaced only if it moves. A
/// move from `no_node` adds a replica.
[[nodiscard]] PartitionWaves partition_waves(const Items& items, std::span<const ItemMove> moves,
                                             const EndsByThing& proposal,
                                             const ReplicaChanges& changes = {});

/// The way back from where the waves lead: the last wave first; each gives its partitions the
/// replicas, in the order, that they had before it.
[[nodiscard]] std::vector<std::vector<Replicas>> waves_back(
    const Items& items, const std::vector<std::vector<Replicas>>& waves);

/// "1,2": the names of brokers.
[[nodiscard]] std::string broker_words(const Items& items, const std::vector<NodeId>& brokers);

/// The first partition whose replicas are not those of the proposal, in its order, in words; empty:
/// there is none.
[[nodiscard]] std::string fault_of_order(const Items& items, const EndsByThing& proposal,
                                         const ReplicaOrder& order);

/// The moves of these waves, the first of which has the number `first_wave`; `order` is brought up
/// to date. The `line` of a move is the place of its partition in the wave, from 0.
[[nodiscard]] ItemMoves moves_of(const std::vector<std::vector<Replicas>>& waves,
                                 std::uint64_t first_wave, const Items& items, ReplicaOrder& order);

}  // namespace equipoise::kafka
