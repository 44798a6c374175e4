#include "equipoise/optimum/schedule_check.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace equipoise::optimum {

namespace {

std::string at_step(Step step, const std::string& what) {
    return "step " + std::to_string(step) + ": " + what;
}

/// The state of all nodes while a schedule is replayed.
class Follower {
  public:
    Follower(const Problem& problem, ScheduleVerdict& verdict)
        : problem_(problem),
          verdict_(verdict),
          sent_(problem.loads.size(), 0),
          sent_at_(problem.loads.size(), ~Step{0}),
          carried_at_(problem.all_ports ? 2 * problem.network->link_count() : 0, ~Step{0}) {
        verdict_.loads = problem.loads;
    }

    /// Plays all moves of one step. Returns false when something is wrong.
    bool follow(Step step, std::span<const Move> moves) {
        if (!arrive_before(step)) return false;
        for (const Move& move : moves) {
            if (move.from >= sent_.size() || move.to >= sent_.size())
                return fault(step, "a move names a node that does not exist");
            const auto port = network::port_to(*problem_.network, move.from, move.to);
            if (!port)
                return fault(step, "there is no link from node " + std::to_string(move.from) +
                                       " to node " + std::to_string(move.to));
            if (problem_.all_ports ? carries_two(step, move, *port) : sends_too_much(step, move))
                return fault(step, "node " + std::to_string(move.from) + " sends too much");
            if (verdict_.loads[move.from]-- == 0)
                return fault(step, "node " + std::to_string(move.from) +
                                       " sends a token that it does not hold");
            arriving_[step + problem_.delay_of(problem_.network->link(move.from, *port))].push_back(
                move.to);
            ++under_way_;
        }
        verdict_.in_flight_max = std::max(verdict_.in_flight_max, under_way_);
        verdict_.exchanges += static_cast<Tokens>(moves.size());
        return arrive_before(step + 1);
    }
    /// Delivers whatever is still under way.
    bool finish() { return arrive_before(~Step{0}); }

  private:
    [[nodiscard]] bool sends_too_much(Step step, const Move& move) {
        if (sent_at_[move.from] != step) {
            sent_at_[move.from] = step;
            sent_[move.from] = 0;
        }
        return ++sent_[move.from] > problem_.ports_of(move.from);
    }
    /// Whether a move is the second over a link and direction in a step.
    [[nodiscard]] bool carries_two(Step step, const Move& move, Port port) {
        if (problem_.ports_of(move.from) == 0 || problem_.ports_of(move.to) == 0) return true;
        const LinkId link = problem_.network->link(move.from, port);
        return std::exchange(carried_at_[2 * link + (move.from < move.to ? 0 : 1)], step) == step;
    }
    /// Delivers everything that arrives up to the beginning of a step.
    bool arrive_before(Step step) {
        while (!arriving_.empty() && arriving_.begin()->first <= step) {
            auto& [then, heads] = *arriving_.begin();
            std::sort(heads.begin(), heads.end());
            Tokens received = 0;
            for (std::size_t i = 0; i < heads.size(); ++i) {
                received = i > 0 && heads[i] == heads[i - 1] ? received + 1 : 1;
                if (!problem_.all_ports && received > problem_.ports_of(heads[i]))
                    return fault(then - 1,
                                 "node " + std::to_string(heads[i]) + " receives too much");
                const Tokens now = ++verdict_.loads[heads[i]];
                if (!problem_.capacities.empty() && now > problem_.capacities[heads[i]])
                    return fault(then - 1, "node " + std::to_string(heads[i]) +
                                               " holds more than its capacity");
            }
            under_way_ -= static_cast<Tokens>(heads.size());
            verdict_.steps = then;
            arriving_.erase(arriving_.begin());
        }
        return true;
    }
    bool fault(Step step, const std::string& what) {
        verdict_.fault = at_step(step, what);
        return false;
    }

    const Problem& problem_;
    ScheduleVerdict& verdict_;
    std::vector<Tokens> sent_;
    std::vector<Step> sent_at_;
    std::vector<Step> carried_at_;                  ///< by link and direction, multi-port
    std::map<Step, std::vector<NodeId>> arriving_;  ///< heads by the step before which they arrive
    Tokens under_way_ = 0;
};

}  // namespace

ScheduleVerdict check_schedule(const Problem& problem, std::span<const Move> moves) {
    ScheduleVerdict verdict;
    Follower follower(problem, verdict);
    for (std::size_t first = 0; first < moves.size();) {
        std::size_t last = first;
        while (last < moves.size() && moves[last].step == moves[first].step)
            ++last;
        if (last < moves.size() && moves[last].step < moves[first].step) {
            verdict.fault = at_step(moves[last].step, "comes after a later one");
            return verdict;
        }
        if (!follower.follow(moves[first].step, moves.subspan(first, last - first))) return verdict;
        first = last;
    }
    if (!follower.finish()) return verdict;
    if (!problem.target.allows(verdict.loads)) {
        verdict.fault = "the end is not in the target";
        return verdict;
    }
    verdict.holds = true;
    return verdict;
}

