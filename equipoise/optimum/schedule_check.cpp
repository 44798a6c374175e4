#include "equipoise/optimum/schedule_check.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "equipoise/base/memory.hpp"

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
        if (step > steps_max) return fault(step, "is later than any that can be counted");
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
            const Step delay = problem_.delay_of(problem_.network->link(move.from, *port));
            if (delay > steps_max)
                return fault(step, "node " + std::to_string(move.from) +
                                       " sends a token that arrives later than can be counted");
            arriving_[step + delay].push_back(move.to);
            ++under_way_;
        }
        verdict_.in_flight_max = std::max(verdict_.in_flight_max, under_way_);
        verdict_.exchanges = checked_add(verdict_.exchanges, static_cast<Tokens>(moves.size()));
        return arrive_before(step + 1);
    }
    /// Delivers whatever is still under way.
    bool finish() { return arrive_before(~Step{0}); }

  private:
    /// Numbers of steps and their sums stay inside 64 bits.
    static constexpr Step steps_max = CutOverTime::never / 4;

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

    [[nodiscard]] std::string run() {
        Step at = 0;
        for (const Zone& zone : certificate_.zones) {
            if (zone.first != at) return "zones do not follow each other";
            if (zone.steps > certificate_.steps - at)
                return "zones do not add up to the number of steps";
            at += zone.steps;
        }
        if (at != certificate_.steps) return "zones do not add up to the number of steps";
        find_turns();
        for (const Zone& zone : certificate_.zones)
            if (std::string fault = fault_of(zone); !fault.empty()) return fault;
        return "";
    }

  private:
    [[nodiscard]] NodeId count() const { return problem_.network->node_count(); }
    /// Tokens that leave at step t over a link of delay d meet the zones of t, t + d - 1 and t + d.
    /// Between the steps at which one of these zones changes all steps are alike, so that examining
    /// the first of them is enough.
    void find_turns() {
        std::vector<Step> delays = problem_.delays;
        delays.push_back(1);
        std::sort(delays.begin(), delays.end());
        delays.erase(std::unique(delays.begin(), delays.end()), delays.end());
        expect_memory(UInt128{certificate_.zones.size() + 1} * delays.size() * 2 * sizeof(Step),
                      "the steps at which zones change");
        const auto add = [this](Step edge, Step earlier) {
            if (edge >= earlier && edge - earlier < certificate_.steps)
                turns_.push_back(edge - earlier);
        };
        for (std::size_t i = 0; i <= certificate_.zones.size(); ++i) {
            const Step edge =
                i == certificate_.zones.size() ? certificate_.steps : certificate_.zones[i].first;
            for (const Step delay : delays) {
                add(edge, delay);
                add(edge, delay - 1);
            }
        }
        std::sort(turns_.begin(), turns_.end());
        turns_.erase(std::unique(turns_.begin(), turns_.end()), turns_.end());
    }
    [[nodiscard]] std::string fault_of(const Zone& zone) const {
        if (zone.steps == 0) return fault_without_steps(zone);
        const std::vector<bool> senders = as_set(zone.senders, count());
        const std::vector<bool> dropped = as_set(zone.dropped, count());
        const auto end = std::lower_bound(turns_.begin(), turns_.end(), zone.first + zone.steps);
        for (auto at = std::lower_bound(turns_.begin(), turns_.end(), zone.first); at != end;
             ++at) {
            const Step step = *at;
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
    /// Such a zone takes no time, so no gate lets anything out: all its nodes are in the next one.
    [[nodiscard]] std::string fault_without_steps(const Zone& zone) const {
        const auto next = static_cast<std::size_t>(&zone - certificate_.zones.data()) + 1;
        for (const NodeId node : zone.nodes)
            if (!inside_[next][node])
                return at_step(zone.first,
                               "node " + std::to_string(node) + " leaves a zone that has no steps");
        return "";
    }
    /// The zone before step `step`; after all steps, the last zone.
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
    std::vector<Step> turns_;  ///< ascending; the steps that are examined
};

/// What is wrong with the form of a certificate, before any sums are computed.
std::string fault_of_form(const Problem& problem, const Certificate& certificate) {
    // Sums of step numbers stay inside 64 bits.
    if (certificate.steps > CutOverTime::never / 4) return "there are too many steps";
    if (problem.all_ports) return "its gates are ports, but links are the limit";
    const NodeId count = problem.network->node_count();
    const auto is_list = [count](const std::vector<NodeId>& nodes) {
        return (nodes.empty() || nodes.back() < count) &&
               std::adjacent_find(nodes.begin(), nodes.end(), std::greater_equal<>()) ==
                   nodes.end();
    };
    bool are_lists = is_list(certificate.last_zone);
    for (const Zone& zone : certificate.zones) {
        for (const auto* nodes : {&zone.nodes, &zone.senders, &zone.receivers, &zone.dropped})
            are_lists = are_lists && is_list(*nodes);
        if (!zone.dropped.empty() && problem.capacities.empty())
            return "nodes leave a zone with what they may hold at most, but have no capacities";
    }
    return are_lists ? "" : "expected nodes of the network in ascending order";
}

}  // namespace

std::string check_certificate(const Problem& problem, const Certificate& certificate) {
    if (certificate.empty()) return "there is no zone";
    if (std::string fault = fault_of_form(problem, certificate); !fault.empty()) return fault;
    if (std::string fault = ZoneChecker(problem, certificate).run(); !fault.empty()) return fault;
    // The sums.
    Tokens held = 0;
    for (const NodeId node : certificate.zones.front().nodes)
        held = checked_add(held, problem.loads[node]);
    Tokens room = 0;
    Tokens may = 0;
    for (const NodeId node : certificate.last_zone) {
        room = checked_add(room, problem.target.base[node]);
        if (problem.target.extra_at(node)) ++may;
    }
    room = checked_add(room, std::min(may, problem.target.extras));
    const Tokens must_leave = checked_add(held, -room);
    Tokens can_leave = 0;
    for (const Zone& zone : certificate.zones) {
        Tokens a_step = 0;
        for (const auto* gates : {&zone.senders, &zone.receivers})
            for (const NodeId node : *gates)
                a_step = checked_add(a_step, problem.ports_of(node));
        for (const NodeId node : zone.dropped)
            a_step = checked_add(a_step, problem.capacities[node]);
        can_leave =
            checked_add(can_leave, checked_multiply(a_step, static_cast<Tokens>(zone.steps)));
    }
    if (must_leave != certificate.surplus) return "the surplus is not what the zones hold";
    if (can_leave != certificate.crossings) return "the crossings are not what the gates let pass";
    if (can_leave >= must_leave) return "the gates let enough pass";
    return "";
}

}  // namespace equipoise::optimum
