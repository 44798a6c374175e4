#include "equipoise/report/tables/glossary.hpp"

#include <cctype>
#include <cstddef>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/model/run/stop.hpp"

namespace equipoise::report {
namespace {

/// "[docs/results](results/index.md)" -> "docs/results"
std::string without_links(std::string text) {
    for (std::size_t open = 0; (open = text.find("](")) != std::string::npos;) {
        text.erase(open, text.find(')', open) + 1 - open);
        text.erase(text.rfind('[', open), 1);
    }
    return text;
}

/// The page's words with their meanings.
std::map<std::string, std::string> words_of_page() {
    std::ifstream file(EQUIPOISE_SOURCE_DIR "/docs/glossary.md");
    std::map<std::string, std::string> words;
    for (std::string line; std::getline(file, line);) {
        const std::size_t middle = line.find(" | ");
        if (!line.starts_with("| ") || middle == std::string::npos) continue;
        words[line.substr(2, middle - 2)] =
            without_links(line.substr(middle + 3, line.size() - middle - 5));
    }
    return words;
}

TEST(Glossary, SaysOfEveryWordWhatThePageSays) {
    const std::map<std::string, std::string> page = words_of_page();
    ASSERT_GT(page.size(), 60U);
    for (const GlossaryEntry& entry : glossary()) {
        const auto found = page.find(std::string(entry.word));
        ASSERT_NE(found, page.end()) << entry.word << " is not in docs/glossary.md";
        EXPECT_TRUE(found->second.starts_with(entry.meaning))
            << entry.word << ": printed as \"" << entry.meaning << "\", on the page as \""
            << found->second << '"';
    }
}

TEST(Glossary, HasShortLinesThatCanStandInBrackets) {
    for (const GlossaryEntry& entry : glossary()) {
        EXPECT_LE(entry.word.size() + entry.meaning.size(), 115U) << entry.word;
        EXPECT_FALSE(entry.meaning.ends_with('.')) << entry.word;
        EXPECT_TRUE(std::islower(static_cast<unsigned char>(entry.meaning.front())) != 0)
            << entry.word;
    }
}

TEST(Glossary, ExplainsEveryReasonForWhichARunEnds) {
    using model::StopReason;
    for (auto reason : {StopReason::own_termination, StopReason::discrepancy,
                        StopReason::one_balanced, StopReason::quiet, StopReason::stable,
                        StopReason::steps_max, StopReason::interrupted, StopReason::nothing_to_do})
        EXPECT_FALSE(meaning_of(to_string(reason)).empty()) << to_string(reason);
    // Words that the runner says in place of these.
    for (const char* word : {"no-progress", "smoothing-rounds"})
        EXPECT_FALSE(meaning_of(word).empty()) << word;
}

TEST(Glossary, FindsWholeWordsInTexts) {
    const std::vector<std::string> known = {"repaired", "quiet", "1-smooth"};
    EXPECT_EQ(words_in("Theorem 3, repaired; not unquiet; 1-smooth", known),
              (std::vector<std::string>{"repaired", "1-smooth"}));
    EXPECT_EQ(words_in("two matchings, but no matchingsticks", {"matching"}),
              std::vector<std::string>{"matching"});
    EXPECT_TRUE(words_in("unmatching matchingx", {"matching"}).empty());
    EXPECT_TRUE(words_in("", known).empty());
}

TEST(Glossary, WritesALineForEachWord) {
    EXPECT_EQ(explained({"certified", "max-steps"}),
              "certified: the error is proved, not only estimated.\n"
              "max-steps: the limit on steps was reached.\n");
    EXPECT_TRUE(meaning_of("no such word").empty());
}

}  // namespace
}  // namespace equipoise::report
