#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/verify/certificate_parts.hpp"

namespace equipoise::verify {

namespace {

constexpr Step cut_steps_max = 10'000;

/// Gates of a cut: nodes that send, and nodes that receive, a token a step each.
struct Gates {
    std::vector<bool> senders;
    std::vector<bool> receivers;

    Gates(const JsonValue& object, NodeId nodes)
        : senders(set_of(object.at("senders"), nodes)),
          receivers(set_of(object.at("receivers"), nodes)) {}

    [[nodiscard]] Tokens count() const {
        return std::count(senders.begin(), senders.end(), true) +
               std::count(receivers.begin(), receivers.end(), true);
    }
    /// Whether every way from `before` to nodes that are not in `after` passes one.
    [[nodiscard]] bool stand_between(const std::vector<bool>& before,
                                     const std::vector<bool>& after,
                                     const std::vector<Ends>& links) const {
        const auto open = [&](NodeId from, NodeId to) {
            return before[from] && !after[to] && !senders[from] && !receivers[to];
        };
        return std::none_of(links.begin(), links.end(), [&](const Ends& link) {
            return open(link.tail, link.head) || open(link.head, link.tail);
        });
    }
};

/// A problem of token distribution: at most `target` tokens at every node in the end.
class StepsClaim {
  public:
    StepsClaim(const JsonValue& claim, std::string which, Report& report)
        : claim_(claim),
          which_(std::move(which)),
          report_(report),
          nodes_(claim.at("nodes").whole<NodeId>(1, nodes_max)),
          links_(links_of(claim.at("links"), nodes_)),
          loads_(by_node<Tokens>(claim.at("loads"), nodes_, 0, load_max)),
          target_(claim.at("target").whole<Tokens>(0, load_max)),
          bound_(claim.at("bound").whole<Tokens>(1, load_max)),
          steps_(claim.at("steps").whole<Step>(1, cut_steps_max)) {
        for (const Ends& link : links_)
            sorted_.push_back(ordered(link.tail, link.head));
        std::sort(sorted_.begin(), sorted_.end());
    }

    void examine() {
        const auto add = [&](const char* what, const std::string& fault, const std::string& holds) {
            report_.checks.push_back(
                {which_ + ", " + what, fault.empty(), fault.empty() ? holds : fault});
        };
        const std::string steps = std::to_string(steps_);
        add("schedule", fault_of_schedule(), "levels in " + steps + " steps");
        add("cut", fault_of_cut(), "fewer than " + steps + " steps are not enough");
        const std::string bound = std::to_string(bound_);
        add("flow", fault_of_flow(),
            "no node sends or receives more than " + bound + " tokens, so the bound is no more");
        add("set", fault_of_set(), "a set of nodes that needs " + bound + " steps");
        const Step most = most_steps();
        add("most steps",
            most == steps_ ? "" : "expected " + steps + ", found " + std::to_string(most),
            "tau(" + bound + ", " + std::to_string(surplus()) + ") = " + steps);
    }

  private:
    static Ends ordered(NodeId one, NodeId other) {
        return {std::min(one, other), std::max(one, other)};
    }
    [[nodiscard]] bool linked(NodeId one, NodeId other) const {
        return std::binary_search(sorted_.begin(), sorted_.end(), ordered(one, other));
    }
    [[nodiscard]] bool at_target(const std::vector<Tokens>& loads) const {
        return std::all_of(loads.begin(), loads.end(),
                           [&](Tokens load) { return load <= target_; });
    }
    [[nodiscard]] Tokens surplus() const {
        Tokens sum = 0;
        for (const Tokens load : loads_)
            sum += std::max<Tokens>(0, load - target_);
        return sum;
    }
    /// How often U := U - ceil(U / B) takes U from the surplus to 0.
    [[nodiscard]] Step most_steps() const {
        Step count = 0;
        for (Tokens left = surplus(); left > 0; left -= (left + bound_ - 1) / bound_)
            ++count;
        return count;
    }

    /// Replays the schedule, a list of moves [from, to] for each step.
    [[nodiscard]] std::string fault_of_schedule() const {
        const JsonValue schedule = claim_.at("schedule");
        if (schedule.size("a list of steps") != steps_)
            return "expected " + std::to_string(steps_) + " steps, found " +
                   std::to_string(schedule.size());
        std::vector<Tokens> loads = loads_;
        std::string fault;
        schedule.for_each([&](const JsonValue& moves) {
            std::vector<bool> sent(nodes_, false);
            std::vector<bool> received(nodes_, false);
            const std::vector<Ends> step = links_of(moves, nodes_);
            for (const auto& [from, to] : step) {
                if (!linked(from, to)) fault = "a move that is along no link";
                if (sent[from] || received[to]) fault = "a node with two tokens in a step";
                sent[from] = received[to] = true;
                // Of what was there before the step: nothing has arrived yet.
                if (--loads[from] < 0) fault = "a node that sends more than it holds";
            }
            for (const auto& [from, to] : step)
                ++loads[to];
        });
        if (fault.empty() && !at_target(loads)) fault = "a node above the target in the end";
        return fault;
    }

