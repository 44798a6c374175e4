#include "equipoise/optimum/checks/flow_check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/network/concept.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/checks/fraction_sum.hpp"

namespace equipoise::optimum {

namespace {

/// Adds or takes away `tokens` at a constant rate in the steps first, ..., first + steps - 1.
struct Ramp {
    Step first = 0;
    Step steps = 1;
    Tokens tokens = 0;
    bool takes = false;

    [[nodiscard]] Step end() const { return first + steps; }
    [[nodiscard]] Int128 sign() const { return takes ? -1 : 1; }
};

/// A step from which on a ramp is active, or no longer active. May be -1.
struct Kink {
    std::int64_t step = 0;
    const Ramp* ramp = nullptr;
    bool starts = false;
};

/// The kinks of all ramps in the order of time, `earlier` steps before they start and end.
std::vector<Kink> kinks_of(std::span<const Ramp> ramps, std::int64_t earlier) {
    std::vector<Kink> kinks;
    kinks.reserve(2 * ramps.size());
    for (const Ramp& ramp : ramps) {
        kinks.push_back({static_cast<std::int64_t>(ramp.first) - earlier, &ramp, true});
        kinks.push_back({static_cast<std::int64_t>(ramp.end()) - earlier, &ramp, false});
    }
    std::sort(kinks.begin(), kinks.end(),
              [](const Kink& a, const Kink& b) { return a.step < b.step; });
    return kinks;
}

// Problem: is constant + sum of ramps at least 0 in every step of a range?
// Model:   exact rationals.
// Method:  after step t a ramp has added tokens * (t - first + 1) / steps: straight lines with
//          kinks at first - 1 and at the last step, so the least sum is at a kink or at an end of
//          the range. Each value is enclosed in O(1): rates are rounded to binary fractions, those
//          of ramps that rise up or down so that the sum is too small by less than a unit per ramp
//          and step. Sums of products wrap around in 128 bits, the value itself does not. Where 0
//          lies in between, the fractions themselves are added up.
class RampSum {
  public:
    RampSum(Int128 constant, std::span<const Ramp> ramps)
        : constant_(constant), ramps_(ramps), kinks_(kinks_of(ramps, 1)) {
        UInt128 most =
            constant < 0 ? static_cast<UInt128>(-constant) : static_cast<UInt128>(constant);
        for (const Ramp& ramp : ramps)
            most += static_cast<UInt128>(ramp.tokens);
        // Values and errors fit into 127 bits.
        unsigned bits = 0;
        while (bits < 122 && (most >> bits) != 0)
            ++bits;
        places_ = std::min(60U, 122U - bits);
    }

    /// The first step, among those examined in [first, last], at which the sum is below 0.
    [[nodiscard]] std::optional<Step> below_zero(Step first, Step last) {
        const auto from = static_cast<std::int64_t>(first);
        const auto to = static_cast<std::int64_t>(last);
        std::size_t next = 0;
        for (std::int64_t step = from; step <= to;) {
            for (; next < kinks_.size() && kinks_[next].step <= step; ++next)
                turn(kinks_[next]);
            if (is_below(step)) return static_cast<Step>(step);
            if (step == to) break;
            step = next < kinks_.size() ? std::min(kinks_[next].step, to) : to;
        }
        return std::nullopt;
    }

  private:
    /// The rate in units of 2^-places, rounded so that the sum becomes smaller.
    [[nodiscard]] UInt128 rate(const Ramp& ramp) const {
        const UInt128 scaled = static_cast<UInt128>(ramp.tokens) << places_;
        return (scaled + (ramp.takes ? ramp.steps - 1 : 0)) / ramp.steps;
    }
    void turn(const Kink& kink) {
        const Ramp& ramp = *kink.ramp;
        const UInt128 before = static_cast<UInt128>(ramp.first) - 1;
        const UInt128 slope = ramp.takes ? -rate(ramp) : rate(ramp);
        const UInt128 times = kink.starts ? 1 : ~UInt128{0};  // 1 or -1
        slope_ += times * slope;
        offset_ += times * (slope * before);
        active_ += times;
        active_before_ += times * before;
        if (!kink.starts) whole_ += ramp.sign() * ramp.tokens;
    }
    [[nodiscard]] bool is_below(std::int64_t step) const {
        const auto now = static_cast<UInt128>(step);
        const auto part = static_cast<Int128>(slope_ * now - offset_);
        const Int128 low = (constant_ + whole_) * (Int128{1} << places_) + part;
        if (low >= 0) return false;
        if (low + static_cast<Int128>(active_ * now - active_before_) < 0) return true;
        std::vector<Fraction> fractions;
        const auto at = static_cast<Step>(step);
        for (const Ramp& ramp : ramps_)
            if (ramp.first <= at && at + 1 < ramp.end())
                fractions.push_back(
                    {ramp.sign() * ramp.tokens * static_cast<Int128>(at - ramp.first + 1),
                     ramp.steps});
        return sign_of_sum(constant_ + whole_, std::move(fractions)) < 0;
    }

