// Cuts by running sums that every rank knows: a sketch of them from the start, then those of all
// places where cuts may still be.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "equipoise/base/assert.hpp"
#include "equipoise/placement/few_moves/rank_words.hpp"
#include "equipoise/placement/in_order/known_walks.hpp"
#include "equipoise/placement/in_order/shared_cuts.hpp"

namespace equipoise::placement {

/// Where the cuts of all walks are, by part.
struct SharedCuts::KnownRanges {
    std::vector<KnownCut> leftmost;
    std::vector<KnownCut> right_enough;
    std::vector<KnownCut> rightmost;
    std::vector<KnownCut> left_enough;
    std::vector<KnownCut> near;
    bool near_is_best = false;  // for sure
};

// A sketch of S places leaves up to about 4 P^2 N / S of N items where cuts may be: both together
// are fewest where they are equal. Its places are in proportion to the items and the weights of
// each rank, each as a part of all.
void SharedCuts::plan_sketch(const Words& words) {
    const auto bytes_of = [&](std::size_t rank) {
        return bytes_limited_ ? WordReader(words.of(rank)).take<RankSums>().bytes : 0;
    };
    const auto weight_of = [&](std::size_t rank, std::size_t kind) {
        return std::bit_cast<double>(words.of(rank)[placement::words_of<RankSums> + kind]);
    };
    std::array<double, weights_per_item_max> weights{};
    double bytes = 0;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        bytes += bytes_of(rank);
        for (std::size_t kind = 0; kind < kinds(); ++kind)
            weights[kind] += weight_of(rank, kind);
    }
    const auto share = [](double part, double all) { return all > 0 ? part / all : 0; };
    double all = share(bytes, bytes) + 1;
    for (std::size_t kind = 0; kind < kinds(); ++kind)
        all += share(weights[kind], weights[kind]);
    const std::size_t places_max = sketch_words_ / (1 + columns());
    const double places =
        std::min(static_cast<double>(places_max),
                 2 * static_cast<double>(ranks_) * std::sqrt(static_cast<double>(items())));
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        double own = share(bytes_of(rank), bytes) +
                     share(static_cast<double>(items_[rank]), static_cast<double>(items()));
        for (std::size_t kind = 0; kind < kinds(); ++kind)
            own += share(weight_of(rank, kind), weights[kind]);
        const auto most = static_cast<std::size_t>(std::max(items_[rank], Tokens{1}) - 1);
        sketch_[rank] = std::min(most, static_cast<std::size_t>(places * own / all));
    }
}

void SharedCuts::take_sketch(const Words& words) {
    knows_places_ = sketch_words_ > 0;
    if (!knows_places_) return;
    const std::size_t skipped = words_of(0) - sketch_of(0) * (1 + columns());
    std::vector<Units> base(columns(), 0);
    const auto add = [&](Tokens position) {
        std::vector<Tokens>& known = places_.positions;
        if (!known.empty() && known.back() >= position) return false;
        known.push_back(position);
        return true;
    };
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        if (add(firsts_[rank])) places_.sums.insert(places_.sums.end(), base.begin(), base.end());
        WordReader reader(words.of(rank).subspan(skipped));
        while (!reader.at_end()) {
            const bool is_new = add(firsts_[rank] + reader.take<Tokens>());
            for (const Units before : base) {
                const auto own = reader.take<Units>();
                if (is_new) places_.sums.push_back(before + own);
            }
        }
        for (std::size_t kind = 0; kind < kinds(); ++kind)
            base[kind] += loads_before_[rank * kinds() + kind];
        if (bytes_limited_) base.back() += bytes_[rank];
    }
    if (add(items())) places_.sums.insert(places_.sums.end(), base.begin(), base.end());
}

