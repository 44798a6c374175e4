#pragma once
// Kafka-like clusters: partitions with three replicas on brokers in racks.

#include <cstdint>
#include <string>

#include "equipoise/reassign/problem.hpp"

namespace equipoise::benchmarks {

/// What happens to the cluster.
struct Change {
    std::string name;
    std::uint32_t drained = 0;  ///< of a hundred brokers
    std::uint32_t added = 0;    ///< of a hundred brokers: empty so far
};

inline constexpr std::size_t replicas_each = 3;
inline constexpr std::size_t bytes_resource = 1;

/// Ten partitions a broker, in topics of 1 to 50, each placed by the rule of Kafka's generator over
/// the brokers that were there; sizes are log-normal, ln(size) with a deviation of 1. Replicas of a
/// partition are to be in different racks, bytes level within a tenth; bytes are moved least. A
/// broker gives and takes ten replicas a wave.
[[nodiscard]] reassign::Problem kafka_cluster(std::uint32_t brokers, std::uint32_t racks,
                                              const Change& change, std::uint64_t seed);

}  // namespace equipoise::benchmarks
