#pragma once
// A small run step by step, for people.

#include <cstddef>
#include <string>

#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

/// Networks up to this size have rows that people can read.
inline constexpr NodeId traced_nodes_max = 24;

/// The loads of every node after every step in which tokens moved, and the moves, also those from
/// and to the outside; steps without a move are left out. Ends with a line that says how many rows
/// were left out beyond `rows_max`. Throws UnsuitableError when the record is not full or has more
/// than `traced_nodes_max` nodes.
[[nodiscard]] std::string trace_text(const model::Record& record, std::size_t rows_max = 60);

}  // namespace equipoise::report
