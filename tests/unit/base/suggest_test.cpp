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
    EXPECT_TRUE(near_words("m", {"n", "d"}).empty());
    EXPECT_EQ(suggestion("demolish", {"run", "verify"}), ": expected run or verify");
    EXPECT_EQ(suggestion("demolish", {}), "");
}

TEST(ExpectedWord, NamesAllWordsWhatWasFoundAndTheNearest) {
    const std::vector<std::string> levels = {"summary", "sampled", "full"};
    EXPECT_EQ(expected_word("ful", levels),
              "expected summary, sampled or full, found \"ful\": did you mean \"full\"?");
    EXPECT_EQ(expected_word("everything", levels),
              "expected summary, sampled or full, found \"everything\"");
    EXPECT_EQ(expected_word("", levels), "expected summary, sampled or full, found nothing");
}

}  // namespace
}  // namespace equipoise
