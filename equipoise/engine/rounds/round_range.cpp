// The range of all loads, step by step: from it follow the discrepancy and since when it holds.

#include "equipoise/engine/rounds/round_play.hpp"

namespace equipoise::engine {

LoadRange RoundPlay::open_range() {
    find_range();
    control_->note_least_load(range_.least);
    note_discrepancy();
    return range_;
}

void RoundPlay::note_discrepancy() {
    control_->note_discrepancy(range_.most - range_.least, gap_);
    gap_ = false;
}

void RoundPlay::find_range() {
    Fabric::Tally mine;
    mine.maxima[0] = mine.maxima[1] = -tokens_max;
    if (part_.own_count() > 0) {
        const LoadRange own = extreme_nodes_.look(workers_, loads_now(), part_.own_count());
        mine.maxima[0] = -own.least;
        mine.maxima[1] = own.most;
    }
    const Fabric::Tally all = alone() ? mine : fabric_->reduce(mine);
    range_ = part_.node_count() == 0 ? LoadRange{} : LoadRange{-all.maxima[0], all.maxima[1]};
    range_known_ = true;
}

// A look takes as long as one or two of the fastest steps, so that in large networks one in 128
// steps costs at most two in a hundred.
bool RoundPlay::may_look(std::uint64_t looked, NodeId count) const {
    constexpr Step steps_a_look = 128;
    constexpr std::uint64_t looks_at_first = 2;
    return part_.node_count() <= options_.nodes_always_followed ||
           looked / count < looks_at_first + control_->costs().steps / steps_a_look;
}

std::optional<NodeId> RoundPlay::own_neighbour(NodeId node, Port port) const {
    const NodeId other = part_.neighbour(node, port);
    if (part_.whole()) return other;
    if (!part_.partition().consecutive()) return std::nullopt;
    const NodeId first = part_.global(0);
    if (other < first || other - first >= part_.own_count()) return std::nullopt;
    return other - first;
}

LoadRange RoundPlay::look_at_own(const StepTotals& totals) {
    looked_at_all_ = false;
    const bool rests = alone() && options_.environment == nullptr && totals.exchanges == 0 &&
                       totals.created == 0 && totals.destroyed == 0;
    if (rests && range_known_) return range_;
    if (const auto known = own_range()) return *known;
    const PackedLoads loads = loads_now();
    const NodeId count = part_.own_count();
    if (!keeps_range()) return extreme_nodes_.look(workers_, loads, count);
    extreme_nodes_.step_aside(loads, [&](NodeId node, const auto& look) {
        for (Port port = 0; port < part_.degree(node); ++port)
            if (const auto other = own_neighbour(node, port)) look(*other);
    });
    if (may_look(own_looked_, count)) {
        const std::uint64_t looked = extreme_nodes_.follow(workers_, loads, count, range_);
        own_looked_ += looked;
        looked_at_all_ = looked == count;
    }
    return extreme_nodes_.at(loads);
}

// Where steps keep the range and nodes that were seen still hold both its ends, it is what it was,
// and was so all the time. If not, all ranks look at their loads, together.
void RoundPlay::take_range(const Standing& all) {
    if (part_.node_count() == 0) return;
    const LoadRange seen{-all.lowest, all.highest};
    range_known_ = !keeps_range() || seen == range_ || (alone() && looked_at_all_);
    if (range_known_) {
        range_ = seen;
        return;
    }
    const auto& goal = options_.stop.discrepancy;
    const bool may_be_reached = goal && seen.most - seen.least <= *goal;
    const bool may = !alone() && may_look(all_looked_, part_.node_count());
    if (!may && !may_be_reached) return;
    find_range();
    all_looked_ += part_.node_count();
}

void RoundPlay::know_range() {
    if (range_known_) return;
    find_range();
    note_discrepancy();
}

}  // namespace equipoise::engine
