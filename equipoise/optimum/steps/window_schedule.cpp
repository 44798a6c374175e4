#include "equipoise/optimum/steps/window_schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/steps/halved_schedule.hpp"
#include "equipoise/optimum/steps/phased_schedule.hpp"

namespace equipoise::optimum {

namespace {

/// The tokens that each link carries in all windows, without cycles.
std::vector<FatMove> totals_of(const FlowOverTime& flow, NodeId nodes) {
    FatStep all{flow.steps, {}};
    all.moves.reserve(flow.windows.size());
    for (const Window& window : flow.windows)
        all.moves.push_back({window.from, window.to, window.tokens});
    std::sort(all.moves.begin(), all.moves.end(), [](const FatMove& a, const FatMove& b) {
        return std::tie(a.from, a.to) < std::tie(b.from, b.to);
    });
    std::size_t kept = 0;
    for (const FatMove& move : all.moves) {
        if (kept > 0 && all.moves[kept - 1].from == move.from &&
            all.moves[kept - 1].to == move.to) {
            all.moves[kept - 1].tokens += move.tokens;
        } else {
            all.moves[kept++] = move;
        }
    }
    all.moves.resize(kept);
    cancel_cycles(all, nodes);
    return std::move(all.moves);
}

// Problem: find the flow of whole tokens that exists because a fractional one does.
// Model: everything that problems know (ports, all_ports, capacities, delays).
// Source: integrality of flows (Ford, Fulkerson 1956): a largest flow through single steps that
//   uses a link only while one of its windows is open carries all tokens, since the fractional one
//   does.
// Method: a node has copies before each step, from the first in which something happens at it to
//   the last.
class OpenWindows {
  public:
    OpenWindows(const Problem& problem, const FlowOverTime& flow)
        : problem_(problem), first_(problem.loads.size(), flow.steps) {
        last_.assign(problem.loads.size(), 0);
        for (const Window& window : flow.windows)
            windows_.push_back(window);
        merge();
        for (const Window& window : windows_) {
            const Step delay = delay_of(window);
            extend(window.from, window.first, window.first + window.steps);
            extend(window.to, window.first + delay, window.first + window.steps - 1 + delay);
        }
    }

    /// The bytes of the network with its flow, without moves; nothing if it has too many arcs.
    [[nodiscard]] std::optional<std::uint64_t> bytes() const {
        constexpr std::uint64_t arc_bytes = 80;  // about
        UInt128 sum = 0;
        for (NodeId node = 0; node < first_.size(); ++node)
            sum += (first_[node] <= last_[node] ? last_[node] - first_[node] + 1 : 0) * 6 + 4;
        for (const Window& window : windows_)
            sum += window.steps;
        if (sum > std::numeric_limits<FlowArc>::max() / 4) return std::nullopt;
        return arc_bytes * static_cast<std::uint64_t>(sum);
    }

    /// The schedule; empty if the flow does not carry all tokens.
    std::optional<Schedule> run(FlowBudget budget) {
        make();
        const Flow flow = maximum_flow(network_, {}, &budget);
        if (!flow.complete || flow.value != load::total(problem_.loads)) return std::nullopt;
        Tokens moves = 0;
        for (const LinkArc& link : links_)
            moves += flow.by_arc[link.arc];
        Schedule schedule;
        schedule.reserve(static_cast<std::size_t>(moves));
        for (const auto& [arc, step, from, to] : links_)
            for (std::int64_t i = 0; i < flow.by_arc[arc]; ++i)
                schedule.push_back({step, from, to});
        std::stable_sort(schedule.begin(), schedule.end(),
                         [](const Move& a, const Move& b) { return a.step < b.step; });
        return schedule;
    }

  private:
    struct LinkArc {
        FlowArc arc = 0;
        Step step = 0;
        NodeId from = 0;
        NodeId to = 0;
    };

    /// Reduces the windows of each link to ones that do not overlap; the tokens in them do not
    /// matter.
    void merge() {
        std::sort(windows_.begin(), windows_.end(), [](const Window& a, const Window& b) {
            return std::tie(a.from, a.to, a.first) < std::tie(b.from, b.to, b.first);
        });
        std::size_t kept = 0;
        for (const Window& window : windows_) {
            Window* last = kept > 0 ? &windows_[kept - 1] : nullptr;
            if (last != nullptr && last->from == window.from && last->to == window.to &&
                window.first <= last->first + last->steps) {
                last->steps = std::max(last->steps, window.first + window.steps - last->first);
            } else {
                windows_[kept++] = window;
            }
        }
        windows_.resize(kept);
    }
    [[nodiscard]] Step delay_of(const Window& window) const {
        const network::Network& network = *problem_.network;
        return problem_.delay_of(
            network.link(window.from, *network::port_to(network, window.from, window.to)));
    }
    void extend(NodeId node, Step from, Step to) {
        first_[node] = std::min(first_[node], from);
        last_[node] = std::max(last_[node], to);
    }
    [[nodiscard]] FlowNode copy(NodeId node, Step step) const {
        return held_[node] + static_cast<FlowNode>(step - first_[node]) * kinds;
    }
    /// A node's copy before a step; the tokens that it sends in the step; those that it receives
    /// before the step, and all that it holds then.
    static constexpr FlowNode kinds = 4;

