// Cuts of more items than any memory holds: all items of a rank weigh the same, so that sums and
// walks are formulas.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/error.hpp"
#include "equipoise/placement/few_moves/rank_words.hpp"
#include "equipoise/placement/in_order.hpp"
#include "equipoise/placement/in_order/shared_cuts.hpp"
#include "tests/support/property.hpp"

namespace equipoise::placement::far_cuts {
namespace {

constexpr double slack = 1 + 1e-9;

// The items of a rank, each of the same weight.
struct Stretch {
    Tokens items = 0;
    double weight = 1;
    double speed = 1;
    Tokens most = tokens_max;
};

// What OwnStretch does, for one kind of weights.
class EvenStretch {
  public:
    EvenStretch(std::size_t rank, const Stretch& own) : rank_(rank), own_(own) {}

    [[nodiscard]] std::vector<std::int64_t> words(const SharedCuts& cuts) {
        std::vector<std::int64_t> words;
        switch (cuts.step()) {
            case SharedCuts::Step::sums:
                put_words(words, RankSums{.items = own_.items,
                                          .speed = own_.speed,
                                          .most = own_.most,
                                          .bytes_most = std::numeric_limits<double>::infinity()});
                put_words(words, static_cast<double>(own_.items) * own_.weight);
                break;
            case SharedCuts::Step::loads:
                unit_ = cuts.scale(0).units(own_.weight);
                put_words(words, own_.items * unit_);
                put_words(words, own_.items > 0 ? unit_ : Units{0});
                for (std::size_t place = 1; place <= cuts.sketch_of(rank_); ++place) {
                    const Tokens item = own_.items /
                                        static_cast<Tokens>(cuts.sketch_of(rank_) + 1) *
                                        static_cast<Tokens>(place);
                    put_words(words, item);
                    put_words(words, item * unit_);
                }
                break;
            default:
                for (const Tokens position : cuts.positions_of(rank_))
                    words.push_back((position - cuts.first(rank_)) * unit_);
        }
        return words;
    }

    void walk(const SharedCuts& cuts, std::span<std::int64_t> words) const {
        const WalkShape shape = cuts.shape();
        for (std::size_t number = 0; number < cuts.walk_count(); ++number) {
            Walk walk(words.subspan(number * shape.words(), shape.words()), shape);
            if (cuts.step() == SharedCuts::Step::backwards)
                backwards(cuts, number, walk);
            else
                forwards(cuts, number, walk);
        }
    }

  private:
    // How many more items the part of a walk may have.
    [[nodiscard]] Tokens more(const SharedCuts& cuts, std::size_t number, const Walk& walk,
                              Tokens has) const {
        const Units left = cuts.cap(number, walk.part(), 0) - walk.used()[0];
        const Tokens by_weight = unit_ == 0 ? tokens_max : left / unit_;
        return std::max(Tokens{0},
                        std::min(left < 0 ? Tokens{0} : by_weight, cuts.most(walk.part()) - has));
    }
    [[nodiscard]] double level(const SharedCuts& cuts, const Walk& walk, Tokens items) const {
        const std::array<Units, 1> load = {walk.used()[0] + items * unit_};
        return cuts.capacity().level(walk.part(), load);
    }
    void forwards(const SharedCuts& cuts, std::size_t number, Walk& walk) const {
        const Tokens first = cuts.first(rank_);
        for (Tokens from = 0; !walk.failed();) {
            const Tokens stop = cuts.stop(number, walk.part() + 1) - first;
            const Tokens end = std::min(stop, own_.items);
            const Tokens has = first + from - walk.start();
            const Tokens to = std::min(end, from + more(cuts, number, walk, has));
            if (to == own_.items && stop >= own_.items) {
                walk.used()[0] += (to - from) * unit_;
                return;
            }
            walk.reach(level(cuts, walk, to - from));
            if (to < end && has + to - from < cuts.most(walk.part()))
                walk.note_next(level(cuts, walk, to - from + 1));
            walk.set_start(first + to);
            if (walk.part() + 1 == cuts.ranks()) return walk.fail();
            walk.set_part(walk.part() + 1);
            walk.set_cut(walk.part(), first + to);
            walk.used()[0] = 0;
            from = to;
        }
    }
    void backwards(const SharedCuts& cuts, std::size_t number, Walk& walk) const {
        const Tokens first = cuts.first(rank_);
        for (Tokens to = own_.items; walk.part() > 0;) {
            walk.set_part(walk.part() - 1);
            const Tokens stop = cuts.stop(number, walk.part()) - first;
            const Tokens least = std::min(to, std::max(Tokens{0}, stop));
            const Tokens has = walk.start() - (first + to);
            const Tokens from = std::max(least, to - more(cuts, number, walk, has));
            if (from == 0 && stop <= 0) {
                walk.used()[0] += to * unit_;
                walk.set_part(walk.part() + 1);
                return;
            }
            walk.set_cut(walk.part(), first + from);
            walk.set_start(first + from);
            walk.used()[0] = 0;
            to = from;
        }
    }

