#include "equipoise/report/pictures/strip.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "equipoise/base/comma_list.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/model/run/record_network.hpp"
#include "equipoise/report/pictures/look.hpp"
#include "equipoise/report/pictures/network_panels.hpp"
#include "equipoise/report/pictures/observer_walks.hpp"
#include "equipoise/report/runs/frames.hpp"
#include "equipoise/report/runs/summary.hpp"
#include "equipoise/report/runs/words.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using model::Record;

struct Moved {
    NodeId from;
    NodeId to;
    Tokens tokens;
};

/// The contents of one picture.
struct Scene {
    std::string words;
    std::vector<Tokens> loads;
    std::vector<Moved> moved;
    std::set<std::pair<NodeId, NodeId>> told;    ///< by messages without tokens, from and to
    std::set<std::pair<NodeId, NodeId>> active;  ///< links, smaller end first
    std::vector<bool> away;                      ///< nodes that have gone
    std::set<std::pair<NodeId, NodeId>> cut;     ///< links that have gone
    std::vector<NodeId> observers;               ///< the position of each
};

std::pair<NodeId, NodeId> link_key(NodeId a, NodeId b) {
    return {std::min(a, b), std::max(a, b)};
}

/// A load in a node: whole tokens, or three digits of a fraction.
std::string load_text(const Record& record, Tokens units) {
    const auto scale = static_cast<Tokens>(std::max<std::uint64_t>(1, record.load_scale));
    if (units % scale == 0) return grouped(units / scale);
    return fmt::format("{:.3g}", static_cast<double>(units) / static_cast<double>(scale));
}

/// The matchings that were given, if any; they tell which links are active at a step.
const network::MatchingSequence& given_rounds(const Record& record) {
    return record.matchings.empty() ? record.given.colouring : record.matchings;
}

void apply_switches(const Record& record, Step step, Scene& scene, std::size_t& next) {
    for (; next < record.switches.size() && record.switches[next].step <= step; ++next) {
        const model::NetworkSwitch& change = record.switches[next];
        if (change.node == change.other) {
            if (change.node < scene.away.size()) scene.away[change.node] = !change.up;
        } else if (change.up) {
            scene.cut.erase(link_key(change.node, change.other));
        } else {
            scene.cut.insert(link_key(change.node, change.other));
        }
    }
}

/// The messages that arrive in each step of an asynchronous run, without those that carry tokens.
/// A step is a moment after the start at which something happens.
class Arrivals {
  public:
    explicit Arrivals(const std::vector<model::Delivery>& deliveries) : deliveries_(&deliveries) {
        for (std::size_t k = 0; k < deliveries.size(); ++k)
            if (deliveries[k].arrived > (firsts_.empty() ? 0 : latest())) firsts_.push_back(k);
    }
    template <class Visit>
    void visit(Step step, const Visit& visit) const {
        if (step >= firsts_.size()) return;
        const std::size_t end = step + 1 < firsts_.size() ? firsts_[step + 1] : deliveries_->size();
        for (std::size_t k = firsts_[step]; k < end; ++k) {
            const model::Delivery& message = (*deliveries_)[k];
            if (message.from != message.to && message.tokens == 0) visit(message);
        }
    }

  private:
    [[nodiscard]] std::uint64_t latest() const { return (*deliveries_)[firsts_.back()].arrived; }

    const std::vector<model::Delivery>* deliveries_;
    std::vector<std::size_t> firsts_;  ///< the first event of each step
};

/// Adds the messages of a step to its picture, and their kinds to its words.
void tell(const Record& record, const Arrivals& arrivals, Step step, Scene& scene) {
    const std::vector<std::string>& kinds = record.asynchrony->kinds;
    std::vector<std::string> names;
    arrivals.visit(step, [&](const model::Delivery& message) {
        scene.told.emplace(message.from, message.to);
        if (message.kind >= kinds.size()) return;
        const std::string& name = kinds[message.kind];
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    });
    for (const std::string& name : names)
        scene.words += (&name == &names.front() ? ": " : ", ") + name;
}

