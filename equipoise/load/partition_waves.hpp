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
    /// Exchanges the places of the replica on this broker, if there is one, and the first replica.
    void lead(std::uint32_t thing, NodeId node);
    /// Sets the order: the brokers that hold the partition.
    void arrange(std::uint32_t thing, const std::vector<NodeId>& nodes);
    /// Moves as few replicas as possible so that they are on these brokers, one for each replica,
    /// and sets the order. Returns the moves, all of wave 0.
    std::vector<ItemMove> become(std::uint32_t thing, const std::vector<NodeId>& nodes);

    [[nodiscard]] std::vector<NodeId> nodes(std::uint32_t thing) const;
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

/// A reassignment in waves, in the form in which brokers are asked for it.
struct PartitionWaves {
    /// Partitions that the last wave puts into the order of the proposal, beyond what moves change.
    std::vector<std::vector<Replicas>> waves;
    /// Partitions whose replicas only change their order in the last wave, without a move.
    std::vector<std::uint32_t> reordered;
    std::uint64_t leaders = 0;  ///< partitions that end with another preferred leader
};

/// Groups moves, which are given in the order of their waves. A replica that moves keeps its place
/// in the order, with one exception: when the leader moves, the proposed leader takes its place if
/// it is already there. In the last wave, or in one of its own, partitions get the order of the
/// proposal if it names them. So before the last wave a leader is replaced only if it moves.
[[nodiscard]] PartitionWaves partition_waves(const Items& items, std::span<const ItemMove> moves,
                                             const EndsByThing& proposal);

/// The moves of these waves, the first of which has the number `first_wave`; `order` is brought up
/// to date. The `line` of a move is the place of its partition in the wave, from 0.
[[nodiscard]] ItemMoves moves_of(const std::vector<std::vector<Replicas>>& waves,
                                 std::uint64_t first_wave, const Items& items, ReplicaOrder& order);

/// The file of a wave: moves.json and 3 give moves-3.json.
[[nodiscard]] std::string file_of_wave(const std::string& path, std::uint64_t wave);

/// A sequence of files, one for each wave.
struct WaveFiles {
    std::vector<std::string> paths;
    std::uint64_t first = 0;  ///< the number of the first wave

    /// "moves-0.json to moves-3.json".
    [[nodiscard]] std::string words() const;
};

/// Given moves-3.json: that file, moves-4.json and so on, as far as they exist. Given moves.json,
/// if there is no such file: from moves-0.json on. Any other file alone.
[[nodiscard]] WaveFiles wave_files_from(const std::string& path);

/// Given moves-3.json: the files moves-0.json to moves-3.json; other names as above. Throws
/// InputError naming a file that is missing in between.
[[nodiscard]] WaveFiles wave_files_up_to(const std::string& path);

}  // namespace equipoise::load
