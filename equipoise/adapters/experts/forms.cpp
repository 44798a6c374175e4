#include "equipoise/adapters/experts/forms.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include <nlohmann/json.hpp>

#include "equipoise/adapters/experts/rows.hpp"
#include "equipoise/adapters/experts/systems.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/file_kind.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_outline.hpp"
#include "equipoise/base/read_bytes.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::experts {

namespace {

/// The text behind a byte order mark and blanks.
std::string_view content_of(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

/// Whether this is JSON. YAML may begin with a brace, too, but not with one and a quote.
bool is_json(std::string_view text) {
    text = content_of(text);
    if (text.starts_with('[')) return true;
    if (!text.starts_with('{')) return false;
    text = content_of(text.substr(1));
    return text.empty() || text.starts_with('"') || text.starts_with('}');
}

/// Throws InputError, with the way to JSON, if these bytes begin what torch wrote.
void refuse_torch(std::string_view bytes, const std::string& name) {
    if (!bytes.starts_with("PK\x03\x04") && !bytes.starts_with("\x80\x02")) return;
    throw InputError(
        name +
        ": expected JSON or another text, found a file of torch; make JSON of it: python3 -c "
        "'import json, sys, torch; json.dump({k: v.tolist() for k, v in torch.load(sys.argv[1], "
        "map_location=\"cpu\", weights_only=True).items() if hasattr(v, \"tolist\")}, sys.stdout)' "
        "FILE.pt > FILE.json");
}

}  // namespace

const std::vector<std::string>& form_names() {
    static const std::vector<std::string> names = {"sglang", "tensorrt-llm", "vllm", "vllm-map"};
    return names;
}

const std::string& name_of(Form form) {
    return form_names()[static_cast<std::size_t>(form)];
}

Form form_named(const std::string& name) {
    const std::vector<std::string>& names = form_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw InputError(expected_word(name, names));
    return static_cast<Form>(found - names.begin());
}

Loads read_loads(std::string_view text, const std::string& name) {
    refuse_torch(text, name);
    if (holds_vllm_records(content_of(text))) return vllm_loads(text, name);
    if (!is_json(text)) return table_loads(text, name);
    nlohmann::json json = parse_json(text, name);
    const JsonValue file(json, name);
    if (is_list_of_lists(file)) return sglang_loads(file);
    if (const auto counts = file.find("logical_count")) return sglang_loads(*counts);
    file.fail(
        "expected loads: \"logical_count\" (SGLang), records \"eplb_load_stats\" (vLLM) or a list "
        "of loads for each layer, found " +
        std::string(file.has("physical_to_logical_map") || file.has("initial_global_assignments")
                        ? "a placement"
                        : "none of them"));
}

Placement read_placement(std::string_view text, const std::string& name, Record of_vllm) {
    refuse_torch(text, name);
    if (holds_vllm_records(content_of(text))) return vllm_placement(text, name, of_vllm);
    if (!is_json(text)) return tensorrt_llm_placement(text, name);
    nlohmann::json json = parse_json(text, name);
    const JsonValue file(json, name);
    if (file.is_list()) return vllm_map_placement(file);
    if (const auto rows = file.find("physical_to_logical_map")) return sglang_placement(*rows);
    if (file.has("initial_global_assignments")) return assignments_of(file);
    file.fail(
        "expected a placement: \"physical_to_logical_map\" (SGLang), "
        "\"initial_global_assignments\" (vLLM, TensorRT-LLM) or a list of experts for each layer, "
        "found " +
        std::string(file.has("logical_count") ? "loads" : "none of them"));
}

std::string read_form(const std::string& path) {
    std::optional<JsonOutline> outline;
    return read_bytes(path, [&](std::string_view all, std::size_t from) {
        if (from == 0) {
            refuse_torch(all, path);
            if (const auto kind = kind_other_than_text(all))
                throw InputError(path + ": expected text, found " + std::string(*kind));
            if (is_json(all))
                outline.emplace(path, content_of(all).starts_with('[')
                                          ? JsonOutline::Around::nothing
                                          : JsonOutline::Around::lines);
        }
        if (outline) {
            outline->follow(all.substr(from));
        } else if (all.find('\0', from) != std::string_view::npos) {
            throw InputError(path + ": expected text, found a byte of value 0");
        }
    });
}

std::vector<replication::ItemId> trivial_slots(std::uint32_t slots, std::uint32_t experts) {
    std::vector<replication::ItemId> held(slots);
    for (std::uint32_t slot = 0; slot < slots; ++slot)
        held[slot] = slot % experts;
    return held;
}

std::uint32_t experts_in(const std::vector<std::vector<replication::ItemId>>& slots) {
    replication::ItemId largest = 0;
    for (const std::vector<replication::ItemId>& row : slots)
        largest = std::max(largest, *std::max_element(row.begin(), row.end()));
    return largest + 1;
}

std::vector<std::size_t> rows_with_experts(const Placement& placement) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < placement.slots.size(); ++row)
        if (placement.dense.empty() || !placement.dense[row]) rows.push_back(row);
    return rows;
}

std::string list_text(const std::vector<replication::ItemId>& slots) {
    std::string text = "[";
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
        text.append(slot == 0 ? "" : ", ").append(std::to_string(slots[slot]));
    return text + ']';
}

std::string placement_text(const Placement& placement, Form form) {
    EQUIPOISE_ASSERT(placement.layers.size() == placement.slots.size() && !placement.slots.empty());
    if (form == Form::tensorrt_llm) return tensorrt_llm_text(placement);
    if (form == Form::vllm) return vllm_text(placement);
    if (form == Form::vllm_map) return vllm_map_text(placement);
    return sglang_text(placement);
}

std::vector<Tokens> in_small_units(const std::vector<double>& loads) {
    constexpr int bits = 49;
    std::vector<Tokens> whole(loads.size(), 0);
    const double largest = *std::max_element(loads.begin(), loads.end());
    if (largest == 0) return whole;
    // Of loads scaled to at most 2: no sum overflows.
    const int scale = -std::ilogb(largest);
    double sum = 0;
    for (const double load : loads)
        sum += std::ldexp(load, scale);
    const int exponent = bits - std::ilogb(sum) + scale;
    for (std::size_t i = 0; i < loads.size(); ++i)
        whole[i] = static_cast<Tokens>(std::llround(std::ldexp(loads[i], exponent)));
    return whole;
}

}  // namespace equipoise::experts
