#pragma once
// Runs on networks that no process holds whole: made, read and played in pieces.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/model/run/stop.hpp"

namespace equipoise::catalogue {

/// What to run, as the command line names it. The same on every rank.
struct PiecesRequest {
    std::string algorithm;
    std::string network;  ///< see network::stream_links
    std::string loads;    ///< `spike:` or `uniform:`
    std::uint64_t seed = 0;
    /// Instead of the default: a round without a move (threshold-1: no two neighbours differ by
    /// more than 1).
    std::optional<model::StopRule> stop;
    std::optional<Step> steps_max;
    std::stop_token interrupt;
};

/// What is known of such a run: figures, and the loads of own nodes.
struct PiecesOutcome {
    NodeId nodes = 0;
    LinkId links = 0;
    Tokens tokens = 0;
    Tokens initial_discrepancy = 0;
    Tokens discrepancy = 0;
    model::Costs costs;
    std::string stopped_because;
    bool reached = false;  ///< neither a cap nor an interrupt ended it
    double seconds = 0;    ///< of the steps alone
    load::Loads own_loads;
};

/// The algorithms that may be run so: on meshes, tori, paths and cycles by dimension exchange over
/// the axes, and over all links of any network that has a stream.
[[nodiscard]] std::vector<std::string> algorithms_in_pieces();

/// Runs it: every rank holds the rows, links and loads of its own nodes and a halo, and nothing
/// else of network and loads. Collective; the figures are those of `run`, and the same on every
/// rank. Throws, on every rank, InputError for what cannot be read, UnsuitableError for what cannot
/// be had in pieces.
[[nodiscard]] PiecesOutcome run_in_pieces(const PiecesRequest& request, engine::Fabric& fabric);

}  // namespace equipoise::catalogue