// A walk that surely succeeds shows a level that cuts keep; one that surely fails goes the same way
// at all levels below the first at which one of its parts would reach a place further.
SharedCuts::Verdict SharedCuts::try_level(double level) {
    make_caps(level, least_caps_);
    const PartLimits limits = {least_caps_, most_};
    const KnownWalks walks(places_, limits, limits);
    std::vector<KnownCut> cuts(ranks_ + 1);
    walks.forwards({}, cuts);
    const auto sum = [&](std::size_t from, std::size_t to, std::size_t column) {
        return places_.sums[to * columns() + column] - places_.sums[from * columns() + column];
    };
    const auto level_of = [&](std::size_t part, std::size_t from, std::size_t to) {
        std::array<Units, weights_per_item_max> load{};
        for (std::size_t kind = 0; kind < kinds(); ++kind)
            load[kind] = sum(from, to, kind);
        return capacity().level(part, std::span(load).first(kinds()));
    };
    const std::size_t end = places_.positions.size() - 1;
    if (cuts.back().first == end) {
        double reached = 0;
        for (std::size_t part = 0; part < ranks_; ++part)
            reached = std::max(reached, level_of(part, cuts[part].first, cuts[part + 1].first));
        high_ = std::min(high_, reached);
        return Verdict::can_be_kept;
    }
    if (cuts.back().last == end) return Verdict::unknown;
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t part = 0; part < ranks_; ++part) {
        const std::size_t from = cuts[part].last;
        const std::size_t to = walks.furthest(limits, part, from) + 1;
        const bool has_room = places_.positions[to] - places_.positions[from] <= most_[part] &&
                              (!bytes_limited_ || sum(from, to, kinds()) <= bytes_most_[part]);
        if (has_room) next = std::min(next, level_of(part, from, to));
    }
    low_ = std::max({low_, level, next});
    return Verdict::cannot_be_kept;
}

// Halves what is open above the lowest level that can surely be kept, and below the highest that
// surely cannot. What is in doubt stays so, unless it can be kept.
void SharedCuts::narrow() {
    const double least = low_;
    if (in_doubt_ && try_level(high_) != Verdict::can_be_kept) {
        low_ = least;
        return;
    }
    in_doubt_ = false;
    static_cast<void>(try_level(low_));
    if (low_ < bound() && bound() < high_) static_cast<void>(try_level(bound()));
    for (double unsure = low_; !within(high_, std::max(bound(), unsure));) {
        const double middle = unsure + (high_ - unsure) / 2;
        if (try_level(middle) != Verdict::can_be_kept) unsure = middle;
    }
    for (double unsure = high_; !within(unsure, low_);) {
        const double middle = low_ + (unsure - low_) / 2;
        if (try_level(middle) != Verdict::cannot_be_kept) unsure = middle;
    }
    low_ = std::min(low_, high_);
}

// For all levels between those of the two caps.
SharedCuts::KnownRanges SharedCuts::known_ranges() const {
    const KnownWalks walks(places_, {least_caps_, most_}, {caps_, most_});
    const std::vector<KnownCut> none(ranks_ + 1);
    KnownRanges ranges = {none, none, none, none, none};
    std::vector<KnownCut> stops;
    stops.reserve(firsts_.size());
    for (const Tokens first : firsts_)
        stops.push_back({index_of(first), index_of(first)});
    walks.backwards({}, ranges.leftmost);
    walks.backwards(stops, ranges.right_enough);
    walks.forwards({}, ranges.rightmost);
    walks.forwards(stops, ranges.left_enough);
    for (std::size_t cut = 0; cut < ranks_; ++cut)
        stops[cut] = {std::max(stops[cut].first, ranges.leftmost[cut].first),
                      std::max(stops[cut].last, ranges.leftmost[cut].last)};
    walks.forwards(stops, ranges.near);
    // Each near cut is at its stop, or it is the rightmost one as all before it are.
    ranges.near_is_best = !options_.machines_first;
    bool is_rightmost = true;
    for (std::size_t cut = 1; cut < ranks_; ++cut) {
        const KnownCut& near = ranges.near[cut];
        is_rightmost = is_rightmost && near.last < stops[cut].first;
        const bool stays = stops[cut].is_exact() && near.first == stops[cut].first;
        ranges.near_is_best = ranges.near_is_best && (stays || is_rightmost);
    }
    return ranges;
}

void SharedCuts::look() {
    narrow();
    if (in_doubt_) {
        knows_places_ = false;
        return probe(true);
    }
    const double level = within(high_, bound()) ? std::max(bound(), high_) : high_;
    make_caps(is_settled() ? level : std::max(bound(), low_), least_caps_);
    make_caps(level, caps_);
    const KnownRanges ranges = known_ranges();
    if (!asked_) {
        asked_ = true;
        knows_places_ = ask_for_places(ranges);
        if (!knows_places_) return is_settled() ? keep_to(level) : probe(false);
        step_ = Step::positions;
        if (!wanted_.empty()) return;
    }
    finish(ranges);
}

