#pragma once
// The rule by which cluster balancers move items: from the fullest to the emptiest node, item by
// item.

#include <cstdint>
#include <optional>

#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::optimum {

// Problem: level items without looking ahead.
// Model: items in waves (problem.hpp).
// Source: the rule that the balancers of HDFS, Elasticsearch and Ceph share: take from the node
//   that is furthest above what it may hold, give to the one that is furthest below; the largest
//   item that does not make the taker the fuller of the two; at most `at_a_time` in a wave.
// Guarantee: every move makes the fuller of its two nodes emptier. Cost O(moves * nodes^2) at
//   worst, if rates leave few nodes that can give or take.

/// The schedule; nothing if the mover stops above the target. `at_a_time` 0: as rates allow.
[[nodiscard]] std::optional<WaveSchedule> greedy_waves(const ItemsProblem& problem,
                                                       std::uint64_t at_a_time);

}  // namespace equipoise::optimum
