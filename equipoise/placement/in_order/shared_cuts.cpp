#include "equipoise/placement/in_order/shared_cuts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/joint_error.hpp"
#include "equipoise/placement/byte_rooms.hpp"
#include "equipoise/placement/few_moves/rank_words.hpp"
#include "equipoise/placement/targets.hpp"

namespace equipoise::placement {

namespace {

constexpr std::size_t walks_back = 2;
constexpr std::size_t walks_forth = 3;

/// The next gap between a level that is tried and the lowest, beside the last one.
constexpr double finer = 0.70710678118654752;

Tokens first_multiple(Tokens of, Tokens from) {
    return (from + of - 1) / of * of;
}

}  // namespace

SharedCuts::SharedCuts(std::size_t ranks, const PlaceOptions& options, std::size_t sketch_words)
    : options_(options),
      ranks_(ranks),
      items_(ranks),
      firsts_(ranks + 1),
      speeds_(ranks),
      machine_(ranks),
      most_(ranks),
      bytes_given_(ranks),
      bytes_most_(ranks),
      bytes_(ranks),
      scales_(options.weights_per_item + 1),
      loads_before_(ranks * options.weights_per_item),
      loads_after_(ranks * options.weights_per_item),
      caps_(ranks * (options.weights_per_item + 1)),
      leftmost_(ranks + 1),
      left_enough_(ranks + 1),
      rightmost_(ranks + 1),
      right_enough_(ranks + 1),
      near_(ranks + 1),
      sketch_words_(sketch_words),
      sketch_(ranks),
      least_caps_(caps_.size()) {
    probes_.reserve(probes_max);
}

std::size_t SharedCuts::words_of(std::size_t rank) const {
    if (step_ == Step::sums) return placement::words_of<RankSums> + kinds();
    if (step_ == Step::loads)
        return 2 * columns() + (bytes_limited_ ? 1 : 0) + sketch_[rank] * (1 + columns());
    return positions_of(rank).size() * columns();
}

std::size_t SharedCuts::words_max(std::size_t kinds) {
    return std::max(placement::words_of<RankSums> + kinds, 2 * (kinds + 1) + 1);
}

std::size_t SharedCuts::walk_words_max(std::size_t ranks, std::size_t kinds) {
    return std::max(probes_max * WalkShape{kinds + 1, 0}.words(),
                    std::max(walks_back, walks_forth) * WalkShape{kinds + 1, ranks + 1}.words());
}

void SharedCuts::take(const Words& words) {
    if (step_ == Step::sums)
        take_sums(words);
    else if (step_ == Step::loads)
        take_loads(words);
    else
        take_positions(words);
}

void SharedCuts::take_sums(const Words& words) {
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        const auto own = WordReader(words.of(rank)).take<RankSums>();
        items_[rank] = own.items;
        firsts_[rank + 1] = firsts_[rank] + own.items;
        speeds_[rank] = own.speed;
        machine_[rank] = static_cast<int>(own.machine);
        most_[rank] = own.speed > 0 ? own.most : 0;
        bytes_given_[rank] = own.bytes_most;
        bytes_limited_ = bytes_limited_ || std::isfinite(own.bytes_most);
    }
    expect_room();
    take_bytes(words);
    places_.kinds = columns();
    for (std::size_t kind = 0; kind < kinds(); ++kind) {
        double total = 0;
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            total += std::bit_cast<double>(words.of(rank)[placement::words_of<RankSums> + kind]);
        if (!std::isfinite(total)) throw InputError("expected weights whose sum is finite");
        scales_[kind] = UnitScale(total, weight_bits);
    }
    plan_sketch(words);
    step_ = Step::loads;
}

