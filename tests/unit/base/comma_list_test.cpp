#include "equipoise/base/comma_list.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/thrown.hpp"

namespace equipoise {
namespace {

using Names = std::vector<std::string>;

Names names(const std::string& text) {
    return comma_list("--drain", "names of nodes", text);
}

TEST(CommaList, BlanksAroundEntriesDoNotCountAndQuotesKeepWhatIsInside) {
    EXPECT_EQ(names("a"), (Names{"a"}));
    EXPECT_EQ(names("a,b"), (Names{"a", "b"}));
    EXPECT_EQ(names(" a ,\tb c, d"), (Names{"a", "b c", "d"}));
    EXPECT_EQ(names("\"a,b\", \" c \",\"say \"\"d\"\"\""), (Names{"a,b", " c ", "say \"d\""}));
    EXPECT_EQ(names("a,a"), (Names{"a", "a"}));
}

TEST(CommaList, EmptyEntriesAndOpenQuotesAreRefused) {
    for (const std::string text : {"", " ", ",", "a,", ",a", "a,,b", "a, ,b", "a,\"\"", "\"\""})
        EXPECT_EQ(test::thrown_by([&] { static_cast<void>(names(text)); }),
                  "input: --drain: expected names of nodes, separated by commas, found an "
                  "empty one in \"" +
                      text + '"');
    for (const std::string text : {"\"a", "\"a\"b", "a,\"b"})
        EXPECT_EQ(test::thrown_by([&] { static_cast<void>(names(text)); }),
                  "input: --drain: expected names of nodes, separated by commas, found a quote "
                  "that is not closed, or text after a closing one, in \"" +
                      text + '"');
}

}  // namespace
}  // namespace equipoise