    std::size_t rank_;
    Stretch own_;
    Units unit_ = 0;
};

struct Cut {
    std::vector<Tokens> sizes;
    PlacementFigures figures;
};
Cut cut(const std::vector<Stretch>& ranks, const PlaceOptions& options,
        std::size_t sketch = SharedCuts::sketch_words_max) {
    SharedCuts cuts(ranks.size(), options, sketch);
    std::vector<EvenStretch> own;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        own.emplace_back(rank, ranks[rank]);
    std::vector<int> begins(ranks.size());
    while (cuts.step() != SharedCuts::Step::done) {
        std::vector<std::int64_t> words;
        if (cuts.walks()) {
            words.resize(cuts.walk_count() * cuts.shape().words());
            cuts.begin_walks(words);
            const bool backwards = cuts.step() == SharedCuts::Step::backwards;
            for (std::size_t turn = 0; turn < ranks.size(); ++turn)
                own[backwards ? ranks.size() - 1 - turn : turn].walk(cuts, words);
            cuts.take_walks(words);
            continue;
        }
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            begins[rank] = static_cast<int>(words.size());
            const std::vector<std::int64_t> mine = own[rank].words(cuts);
            EXPECT_EQ(cuts.words_of(rank), mine.size());
            words.insert(words.end(), mine.begin(), mine.end());
        }
        cuts.take({words, begins});
    }
    return {cuts.sizes(), cuts.figures()};
}

// The items of all ranks, judged by formulas alone.
class Line {
  public:
    explicit Line(const std::vector<Stretch>& ranks) : ranks_(ranks), firsts_(1, 0) {
        for (const Stretch& own : ranks)
            firsts_.push_back(firsts_.back() + own.items);
    }
    [[nodiscard]] Tokens items() const { return firsts_.back(); }
    // Exact: weights are small whole numbers.
    [[nodiscard]] Int128 weight(Tokens from, Tokens to) const {
        Int128 sum = 0;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
            sum += static_cast<Int128>(common(rank, from, to)) *
                   static_cast<Int128>(ranks_[rank].weight);
        return sum;
    }
    [[nodiscard]] Tokens common(std::size_t rank, Tokens from, Tokens to) const {
        return std::max(Tokens{0}, std::min(to, firsts_[rank + 1]) - std::max(from, firsts_[rank]));
    }
    [[nodiscard]] double load_per_speed(std::size_t part, Tokens from, Tokens to) const {
        if (from == to) return 0;
        if (ranks_[part].speed == 0 || to - from > ranks_[part].most)
            return std::numeric_limits<double>::infinity();
        return static_cast<double>(weight(from, to)) / ranks_[part].speed;
    }
    // Whether some cuts keep all loads per speed within a bound: each part takes what it can.
    [[nodiscard]] bool allows(double most) const {
        Tokens from = 0;
        for (std::size_t part = 0; part < ranks_.size(); ++part) {
            Tokens fits = from;
            for (Tokens beyond = items() + 1; fits + 1 < beyond;) {
                const Tokens middle = fits + (beyond - fits) / 2;
                (load_per_speed(part, from, middle) <= most ? fits : beyond) = middle;
            }
            from = fits;
        }
        return from == items();
    }

