#pragma once
// Deal rules in synchronous rounds, on a whole network or on one rank's part of it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "equipoise/engine/bodies/announced_deals.hpp"
#include "equipoise/engine/bodies/body_list.hpp"
#include "equipoise/engine/bodies/deal_body.hpp"
#include "equipoise/engine/bodies/exchanged_deals.hpp"
#include "equipoise/engine/bodies/pushed_deals.hpp"
#include "equipoise/engine/rounds/deal_play.hpp"
#include "equipoise/engine/rounds/loaded_part.hpp"
#include "equipoise/model/local/deal_rule.hpp"

namespace equipoise::engine {

/// A deal rule at work. The network must outlive it; DealPlay says what a round is.
template <model::DealRule R>
class DealRounds final : public DealPlay {
  public:
    using NodeState = typename R::NodeState;
    using PortState = model::PortStateOf<R>;

    /// All bodies, the most specialised first. A new body is added here.
    using Bodies = BodyList<AnnouncedBody<R>, PushedDeals<R>, ExchangedDeals<R>, ReferenceDeals<R>>;

    /// Plays on the whole network or, with a fabric, on this rank's part; `loads` are those of all
    /// nodes. Throws as RoundPlay does.
    template <class N>
    DealRounds(const R& rule, load::Loads loads, const N& network, const RoundOptions& options)
        : DealRounds(rule, take_part(Graph(network), std::move(loads), options), options) {}

    /// Plays on a part, from the loads of own nodes.
    DealRounds(const R& rule, LoadedPart&& loaded, const RoundOptions& options)
        : DealPlay(std::move(loaded), options, model::phases_of<R>(), model::MayOwe<R>),
          rule_(rule) {
        start();
    }

    /// The states of own nodes.
    [[nodiscard]] const States<NodeState>& node_states() const { return states_; }
    [[nodiscard]] Body body() const override { return body_name_; }

  private:
    void start_nodes() override {
        states_.resize(part_.own_count());
        if constexpr (model::RemembersPorts<R>) port_states_.resize(rows_.neighbours.size());
        for (NodeId node = 0; node < part_.own_count(); ++node)
            if constexpr (model::StartsNodes<R>) states_[node] = rule_.start_node(node_info(node));
    }
    void restart(NodeId node) override {
        if constexpr (model::StartsNodes<R>)
            states_[node] = rule_.start_node(node_info(node));
        else
            states_[node] = {};
        if constexpr (model::RemembersPorts<R>)
            std::fill(port_states_.begin() + static_cast<std::ptrdiff_t>(rows_.first_arc(node)),
                      port_states_.begin() + static_cast<std::ptrdiff_t>(rows_.first_arc(node + 1)),
                      PortState{});
    }

    [[nodiscard]] Values node_memory() override {
        states_.clear_padding();
        return states_.values();
    }
    [[nodiscard]] Values port_memory() override {
        if constexpr (model::RemembersPorts<R>)
            return {std::as_writable_bytes(std::span(port_states_)), sizeof(PortState)};
        return {};
    }

    [[nodiscard]] bool finished(Step done) const override {
        return all_have_finished(rule_, states_, part_.own_count(), done,
                                 [&](NodeId node) { return is_up(node); });
    }

    [[nodiscard]] std::size_t first_body(const DealSetting& setting) const override {
        return Bodies::first(rule_, setting, options_.body);
    }
    void take_body(std::size_t number, const DealSetting& setting) override {
        body_ = Bodies::template make<DealBody<R>>(number, rule_, setting);
        body_name_ = Bodies::names[number];
    }

    [[nodiscard]] DealStep<R> at(Step now) {
        return {rule_,    part_,        rows_,
                arcs_,    loads_,       speeds_,
                states_,  port_states_, live_ ? &*live_ : nullptr,
                workers_, now,          options_.seed};
    }
    [[nodiscard]] bool needs_arcs() const override { return body_->needs_arcs(); }
    void make_arcs() override { body_->make_room(arcs_); }
    void propose(const NodeSet& nodes, Step now) override { body_->propose(at(now), nodes); }
    void accept(const NodeSet& nodes, Step now) override { body_->accept(at(now), nodes); }
    void settle(Step now, StepTotals& totals) override { body_->settle(at(now), totals); }
    [[nodiscard]] Values told_once() override { return body_->told_once(arcs_); }
    void hear_once() override { body_->hear_once(arcs_); }
    [[nodiscard]] Values told_by_nodes() override { return body_->told_by_nodes(); }
    [[nodiscard]] Values told_by_arcs() override { return body_->told_by_arcs(); }
    [[nodiscard]] Values answers() override { return body_->answers(arcs_); }

    R rule_;
    States<NodeState> states_;
    std::vector<PortState> port_states_;  ///< by own arc
    std::unique_ptr<DealBody<R>> body_;
    Body body_name_ = Body::reference;
};

}  // namespace equipoise::engine
