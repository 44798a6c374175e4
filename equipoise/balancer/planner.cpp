#include "equipoise/balancer/planner.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>

#include "equipoise/load/targets.hpp"
#include "equipoise/mpi/topology.hpp"
#include "equipoise/placement/flow_rounds.hpp"
#include "equipoise/placement/layout.hpp"
#include "equipoise/placement/matching.hpp"
#include "equipoise/placement/targets.hpp"

namespace equipoise::balancer {

namespace {

constexpr std::size_t words_max = 5;  // count, pinned, speed, machine, socket

template <class Number>
Spread<Number> spread_of(std::span<const Number> values) {
    Spread<Number> spread;
    spread.least = *std::min_element(values.begin(), values.end());
    spread.most = *std::max_element(values.begin(), values.end());
    spread.average =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    return spread;
}

std::vector<Tokens> after(std::span<const Tokens> before, std::span<const Transfer> transfers) {
    std::vector<Tokens> sizes(before.begin(), before.end());
    for (const Transfer& transfer : transfers) {
        sizes[static_cast<std::size_t>(transfer.from)] -= transfer.items;
        sizes[static_cast<std::size_t>(transfer.to)] += transfer.items;
    }
    return sizes;
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

CountPlanner::CountPlanner(const mpi::Communicator& communicator, const Options& options)
    : communicator_(&communicator),
      options_(&options),
      ranks_(static_cast<std::size_t>(communicator.size())),
      words_(words_max * ranks_) {
    if (options.policy == Policy::hierarchical) {
        machine_.resize(ranks_);
        socket_.resize(ranks_);
    }
}

void CountPlanner::plan(const Census& census, Plan::Data& plan, engine::LocalFailure& failure) {
    gather(census, plan.size_before);
    if (options_->policy == Policy::neighbours_only) {
        const std::vector<Ends> links = mpi::gather_links(*communicator_);
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
        const std::vector<Tokens> wanted = targets(census);
        switch (options_->policy) {
            case Policy::keep_order:
                plan.transfers = placement::match_in_order(counts_, wanted);
                plan.rounds = {placement::layout_in_order(plan.transfers, communicator_->rank(),
                                                          plan.size_before)};
                break;
            case Policy::hierarchical:
                plan.transfers = placement::match_hierarchically(counts_, wanted, places());
                break;
            default:
                plan.transfers = placement::match_surpluses(counts_, wanted);
        }
        if (plan.rounds.empty())
            plan.rounds = {
                placement::layout_at_end(plan.transfers, communicator_->rank(), plan.size_before)};
        plan.report.minimum = placement::surplus(counts_, wanted);
        fill_in(plan);
    });
}

void CountPlanner::plan_over_links(const std::vector<Ends>& links, Plan::Data& plan) const {
    const std::vector<Transfer> transfers =
        options_->transfers_over_links(links, counts_, speeds_, options_->algorithm);
    Tokens size = plan.size_before;
    for (const auto& round : placement::rounds_of(placement::net_flows(transfers), counts_)) {
        plan.rounds.push_back(placement::layout_at_end(round, communicator_->rank(), size));
        size = plan.rounds.back().size_after;
        plan.transfers.insert(plan.transfers.end(), round.begin(), round.end());
    }
}

void CountPlanner::gather(const Census& census, Tokens count) {
    std::array<std::int64_t, words_max> mine = {count};
    std::size_t used = 1;
    if (census.any_pinned) mine[used++] = options_->pinned;
    if (census.any_speed) mine[used++] = std::bit_cast<std::int64_t>(options_->speed);
    if (options_->machine) mine[used++] = *options_->machine;
    if (options_->socket) mine[used++] = *options_->socket;
    words_.resize(used * ranks_);
    communicator_->all_gather(std::span(mine).first(used), words_);
    if (options_->policy == Policy::hierarchical && !options_->machine) {
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
    if (census.any_speed)
        each(speeds_, [](std::int64_t word) { return std::bit_cast<double>(word); });
    const auto colour = [](std::int64_t word) { return static_cast<int>(word); };
    if (options_->machine) {
        each(machine_, colour);
        socket_ = machine_;
    }
    if (options_->socket) each(socket_, colour);
}

std::vector<Tokens> CountPlanner::targets(const Census& census) const {
    if (!census.any_pinned && !census.any_speed) {
        if (options_->policy == Policy::keep_order)
            return load::even_targets(census.items, static_cast<NodeId>(ranks_));
        if (options_->policy == Policy::hierarchical)
            return placement::hierarchical_targets(counts_, places());
    }
    return placement::level_targets({counts_, pinned_, speeds_});
}

void CountPlanner::fill_in(Plan::Data& plan) const {
    note_counts(counts_, plan);
    plan.report.rounds = plan.transfers.empty() ? 0 : plan.rounds.size();
    if (options_->policy == Policy::hierarchical)
        plan.report.between_machines = placement::items_between(plan.transfers, machine_);
    const std::vector<Tokens> sizes = after(counts_, plan.transfers);
    plan.slowest_before = slowest(std::vector<double>(counts_.begin(), counts_.end()), speeds_);
    plan.slowest_after = slowest(std::vector<double>(sizes.begin(), sizes.end()), speeds_);
}

WeightPlanner::WeightPlanner(const mpi::Communicator& communicator, const Options& options)
    : communicator_(&communicator),
      options_(&options),
      ranks_(static_cast<std::size_t>(communicator.size())),
      numbers_(3 * ranks_),
      counts_(2 * ranks_),
      words_(std::size_t{6} * ranks_),
      parcel_words_(ranks_),
      parcel_firsts_(ranks_),
      speeds_(ranks_),
      parts_(ranks_) {}

void WeightPlanner::plan(Plan::Data& plan, engine::LocalFailure& failure) {
    gather_targets(failure);
    gather_cuts(failure);
    gather_parcels(failure);
    failure.guard([&] { fill_in(plan); });
}

// The words gathered: weight, pinned weight, speed.
void WeightPlanner::gather_targets(engine::LocalFailure& failure) {
    const std::span<const double> weights = options_->weights;
    const auto sum = [](std::span<const double> some) {
        return std::accumulate(some.begin(), some.end(), 0.0);
    };
    const std::array<double, 3> mine = {
        sum(weights), sum(weights.first(static_cast<std::size_t>(options_->pinned))),
        options_->speed};
    communicator_->all_gather(mine, numbers_);
    failure.guard([&] {
        std::vector<double> loads(ranks_);
        std::vector<double> pinned(ranks_);
        for (std::size_t rank = 0; rank < ranks_; ++rank) {
            loads[rank] = numbers_[3 * rank];
            pinned[rank] = numbers_[3 * rank + 1];
            speeds_[rank] = numbers_[3 * rank + 2];
        }
        const std::vector<double> targets = placement::weight_targets(loads, pinned, speeds_);
        for (std::size_t rank = 0; rank < ranks_; ++rank) {
            parts_[rank].weight = loads[rank];
            parts_[rank].target = targets[rank];
        }
        const auto mine_too = static_cast<std::size_t>(communicator_->rank());
        cut_ = placement::cut_at(weights, options_->pinned, targets[mine_too]);
    });
}

// The words gathered: weight kept by the lower cut, weight of the next item.
void WeightPlanner::gather_cuts(engine::LocalFailure& failure) {
    const std::array<double, 2> mine = {cut_.kept_weight, cut_.next_weight};
    communicator_->all_gather(mine, std::span(numbers_).first(2 * ranks_));
    failure.guard([&] {
        for (std::size_t rank = 0; rank < ranks_; ++rank) {
            parts_[rank].kept_weight = numbers_[2 * rank];
            parts_[rank].next_weight = numbers_[2 * rank + 1];
        }
        const placement::WeightedLines lines = placement::weighted_lines(parts_);
        const auto rank = static_cast<std::size_t>(communicator_->rank());
        const Tokens kept = cut_.kept + (lines.keeps_next[rank] ? 1 : 0);
        parcels_ =
            placement::weighted_parcels(lines, communicator_->rank(), options_->weights, kept);
    });
    if (failure.failed()) parcels_.clear();
}

// Gathers first the number of parcels and items of every rank, then the parcels as (to, items,
// weight).
void WeightPlanner::gather_parcels(engine::LocalFailure& failure) {
    std::vector<std::int64_t> mine;
    failure.guard([&] {
        for (const placement::WeightedParcel& parcel : parcels_) {
            mine.push_back(parcel.to);
            mine.push_back(parcel.items);
            mine.push_back(std::bit_cast<std::int64_t>(parcel.weight));
        }
    });
    if (failure.failed()) mine.clear();
    const std::array<std::int64_t, 2> sizes = {static_cast<std::int64_t>(mine.size()),
                                               static_cast<std::int64_t>(options_->weights.size())};
    communicator_->all_gather(sizes, counts_);
    int total = 0;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        parcel_words_[rank] = static_cast<int>(counts_[2 * rank]);
        parcel_firsts_[rank] = total;
        total += parcel_words_[rank];
    }
    // There are fewer parcels than givers and takers together; see match_surpluses.
    words_.resize(static_cast<std::size_t>(total));
    communicator_->all_gather(mine, words_, parcel_words_, parcel_firsts_);
}

void WeightPlanner::fill_in(Plan::Data& plan) {
    std::vector<double> before(ranks_);
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        before[rank] = parts_[rank].weight;
    std::vector<double> after = before;
    for (std::size_t from = 0; from < ranks_; ++from) {
        const auto first = static_cast<std::size_t>(parcel_firsts_[from]);
        const auto words = static_cast<std::size_t>(parcel_words_[from]);
        for (std::size_t word = first; word < first + words; word += 3) {
            const int to = static_cast<int>(words_[word]);
            const double weight = std::bit_cast<double>(words_[word + 2]);
            plan.transfers.push_back({static_cast<int>(from), to, words_[word + 1]});
            after[from] -= weight;
            after[static_cast<std::size_t>(to)] += weight;
        }
    }
    const auto furthest = [&](std::span<const double> loads) {
        double most = 0;
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            most = std::max(most, std::abs(loads[rank] - parts_[rank].target));
        return most;
    };
    // A plan that brings no rank nearer to its target is worse than none.
    if (furthest(after) >= furthest(before)) {
        plan.transfers.clear();
        after = before;
    }
    std::vector<Tokens> sizes(ranks_);
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        sizes[rank] = counts_[2 * rank + 1];
    note_counts(sizes, plan);
    plan.report.minimum.reset();
    plan.report.rounds = plan.transfers.empty() ? 0 : 1;
    plan.report.weight_before = spread_of(std::span<const double>(before));
    plan.report.weight_after = spread_of(std::span<const double>(after));
    plan.slowest_before = slowest(before, speeds_);
    plan.slowest_after = slowest(after, speeds_);
    plan.rounds = {
        placement::layout_at_end(plan.transfers, communicator_->rank(), plan.size_before)};
}

}  // namespace equipoise::balancer
