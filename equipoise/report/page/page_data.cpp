#include "equipoise/report/page/page_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/model/run/record_network.hpp"
#include "equipoise/report/page/filling.hpp"
#include "equipoise/report/page/reduction.hpp"
#include "equipoise/report/pictures/layout.hpp"
#include "equipoise/report/runs/frames.hpp"
#include "equipoise/report/runs/words.hpp"
#include "equipoise/report/tables/glossary.hpp"

namespace equipoise::report {

namespace {

using model::Record;
using nlohmann::json;

constexpr std::size_t data_bytes_max = 4'400'000;  ///< so that the whole page stays below 5 MB
constexpr std::size_t loads_max = 4'000'000;       ///< in the frames of all runs together
constexpr std::size_t frames_max = 400;            ///< of one run
constexpr std::size_t frames_wanted = 100;         ///< reached before loads are averaged less
constexpr std::size_t events_max = 200'000;        ///< of all runs together
constexpr std::size_t messages_max = 100'000;      ///< of all runs together
constexpr std::size_t curve_points_max = 600;      ///< of one run
constexpr std::size_t all_curve_points_max = 24'000;
constexpr std::size_t links_drawn_max = 60'000;          ///< of all networks together
constexpr std::size_t cluster_links_drawn_max = 12'000;  ///< more would hide each other
constexpr std::size_t names_bytes_max = 400'000;         ///< of all networks together
constexpr std::size_t note_bytes_max = 400;              ///< of one text
constexpr std::size_t run_bytes = 2'000;  ///< of a run without curve, loads and events
constexpr std::size_t curve_point_bytes = 32;
/// The links of larger networks are not looked at, which would take long.
constexpr NodeId nodes_looked_at_max = 1'000'000;
constexpr LinkId links_looked_at_max = 4'000'000;
constexpr double position_units = 10'000;  ///< across the longer side of a drawing

/// Whole numbers beyond 2^53 are not exact in a browser, so they travel as text.
json exact(std::int64_t value) {
    constexpr std::int64_t limit = std::int64_t{1} << 53U;
    if (value > -limit && value < limit) return value;
    return std::to_string(value);
}
json exact(std::uint64_t value) {
    if (value < std::uint64_t{1} << 53U) return value;
    return std::to_string(value);
}

/// The links of a record, generated again if it only names the generator; none for networks that
/// are too large.
std::vector<Ends> links_of(const Record& record) {
    if (record.node_count > nodes_looked_at_max || record.link_count > links_looked_at_max)
        return {};
    const bool cells = record.node_count > drawn_nodes_max &&
                       grid_sides(record.labels, record.node_count).size() == 2;
    if (cells) return {};
    if (!record.links.empty() || record.link_count == 0) return record.links;
    return network::all_links(model::network_of(record));
}

/// Positions as whole numbers, 0 .. `position_units` along the longer side.
void add_points(const Drawing& drawing, json& out) {
    network::Position least =
        drawing.positions.empty() ? network::Position{} : drawing.positions[0];
    network::Position most = least;
    for (const network::Position& point : drawing.positions) {
        least = {std::min(least.x, point.x), std::min(least.y, point.y)};
        most = {std::max(most.x, point.x), std::max(most.y, point.y)};
    }
    const double extent = std::max({most.x - least.x, most.y - least.y, 1e-12});
    json x = json::array();
    json y = json::array();
    for (const network::Position& point : drawing.positions) {
        x.push_back(std::llround((point.x - least.x) / extent * position_units));
        y.push_back(std::llround((point.y - least.y) / extent * position_units));
    }
    if (drawing.wraps) {
        out["wraps"] = true;
        out["spacing"] = position_units / extent;
    }
    out["x"] = std::move(x);
    out["y"] = std::move(y);
}

void add_links(std::span<const Ends> links, std::size_t most, json& out) {
    json ends = json::array();
    if (links.size() <= most) {
        for (const Ends& link : links) {
            ends.push_back(link.tail);
            ends.push_back(link.head);
        }
    }
    out["ends"] = std::move(ends);
    out["links_left_out"] = links.size() > most;
}

/// A network, one of `networks` on the page.
json network_json(const Record& record, const std::vector<Ends>& links, const Reduction& reduction,
                  std::size_t networks) {
    static constexpr std::array words = {"points", "cells", "ranks"};
    const Drawing& drawing = reduction.drawing;
    json out;
    out["name"] = network_name(record);
    out["origin"] = record.labels.origin;
    out["nodes"] = record.node_count;
    out["links"] = exact(record.link_count);
    out["first"] = record.labels.first_number;
    out["drawing"] = drawing.origin;
    out["kind"] = words.at(static_cast<std::size_t>(drawing.kind));
    if (drawing.kind == DrawingKind::cells) {
        out["rows"] = reduction.rows;
        out["columns"] = reduction.columns;
        out["block"] = reduction.block;
        out["grid"] = {drawing.rows, drawing.columns};
    }
    if (drawing.kind == DrawingKind::points) {
        add_points(drawing, out);
        if (reduction.kind == Reduction::Kind::clusters) {
            out["sizes"] = reduction.clusters.sizes;
            add_links(reduction.clusters.links, cluster_links_drawn_max / networks, out);
        } else {
            add_links(links, links_drawn_max / networks, out);
        }
    }
    std::size_t names_bytes = 0;
    for (const std::string& name : record.labels.names)
        names_bytes += name.size() + 3;
    if (reduction.whole() && names_bytes > 0 && names_bytes <= names_bytes_max / networks)
        out["names"] = record.labels.names;
    return out;
}

json curve_json(const Curve& curve) {
    json out;
    json discrepancies = json::array();
    json potentials = json::array();
    for (const Tokens value : curve.discrepancies)
        discrepancies.push_back(exact(value));
    for (const double value : curve.potentials) {
        // Six digits are enough for drawing.
        const double digits = value > 0 ? std::pow(10, 5 - std::floor(std::log10(value))) : 1;
        if (value < 1e6)
            potentials.push_back(value);
        else
            potentials.push_back(std::round(value * digits) / digits);
    }
    out["steps"] = curve.steps;
    out["discrepancy"] = std::move(discrepancies);
    out["potential"] = std::move(potentials);
    return out;
}

std::string encode_events(const std::vector<Event>& events) {
    VariableBytes bytes;
    Step step = 0;
    for (const Event& event : events) {
        bytes.add(event.step - step);
        step = event.step;
        bytes.add(event.from == no_node ? 0 : std::uint64_t{event.from} + 1);
        bytes.add(event.to == no_node ? 0 : std::uint64_t{event.to} + 1);
        bytes.add_signed(event.tokens);
    }
    return bytes.base64();
}

/// Messages by steps: when each arrived, for how many steps it was on its way, from where to where,
/// its kind and its tokens. A step of an asynchronous run is a moment at which something happens.
std::string encode_messages(const std::vector<model::Delivery>& deliveries) {
    std::vector<std::uint64_t> moments;
    for (const model::Delivery& delivery : deliveries)
        if (delivery.arrived > 0 && (moments.empty() || moments.back() != delivery.arrived))
            moments.push_back(delivery.arrived);
    const auto steps_until = [&](std::uint64_t time) {
        return static_cast<Step>(std::upper_bound(moments.begin(), moments.end(), time) -
                                 moments.begin());
    };
    VariableBytes bytes;
    Step before = 0;
    for (const model::Delivery& delivery : deliveries) {
        if (delivery.from == delivery.to) continue;
        const Step arrived = steps_until(delivery.arrived);
        bytes.add(arrived - before);
        before = arrived;
        bytes.add(arrived - steps_until(delivery.sent));
        bytes.add(delivery.from);
        bytes.add(delivery.to);
        bytes.add(delivery.kind);
        bytes.add_signed(delivery.tokens);
    }
    return bytes.base64();
}

/// Everything that was noted or given, as texts; of long texts only the beginning.
std::map<std::string, std::string> notes_of(const Record& record) {
    std::map<std::string, std::string> notes = named_notes(record);
    if (!record.matchings.empty()) notes["matchings"] = network::to_text(record.matchings);
    if (!record.matrix.empty()) notes["matrix"] = network::to_text(record.matrix);
    const network::GivenStructures& given = record.given;
    if (!given.tree_links.empty())
        notes["tree_links"] = network::to_text(network::MatchingSequence{given.tree_links});
    if (!given.colouring.empty()) notes["colouring"] = network::to_text(given.colouring);
    for (auto& [name, text] : notes)
        if (text.size() > note_bytes_max) text = text.substr(0, note_bytes_max) + " ...";
    return notes;
}

/// How much room a page has for one of its runs.
struct RunRoom {
    std::size_t runs = 1;   ///< on the page
    std::size_t bytes = 0;  ///< of frames, events and messages

