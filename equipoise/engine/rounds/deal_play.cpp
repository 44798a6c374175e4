#include "equipoise/engine/rounds/deal_play.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

namespace equipoise::engine {

DealPlay::DealPlay(Part part, load::Loads own_loads, const RoundOptions& options, Step phases,
                   bool may_owe)
    : RoundPlay(std::move(part), std::move(own_loads), in_whole_rounds(options, phases), phases,
                may_owe),
      phases_(phases) {}

void DealPlay::start() {
    guard([&] {
        rows_ = part_.rows();
        make_room();
        start_nodes();
    });
    agree();
    const DealSetting setting{part_,
                              loads(),
                              wants_transfers_,
                              options_.environment != nullptr,
                              live_.has_value(),
                              !options_.speeds.empty()};
    std::size_t body = 0;
    guard([&] { body = first_body(setting); });
    // Later bodies serve more: what serves the last of the ranks serves all.
    body = static_cast<std::size_t>(largest(static_cast<std::int64_t>(body)));
    guard([&] {
        take_body(body, setting);
        if (!needs_arcs()) return;
        number_arcs();
        make_arcs(arcs_.count);
    });
    agree();
}

NodeSet DealPlay::inner() const {
    if (part_.whole()) return {part_.own_count(), {}, false};
    return {static_cast<NodeId>(inner_.size()), inner_, false};
}

NodeSet DealPlay::boundary() const {
    return {static_cast<NodeId>(boundary_.size()), boundary_, true};
}

// Pairs the two ends of every link. The far ends of cut links stand by rank, then by (far node, own
// node): the order in which their owner lists them.
void DealPlay::number_arcs() {
    const std::uint64_t own_arcs = rows_.neighbours.size();
    struct Cut {
        NodeId own = 0;
        NodeId far = 0;
        std::uint64_t arc = 0;
    };
    std::map<int, std::vector<Cut>> cut;
    std::vector<std::pair<NodeId, NodeId>> pairs;
    std::vector<std::uint64_t> next(rows_.offsets.begin(), rows_.offsets.end());
    arcs_.reverse.resize(own_arcs);
    for (NodeId node = 0; node < part_.own_count(); ++node) {
        bool is_boundary = false;
        for (std::uint64_t arc = rows_.first_arc(node); arc < rows_.first_arc(node + 1); ++arc) {
            const NodeId other = rows_.neighbours[arc];
            if (part_.owns(other)) {
                arcs_.degrees.push_back(rows_.degree(other));
                // Nodes come in ascending order, and so do the neighbours of `other`.
                while (rows_.neighbours[next[other]] != node)
                    ++next[other];
                arcs_.reverse[arc] = next[other];
                continue;
            }
            is_boundary = true;
            arcs_.degrees.push_back(part_.degree(other));
            cut[part_.partition().owner(part_.global(other))].push_back(
                {part_.global(node), part_.global(other), arc});
            pairs.emplace_back(node, other);
        }
        if (!part_.whole()) (is_boundary ? boundary_ : inner_).push_back(node);
    }
    arcs_.count = own_arcs;
    std::uint64_t& far = arcs_.count;
    for (auto& [rank, arcs] : cut) {
        Crossing crossing{rank, {}, far};
        for (const Cut& at : arcs)
            crossing.own.push_back(at.arc);
        std::sort(arcs.begin(), arcs.end(), [](const Cut& a, const Cut& b) {
            return std::tie(a.far, a.own) < std::tie(b.far, b.own);
        });
        for (const Cut& at : arcs)
            arcs_.reverse[at.arc] = far++;
        crossings_.push_back(std::move(crossing));
    }
    arcs_.taken.resize(far);
    halo_ = HaloPlan(part_, pairs);
    sent_arcs_.resize(crossings_.size());
}

// Tells the other ends of cut links the values of own arcs.
void DealPlay::begin_arcs(std::span<std::byte> values, std::size_t size) {
    if (alone()) return;
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
    fabric_->begin_exchange(out, in);
}

bool DealPlay::any_steep_link() const {
    for (NodeId node = 0; node < part_.own_count(); ++node)
        for (const NodeId other : rows_.of(node))
            if (is_steep(loads_[node] - loads_[other]) && (!live_ || live_->live(node, other)))
                return true;
    return false;
}

// By the lower end's rank, in the order of links.
void DealPlay::note_transfers(Step now) {
    for (NodeId own = 0; own < part_.own_count(); ++own)
        for (Port port = 0; port < rows_.degree(own); ++port) {
            const NodeId other = rows_.of(own)[port];
            if (part_.global(other) < part_.global(own)) continue;
            const std::uint64_t arc = rows_.first_arc(own) + port;
            note(part_.link(own, port), {own, other},
                 arcs_.taken[arcs_.reverse[arc]] - arcs_.taken[arc], now);
        }
}

StepTotals DealPlay::play(Step now) {
    begin_halo(halo_);
    guard([&] { propose(inner(), now); });
    finish_halo(halo_);
    guard([&] { propose(boundary(), now); });

    begin_arcs(proposal_bytes(), proposal_size());
    guard([&] { accept(inner(), now); });
    finish_arcs();
    guard([&] { accept(boundary(), now); });

    if (answers()) {
        begin_arcs(std::as_writable_bytes(std::span<Tokens>(arcs_.taken)), sizeof(Tokens));
        finish_arcs();
    }
    StepTotals totals;
    guard([&] {
        if (wants_transfers_) note_transfers(now);
        totals.steep = options_.stop.stable_steps.has_value() && any_steep_link();
        settle(now, totals);
    });
    // All know how many messages a round takes.
    if (part_.rank() == 0)
        totals.messages = 2 * phases_ * (live_ ? live_->live_link_count() : part_.link_count());
    return totals;
}

}  // namespace equipoise::engine
