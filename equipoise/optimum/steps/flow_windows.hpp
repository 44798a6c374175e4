#pragma once
// From a flow without time to a flow over time: when each node begins to send, and at which rate.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/flows/exact_sum.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/steps/static_flow.hpp"

namespace equipoise::optimum {

/// A gate that let more pass than is possible in time.
struct TightGate {
    Gate gate = 0;
    Tokens most = 0;
};

// Problem: carry out given totals over links, without circles, within T steps.
// Model: off-line. Every node v sends at constant rates from its start s_v to its end.
// Method: ends are found backwards: T, or one step before the tokens that are sent on must have
//   left, if the node keeps too few to be filled to the last. Starts are found forwards: the least
//   s_v for which the node holds what each step sends. The tokens that it holds and has sent are
//   piecewise linear, so that it is enough to look where windows begin and end; a later start never
//   sends more by any step, so that bisection finds the least. Where a node would then send or
//   receive too much, rates have two phases: a node whose inflow grows begins slowly; a node whose
//   inflow would grow too much asks those that send early to send more at first; a node that must
//   send at full rate lets its first inflow come at full rate, back to where that starts.
// Guarantee: if no gate is tight, a flow over time, in exact arithmetic. It may fail to find one
//   that exists. Cost O(links log T) and sorting at each node.

class FlowWindows {
  public:
    FlowWindows(const Problem& problem, const StaticFlow& flow);

    /// Lays all windows into `steps` steps. Returns the gates at which this fails; `order` is the
    /// one that StaticFlow::straighten() returned. `hurrying`: also lets streams come at full rate
    /// until others join them, which helps if few gates are tight but does harm elsewhere if many
    /// are.
    /// Nothing if asked to stop.
    [[nodiscard]] std::optional<std::vector<TightGate>> lay(const std::vector<NodeId>& order,
                                                            Step steps, bool hurrying,
                                                            const std::stop_token& stop = {});

    /// The windows, if no gate was tight.
    [[nodiscard]] FlowOverTime flow_over_time() const;

  private:
    /// Windows that begin and end together.
    struct Bundle {
        Step first;
        Step end;
        Tokens tokens;
    };
    /// How a link's tokens are shared out: `early` of them before step `turn`, the rest from then
    /// on. Turn 0: all at one rate.
    struct Split {
        Step turn = 0;
        Tokens early = 0;
    };
    void find_ends(const std::vector<NodeId>& order);
    void add_bundles(NodeId from, Port port, std::vector<Bundle>& bundles) const;
    static void merge(std::vector<Bundle>& bundles);
    void gather_in(NodeId node);
    void gather_out(NodeId node);
    [[nodiscard]] bool holds_before(NodeId node, Step step);
    [[nodiscard]] bool holds_always(NodeId node);
    [[nodiscard]] bool too_fast(const std::vector<Bundle>& bundles, Tokens ports);
    [[nodiscard]] bool holds_enough(NodeId node, Step first, Step end, Tokens out);
    [[nodiscard]] bool find_start(NodeId node);
    [[nodiscard]] bool sends_in_time(NodeId node) const;
    [[nodiscard]] bool begin_slowly(NodeId node);
    [[nodiscard]] bool split_at(NodeId node, Step turn);
    [[nodiscard]] bool front_load(NodeId node);
    [[nodiscard]] bool hurry(NodeId node, Step turn, int depth);
    [[nodiscard]] bool find_windows(NodeId node);
    [[nodiscard]] bool keeps_to_limits(NodeId node);
    void check_sending(NodeId node, std::vector<TightGate>& tight) const;
    void check_receiving(NodeId node, std::vector<TightGate>& tight);
    void lower(NodeId node, std::vector<TightGate>& tight) const;
    [[nodiscard]] Tokens total(NodeId node, bool out) const;

    const Problem& problem_;
    const StaticFlow& flow_;
    Step steps_ = 0;
    bool hurrying_ = false;
    std::vector<Step> first_;          ///< by node
    std::vector<Step> end_;            ///< by node
    std::vector<std::uint8_t> early_;  ///< by node: all must have come one step before it ends
    std::vector<Split> splits_;        ///< by link
    std::vector<Bundle> in_;           ///< of the current node, in the order of their first steps
    std::vector<Bundle> out_;
    std::vector<Step> moments_;  ///< at which bundles of `in_` begin or end
    ExactSum sum_;
};

}  // namespace equipoise::optimum
