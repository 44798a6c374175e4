#include "equipoise/report/page_data.hpp"

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
#include "equipoise/report/frames.hpp"
#include "equipoise/report/layout.hpp"
#include "equipoise/report/words.hpp"

namespace equipoise::report {

namespace {

using model::Record;
using nlohmann::json;

constexpr std::size_t loads_max = 2'000'000;   ///< in the frames of all runs together
constexpr std::size_t frames_max = 400;        ///< of one run
constexpr std::size_t events_max = 200'000;    ///< of all runs together
constexpr std::size_t messages_max = 100'000;  ///< of all runs together
constexpr std::size_t curve_points_max = 600;
constexpr std::size_t links_drawn_max = 60'000;
constexpr std::size_t ranks_max = 512;
constexpr NodeId side_max = 512;           ///< of an image of cells
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

/// The links of a record, generated again if it only names the generator.
std::vector<Ends> links_of(const Record& record) {
    if (!record.links.empty() || record.link_count == 0) return record.links;
    return network::all_links(model::network_of(record));
}

/// What a frame keeps of the loads of all nodes.
struct Reduction {
    DrawingKind kind = DrawingKind::points;
    NodeId rows = 0;     ///< cells: of the image
    NodeId columns = 0;  ///< cells: of the image
    NodeId grid_columns = 0;
    NodeId grid_rows = 0;
    NodeId block = 1;        ///< cells: nodes along a side of a pixel
    std::size_t values = 0;  ///< in a frame

    static Reduction of(const Drawing& drawing, NodeId node_count) {
        Reduction reduction;
        reduction.kind = drawing.kind;
        reduction.values = node_count;
        if (drawing.kind == DrawingKind::ranks) {
            reduction.values = std::min<std::size_t>(ranks_max, node_count);
        } else if (drawing.kind == DrawingKind::cells) {
            const NodeId longer = std::max(drawing.rows, drawing.columns);
            reduction.block = (longer + side_max - 1) / side_max;
            reduction.grid_rows = drawing.rows;
            reduction.grid_columns = drawing.columns;
            reduction.rows = (drawing.rows + reduction.block - 1) / reduction.block;
            reduction.columns = (drawing.columns + reduction.block - 1) / reduction.block;
            reduction.values = std::size_t{reduction.rows} * reduction.columns;
        }
        return reduction;
    }
    [[nodiscard]] bool whole() const { return kind != DrawingKind::ranks && block == 1; }
    /// Averages are kept in sixteenths of a token, unless loads are so large that it cannot matter.
    [[nodiscard]] Tokens unit(const Record& record) const {
        if (block == 1) return 1;
        const auto most =
            std::max_element(record.initial_loads.begin(), record.initial_loads.end());
        return *most < (Tokens{1} << 40U) ? 16 : 1;
    }
    [[nodiscard]] std::vector<Tokens> apply(std::span<const Tokens> loads, Tokens unit) const {
        std::vector<Tokens> values(loads.begin(), loads.end());
        if (kind == DrawingKind::ranks) {
            std::sort(values.begin(), values.end(), std::greater<>());
            for (std::size_t index = 0; index < this->values; ++index)
                values[index] = values[rank(index, loads.size())];
            values.resize(this->values);
        } else if (block > 1) {
            values.assign(this->values, 0);
            for (NodeId row = 0; row < rows; ++row)
                for (NodeId column = 0; column < columns; ++column)
                    values[std::size_t{row} * columns + column] =
                        average(loads, row * block, column * block, unit);
        }
        return values;
    }
    [[nodiscard]] std::size_t rank(std::size_t index, std::size_t node_count) const {
        return values < 2 ? 0 : index * (node_count - 1) / (values - 1);
    }