// Whether sizes are there if, and only if, they are needed.
void SharedCuts::take_bytes(const Words& words) {
    double bytes = 0;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        const auto own = WordReader(words.of(rank)).take<RankSums>();
        bytes += own.bytes;
        if (bytes_limited_ && own.items > 0 && own.has_sizes == 0)
            throw InputError(
                "expected sizes of the items of all ranks, which limits of bytes "
                "need, found none on rank " +
                std::to_string(rank));
        if (!bytes_limited_ && own.has_sizes != 0)
            throw InputError(
                "sizes of items that keep their order are for limits of bytes: "
                "expected one on some rank, found none");
    }
    if (!std::isfinite(bytes)) throw InputError("expected sizes whose sum is finite");
    scales_.back() = UnitScale(bytes, weight_bits);
}

void SharedCuts::take_loads(const Words& words) {
    std::vector<Units> heaviest(kinds(), 0);
    std::vector<Units> totals(kinds(), 0);
    ByteRooms rooms;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        WordReader reader(words.of(rank));
        for (std::size_t kind = 0; kind < kinds(); ++kind) {
            totals[kind] += loads_before_[rank * kinds() + kind] = reader.take<Units>();
            heaviest[kind] = std::max(heaviest[kind], reader.take<Units>());
        }
        if (!bytes_limited_) continue;
        bytes_[rank] = reader.take<Units>();
        const auto largest = reader.take<Units>();
        constexpr Units all = Units{1} << weight_bits;
        const double most =
            std::min(bytes_given_[rank], scales_.back().real(static_cast<double>(all)));
        bytes_most_[rank] = speeds_[rank] > 0 ? scales_.back().units(most) : 0;
        rooms.add({.bytes = bytes_[rank],
                   .most = bytes_most_[rank],
                   .free = bytes_most_[rank],
                   .largest = largest,
                   .rank = static_cast<int>(rank),
                   .place = reader.take<Tokens>()});
    }
    const std::vector<Units> none(loads_before_.size(), 0);
    capacity_.emplace(kinds(), speeds_, loads_before_, none);
    high_ = capacity().level(loads_before_);
    double all = 0;  // the level of the fastest rank if it had all
    for (std::size_t kind = 0; kind < kinds(); ++kind) {
        if (totals[kind] == 0) continue;
        const double share = capacity().share(kind);
        low_ = std::max({low_, 1.0, static_cast<double>(heaviest[kind]) / share});
        all = std::max(all, static_cast<double>(totals[kind]) / share);
    }
    if (may_stay() && within(high_, std::max(bound(), low_))) {
        chosen_.cuts = firsts_;
        chosen_.loads = loads_before_;
        loads_after_ = loads_before_;
        step_ = Step::done;
        return;
    }
    if (!may_stay()) high_ = std::numeric_limits<double>::infinity();
    if (bytes_limited_) rooms.expect_room(scales_.back());
    high_ = std::min(high_, all / slowest_that_may_need_all());
    take_sketch(words);
    if (knows_places_)
        look();
    else if (!in_doubt_ && within(high_, bound()))
        keep_to(std::max(bound(), high_));
    else
        probe(true);
}

void SharedCuts::expect_room() const {
    Tokens left = items();
    for (const Tokens most : most_)
        left -= std::min(left, most);
    // That no rank has a speed is said elsewhere.
    if (std::all_of(speeds_.begin(), speeds_.end(), [](double speed) { return speed == 0; }))
        return;
    placement::expect_room(items(), items() - left);
}

// A rank of speed 0 keeps nothing, not even items without weight.
bool SharedCuts::may_stay() const {
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        if (items_[rank] > most_[rank] || (bytes_limited_ && bytes_[rank] > bytes_most_[rank]))
            return false;
    return true;
}

// One rank has room for all items, or else any of them may get nearly all: in units of the largest
// speed, the speed of the fastest one, or of the slowest. Whether all bytes have room in the second
// case has to be tried.
double SharedCuts::slowest_that_may_need_all() {
    const Units bytes = std::accumulate(bytes_.begin(), bytes_.end(), Units{0});
    double fastest = 0;
    double slowest = 1;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        if (speeds_[rank] <= 0) continue;
        slowest = std::min(slowest, capacity().speed(rank));
        if (most_[rank] >= items() && (!bytes_limited_ || bytes_most_[rank] >= bytes))
            fastest = std::max(fastest, capacity().speed(rank));
    }
    in_doubt_ = bytes_limited_ && fastest == 0 && !may_stay();
    return fastest > 0 ? fastest : slowest;
}

