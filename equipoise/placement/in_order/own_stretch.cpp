#include "equipoise/placement/in_order/own_stretch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "equipoise/placement/few_moves/rank_words.hpp"

namespace equipoise::placement {

namespace {

template <class Part>
void set_words(std::span<std::int64_t>& words, const Part& part) {
    const auto made = std::bit_cast<std::array<std::int64_t, words_of<Part>>>(part);
    std::copy(made.begin(), made.end(), words.begin());
    words = words.subspan(made.size());
}

}  // namespace

OwnStretch::OwnStretch(std::size_t rank, const RankItems& items, std::size_t kinds)
    : rank_(rank),
      items_(items),
      kinds_(kinds),
      count_(items.weights.size() / kinds),
      stride_(kinds + (items.sizes.empty() && count_ > 0 ? 0 : 1)),
      sums_((count_ + 1) * stride_) {}

void OwnStretch::words(const SharedCuts& cuts, std::span<std::int64_t> words) {
    if (cuts.step() == SharedCuts::Step::sums) return sums(words);
    if (cuts.step() == SharedCuts::Step::loads) return loads(cuts, words);
    for (const Tokens position : cuts.positions_of(rank_)) {
        const auto item = static_cast<std::size_t>(position - cuts.first(rank_));
        for (std::size_t column = 0; column < cuts.columns(); ++column)
            set_words(words, before(item, column));
    }
}

void OwnStretch::sums(std::span<std::int64_t> words) const {
    set_words(words,
              RankSums{.items = static_cast<Tokens>(count_),
                       .pinned = 0,
                       .speed = items_.speed,
                       .machine = items_.machine,
                       .most = items_.most,
                       .has_sizes = items_.sizes.empty() ? 0 : 1,
                       .bytes = std::accumulate(items_.sizes.begin(), items_.sizes.end(), 0.0),
                       .bytes_most = items_.bytes_most});
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
        double sum = 0;
        for (std::size_t item = 0; item < count_; ++item)
            sum += items_.weights[item * kinds_ + kind];
        set_words(words, sum);
    }
}

void OwnStretch::loads(const SharedCuts& cuts, std::span<std::int64_t> words) {
    std::array<Units, weights_per_item_max> heaviest{};
    for (std::size_t item = 0; item < count_; ++item) {
        for (std::size_t kind = 0; kind < kinds_; ++kind) {
            const Units weight = cuts.scale(kind).units(items_.weights[item * kinds_ + kind]);
            heaviest[kind] = std::max(heaviest[kind], weight);
            sums_[(item + 1) * stride_ + kind] = before(item, kind) + weight;
        }
    }
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
        set_words(words, before(count_, kind));
        set_words(words, heaviest[kind]);
    }
    if (cuts.columns() == kinds_) return sketch(cuts, words);
    Units largest = 0;
    Tokens place = 0;
    for (std::size_t item = 0; item < count_; ++item) {
        const Units bytes = cuts.scale(kinds_).units(items_.sizes[item]);
        if (bytes > largest) place = static_cast<Tokens>(item);
        largest = std::max(largest, bytes);
        sums_[(item + 1) * stride_ + kinds_] = before(item, kinds_) + bytes;
    }
    set_words(words, before(count_, kinds_));
    set_words(words, largest);
    set_words(words, place);
    sketch(cuts, words);
}

// Places between which there is about as much of everything, or one item. All columns add up to
// nearly the same on all ranks together, and so do the items as they count here.
void OwnStretch::sketch(const SharedCuts& cuts, std::span<std::int64_t> words) const {
    const std::size_t places = cuts.sketch_of(rank_);
    if (places == 0) return;
    const double of_item =
        std::ldexp(1.0, weight_bits) / static_cast<double>(std::max(cuts.items(), Tokens{1}));
    const auto amount = [&](std::size_t item) {
        double sum = of_item * static_cast<double>(item);
        for (std::size_t column = 0; column < cuts.columns(); ++column)
            sum += static_cast<double>(before(item, column));
        return sum;
    };
    std::span<std::int64_t> left = words;
    const auto say = [&](std::size_t item) {
        set_words(left, static_cast<Tokens>(item));
        for (std::size_t column = 0; column < cuts.columns(); ++column)
            set_words(left, before(item, column));
    };
    if (places >= count_ || places + 1 == count_) {
        for (std::size_t item = 1; item < count_; ++item)
            say(item);
        return;
    }
    // The last item up to which there is at most `most`, but one more than `from` at least. Looks
    // nearby first.
    const std::size_t stride = std::max<std::size_t>(1, count_ / (places + 1));
    const auto next = [&](std::size_t from, double most) {
        std::size_t fits = from + 1;
        std::size_t beyond = std::min(count_ + 1, fits + stride);
        for (; beyond <= count_ && amount(beyond) <= most;
             beyond = std::min(count_ + 1, 2 * beyond - from))
            fits = beyond;
        while (fits + 1 < beyond) {
            const std::size_t middle = fits + (beyond - fits) / 2;
            (amount(middle) <= most ? fits : beyond) = middle;
        }
        return fits;
    };
    // Two gaps in a row hold more than one may: twice the even part is enough. What is
    // left of the places says the last one again.
    const double even = amount(count_) / static_cast<double>(places);
    for (double of_gap = 1.1 * even;; of_gap *= 1.2) {
        left = words;
        std::size_t item = 0;
        bool at_end = false;
        for (std::size_t place = 0; place < places; ++place) {
            const std::size_t found = at_end ? count_ : next(item, amount(item) + of_gap);
            at_end = found >= count_;
            if (!at_end) item = found;
            say(item);
        }
        if (of_gap >= 2 * even || next(item, amount(item) + of_gap) >= count_) return;
    }
}

