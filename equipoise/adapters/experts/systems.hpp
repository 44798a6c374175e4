#pragma once
// What each system's files hold. Each reader takes a JSON value whose kind is known already.

#include <string>
#include <string_view>
#include <vector>

#include "equipoise/adapters/experts/forms.hpp"
#include "equipoise/base/json_value.hpp"

namespace equipoise::experts {

/// SGLang: an object with `logical_count`, of one step or several, or such a list alone.
[[nodiscard]] Loads sglang_loads(const JsonValue& counts);
/// SGLang: the list `physical_to_logical_map`.
[[nodiscard]] Placement sglang_placement(const JsonValue& rows);
[[nodiscard]] std::string sglang_text(const Placement& placement);

/// vLLM: JSON objects with a `record_type`, each at the beginning of a line. Loads are those of all
/// records `eplb_load_stats`; placements the last `eplb_initial_mapping` or, without any, the map
/// of the first or last `eplb_load_stats`. Records of other types are skipped.
/// The text of `holds_vllm_records` begins without blanks.
[[nodiscard]] bool holds_vllm_records(std::string_view text);
[[nodiscard]] Loads vllm_loads(std::string_view text, const std::string& name);
[[nodiscard]] Placement vllm_placement(std::string_view text, const std::string& name,
                                       Record of_loads);
[[nodiscard]] std::string vllm_text(const Placement& placement);
/// vLLM: a list of rows, or one row for all layers.
[[nodiscard]] Placement vllm_map_placement(const JsonValue& rows);
[[nodiscard]] std::string vllm_map_text(const Placement& placement);

/// An object with `initial_global_assignments`: rows by the number of their layer.
[[nodiscard]] Placement assignments_of(const JsonValue& object);
/// TensorRT-LLM: such an object, with `num_slots` and `layer_updates_per_iter`.
[[nodiscard]] Placement tensorrt_llm_placement(std::string_view yaml, const std::string& name);
[[nodiscard]] std::string tensorrt_llm_text(const Placement& placement);

/// A table with the columns layer, expert, load and perhaps step.
[[nodiscard]] Loads table_loads(std::string_view text, const std::string& name);

/// The number of experts, all of which some slots hold.
[[nodiscard]] std::uint32_t experts_in(const std::vector<std::vector<replication::ItemId>>& slots);
/// "[0, 1, 2]".
[[nodiscard]] std::string list_text(const std::vector<replication::ItemId>& slots);

}  // namespace equipoise::experts