// The first levels come ever nearer to the lowest: how far the best one is above it is not known
// even by its order of magnitude. Later ones are spread evenly over what is left.
void SharedCuts::probe(bool first) {
    probes_.clear();
    probes_.push_back(low_);
    const double gap = high_ - low_;
    if (low_ < bound() && bound() < high_) probes_.push_back(bound());
    const std::size_t left = probes_max - probes_.size() - (in_doubt_ ? 1 : 0);
    double part = 1;
    for (std::size_t i = 1; i <= left; ++i) {
        part = first ? part * finer : static_cast<double>(i) / static_cast<double>(left + 1);
        probes_.push_back(low_ + gap * part);
    }
    if (in_doubt_) probes_.push_back(high_);
    step_ = Step::probes;
}

void SharedCuts::keep_to(double level) {
    make_caps(level, caps_);
    step_ = Step::backwards;
}

void SharedCuts::make_caps(double level, std::vector<Units>& caps) const {
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        for (std::size_t kind = 0; kind < kinds(); ++kind)
            caps[rank * columns() + kind] = capacity().cap(rank, kind, level);
        if (bytes_limited_) caps[rank * columns() + kinds()] = bytes_most_[rank];
    }
}

WalkShape SharedCuts::shape() const {
    return {columns(), step_ == Step::probes ? 0 : ranks_ + 1};
}

std::size_t SharedCuts::walk_count() const {
    if (step_ == Step::probes) return probes_.size();
    return step_ == Step::backwards ? walks_back : walks_forth;
}

void SharedCuts::begin_walks(std::span<std::int64_t> words) const {
    for (std::size_t number = 0; number < walk_count(); ++number)
        Walk(words.subspan(number * shape().words(), shape().words()), shape())
            .begin(step_ == Step::backwards ? ranks_ : 0, step_ == Step::backwards ? items() : 0);
}

// With R(c), the furthest that a part may reach from cut c, and L(c), the same to the left:
// leftmost m(r) = L(m(r + 1)), right enough h(r) = max(old cut, L(h(r + 1))); rightmost
// M(r + 1) = R(M(r)), left enough a(r + 1) = min(old cut, R(a(r))), and near the same with
// max(old cut, m).
Tokens SharedCuts::stop(std::size_t walk, std::size_t part) const {
    if (part == ranks_) return items();
    switch (step_) {
        case Step::backwards:
            return walk == 0 ? 0 : firsts_[part];
        case Step::forwards:
            if (walk == 1) return firsts_[part];
            return walk == 0 ? items() : std::max(firsts_[part], leftmost_[part]);
        default:
            return items();
    }
}

void SharedCuts::take_walks(std::span<std::int64_t> words) {
    if (step_ == Step::probes)
        take_probes(words);
    else
        take_cuts(words);
}

void SharedCuts::take_probes(std::span<std::int64_t> words) {
    for (std::size_t number = 0; number < probes_.size(); ++number) {
        Walk walk(words.subspan(number * shape().words(), shape().words()), shape());
        if (walk.failed()) {
            // At any level below that, it would go where it went.
            low_ = std::max(low_, walk.next());
        } else {
            walk.reach(capacity().level(walk.part(), walk.used()));
            high_ = std::min(high_, walk.reached());
        }
    }
    if (in_doubt_) expect_cuts(words.last(shape().words()));
    low_ = std::min(low_, high_);
    // A gap that counts as none may be wider than what rounding adds to a cap.
    if (within(high_, bound()))
        keep_to(std::max(bound(), high_));
    else if (within(high_, low_))
        keep_to(high_);
    else
        probe(false);
}

