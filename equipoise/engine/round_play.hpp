#pragma once
// What every synchronous engine on one process holds, and how it plays until it stops.

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/kernels/link_step.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/engine/live_network.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::engine {

/// A rule of either kind, the network and what the nodes hold. The network must outlive it.
template <class R, network::AnyGraph N>
class RoundPlay {
  public:
    using NodeState = typename R::NodeState;

    [[nodiscard]] std::span<const Tokens> loads() const { return loads_; }
    [[nodiscard]] const model::Costs& costs() const { return control_.costs(); }
    [[nodiscard]] const States<NodeState>& node_states() const { return node_states_; }

  protected:
    /// `round_length`: steps. Throws InputError when loads or speeds do not fit the network,
    /// OverflowError when there are too many tokens.
    RoundPlay(const R& rule, load::Loads loads, const N& network, const RoundOptions& options,
              Step round_length)
        : rule_(rule),
          network_(network),
          options_(options),
          workers_(Workers::of(options.body == Body::reference ? 1 : options.threads,
                               options.items_per_thread_min)),
          loads_(expect_one_a_node(std::move(loads), network.node_count())),
          control_(options, round_length, model::MayOwe<R>, loads_),
          node_states_(network.node_count()) {
        if (options_.environment != nullptr && options_.environment->changes_network())
            live_.emplace(network);
        if constexpr (model::StartsNodes<R>)
            for (NodeId node = 0; node < network_.node_count(); ++node)
                node_states_[node] = start_state(node);
    }

    /// Plays steps until a stop rule holds.
    template <class PlayStep>
    [[nodiscard]] RoundOutcome play_until_stopped(const PlayStep& play_step) {
        control_.start(loads_);
        std::optional<model::StopReason> reason;
        if (network_.link_count() == 0 && options_.environment == nullptr)
            reason = model::StopReason::nothing_to_do;
        while (!reason) {
            reason = live_ ? control_.reason_to_stop(*live_, loads_, all_finished())
                           : control_.reason_to_stop(network_, loads_, all_finished());
            if (!reason) play_step();
        }
        control_.finish(loads_);
        return {loads_, control_.costs(), control_.ledger().created(),
                control_.ledger().destroyed(), *reason};
    }

    [[nodiscard]] bool is_up(NodeId node) const { return !live_ || live_->up(node); }

    [[nodiscard]] Tokens speed(NodeId node) const {
        return options_.speeds.empty() ? Tokens{1} : options_.speeds[node];
    }

    [[nodiscard]] model::NodeInfo node_info(NodeId node) const {
        return {loads_[node], live_ ? live_->degree(node) : network_.degree(node), speed(node)};
    }

    [[nodiscard]] NodeState start_state(NodeId node) const {
        if constexpr (model::StartsNodes<R>)
            return rule_.start_node(node_info(node));
        else
            return {};
    }

    [[nodiscard]] bool all_finished() const {
        return all_have_finished(rule_, node_states_, network_.node_count(), control_.costs().steps,
                                 [&](NodeId node) { return is_up(node); });
    }

    R rule_;
    const N& network_;
    RoundOptions options_;
    Workers workers_;
    load::Loads loads_;
    RunControl control_;
    States<NodeState> node_states_;
    std::optional<LiveNetwork<N>> live_;  ///< where nodes and links go and come
    std::vector<model::Transfer> transfers_;
};

}  // namespace equipoise::engine
