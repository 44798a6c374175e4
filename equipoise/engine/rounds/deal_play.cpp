#include "equipoise/engine/rounds/deal_play.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace equipoise::engine {

DealPlay::DealPlay(LoadedPart&& loaded, const RoundOptions& options, Step phases, bool may_owe)
    : RoundPlay(std::move(loaded), in_whole_rounds(options, phases), phases, may_owe),
      phases_(phases) {}

DealPlay::~DealPlay() = default;

void DealPlay::start() {
    guard([&] {
        rows_ = part_.rows();
        make_room();
        start_nodes();
    });
    agree();
    const LoadRange levels = open_range();
    const DealSetting setting{part_,
                              loads(),
                              wants_transfers_,
                              options_.environment != nullptr,
                              live_.has_value(),
                              !options_.speeds.empty(),
                              levels.least,
                              levels.most,
                              degree_most()};
    std::size_t body = 0;
    guard([&] { body = first_body(setting); });
    // Later bodies serve more runs, so the latest body that any rank has chosen serves on all of
    // them.
    body = static_cast<std::size_t>(largest(static_cast<std::int64_t>(body)));
    Values told;
    guard([&] {
        take_body(body, setting);
        arcs_.count = rows_.neighbours.size();
        if (!part_.whole()) number_far_arcs();
        if (needs_arcs()) pair_arcs();
        make_arcs();
        told = told_once();
    });
    agree();
    begin_arcs(told);
    finish_arcs(told);
    hear_once();
    take_up_states();
}

// The two ends of a link follow each other, that of the lower-numbered node first.
std::optional<KeptValues> DealPlay::kept_links() {
    const Values values = port_memory();
    if (values.size == 0) return std::nullopt;
    struct Numbered {
        std::uint64_t number = 0;
        std::uint64_t arc = 0;
    };
    std::vector<Numbered> arcs;
    for (NodeId node = 0; node < part_.own_count(); ++node)
        for (Port port = 0; port < rows_.degree(node); ++port) {
            const bool second = part_.global(rows_.of(node)[port]) < part_.global(node);
            arcs.push_back({2 * std::uint64_t{part_.link(node, port)} + (second ? 1 : 0),
                            rows_.first_arc(node) + port});
        }
    std::sort(arcs.begin(), arcs.end(),
              [](const Numbered& a, const Numbered& b) { return a.number < b.number; });
    KeptValues kept{"port states", 2 * std::uint64_t{part_.link_count()}, values.size};
    kept.own_end = kept.count;
    const auto visit = [arcs = std::move(arcs)](std::uint64_t begin, std::uint64_t end,
                                                const auto& use) {
        auto at = std::lower_bound(
            arcs.begin(), arcs.end(), begin,
            [](const Numbered& one, std::uint64_t number) { return one.number < number; });
        for (; at != arcs.end() && at->number < end; ++at)
            use(*at);
    };
    const std::size_t size = values.size;
    std::byte* const bytes = values.bytes.data();
    kept.give = [=](std::uint64_t begin, std::uint64_t end, KeptValues::Own& own) {
        visit(begin, end, [&](const Numbered& one) {
            own.numbers.push_back(one.number);
            const std::byte* const state = bytes + one.arc * size;
            own.bytes.insert(own.bytes.end(), state, state + size);
        });
    };
    kept.take = [=](std::uint64_t first, std::span<const std::byte> from, std::size_t /*size*/) {
        visit(first, first + from.size() / size, [&](const Numbered& one) {
            std::copy_n(from.data() + (one.number - first) * size, size, bytes + one.arc * size);
        });
    };
    return kept;
}

NodeSet DealPlay::inner() const {
    if (part_.whole()) return {part_.own_count(), {}, false};
    return {static_cast<NodeId>(inner_.size()), inner_, false};
}

NodeSet DealPlay::boundary() const {
    return {static_cast<NodeId>(boundary_.size()), boundary_, true};
}