    Int128 constant_;
    std::span<const Ramp> ramps_;
    std::vector<Kink> kinks_;
    unsigned places_ = 0;
    UInt128 slope_ = 0;          ///< of the ramps that are active
    UInt128 offset_ = 0;         ///< their slopes times the step before they start
    UInt128 active_ = 0;         ///< how many
    UInt128 active_before_ = 0;  ///< the sum of the steps before they start
    Int128 whole_ = 0;           ///< of the ramps that have ended
};

/// The first step at which the ramps' rates add up to more than `most`.
std::optional<Step> too_fast(std::span<const Ramp> ramps, Tokens most) {
    constexpr unsigned places = 60;
    const std::vector<Kink> kinks = kinks_of(ramps, 0);
    const UInt128 limit = static_cast<UInt128>(most) << places;
    UInt128 low = 0;  // rounded down, by less than a unit for each that is active
    UInt128 active = 0;
    for (std::size_t i = 0; i < kinks.size();) {
        const auto step = static_cast<Step>(kinks[i].step);
        bool grows = false;
        for (; i < kinks.size() && static_cast<Step>(kinks[i].step) == step; ++i) {
            const Ramp& ramp = *kinks[i].ramp;
            const UInt128 rate = (static_cast<UInt128>(ramp.tokens) << places) / ramp.steps;
            low += kinks[i].starts ? rate : -rate;
            active += kinks[i].starts ? 1 : ~UInt128{0};
            grows = grows || kinks[i].starts;
        }
        if (!grows || low + active <= limit) continue;
        if (low > limit) return step;
        std::vector<Fraction> fractions;
        for (const Ramp& ramp : ramps)
            if (ramp.first <= step && step < ramp.end())
                fractions.push_back({-Int128{ramp.tokens}, ramp.steps});
        if (sign_of_sum(most, std::move(fractions)) < 0) return step;
    }
    return std::nullopt;
}

/// Which windows begin, and which end, at each node.
class WindowsOfNodes {
  public:
    WindowsOfNodes(std::span<const Window> windows, NodeId nodes, bool sent)
        : first_(std::size_t{nodes} + 1, 0), windows_(windows.size()) {
        const auto node_of = [sent](const Window& window) {
            return sent ? window.from : window.to;
        };
        for (const Window& window : windows)
            ++first_[node_of(window) + 1];
        for (NodeId node = 0; node < nodes; ++node)
            first_[node + 1] += first_[node];
        std::vector<std::uint64_t> at(first_.begin(), first_.end() - 1);
        for (std::size_t i = 0; i < windows.size(); ++i)
            windows_[at[node_of(windows[i])]++] = i;
    }
    [[nodiscard]] std::span<const std::uint64_t> of(NodeId node) const {
        return {windows_.data() + first_[node], windows_.data() + first_[node + 1]};
    }

  private:
    std::vector<std::uint64_t> first_;
    std::vector<std::uint64_t> windows_;
};

std::string during(Step step, const std::string& what) {
    return "step " + std::to_string(step) + ": " + what;
}

class FlowChecker {
  public:
    FlowChecker(const Problem& problem, const FlowOverTime& flow, FlowVerdict& verdict)
        : problem_(problem), flow_(flow), verdict_(verdict), delays_(flow.windows.size(), 1) {}

    /// Returns what is wrong; empty if nothing is.
    std::string run() {
        if (flow_.steps > steps_max) return "there are too many steps";
        for (std::size_t i = 0; i < flow_.windows.size(); ++i)
            if (std::string fault = fault_of_window(i); !fault.empty()) return fault;
        const NodeId nodes = problem_.network->node_count();
        const WindowsOfNodes sent(flow_.windows, nodes, true);
        const WindowsOfNodes received(flow_.windows, nodes, false);
        verdict_.loads = problem_.loads;
        for (NodeId node = 0; node < nodes; ++node)
            if (std::string fault = fault_of_node(node, sent.of(node), received.of(node));
                !fault.empty())
                return fault;
        return problem_.target.allows(verdict_.loads) ? "" : "the end is not in the target";
    }

  private:
    /// Numbers of steps and their sums stay inside 64 bits.
    static constexpr Step steps_max = std::numeric_limits<Step>::max() / 4;

