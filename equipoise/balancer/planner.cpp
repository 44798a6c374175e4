#include "equipoise/balancer/planner.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>
#include <tuple>

#include "equipoise/base/error.hpp"
#include "equipoise/mpi/topology.hpp"
#include "equipoise/placement/flow_rounds.hpp"
#include "equipoise/placement/gossip.hpp"
#include "equipoise/placement/matching.hpp"
#include "equipoise/placement/order_sizes.hpp"
#include "equipoise/placement/rank_moves.hpp"
#include "equipoise/placement/targets.hpp"

namespace equipoise::balancer {

namespace {

std::vector<Tokens> after(std::span<const Tokens> before, std::span<const Transfer> transfers) {
    std::vector<Tokens> sizes(before.begin(), before.end());
    for (const Transfer& transfer : transfers) {
        sizes[static_cast<std::size_t>(transfer.from)] -= transfer.items;
        sizes[static_cast<std::size_t>(transfer.to)] += transfer.items;
    }
    return sizes;
}

void expect_items(Int128 items) {
    if (items > tokens_max)
        throw InputError("expected at most 2^61 - 1 items on all ranks together, found more");
}

}  // namespace

double slowest(std::span<const double> loads, std::span<const double> speeds) {
    double most = 0;
    for (std::size_t rank = 0; rank < loads.size(); ++rank) {
        const double speed = speeds.empty() ? 1.0 : speeds[rank];
        if (loads[rank] <= 0) continue;
        if (speed <= 0) return std::numeric_limits<double>::infinity();
        most = std::max(most, loads[rank] / speed);
    }
    return most;
}

void note_counts(std::span<const Tokens> before, Plan::Data& plan) {
    Report& report = plan.report;
    report.moved = placement::items_moved(plan.transfers);
    report.messages = plan.transfers.size();
    report.before = spread_of(before);
    report.after = spread_of(std::span<const Tokens>(after(before, plan.transfers)));
}

CountPlanner::CountPlanner(const mpi::Communicator& communicator, Tokens count,
                           const Options& options)
    : communicator_(&communicator),
      options_(&options),
      ranks_(static_cast<std::size_t>(communicator.size())),
      mine_{count,
            options.pinned,
            options.items_max.value_or(tokens_max),
            std::bit_cast<std::int64_t>(options.speed),
            options.machine.value_or(0),
            options.socket.value_or(0)},
      words_(mine_.size() * ranks_) {
    if (needs_machines()) {
        machine_.resize(ranks_);
        socket_.resize(ranks_);
    }
}

void CountPlanner::plan(const Census& census, Plan::Data& plan, engine::LocalFailure& failure) {
    gather(census);
    if (options_->policy == Policy::neighbours_only) {
        const std::vector<Ends>& links = mpi::gather_links(*communicator_);
        failure.guard([&] {
            read_words(census);
            plan_over_links(links, plan);
            plan.report.minimum = placement::surplus(counts_, after(counts_, plan.transfers));
            fill_in(plan);
        });
        return;
    }
    failure.guard([&] {
        read_words(census);
        const std::vector<Tokens> wanted = targets();
        switch (options_->policy) {
            case Policy::keep_order:
                plan.transfers = placement::match_in_order(counts_, wanted);
                plan.rounds = {placement::moves_in_order(plan.transfers, communicator_->rank(),
                                                         plan.size_before)};
                break;
            case Policy::random_pairs:
                take_rounds(placement::random_pair_rounds(counts_), plan);
                break;
            case Policy::hierarchical:
                plan.transfers = placement::match_hierarchically(counts_, wanted, places());
                break;
            default:
                plan.transfers = placement::match_surpluses(counts_, wanted);
        }
        if (plan.rounds.empty())
            plan.rounds = {
                placement::moves_at_end(plan.transfers, communicator_->rank(), plan.size_before)};
        plan.report.minimum = placement::surplus(counts_, after(counts_, plan.transfers));
        fill_in(plan);
    });
}

// If loads are level, neighbours_only plans nothing, but refuses everything that it would refuse
// otherwise.
void CountPlanner::settle(const Census& census, Plan::Data& plan,
                          engine::LocalFailure& failure) const {
    plan.report.before = {census.least, census.most,
                          static_cast<double>(census.items) / static_cast<double>(ranks_)};
    plan.report.after = plan.report.before;
    failure.guard([&] { expect_items(Int128{census.least} * Int128{ranks_}); });
    if (failure.failed()) return;
    plan.settled = options_->policy != Policy::neighbours_only;
    if (plan.settled) return;
    const std::vector<Ends>& links = mpi::gather_links(*communicator_);
    failure.guard([&] {
        // The right number of ranks with each count, though perhaps not the right ranks.
        std::vector<Tokens> counts(ranks_, census.least);
        const Tokens fuller = census.items - census.least * static_cast<Tokens>(ranks_);
        std::fill_n(counts.begin(), fuller, census.most);
        options_->neighbour_planner->expect_suitable(links, counts, options_->algorithm);
    });
}

void CountPlanner::plan_over_links(const std::vector<Ends>& links, Plan::Data& plan) const {
    const std::vector<Transfer> transfers =
        options_->neighbour_planner->transfers(links, counts_, speeds_, options_->algorithm);
    take_rounds(placement::rounds_of(placement::net_flows(transfers), counts_), plan);
}

void CountPlanner::take_rounds(const std::vector<std::vector<Transfer>>& rounds,
                               Plan::Data& plan) const {
    Tokens size = plan.size_before;
    for (const auto& round : rounds) {
        plan.rounds.push_back(placement::moves_at_end(round, communicator_->rank(), size));
        size = plan.rounds.back().size_after;
        plan.transfers.insert(plan.transfers.end(), round.begin(), round.end());
        plan.round_ends.push_back(plan.transfers.size());
    }
}

// Takes those of a rank's words that matter. Returns how many they are.
std::size_t CountPlanner::choose(const Census& census, std::span<const std::int64_t> from,
                                 std::span<std::int64_t> to) const {
    const std::array<bool, std::tuple_size_v<decltype(mine_)>> matters = {
        true,
        census.any_pinned,
        census.any_limited,
        census.any_speed,
        options_->machine.has_value(),
        options_->socket.has_value()};
    std::size_t used = 0;
    for (std::size_t word = 0; word < matters.size(); ++word)
        if (matters[word]) to[used++] = from[word];
    return used;
}

void CountPlanner::gather(const Census& census) {
    if (communicator_->votes_bring_words()) {
        std::size_t used = 0;
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            used += choose(census, communicator_->brought(static_cast<int>(rank)),
                           std::span(words_).subspan(used));
        words_.resize(used);
    } else {
        std::array<std::int64_t, std::tuple_size_v<decltype(mine_)>> chosen = {};
        const std::size_t used = choose(census, mine_, chosen);
        words_.resize(used * ranks_);
        communicator_->all_gather(std::span(chosen).first(used), words_);
    }
    if (needs_machines() && !options_->machine) {
        const mpi::Groups& groups = communicator_->groups();
        machine_ = groups.machine;
        socket_ = groups.socket;
    }
}

void CountPlanner::read_words(const Census& census) {
    const std::size_t stride = words_.size() / ranks_;
    std::size_t place = 0;
    const auto each = [&](auto& values, auto convert) {
        values.resize(ranks_);
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            values[rank] = convert(words_[rank * stride + place]);
        ++place;
    };
    each(counts_, [](std::int64_t word) { return word; });
    if (census.any_pinned) each(pinned_, [](std::int64_t word) { return word; });
    if (census.any_limited) each(most_, [](std::int64_t word) { return word; });
    if (census.any_speed)
        each(speeds_, [](std::int64_t word) { return std::bit_cast<double>(word); });
    const auto colour = [](std::int64_t word) { return static_cast<int>(word); };
    if (options_->machine) {
        each(machine_, colour);
        socket_ = machine_;
    }
    if (options_->socket) each(socket_, colour);
    expect_items(std::accumulate(counts_.begin(), counts_.end(), Int128{0}));
}

bool CountPlanner::needs_machines() const {
    return options_->policy == Policy::hierarchical || options_->machines_first;
}

std::vector<Tokens> CountPlanner::targets() const {
    if (options_->machines_first) return placement::order_sizes(counts_, speeds_, machine_);
    const placement::Demand demand = {counts_, pinned_, speeds_, most_};
    if (options_->policy == Policy::keep_order) return placement::lowest_targets(demand);
    if (options_->policy == Policy::hierarchical)
        return placement::hierarchical_targets(demand, places());
    return placement::level_targets(demand);
}

void CountPlanner::fill_in(Plan::Data& plan) const {
    note_counts(counts_, plan);
    plan.report.rounds = plan.transfers.empty() ? 0 : plan.rounds.size();
    if (needs_machines())
        plan.report.between_machines = placement::items_between(plan.transfers, machine_);
    const std::vector<Tokens> sizes = after(counts_, plan.transfers);
    plan.slowest_before = {slowest(std::vector<double>(counts_.begin(), counts_.end()), speeds_)};
    plan.slowest_after = {slowest(std::vector<double>(sizes.begin(), sizes.end()), speeds_)};
}

}  // namespace equipoise::balancer