    void make() {
        const std::size_t nodes = problem_.loads.size();
        network_.source = 0;
        network_.sink = 1;
        const FlowNode extras = 2;
        FlowNode next = 3;
        for (NodeId node = 0; node < nodes; ++node) {
            if (first_[node] > last_[node]) first_[node] = last_[node] = 0;
            held_.push_back(next);
            next += static_cast<FlowNode>(last_[node] - first_[node] + 1) * kinds;
        }
        network_.nodes = next;
        network_.add_arc(extras, network_.sink, problem_.target.extras);
        for (NodeId node = 0; node < nodes; ++node)
            add_node(node, extras);
        add_windows();
    }
    void add_node(NodeId node, FlowNode extras) {
        const bool full = !problem_.capacities.empty();
        network_.add_arc(network_.source, copy(node, first_[node]) + 3, problem_.loads[node]);
        for (Step step = first_[node]; step <= last_[node]; ++step) {
            const FlowNode here = copy(node, step);
            const std::int64_t ports =
                problem_.all_ports ? unlimited_flow : problem_.ports_of(node);
            network_.add_arc(here, here + 1, ports);
            network_.add_arc(here + 2, here + 3, ports);
            network_.add_arc(here + 3, here, full ? problem_.capacities[node] : unlimited_flow);
            if (step < last_[node]) network_.add_arc(here, here + kinds + 3, unlimited_flow);
        }
        const FlowNode end = copy(node, last_[node]);
        network_.add_arc(end, network_.sink, problem_.target.base[node]);
        if (problem_.target.extra_at(node)) network_.add_arc(end, extras, 1);
    }
    void add_windows() {
        for (const Window& window : windows_) {
            const Step delay = delay_of(window);
            const std::int64_t most = problem_.all_ports ? 1 : unlimited_flow;
            for (Step step = window.first; step < window.first + window.steps; ++step) {
                const FlowArc arc = network_.add_arc(copy(window.from, step) + 1,
                                                     copy(window.to, step + delay) + 2, most);
                links_.push_back({arc, step, window.from, window.to});
            }
        }
    }

    const Problem& problem_;
    std::vector<Window> windows_;
    std::vector<Step> first_;  ///< by node: the copies are those before these steps
    std::vector<Step> last_;
    std::vector<FlowNode> held_;  ///< by node: its first copy
    FlowNetwork network_;
    std::vector<LinkArc> links_;
};

bool holds(const Problem& problem, const Schedule& schedule, Step steps) {
    const ScheduleVerdict verdict = check_schedule(problem, schedule);
    return verdict.holds && verdict.steps <= steps;
}

Tokens exchanges_of(const FlowOverTime& flow) {
    Tokens exchanges = 0;
    for (const Window& window : flow.windows)
        exchanges = checked_add(exchanges, window.tokens);
    return exchanges;
}

/// The memory of expanded windows and of the moves that are read from them.
std::optional<std::uint64_t> all_bytes(const OpenWindows& open, Tokens exchanges) {
    const auto windows = open.bytes();
    if (!windows) return std::nullopt;
    const Int128 sum = Int128{*windows} + MovesLimit::bytes(exchanges);
    return static_cast<std::uint64_t>(
        std::min(sum, Int128{std::numeric_limits<std::uint64_t>::max()}));
}

}  // namespace

std::optional<Schedule> window_schedule(const Problem& problem, const FlowOverTime& flow,
                                        const WindowScheduleOptions& options) {
    const Tokens exchanges = exchanges_of(flow);
    if (const MovesLimit limit{options.memory_bytes_max, options.moves_max};
        !limit.allows(exchanges))
        throw InputError("the schedule has " + std::to_string(exchanges) + " moves, " +
                         limit.exceeded_by(exchanges) +
                         " (--windows writes who sends how many tokens in which steps)");
    if (problem.plain()) {
        auto schedule = halved_schedule(problem, totals_of(flow, problem.network->node_count()),
                                        flow.steps, flow.windows, options.stop);
        if (schedule && holds(problem, *schedule, flow.steps)) return schedule;
        // So often each of these pairs is looked at, about.
        constexpr std::uint64_t looks_per_unit = 1024;
        schedule = phased_schedule(problem, flow.steps,
                                   {.memory_bytes_max = options.memory_bytes_max,
                                    .stop = options.stop,
                                    .moves_max = options.moves_max,
                                    .units_max = options.looks_max / looks_per_unit});
        if (schedule && holds(problem, *schedule, flow.steps)) return schedule;
    }
    if (options.stop.stop_requested()) return std::nullopt;
    OpenWindows open(problem, flow);
    const auto bytes = all_bytes(open, exchanges);
    if (!bytes || *bytes > options.memory_bytes_max) return std::nullopt;
    auto schedule = open.run(FlowBudget(options.stop, options.looks_max));
    if (schedule && !holds(problem, *schedule, flow.steps)) schedule.reset();
    return schedule;
}

std::optional<std::uint64_t> window_schedule_bytes(const Problem& problem,
                                                   const FlowOverTime& flow) {
    return all_bytes(OpenWindows(problem, flow), exchanges_of(flow));
}

}  // namespace equipoise::optimum