    std::string fault_of_window(std::size_t index) {
        const Window& window = flow_.windows[index];
        const network::Network& network = *problem_.network;
        const auto fault = [&](const std::string& what) {
            return "window " + std::to_string(index) + ' ' + what;
        };
        if (window.from >= network.node_count() || window.to >= network.node_count())
            return fault("names a node that does not exist");
        const auto port = network::port_to(network, window.from, window.to);
        if (!port)
            return fault("has no link from node " + std::to_string(window.from) + " to node " +
                         std::to_string(window.to));
        if (window.steps == 0) return fault("has no steps");
        if (window.tokens < 1 || window.tokens > tokens_max)
            return fault("does not send a token or sends too many");
        const Step delay = problem_.delay_of(network.link(window.from, *port));
        if (window.first > flow_.steps || window.steps > flow_.steps - window.first ||
            delay - 1 > flow_.steps - window.first - window.steps)
            return fault("sends what does not arrive in time");
        delays_[index] = delay;
        verdict_.steps = std::max(verdict_.steps, window.first + window.steps + delay - 1);
        verdict_.exchanges = checked_add(verdict_.exchanges, window.tokens);
        return "";
    }

    std::string fault_of_node(NodeId node, std::span<const std::uint64_t> sent,
                              std::span<const std::uint64_t> received) {
        std::vector<Ramp>& ramps = ramps_;
        const auto at_node = [&](Step step, const char* what) {
            return during(step, "node " + std::to_string(node) + what);
        };
        const std::size_t stock = sent.size() + received.size();
        if (stock == 0) return "";
        // Tokens as they leave, and as they arrive at the end of a step.
        ramps.clear();
        for (const std::uint64_t i : sent)
            ramps.push_back(
                {flow_.windows[i].first, flow_.windows[i].steps, flow_.windows[i].tokens, true});
        for (const std::uint64_t i : received)
            ramps.push_back({flow_.windows[i].first + delays_[i] - 1, flow_.windows[i].steps,
                             flow_.windows[i].tokens, false});
        const std::span<Ramp> leaving = std::span(ramps).first(sent.size());
        const std::span<Ramp> arriving = std::span(ramps).subspan(sent.size());
        if (problem_.ports_of(node) == 0)
            return "node " + std::to_string(node) + " takes no part but has a window";
        if (problem_.all_ports) {
            if (std::string fault = fault_of_links(node, sent); !fault.empty()) return fault;
        } else {
            if (const auto step = too_fast(leaving, problem_.ports_of(node)))
                return at_node(*step, " sends too much");
            if (const auto step = too_fast(arriving, problem_.ports_of(node)))
                return at_node(*step, " receives too much");
        }
        if (!problem_.capacities.empty()) {
            // After each step: the free capacity.
            for (Ramp& ramp : ramps)
                ramp.takes = !ramp.takes;
            if (const auto step = RampSum(problem_.capacities[node] - problem_.loads[node], ramps)
                                      .below_zero(0, flow_.steps - 1))
                return at_node(*step, " holds more than its capacity");
            for (Ramp& ramp : ramps)
                ramp.takes = !ramp.takes;
        }
        // Tokens that arrive in a step can be sent in the next.
        for (Ramp& ramp : arriving)
            ++ramp.first;
        if (const auto step = RampSum(problem_.loads[node], ramps).below_zero(0, flow_.steps - 1))
            return at_node(*step, " sends tokens that it does not hold");
        Int128 load = problem_.loads[node];
        for (const Ramp& ramp : ramps)
            load += ramp.sign() * ramp.tokens;
        if (load < 0 || load > tokens_max)
            return "node " + std::to_string(node) + " ends with too few tokens or too many";
        verdict_.loads[node] = static_cast<Tokens>(load);
        return "";
    }

    /// Whether one direction of a link carries more than a token a step.
    std::string fault_of_links(NodeId node, std::span<const std::uint64_t> sent) {
        std::vector<std::uint64_t> by_head(sent.begin(), sent.end());
        std::sort(by_head.begin(), by_head.end(), [&](std::uint64_t a, std::uint64_t b) {
            return flow_.windows[a].to < flow_.windows[b].to;
        });
        std::vector<Ramp> ramps;
        for (std::size_t i = 0; i < by_head.size();) {
            const NodeId head = flow_.windows[by_head[i]].to;
            ramps.clear();
            for (; i < by_head.size() && flow_.windows[by_head[i]].to == head; ++i) {
                const Window& window = flow_.windows[by_head[i]];
                ramps.push_back({window.first, window.steps, window.tokens, true});
            }
            if (const auto step = too_fast(ramps, 1))
                return during(*step, "the link from node " + std::to_string(node) + " to node " +
                                         std::to_string(head) + " carries too much");
        }
        return "";
    }

    const Problem& problem_;
    const FlowOverTime& flow_;
    FlowVerdict& verdict_;
    std::vector<Step> delays_;  ///< by window
    std::vector<Ramp> ramps_;   ///< of one node
};

}  // namespace

FlowVerdict check_flow(const Problem& problem, const FlowOverTime& flow) {
    FlowVerdict verdict;
    verdict.fault = FlowChecker(problem, flow, verdict).run();
    verdict.holds = verdict.fault.empty();
    return verdict;
}

}  // namespace equipoise::optimum
