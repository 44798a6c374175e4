#include "equipoise/balancer/order_planner.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "equipoise/balancer/planner.hpp"
#include "equipoise/balancer/weight_planner.hpp"
#include "equipoise/placement/few_moves/rank_words.hpp"
#include "equipoise/placement/matching.hpp"
#include "equipoise/placement/rank_moves.hpp"
#include "equipoise/placement/targets.hpp"

namespace equipoise::balancer {

namespace {

using OrderStep = placement::SharedCuts::Step;

/// As many weights are known to every rank sooner than walks have passed through all ranks.
constexpr std::size_t few_weights = 4096;

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): tests set it
std::size_t sketch_words = placement::SharedCuts::sketch_words_max;

}  // namespace

std::size_t set_sketch_words(std::size_t words) {
    return std::exchange(sketch_words, words);
}

OrderPlanner::OrderPlanner(const mpi::Communicator& communicator, const Options& options)
    : communicator_(&communicator),
      options_(&options),
      rank_(static_cast<std::size_t>(communicator.rank())),
      ranks_(static_cast<std::size_t>(communicator.size())),
      shared_(ranks_, place_options(options), sketch_words),
      own_(rank_, items_of(options), options.weights_per_item),
      walks_(placement::SharedCuts::walk_words_max(ranks_, options.weights_per_item)),
      flags_(ranks_),
      sizes_(ranks_),
      begins_(ranks_) {
    const std::size_t words = placement::SharedCuts::words_max(options.weights_per_item);
    mine_.reserve(std::max(words + sketch_words, few_weights));
    words_.reserve(std::max(words * ranks_ + sketch_words, few_weights));
}

void OrderPlanner::plan(Plan::Data& plan, engine::LocalFailure& failure) {
    own_.set_machine(machine_of(*communicator_, *options_));
    take_gathered(failure);
    // So far ranks can only have failed together: nothing was allocated.
    if (failure.failed()) return;
    if (are_few()) return place_few(plan, failure);
    take_gathered(failure);
    make_room(failure);
    if (!all_well(failure)) return;
    if (shared_.walks()) {
        while (shared_.walks())
            pass_walks(failure);
        make_room(failure);
        if (!all_well(failure)) return;
    }
    if (shared_.step() == OrderStep::positions) take_gathered(failure);
    failure.guard([&] {
        fill_in(
            {shared_.sizes(), shared_.weights_before(), shared_.weights_after(), shared_.figures()},
            plan);
    });
}

// For the gathering that is due, if one is.
void OrderPlanner::make_room(engine::LocalFailure& failure) {
    failure.guard([&] {
        if (shared_.step() != OrderStep::positions) return;
        std::size_t all = 0;
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            all += shared_.words_of(rank);
        mine_.reserve(shared_.words_of(rank_));
        words_.reserve(all);
    });
}

// Takes the words of all ranks, of which all know how many there are.
void OrderPlanner::gather() {
    std::size_t total = 0;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        begins_[rank] = static_cast<int>(total);
        total += static_cast<std::size_t>(sizes_[rank]);
    }
    words_.resize(total);
    communicator_->all_gather(mine_, words_, sizes_, begins_);
}

void OrderPlanner::take_gathered(engine::LocalFailure& failure) {
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        sizes_[rank] = static_cast<int>(shared_.words_of(rank));
    mine_.resize(shared_.words_of(rank_));
    own_.words(shared_, mine_);
    gather();
    failure.guard([&] { shared_.take({words_, begins_}); });
}

// Whether no rank has failed; all get the same answer.
bool OrderPlanner::all_well(const engine::LocalFailure& failure) {
    const std::array<std::int64_t, 1> mine = {failure.failed() ? 1 : 0};
    communicator_->all_gather(mine, flags_);
    return std::all_of(flags_.begin(), flags_.end(), [](std::int64_t flag) { return flag == 0; });
}

void OrderPlanner::pass_walks(engine::LocalFailure& failure) {
    const std::span<std::int64_t> words =
        std::span(walks_).first(shared_.walk_count() * shared_.shape().words());
    const bool backwards = shared_.step() == OrderStep::backwards;
    if (rank_ == (backwards ? ranks_ - 1 : 0)) shared_.begin_walks(words);
    communicator_->pass_through(words, backwards, [&] { own_.walk(shared_, words); });
    failure.guard([&] { shared_.take_walks(words); });
}

bool OrderPlanner::are_few() const {
    const std::size_t items_max = few_weights / shared_.columns();
    return shared_.items() <= static_cast<Tokens>(items_max);
}

// Every rank gets the weights of all items and cuts them by itself.
void OrderPlanner::place_few(Plan::Data& plan, engine::LocalFailure& failure) {
    const std::size_t kinds = options_->weights_per_item;
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        sizes_[rank] = static_cast<int>(static_cast<std::size_t>(shared_.items_before()[rank]) *
                                        shared_.columns());
    mine_.clear();
    for (const double weight : options_->weights.doubles())
        mine_.push_back(std::bit_cast<std::int64_t>(weight));
    for (const double size : options_->sizes.doubles())
        mine_.push_back(std::bit_cast<std::int64_t>(size));
    gather();
    failure.guard([&] {
        std::vector<double> given;
        given.reserve(words_.size());
        for (const std::int64_t word : words_)
            given.push_back(std::bit_cast<double>(word));
        std::vector<placement::RankItems> all(ranks_);
        for (std::size_t rank = 0; rank < ranks_; ++rank) {
            const auto own = std::span<const double>(given).subspan(
                static_cast<std::size_t>(begins_[rank]), static_cast<std::size_t>(sizes_[rank]));
            const auto items = static_cast<std::size_t>(shared_.items_before()[rank]);
            all[rank].weights = own.first(items * kinds);
            all[rank].sizes = own.subspan(items * kinds);
            all[rank].speed = shared_.speeds()[rank];
            all[rank].machine = shared_.machines()[rank];
            all[rank].most = shared_.most(rank);
            all[rank].bytes_most = shared_.bytes_given(rank);
        }
        fill_in(placement::place_in_order(all, place_options(*options_)), plan);
    });
}

void OrderPlanner::fill_in(const placement::OrderPlacement& placed, Plan::Data& plan) const {
    const std::span<const Tokens> before = shared_.items_before();
    plan.transfers = placement::match_in_order(before, placed.sizes);
    note_counts(before, plan);
    note_weights(placed.loads_before, placed.loads, shared_.speeds(), placed.figures,
                 options_->weights_per_item, plan);
    plan.report.minimum = placement::surplus(before, placed.sizes);
    plan.rounds = {
        placement::moves_in_order(plan.transfers, communicator_->rank(), plan.size_before)};
}

}  // namespace equipoise::balancer
