#pragma once
// Tokens that arrive and are consumed during a run, from specs and files.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "equipoise/base/spec_info.hpp"
#include "equipoise/model/run/environment.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::model {

/// All kinds of arrivals, in the order help shows them.
[[nodiscard]] const std::vector<SpecInfo>& arrival_generators();

/// Arrivals of a spec:
///   `poisson:rate=R`: at every node, every round, a number of tokens that is Poisson with mean R
///   `burst:every=E,tokens=T`: T tokens at one random node (`node=` names it) every E rounds
///   `spike:tokens=T,every=E`: T tokens at the fullest node every E rounds (default 1), the
///       lowest-numbered of the fullest: the worst place for a balancer
///   `link:tokens=T`: T tokens every round at an end of a random link, which is the active one of
///       `RandomLink` with the same seed: tokens that arrive at a link and are shared by its ends
///   `replay:FILE.csv`: lines `step,node,delta`; the events of a step happen at the start of the
///       first round that begins at that step or later
/// The first four take `consume=C`: every node then consumes a Poisson number of tokens of mean C
/// every round, as far as it has them; and `seed=`, which is `seed` unless given. Rates are at most
/// 1000. Draws are functions of (seed, node, round). The network must outlive them.
///
/// Throws InputError that names the spec, or file and line, and what was expected. Cost a round
/// O(nodes (1 + rate)), for `replay` O(events).
[[nodiscard]] std::unique_ptr<Environment> make_arrivals(std::string_view text,
                                                         const network::AnyNetwork& network,
                                                         std::uint64_t seed);

}  // namespace equipoise::model
