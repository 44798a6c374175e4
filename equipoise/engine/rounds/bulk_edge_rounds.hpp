#pragma once
// Bulk edge rules over schedules, on a whole network or on one rank's part of it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/bodies/bulk_views.hpp"
#include "equipoise/engine/rounds/bulk_checks.hpp"
#include "equipoise/engine/rounds/edge_play.hpp"
#include "equipoise/model/local/bulk_rule.hpp"

namespace equipoise::engine {

/// A bulk edge rule at work: the steps are those of EdgePlay, and the outcome is that of
/// ReferenceEdges for the same rule. Schedule and network must outlive it.
///
/// The engine applies what the rule returns. Its functions are called on the thread that plays; an
/// exception from them ends the run. Throws InputError naming rule, step, and link or node if a
/// node would fall below 0 tokens (unless the rule may owe), or if a flow changes when it is
/// evaluated again; OverflowError if a load leaves its range. Memory: 8 bytes for each field of
/// each node and slot; 9 bytes per node if active links share nodes; some megabytes for what
/// functions see.
class BulkEdgeRounds final : public EdgePlay {
  public:
    static constexpr Body name{"bulk"};

    /// On a part, from the loads of own nodes. Collective.
    BulkEdgeRounds(const model::BulkEdgeRule& rule, AnySchedule&& schedule, LoadedPart&& loaded,
                   const RoundOptions& options);

    /// On the whole network or, with a fabric, on this rank's part.
    template <model::Schedule S, class N>
    BulkEdgeRounds(const model::BulkEdgeRule& rule, S& schedule, load::Loads loads,
                   const N& network, const RoundOptions& options)
        : BulkEdgeRounds(rule, any_schedule(schedule),
                         take_part(Graph(network), std::move(loads), options), options) {}

    /// A field of the state of an own node.
    [[nodiscard]] model::StateWord node_state(NodeId node, std::size_t field) const {
        return node_states_[node * rule_.nodes.node_fields + field];
    }
    /// A field of the state of the link in a slot, if the part is the whole network.
    [[nodiscard]] model::StateWord link_state(std::uint64_t slot, std::size_t field) const {
        return link_states_[slot * rule_.link_fields + field];
    }
    [[nodiscard]] Body body() const override { return name; }

  private:
    void make_room() override;
    void start_nodes() override;
    void restart(NodeId node) override;
    [[nodiscard]] Values states() override;
    [[nodiscard]] Values link_memory() override;
    [[nodiscard]] bool finished(Step /*done*/) const override { return false; }
    [[nodiscard]] std::uint64_t ends_counted() const override { return 1; }
    void renew_links(std::uint64_t count) override;
    [[nodiscard]] bool starts_links() const override { return false; }
    void start_links(const ActiveLinks& links) override;
    [[nodiscard]] std::size_t first_body(const EdgeSetting& setting) const override;
    void take_body(std::size_t number, const EdgeSetting& setting) override;
    [[nodiscard]] bool needs_links() const override { return true; }
    void wake(Step /*now*/) override {}
    void exchange(const ActiveLinks& links, Reach reach, Step now, StepTotals& totals) override;
    void settle(Step now, StepTotals& totals) override;

    [[nodiscard]] BulkGround ground(Step now);
    /// Evaluates the links of the batch and applies or notes their flows.
    void play_batch(Step now, StepTotals& totals);
    void evaluate_again(Step now);
    void apply(const Ends& ends, Tokens flow, Step now);
    void set_load(NodeId node, Tokens load, Step now);
    void arrive(NodeId node, Tokens inflow);
    void end_node(NodeId node, Tokens old_load, Step now);
    void end_nodes(Step now);

    model::BulkEdgeRule rule_;
    BulkErrors errors_;
    bool owes_ = false;
    bool in_place_ = false;
    std::vector<model::StateWord> node_states_;  ///< own nodes, then the halo
    std::vector<model::StateWord> link_states_;
    // Shared with the functions of the rule, which may keep what they see.
    std::shared_ptr<LinkBatch> batch_;
    std::shared_ptr<LinkBatch> again_;
    std::shared_ptr<NodeBatch> nodes_;
    std::vector<Tokens> flows_;
    std::vector<Tokens> flows_again_;
    // If active links share nodes, by own node:
    std::vector<Tokens> inflows_;
    std::vector<std::uint8_t> is_touched_;
    std::vector<NodeId> touched_;
};

}  // namespace equipoise::engine
