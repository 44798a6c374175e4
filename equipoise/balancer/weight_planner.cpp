#include "equipoise/balancer/weight_planner.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include "equipoise/balancer/planner.hpp"
#include "equipoise/placement/rank_moves.hpp"

namespace equipoise::balancer {

namespace {

using Step = placement::SharedPlan::Step;

constexpr std::int64_t failed_here = -1;
// Words that are gathered at once, on all ranks together, and those of each rank.
std::size_t first_words_of_all = std::size_t{1} << 13U;
constexpr std::size_t first_words_most = 520;
constexpr std::size_t first_words_least = 64;

// Each rank's sums, and its loads, are gathered in one call however many ranks there are.
std::size_t first_words_of(std::size_t ranks, std::size_t kinds) {
    return std::max(std::clamp(first_words_of_all / ranks, first_words_least, first_words_most),
                    placement::SharedPlan::load_words_max(kinds));
}

// Each rank's weight; with several kinds, the largest, in units of the kind's average.
std::vector<double> one_for_each_rank(std::span<const double> weights, std::size_t kinds) {
    if (kinds == 1) return {weights.begin(), weights.end()};
    const std::size_t ranks = weights.size() / kinds;
    std::vector<double> most(ranks, 0);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        double sum = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank)
            sum += weights[rank * kinds + kind];
        if (sum <= 0) continue;
        for (std::size_t rank = 0; rank < ranks; ++rank)
            most[rank] = std::max(most[rank],
                                  weights[rank * kinds + kind] / sum * static_cast<double>(ranks));
    }
    return most;
}

// By kind of weights.
std::vector<double> slowest_of_kinds(std::span<const double> weights, std::size_t kinds,
                                     std::span<const double> speeds) {
    std::vector<double> most(kinds);
    std::vector<double> loads(speeds.size());
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        for (std::size_t rank = 0; rank < loads.size(); ++rank)
            loads[rank] = weights[rank * kinds + kind];
        most[kind] = slowest(loads, speeds);
    }
    return most;
}

// Whether the last items of `size` leave, in the order of receivers.
bool leave_at_end(std::span<const placement::Departure> departures, Tokens size) {
    Tokens place = size - static_cast<Tokens>(departures.size());
    int to = 0;
    for (const placement::Departure& departure : departures) {
        if (departure.place != place++ || departure.to < to) return false;
        to = departure.to;
    }
    return true;
}

}  // namespace

std::size_t set_first_words(std::size_t of_all) {
    return std::exchange(first_words_of_all, of_all);
}

placement::PlaceOptions place_options(const Options& options) {
    return {.tolerance = options.tolerance,
            .weights_per_item = options.weights_per_item,
            .machines_first = options.machines_first};
}

placement::RankItems items_of(const Options& options) {
    return {.weights = options.weights.doubles(),
            .sizes = options.sizes.doubles(),
            .pinned = options.pinned,
            .speed = options.speed,
            .most = options.items_max.value_or(tokens_max),
            .bytes_most = options.bytes_max.value_or(std::numeric_limits<double>::infinity())};
}

int machine_of(const mpi::Communicator& communicator, const Options& options) {
    if (options.machines_first && !options.machine)
        return communicator.groups().machine[static_cast<std::size_t>(communicator.rank())];
    return options.machine.value_or(0);
}

void note_weights(std::span<const double> before, std::span<const double> after,
                  std::span<const double> speeds, const placement::PlacementFigures& figures,
                  std::size_t kinds, Plan::Data& plan) {
    Report& report = plan.report;
    report.weight_before = spread_of<double>(one_for_each_rank(before, kinds));
    report.weight_after = spread_of<double>(one_for_each_rank(after, kinds));
    report.by_weight = true;
    report.rounds = plan.transfers.empty() ? 0 : 1;
    report.largest_before = figures.largest_before;
    report.largest = figures.largest;
    report.largest_at_least = figures.largest_at_least;
    report.moved_at_least = figures.moved_at_least;
    report.between_machines = figures.between_machines;
    report.weights_per_item = kinds;
    plan.slowest_before = slowest_of_kinds(before, kinds, speeds);
    plan.slowest_after = slowest_of_kinds(after, kinds, speeds);
}

