#pragma once
// Deal rules in synchronous rounds, on a whole network or one rank's share of it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "equipoise/engine/bodies/announced_deals.hpp"
#include "equipoise/engine/bodies/deal_body.hpp"
#include "equipoise/engine/bodies/exchanged_deals.hpp"
#include "equipoise/engine/bodies/pushed_deals.hpp"
#include "equipoise/engine/rounds/deal_play.hpp"
#include "equipoise/engine/rounds/share.hpp"
#include "equipoise/model/local/deal_rule.hpp"

namespace equipoise::engine {

/// A deal rule at work. The network must outlive it; DealPlay says what a round is.
template <model::DealRule R>
class DealRounds final : public DealPlay {
  public:
    using NodeState = typename R::NodeState;

    /// All bodies, the one for the fewest runs first. A new body is a line here.
    using Bodies = std::tuple<AnnouncedBody<R>, PushedDeals<R>, ExchangedDeals<R, Body::exchanged>,
                              ExchangedDeals<R, Body::reference>>;

    /// On the whole network, or, with a fabric, on the share of this rank; `loads` are those of all
    /// nodes. Throws as RoundPlay.
    template <class N>
    DealRounds(const R& rule, load::Loads loads, const N& network, const RoundOptions& options)
        : DealRounds(rule, take_share(Graph(network), std::move(loads), options), options) {}

    /// On a share, from the loads of own nodes.
    DealRounds(const R& rule, Share share, const RoundOptions& options)
        : DealPlay(std::move(share.part), std::move(share.own_loads), options,
                   model::phases_of<R>(), model::MayOwe<R>),
          rule_(rule) {
        start();
    }

    /// Of own nodes.
    [[nodiscard]] const States<NodeState>& node_states() const { return states_; }
    /// The body that plays.
    [[nodiscard]] Body body() const { return body_name_; }

  private:
    void start_nodes() override {
        states_.resize(part_.own_count());
        for (NodeId node = 0; node < part_.own_count(); ++node)
            if constexpr (model::StartsNodes<R>) states_[node] = rule_.start_node(node_info(node));
    }
    void restart(NodeId node) override {
        if constexpr (model::StartsNodes<R>)
            states_[node] = rule_.start_node(node_info(node));
        else
            states_[node] = {};
    }

    [[nodiscard]] bool finished(Step done) const override {
        return all_have_finished(rule_, states_, part_.own_count(), done,
                                 [&](NodeId node) { return is_up(node); });
    }

    [[nodiscard]] std::size_t first_body(const DealSetting& setting) const override {
        std::size_t chosen = std::tuple_size_v<Bodies>;
        each_body([&]<class B>(std::size_t number, std::type_identity<B> /*type*/) {
            const bool may = options_.body == Body::fast || B::name >= options_.body;
            if (number < chosen && may && B::serves(rule_, setting)) chosen = number;
        });
        return chosen;
    }
    void take_body(std::size_t chosen, const DealSetting& setting) override {
        each_body([&]<class B>(std::size_t number, std::type_identity<B> /*type*/) {
            if (number != chosen) return;
            body_ = std::make_unique<B>(rule_, setting);
            body_name_ = B::name;
        });
    }
    template <class Visit>
    static void each_body(const Visit& visit) {
        [&]<std::size_t... number>(std::index_sequence<number...> /*all*/) {
            (visit(number, std::type_identity<std::tuple_element_t<number, Bodies>>{}), ...);
        }(std::make_index_sequence<std::tuple_size_v<Bodies>>{});
    }

    [[nodiscard]] DealStep<R> at(Step now) {
        return {rule_,    part_,   rows_,        arcs_,
                loads_,   speeds_, states_,      live_ ? &*live_ : nullptr,
                workers_, now,     options_.seed};
    }
    [[nodiscard]] bool needs_arcs() const override { return body_->needs_arcs(); }
    void make_arcs(std::uint64_t count) override { body_->make_room(count); }
    void propose(const NodeSet& nodes, Step now) override { body_->propose(at(now), nodes); }
    void accept(const NodeSet& nodes, Step now) override { body_->accept(at(now), nodes); }
    void settle(Step now, StepTotals& totals) override { body_->settle(at(now), totals); }
    [[nodiscard]] bool answers() const override { return body_->answers(); }
    [[nodiscard]] std::span<std::byte> proposal_bytes() override { return body_->proposal_bytes(); }
    [[nodiscard]] std::size_t proposal_size() const override { return body_->proposal_size(); }

    R rule_;
    States<NodeState> states_;
    std::unique_ptr<DealBody<R>> body_;
    Body body_name_ = Body::reference;
};

}  // namespace equipoise::engine