void OwnStretch::walk(const SharedCuts& cuts, std::span<std::int64_t> words) const {
    const WalkShape shape = cuts.shape();
    for (std::size_t number = 0; number < cuts.walk_count(); ++number) {
        Walk walk(words.subspan(number * shape.words(), shape.words()), shape);
        if (cuts.step() == SharedCuts::Step::backwards)
            backwards(cuts, number, walk);
        else
            forwards(cuts, number, walk);
    }
}

bool OwnStretch::has_room(const SharedCuts& cuts, const Walk& walk, std::size_t from,
                          std::size_t to, std::size_t reached) const {
    const Tokens end = cuts.first(rank_) + static_cast<Tokens>(reached);
    if (std::max(end - walk.start(), walk.start() - end) > cuts.most(walk.part())) return false;
    return cuts.columns() == kinds_ ||
           walk.used()[kinds_] + before(to, kinds_) - before(from, kinds_) <=
               cuts.bytes_most(walk.part());
}

bool OwnStretch::fits(const SharedCuts& cuts, std::size_t number, const Walk& walk,
                      std::size_t from, std::size_t to, std::size_t reached) const {
    const std::size_t part = walk.part();
    if (!has_room(cuts, walk, from, to, reached)) return false;
    for (std::size_t kind = 0; kind < kinds_; ++kind)
        if (walk.used()[kind] + before(to, kind) - before(from, kind) >
            cuts.cap(number, part, kind))
            return false;
    return true;
}

double OwnStretch::level(const SharedCuts& cuts, const Walk& walk, std::size_t from,
                         std::size_t to) const {
    std::array<Units, weights_per_item_max> load{};
    for (std::size_t kind = 0; kind < kinds_; ++kind)
        load[kind] = walk.used()[kind] + before(to, kind) - before(from, kind);
    return cuts.capacity().level(walk.part(), std::span(load).first(kinds_));
}

// Part by part: the most items that it may have, but none beyond the stop of the cut behind it.
void OwnStretch::forwards(const SharedCuts& cuts, std::size_t number, Walk& walk) const {
    const Tokens first = cuts.first(rank_);
    const auto last_part = cuts.ranks() - 1;
    for (std::size_t from = 0; !walk.failed();) {
        const Tokens stop = cuts.stop(number, walk.part() + 1) - first;
        const std::size_t end =
            stop < static_cast<Tokens>(count_) ? static_cast<std::size_t>(stop) : count_;
        std::size_t to = from;  // fits
        for (std::size_t beyond = end + 1; to + 1 < beyond;) {
            const std::size_t middle = to + (beyond - to) / 2;
            (fits(cuts, number, walk, from, middle, middle) ? to : beyond) = middle;
        }
        if (to == count_ && stop >= static_cast<Tokens>(count_)) {
            for (std::size_t column = 0; column < cuts.columns(); ++column)
                walk.used()[column] += before(to, column) - before(from, column);
            return;
        }
        walk.reach(level(cuts, walk, from, to));
        if (to < end && has_room(cuts, walk, from, to + 1, to + 1))
            walk.note_next(level(cuts, walk, from, to + 1));
        if (walk.part() == last_part) {
            walk.fail();
            walk.set_start(first + static_cast<Tokens>(to));
            return;
        }
        walk.set_part(walk.part() + 1);
        walk.set_cut(walk.part(), first + static_cast<Tokens>(to));
        walk.set_start(first + static_cast<Tokens>(to));
        std::fill(walk.used().begin(), walk.used().end(), 0);
        from = to;
    }
}

// The same from the end: the cut before the part, as far left as it may be, but not beyond its
// stop.
void OwnStretch::backwards(const SharedCuts& cuts, std::size_t number, Walk& walk) const {
    const Tokens first = cuts.first(rank_);
    for (std::size_t to = count_; walk.part() > 0;) {
        const std::size_t part = walk.part() - 1;  // the part that is being filled
        walk.set_part(part);
        const Tokens stop = cuts.stop(number, part) - first;
        const std::size_t least = stop > 0 ? static_cast<std::size_t>(stop) : 0;
        std::size_t from = to;
        if (least < to) {
            for (std::size_t below = least; from > below;) {
                const std::size_t middle = below + (from - below) / 2;
                if (fits(cuts, number, walk, middle, to, middle))
                    from = middle;
                else
                    below = middle + 1;
            }
        }
        if (from == 0 && stop <= 0) {
            for (std::size_t column = 0; column < cuts.columns(); ++column)
                walk.used()[column] += before(to, column) - before(0, column);
            walk.set_part(part + 1);
            return;
        }
        walk.set_cut(part, first + static_cast<Tokens>(from));
        walk.set_start(first + static_cast<Tokens>(from));
        std::fill(walk.used().begin(), walk.used().end(), 0);
        to = from;
    }
}

}  // namespace equipoise::placement
