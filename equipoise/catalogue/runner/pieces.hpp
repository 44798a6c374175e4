#pragma once
// Runs on networks of which every process holds only a piece: made or read in pieces, or made by
// one process and sent to the others.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/catalogue/registry/parameters.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/stop.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/io/read.hpp"
#include "equipoise/report/runs/pieces.hpp"

namespace equipoise::engine {
class Keeper;
}  // namespace equipoise::engine

namespace equipoise::catalogue {

/// How nodes are divided among ranks.
enum class PartitionMethod : std::uint8_t {
    contiguous,  ///< consecutive numbers
    metis,       ///< few links between parts; see engine::partition_by_metis
};

/// The method that a word of the command line names. Throws InputError for other words.
[[nodiscard]] PartitionMethod partition_method_from_word(std::string_view word);

/// The partition of a network that rank 0 holds (others may pass null). Collective; throws as
/// engine::partition_by_metis.
[[nodiscard]] engine::Partition make_partition(engine::Fabric& fabric,
                                               const network::AnyNetwork* whole,
                                               PartitionMethod method);

/// What is to be run, as the command line names it. The same on every rank.
struct PiecesRequest {
    std::string algorithm;
    NetworkRequest network;
    std::string loads;  ///< as in make_loads
    ParameterTexts parameters = {};
    PartitionMethod partition = PartitionMethod::contiguous;
    /// Replaces the default stop rule.
    std::optional<model::StopRule> stop;
    std::optional<Step> steps_max;
    std::stop_token interrupt;
    /// Saves the state of the run, or restores one (runner/checkpoints.hpp). Null: nothing is
    /// saved.
    engine::Keeper* keeper = nullptr;
};

/// The outcome of such a run: figures, which are the same on every rank, and this rank's part.
struct PiecesOutcome : report::PiecesFigures {
    load::Loads own_loads;
    network::ReadReport dropped;  ///< from a file that rank 0 read whole; on rank 0
};

/// The algorithms that can be run in pieces: rules of synchronous rounds that hold no more than a
/// few values, over links that take turns or are all active.
[[nodiscard]] std::vector<std::string> algorithms_in_pieces();

/// Runs the request: every rank holds the rows, links and loads of its own nodes and a halo.
/// Collective; the figures are those of `run`, and the same on every rank.
///
/// No rank holds the whole network if it has a stream (network::stream_links), its loads are made
/// by load::make_part_loads, every rank owns consecutive nodes, and the rule works on any network
/// and can decide its end by rows alone (`Algorithm::stop_by_rows`); dimension exchange needs a
/// mesh or torus for that. Whether such networks are connected is not checked. All other networks
/// are made by rank 0, which finds rule, links, partition and the stop rule of `run`, and sends
/// every rank its part.
///
/// Throws, on every rank, InputError for input that cannot be read, and UnsuitableError for
/// algorithms that need to know more than their rows.
[[nodiscard]] PiecesOutcome run_in_pieces(const PiecesRequest& request, engine::Fabric& fabric);

}  // namespace equipoise::catalogue
