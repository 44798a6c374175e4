#include "equipoise/report/runs/recovery.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "equipoise/model/run/record_network.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/report/runs/frames.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using model::NetworkSwitch;

/// Loads and the state of nodes and links, moment by moment.
class Replayed {
  public:
    explicit Replayed(const model::Record& record)
        : unit_(static_cast<Tokens>(record.load_scale)),
          network_(model::network_of(record)),
          loads_(record.initial_loads),
          up_(record.node_count, true) {}

    [[nodiscard]] const std::vector<Tokens>& loads() const { return loads_; }
    [[nodiscard]] bool up(NodeId node) const { return up_[node]; }

    void move(const Event& event) {
        if (event.from != no_node) loads_[event.from] -= event.tokens;
        if (event.to != no_node) loads_[event.to] += event.tokens;
    }
    void turn(const NetworkSwitch& change) {
        if (change.node == change.other)
            up_[change.node] = change.up;
        else if (change.up)
            down_.erase(std::minmax(change.node, change.other));
        else
            down_.insert(std::minmax(change.node, change.other));
    }
    [[nodiscard]] bool balanced() const {
        return network_.visit([&](const auto& graph) {
            for (LinkId link = 0; link < graph.link_count(); ++link) {
                const auto [tail, head] = graph.ends(link);
                if (loads_[tail] - loads_[head] <= unit_ && loads_[head] - loads_[tail] <= unit_)
                    continue;
                if (up_[tail] && up_[head] && !down_.contains(std::minmax(tail, head)))
                    return false;
            }
            return true;
        });
    }
    /// Least and largest load of nodes that are up.
    [[nodiscard]] std::pair<Tokens, Tokens> range() const {
        std::pair<Tokens, Tokens> range = {std::numeric_limits<Tokens>::max(),
                                           std::numeric_limits<Tokens>::min()};
        for (NodeId node = 0; node < loads_.size(); ++node)
            if (up_[node])
                range = {std::min(range.first, loads_[node]), std::max(range.second, loads_[node])};
        return range;
    }
    /// The number of links from the nearest of some nodes to every node, whatever is up.
    [[nodiscard]] std::vector<NodeId> distances(std::vector<NodeId> from) const {
        std::vector<NodeId> distances(loads_.size(), no_node);
        for (const NodeId node : from)
            distances[node] = 0;
        for (std::size_t i = 0; i < from.size(); ++i)
            for (Port port = 0; port < network_.degree(from[i]); ++port) {
                const NodeId other = network_.neighbour(from[i], port);
                if (distances[other] != no_node) continue;
                distances[other] = distances[from[i]] + 1;
                from.push_back(other);
            }
        return distances;
    }

  private:
    Tokens unit_;
    network::AnyNetwork network_;
    std::vector<Tokens> loads_;
    std::vector<bool> up_;
    std::set<std::pair<NodeId, NodeId>> down_;  ///< links
};

/// A change of a 1-balanced network, followed until the network is 1-balanced again.
struct Change {
    Step step = 0;
    std::vector<Tokens> before;
    std::vector<NodeId> nodes;  ///< that came or went
    std::vector<NodeId> ends;   ///< of links that came or went
    std::pair<Tokens, Tokens> range;
};

class RecoveryMeasuring {
  public:
    explicit RecoveryMeasuring(const model::Record& record)
        : events_(events_of(record)), switches_(record.switches), now_(record) {}

    Recovery measure() {
        bool balanced = now_.balanced();
        std::size_t event = 0;
        std::size_t turned = 0;
        while (event < events_.size() || turned < switches_.size()) {
            Step step = ~Step{0};
            if (event < events_.size()) step = events_[event].step;
            if (turned < switches_.size()) step = std::min(step, switches_[turned].step);
            std::vector<NetworkSwitch> changes;
            for (; turned < switches_.size() && switches_[turned].step == step; ++turned)
                changes.push_back(switches_[turned]);
            std::vector<Event> moves;
            for (; event < events_.size() && events_[event].step == step; ++event)
                moves.push_back(events_[event]);
            if (!changes.empty()) begin_change(step, changes, moves, balanced);
            for (const Event& move : moves)
                now_.move(move);
            balanced = now_.balanced();
            see(step + 1, balanced);
        }
        return found_;
    }

