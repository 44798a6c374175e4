#include "equipoise/report/runs/run_json.hpp"

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/report/runs/extremes.hpp"
#include "equipoise/report/runs/recovery.hpp"
#include "equipoise/report/runs/words.hpp"
#include "equipoise/report/tables/json_tokens.hpp"

namespace equipoise::report {

namespace {

using Json = nlohmann::ordered_json;
using model::Record;

Json network_object(const Record& record) {
    Json object;
    if (!record.labels.origin.empty()) object["name"] = record.labels.origin;
    object["nodes"] = record.node_count;
    object["links"] = record.link_count;
    return object;
}

Json loads_object(const Record& record) {
    std::unordered_set<std::string> seen;
    bool unique = true;
    for (const std::string& name : record.labels.names)
        unique = seen.insert(name).second && unique;
    Json object = Json::object();
    auto& entries = object.get_ref<Json::object_t&>();
    entries.reserve(record.final_loads.size());
    for (NodeId node = 0; node < record.final_loads.size(); ++node)
        entries.emplace_back(unique ? record.labels.name(node) : std::to_string(node),
                             json_tokens(record.load_scale, record.final_loads[node]));
    return object;
}

Json world_object(const Record& record) {
    const model::WorldFigures& world = *record.world;
    Json object;
    object["arrivals"] = record.arrivals;
    object["churn"] = record.churn;
    object["discrepancy_50"] = json_tokens(record.load_scale, world.discrepancy_50);
    object["discrepancy_99"] = json_tokens(record.load_scale, world.discrepancy_99);
    object["discrepancy_max"] = json_tokens(record.load_scale, world.discrepancy_max);
    object["arrived"] = json_tokens(record.load_scale, world.arrived);
    object["consumed"] = json_tokens(record.load_scale, world.consumed);
    object["moved_per_arrival"] = world.moved_per_arrival;
    return object;
}

/// A phase that no node has ended has no times; one that some have not ended has no last time.
Json phases_list(const std::vector<model::PhaseEnd>& ends) {
    Json list = Json::array();
    for (std::size_t k = 0; k < ends.size(); ++k) {
        Json phase;
        phase["phase"] = k + 1;
        if (ends[k].first) phase["first"] = *ends[k].first;
        if (ends[k].last) phase["last"] = *ends[k].last;
        phase["memory_bits"] = ends[k].memory_bits;
        list.push_back(std::move(phase));
    }
    return list;
}

Json extremes_object(const Record& record, const Extremes& extremes) {
    return {{"least", json_tokens(record.load_scale, extremes.least)},
            {"most", json_tokens(record.load_scale, extremes.most)},
            {"rises_of_most", extremes.rises_of_most},
            {"falls_of_least", extremes.falls_of_least}};
}

Json recovery_object(const Recovery& recovery) {
    return {{"changes", recovery.changes},     {"unsettled", recovery.unsettled},
            {"recovered", recovery.recovered}, {"steps", recovery.steps},
            {"adjusted", recovery.adjusted},   {"distance", recovery.distance},
            {"passage", recovery.passage}};
}

Json run_object(const Record& record, bool with_loads) {
    Json object = object_of_schema("equipoise-run");
    object["algorithm"] = record.algorithm;
    object["model"] = record.model;
    object["parameters"] = record.parameters;
    object["network"] = network_object(record);
    object["tokens"] = load::total(record.initial_loads) / static_cast<Tokens>(record.load_scale);
    object["seed"] = record.seed;
    object["initial_discrepancy"] = json_tokens(record.load_scale, record.initial_discrepancy);
    object["discrepancy"] = json_tokens(record.load_scale, record.final_discrepancy);
    if (record.level_since) object["level_since"] = *record.level_since;
    object["local_imbalance"] = json_tokens(record.load_scale, record.local_imbalance);
    if (const auto extremes = extremes_of(record))
        object["extremes"] = extremes_object(record, *extremes);
    if (!record.speeds.empty()) {
        object["weighted_imbalance"] = imbalance_by_speed(record);
        object["share_distance"] = share_distance(record).value();
    }
    object["steps"] = record.costs.steps;
    object["rounds"] = record.costs.rounds;
    object["exchanges"] =
        json_tokens(record.load_scale, static_cast<Tokens>(record.costs.exchanges));
    if (record.load_scale > 1) object["units_per_token"] = record.load_scale;
    object["messages"] = record.costs.messages;
    if (record.asynchrony) {
        const std::uint64_t ranks = record.asynchrony->ranks;
        object["delays"] = ranks > 0 ? "ranks:" + std::to_string(ranks) : record.asynchrony->delays;
        if (!record.asynchrony->adversary.empty())
            object["adversary"] = record.asynchrony->adversary;
        if (!record.asynchrony->faults.empty()) {
            object["faults"] = record.asynchrony->faults;
            object["tokens_made"] = tokens_in(record.created);
            object["tokens_removed"] = tokens_in(record.destroyed);
        }
        if (!record.asynchrony->ports.empty()) object["ports"] = record.asynchrony->ports;
        object["time"] = record.asynchrony->time;
        object["largest_message_bits"] = record.asynchrony->largest_message_bits;
        object["memory_bits"] = record.asynchrony->memory_bits;
        if (!record.asynchrony->phases.empty())
            object["phases"] = phases_list(record.asynchrony->phases);
    }
    Json guarantee = Json::object();
    if (record.guarantee.discrepancy)
        guarantee["discrepancy"] = json_tokens(record.load_scale, *record.guarantee.discrepancy);
    if (promises_shares(record)) guarantee["share_distance_below"] = 1;
    if (record.guarantee.steps) guarantee["steps"] = *record.guarantee.steps;
    if (!record.guarantee.source.empty()) guarantee["source"] = record.guarantee.source;
    object["guarantee"] = guarantee;
    if (record.world) object["world"] = world_object(record);
    if (const auto recovery = recovery_of(record)) object["recovery"] = recovery_object(*recovery);
    if (const auto& optimum = record.optimum) {
        object["optimum"]["exchanges"] = optimum->exchanges;
        if (optimum->steps) object["optimum"]["steps"] = *optimum->steps;
    }
    const auto notes = named_notes(record);
    if (!notes.empty()) object["constants"] = notes;
    object["reached"] = record.reached;
    object["stopped_because"] = record.stopped_because;
    object["stop"] = record.stop;
    object["seconds"] = record.seconds;
    if (with_loads) object["loads"] = loads_object(record);
    return object;
}

Json optimum_object(const Optimum& optimum) {
    Json object;
    if (optimum.exact()) {
        object["steps"] = optimum.steps_at_least;
    } else {
        object["steps_at_least"] = optimum.steps_at_least;
        if (optimum.steps_at_most) object["steps_at_most"] = *optimum.steps_at_most;
    }
    object["exchanges"] = optimum.exchanges;
    object["moves"] = optimum.moves;
    return object;
}

std::string text_of(const Json& object) {
    return json_text(object, 2) + '\n';
}

}  // namespace

nlohmann::ordered_json json_tokens(std::uint64_t load_scale, Tokens units) {
    if (load_scale <= 1) return units;
    return static_cast<double>(units) / static_cast<double>(load_scale);
}

std::string run_json(const Record& record, bool with_loads, const Reordering* reordering) {
    Json object = run_object(record, with_loads);
    if (reordering != nullptr)
        object["reordering"] = {{"order", reordering->order},
                                {"seconds", reordering->seconds},
                                {"read_before", reordering->read_before},
                                {"read_after", reordering->read_after}};
    return text_of(object);
}

std::string compare_json(std::span<const Record> records, bool with_loads, const Optimum* optimum) {
    Json object = object_of_schema("equipoise-compare");
    Json results = Json::array();
    if (!records.empty()) {
        object["network"] = network_object(records.front());
        object["tokens"] = load::total(records.front().initial_loads) /
                           static_cast<Tokens>(records.front().load_scale);
    }
    if (optimum != nullptr) object["optimum"] = optimum_object(*optimum);
    for (const Record& record : records)
        results.push_back(run_object(record, with_loads));
    object["results"] = std::move(results);
    return text_of(object);
}

}  // namespace equipoise::report
