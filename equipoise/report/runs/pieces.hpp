#pragma once
// Runs on networks of which every process holds only a piece, as text and JSON.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/report/runs/summary.hpp"

namespace equipoise::report {

/// The figures of such a run, of which no process has seen the whole.
struct PiecesFigures {
    std::string algorithm;
    std::map<std::string, std::string> parameters;  ///< all of them, defaults too
    std::string network;                            ///< as it was named by the caller
    std::uint64_t seed = 0;
    int ranks = 1;
    NodeId nodes = 0;
    LinkId links = 0;
    LinkId cut = 0;         ///< links between ranks
    bool streamed = false;  ///< whether no rank held the whole network
    Tokens tokens = 0;
    std::uint64_t load_scale = 1;  ///< units a token; the following are in units
    Tokens initial_discrepancy = 0;
    Tokens discrepancy = 0;
    std::optional<Step> level_since;  ///< as in records
    Tokens local_imbalance = 0;       ///< the largest difference across a link
    model::Costs costs;
    std::string stopped_because;
    std::string stop;      ///< the rule by which it was to end
    bool reached = false;  ///< as in records
    double seconds = 0;    ///< of the steps alone
};

/// A heading and one line for each figure.
[[nodiscard]] std::string pieces_text(const PiecesFigures& run, const TextStyle& style = {});
/// The keys of `run --in-pieces --json` (docs/how-to/ranks.md); ends with a newline.
[[nodiscard]] std::string pieces_json(const PiecesFigures& run);

}  // namespace equipoise::report
