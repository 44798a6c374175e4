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

}  // namespace
}  // namespace equipoise::catalogue
