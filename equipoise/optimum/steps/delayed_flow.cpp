#include "equipoise/optimum/steps/delayed_flow.hpp"

#include <algorithm>
#include <cstddef>

#include "equipoise/base/assert.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::optimum {

namespace {

/// Final loads that are allowed and leave each part of a network as many tokens as it has.
class FinalLoadsOfParts {
  public:
    explicit FinalLoadsOfParts(const Problem& problem)
        : problem_(problem), final_(problem.target.base), extras_left_(problem.target.extras) {}

    /// Nodes that only deal with each other. Returns whether they have such loads.
    bool settle(std::span<const NodeId> part) {
        Tokens more = 0;  // tokens than the final loads so far
        for (const NodeId node : part)
            more += problem_.loads[node] - final_[node];
        for (const bool full : {true, false})
            for (const NodeId node : part) {
                if (more <= 0 || extras_left_ == 0) break;
                const bool is_full = problem_.loads[node] > problem_.target.base[node];
                if (is_full != full || !problem_.target.extra_at(node)) continue;
                ++final_[node];
                --extras_left_;
                --more;
            }
        for (const NodeId node : part) {
            if (more >= 0) break;
            const Tokens less =
                std::min(-more, std::max<Tokens>(0, final_[node] - problem_.loads[node]));
            final_[node] -= less;
            more += less;
        }
        return more == 0;
    }
    [[nodiscard]] Tokens above(NodeId node) const { return problem_.loads[node] - final_[node]; }

  private:
    const Problem& problem_;
    load::Loads final_;
    Tokens extras_left_;
};

/// When nodes begin and end to send. All of a node's windows begin and end together.
class Delays {
  public:
    Delays(const Problem& problem, std::span<const Tokens> flow)
        : problem_(problem), network_(*problem.network), flow_(flow) {
        find_traffic();
        find_order();
        find_ways();
    }

    [[nodiscard]] FlowOverTime flow() {
        Step steps = least_;
        if (Step enough = time(steps); enough > steps) {
            // Bisects: `low` steps are too few.
            for (Step low = steps; low + 1 < enough;) {
                steps = low + (enough - low) / 2;
                if (time(steps) > steps)
                    low = steps;
                else
                    enough = steps;
            }
            steps = enough;
            EQUIPOISE_ASSERT(time(steps) <= steps);
        }
        return windows(steps);
    }

  private:
    /// What a node has to do with others in all.
    struct Traffic {
        Tokens out = 0;
        Tokens in = 0;
        Tokens links_in = 0;
        Step begin = 0;  ///< its first step
        Step early = 0;  ///< steps from its last one to the end of all
        Step way = 0;    ///< links of the longest way over a node that sends to it
    };

