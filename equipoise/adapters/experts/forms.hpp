#pragma once
// Loads and placements of experts in the forms of SGLang, vLLM and TensorRT-LLM. Every reader knows
// each form by its content.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/replication/problem.hpp"

namespace equipoise::experts {

/// What the numbers of layers count: all layers of the model, or those that have experts (vLLM).
enum class Numbering : std::uint8_t { of_model, of_experts };

/// Measured loads. Where layers are those of the model, one whose loads are all 0 has no experts (a
/// dense layer).
struct Loads {
    std::vector<std::uint64_t> layers;  ///< the numbers of the layers, increasing
    Numbering numbering = Numbering::of_model;
    /// By step of the recording, then layer, then expert: 0 or more. One step where the file has
    /// sums alone.
    std::vector<std::vector<std::vector<double>>> steps;

    [[nodiscard]] std::size_t experts() const { return steps.front().front().size(); }
};

/// The forms of files that servers take: SGLang's --init-expert-location, the file of
/// TensorRT-LLM's load balancer, and two that vLLM takes where it is built with the proposed change
/// 41141 (`initial_mapping_path`) or 49572 (`initial_expert_map_path`).
enum class Form : std::uint8_t { sglang, tensorrt_llm, vllm, vllm_map };

/// The names of the forms, in their order: `sglang`, `tensorrt-llm`, `vllm`, `vllm-map`.
[[nodiscard]] const std::vector<std::string>& form_names();
[[nodiscard]] const std::string& name_of(Form form);
/// Throws InputError with similar names for an unknown one.
[[nodiscard]] Form form_named(const std::string& name);

/// Which expert is in each slot, layer by layer.
struct Placement {
    std::vector<std::uint64_t> layers;  ///< increasing; empty: the one row holds for all layers
    Numbering numbering = Numbering::of_model;
    std::vector<std::vector<replication::ItemId>> slots;  ///< by layer, all as long; GPU by GPU
    std::vector<bool> dense = {};     ///< by layer: it has no experts; empty: not known
    Form form = Form::sglang;         ///< in which it was read, or will be written
    std::uint64_t layer_updates = 0;  ///< TensorRT-LLM's layer_updates_per_iter
};

/// Whose map a placement is where a text of vLLM has only those of its records of loads.
enum class Record : std::uint8_t { first, last };

/// Read a text; `name` stands for it in messages. Numbers of layers are below `layers_max`, and
/// all layers have as many experts or slots. Throw InputError naming the place in the text;
/// UnsuitableError for YAML in builds without yaml-cpp.
[[nodiscard]] Loads read_loads(std::string_view text, const std::string& name);
[[nodiscard]] Placement read_placement(std::string_view text, const std::string& name,
                                       Record of_vllm = Record::last);
inline constexpr std::uint64_t layers_max = 1U << 16U;

/// The text of a file for the readers above, read once. Stops at the first byte that no JSON, or no
/// text, can hold. Throws InputError naming the file; of one that torch wrote, the message says how
/// to make JSON of it.
[[nodiscard]] std::string read_form(const std::string& path);

/// What SGLang's `trivial` means, and vLLM's start without a map: slot p holds p modulo the number
/// of experts.
[[nodiscard]] std::vector<replication::ItemId> trivial_slots(std::uint32_t slots,
                                                             std::uint32_t experts);

/// The rows of a placement's layers that have experts, or may have.
[[nodiscard]] std::vector<std::size_t> rows_with_experts(const Placement& placement);

/// The placement as a file that the server takes. Ends with a newline. SGLang wants a row for each
/// layer of the model: one that the placement does not have gets the trivial one. The others get
/// the layers that have experts.
[[nodiscard]] std::string placement_text(const Placement& placement, Form form);

/// Loads in whole numbers: times the power of two that brings their sum to between 2^49 and 2^50.
/// Whole numbers with a sum of at most 2^50 stay exact multiples of it. All 0 if they all are.
[[nodiscard]] std::vector<Tokens> in_small_units(const std::vector<double>& loads);

}  // namespace equipoise::experts
