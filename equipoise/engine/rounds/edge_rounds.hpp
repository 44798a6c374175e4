#pragma once
// Edge rules over schedules, on a whole network or on one rank's part of it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "equipoise/engine/bodies/body_list.hpp"
#include "equipoise/engine/bodies/diffusion_edges.hpp"
#include "equipoise/engine/bodies/edge_body.hpp"
#include "equipoise/engine/bodies/edges_in_place.hpp"
#include "equipoise/engine/bodies/gathered_edges.hpp"
#include "equipoise/engine/bodies/packed_edges.hpp"
#include "equipoise/engine/bodies/reference_edges.hpp"
#include "equipoise/engine/bodies/torus_diffusion.hpp"
#include "equipoise/engine/parts/active_links.hpp"
#include "equipoise/engine/rounds/edge_play.hpp"
#include "equipoise/engine/rounds/loaded_part.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::engine {

/// An edge rule at work. Schedule and network must outlive it; EdgePlay says what a step is. Memory
/// beyond network, schedule, loads and the rule's states: see EdgePlay and the body.
template <model::EdgeRule R>
class EdgeRounds final : public EdgePlay {
  public:
    using NodeState = typename R::NodeState;
    using LinkState = typename R::LinkState;
    static_assert(std::is_trivially_copyable_v<NodeState>, "states travel as bytes");

    /// All bodies, the most specialised first. A new body is added here.
    using Bodies = BodyList<TorusDiffusion<R>, PackedEdges<R>, DiffusionEdges<R>, EdgesInPlace<R>,
                            GatheredEdges<R>, ReferenceEdges<R>>;

    /// Plays on the whole network or, with a fabric, on this rank's part; `loads` are those of all
    /// nodes. Throws as RoundPlay does.
    template <model::Schedule S, class N>
    EdgeRounds(const R& rule, S& schedule, load::Loads loads, const N& network,
               const RoundOptions& options)
        : EdgeRounds(rule, any_schedule(schedule),
                     take_part(Graph(network), std::move(loads), options), options) {}

    /// Plays on a part, from the loads of own nodes.
    EdgeRounds(const R& rule, AnySchedule&& schedule, LoadedPart&& loaded,
               const RoundOptions& options)
        : EdgePlay(std::move(loaded), std::move(schedule), options, model::MayOwe<R>), rule_(rule) {
        start();
    }

    /// The states of own nodes, then those of the halo.
    [[nodiscard]] const States<NodeState>& node_states() const { return states_; }
    [[nodiscard]] const States<LinkState>& link_states() const { return link_states_; }
    [[nodiscard]] Body body() const override { return body_name_; }

  private:
    void make_room() override {
        RoundPlay::make_room();
        const NodeId count = part_.local_count();
        if (states_.size() < count || !States<NodeState>::stored) states_.resize(count);
        if (packs()) return;  // such bodies know all degrees
        if constexpr (!model::ReadsOnlyLoadsAndStates<R>)
            while (degrees_.size() < count)
                degrees_.push_back(part_.degree(static_cast<NodeId>(degrees_.size())));
    }

    void start_nodes() override {
        if constexpr (model::StartsNodes<R>)
            for (NodeId node = 0; node < part_.own_count(); ++node)
                states_[node] = rule_.start_node(node_info(node));
    }
    void restart(NodeId node) override {
        if constexpr (model::StartsNodes<R>)
            states_[node] = rule_.start_node(node_info(node));
        else
            states_[node] = {};
    }

    void renew_links(std::uint64_t count) override { link_states_.renew(count); }
    [[nodiscard]] bool starts_links() const override { return model::StartsLinks<R>; }
    void start_links(const ActiveLinks& links) override {
        links.for_each([&]([[maybe_unused]] const Ends& ends, std::uint64_t /*slot*/,
                           std::uint64_t state) {
            if constexpr (model::StartsLinks<R>)
                link_states_[state] = rule_.start_link(node_info(ends.tail), node_info(ends.head));
            else
                link_states_[state] = {};
        });
    }

    void wake([[maybe_unused]] Step now) override {
        if constexpr (model::WakesNodes<R>) {
            if (!rule_.wakes_all(now)) return;
            for_each_block(
                workers_, part_.own_count(), [&](std::uint64_t begin, std::uint64_t end) {
                    for (std::uint64_t node = begin; node < end; ++node)
                        if (is_up(static_cast<NodeId>(node)))
                            rule_.before_step(states_[node], loads_[node], {now, options_.seed});
                });
        }
    }

    [[nodiscard]] bool finished(Step done) const override {
        return all_have_finished(rule_, states_, part_.own_count(), done,
                                 [&](NodeId node) { return is_up(node); });
    }

    [[nodiscard]] std::size_t first_body(const EdgeSetting& setting) const override {
        return Bodies::first(rule_, setting, options_.body);
    }
    void take_body(std::size_t number, const EdgeSetting& setting) override {
        body_ = Bodies::template make<EdgeBody<R>>(number, rule_, setting);
        body_name_ = Bodies::names[number];
        if (wants_transfers_)
            body_->tell([this](std::uint64_t slot, const Ends& ends, Tokens flow) {
                note(slot, ends, flow, control_->costs().steps);
            });
    }

    [[nodiscard]] LinkStep<R> at(Step now) {
        return {rule_,        part_.own_count(),
                loads_,       live_ ? live_->degrees() : std::span<const Port>(degrees_),
                speeds_,      states_,
                link_states_, workers_,
                now,          options_.seed,
                loads_now()};
    }
    void exchange(const ActiveLinks& links, Reach reach, Step now, StepTotals& totals) override {
        body_->exchange(at(now), links, reach, totals);
    }
    void settle(Step now, StepTotals& totals) override { body_->settle(at(now), totals); }
    [[nodiscard]] bool needs_links() const override { return body_->needs_links(); }
    [[nodiscard]] bool packs() const override { return body_->packs(); }
    [[nodiscard]] bool narrows() const override { return body_->narrows(); }
    [[nodiscard]] std::optional<LoadRange> own_range() const override { return body_->own_range(); }
    [[nodiscard]] std::uint64_t ends_counted() const override { return body_->ends_counted(); }

    [[nodiscard]] Values states() override { return states_.values(); }
    [[nodiscard]] Values node_memory() override {
        states_.clear_padding();
        return states_.values();
    }
    [[nodiscard]] Values link_memory() override {
        link_states_.clear_padding();
        return link_states_.values();
    }

    R rule_;
    States<NodeState> states_;  ///< own nodes, then the halo
    States<LinkState> link_states_;
    std::vector<Port> degrees_;  ///< likewise; empty for rules that look at none
    std::unique_ptr<EdgeBody<R>> body_;
    Body body_name_ = Body::reference;
};

}  // namespace equipoise::engine