  private:
    [[nodiscard]] Tokens average(std::span<const Tokens> loads, NodeId top, NodeId left,
                                 Tokens unit) const {
        const NodeId bottom = std::min(top + block, grid_rows);
        const NodeId right = std::min(left + block, grid_columns);
        double sum = 0;
        for (NodeId row = top; row < bottom; ++row)
            for (NodeId column = left; column < right; ++column)
                sum += static_cast<double>(loads[std::size_t{row} * grid_columns + column]);
        const double cells = static_cast<double>(bottom - top) * static_cast<double>(right - left);
        return static_cast<Tokens>(std::llround(sum / cells * static_cast<double>(unit)));
    }
};

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

json network_json(const Record& record, const std::vector<Ends>& links, const Drawing& drawing,
                  const Reduction& reduction) {
    static constexpr std::array words = {"points", "cells", "ranks"};
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
        json ends = json::array();
        if (links.size() <= links_drawn_max) {
            for (const Ends& link : links) {
                ends.push_back(link.tail);
                ends.push_back(link.head);
            }
        }
        out["ends"] = std::move(ends);
        out["links_left_out"] = links.size() > links_drawn_max;
    }
    if (reduction.whole() && !record.labels.names.empty()) out["names"] = record.labels.names;
    return out;
}

json curve_json(const Curve& curve) {
    json out;
    json discrepancies = json::array();
    json potentials = json::array();
    for (const Tokens value : curve.discrepancies)
        discrepancies.push_back(exact(value));
    for (const double value : curve.potentials) {
        // Six digits suffice to draw.
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

/// Everything that was noted or given, as texts.
std::map<std::string, std::string> notes_of(const Record& record) {
    std::map<std::string, std::string> notes = named_notes(record);
    if (!record.matchings.empty()) notes["matchings"] = network::to_text(record.matchings);
    if (!record.matrix.empty()) notes["matrix"] = network::to_text(record.matrix);
    const network::GivenStructures& given = record.given;
    if (!given.tree_links.empty())
        notes["tree_links"] = network::to_text(network::MatchingSequence{given.tree_links});
    if (!given.colouring.empty()) notes["colouring"] = network::to_text(given.colouring);
    return notes;
}

json run_json(const Record& record, const Reduction& reduction, std::size_t runs) {
    json out;
    out["algorithm"] = record.algorithm;
    out["model"] = record.model;
    out["parameters"] = record.parameters;
    out["constants"] = notes_of(record);
    if (record.optimum && record.optimum->steps)
        out["optimum_steps"] = exact(std::uint64_t{*record.optimum->steps});
    out["seed"] = std::to_string(record.seed);
    out["version"] = record.program_version;
    out["scale"] = exact(record.load_scale);
    out["initial_discrepancy"] = exact(record.initial_discrepancy);
    out["discrepancy"] = exact(record.final_discrepancy);
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
    out["curve"] = curve_json(curve_of(record, events, curve_points_max));

    const bool every_step =
        !events.empty() && reduction.whole() && events.size() <= events_max / runs;
    const std::size_t budget = loads_max / runs / std::max<std::size_t>(1, reduction.values);
    const std::size_t kept = std::clamp<std::size_t>(budget, 2, frames_max);
    const Tokens unit = reduction.unit(record);
    VariableBytes frames;
    std::vector<Step> steps;
    std::vector<Tokens> previous(reduction.values, 0);
    visit_frames(record, events, kept, [&](Step step, std::span<const Tokens> loads) {
        if (every_step && step > 0) return;
        const std::vector<Tokens> values = reduction.apply(loads, unit);
        frames.add_differences(previous, values);
        previous = values;
        steps.push_back(step);
    });
    out["frames"] = {{"steps", steps}, {"unit", unit}, {"loads", frames.base64()}};
    if (every_step) out["events"] = encode_events(events);
    if (every_step && record.asynchrony && !record.asynchrony->deliveries.empty() &&
        record.asynchrony->deliveries.size() <= messages_max / runs) {
        out["messages_played"] = encode_messages(record.asynchrony->deliveries);
        out["kinds"] = record.asynchrony->kinds;
    }
    Tokens total = 0;
    for (const Tokens load : record.initial_loads)
        total = checked_add(total, load);
    out["tokens"] = exact(total);
    return out;
}

void check(const Record& record) {
    if (record.node_count == 0 || record.initial_loads.size() != record.node_count ||
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

std::string escape_for_script(const std::string& text) {
    std::string safe;
    safe.reserve(text.size());
    for (const char letter : text) {
        switch (letter) {
            case '<':
                safe += "\\u003c";
                break;
            case '>':
                safe += "\\u003e";
                break;
            case '&':
                safe += "\\u0026";
                break;
            default:
                safe += letter;
        }
    }
    return safe;
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
    json networks = json::array();
    json runs = json::array();
    std::vector<std::tuple<std::uint64_t, NodeId, LinkId, std::string>> known;
    std::vector<Reduction> reductions;
    for (const Record& record : records) {
        check(record);
        const std::tuple key(record.network_digest, record.node_count, record.link_count,
                             record.labels.origin);
        const auto found = std::find(known.begin(), known.end(), key);
        const auto index = static_cast<std::size_t>(found - known.begin());
        if (found == known.end()) {
            const std::vector<Ends> links =
                record.node_count <= drawn_nodes_max ? links_of(record) : std::vector<Ends>{};
            const Drawing drawing = draw_network(record.labels, record.node_count, links);
            known.push_back(key);
            reductions.push_back(Reduction::of(drawing, record.node_count));
            networks.push_back(network_json(record, links, drawing, reductions.back()));
        }
        runs.push_back(run_json(record, reductions[index], records.size()));
        runs.back()["network"] = index;
    }
    const json page = {{"title", page_title(records)}, {"networks", networks}, {"runs", runs}};
    return escape_for_script(json_text(page));
}

}  // namespace equipoise::report