    void find_traffic() {
        traffic_.resize(network_.node_count());
        for (LinkId link = 0; link < network_.link_count(); ++link) {
            const Tokens tokens = flow_[link] < 0 ? -flow_[link] : flow_[link];
            if (tokens == 0) continue;
            const auto [tail, head] = network_.ends(link);
            const bool from_tail = (tail < head) == (flow_[link] > 0);
            traffic_[from_tail ? tail : head].out += tokens;
            traffic_[from_tail ? head : tail].in += tokens;
            ++traffic_[from_tail ? head : tail].links_in;
            if (problem_.all_ports) least_ = std::max(least_, static_cast<Step>(tokens));
            ++windows_;
        }
        if (problem_.all_ports) return;
        for (NodeId node = 0; node < traffic_.size(); ++node)
            if (const Tokens most = std::max(traffic_[node].out, traffic_[node].in); most > 0)
                least_ = std::max(least_, steps_for(most, node));
    }
    /// Each node takes inflow from nodes before it alone.
    void find_order() {
        std::vector<Tokens> links_left(traffic_.size());
        order_.reserve(traffic_.size());
        for (NodeId node = 0; node < traffic_.size(); ++node) {
            links_left[node] = traffic_[node].links_in;
            if (links_left[node] == 0) order_.push_back(node);
        }
        for (std::size_t at = 0; at < order_.size(); ++at)
            for_all_sent(order_[at], [&](NodeId other, Tokens /*tokens*/) {
                if (--links_left[other] == 0) order_.push_back(other);
            });
        EQUIPOISE_ASSERT(order_.size() == traffic_.size());  // otherwise there is a circle
    }
    void find_ways() {
        std::vector<Step> to(traffic_.size(), 0);
        std::vector<Step> from(traffic_.size(), 0);
        for (const NodeId node : order_)
            for_all_sent(node, [&](NodeId other, Tokens /*tokens*/) {
                to[other] = std::max(to[other], to[node] + 1);
            });
        for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
            for_all_sent(*node, [&](NodeId other, Tokens /*tokens*/) {
                from[*node] = std::max(from[*node], from[other] + 1);
            });
        }
        for (const NodeId node : order_)
            for_all_sent(node, [&](NodeId other, Tokens /*tokens*/) {
                traffic_[other].way = std::max(traffic_[other].way, to[node] + from[node]);
            });
    }
    /// A node ends with those that it sends to, or one step before if these keep too few tokens.
    void end(Step steps) {
        for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
            Traffic& here = traffic_[*node];
            here.early = 0;
            for_all_sent(*node, [&](NodeId other, Tokens /*tokens*/) {
                const Traffic& next = traffic_[other];
                if (next.out > 0)
                    here.early = std::max(here.early, next.early + (keeps(other, steps) ? 0 : 1));
            });
        }
    }
    /// Whether no more than stays at a node reaches it in a step.
    [[nodiscard]] bool keeps(NodeId node, Step steps) const {
        const Traffic& here = traffic_[node];
        const Tokens stay = problem_.loads[node] + here.in - here.out;
        // Nodes send in all steps but as many as links of their longest ways, or in more.
        const Step at_least = steps - std::min(steps, here.way);
        return stay >= (problem_.all_ports ? here.links_in : problem_.ports_of(node)) ||
               Int128{stay} * Int128{at_least} >= here.in;
    }
    /// Lets all nodes begin and end as they can if there are so many steps. Returns a number of
    /// steps that lets everything through all gates, the same one if it does.
    Step time(Step steps) {
        end(steps);
        Step enough = steps;
        for (const NodeId node : order_) {
            Traffic& here = traffic_[node];
            here.begin = 0;
            Step joined = 0;   // when all inflow has begun to arrive
            Step outside = 0;  // the most steps in which inflow is not sent
            for_all_received(node, [&](const Traffic& other, Tokens tokens) {
                joined = std::max(joined, other.begin + 1);
                outside = std::max(outside, other.begin + other.early);
                if (problem_.all_ports)
                    enough = std::max(enough, outside + static_cast<Step>(tokens));
            });
            if (joined > 0) here.begin = joined - sooner(node, joined, steps);
            if (problem_.all_ports) continue;
            if (here.in > 0 && !receives(node, outside, steps))
                enough = std::max(enough, outside + steps_for(here.in, node));
            if (here.out > 0)
                enough = std::max(enough, here.begin + here.early + steps_for(here.out, node));
        }
        return enough;
    }
    /// The most steps d so that d + 1 steps of outflow are at most what the node holds at first.
    [[nodiscard]] Step sooner(NodeId node, Step joined, Step steps) const {
        const Traffic& here = traffic_[node];
        const Int128 load = problem_.loads[node];
        if (load >= here.out) return joined;
        const Int128 rest = Int128{steps} - Int128{here.early} - Int128{joined};
        const Int128 d = (load * rest - here.out) / (here.out - load);
        return static_cast<Step>(std::clamp<Int128>(d, 0, joined));
    }
    /// Whether a node's ports are enough for what it receives at a time; `outside`: the most steps
    /// in which some of it is not sent.
    [[nodiscard]] bool receives(NodeId node, Step outside, Step steps) const {
        if (steps <= outside) return false;
        const Int128 ports = problem_.ports_of(node);
        if (traffic_[node].in <= ports * Int128{steps - outside}) return true;
        constexpr unsigned places = 60;
        Int128 rate = 0;  // rounded up, in units of 2^-places
        for_all_received(node, [&](const Traffic& other, Tokens tokens) {
            const Int128 length{steps - other.begin - other.early};
            rate += ((Int128{tokens} << places) + length - 1) / length;
        });
        return rate <= ports << places;
    }
    [[nodiscard]] FlowOverTime windows(Step steps) const {
        FlowOverTime over_time;
        over_time.windows.reserve(windows_);
        for (const NodeId node : order_) {
            const Traffic& here = traffic_[node];
            const Step length = steps - here.begin - here.early;
            for_all_sent(node, [&](NodeId other, Tokens tokens) {
                over_time.windows.push_back({node, other, here.begin, length, tokens});
                over_time.steps = std::max(over_time.steps, here.begin + length);
            });
        }
        return over_time;
    }

    /// The steps that a node needs to send or receive so many tokens.
    [[nodiscard]] Step steps_for(Tokens tokens, NodeId node) const {
        return static_cast<Step>(ceil_divide(tokens, problem_.ports_of(node)));
    }
    /// Tokens that a node sends over a port; below 0, receives.
    [[nodiscard]] Tokens sent(NodeId node, Port port) const {
        const Tokens tokens = flow_[network_.link(node, port)];
        return node < network_.neighbour(node, port) ? tokens : -tokens;
    }
    template <class Look>
    void for_all_sent(NodeId node, const Look& look) const {
        if (traffic_[node].out == 0) return;
        for (Port port = 0; port < network_.degree(node); ++port)
            if (const Tokens tokens = sent(node, port); tokens > 0)
                look(network_.neighbour(node, port), tokens);
    }
    template <class Look>
    void for_all_received(NodeId node, const Look& look) const {
        if (traffic_[node].in == 0) return;
        for (Port port = 0; port < network_.degree(node); ++port)
            if (const Tokens tokens = sent(node, port); tokens < 0)
                look(traffic_[network_.neighbour(node, port)], -tokens);
    }

    const Problem& problem_;
    const network::Network& network_;
    std::span<const Tokens> flow_;
    std::vector<Traffic> traffic_;
    std::vector<NodeId> order_;
    Step least_ = 1;  ///< enough for every gate
    std::size_t windows_ = 0;
};

}  // namespace

