#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "equipoise/adapters/experts/rows.hpp"
#include "equipoise/adapters/experts/systems.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_documents.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::experts {

namespace {

constexpr const char* stats_type = "eplb_load_stats";
constexpr const char* mapping_type = "eplb_initial_mapping";

/// Calls `visit` with the type and the value of every record of loads or of a mapping.
template <class Visit>
void for_each_record(std::string_view text, const std::string& name, const Visit& visit) {
    for (const JsonDocument& document : json_documents(text, name)) {
        nlohmann::json json = parse_json(document, name);
        const std::string place = name + ':' + std::to_string(document.line);
        const JsonValue record(json, place);
        if (!record.has("record_type")) continue;
        const std::string type = record.at("record_type").text();
        if (type != stats_type && type != mapping_type) continue;
        constexpr std::uint64_t version_known = 1;
        if (const auto version = record.find("version"))
            if (version->whole<std::uint64_t>() != version_known)
                version->refuse(std::to_string(version_known) + ", the version that is known");
        visit(type, record);
    }
}

SlotRows map_of(const JsonValue& record) {
    return slot_rows(record.at("p2l_map"));
}

/// Loads of experts from those of slots: an expert has those of all its copies.
LoadRows loads_of_experts(const JsonValue& record, const LoadRows& loads, const SlotRows& slots,
                          std::size_t experts) {
    if (loads.size() != slots.size() || loads.front().size() != slots.front().size())
        record.fail(R"(expected "expert_load" and "p2l_map" of one shape, found )" +
                    std::to_string(loads.size()) + " x " + std::to_string(loads.front().size()) +
                    " and " + std::to_string(slots.size()) + " x " +
                    std::to_string(slots.front().size()));
    LoadRows rows(loads.size(), std::vector<double>(experts, 0));
    for (std::size_t layer = 0; layer < loads.size(); ++layer)
        for (std::size_t slot = 0; slot < slots[layer].size(); ++slot)
            rows[layer][slots[layer][slot]] += loads[layer][slot];
    for (const std::vector<double>& row : rows)
        if (!std::all_of(row.begin(), row.end(), [](double load) { return std::isfinite(load); }))
            record.at("expert_load")
                .fail("expected copies of an expert with a finite sum of loads, found larger ones");
    return rows;
}

}  // namespace

bool holds_vllm_records(std::string_view text) {
    return text.starts_with('{') && text.find("\"record_type\"") != std::string_view::npos;
}

Loads vllm_loads(std::string_view text, const std::string& name) {
    Loads loads;
    loads.numbering = Numbering::of_experts;
    std::size_t experts = 0;
    for_each_record(text, name, [&](const std::string& type, const JsonValue& record) {
        if (type != stats_type) return;
        const SlotRows slots = map_of(record);
        // Every expert has a slot in each layer, so their numbers are below that of the slots.
        const std::size_t count = experts_in(slots);
        if (count > slots.front().size())
            record.at("p2l_map").fail("expected experts below the number of slots, " +
                                      std::to_string(slots.front().size()) + ", found " +
                                      std::to_string(count - 1));
        if (loads.steps.empty()) experts = count;
        if (count != experts)
            record.at("p2l_map").fail("expected " + std::to_string(experts) +
                                      " experts, as in the first record, found " +
                                      std::to_string(count));
        loads.steps.push_back(
            loads_of_experts(record, load_rows(record.at("expert_load")), slots, experts));
        if (loads.steps.back().size() != loads.steps.front().size())
            record.fail("expected " + std::to_string(loads.steps.front().size()) +
                        " layers, as in the first record, found " +
                        std::to_string(loads.steps.back().size()));
    });
    if (loads.steps.empty())
        throw InputError(name + ": expected a record \"" + stats_type + "\", found none");
    loads.layers = numbered(loads.steps.front().size());
    return loads;
}

Placement vllm_placement(std::string_view text, const std::string& name, Record of_loads) {
    std::optional<Placement> mapping;
    std::optional<SlotRows> map;
    for_each_record(text, name, [&](const std::string& type, const JsonValue& record) {
        if (type == mapping_type) mapping = assignments_of(record);
        if (type == stats_type && !(map && of_loads == Record::first)) map = map_of(record);
    });
    if (mapping) return std::move(*mapping);
    if (!map)
        throw InputError(name + ": expected a record \"" + mapping_type + "\" or \"" + stats_type +
                         "\", found none");
    Placement placement;
    placement.slots = std::move(*map);
    placement.layers = numbered(placement.slots.size());
    placement.numbering = Numbering::of_experts;
    placement.form = Form::vllm;
    return placement;
}

std::string vllm_text(const Placement& placement) {
    const std::size_t slots = placement.slots.front().size();
    std::string text = std::string(R"({"record_type": ")") + mapping_type +
                       R"(", "version": 1, "num_redundant_experts": )" +
                       std::to_string(slots - experts_in(placement.slots)) +
                       ", \"num_slots\": " + std::to_string(slots) +
                       ", \"initial_global_assignments\": {";
    std::size_t number = 0;
    for (const std::size_t row : rows_with_experts(placement)) {
        text.append(number == 0 ? "\"" : ", \"").append(std::to_string(number)).append("\": ");
        text += list_text(placement.slots[row]);
        ++number;
    }
    return text + "}}\n";
}

Placement vllm_map_placement(const JsonValue& rows) {
    Placement placement;
    if (is_list_of_lists(rows)) {
        placement.slots = slot_rows(rows);
        placement.layers = numbered(placement.slots.size());
    } else {
        placement.slots.push_back(slot_row(rows));
    }
    placement.numbering = Numbering::of_experts;
    placement.form = Form::vllm_map;
    return placement;
}

std::string vllm_map_text(const Placement& placement) {
    std::string text = "[";
    const char* between = "\n";
    for (const std::size_t row : rows_with_experts(placement)) {
        text += between + list_text(placement.slots[row]);
        between = ",\n";
    }
    return text + "\n]\n";
}

Placement assignments_of(const JsonValue& object) {
    Placement placement;
    const JsonValue rows = object.at("initial_global_assignments");
    rows.expect_object();
    std::map<std::uint64_t, std::vector<replication::ItemId>> by_layer;
    std::size_t length = 0;
    rows.for_each_member([&](const std::string& key, const JsonValue& row) {
        const auto layer = whole_number(key, layers_max - 1);
        if (!layer || !is_canonical_number(key))
            rows.fail("expected numbers of layers from 0 to " + std::to_string(layers_max - 1) +
                      " as keys, found \"" + shortened(printable(key)) + '"');
        std::vector<replication::ItemId>& slots = by_layer[*layer];
        slots = slot_row(row);
        if (by_layer.size() == 1) length = slots.size();
        expect_as_long(row, slots.size(), length);
    });
    if (by_layer.empty()) rows.fail("expected at least one layer, found none");
    for (auto& [layer, slots] : by_layer) {
        placement.layers.push_back(layer);
        placement.slots.push_back(std::move(slots));
    }
    if (const auto slots = object.find("num_slots"))
        if (slots->whole<std::uint64_t>() != placement.slots.front().size())
            slots->refuse(std::to_string(placement.slots.front().size()) +
                          ", the number of slots of a layer");
    const bool from_zero = placement.layers.back() + 1 == placement.layers.size();
    placement.numbering = from_zero ? Numbering::of_experts : Numbering::of_model;
    placement.form = Form::vllm;
    return placement;
}

}  // namespace equipoise::experts