    [[nodiscard]] std::size_t curve_points() const {
        return std::clamp<std::size_t>(all_curve_points_max / runs, 20, curve_points_max);
    }
    /// Takes the room that an encoded text needs, if there is that much.
    [[nodiscard]] bool take(const std::string& encoded) {
        if (encoded.size() > bytes) return false;
        bytes -= encoded.size();
        return true;
    }
};

/// Adds every step of a run and, for asynchronous runs, every message, if there is room. Returns
/// whether there was.
bool add_events(const Record& record, const std::vector<Event>& events, RunRoom& room, json& out) {
    if (events.empty() || events.size() > events_max / room.runs) return false;
    std::string encoded = encode_events(events);
    if (!room.take(encoded)) return false;
    out["events"] = std::move(encoded);
    if (!record.asynchrony || record.asynchrony->deliveries.empty() ||
        record.asynchrony->deliveries.size() > messages_max / room.runs)
        return true;
    encoded = encode_messages(record.asynchrony->deliveries);
    if (!room.take(encoded)) return true;
    out["messages_played"] = std::move(encoded);
    out["kinds"] = record.asynchrony->kinds;
    return true;
}

/// The loads at up to `most` moments. Frames of averaged drawings also have the least and the
/// largest load of any node.
json frames_json(const Record& record, const std::vector<Event>& events, const Reduction& reduction,
                 std::size_t most) {
    const Tokens unit = reduction.unit(record);
    VariableBytes frames;
    std::vector<Step> steps;
    json least = json::array();
    json largest = json::array();
    std::vector<Tokens> previous(reduction.values, 0);
    visit_frames(record, events, most, [&](Step step, std::span<const Tokens> loads) {
        std::vector<Tokens> values = reduction.apply(loads, unit);
        frames.add_differences(previous, values);
        previous = std::move(values);
        steps.push_back(step);
        if (reduction.whole()) return;
        const auto [low, high] = std::minmax_element(loads.begin(), loads.end());
        least.push_back(exact(*low));
        largest.push_back(exact(*high));
    });
    json out = {{"steps", steps}, {"unit", unit}, {"loads", frames.base64()}};
    if (!reduction.whole()) {
        out["least"] = std::move(least);
        out["most"] = std::move(largest);
    }
    return out;
}

/// The frames of as many moments as there is room for.
json fitting_frames(const Record& record, const std::vector<Event>& events,
                    const Reduction& reduction, const RunRoom& room) {
    std::size_t most = std::clamp<std::size_t>(
        loads_max / room.runs / std::max<std::size_t>(1, reduction.values), 2, frames_max);
    while (true) {
        json frames = frames_json(record, events, reduction, most);
        const std::size_t bytes = frames["loads"].get_ref<const std::string&>().size();
        if (bytes <= room.bytes || most == 2) return frames;
        const std::size_t shown = frames["steps"].size();
        most = std::max<std::size_t>(2, std::min(most - 1, shown * room.bytes / bytes * 9 / 10));
    }
}

void add_optimum(const Record& record, json& out) {
    if (!record.optimum) return;
    out["optimum_exchanges"] = exact(record.optimum->exchanges);
    if (record.optimum->steps) out["optimum_steps"] = exact(std::uint64_t{*record.optimum->steps});
}

json run_json(const Record& record, const Reduction& reduction, RunRoom room) {
    json out;
    out["algorithm"] = record.algorithm;
    out["model"] = record.model;
    out["parameters"] = record.parameters;
    out["constants"] = notes_of(record);
    add_optimum(record, out);
    out["seed"] = std::to_string(record.seed);
    out["version"] = record.program_version;
    out["scale"] = exact(record.load_scale);
    out["initial_discrepancy"] = exact(record.initial_discrepancy);
    out["discrepancy"] = exact(record.final_discrepancy);
    if (record.level_since) out["level_since"] = exact(std::uint64_t{*record.level_since});
    out["local_imbalance"] = exact(record.local_imbalance);
    if (!record.speeds.empty()) out["share_distance"] = share_distance(record).value();
    out["steps"] = exact(record.costs.steps);
    out["rounds"] = exact(record.costs.rounds);
    out["exchanges"] = exact(record.costs.exchanges);
    out["messages"] = exact(record.costs.messages);
    json guarantee = json::object();
    if (record.guarantee.discrepancy)
        guarantee["discrepancy"] = exact(*record.guarantee.discrepancy);
    if (promises_shares(record)) guarantee["share_distance_below"] = 1;
    if (record.guarantee.steps) guarantee["steps"] = exact(*record.guarantee.steps);
    guarantee["source"] = record.guarantee.source;
    out["guarantee"] = std::move(guarantee);
    out["reached"] = record.reached;
    out["stopped_because"] = record.stopped_because;
    out["seconds"] = record.seconds;

    const std::vector<Event> events = events_of(record);
    out["curve"] = curve_json(curve_of(record, events, room.curve_points()));
    if (reduction.whole() && add_events(record, events, room, out)) {
        Record start;
        start.node_count = record.node_count;
        start.initial_loads = record.initial_loads;
        out["frames"] = frames_json(start, {}, reduction, 2);
    } else {
        out["frames"] = fitting_frames(record, events, reduction, room);
    }
    Tokens total = 0;
    for (const Tokens load : record.initial_loads)
        total = checked_add(total, load);
    out["tokens"] = exact(total);
    return out;
}

/// Words that the page may print, with their meanings.
json words_json() {
    json words = json::array();
    for (const GlossaryEntry& entry : glossary())
        words.push_back(json::array({entry.word, entry.meaning}));
    return words;
}

/// The approximate number of moments that can be shown.
std::size_t moments_of(const Record& record) {
    if (record.transfers.empty()) return record.samples.size() + 2;
    return static_cast<std::size_t>(std::min<Step>(record.costs.steps, frames_wanted)) + 1;
}

void check(const Record& record) {
    if (record.node_count == 0)
        throw InputError("record of " + record.algorithm +
                         ": expected at least one node, found none");
    if (record.initial_loads.size() != record.node_count ||
        record.final_loads.size() != record.node_count)
        throw InputError("record of " + record.algorithm + ": expected first and last loads of " +
                         std::to_string(record.node_count) + " nodes, found " +
                         std::to_string(record.initial_loads.size()) + " and " +
                         std::to_string(record.final_loads.size()));
    if (record.speeds.empty()) return;
    constexpr Tokens speed_max = Tokens{1} << 30U;
    const auto [least, most] = std::minmax_element(record.speeds.begin(), record.speeds.end());
    if (record.speeds.size() != record.node_count || *least < 0 || *most < 1 || *most > speed_max)
        throw InputError("record of " + record.algorithm + ": expected a speed from 0 to " +
                         std::to_string(speed_max) + " for each of " +
                         std::to_string(record.node_count) + " nodes, one above 0");
}

}  // namespace

std::string page_title(std::span<const Record> records) {
    std::set<std::string> algorithms;
    std::set<std::string> networks;
    for (const Record& record : records) {
        algorithms.insert(record.algorithm);
        networks.insert(network_name(record));
    }
    const std::string where =
        networks.size() == 1 ? *networks.begin() : std::to_string(networks.size()) + " networks";
    if (records.size() == 1) return *algorithms.begin() + " on " + where;
    if (algorithms.size() == 1)
        return std::to_string(records.size()) + " runs of " + *algorithms.begin() + " on " + where;
    return std::to_string(algorithms.size()) + " algorithms on " + where;
}

std::string page_data(std::span<const Record> records) {
    std::vector<std::tuple<std::uint64_t, NodeId, LinkId, std::string>> known;
    std::vector<const Record*> first;        // record on each network
    std::vector<std::size_t> network_index;  // by record
    std::vector<std::size_t> frames;         // by network: the number that its runs can show
    for (const Record& record : records) {
        check(record);
        std::tuple key(record.network_digest, record.node_count, record.link_count,
                       record.labels.origin);
        const auto found = std::find(known.begin(), known.end(), key);
        network_index.push_back(static_cast<std::size_t>(found - known.begin()));
        if (found == known.end()) {
            known.push_back(std::move(key));
            first.push_back(&record);
            frames.push_back(2);
        }
        std::size_t& wanted = frames[network_index.back()];
        wanted = std::max(wanted, std::min(frames_wanted, moments_of(record)));
    }
    std::vector<Reduction> reductions;
    json networks = json::array();
    for (std::size_t index = 0; index < first.size(); ++index) {
        const std::vector<Ends> links = links_of(*first[index]);
        reductions.push_back(
            reduction_of(*first[index], links, {loads_max / records.size(), frames[index]}));
        networks.push_back(network_json(*first[index], links, reductions.back(), first.size()));
    }
    RunRoom room{records.size(), 0};
    const std::size_t spent =
        json_text(networks).size() +
        records.size() * (run_bytes + curve_point_bytes * room.curve_points());
    if (spent < data_bytes_max) room.bytes = (data_bytes_max - spent) / records.size();
    json runs = json::array();
    for (std::size_t index = 0; index < records.size(); ++index) {
        runs.push_back(run_json(records[index], reductions[network_index[index]], room));
        runs.back()["network"] = network_index[index];
    }
    const json page = {{"title", page_title(records)},
                       {"networks", networks},
                       {"runs", runs},
                       {"words", words_json()}};
    return escape_for_script(json_text(page));
}

}  // namespace equipoise::report
