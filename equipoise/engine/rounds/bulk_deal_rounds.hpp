#pragma once
// Bulk deal rules in synchronous rounds, on a whole network or on one rank's part of it.

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/bodies/bulk_views.hpp"
#include "equipoise/engine/rounds/bulk_checks.hpp"
#include "equipoise/engine/rounds/deal_play.hpp"
#include "equipoise/model/local/bulk_rule.hpp"

namespace equipoise::engine {

/// A bulk deal rule at work: the rounds, of one step each, are those of DealPlay, and the outcome
/// is that of ExchangedDeals for the same rule. The network must outlive it.
///
/// Throws as BulkEdgeRounds does, and InputError for proposals below 0 and for nodes that take more
/// than they were offered. Memory: what DealPlay takes; 8 bytes for each end of a link and for each
/// field of each node; some megabytes for what functions see.
class BulkDealRounds final : public DealPlay {
  public:
    static constexpr Body name{"bulk"};

    /// On a part, from the loads of own nodes. Collective.
    BulkDealRounds(const model::BulkDealRule& rule, LoadedPart&& loaded,
                   const RoundOptions& options);

    /// On the whole network or, with a fabric, on this rank's part.
    template <class N>
    BulkDealRounds(const model::BulkDealRule& rule, load::Loads loads, const N& network,
                   const RoundOptions& options)
        : BulkDealRounds(rule, take_part(Graph(network), std::move(loads), options), options) {}

    /// A field of the state of an own node.
    [[nodiscard]] model::StateWord node_state(NodeId node, std::size_t field) const {
        return node_states_[node * rule_.nodes.node_fields + field];
    }
    [[nodiscard]] Body body() const override { return name; }

  private:
    void start_nodes() override;
    void restart(NodeId node) override;
    [[nodiscard]] Values node_memory() override {
        return {std::as_writable_bytes(std::span(node_states_)),
                rule_.nodes.node_fields * sizeof(model::StateWord)};
    }
    [[nodiscard]] bool finished(Step /*done*/) const override { return false; }
    [[nodiscard]] std::size_t first_body(const DealSetting& /*setting*/) const override {
        return 0;
    }
    void take_body(std::size_t number, const DealSetting& setting) override;
    [[nodiscard]] bool needs_arcs() const override { return true; }
    void make_arcs() override { proposals_.resize(arcs_.count); }
    [[nodiscard]] Values told_once() override { return {}; }
    void hear_once() override {}
    [[nodiscard]] Values told_by_nodes() override { return {}; }
    [[nodiscard]] Values told_by_arcs() override {
        return {std::as_writable_bytes(std::span(proposals_)), sizeof(Tokens)};
    }
    [[nodiscard]] Values answers() override {
        return {std::as_writable_bytes(std::span(arcs_.taken)), sizeof(Tokens)};
    }
    void propose(const NodeSet& nodes, Step now) override;
    void accept(const NodeSet& nodes, Step now) override;
    void settle(Step now, StepTotals& totals) override;

    [[nodiscard]] BulkGround ground(Step now);
    /// Calls `play()` with the nodes and their live ports in batches.
    template <class Play>
    void in_batches(const NodeSet& nodes, const Play& play);
    void propose_batch(Step now);
    void accept_batch(Step now);
    /// Compares with the results of `play(batch, out)` for some of the nodes, called with other
    /// nodes beside them.
    template <class Play>
    void repeat(Step now, std::span<const Tokens> given, const Play& play);
    [[nodiscard]] Tokens offered(std::uint64_t arc) const { return proposals_[arcs_.reverse[arc]]; }

    model::BulkDealRule rule_;
    BulkErrors errors_;
    bool owes_ = false;
    std::vector<model::StateWord> node_states_;  ///< of own nodes
    std::vector<Tokens> proposals_;              ///< by the proposer's arc
    // Shared with the functions of the rule, which may keep what they see.
    std::shared_ptr<NodeBatch> batch_;
    std::shared_ptr<NodeBatch> again_;
    std::vector<Tokens> offered_;
    std::vector<Tokens> given_;
    std::vector<Tokens> old_loads_;  ///< if the rule looks at nodes after a step
};

}  // namespace equipoise::engine
