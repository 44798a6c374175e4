#include "equipoise/engine/parts/piece.hpp"

#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "equipoise/base/digest.hpp"
#include "equipoise/engine/parts/scatter.hpp"
#include "equipoise/engine/same_on_ranks.hpp"

namespace equipoise::engine {

namespace {

// What one rank tells another about a link between them.
struct LinkMessage {
    LinkId link = no_link;  ///< as numbered by the rank of the smaller end
    Port degree = 0;        ///< of the sender's end
    Port unused = 0;
};

}  // namespace

void expect_same_stream(Fabric& fabric, const network::LinkStream& stream) {
    Digest digest;
    digest.add(stream.node_count);
    digest.add(stream.digest);
    const Held links = {stream.file.empty() ? "links" : "links of " + stream.file, digest.value()};
    expect_same(fabric, {&links, 1});
}

Piece::Piece(Fabric& fabric, const network::LinkStream& stream)
    : partition_(Partition::contiguous(stream.node_count, fabric.ranks())),
      rank_(fabric.rank()),
      first_(partition_.first(rank_)) {
    try_together(&fabric, [&] { fill_rows(stream); });
    number_links(fabric);
    meet_neighbours(fabric);
}

Piece::Piece(Fabric& fabric, const network::AnyNetwork* whole, Partition partition)
    : partition_(std::move(partition)), rank_(fabric.rank()), first_(partition_.first(rank_)) {
    if (!partition_.consecutive()) own_ = partition_.nodes_of(rank_);
    if (rank_ == 0) link_count_ = whole->link_count();
    broadcast_value(fabric, link_count_);
    // Collects `of(node, port)` for every arc of a rank's nodes, in order.
    const auto arcs_of = [&](int rank, const auto& of) {
        using Value = decltype(of(NodeId{0}, Port{0}));
        std::vector<Value> values;
        for (const NodeId node : partition_.nodes_of(rank))
            for (Port port = 0; port < whole->degree(node); ++port)
                values.push_back(of(node, port));
        return values;
    };
    const std::vector<Port> degrees = scatter_values<Port>(fabric, [&](int rank) {
        std::vector<Port> of_nodes;
        for (const NodeId node : partition_.nodes_of(rank))
            of_nodes.push_back(whole->degree(node));
        return of_nodes;
    });
    neighbours_ = scatter_values<NodeId>(fabric, [&](int rank) {
        return arcs_of(rank, [&](NodeId node, Port port) { return whole->neighbour(node, port); });
    });
    links_ = scatter_values<LinkId>(fabric, [&](int rank) {
        return arcs_of(rank, [&](NodeId node, Port port) { return whole->link(node, port); });
    });
    const std::vector<Port> beyond = scatter_values<Port>(fabric, [&](int rank) {
        return arcs_of(rank, [&](NodeId node, Port port) {
            return whole->degree(whole->neighbour(node, port));
        });
    });
    together(fabric, [&] {
        for (const Port degree : degrees)
            offsets_.push_back(offsets_.back() + degree);
        for (std::size_t arc = 0; arc < neighbours_.size(); ++arc)
            if (!owns(neighbours_[arc])) degrees_[neighbours_[arc]] = beyond[arc];
    });
}

// Sorts the arcs (own node, neighbour); loops and duplicates drop out.
void Piece::fill_rows(const network::LinkStream& stream) {
    const NodeId last = partition_.first(rank_ + 1);
    std::vector<Ends> arcs;
    stream.each_link(first_, last, [&](NodeId tail, NodeId head) {
        if (tail == head) return;
        if (first_ <= tail && tail < last) arcs.push_back({tail, head});
        if (first_ <= head && head < last) arcs.push_back({head, tail});
    });
    network::sort_once(arcs, stream);
    neighbours_.reserve(arcs.size());
    offsets_.reserve(std::size_t{last} - first_ + 1);
    for (NodeId node = first_; node < last; ++node) {
        while (neighbours_.size() < arcs.size() && arcs[neighbours_.size()].tail == node)
            neighbours_.push_back(arcs[neighbours_.size()].head);
        offsets_.push_back(neighbours_.size());
    }
}

// Links are ordered by (smaller end, larger end), so those of lower ranks come first.
void Piece::number_links(Fabric& fabric) {
    const auto own_count = static_cast<NodeId>(offsets_.size() - 1);
    std::uint64_t mine = 0;
    for (NodeId own = 0; own < own_count; ++own)
        for (std::uint64_t arc = offsets_[own]; arc < offsets_[own + 1]; ++arc)
            mine += first_ + own < neighbours_[arc] ? 1 : 0;
    const std::vector<std::uint64_t> counts = all_of(fabric, mine);
    LinkId next = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        if (static_cast<int>(rank) < rank_) next += counts[rank];
        link_count_ += counts[rank];
    }
    links_.assign(neighbours_.size(), no_link);
    // Own nodes come in ascending order, and so do the smaller neighbours of each.
    std::vector<std::uint64_t> at(offsets_.begin(), offsets_.end());
    for (NodeId own = 0; own < own_count; ++own)
        for (std::uint64_t arc = offsets_[own]; arc < offsets_[own + 1]; ++arc) {
            const NodeId node = first_ + own;
            const NodeId other = neighbours_[arc];
            if (other < node) continue;
            links_[arc] = next++;
            if (!owns(other)) continue;
            std::uint64_t& there = at[other - first_];
            while (neighbours_[there] != node)
                ++there;
            links_[there] = links_[arc];
        }
}

// Both ranks list the links between them by (smaller end, larger end).
void Piece::meet_neighbours(Fabric& fabric) {
    struct Shared {
        Ends ends;
        std::uint64_t arc = 0;
    };
    std::map<int, std::vector<Shared>> shared;
    for (NodeId own = 0; own + 1 < offsets_.size(); ++own)
        for (std::uint64_t arc = offsets_[own]; arc < offsets_[own + 1]; ++arc) {
            const NodeId node = first_ + own;
            const NodeId other = neighbours_[arc];
            if (!owns(other))
                shared[partition_.owner(other)].push_back(
                    {{std::min(node, other), std::max(node, other)}, arc});
        }
    std::map<int, std::vector<LinkMessage>> sent;
    std::map<int, std::vector<LinkMessage>> heard;
    std::vector<Fabric::Outgoing> out;
    std::vector<Fabric::Incoming> in;
    for (auto& [rank, links] : shared) {
        std::sort(links.begin(), links.end(),
                  [](const Shared& a, const Shared& b) { return a.ends < b.ends; });
        for (const Shared& link : links) {
            const NodeId other = neighbours_[link.arc];
            const NodeId node = link.ends.tail == other ? link.ends.head : link.ends.tail;
            sent[rank].push_back({links_[link.arc], own_degree(node), 0});
        }
        heard[rank].resize(links.size());
        out.push_back({rank, std::as_bytes(std::span<const LinkMessage>(sent[rank]))});
        in.push_back({rank, std::as_writable_bytes(std::span<LinkMessage>(heard[rank]))});
    }
    fabric.begin_exchange(out, in);
    fabric.finish_exchange();
    for (const auto& [rank, links] : shared)
        for (std::size_t i = 0; i < links.size(); ++i) {
            const LinkMessage& message = heard[rank][i];
            if (links_[links[i].arc] == no_link) links_[links[i].arc] = message.link;
            degrees_[neighbours_[links[i].arc]] = message.degree;
        }
}

}  // namespace equipoise::engine