// At the highest level only limits decide: if the walk has failed, no cuts keep them.
void SharedCuts::expect_cuts(std::span<std::int64_t> words) {
    const Walk walk(words, shape());
    in_doubt_ = false;
    if (!walk.failed()) return;
    step_ = Step::done;  // on all ranks, even if one lacks memory for the text
    std::size_t rank = ranks_ - 1;
    while (firsts_[rank] > walk.start())
        --rank;
    throw JointError(
        "expected cuts that keep all limits, found that none do: with every rank "
        "filled in turn, no room is left for " +
        counted(items() - walk.start(), "item") + ", from item " +
        std::to_string(walk.start() - firsts_[rank]) + " of rank " + std::to_string(rank) + " on");
}

void SharedCuts::take_cuts(std::span<std::int64_t> words) {
    const auto take = [&](std::size_t number, std::vector<Tokens>& cuts) {
        const Walk walk(words.subspan(number * shape().words(), shape().words()), shape());
        for (std::size_t part = 0; part <= ranks_; ++part) {
            const bool passed = step_ == Step::forwards && part > walk.part();
            cuts[part] = passed || part == ranks_ ? items() : walk.cut(part);
        }
        return !walk.failed();
    };
    if (step_ == Step::backwards) {
        take(0, leftmost_);
        take(1, right_enough_);
        step_ = Step::forwards;
        return;
    }
    bool fits = take(0, rightmost_);
    take(1, left_enough_);
    fits = take(2, near_) && fits;
    EQUIPOISE_ASSERT(fits);
    // First, so that a rank which lacks memory for them knows what the others do next.
    step_ = Step::positions;
    choose_positions();
}

// Each cut is moved at least as far as the leftmost or rightmost place demands.
bool SharedCuts::near_is_best() const {
    for (std::size_t cut = 1; cut < ranks_; ++cut)
        if (near_[cut] != std::clamp(firsts_[cut], leftmost_[cut], rightmost_[cut])) return false;
    return true;
}

// Moving a cut towards its old place never costs more. So, given the cheapest cuts, the larger of
// each and `left enough` are cuts that are as cheap and keep to the limits, and so are the smaller
// of these and `right enough`. Machines make other places cheap.
std::pair<Tokens, Tokens> SharedCuts::range_of(std::size_t cut) const {
    if (cut == 0 || cut == ranks_) return {firsts_[cut], firsts_[cut]};
    if (options_.machines_first) return {leftmost_[cut], rightmost_[cut]};
    return {std::max(left_enough_[cut], leftmost_[cut]),
            std::min(right_enough_[cut], rightmost_[cut])};
}

// All places that the cuts may have or, where these are too many, every second, fourth, ... and
// those where the cost of a cut bends.
void SharedCuts::choose_positions() {
    const bool decided = !options_.machines_first && near_is_best();
    const auto range = [&](std::size_t cut) {
        return decided ? std::pair(near_[cut], near_[cut]) : range_of(cut);
    };
    Tokens step = 1;
    const auto cells = [&] {
        std::size_t sum = 0;
        for (std::size_t cut = 1; cut < ranks_; ++cut)
            sum += static_cast<std::size_t>((range(cut).second - range(cut).first) / step) + 1;
        return sum;
    };
    while (cells() > cells_max)
        step *= 2;
    places_.positions.clear();
    places_.sums.clear();
    std::vector<Tokens>& positions = wanted_;
    positions.clear();
    Tokens done = -1;
    for (std::size_t cut = 1; cut < ranks_; ++cut) {
        const auto [left, right] = range(cut);
        for (Tokens at = first_multiple(step, std::max(left, done + 1)); at <= right; at += step)
            positions.push_back(at);
        done = std::max(done, right);
    }
    const std::size_t multiples = positions.size();
    for (std::size_t cut = 0; cut <= ranks_; ++cut)
        positions.insert(positions.end(),
                         {firsts_[cut], near_[cut], range(cut).first, range(cut).second});
    const auto middle = positions.begin() + static_cast<std::ptrdiff_t>(multiples);
    std::sort(middle, positions.end());
    std::inplace_merge(positions.begin(), middle, positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
}

std::span<const Tokens> SharedCuts::positions_of(std::size_t rank) const {
    const auto begin = std::lower_bound(wanted_.begin(), wanted_.end(), firsts_[rank]);
    return {begin, std::lower_bound(begin, wanted_.end(), firsts_[rank + 1])};
}

void SharedCuts::take_positions(const Words& words) {
    std::vector<Units> before(columns(), 0);  // this rank
    std::vector<Units> sums;
    sums.reserve(wanted_.size() * columns());
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        WordReader reader(words.of(rank));
        while (!reader.at_end())
            for (const Units base : before)
                sums.push_back(base + reader.take<Units>());
        for (std::size_t kind = 0; kind < kinds(); ++kind)
            before[kind] += loads_before_[rank * kinds() + kind];
        if (bytes_limited_) before.back() += bytes_[rank];
    }
    if (wanted_.back() == items()) sums.insert(sums.end(), before.begin(), before.end());
    add_known(sums);
    if (knows_places_)
        look();
    else
        choose();
}