// All places where a cut of some walk may be. Between them, where the choice may have its cuts, all
// or, where these are too many, every second, fourth, ... Whether the first kind is few enough.
bool SharedCuts::ask_for_places(const KnownRanges& ranges) {
    const std::vector<Tokens>& known = places_.positions;
    std::vector<Tokens> steps(known.size(), 0);  // by place: to the next that is wanted; 0: to none
    const auto mark = [&](const std::vector<KnownCut>& cuts) {
        for (const KnownCut& cut : cuts)
            for (std::size_t place = cut.first; place < cut.last; ++place)
                steps[place] = 1;
    };
    mark(ranges.leftmost);
    mark(ranges.rightmost);
    mark(ranges.near);
    if (!ranges.near_is_best) {
        mark(ranges.left_enough);
        mark(ranges.right_enough);
    }
    Tokens wanted = 0;
    for (std::size_t place = 0; place + 1 < known.size(); ++place)
        if (steps[place] > 0) wanted += known[place + 1] - known[place] - 1;
    if (wanted > static_cast<Tokens>(cells_max)) return false;
    if (!ranges.near_is_best) {
        const auto range = [&](std::size_t cut) -> KnownCut {
            if (options_.machines_first)
                return {ranges.leftmost[cut].first, ranges.rightmost[cut].last};
            return {std::max(ranges.left_enough[cut].first, ranges.leftmost[cut].first),
                    std::min(ranges.right_enough[cut].last, ranges.rightmost[cut].last)};
        };
        Tokens step = 1;
        const auto cells = [&] {
            std::size_t sum = 0;
            for (std::size_t cut = 1; cut < ranks_; ++cut)
                sum += static_cast<std::size_t>((known[range(cut).last] - known[range(cut).first]) /
                                                step) +
                       1;
            return sum;
        };
        while (cells() > cells_max)
            step *= 2;
        for (std::size_t cut = 1; cut < ranks_; ++cut)
            for (std::size_t place = range(cut).first; place < range(cut).last; ++place)
                if (steps[place] == 0) steps[place] = step;
    }
    for (std::size_t place = 0; place + 1 < known.size(); ++place) {
        if (steps[place] == 0) continue;
        for (Tokens at = known[place] + steps[place]; at < known[place + 1]; at += steps[place])
            wanted_.push_back(at);
    }
    return true;
}

void SharedCuts::add_known(std::span<const Units> sums) {
    const CutPlaces before = std::move(places_);
    places_ = {};
    places_.kinds = before.kinds;
    places_.positions.reserve(before.positions.size() + wanted_.size());
    places_.sums.reserve(before.sums.size() + sums.size());
    std::size_t old = 0;
    const auto add = [&](Tokens position, std::span<const Units> all, std::size_t place) {
        const std::span<const Units> its = all.subspan(place * columns(), columns());
        places_.positions.push_back(position);
        places_.sums.insert(places_.sums.end(), its.begin(), its.end());
    };
    for (std::size_t place = 0; place < wanted_.size(); ++place) {
        for (; old < before.positions.size() && before.positions[old] < wanted_[place]; ++old)
            add(before.positions[old], before.sums, old);
        add(wanted_[place], sums, place);
    }
    for (; old < before.positions.size(); ++old)
        add(before.positions[old], before.sums, old);
}

void SharedCuts::finish(const KnownRanges& ranges) {
    EQUIPOISE_ASSERT(is_settled());
    EQUIPOISE_ASSERT(ranges.rightmost.back().first + 1 == places_.positions.size());
    for (std::size_t cut = 0; cut <= ranks_; ++cut) {
        EQUIPOISE_ASSERT(ranges.leftmost[cut].is_exact() && ranges.rightmost[cut].is_exact() &&
                         ranges.near[cut].is_exact());
        leftmost_[cut] = places_.positions[ranges.leftmost[cut].first];
        right_enough_[cut] = places_.positions[ranges.right_enough[cut].first];
        rightmost_[cut] = places_.positions[ranges.rightmost[cut].first];
        left_enough_[cut] = places_.positions[ranges.left_enough[cut].first];
        near_[cut] = places_.positions[ranges.near[cut].first];
    }
    choose();
}

}  // namespace equipoise::placement
