#pragma once
// Deal rules across ranks: loads, proposals and answers travel, each under way while nodes without
// neighbours elsewhere are worked on.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/kernels/link_step.hpp"
#include "equipoise/engine/parts/part_play.hpp"
#include "equipoise/model/local/deal_rule.hpp"
#include "equipoise/model/local/push_rule.hpp"

namespace equipoise::engine {

/// The course of a round, whatever the rule. What a node tells a neighbour on another rank lies
/// beside what own nodes tell: arcs are the ends of own nodes' links, node by node, and after them
/// the far ends of cut links.
/// Memory: 32 bytes and a proposal for each end of an own node's link.
class DealParts : public PartPlay {
  protected:
    DealParts(Part part, std::span<const Tokens> own_loads, const RoundOptions& options,
              Step phases, bool may_owe);

    void start() final;
    [[nodiscard]] StepTotals play(Step now) final;
    [[nodiscard]] Step step_length() const final { return phases_; }
    [[nodiscard]] std::uint64_t ends_counted() const final { return 2; }

    virtual void start_nodes(std::uint64_t arcs) = 0;
    virtual void propose(std::span<const NodeId> nodes, Step now) = 0;
    virtual void accept(std::span<const NodeId> nodes, Step now) = 0;
    /// What is known of answers without being told; asked after all have accepted.
    [[nodiscard]] virtual bool knows_answers() const = 0;
    virtual void settle(Step now, StepTotals& totals) = 0;
    /// The proposals by arc, and the bytes of one.
    [[nodiscard]] virtual std::span<std::byte> proposal_bytes() = 0;
    [[nodiscard]] virtual std::size_t proposal_size() const = 0;

    [[nodiscard]] std::uint64_t first_arc(NodeId own) const { return rows_.offsets[own]; }
    [[nodiscard]] Port degree(NodeId own) const {
        return static_cast<Port>(rows_.offsets[own + 1] - rows_.offsets[own]);
    }
    [[nodiscard]] std::uint64_t seed() const { return options_.seed; }

    PartRows rows_;
    std::vector<std::uint64_t> reverse_;  ///< the arc at the link's other end
    std::vector<Port> degrees_;           ///< of the neighbour behind each own arc
    std::vector<Tokens> taken_;           ///< by the taker's arc

  private:
    /// The arcs between this rank and another, in one order at both.
    struct Crossing {
        int rank = 0;
        std::vector<std::uint64_t> own;
        std::uint64_t first_far = 0;
    };

    void number_arcs();
    void begin_arcs(std::span<std::byte> values, std::size_t size);
    [[nodiscard]] bool any_steep_link() const;
    void note_transfers(Step now);

    Step phases_;
    HaloPlan halo_;
    std::vector<NodeId> inner_;     ///< own nodes without neighbours elsewhere
    std::vector<NodeId> boundary_;  ///< the others
    std::vector<Crossing> crossings_;
    std::vector<std::vector<std::byte>> sent_arcs_;
};

/// The same for one rule.
template <model::DealRule R>
class PartDeals final : public DealParts {
  public:
    using NodeState = typename R::NodeState;
    using Proposal = typename R::Proposal;

    PartDeals(const R& rule, Part part, std::span<const Tokens> own_loads,
              const RoundOptions& options)
        : DealParts(std::move(part), own_loads, options, model::phases_of<R>(), model::MayOwe<R>),
          rule_(rule) {}

  private:
    void start_nodes(std::uint64_t arcs) override {
        states_.resize(part_.own_count());
        proposals_.resize(arcs);
        if constexpr (model::StartsNodes<R>)
            for (NodeId node = 0; node < part_.own_count(); ++node)
                states_[node] = rule_.start_node(node_info(node));
    }

    [[nodiscard]] bool finished(Step done) const override {
        return all_have_finished(rule_, states_, part_.own_count(), done,
                                 [](NodeId /*node*/) { return true; });
    }

    [[nodiscard]] model::Surroundings<NodeState> look(NodeId node, Step now) {
        const std::span<const NodeId> row = rows_.of(node);
        seen_loads_.resize(row.size());
        if (!options_.speeds.empty()) seen_speeds_.resize(row.size());
        for (std::size_t port = 0; port < row.size(); ++port) {
            seen_loads_[port] = loads_[row[port]];
            if (!options_.speeds.empty()) seen_speeds_[port] = speed(row[port]);
        }
        return {loads_[node],
                speed(node),
                states_[node],
                seen_loads_,
                seen_speeds_,
                std::span<const Port>(degrees_).subspan(first_arc(node), row.size()),
                part_.global(node),
                now,
                seed()};
    }

    void propose(std::span<const NodeId> nodes, Step now) override {
        for (const NodeId node : nodes)
            rule_.propose(look(node, now),
                          std::span(proposals_).subspan(first_arc(node), degree(node)));
    }

    void accept(std::span<const NodeId> nodes, Step now) override {
        for (const NodeId node : nodes) {
            heard_.resize(degree(node));
            for (std::size_t port = 0; port < heard_.size(); ++port)
                heard_[port] = proposals_[reverse_[first_arc(node) + port]];
            rule_.accept(look(node, now), heard_,
                         std::span(taken_).subspan(first_arc(node), degree(node)));
        }
    }

    /// Receivers that take all need not say so.
    [[nodiscard]] bool knows_answers() const override { return model::PushesTokens<R>; }

    [[nodiscard]] Tokens answer_to([[maybe_unused]] std::uint64_t arc) const {
        if constexpr (model::PushesTokens<R>)
            return rule_.sent(proposals_[arc]);
        else
            return taken_[reverse_[arc]];
    }

    void settle([[maybe_unused]] Step now, StepTotals& totals) override {
        for (NodeId node = 0; node < part_.own_count(); ++node) {
            const Tokens old_load = loads_[node];
            for (std::uint64_t arc = first_arc(node); arc < first_arc(node + 1); ++arc) {
                const Tokens inflow = taken_[arc] - answer_to(arc);
                loads_[node] += inflow;
                totals.exchanges += static_cast<std::uint64_t>(inflow < 0 ? -inflow : inflow);
            }
            if constexpr (model::NotesLoads<R>)
                rule_.after_step(states_[node], old_load, loads_[node], {now, seed()});
        }
    }

    // Neighbours see no states.
    [[nodiscard]] std::span<std::byte> state_bytes() override { return {}; }
    [[nodiscard]] std::size_t state_size() const override { return 0; }
    [[nodiscard]] std::span<std::byte> proposal_bytes() override {
        return std::as_writable_bytes(std::span<Proposal>(proposals_));
    }
    [[nodiscard]] std::size_t proposal_size() const override { return sizeof(Proposal); }

    R rule_;
    States<NodeState> states_;
    std::vector<Proposal> proposals_;  ///< by the proposer's arc
    std::vector<Proposal> heard_;
    std::vector<Tokens> seen_loads_;
    std::vector<Tokens> seen_speeds_;
};

}  // namespace equipoise::engine