namespace {

std::vector<bool> as_set(const std::vector<NodeId>& nodes, NodeId count) {
    std::vector<bool> set(count, false);
    for (const NodeId node : nodes)
        set[node] = true;
    return set;
}

/// The zones of a certificate and their sets of nodes.
class ZoneChecker {
  public:
    ZoneChecker(const Problem& problem, const Certificate& certificate)
        : problem_(problem), certificate_(certificate) {
        for (const Zone& zone : certificate.zones) {
            inside_.push_back(as_set(zone.nodes, count()));
            receiving_.push_back(as_set(zone.receivers, count()));
        }
        inside_.push_back(as_set(certificate.last_zone, count()));
    }

    [[nodiscard]] std::string run() const {
        Step at = 0;
        for (const Zone& zone : certificate_.zones) {
            if (zone.first != at) return "zones do not follow each other";
            at += zone.steps;
            if (std::string fault = fault_of(zone); !fault.empty()) return fault;
        }
        return at == certificate_.steps ? "" : "zones do not add up to the number of steps";
    }

  private:
    [[nodiscard]] NodeId count() const { return problem_.network->node_count(); }
    [[nodiscard]] std::string fault_of(const Zone& zone) const {
        const std::vector<bool> senders = as_set(zone.senders, count());
        const std::vector<bool> dropped = as_set(zone.dropped, count());
        // Within a zone nothing changes: if tokens are never under way for longer than a step,
        // checking its first and last steps is enough.
        const Step stride = problem_.delays.empty() ? std::max<Step>(2, zone.steps) - 1 : 1;
        for (Step step = zone.first; step < zone.first + zone.steps; step += stride) {
            for (const NodeId node : zone.nodes) {
                if (!inside_at(step + 1, node) && !dropped[node])
                    return at_step(
                        step, "node " + std::to_string(node) + " leaves a zone without a gate");
                if (!senders[node] && !ways_out_are_gated(step, node))
                    return at_step(step,
                                   "a way out of node " + std::to_string(node) + " has no gate");
            }
        }
        return "";
    }
    /// The zone of a moment: before step `step`; the last one after all steps.
    [[nodiscard]] std::size_t zone_at(Step step) const {
        std::size_t zone = 0;
        while (zone < certificate_.zones.size() &&
               certificate_.zones[zone].first + certificate_.zones[zone].steps <= step)
            ++zone;
        return zone;
    }
    [[nodiscard]] bool inside_at(Step step, NodeId node) const {
        return inside_[zone_at(step)][node];
    }
    [[nodiscard]] bool ways_out_are_gated(Step step, NodeId node) const {
        const network::Network& network = *problem_.network;
        if (problem_.ports_of(node) == 0) return true;
        for (Port port = 0; port < network.degree(node); ++port) {
            const NodeId other = network.neighbour(node, port);
            const Step then = step + problem_.delay_of(network.link(node, port));
            if (then > certificate_.steps || problem_.ports_of(other) == 0) continue;
            if (receiving_[zone_at(then - 1)][other]) continue;
            if (inside_at(then, other)) continue;
            const std::vector<NodeId>& dropped = certificate_.zones[zone_at(then - 1)].dropped;
            if (std::find(dropped.begin(), dropped.end(), other) == dropped.end()) return false;
        }
        return true;
    }

    const Problem& problem_;
    const Certificate& certificate_;
    std::vector<std::vector<bool>> inside_;  ///< by zone, and after the last
    std::vector<std::vector<bool>> receiving_;
};

}  // namespace

std::string check_certificate(const Problem& problem, const Certificate& certificate) {
    if (certificate.empty()) return "there is no zone";
    if (std::string fault = ZoneChecker(problem, certificate).run(); !fault.empty()) return fault;
    // The sums.
    Tokens must_leave = 0;
    for (const NodeId node : certificate.zones.front().nodes)
        must_leave = checked_add(must_leave, problem.loads[node]);
    Tokens may = 0;
    for (const NodeId node : certificate.last_zone) {
        must_leave -= problem.target.base[node];
        if (problem.target.extra_at(node)) ++may;
    }
    must_leave -= std::min(may, problem.target.extras);
    Tokens can_leave = 0;
    for (const Zone& zone : certificate.zones) {
        Tokens a_step = 0;
        for (const NodeId node : zone.senders)
            a_step += problem.ports_of(node);
        for (const NodeId node : zone.receivers)
            a_step += problem.ports_of(node);
        for (const NodeId node : zone.dropped)
            a_step += problem.capacities.at(node);
        can_leave =
            checked_add(can_leave, checked_multiply(a_step, static_cast<Tokens>(zone.steps)));
    }
    if (must_leave != certificate.surplus) return "the surplus is not what the zones hold";
    if (can_leave != certificate.crossings) return "the crossings are not what the gates let pass";
    if (can_leave >= must_leave) return "the gates let enough pass";
    return "";
}

}  // namespace equipoise::optimum
