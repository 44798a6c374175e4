#include "equipoise/catalogue/runner/write_pieces.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/parts/piece.hpp"
#include "equipoise/load/csv.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/io/edge_list_writer.hpp"
#include "equipoise/network/io/read.hpp"

namespace equipoise::catalogue {

namespace {

using engine::Fabric;
using engine::on_first;
using engine::together;

/// Thrown when one rank notices an interrupt; it never leaves this file.
struct Interrupted {};

/// Whether a rank was interrupted. Collective.
bool interrupted(Fabric& fabric, const std::stop_token& interrupt) {
    return engine::largest_of(fabric, interrupt.stop_requested() ? 1 : 0) != 0;
}

/// The part of a file that nodes first .. last-1 contribute.
struct OwnPart {
    NodeId first = 0;
    NodeId last = 0;
    std::vector<Ends> links;       ///< whose smaller end is one of them, in ascending order
    std::vector<NodeId> isolated;  ///< nodes without links
    load::Loads loads;
};

void find_links(OwnPart& part, const network::LinkStream& stream,
                const std::stop_token& interrupt) {
    const auto own = [&](NodeId node) { return part.first <= node && node < part.last; };
    std::vector<bool> linked(part.last - part.first);
    stream.each_link(part.first, part.last, [&](NodeId tail, NodeId head) {
        if (interrupt.stop_requested()) throw Interrupted();
        if (tail == head) return;
        if (own(tail)) linked[tail - part.first] = true;
        if (own(head)) linked[head - part.first] = true;
        const Ends ends = {std::min(tail, head), std::max(tail, head)};
        if (own(ends.tail)) part.links.push_back(ends);
    });
    // In place, since memory is scarcer here than time.
    network::sort_once(part.links, stream);
    for (NodeId node = part.first; node < part.last; ++node)
        if (!linked[node - part.first]) part.isolated.push_back(node);
}

/// The part of this rank; nothing if a rank was interrupted. Collective.
std::optional<OwnPart> own_part(const WritePiecesRequest& request,
                                const network::LinkStream& stream, Fabric& fabric) {
    const auto partition = engine::Partition::contiguous(stream.node_count, fabric.ranks());
    OwnPart part;
    part.first = partition.first(fabric.rank());
    part.last = partition.first(fabric.rank() + 1);
    together(fabric, [&] {
        try {
            find_links(part, stream, request.interrupt);
        } catch (const Interrupted&) {  // all ranks learn about it below
            return;
        }
        if (!request.loads.empty())
            part.loads = load::make_part_loads(request.loads, stream.node_count, part.first,
                                               part.last, request.seed);
    });
    if (interrupted(fabric, request.interrupt)) return std::nullopt;
    return part;
}

/// Passes the values of all ranks to `use` on rank 0, in the order of ranks and a portion at a
/// time. False if a rank was interrupted. Collective; an exception from `use` is thrown on all
/// ranks.
template <class T, class Use>
bool tell_in_turn(const WritePiecesRequest& request, Fabric& fabric, const std::vector<T>& mine,
                  const Use& use) {
    const std::vector<std::uint64_t> sizes = engine::all_of(fabric, std::uint64_t{mine.size()});
    std::vector<T> heard;
    for (int teller = 0; teller < fabric.ranks(); ++teller) {
        const std::uint64_t all = sizes[static_cast<std::size_t>(teller)];
        for (std::uint64_t at = 0; at < all; at += request.sent_max) {
            const auto count =
                static_cast<std::size_t>(std::min<std::uint64_t>(request.sent_max, all - at));
            std::span<const T> told;
            if (fabric.rank() == teller) told = std::span(mine).subspan(at, count);
            if (teller != 0) {
                on_first(fabric, [&] { heard.resize(count); });
                engine::pass<T>(fabric, teller, 0, told, heard);
                if (fabric.rank() == 0) told = heard;
            }
            on_first(fabric, [&] {
                for (const T& value : told)
                    use(value);
            });
            if (interrupted(fabric, request.interrupt)) return false;
        }
    }
    return true;
}

bool tell_network(const WritePiecesRequest& request, Fabric& fabric, const OwnPart& part,
                  const WrittenPieces& all, std::optional<AtomicFile>& file) {
    std::optional<network::EdgeListWriter> writer;
    on_first(fabric, [&] {
        file.emplace(request.network_path);
        writer.emplace(*file, all.nodes, all.links);
    });
    return tell_in_turn(request, fabric, part.isolated,
                        [&](NodeId node) { writer->declare(std::to_string(node)); }) &&
           tell_in_turn(request, fabric, part.links, [&](const Ends& ends) {
               writer->link(std::to_string(ends.tail), std::to_string(ends.head));
           });
}

bool tell_loads(const WritePiecesRequest& request, Fabric& fabric, const OwnPart& part,
                std::optional<AtomicFile>& file) {
    if (request.loads.empty()) return true;
    std::optional<load::LoadsWriter> writer;
    on_first(fabric, [&] {
        file.emplace(request.loads_path);
        writer.emplace(*file);
    });
    NodeId node = 0;
    return tell_in_turn(request, fabric, part.loads,
                        [&](Tokens tokens) { writer->write(std::to_string(node++), tokens); });
}

/// Throws InputError if a file cannot be written. A pipe can be opened only once.
void expect_writable(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_fifo(path, ignored)) const AtomicFile probe(path);
}

WrittenPieces sizes_of_all(Fabric& fabric, NodeId nodes, const OwnPart& part) {
    Fabric::Tally mine;
    mine.sums[0] = static_cast<std::int64_t>(part.links.size());
    mine.sums[1] = load::total(part.loads);
    mine = fabric.reduce(mine);
    WrittenPieces all;
    all.nodes = nodes;
    all.links = static_cast<LinkId>(mine.sums[0]);
    all.tokens = mine.sums[1];
    return all;
}

}  // namespace

WrittenPieces write_in_pieces(const WritePiecesRequest& request, Fabric& fabric) {
    EQUIPOISE_ASSERT(request.sent_max > 0);
    WrittenPieces stopped;
    stopped.interrupted = true;
    network::LinkStream stream;
    together(fabric, [&] {
        if (network::format_of_path(request.network_path) != network::Format::edge_list)
            throw InputError(request.network_path +
                             ": expected a file name that ends in .edges, .edgelist, .txt or .csv: "
                             "networks in pieces are written as edge lists");
        stream = network::stream_links(request.network, request.seed);
        if (fabric.rank() != 0) return;
        // Checked before long work. Files are opened after it, since launchers may kill a process
        // that does not end soon after an interrupt.
        expect_writable(request.network_path);
        if (!request.loads.empty()) expect_writable(request.loads_path);
    });
    engine::expect_same_stream(fabric, stream);
    const std::optional<OwnPart> part = own_part(request, stream, fabric);
    if (!part) return stopped;
    const WrittenPieces all = sizes_of_all(fabric, stream.node_count, *part);
    std::optional<AtomicFile> network_file;
    std::optional<AtomicFile> loads_file;
    if (!tell_network(request, fabric, *part, all, network_file) ||
        !tell_loads(request, fabric, *part, loads_file))
        return stopped;
    on_first(fabric, [&] {
        network_file->commit();
        if (loads_file) loads_file->commit();
    });
    return all;
}

}  // namespace equipoise::catalogue
