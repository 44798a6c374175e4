#include "equipoise/base/spec_meant.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

const std::vector<SpecForm>& forms() {
    static const std::vector<SpecForm> known = {{"path", {"n"}, false, "path:n=100"},
                                                {"torus", {}, true, "torus:64x64"},
                                                {"tree", {"k", "h"}, false, "tree:k=2,h=10"},
                                                {"random-tree", {"n"}, false, "random-tree:n=9"}};
    return known;
}

constexpr std::array others = {std::pair<std::string_view, std::string_view>{"line", "path"}};

std::string keyed(const std::string& text) {
    for (const SpecForm& form : forms())
        if (text.substr(0, text.find(':')) == form.name) return with_keys(text, form);
    return "no form";
}

std::string meant(const std::string& text) {
    return meant_spec(text, forms(), others);
}

TEST(WithKeys, GivesValuesTheKeysThatAreMissing) {
    EXPECT_EQ(keyed("path:9"), "path:n=9");
    EXPECT_EQ(keyed("path:n9"), "path:n=9");
    EXPECT_EQ(keyed("path:n:9"), "path:n=9");
    EXPECT_EQ(keyed("tree:2,3"), "tree:k=2,h=3");
    EXPECT_EQ(keyed("tree:2x3"), "tree:k=2,h=3");
    EXPECT_EQ(keyed("tree:k=2,3"), "tree:k=2,h=3");
    EXPECT_EQ(keyed("tree:h=2,3"), "tree:h=2,k=3");
    EXPECT_EQ(keyed("path:n=1,000"), "path:n=1000");
}

TEST(WithKeys, WritesSidesWithAnX) {
    EXPECT_EQ(keyed("torus:8,8"), "torus:8x8");
    EXPECT_EQ(keyed("torus:8X8"), "torus:8x8");
    EXPECT_EQ(keyed("torus:8*8*8"), "torus:8x8x8");
}

TEST(Remedy, AsksOrShowsTheExampleWhereThereAreNoValues) {
    EXPECT_EQ(remedy("path:9", forms()[0]), ": did you mean \"path:n=9\"?");
    EXPECT_EQ(remedy("path", forms()[0]), " (as in path:n=100)");
    EXPECT_EQ(remedy("torus:", forms()[1]), " (as in torus:64x64)");
    EXPECT_EQ(remedy("path:nine", forms()[0]), "");
}

TEST(WithKeys, SaysNothingWhereNothingComesToMind) {
    for (const char* text : {"path:n=9", "path:9,9", "path:nine", "torus:8x8", "torus:eight",
                             "torus:8x", "tree:1,2,3", "path:,"})
        EXPECT_EQ(keyed(text), "") << text;
}

TEST(MeantSpec, FindsNamesWrittenInOtherWays) {
    EXPECT_EQ(meant("Torus:8x8"), "torus:8x8");
    EXPECT_EQ(meant("torus-8x8"), "torus:8x8");
    EXPECT_EQ(meant("torus8x8"), "torus:8x8");
    EXPECT_EQ(meant("torus=8,8"), "torus:8x8");
    EXPECT_EQ(meant("torus(8, 8)"), "torus:8x8");
    EXPECT_EQ(meant("torus(8,8)"), "torus:8x8");
    EXPECT_EQ(meant("path,n=9"), "path:n=9");
    EXPECT_EQ(meant("line:9"), "path:n=9");
    EXPECT_EQ(meant("line"), "path:n=100");
    EXPECT_EQ(meant("random-tree 7"), "random-tree:n=7");
    EXPECT_EQ(meant("random-tree"), "random-tree:n=9");
}

TEST(MeantSpec, FindsNoNameInLongerWords) {
    EXPECT_EQ(meant("paths:9"), "");
    EXPECT_EQ(meant("path-of-cliques:9"), "");
    EXPECT_EQ(meant("linear:9"), "");
    EXPECT_EQ(meant(""), "");
}

TEST(DidYouMeanSpec, AsksOnlyIfThereIsOne) {
    EXPECT_EQ(did_you_mean_spec("path:n=9"), ": did you mean \"path:n=9\"?");
    EXPECT_EQ(did_you_mean_spec(""), "");
}

}  // namespace
}  // namespace equipoise