// The far ends of links to other ranks are sorted by rank, then by (far node, own node), the order
// in which their owner lists them.
void DealPlay::number_far_arcs() {
    struct Cut {
        NodeId own = 0;
        NodeId far = 0;
        Arcs::Far end;
    };
    std::map<int, std::vector<Cut>> cut;
    std::vector<std::pair<NodeId, NodeId>> pairs;
    for (NodeId node = 0; node < part_.own_count(); ++node) {
        bool is_boundary = false;
        for (std::uint64_t arc = rows_.first_arc(node); arc < rows_.first_arc(node + 1); ++arc) {
            const NodeId other = rows_.neighbours[arc];
            if (part_.owns(other)) continue;
            is_boundary = true;
            const NodeId far = part_.global(other);
            cut[part_.partition().owner(far)].push_back({part_.global(node), far, {arc, node}});
            pairs.emplace_back(node, other);
        }
        (is_boundary ? boundary_ : inner_).push_back(node);
    }
    arcs_.far.reserve(pairs.size());
    for (auto& [rank, links] : cut) {
        Crossing crossing{rank, {}, arcs_.count + arcs_.far.size()};
        std::sort(links.begin(), links.end(), [](const Cut& a, const Cut& b) {
            return std::tie(a.own, a.far) < std::tie(b.own, b.far);
        });
        for (const Cut& link : links)
            crossing.own.push_back(link.end.arc);
        std::sort(links.begin(), links.end(), [](const Cut& a, const Cut& b) {
            return std::tie(a.far, a.own) < std::tie(b.far, b.own);
        });
        for (const Cut& link : links)
            arcs_.far.push_back(link.end);
        crossings_.push_back(std::move(crossing));
    }
    arcs_.count += arcs_.far.size();
    halo_ = HaloPlan(part_, pairs);
    sent_arcs_.resize(crossings_.size());
}

// Pairs the two ends of every link. Nodes come in ascending order of their numbers, and so do the
// neighbours of each node.
void DealPlay::pair_arcs() {
    arcs_.reverse.resize(arcs_.first_far());
    arcs_.degrees.resize(arcs_.first_far());
    std::vector<std::uint64_t> next(rows_.offsets.begin(), rows_.offsets.end());
    for (const NodeId node : part_.own_by_number())
        for (std::uint64_t arc = rows_.first_arc(node); arc < rows_.first_arc(node + 1); ++arc) {
            const NodeId other = rows_.neighbours[arc];
            if (!part_.owns(other)) {
                arcs_.degrees[arc] = part_.degree(other);
                continue;
            }
            arcs_.degrees[arc] = rows_.degree(other);
            while (rows_.neighbours[next[other]] != node)
                ++next[other];
            arcs_.reverse[arc] = next[other];
        }
    for (std::size_t i = 0; i < arcs_.far.size(); ++i)
        arcs_.reverse[arcs_.far[i].arc] = arcs_.first_far() + i;
    arcs_.taken.resize(arcs_.count);
}

Port DealPlay::degree_most() {
    Port own = 0;
    for (NodeId node = 0; node < part_.own_count(); ++node)
        own = std::max(own, rows_.degree(node));
    return static_cast<Port>(largest(own));
}

void DealPlay::begin_arcs(const Values& values) {
    if (alone() || values.size == 0) return;
    std::vector<Fabric::Outgoing> out;
    std::vector<Fabric::Incoming> in;
    for (std::size_t i = 0; i < crossings_.size(); ++i) {
        const Crossing& crossing = crossings_[i];
        sent_arcs_[i].resize(crossing.own.size() * values.size);
        std::byte* to = sent_arcs_[i].data();
        for (const std::uint64_t arc : crossing.own)
            to = std::copy_n(values.bytes.data() + arc * values.size, values.size, to);
        out.push_back({crossing.rank, sent_arcs_[i]});
        in.push_back({crossing.rank, values.bytes.subspan(crossing.first_far * values.size,
                                                          crossing.own.size() * values.size)});
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

// Sorted by the rank of the lower end, then in the order of links.
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

    const std::array<Values, 1> by_nodes = {told_by_nodes()};
    const Values by_arcs = told_by_arcs();
    if (by_nodes[0].size > 0) begin_nodes(halo_, by_nodes);
    begin_arcs(by_arcs);
    guard([&] { accept(inner(), now); });
    if (by_nodes[0].size > 0) finish_nodes(halo_, by_nodes);
    finish_arcs(by_arcs);
    guard([&] { accept(boundary(), now); });

    const Values answered = answers();
    begin_arcs(answered);
    finish_arcs(answered);
    StepTotals totals;
    guard([&] {
        if (wants_transfers_) note_transfers(now);
        totals.steep = options_.stop.stable_steps.has_value() && any_steep_link();
        settle(now, totals);
    });
    // Every rank knows how many messages a round takes.
    if (part_.rank() == 0)
        totals.messages = 2 * phases_ * (live_ ? live_->live_link_count() : part_.link_count());
    return totals;
}

}  // namespace equipoise::engine