  private:
    std::vector<Stretch> ranks_;
    std::vector<Tokens> firsts_;
};

// Every figure of a cut is what a formula says, and no cut is more level.
void expect_best_by(std::size_t sketch, const std::vector<Stretch>& ranks, double tolerance) {
    const Cut found = cut(ranks, {.tolerance = tolerance}, sketch);
    const Line line(ranks);
    ASSERT_EQ(line.items(), std::accumulate(found.sizes.begin(), found.sizes.end(), Tokens{0}));
    Tokens moved = 0;
    Tokens from = 0;
    double largest = 0;
    double speed = 0;
    for (std::size_t part = 0; part < ranks.size(); ++part) {
        const Tokens to = from + found.sizes[part];
        ASSERT_GE(to, from);
        largest = std::max(largest, line.load_per_speed(part, from, to));
        moved += found.sizes[part] - line.common(part, from, to);
        speed += ranks[part].speed;
        from = to;
    }
    EXPECT_EQ(moved, found.figures.moved);
    EXPECT_LE(found.figures.moved_at_least, moved);
    if (line.items() == 0) return;
    EXPECT_NEAR(1, largest / found.figures.largest, 1e-9);
    const double share = static_cast<double>(line.weight(0, line.items())) / speed;
    if (largest > share * (1 + tolerance) * slack) {
        EXPECT_FALSE(line.allows(largest / slack));
        EXPECT_LE(found.figures.largest_at_least, largest * slack);
        EXPECT_FALSE(line.allows(found.figures.largest_at_least / slack));
    }
}

// By a sketch, and by walks alone.
void expect_best(const std::vector<Stretch>& ranks, double tolerance) {
    expect_best_by(SharedCuts::sketch_words_max, ranks, tolerance);
    expect_best_by(0, ranks, tolerance);
}

TEST(FarCuts, AreThoseOfItemsThatAreHeld) {
    EXPECT_TRUE(test::holds("the same sizes and figures", [] {
        const auto parts = *rc::gen::inRange<std::size_t>(1, 6);
        std::vector<Stretch> ranks(parts);
        std::vector<std::vector<double>> weights(parts);
        std::vector<RankItems> held(parts);
        for (std::size_t rank = 0; rank < parts; ++rank) {
            Stretch& own = ranks[rank];
            own.items = *rc::gen::inRange<Tokens>(0, 30);
            own.weight = *rc::gen::inRange(0, 5);
            own.speed = *rc::gen::inRange(1, 4);
            own.most = *rc::gen::inRange<Tokens>(30, 60);
            weights[rank].assign(static_cast<std::size_t>(own.items), own.weight);
            held[rank] = {.weights = weights[rank], .speed = own.speed, .most = own.most};
        }
        const PlaceOptions options = {.tolerance = *rc::gen::element(0.0, 0.1)};
        const Cut found = cut(ranks, options);
        const OrderPlacement expected = place_in_order(held, options);
        RC_ASSERT(expected.sizes == found.sizes);
        RC_ASSERT(expected.figures.largest == found.figures.largest);
        RC_ASSERT(expected.figures.moved == found.figures.moved);
        RC_ASSERT(expected.figures.moved_at_least == found.figures.moved_at_least);
    }));
}

constexpr Tokens two_to_31 = Tokens{1} << 31U;
constexpr Tokens two_to_32 = Tokens{1} << 32U;
constexpr Tokens two_to_40 = Tokens{1} << 40U;

TEST(FarCuts, AreTheBestOnesBeyond32Bits) {
    for (const double tolerance : {0.0, 0.05}) {
        expect_best({{two_to_31 + 5}, {0}}, tolerance);
        expect_best({{0}, {two_to_31 - 1}, {two_to_31 + 1}}, tolerance);
        expect_best({{two_to_32 + 7}, {3}, {two_to_32 - 7}, {0}}, tolerance);
        expect_best({{two_to_40 + 7, 1}, {5, 1}, {two_to_31 + 1, 3}, {two_to_32 - 1, 2}},
                    tolerance);
        expect_best({{two_to_40, 1, 2}, {two_to_40, 7, 1}, {1, 100, 3}, {two_to_31, 5, 1}},
                    tolerance);
        expect_best({{two_to_40, 1, 0}, {two_to_40, 1, 1}, {0, 1, 5}}, tolerance);
    }
}

TEST(FarCuts, KeepRoomBeyond32Bits) {
    for (const double tolerance : {0.0, 0.2}) {
        expect_best({{two_to_40, 1, 1, two_to_31 + 1}, {7}, {0}}, tolerance);
        expect_best({{two_to_40, 1, 1, two_to_32},
                     {two_to_32 + 1, 3, 1, two_to_31 - 1},
                     {0, 1, 1, 2 * two_to_40}},
                    tolerance);
    }
    try {
        cut({{two_to_40, 1, 1, two_to_32}, {0, 1, 1, two_to_31}}, {});
        ADD_FAILURE() << "items without room were placed";
    } catch (const InputError& error) {
        EXPECT_EQ(std::string("expected room for 1,099,511,627,776 items on ranks with a speed "
                              "above 0, found room for 6,442,450,944: 1,093,069,176,832 too few"),
                  error.what());
    }
}

TEST(FarCuts, AreTheBestOnesWhereverTheyAreDrawn) {
    EXPECT_TRUE(test::holds("the best cuts", [] {
        const auto parts = *rc::gen::inRange<std::size_t>(1, 7);
        std::vector<Stretch> ranks(parts);
        for (Stretch& own : ranks) {
            const auto bits = *rc::gen::inRange(0, 42);
            own.items =
                *rc::gen::inRange<Tokens>(0, (Tokens{1} << static_cast<unsigned>(bits)) + 1);
            own.weight = *rc::gen::inRange(1, 9);
            own.speed = *rc::gen::inRange(1, 4);
        }
        expect_best(ranks, *rc::gen::element(0.0, 0.01, 0.3));
        RC_ASSERT(!::testing::Test::HasFailure());
    }));
}

}  // namespace
}  // namespace equipoise::placement::far_cuts
