#include "equipoise/optimum/checks/cut_check.hpp"

#include <algorithm>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::optimum {

namespace {

/// Steps [first, end); none if first >= end.
struct Steps {
    Step first = 0;
    Step end = 0;

    [[nodiscard]] Step length() const { return end > first ? end - first : 0; }
};

/// Whether the steps lie in the union of two intervals.
bool covered(const Steps& steps, const Steps& one, const Steps& other) {
    Step at = steps.first;
    const auto advance = [&at](const Steps& by) {
        if (by.first <= at && at < by.end) at = by.end;
    };
    advance(one);
    advance(other);
    advance(one);
    return at >= steps.end;
}

/// Moves an interval to earlier steps; any part before step 0 is cut off.
Steps earlier(const Steps& steps, Step by) {
    return {steps.first > by ? steps.first - by : 0, steps.end > by ? steps.end - by : 0};
}

class CutChecker {
  public:
    CutChecker(const Problem& problem, const CutOverTime& cut) : problem_(problem), cut_(cut) {}

    [[nodiscard]] std::string run() {
        if (cut_.nodes.size() != problem_.loads.size()) return "not every node is listed once";
        for (NodeId node = 0; node < cut_.nodes.size(); ++node) {
            if (std::string fault = fault_of_intervals(node); !fault.empty()) return fault;
            if (std::string fault = fault_of_links(node); !fault.empty()) return fault;
        }
        if (surplus() != cut_.surplus) return "the surplus is not what the nodes inside hold";
        if (crossings_ != cut_.crossings) return "the crossings are not what the gates let pass";
        return cut_.crossings < cut_.surplus ? "" : "the gates let enough pass";
    }

  private:
    [[nodiscard]] Steps sending(NodeId node) const {
        return {cut_.nodes[node].send_first, cut_.nodes[node].send_end};
    }
    [[nodiscard]] Steps receiving(NodeId node) const {
        return {cut_.nodes[node].receive_first, cut_.nodes[node].receive_end};
    }
    void let_out(Step steps, Tokens a_step) {
        crossings_ = checked_add(crossings_, checked_multiply(static_cast<Tokens>(steps), a_step));
    }
    [[nodiscard]] std::string fault_of_intervals(NodeId node) {
        const auto name = [node] { return "node " + std::to_string(node); };
        for (const Steps& gate : {sending(node), receiving(node)}) {
            if (gate.first > gate.end || gate.end > cut_.steps)
                return name() + " has a gate outside the steps";
            if (problem_.all_ports && gate.length() > 0)
                return name() + " has a gate where links are the limit";
            let_out(gate.length(), problem_.ports_of(node));
        }
        return "";
    }
    /// The steps at which tokens that leave a node over a link leave the cut.
    [[nodiscard]] Steps crossing(NodeId from, NodeId to, Step delay) const {
        if (delay > cut_.steps) return {};  // nothing arrives in time
        const Step joins = std::min(cut_.nodes[to].inside, cut_.steps + 1);
        return {cut_.nodes[from].inside, joins > delay ? joins - delay : 0};
    }
    [[nodiscard]] std::string fault_of_links(NodeId node) {
        const network::Network& network = *problem_.network;
        if (cut_.nodes[node].inside >= cut_.steps || problem_.ports_of(node) == 0) return "";
        for (Port port = 0; port < network.degree(node); ++port) {
            const NodeId other = network.neighbour(node, port);
            if (problem_.ports_of(other) == 0) continue;
            const Step delay = problem_.delay_of(network.link(node, port));
            const Steps leaving = crossing(node, other, delay);
            if (leaving.length() == 0) continue;
            if (problem_.all_ports) {
                let_out(leaving.length(), 1);
            } else if (!covered(leaving, sending(node), earlier(receiving(other), delay - 1))) {
                return "a way from node " + std::to_string(node) + " to node " +
                       std::to_string(other) + " has no gate";
            }
        }
        return "";
    }
    [[nodiscard]] Tokens surplus() const {
        Tokens held = 0;
        std::vector<NodeId> inside_in_the_end;
        for (NodeId node = 0; node < cut_.nodes.size(); ++node) {
            if (cut_.nodes[node].inside == 0) held = checked_add(held, problem_.loads[node]);
            if (cut_.nodes[node].inside <= cut_.steps) inside_in_the_end.push_back(node);
        }
        return held - problem_.target.room(inside_in_the_end);
    }

    const Problem& problem_;
    const CutOverTime& cut_;
    Tokens crossings_ = 0;
};

}  // namespace

std::string check_cut(const Problem& problem, const CutOverTime& cut) {
    // Sums of step numbers stay inside 64 bits.
    if (cut.steps > CutOverTime::never / 4) return "there are too many steps";
    return CutChecker(problem, cut).run();
}

}  // namespace equipoise::optimum
