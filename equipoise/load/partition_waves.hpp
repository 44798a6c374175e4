#pragma once
// Kafka's partitions as they change in waves: the order of their replicas, and the files of waves.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/load/items.hpp"
#include "equipoise/load/partitions.hpp"

namespace equipoise::load {

/// The replicas of partitions in their order, while they move. A replica that moves keeps its place
/// in the order.
class ReplicaOrder {
  public:
    explicit ReplicaOrder(const Items& items);

    void move(std::uint32_t copy, NodeId to) { places_[copy] = to; }
    /// The replica on this broker, if there is one, and the first replica change places.
    void lead(std::uint32_t thing, NodeId node);
    /// Sets the order: the brokers that hold the partition.
    void arrange(std::uint32_t thing, const std::vector<NodeId>& nodes);
    /// Moves replicas, as few as can be, and sets the order: as many brokers as there are replicas.
    /// Returns the moves, all of wave 0.
    std::vector<ItemMove> become(std::uint32_t thing, const std::vector<NodeId>& nodes);

    [[nodiscard]] std::vector<NodeId> nodes(std::uint32_t thing) const;
    [[nodiscard]] std::uint32_t leading_copy(std::uint32_t thing) const {
        return copies_[thing].front();
    }
    [[nodiscard]] NodeId leader(std::uint32_t thing) const { return places_[leading_copy(thing)]; }
    /// Of the same items, how many partitions have another preferred leader.
    [[nodiscard]] std::uint64_t other_leaders(const ReplicaOrder& before) const;
    /// Puts the items where they are now, copies in the order of replicas.
    void store(Items& items) const;

  private:
    std::vector<std::vector<std::uint32_t>> copies_;  ///< by partition, in the order of replicas
    std::vector<NodeId> places_;                      ///< by copy
};

/// A reassignment in waves, as brokers are asked for it.
struct PartitionWaves {
    /// By wave, the partitions that change in it.
    std::vector<std::vector<Replicas>> waves;
    /// Partitions whose replicas change their order in the last wave, those that move keeping their
    /// places.
    std::vector<std::uint32_t> reordered;
    std::uint64_t leaders = 0;  ///< partitions that end with another preferred leader
};

/// The waves of moves, whose waves do not decrease. A replica that moves takes the place of the one
/// that it replaces, except that the proposed leader, if it is there, follows a leader that moves;
/// in the last wave, or in one of its own, partitions get the order of a proposal that names them.
/// So a leader is replaced by another broker before the last wave only if it moves.
[[nodiscard]] PartitionWaves partition_waves(const Items& items, std::span<const ItemMove> moves,
                                             const EndsByThing& proposal);

/// The moves of waves, the first of which has this number; `order` follows them. A line of a move
/// is the place of its partition in its wave, from 0.
[[nodiscard]] ItemMoves moves_of(const std::vector<std::vector<Replicas>>& waves,
                                 std::uint64_t first_wave, const Items& items, ReplicaOrder& order);

/// The file of a wave: moves.json and 3 give moves-3.json.
[[nodiscard]] std::string file_of_wave(const std::string& path, std::uint64_t wave);

/// Files of waves that follow each other.
struct WaveFiles {
    std::vector<std::string> paths;
    std::uint64_t first = 0;  ///< the number of the first wave

    /// "moves-0.json to moves-3.json".
    [[nodiscard]] std::string words() const;
};

/// The file moves-3.json with moves-4.json and so on, as far as they are there; for moves.json,
/// unless that is a file, from moves-0.json on; any other file alone.
[[nodiscard]] WaveFiles wave_files_from(const std::string& path);

/// The files moves-0.json to moves-3.json for moves-3.json, as above for others. Throws InputError
/// naming a file that is missing between others.
[[nodiscard]] WaveFiles wave_files_up_to(const std::string& path);

}  // namespace equipoise::load
