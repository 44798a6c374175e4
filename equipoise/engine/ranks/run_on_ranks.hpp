#pragma once
// A node program on all ranks of a fabric, from the loads to the outcome.

#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/agreement.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/program_nodes.hpp"
#include "equipoise/engine/ranks/rank_run.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/simulation/options.hpp"
#include "equipoise/engine/simulation/play_costs.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// The items of a rank's own nodes, as bytes. A node's load is the number of its items.
using NodeItems = std::vector<std::vector<std::byte>>;

/// Plays this rank's nodes, which have `own_loads`, until every program has ended or waits for
/// messages that will never come; programs that never fall silent but can tell when they are
/// settled (`model::Settles`), until no token can move any more. Collective. With
/// `options.item_bytes`, items, one for each token, follow the tokens. If something goes wrong on
/// one rank, all throw, and the items are as they were before.
[[nodiscard]] RankRun play_nodes(ProgramNodes& nodes, const network::Network& network,
                                 std::span<const Tokens> own_loads, Fabric& fabric,
                                 const RankOptions& options, NodeItems* items = nullptr);

/// Throws, on every rank, if the ranks are about to run on different networks or with different
/// seeds or speeds, or if a rank's number of loads or lists of items (`lists`) is not that of its
/// nodes. Collective.
void expect_same_program(Fabric& fabric, const network::Network& network, std::size_t lists,
                         const RankOptions& options);

/// Runs a node program on nodes that are spread over the ranks (`Partition::contiguous`).
/// Collective: every rank passes the same program, network, speeds and seed, and the loads of its
/// own nodes. Returns the loads of all nodes on every rank. Ends, and throws, as `play_nodes` does.
template <model::NodeProgram Program>
[[nodiscard]] RankRun run_on_ranks(const Program& program, const network::Network& network,
                                   std::span<const Tokens> loads, Fabric& fabric,
                                   const RankOptions& options = {}) {
    expect_same_program(fabric, network, loads.size(), options);
    NodesOf<Program> nodes(program);
    return play_nodes(nodes, network, loads, fabric, options);
}

/// The same with items: `items[i]` are those of this rank's i-th node, one for each of its tokens.
/// A message that carries k tokens carries k items of its sender too. At the end every node has as
/// many items as tokens.
template <model::NodeProgram Program, class Item>
    requires std::is_trivially_copyable_v<Item>
RankRun run_on_ranks(const Program& program, const network::Network& network,
                     std::vector<std::vector<Item>>& items, Fabric& fabric,
                     RankOptions options = {}) {
    expect_same_program(fabric, network, items.size(), options);
    options.item_bytes = sizeof(Item);
    std::vector<Tokens> loads;
    NodeItems bytes;
    together(fabric, [&] {
        for (const std::vector<Item>& mine : items) {
            const auto view = std::as_bytes(std::span(mine));
            loads.push_back(static_cast<Tokens>(mine.size()));
            bytes.emplace_back(view.begin(), view.end());
        }
    });
    NodesOf<Program> nodes(program);
    RankRun run = play_nodes(nodes, network, loads, fabric, options, &bytes);
    std::vector<std::vector<Item>> moved;
    together(fabric, [&] {
        for (const std::vector<std::byte>& mine : bytes) {
            moved.emplace_back(mine.size() / sizeof(Item));
            if (!mine.empty()) std::memcpy(moved.back().data(), mine.data(), mine.size());
        }
    });
    items = std::move(moved);
    return run;
}

/// Plays the nodes in the simulation, with observers.
using Simulate = std::function<RoundOutcome(const RoundOptions&, const SimulationOptions&)>;

/// Plays the nodes of a program, which must be the same on all ranks, on the ranks of
/// `asynchrony.fabric` as a run with observers and costs. If the order of deliveries is wanted
/// (`asynchrony.deliveries_max`), rank 0 replays it with `simulate` and returns the outcome of the
/// replay, which must agree with that of the ranks. All other ranks, and rank 0 without a replay,
/// return an outcome whose steps are the length of the longest chain of events that cause each
/// other.
[[nodiscard]] RoundOutcome play_on_ranks(ProgramNodes& nodes, const network::Network& network,
                                         std::span<const Tokens> loads, const RoundOptions& options,
                                         const SimulationOptions& asynchrony, ProgramCosts& costs,
                                         const Simulate& simulate);

}  // namespace equipoise::engine