std::size_t SharedCuts::index_of(Tokens place) const {
    const std::vector<Tokens>& known = places_.positions;
    const auto found = std::lower_bound(known.begin(), known.end(), place);
    EQUIPOISE_ASSERT(found != known.end() && *found == place);
    return static_cast<std::size_t>(found - known.begin());
}

// All walks are done, and what they say is among the places that are known.
void SharedCuts::choose() {
    const bool decided = !options_.machines_first && near_is_best();
    places_.complete = true;
    places_.of_cut.clear();
    for (std::size_t cut = 0; cut <= ranks_; ++cut) {
        const auto [left, right] = decided ? std::pair(near_[cut], near_[cut]) : range_of(cut);
        const std::size_t first = index_of(left);
        const std::size_t last = index_of(right);
        places_.of_cut.emplace_back(first, last);
        places_.complete = places_.complete && static_cast<Tokens>(last - first) == right - left;
    }
    const PartLimits limits = {caps_, most_};
    chosen_ = choose_cuts(places_, {firsts_, {}}, limits);
    moved_at_least_ = chosen_.at_least.moved;
    if (options_.machines_first) chosen_ = choose_cuts(places_, {firsts_, machine_}, limits);
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        std::copy_n(chosen_.loads.begin() + static_cast<std::ptrdiff_t>(rank * columns()), kinds(),
                    loads_after_.begin() + static_cast<std::ptrdiff_t>(rank * kinds()));
    step_ = Step::done;
}

std::vector<Tokens> SharedCuts::sizes() const {
    std::vector<Tokens> sizes(ranks_);
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        sizes[rank] = chosen_.cuts[rank + 1] - chosen_.cuts[rank];
    return sizes;
}

std::vector<double> SharedCuts::real_loads(std::span<const Units> loads) const {
    std::vector<double> real(loads.size());
    for (std::size_t i = 0; i < loads.size(); ++i)
        real[i] = scales_[i % kinds()].real(static_cast<double>(loads[i]));
    return real;
}

PlacementFigures SharedCuts::figures() const {
    // One kind is measured in its own unit per speed, several in averages.
    const auto real = [&](double largest) {
        if (kinds() > 1) return largest;
        return scales_.front().real(largest) / capacity().largest_speed();
    };
    double share = 0;
    for (std::size_t kind = 0; kind < kinds(); ++kind)
        share = std::max(share, capacity().share(kind) / capacity().yardstick(kind));
    PlacementFigures figures;
    figures.largest_before = real(capacity().largest(loads_before_));
    figures.largest = real(capacity().largest(loads_after_));
    figures.share = real(share);
    figures.largest_at_least = std::min(real(low_ * share), figures.largest);
    figures.moved = chosen_.cost.moved;
    figures.moved_at_least = moved_at_least_;
    figures.between_machines = chosen_.cost.between;
    return figures;
}

}  // namespace equipoise::placement
