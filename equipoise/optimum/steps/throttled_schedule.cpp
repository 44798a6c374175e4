#include "equipoise/optimum/steps/throttled_schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"

namespace equipoise::optimum {

namespace {

class ListScheduler {
  public:
    ListScheduler(const Problem& problem, std::span<const Tokens> flows, Tokens in_flight_max)
        : problem_(problem),
          in_flight_max_(in_flight_max),
          left_(flows.begin(), flows.end()),
          to_send_(problem.loads.size(), 0),
          held_(problem.loads),
          expected_(problem.loads.size(), 0),
          sent_(problem.loads.size(), 0) {
        Tokens moves = 0;
        for (LinkId link = 0; link < left_.size(); ++link) {
            const Ends ends = problem_.network->ends(link);
            to_send_[left_[link] > 0 ? ends.tail : ends.head] += std::abs(left_[link]);
            moves += std::abs(left_[link]);
        }
        schedule_.reserve(static_cast<std::size_t>(moves));
        for (NodeId node = 0; node < to_send_.size(); ++node)
            if (to_send_[node] > 0) senders_.push_back(node);
    }

    std::optional<Schedule> run(const std::function<bool()>& is_stopped) {
        for (Step step = 0; !senders_.empty();) {
            if (is_stopped && is_stopped()) return std::nullopt;
            arrive(step);
            std::stable_sort(senders_.begin(), senders_.end(),
                             [&](NodeId a, NodeId b) { return to_send_[a] > to_send_[b]; });
            const std::size_t before = schedule_.size();
            ports_are_taken_ = false;
            for (const NodeId node : senders_)
                send_from(node, step);
            for (const NodeId node : senders_)
                sent_[node] = 0;
            std::erase_if(senders_, [&](NodeId node) { return to_send_[node] == 0; });
            EQUIPOISE_ASSERT(schedule_.size() > before || under_way_ > 0);
            // What waits for a token to arrive, or to be under way no longer, waits until then;
            // a port that is taken in one step may be free in the next.
            const bool waits = schedule_.size() == before && !ports_are_taken_;
            step = waits ? arriving_.begin()->first : step + 1;
        }
        return std::move(schedule_);
    }

  private:
    /// Tokens that a node still has to send over a link: the remaining flow.
    [[nodiscard]] Tokens left_from(NodeId node, LinkId link) const {
        return problem_.network->ends(link).tail == node ? left_[link] : -left_[link];
    }
    void send_from(NodeId node, Step step) {
        const network::Network& network = *problem_.network;
        const Tokens had = held_[node];  // before tokens arrive in this step
        for (const Port port : ports_in_order(node)) {
            const LinkId link = network.link(node, port);
            const NodeId other = network.neighbour(node, port);
            const Step then = step + problem_.delay_of(link);
            // With all ports, a link carries one token a step.
            Tokens most = problem_.all_ports ? 1 : had;
            while (most > 0 && left_from(node, link) > 0 && under_way_ < in_flight_max_ &&
                   sent_[node] < sends_at_most(node, had) && takes(other, then)) {
                --most;
                schedule_.push_back({step, node, other});
                left_[link] += network.ends(link).tail == node ? -1 : 1;
                --to_send_[node];
                --held_[node];
                ++sent_[node];
                ++under_way_;
                ++expected_[other];
                ++arriving_[then][other];
            }
        }
    }
    /// With all ports, first the links that are needed longest.
    const std::vector<Port>& ports_in_order(NodeId node) {
        order_.resize(problem_.network->degree(node));
        std::iota(order_.begin(), order_.end(), Port{0});
        const auto left = [&](Port port) {
            return left_from(node, problem_.network->link(node, port));
        };
        if (problem_.all_ports)
            std::stable_sort(order_.begin(), order_.end(),
                             [&](Port a, Port b) { return left(a) > left(b); });
        return order_;
    }
    [[nodiscard]] Tokens sends_at_most(NodeId node, Tokens had) const {
        return problem_.all_ports ? had : std::min(problem_.ports_of(node), had);
    }
    /// Whether a node can receive one more token before step `then`.
    [[nodiscard]] bool takes(NodeId node, Step then) {
        if (!problem_.capacities.empty() &&
            held_[node] + expected_[node] >= problem_.capacities[node])
            return false;
        if (problem_.all_ports) return true;
        const auto at = arriving_.find(then);
        if (at == arriving_.end()) return true;
        const auto found = at->second.find(node);
        if (found == at->second.end() || found->second < problem_.ports_of(node)) return true;
        ports_are_taken_ = true;
        return false;
    }
    void arrive(Step step) {
        while (!arriving_.empty() && arriving_.begin()->first <= step) {
            for (const auto& [node, tokens] : arriving_.begin()->second) {
                held_[node] += tokens;
                expected_[node] -= tokens;
                under_way_ -= tokens;
            }
            arriving_.erase(arriving_.begin());
        }
    }

    const Problem& problem_;
    Tokens in_flight_max_;
    std::vector<Tokens> left_;
    std::vector<Tokens> to_send_;
    load::Loads held_;
    load::Loads expected_;  ///< under way to a node
    std::vector<Tokens> sent_;
    std::vector<NodeId> senders_;
    std::vector<Port> order_;  ///< of the ports of one node
    std::map<Step, std::map<NodeId, Tokens>> arriving_;
    Tokens under_way_ = 0;
    bool ports_are_taken_ = false;  ///< some token waits in this step for a port of its receiver
    Schedule schedule_;
};

}  // namespace

std::optional<Schedule> throttled_schedule(const Problem& problem, std::span<const Tokens> flows,
                                           Tokens in_flight_max,
                                           const std::function<bool()>& is_stopped) {
    EQUIPOISE_ASSERT(in_flight_max > 0 && flows.size() == problem.network->link_count());
    return ListScheduler(problem, flows, in_flight_max).run(is_stopped);
}

}  // namespace equipoise::optimum
