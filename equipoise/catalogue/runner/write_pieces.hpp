#pragma once
// Files of networks and loads that no process holds whole.

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/fabric.hpp"

namespace equipoise::catalogue {

/// What is to be written, as the command line names it. The same on every rank, except for the
/// interrupt.
struct WritePiecesRequest {
    std::string network;       ///< see network::stream_links
    std::string network_path;  ///< of an edge list
    std::string loads;         ///< `spike:` or `uniform:`; empty: none
    std::string loads_path;    ///< of a CSV file, if there are loads
    std::uint64_t seed = 0;
    std::stop_token interrupt;
    /// The number of links, nodes or loads that are sent to rank 0 at a time.
    std::size_t sent_max = std::size_t{1} << 20U;
};

/// The contents of the files, in numbers.
struct WrittenPieces {
    NodeId nodes = 0;
    LinkId links = 0;
    Tokens tokens = 0;
    bool interrupted = false;  ///< on any rank; then nothing was written
};

/// Writes the files that network::write and load::write_csv write of the same network and loads.
/// Every rank makes the links and loads of its own nodes (consecutive numbers; a link belongs to
/// its smaller end) and, when its turn comes, sends them to rank 0, which writes them. Collective.
/// Cost: that of the stream, O(links log links) for own links, one reduction for `sent_max` links.
/// Memory of a rank: its part (twice that if the stream visits links twice) and `sent_max` links.
/// Throws, on every rank and without leaving a file, InputError if something cannot be read or
/// written and for paths that are not of edge lists, and UnsuitableError for networks and loads
/// that cannot be made in pieces.
[[nodiscard]] WrittenPieces write_in_pieces(const WritePiecesRequest& request,
                                            engine::Fabric& fabric);

}  // namespace equipoise::catalogue