  private:
    /// Removes from `moves` those by which nodes hand over their tokens as they go.
    void begin_change(Step step, const std::vector<NetworkSwitch>& changes,
                      std::vector<Event>& moves, bool balanced) {
        change_.reset();
        ++(balanced ? found_.changes : found_.unsettled);
        Change change{step, now_.loads(), {}, {}, {}};
        for (const NetworkSwitch& one : changes) {
            now_.turn(one);
            if (one.node == one.other)
                change.nodes.push_back(one.node);
            else
                change.ends.insert(change.ends.end(), {one.node, one.other});
        }
        std::erase_if(moves, [&](const Event& move) {
            const bool handed_over = move.from != no_node && move.to != no_node &&
                                     (!now_.up(move.from) || !now_.up(move.to));
            if (handed_over) now_.move(move);
            return handed_over;
        });
        if (!balanced) return;
        change.range = now_.range();
        change_ = std::move(change);
        see(step, now_.balanced());
    }

    /// Takes note of the loads after some steps.
    void see(Step done, bool balanced) {
        if (!change_) return;
        const auto [least, most] = now_.range();
        if (least < change_->range.first || most > change_->range.second) found_.passage = false;
        if (!balanced) return;
        ++found_.recovered;
        found_.steps = std::max(found_.steps, done - change_->step);
        note_adjusted(*change_);
        change_.reset();
    }

    void note_adjusted(const Change& change) {
        std::vector<NodeId> from = change.nodes;
        from.insert(from.end(), change.ends.begin(), change.ends.end());
        std::sort(from.begin(), from.end());
        from.erase(std::unique(from.begin(), from.end()), from.end());
        const std::vector<NodeId> distances = now_.distances(from);
        NodeId adjusted = 0;
        for (NodeId node = 0; node < distances.size(); ++node) {
            if (now_.loads()[node] == change.before[node]) continue;
            if (std::find(change.nodes.begin(), change.nodes.end(), node) != change.nodes.end())
                continue;
            ++adjusted;
            if (distances[node] != no_node)
                found_.distance = std::max(found_.distance, distances[node]);
        }
        found_.adjusted = std::max(found_.adjusted, adjusted);
    }

    std::vector<Event> events_;
    const std::vector<NetworkSwitch>& switches_;
    Replayed now_;
    std::optional<Change> change_;
    Recovery found_;
};

}  // namespace

std::optional<Recovery> recovery_of(const model::Record& record) {
    if (record.level != model::RecordLevel::full || record.churn.empty() ||
        record.initial_loads.empty())
        return std::nullopt;
    if (record.initial_loads != record.final_loads && events_of(record).empty())
        return std::nullopt;
    for (const NetworkSwitch& one : record.switches)
        if (one.node >= record.node_count || one.other >= record.node_count) return std::nullopt;
    return RecoveryMeasuring(record).measure();
}

std::string recovery_text(const Recovery& recovery) {
    std::string text = fmt::format("1-balanced again after {} of {} that met a 1-balanced network",
                                   recovery.recovered, counted(recovery.changes, "change"));
    if (recovery.recovered > 0)
        text += fmt::format(
            ": within {}, at most {} adjusted, at most {} away", counted(recovery.steps, "step"),
            counted(Step{recovery.adjusted}, "node"), counted(Step{recovery.distance}, "link"));
    if (recovery.changes > 0)
        text += recovery.passage ? "; loads stayed in range" : "; loads left their range";
    if (recovery.unsettled > 0)
        text += fmt::format("; {} before it was 1-balanced", counted(recovery.unsettled, "change"));
    return text;
}

}  // namespace equipoise::report
