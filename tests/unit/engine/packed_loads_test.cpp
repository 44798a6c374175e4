// Loads change their width within their memory and stay what they are.

#include "equipoise/engine/parts/packed_loads.hpp"

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"

namespace equipoise::engine {
namespace {

constexpr Width widths[] = {Width::two, Width::four, Width::eight};

TEST(PackedLoads, FitTheLeastWidthThatHoldsTheirExtremes) {
    EXPECT_EQ(width_for(0, 65535), Width::two);
    EXPECT_EQ(width_for(0, 65536), Width::four);
    EXPECT_EQ(width_for(0, 2147483647), Width::four);
    EXPECT_EQ(width_for(0, 2147483648), Width::eight);
    EXPECT_EQ(width_for(-1, 5), Width::eight);
}

TEST(PackedLoads, AreTheSameAtEveryWidthAndAfterAnyChangeOfIt) {
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{70000}})
        for (const Width from : widths)
            for (const Width to : widths) {
                load::Loads expected(count);
                RandomStream random(3, Purpose::loads, count);
                for (Tokens& load : expected)
                    load = static_cast<Tokens>(random.below(65536));
                load::Loads loads = expected;
                repack(loads, Width::eight, from);
                repack(loads, from, to);
                const PackedLoads view = packed(loads, to);
                ASSERT_EQ(view.all().size(), count * static_cast<std::size_t>(to));
                for (std::size_t node = 0; node < count; ++node)
                    ASSERT_EQ(view[node], expected[node]);
                if (count > 0) {
                    view.set(0, 17);
                    expected[0] = 17;
                }
                repack(loads, to, Width::eight);
                EXPECT_EQ(loads, expected);
            }
}

}  // namespace
}  // namespace equipoise::engine