/// Adds the positions of observers before a step, the changes that it makes to their loads, and the
/// links that are active for them.
void place_observers(ObserverWalks& walks, const Record& record, Step moment, bool last,
                     Scene& scene) {
    scene.observers = walks.before(moment);
    if (last) return;
    std::vector<Tokens> after = scene.loads;
    for (const Moved& moved : scene.moved) {
        if (moved.from != no_node) after[moved.from] -= moved.tokens;
        if (moved.to != no_node) after[moved.to] += moved.tokens;
    }
    for (std::size_t k = 0; k < scene.observers.size(); ++k) {
        const Tokens now = scene.loads[scene.observers[k]];
        const Tokens then = after[walks.next(scene.observers[k], moment)];
        if (now != then)
            scene.words += fmt::format(", {}: {} → {}", record.labels.name(walks.starts()[k]),
                                       load_text(record, now), load_text(record, then));
    }
    for (const Ends& link : walks.active(moment))
        scene.active.insert(link_key(link.tail, link.head));
}

std::vector<Scene> scenes_of(const Record& record, std::span<const Step> steps, bool messages,
                             ObserverWalks* walks) {
    static const std::vector<model::Delivery> none;
    const Arrivals arrivals(messages ? record.asynchrony->deliveries : none);
    const std::vector<Event> events = events_of(record);
    if (events.empty() && record.initial_loads != record.final_loads)
        throw InputError("the record of " + record.algorithm +
                         ": its transfers do not lead from its first loads to its last ones");
    std::vector<Step> moments;
    for (const Step step : steps)
        moments.push_back(step - 1);
    if (moments.empty() || moments.back() < steps.back()) moments.push_back(steps.back());
    std::vector<Scene> scenes;
    std::size_t next_switch = 0;
    Scene now;
    now.away.assign(record.node_count, false);
    visit_moments(record, events, moments, [&](Step moment, std::span<const Tokens> loads) {
        apply_switches(record, moment, now, next_switch);
        Scene scene = now;
        scene.loads.assign(loads.begin(), loads.end());
        const bool last = scenes.size() == steps.size();
        scene.words = (last ? "after step " + grouped(moment) : "step " + grouped(moment + 1));
        for (const Event& event : events)
            if (!last && event.step == moment)
                scene.moved.push_back({event.from, event.to, event.tokens});
        if (!last && messages) tell(record, arrivals, moment, scene);
        if (const network::MatchingSequence& rounds = given_rounds(record);
            !last && !rounds.empty())
            for (const Ends& link : rounds[moment % rounds.size()])
                scene.active.insert(link_key(link.tail, link.head));
        if (walks != nullptr) place_observers(*walks, record, moment, last, scene);
        scenes.push_back(std::move(scene));
    });
    return scenes;
}

/// Differs from the colours of loads and moves.
std::string observer_colour(std::size_t observer) {
    return std::string(look::colour(observer + 2));
}

/// Explains the rings and the colours of the links.
void show_observers(const ObserverWalks& walks, const Record& record, NetworkPanels& panels) {
    for (std::size_t k = 0; k < walks.starts().size(); ++k)
        panels.meanings.push_back(
            {observer_colour(k), "the observer of node " + record.labels.name(walks.starts()[k])});
    Panel panel = plain_panel(panels, "colours of the links");
    panel.links.clear();
    for (std::size_t colour = 0; colour < walks.colour_count(); ++colour)
        for (const Ends& ends : walks.active(colour))
            panel.links.push_back({.ends = ends, .words = grouped(std::uint64_t{colour})});
    panels.panels.push_back(std::move(panel));
}

