#pragma once
// Lists of numbers in JSON: loads of experts, and experts of slots, layer by layer.

#include <cstdint>
#include <vector>

#include "equipoise/base/json_value.hpp"
#include "equipoise/replication/problem.hpp"

namespace equipoise::experts {

/// A row for each layer, all as long and none empty.
using LoadRows = std::vector<std::vector<double>>;
using SlotRows = std::vector<std::vector<replication::ItemId>>;

/// Whether a value is a list whose first element is a list.
[[nodiscard]] bool is_list_of_lists(const JsonValue& value);

/// Rows of loads, 0 or more. Throws InputError naming the place, also if there is no row or there
/// are more than `layers_max`. Frees the rows of the value as it reads them.
[[nodiscard]] LoadRows load_rows(const JsonValue& rows);
/// The same of experts, and of one row, which is not empty either.
[[nodiscard]] SlotRows slot_rows(const JsonValue& rows);
[[nodiscard]] std::vector<replication::ItemId> slot_row(const JsonValue& row);

/// Throws InputError unless a row, found in `where`, is as long as those before it.
void expect_as_long(const JsonValue& where, std::size_t found, std::size_t expected);

/// 0, 1, 2, ...
[[nodiscard]] std::vector<std::uint64_t> numbered(std::size_t layers);

}  // namespace equipoise::experts
