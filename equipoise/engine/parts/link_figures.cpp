#include "equipoise/engine/parts/link_figures.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include "equipoise/engine/kernels/grid_links.hpp"
#include "equipoise/engine/parts/active_links.hpp"
#include "equipoise/engine/parts/packed_loads.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::engine {

LinkFigures link_figures(Fabric& fabric, Part part, load::Loads& loads) {
    HaloPlan plan;
    std::vector<load::Loads> sent;
    std::vector<load::Loads> heard;
    std::vector<std::pair<NodeId, NodeId>> cut;
    Tokens largest = 0;
    const auto compare = [&](NodeId a, NodeId b) {
        largest = std::max(largest, std::abs(loads[a] - loads[b]));
    };
    together(fabric, [&] {
        cut = links_to_others(part);
        const network::Grid* const grid = part.graph().grid();
        if (grid != nullptr && part.partition().consecutive() && part.own_count() > 0)
            largest = largest_difference({*grid, part.global(0), part.own_count()},
                                         packed(loads, Width::eight));
        else
            for (NodeId node = 0; node < part.own_count(); ++node)
                for (Port port = 0; port < part.degree(node); ++port) {
                    const NodeId other = part.local(part.neighbour(node, port));
                    if (part.owns(other)) compare(node, other);
                }
        plan = HaloPlan(part, cut);
        loads.resize(part.local_count());
        for (const HaloPlan::Peer& peer : plan.peers) {
            heard.emplace_back(peer.receive.size());
            sent.emplace_back();
            for (const NodeId node : peer.send)
                sent.back().push_back(loads[node]);
        }
    });
    std::vector<Fabric::Outgoing> out;
    std::vector<Fabric::Incoming> in;
    for (std::size_t i = 0; i < plan.peers.size(); ++i) {
        out.push_back({plan.peers[i].rank, std::as_bytes(std::span<const Tokens>(sent[i]))});
        in.push_back({plan.peers[i].rank, std::as_writable_bytes(std::span<Tokens>(heard[i]))});
    }
    fabric.begin_exchange(out, in);
    fabric.finish_exchange();
    for (std::size_t i = 0; i < plan.peers.size(); ++i)
        for (std::size_t k = 0; k < heard[i].size(); ++k)
            loads[plan.peers[i].receive[k]] = heard[i][k];
    for (const auto& [own, other] : cut)
        compare(own, other);
    loads.resize(part.own_count());
    Fabric::Tally mine;
    mine.sums[0] = static_cast<std::int64_t>(cut.size());
    mine.maxima[0] = largest;
    const Fabric::Tally all = fabric.reduce(mine);
    return {static_cast<LinkId>(all.sums[0]) / 2, all.maxima[0]};
}

}  // namespace equipoise::engine