std::optional<LinkFlow> forest_flow(const Problem& problem) {
    const network::Network& network = *problem.network;
    const NodeId count = network.node_count();
    FinalLoadsOfParts finals(problem);
    LinkFlow flow(network.link_count(), 0);
    std::vector<bool> seen(count, false);
    std::vector<Port> port_in(count, 0);  // to the node before, for all but roots
    std::vector<Tokens> above(count, 0);
    std::vector<NodeId> order;
    for (NodeId root = 0; root < count; ++root) {
        if (seen[root]) continue;
        seen[root] = true;
        order.assign(1, root);
        for (std::size_t at = 0; at < order.size() && problem.ports_of(root) > 0; ++at)
            for (Port port = 0; port < network.degree(order[at]); ++port) {
                const NodeId other = network.neighbour(order[at], port);
                if (seen[other] || problem.ports_of(other) == 0) continue;
                seen[other] = true;
                port_in[other] = *network::port_to(network, other, order[at]);
                order.push_back(other);
            }
        if (!finals.settle(order)) return std::nullopt;
        for (const NodeId node : order)
            above[node] = finals.above(node);
        for (std::size_t at = order.size(); at-- > 1;) {
            const NodeId node = order[at];
            const NodeId before = network.neighbour(node, port_in[node]);
            flow[network.link(node, port_in[node])] = node < before ? above[node] : -above[node];
            above[before] += above[node];
        }
    }
    return flow;
}

FlowOverTime delayed_flow(const Problem& problem, std::span<const Tokens> flow) {
    return Delays(problem, flow).flow();
}

}  // namespace equipoise::optimum