WeightPlanner::WeightPlanner(const mpi::Communicator& communicator, const Options& options)
    : communicator_(&communicator),
      options_(&options),
      ranks_(static_cast<std::size_t>(communicator.size())),
      shared_(ranks_, place_options(options), options.machines_first),
      first_words_(first_words_of(ranks_, options.weights_per_item)),
      mine_(1 + first_words_),
      all_(ranks_ * mine_.size()),
      sizes_(ranks_),
      begins_(ranks_) {
    words_.reserve(placement::SharedPlan::words_max(ranks_, options.weights_per_item));
}

void WeightPlanner::plan(Plan::Data& plan, engine::LocalFailure& failure) {
    placement::RankItems items = items_of(*options_);
    items.machine = machine_of(*communicator_, *options_);
    placement::OwnItems own(communicator_->rank(), items, options_->weights_per_item);
    for (bool last = false; !last;) {
        std::vector<std::int64_t> words;
        failure.guard([&] { words = own.words(shared_); });
        last = shared_.is_last();
        if (!gather(words, failure.failed())) return;
        failure.guard([&] { shared_.take({words_, begins_}); });
    }
    failure.guard([&] {
        fill_in(plan);
        if (!shared_.knows_least()) note_departures(own.least_departures(shared_), plan);
        const std::vector<placement::Departure> leaving = own.departures(shared_);
        const int rank = communicator_->rank();
        const Tokens size = plan.size_before;
        plan.rounds = {leave_at_end(leaving, size)
                           ? placement::moves_at_end(plan.transfers, rank, size)
                           : placement::moves_of(leaving, plan.transfers, rank, size)};
    });
}

// The words of all ranks. Returns false, on all ranks alike, if one of them has failed. Nothing is
// allocated here: the memory was reserved before the first vote.
bool WeightPlanner::gather(std::span<const std::int64_t> words, bool failed) {
    mine_.front() = failed ? failed_here : static_cast<std::int64_t>(words.size());
    if (!failed)
        std::copy_n(words.begin(), std::min(words.size(), first_words_), mine_.begin() + 1);
    communicator_->all_gather(mine_, all_);
    std::size_t total = 0;
    bool fits = true;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        const std::int64_t count = all_[rank * mine_.size()];
        if (count == failed_here) return false;
        begins_[rank] = static_cast<int>(total);
        sizes_[rank] = static_cast<int>(count);
        total += static_cast<std::size_t>(count);
        fits = fits && static_cast<std::size_t>(count) <= first_words_;
    }
    words_.resize(total);
    if (!fits) {
        communicator_->all_gather(words, words_, sizes_, begins_);
        return true;
    }
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        std::copy_n(all_.begin() + static_cast<std::ptrdiff_t>(rank * mine_.size() + 1),
                    sizes_[rank], words_.begin() + begins_[rank]);
    return true;
}

void WeightPlanner::fill_in(Plan::Data& plan) {
    const std::size_t kinds = options_->weights_per_item;
    plan.transfers = shared_.transfers();
    note_counts(shared_.items_before(), plan);
    const placement::PlacementFigures figures = shared_.figures();
    note_weights(shared_.weights_before(), shared_.weights_after(), shared_.speeds(), figures,
                 kinds, plan);
    Report& report = plan.report;
    report.minimum.reset();
    report.bytes_moved = figures.bytes_moved;
    report.bytes_at_least = figures.bytes_at_least;
    report.by_bytes = shared_.by_bytes();
}

void WeightPlanner::note_departures(const placement::Departures& least, Plan::Data& plan) const {
    plan.least_of_rank = {least.items, static_cast<std::int64_t>(least.bytes),
                          shared_.bytes_scale().real(1), true};
}

}  // namespace equipoise::balancer
