#pragma once
// How others place replicas.

#include <cstdint>
#include <optional>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::benchmarks {

/// The rule of Kafka's generator (kafka-reassign-partitions --generate). Brokers are listed one of
/// each rack in turn. The first replica of a topic's partition p is on the (p + start)-th broker,
/// for a random start; the others follow at a distance that begins at random, grows by the number
/// of racks when p has gone round the list, and passes over brokers in racks that have a replica
/// while some rack has none. Neither sizes nor old places count.
class GeneratorRule {
  public:
    /// `racks` by broker.
    GeneratorRule(const std::vector<std::uint32_t>& brokers,
                  const std::vector<std::uint32_t>& racks);
    /// The brokers of the partitions of one topic.
    [[nodiscard]] std::vector<std::vector<std::uint32_t>> place(std::uint32_t partitions,
                                                                std::size_t replicas,
                                                                RandomStream& draw) const;

  private:
    [[nodiscard]] std::vector<std::uint32_t> replicas_of(std::size_t first, std::size_t shift,
                                                         std::size_t replicas) const;

    std::vector<std::uint32_t> listed_;
    std::vector<std::uint32_t> racks_;
    std::size_t rack_count_ = 0;
};

/// Where all items of a cluster go by that rule, topic by topic, on the brokers that may take some.
[[nodiscard]] std::vector<reassign::MachineId> generated_places(const reassign::Problem& problem,
                                                                std::uint64_t seed);

/// A greedy mover, as cluster balancers have it: brokers to be drained are emptied, the largest
/// replica first, each onto the broker that holds least among those that the rules allow; then, as
/// long as a broker is not level, the largest replica of the fullest one goes to the emptiest that
/// may have it and is then less full.
[[nodiscard]] std::vector<reassign::MachineId> greedy_places(const reassign::Problem& problem);

}  // namespace equipoise::benchmarks