/// The panel of a scene: loads in the nodes, moves as arrows, active links thicker.
Panel panel_of(const Scene& scene, const Record& record, std::span<const Ends> links, Tokens most) {
    Panel panel;
    panel.words = scene.words;
    for (NodeId node = 0; node < record.node_count; ++node)
        panel.nodes.push_back({.inside = load_text(record, scene.loads[node]),
                               .shade = load_shade(scene.loads[node], most),
                               .away = scene.away[node]});
    for (std::size_t k = 0; k < scene.observers.size(); ++k)
        panel.nodes[scene.observers[k]].ring = observer_colour(k);
    for (const Ends& ends : links) {
        const std::pair<NodeId, NodeId> key = link_key(ends.tail, ends.head);
        if (scene.cut.contains(key) || scene.away[ends.tail] || scene.away[ends.head]) continue;
        if (scene.active.contains(key))
            panel.links.push_back({.ends = ends, .colour = std::string(look::ink), .width = 2.6});
        else
            panel.links.push_back({.ends = ends});
    }
    std::map<std::pair<NodeId, NodeId>, Tokens> sums;
    for (const Moved& moved : scene.moved)
        sums[{moved.from, moved.to}] += moved.tokens;
    for (const auto& [ends, tokens] : sums) {
        const std::string_view sign =
            ends.first == no_node ? "+" : (ends.second == no_node ? "−" : "");
        panel.arrows.push_back({.from = ends.first,
                                .to = ends.second,
                                .words = std::string(sign) + load_text(record, tokens)});
    }
    for (const auto& [from, to] : scene.told)
        if (!sums.contains({from, to}))
            panel.arrows.push_back({.from = from,
                                    .to = to,
                                    .colour = std::string(look::ink),
                                    .dashed = true,
                                    .width = 1.4});
    return panel;
}

void expect_drawable(const Record& record) {
    if (record.level != model::RecordLevel::full)
        throw InputError("the record of " + record.algorithm +
                         " does not hold every move: expected one of --record-level full");
    if (record.node_count > panel_nodes_max)
        throw InputError(
            fmt::format("steps are drawn on networks of at most {} nodes, this one has {}",
                        panel_nodes_max, record.node_count));
}

Step whole_step(std::string_view text, const Record& record) {
    Step step = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
    if (error != std::errc() || end != text.data() + text.size() || step < 1 ||
        step > record.costs.steps)
        throw InputError(fmt::format(
            "--steps: expected steps from 1 to {}, as 1..6,9, or \"moves\"; found \"{}\"",
            record.costs.steps, text));
    return step;
}

}  // namespace

std::vector<Step> steps_from_text(std::string_view text, const Record& record) {
    expect_drawable(record);
    std::set<Step> steps;
    const auto add = [&](Step step) {
        steps.insert(step);
        if (steps.size() > strip_steps_max)
            throw InputError(
                fmt::format("--steps: expected at most {} steps, found more", strip_steps_max));
    };
    if (text == "moves") {
        for (const Event& event : events_of(record))
            add(event.step + 1);
        if (steps.empty())
            throw InputError("--steps: no token moves in the run of " + record.algorithm);
        return {steps.begin(), steps.end()};
    }
    const std::string expected = fmt::format("steps from 1 to {}", record.costs.steps);
    for (const std::string& entry : comma_list("--steps", expected, text)) {
        const std::string_view item = entry;
        const std::size_t dots = std::min(item.find(".."), item.size());
        const Step first = whole_step(item.substr(0, dots), record);
        const Step last = dots < item.size() ? whole_step(item.substr(dots + 2), record) : first;
        if (first > last)
            throw InputError(fmt::format(
                "--steps: expected a range that ends after it begins, found \"{}\"", item));
        for (Step step = first; step <= last; ++step)
            add(step);
    }
    return {steps.begin(), steps.end()};
}

std::string strip_svg(const Record& record, std::span<const Step> steps,
                      const StripOptions& options) {
    expect_drawable(record);
    if (options.messages && (!record.asynchrony || record.asynchrony->deliveries.empty()))
        throw InputError("the record of " + record.algorithm +
                         " does not hold its messages: expected a full record of a small "
                         "asynchronous run");
    NetworkPanels panels =
        panels_of(model::network_of(record), record.algorithm + " on " + network_name(record));
    panels.labels = record.labels;
    std::optional<ObserverWalks> walks;
    if (!options.observers.empty()) {
        walks.emplace(record, options.observers);
        show_observers(*walks, record, panels);
    }
    const std::vector<Scene> scenes =
        scenes_of(record, steps, options.messages, walks ? &*walks : nullptr);
    Tokens most = 0;
    for (const Scene& scene : scenes)
        for (const Tokens load : scene.loads)
            most = std::max(most, load < 0 ? -load : load);
    for (const Scene& scene : scenes)
        panels.panels.push_back(panel_of(scene, record, panels.links, most));
    return panels_svg(panels);
}

}  // namespace equipoise::report
