#include <cstddef>

#include <nlohmann/json.hpp>

#include "equipoise/adapters/experts/systems.hpp"
#include "equipoise/adapters/experts/yaml.hpp"

namespace equipoise::experts {

Placement tensorrt_llm_placement(std::string_view yaml, const std::string& name) {
    nlohmann::json json = json_of_yaml(yaml, name);
    const JsonValue file(json, name);
    if (!file.has("initial_global_assignments"))
        file.fail(
            "expected a placement of SGLang (physical_to_logical_map), TensorRT-LLM "
            "(initial_global_assignments) or vLLM, found none");
    Placement placement = assignments_of(file);
    placement.numbering = Numbering::of_model;
    placement.form = Form::tensorrt_llm;
    if (const auto updates = file.find("layer_updates_per_iter"))
        placement.layer_updates = updates->whole<std::uint64_t>();
    return placement;
}

std::string tensorrt_llm_text(const Placement& placement) {
    std::string text = "initial_global_assignments:\n";
    for (const std::size_t row : rows_with_experts(placement))
        text += "  " + std::to_string(placement.layers[row]) + ": " +
                list_text(placement.slots[row]) + '\n';
    return text + "num_slots: " + std::to_string(placement.slots.front().size()) +
           "\nlayer_updates_per_iter: " + std::to_string(placement.layer_updates) + '\n';
}

}  // namespace equipoise::experts