    /// Adds up the cut, nodes and gates for each step but one.
    [[nodiscard]] std::string fault_of_cut() const {
        const JsonValue cut = claim_.at("cut");
        const std::size_t layers = cut.size("a list of steps");
        if (layers + 1 != steps_)
            return "expected " + std::to_string(steps_ - 1) + " steps, found " +
                   std::to_string(layers);
        std::vector<std::vector<bool>> inside;
        std::vector<Gates> gates;
        cut.for_each([&](const JsonValue& layer) {
            layer.expect_keys({"inside", "senders", "receivers"});
            inside.push_back(set_of(layer.at("inside"), nodes_));
            gates.emplace_back(layer, nodes_);
        });
        inside.push_back(set_of(claim_.at("inside_at_end"), nodes_));
        Tokens crossings = 0;
        for (std::size_t step = 0; step < layers; ++step) {
            // A token that waits must stay inside.
            for (NodeId node = 0; node < nodes_; ++node)
                if (inside[step][node] && !inside[step + 1][node])
                    return "node " + std::to_string(node) + " leaves the set";
            if (!gates[step].stand_between(inside[step], inside[step + 1], links_))
                return "a way past the gates in step " + std::to_string(step + 1);
            crossings += gates[step].count();
        }
        Tokens must_leave = 0;
        for (NodeId node = 0; node < nodes_; ++node) {
            if (inside.front()[node]) must_leave += loads_[node];
            if (inside.back()[node]) must_leave -= target_;
        }
        if (must_leave <= crossings)
            return std::to_string(must_leave) + " tokens must leave, " + std::to_string(crossings) +
                   " can";
        return "";
    }

    /// A flow [from, to, tokens] of at most `bound` tokens from and to each node.
    [[nodiscard]] std::string fault_of_flow() const {
        std::vector<Tokens> loads = loads_;
        std::vector<Tokens> sent(nodes_, 0);
        std::vector<Tokens> received(nodes_, 0);
        std::string fault;
        const JsonValue flow = claim_.at("flow");
        const std::size_t flows = flow.size("a list of flows");
        for (std::size_t i = 0; i < flows; ++i) {
            NodeId from = 0;
            NodeId to = 0;
            std::uint32_t tokens = 0;
            flow.tuple(i, "a flow [from, to, tokens]", from, to, tokens);
            if (from >= nodes_ || to >= nodes_ || !linked(from, to)) {
                fault = "a flow that is along no link";
                continue;
            }
            sent[from] += tokens;
            received[to] += tokens;
            loads[from] -= tokens;
            loads[to] += tokens;
        }
        for (NodeId node = 0; node < nodes_; ++node)
            if (sent[node] > bound_ || received[node] > bound_)
                fault = "node " + std::to_string(node) + " sends or receives more than the bound";
        if (fault.empty() && !at_target(loads)) fault = "a node above the target in the end";
        return fault;
    }

    /// A set of nodes whose surplus all its gates cannot let out in `bound` - 1 steps.
    [[nodiscard]] std::string fault_of_set() const {
        const JsonValue set = claim_.at("set");
        set.expect_keys({"inside", "senders", "receivers"});
        const std::vector<bool> inside = set_of(set.at("inside"), nodes_);
        const Gates gates(set, nodes_);
        if (!gates.stand_between(inside, inside, links_)) return "a way past the gates";
        Tokens must_leave = 0;
        for (NodeId node = 0; node < nodes_; ++node)
            if (inside[node]) must_leave += loads_[node] - target_;
        const Tokens can = (bound_ - 1) * gates.count();
        return must_leave > can ? ""
                                : std::to_string(must_leave) + " tokens must leave, " +
                                      std::to_string(can) + " can in fewer steps than the bound";
    }

    const JsonValue& claim_;
    std::string which_;
    Report& report_;
    NodeId nodes_;
    std::vector<Ends> links_;
    std::vector<Ends> sorted_;
    std::vector<Tokens> loads_;
    Tokens target_;
    Tokens bound_;
    Step steps_;
};

}  // namespace

void examine_fewest_steps(const JsonValue& claim, const std::string& which, Report& report) {
    claim.expect_keys({"claim", "network", "nodes", "links", "loads", "target", "bound", "flow",
                       "set", "steps", "schedule", "cut", "inside_at_end"});
    StepsClaim(claim, which, report).examine();
}

}  // namespace equipoise::verify
