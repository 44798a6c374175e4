// "Did you mean ...?"
#include "equipoise/base/suggest.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

TEST(NearWords, FindSlipsOfThePenAndNothingElse) {
    const std::vector<std::string> verbs = {"run", "compare", "generate", "verify"};
    EXPECT_EQ(near_words("rnu", verbs), std::vector<std::string>{"run"});
    EXPECT_EQ(near_words("compere", verbs), std::vector<std::string>{"compare"});
    EXPECT_EQ(near_words("gen", verbs), std::vector<std::string>{"generate"});
    EXPECT_TRUE(near_words("demolish", verbs).empty());
    EXPECT_EQ(suggestion("demolish", {"run", "verify"}), ": expected one of run, verify");
    EXPECT_EQ(suggestion("demolish", {}), "");
}

}  // namespace
}  // namespace equipoise
