#include "equipoise/engine/parts/part_deals.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

namespace equipoise::engine {

DealParts::DealParts(Part part, std::span<const Tokens> own_loads, const RoundOptions& options,
                     Step phases, bool may_owe)
    : PartPlay(std::move(part), own_loads, in_whole_rounds(options, phases), phases, may_owe),
      phases_(phases) {}

void DealParts::start() {
    guard([&] {
        rows_ = PartRows(part_);
        number_arcs();
        make_room();
        start_nodes(taken_.size());
    });
    agree();
}

// Pairs the two ends of every link. The far ends of cut links stand by rank, then by (far node, own
// node): the order in which their owner lists them.
void DealParts::number_arcs() {
    const std::uint64_t own_arcs = rows_.neighbours.size();
    struct Cut {
        NodeId own = 0;
        NodeId far = 0;
        std::uint64_t arc = 0;
    };
    std::map<int, std::vector<Cut>> cut;
    std::vector<std::pair<NodeId, NodeId>> pairs;
    std::vector<std::uint64_t> next(rows_.offsets.begin(), rows_.offsets.end());
    reverse_.resize(own_arcs);
    for (NodeId node = 0; node < part_.own_count(); ++node) {
        bool is_boundary = false;
        for (std::uint64_t arc = first_arc(node); arc < first_arc(node + 1); ++arc) {
            const NodeId other = rows_.neighbours[arc];
            if (part_.owns(other)) {
                degrees_.push_back(degree(other));
                // Nodes come in ascending order, and so do the neighbours of `other`.
                while (rows_.neighbours[next[other]] != node)
                    ++next[other];
                reverse_[arc] = next[other];
                continue;
            }
            is_boundary = true;
            degrees_.push_back(part_.degree(other));
            cut[part_.partition().owner(part_.global(other))].push_back(
                {part_.global(node), part_.global(other), arc});
            pairs.emplace_back(node, other);
        }
        (is_boundary ? boundary_ : inner_).push_back(node);
    }
    std::uint64_t far = own_arcs;
    for (auto& [rank, arcs] : cut) {
        Crossing crossing{rank, {}, far};
        for (const Cut& at : arcs)
            crossing.own.push_back(at.arc);
        std::sort(arcs.begin(), arcs.end(), [](const Cut& a, const Cut& b) {
            return std::tie(a.far, a.own) < std::tie(b.far, b.own);
        });
        for (const Cut& at : arcs)
            reverse_[at.arc] = far++;
        crossings_.push_back(std::move(crossing));
    }
    taken_.resize(far);
    halo_ = HaloPlan(part_, pairs);
    sent_arcs_.resize(crossings_.size());
}

// Tells the other ends of cut links the values of own arcs.
void DealParts::begin_arcs(std::span<std::byte> values, std::size_t size) {
    std::vector<Fabric::Outgoing> out;
    std::vector<Fabric::Incoming> in;
    for (std::size_t i = 0; i < crossings_.size(); ++i) {
        const Crossing& crossing = crossings_[i];
        sent_arcs_[i].resize(crossing.own.size() * size);
        for (std::size_t k = 0; k < crossing.own.size(); ++k)
            std::memcpy(sent_arcs_[i].data() + k * size, values.data() + crossing.own[k] * size,
                        size);
        out.push_back({crossing.rank, sent_arcs_[i]});
        in.push_back(
            {crossing.rank, values.subspan(crossing.first_far * size, crossing.own.size() * size)});
    }
    fabric_.begin_exchange(out, in);
}

bool DealParts::any_steep_link() const {
    for (NodeId node = 0; node < part_.own_count(); ++node)
        for (const NodeId other : rows_.of(node))
            if (is_steep(loads_[node] - loads_[other])) return true;
    return false;
}

// By the lower end's rank, in the order of links.
void DealParts::note_transfers(Step now) {
    for (NodeId own = 0; own < part_.own_count(); ++own)
        for (Port port = 0; port < degree(own); ++port) {
            const NodeId node = part_.global(own);
            const NodeId other = part_.global(rows_.of(own)[port]);
            const std::uint64_t arc = first_arc(own) + port;
            const Tokens flow = taken_[reverse_[arc]] - taken_[arc];
            if (other < node || flow == 0) continue;
            transfers_.push_back(
                {part_.link(own, port), model::transfer_of(now, node, other, flow)});
        }
}

StepTotals DealParts::play(Step now) {
    begin_halo(halo_);
    guard([&] { propose(inner_, now); });
    finish_halo(halo_);
    guard([&] { propose(boundary_, now); });

    begin_arcs(proposal_bytes(), proposal_size());
    guard([&] { accept(inner_, now); });
    fabric_.finish_exchange();
    guard([&] { accept(boundary_, now); });

    if (!knows_answers() || wants_transfers_) {
        begin_arcs(std::as_writable_bytes(std::span<Tokens>(taken_)), sizeof(Tokens));
        fabric_.finish_exchange();
    }
    StepTotals totals;
    guard([&] {
        if (wants_transfers_) note_transfers(now);
        totals.steep = options_.stop.stable_steps.has_value() && any_steep_link();
        settle(now, totals);
    });
    // All know how many messages a round takes.
    if (part_.rank() == 0) totals.messages = 2 * phases_ * part_.link_count();
    return totals;
}

}  // namespace equipoise::engine
