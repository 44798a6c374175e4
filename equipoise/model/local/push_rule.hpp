#pragma once
// Deal rules in which the sender alone decides.

#include <concepts>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/deal_rule.hpp"

namespace equipoise::model {

/// A deal rule whose receivers take everything they are sent. An engine may then play a round in
/// one pass that proposes and one that receives, and skip nodes where nothing happens; the outcome
/// is the same.
///
/// Required, besides the members of a deal rule with `phases` 1 that remembers nothing of ports:
///   `Tokens sent(const Proposal&) const`: the tokens that come with a proposal (negative: tokens
///       that the receiver hands over), 0 for `Proposal{}`;
///   `void receive(NodeState&, const Proposal&, Step) const`: stores what the receiver notes of
///       one, with the same outcome in any order;
///   `bool idle(const NodeState&, Tokens load, Step) const`: whether `propose` of this step would
///       send `Proposal{}` over every port and change nothing, whatever the neighbours' loads, and
///       `after_step` would change nothing unless a neighbour is not idle.
template <class R>
concept PushesTokens = DealRule<R> && !RemembersPorts<R> && phases_of<R>() == 1 &&
                       requires(const R& rule, typename R::NodeState& state,
                                const typename R::Proposal& proposal, Tokens load, Step step) {
                           { rule.sent(proposal) } -> std::same_as<Tokens>;
                           rule.receive(state, proposal, step);
                           { rule.idle(state, load, step) } -> std::same_as<bool>;
                       };

}  // namespace equipoise::model
