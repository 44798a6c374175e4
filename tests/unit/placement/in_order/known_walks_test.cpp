#include "equipoise/placement/in_order/known_walks.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/support/property.hpp"

namespace equipoise::placement::known_walks {
namespace {

// All running sums of drawn items of two kinds, and those at some places.
struct Drawn {
    CutPlaces all;
    CutPlaces known;
    std::vector<std::size_t> place_of;  // by known place: its number among all
    std::vector<Tokens> most;
    std::vector<Units> least_caps;
    std::vector<Units> caps;
    std::vector<Units> most_caps;

    [[nodiscard]] std::size_t parts() const { return most.size(); }
};

Drawn drawn_items() {
    Drawn drawn;
    drawn.all.kinds = drawn.known.kinds = 2;
    const auto items = *rc::gen::inRange<std::size_t>(0, 30);
    const int knowledge = *rc::gen::element(0, 30, 100);  // per cent of places
    std::vector<Units> sums = {0, 0};
    for (std::size_t item = 0; item <= items; ++item) {
        drawn.all.positions.push_back(static_cast<Tokens>(item));
        drawn.all.sums.insert(drawn.all.sums.end(), sums.begin(), sums.end());
        if (item == 0 || item == items || *rc::gen::inRange(0, 100) < knowledge) {
            drawn.known.positions.push_back(static_cast<Tokens>(item));
            drawn.known.sums.insert(drawn.known.sums.end(), sums.begin(), sums.end());
            drawn.place_of.push_back(item);
        }
        sums[0] += *rc::gen::inRange(0, 9);
        sums[1] += *rc::gen::element(0, 0, 1, 20);
    }
    const auto parts = *rc::gen::inRange<std::size_t>(1, 6);
    for (std::size_t part = 0; part < parts; ++part) {
        drawn.most.push_back(*rc::gen::element<Tokens>(0, 4, 30, 30));
        for (int kind = 0; kind < 2; ++kind) {
            drawn.least_caps.push_back(*rc::gen::inRange(0, 60));
            drawn.caps.push_back(drawn.least_caps.back() + *rc::gen::inRange(0, 9));
            drawn.most_caps.push_back(drawn.caps.back() + *rc::gen::inRange(0, 9));
        }
    }
    return drawn;
}

// Places among all items.
std::vector<KnownCut> in_all(const Drawn& drawn, const std::vector<KnownCut>& cuts) {
    std::vector<KnownCut> places;
    places.reserve(cuts.size());
    for (const KnownCut& cut : cuts)
        places.push_back({drawn.place_of[cut.first], drawn.place_of[cut.last]});
    return places;
}

TEST(KnownWalks, EncloseTheWalksThroughAllItemsAtAllLimitsBetweenTheirs) {
    EXPECT_TRUE(test::holds("each cut is where it is said to be", [] {
        const Drawn drawn = drawn_items();
        const KnownWalks walks(drawn.known, {drawn.least_caps, drawn.most},
                               {drawn.most_caps, drawn.most});
        const PartLimits limits = {drawn.caps, drawn.most};
        const KnownWalks exact(drawn.all, limits, limits);
        std::vector<KnownCut> stops;
        if (*rc::gen::arbitrary<bool>())
            for (std::size_t cut = 0; cut <= drawn.parts(); ++cut) {
                const auto place = *rc::gen::inRange<std::size_t>(0, drawn.known.positions.size());
                stops.push_back({place, place});
            }
        for (const bool backwards : {false, true}) {
            std::vector<KnownCut> found(drawn.parts() + 1);
            std::vector<KnownCut> expected(drawn.parts() + 1);
            if (backwards) {
                walks.backwards(stops, found);
                exact.backwards(in_all(drawn, stops), expected);
            } else {
                walks.forwards(stops, found);
                exact.forwards(in_all(drawn, stops), expected);
            }
            found = in_all(drawn, found);
            for (std::size_t cut = 0; cut < found.size(); ++cut) {
                RC_ASSERT(expected[cut].is_exact());
                RC_ASSERT(found[cut].first <= expected[cut].first);
                RC_ASSERT(found[cut].last >= expected[cut].last);
            }
        }
    }));
}

// Each part in turn, item by item.
TEST(KnownWalks, TakeAsManyItemsAsLimitsAllow) {
    EXPECT_TRUE(test::holds("the same cuts", [] {
        const Drawn drawn = drawn_items();
        const PartLimits limits = {drawn.caps, drawn.most};
        const KnownWalks exact(drawn.all, limits, limits);
        const auto holds = [&](std::size_t part, std::size_t from, std::size_t to) {
            if (static_cast<Tokens>(to - from) > drawn.most[part]) return false;
            for (std::size_t kind = 0; kind < 2; ++kind)
                if (drawn.all.sums[to * 2 + kind] - drawn.all.sums[from * 2 + kind] >
                    drawn.caps[part * 2 + kind])
                    return false;
            return true;
        };
        std::vector<KnownCut> cuts(drawn.parts() + 1);
        exact.forwards({}, cuts);
        std::size_t place = 0;
        for (std::size_t part = 0; part < drawn.parts(); ++part) {
            const std::size_t from = place;
            while (place + 1 < drawn.all.positions.size() && holds(part, from, place + 1))
                ++place;
            RC_ASSERT(cuts[part + 1].first == place);
        }
        exact.backwards({}, cuts);
        place = drawn.all.positions.size() - 1;
        for (std::size_t part = drawn.parts(); part-- > 0;) {
            const std::size_t to = place;
            while (place > 0 && holds(part, place - 1, to))
                --place;
            RC_ASSERT(cuts[part].last == place);
        }
    }));
}

}  // namespace
}  // namespace equipoise::placement::known_walks
