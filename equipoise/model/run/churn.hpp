#pragma once
// Nodes and links that come and go during a run, from specs and files.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "equipoise/base/spec_info.hpp"
#include "equipoise/model/run/environment.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::model {

/// All kinds of churn, in the order help shows them.
[[nodiscard]] const std::vector<SpecInfo>& churn_generators();

/// Churn of a spec:
///   `random:nodes=P,links=Q,back=B`: before every round every node that is up goes with
///       probability P, every link that is up with probability Q (both default 0), and each that is
///       down comes back with probability B (default 0.1); `seed=` is `seed` unless given
///   `adversary:sorted-path,smoothing=S`: see SortedPath (sorted_path.hpp); S from 0 (the default)
///   to 1000; `seed=` as above
///   `replay:FILE.csv`: after the header `step,subject,id,state` lines `STEP,node,NODE,up|down` and
///       `STEP,link,NODE,NODE,up|down`; the events of a step happen at the start of the first round
///       that begins at that step or later
/// Draws are functions of (seed, node or link, round).
///
/// Throws InputError that names the spec, or file and line, and what was expected. Cost a round
/// O(nodes + links), for `replay` O(events), for `adversary` see there.
[[nodiscard]] std::unique_ptr<Environment> make_churn(std::string_view text,
                                                      const network::AnyNetwork& network,
                                                      std::uint64_t seed);

}  // namespace equipoise::model
