#include <gtest/gtest.h>

#include "tests/support/drawn_structure.hpp"

namespace equipoise::test {
namespace {

TEST(ArrayTimetable, HasAnArrowForEachTokenThatCrossesALink) {
    // From cell 4: 14 tokens to the right, over 7 links, and 8 to the left, over 4.
    const std::string svg =
        drawn_structure("array-timetable", "path:n=12", "spike:tokens=24,node=4");
    EXPECT_TRUE(shows(svg, "Timetable of path:n=12: 22 steps, the fewest for these targets"));
    const std::size_t keys = 1;
    EXPECT_EQ(times(svg, "stroke=\"#d55e00\""), keys + 14 + 12 + 10 + 8 + 6 + 4 + 2);
    EXPECT_EQ(times(svg, "stroke=\"#0072b2\""), keys + 8 + 6 + 4 + 2);
    EXPECT_TRUE(shows(drawn_structure("array-timetable", "mesh:12", "spike:tokens=24,node=4"),
                      "Timetable of mesh:12: 22 steps, the fewest for these targets"));
}

TEST(ArrayTimetable, ExtraTokensGoWhereTheSpecSays) {
    const std::string follow = drawn_structure("array-timetable", "path:n=3", "at:2=1");
    EXPECT_TRUE(shows(follow, "Timetable of path:n=3: 0 steps, the fewest for these targets"));
    const std::string first = drawn_structure("array-timetable:extras=first", "path:n=3", "at:2=1");
    EXPECT_TRUE(shows(first, "Timetable of path:n=3: 2 steps, the fewest for these targets"));
    EXPECT_EQ(drawn_structure("array-timetable:extras=last", "path:n=3", "at:2=1"),
              "spec 'array-timetable:extras=last': extras=: expected follow or first, found "
              "\"last\"");
}

TEST(ArrayTimetable, RefusesWhatIsNoLineAndWhatIsTooLong) {
    for (const std::string network : {"mesh:3x3", "star:leaves=3", "cycle:n=5"})
        EXPECT_EQ(drawn_structure("array-timetable", network, "spike:tokens=3"),
                  "array-timetable needs a line: a path or a mesh of one axis");
    EXPECT_EQ(drawn_structure("array-timetable", "path:n=61", "spike:tokens=3"),
              "timetables are drawn up to 60 cells, this line has 61");
    EXPECT_EQ(drawn_structure("array-timetable", "path:n=9", "spike:tokens=900"),
              "timetables are drawn up to 300 steps, this one has 800");
}

}  // namespace
}  // namespace equipoise::test
