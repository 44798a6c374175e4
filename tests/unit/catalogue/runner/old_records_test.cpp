// Records that older versions of the program wrote are read, verified and replayed.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/verify/verify.hpp"

namespace equipoise::catalogue {
namespace {

const std::filesystem::path folder = EQUIPOISE_SOURCE_DIR "/tests/records/version-1";

TEST(OldRecords, AreReadVerifiedAndReplayed) {
    std::size_t records = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const model::Record record = model::read_record(entry.path().string());
        for (const verify::Check& check : verify::verify(record).checks)
            EXPECT_TRUE(check.passed) << entry.path() << ": " << check.name << ' ' << check.detail;
        const Replay again = replay(record);
        EXPECT_TRUE(again.same) << entry.path() << ": " << again.detail;
        ++records;
    }
    EXPECT_GE(records, 15U);
}

TEST(OldRecords, WithoutTheOrderOfEventsAreNotSaidToHaveTheSame) {
    const auto detail = [](const char* name) {
        return replay(model::read_record((folder / name).string())).detail;
    };
    EXPECT_TRUE(detail("first-records.json")
                    .ends_with("; not compared, as this old record does not hold it: the order of "
                               "events, the end that was asked for"));
    EXPECT_EQ(detail("faults.json").find("not compared"), std::string::npos);
}

model::Record old(const char* name) {
    return model::read_record((folder / name).string());
}

TEST(OldRecords, HaveTheTypesThatTheyHeldAsTexts) {
    const model::Record limit = old("deviation.json");
    EXPECT_EQ(limit.deviation, (model::Deviation{3, 2.5e-07, std::nullopt, 3.0}));
    EXPECT_EQ(limit.constants.size(), 2U);  // second eigenvalue and local divergence
    EXPECT_EQ(old("matchings.json").matchings,
              (network::MatchingSequence{{{0, 1}, {2, 3}}, {{1, 2}, {3, 4}}}));
    EXPECT_EQ(old("matrix.json").matrix, (network::RoundWeights{{1, 3}, {1, 4}, {1, 4}, {1, 3}}));
    EXPECT_EQ(old("colouring.json").given.colouring,
              (network::MatchingSequence{{{0, 1}, {2, 3}}, {{0, 3}, {1, 2}}}));
    const model::Record tree = old("tree.json");
    EXPECT_EQ(tree.given.tree, network::SpanningTree::given);
    EXPECT_EQ(tree.given.tree_links, (std::vector<Ends>{{0, 1}, {1, 2}, {2, 3}}));
    EXPECT_TRUE(tree.on_spanning_tree);
    EXPECT_TRUE(old("file.json").one_token_a_link);
    EXPECT_EQ(old("moves.json").moves, (model::Moves{false, 22, 205}));
    EXPECT_EQ(old("moves-played.json").moves, (model::Moves{true, 7, 85}));
    EXPECT_EQ(old("faults.json").asynchrony->faults_met, (model::FaultsMet{51, 0, 0}));
}

TEST(OldRecords, AreTheSameWhenTheyAreWrittenInTheFormatOfNow) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().filename() == "first-records.json") continue;
        const model::Record before = model::read_record(entry.path().string());
        const std::string text = model::to_json(before);
        EXPECT_EQ(model::to_json(model::record_from_json(text, "now")), text) << entry.path();
    }
}

}  // namespace
}  // namespace equipoise::catalogue
