#include "equipoise/trace/read.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/trace/brotli.hpp"
#include "tests/support/sample_traces.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::trace {
namespace {

using test::file_json;
using test::phase_json;
using test::sent_json;
using test::task_json;
using test::trace_from;

std::string identical(const std::string& list, const std::string& range,
                      const std::string& skipped = "[]") {
    return R"("metadata":{"phases":{"skipped":{"list":)" + skipped +
           R"(,"range":[]},"identical_to_previous":{"list":)" + list + R"(,"range":)" + range +
           "}}},";
}

std::string complaint_of(const std::vector<std::string>& texts) {
    return test::thrown_by([&] { static_cast<void>(trace_from(texts)); });
}

/// Writes files to a fresh folder, of this test alone, and says what reading it throws.
std::string complaint_of_folder(const std::map<std::string, std::string>& files) {
    const std::filesystem::path folder =
        testing::TempDir() + "trace_read_" +
        testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    for (const auto& [name, text] : files)
        std::ofstream(folder / name) << text;
    std::string what = test::thrown_by([&] { static_cast<void>(read_trace({folder.string()})); });
    std::filesystem::remove_all(folder);
    for (std::size_t at = what.find(folder.string()); at != std::string::npos;
         at = what.find(folder.string()))
        what.replace(at, folder.string().size(), "F");
    return what;
}

TEST(TraceReader, KnowsAnObjectThatMayMigrateWhereverItRuns) {
    const Trace trace = trace_from(
        {file_json({phase_json(0, {task_json(7, 0, 1)}), phase_json(1, {task_json(8, 0, 1)})}),
         file_json({phase_json(0, {task_json(8, 1, 1)}), phase_json(1, {task_json(7, 1, 1)})})});
    EXPECT_EQ(2U, trace.entity_count);
    // What may not migrate is another object on every rank.
    const std::string fixed0 = file_json({phase_json(0, {task_json(0, 0, 1, false)})});
    const std::string fixed1 = file_json({phase_json(0, {task_json(0, 1, 1, false)})});
    EXPECT_EQ(2U, trace_from({fixed0, fixed1}).entity_count);
}

TEST(TraceReader, KnowsCompressionByContentNotByName) {
    if (!has_brotli()) GTEST_SKIP() << "built without brotli";
    const std::filesystem::path folder = testing::TempDir() + "trace_by_content";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::string text = file_json({phase_json(0, {task_json(7, 0, 1)})});
    std::ofstream(folder / "data.0.json", std::ios::binary) << compressed(text, "x");
    std::ofstream(folder / "data.1.json.br", std::ios::binary)
        << "\n" + file_json({phase_json(0, {task_json(8, 1, 2)})});
    const Trace trace = read_trace({folder.string()});
    EXPECT_EQ(2U, trace.tasks.size());
    EXPECT_TRUE(trace.files[0].compressed);
    EXPECT_FALSE(trace.files[1].compressed);
    std::filesystem::remove_all(folder);
}

TEST(TraceReader, ReadsCompressedFilesOnlyAsFarAsTheyAreRight) {
    if (!has_brotli()) GTEST_SKIP() << "built without brotli";
    const std::filesystem::path folder = testing::TempDir() + "trace_as_far_as_right";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::filesystem::path file = folder / "d.0.json.br";
    const auto complaint_at_start = [&](const std::string& start) {
        std::ofstream(file, std::ios::binary) << start;
        std::filesystem::resize_file(file, std::uintmax_t{1} << 33U);  // more than is ever read
        return test::thrown_by([&] { static_cast<void>(read_trace({folder.string()})); });
    };
    EXPECT_EQ(
        "input: " + file.string() + ": expected nothing after the compressed trace, found more",
        complaint_at_start(compressed("{}", "x")));
    std::string numbers;
    for (std::uint32_t i = 0; i < 100'000; ++i)
        numbers += std::to_string(i * 2'654'435'761U) + '\n';
    EXPECT_EQ("input: " + file.string() + ":1: expected well-formed JSON, found \"0\"",
              complaint_at_start(compressed(numbers, "x")));
    std::filesystem::remove_all(folder);
}

TEST(TraceReader, NamesWhatIsNeitherJsonNorBrotli) {
    EXPECT_EQ(
        "input: F/d.0.json: expected JSON, found a file compressed by gzip (decompress it "
        "first: gzip -d)",
        complaint_of_folder({{"d.0.json", "\x1f\x8b\x08"}}));
    EXPECT_EQ("input: F/d.0.json:1: expected well-formed JSON, found \"\\xff\\xfdno\"",
              complaint_of_folder({{"d.0.json", "\xff\xfdno"}}));
    if (!has_brotli()) return;
    EXPECT_EQ("input: F/d.0.json.br: expected bytes that brotli compressed, found others",
              complaint_of_folder({{"d.0.json.br", "\xff\xfdno"}}));
}

TEST(TraceReader, RefusesAnObjectOnTwoRanksAtOnce) {
    EXPECT_EQ(
        "input: data.1.json: phase 0: expected every object that may migrate once, found one "
        "twice, here and in data.0.json",
        complaint_of({file_json({phase_json(0, {task_json(7, 0, 1)})}),
                      file_json({phase_json(0, {task_json(7, 1, 1)})})}));
}

TEST(TraceReader, ExpandsIdenticalPhasesRankByRank) {
    const Trace trace = trace_from(
        {file_json({phase_json(0, {task_json(7, 0, 1)}), phase_json(4, {task_json(7, 0, 3)})},
                   identical("[1]", "[[2,3]]")),
         file_json({phase_json(0, {}), phase_json(1, {task_json(8, 1, 5)}), phase_json(2, {}),
                    phase_json(3, {}), phase_json(4, {})})});
    ASSERT_EQ(5U, trace.phases.size());
    for (std::size_t phase = 1; phase <= 3; ++phase) {
        EXPECT_TRUE(trace.phases[phase].ranks[0].repeats);
        EXPECT_FALSE(trace.phases[phase].ranks[1].repeats);
        EXPECT_EQ(trace.phases[0].ranks[0].tasks, trace.phases[phase].ranks[0].tasks);
    }
    EXPECT_EQ(1U, trace.phases[1].ranks[1].tasks.size());
}

TEST(TraceReader, RefusesPhasesThatSomeRanksHaveNot) {
    const std::string two = file_json({phase_json(0, {}), phase_json(1, {})});
    const std::string one = file_json({phase_json(0, {})});
    EXPECT_EQ("input: data.1.json: expected phase 1, which data.0.json has, found none",
              complaint_of({two, one}));
    EXPECT_EQ("input: data.0.json: expected phase 1, which data.1.json has, found none",
              complaint_of({one, two}));
    EXPECT_EQ("input: data.1.json: expected phase 1, which data.0.json has, found it skipped",
              complaint_of({two, file_json({phase_json(0, {})}, identical("[]", "[]", "[1]"))}));
    EXPECT_EQ(
        "input: data.0.json: expected phase 1 written out or identical to the one before, "
        "found both",
        complaint_of(
            {file_json({phase_json(0, {}), phase_json(1, {})}, identical("[1]", "[]")), two}));
    EXPECT_EQ(
        "input: data.0.json: phase 0 is identical to the one before: expected one, found "
        "none",
        complaint_of({file_json({}, identical("[0]", "[]"))}));
}

TEST(TraceReader, RefusesMissingAndDoubledRanks) {
    const std::string empty = R"({"phases":[]})";
    EXPECT_EQ("nothing", complaint_of_folder({{"a.0.json", empty}, {"a.1.json", empty}}));
    EXPECT_EQ("input: expected the files of all ranks from 0 to 2, found none for rank 1",
              complaint_of_folder({{"a.0.json", empty}, {"a.2.json", empty}}));
    EXPECT_EQ(
        "input: expected one file for every rank, found two for rank 0: F/a.0.json and "
        "F/b.0.json",
        complaint_of_folder({{"a.0.json", empty}, {"b.0.json", empty}}));
}

TEST(TraceReader, TakesRanksFromTheMetadataWhereNamesHaveNone) {
    const std::filesystem::path folder = testing::TempDir() + "trace_names";
    std::filesystem::create_directories(folder);
    const std::string one = (folder / "one.json").string();
    const std::string two = (folder / "two.json").string();
    std::ofstream(one) << R"({"phases":[],"metadata":{"rank":1}})";
    std::ofstream(two) << R"({"phases":[],"metadata":{"rank":0}})";
    const Trace trace = read_trace({one, two});
    EXPECT_EQ("two.json", trace.files[0].name);
    EXPECT_EQ("one.json", trace.files[1].name);
    std::ofstream(two) << R"({"phases":[]})";
    EXPECT_EQ("input: " + two +
                  ": expected the rank in the name, as in data.0.json, or in the metadata, found "
                  "neither",
              test::thrown_by([&] {
                  static_cast<void>(read_trace({one, two}));
              }));
    std::filesystem::remove_all(folder);
}

TEST(TraceReader, FindsTheEndsOfCommunications) {
    const std::string to_rank =
        R"({"bytes":8.0,"from":{"id":7,"type":"object","migratable":true},"messages":3,)"
        R"("to":{"id":1,"type":"node"},"type":"CollectionToNode"})";
    const std::string nowhere = R"({"bytes":1.0,"from":{"id":70,"type":"object"},"messages":5,)"
                                R"("to":{"id":8,"type":"object"},"type":"SendRecv"})";
    const Trace trace =
        trace_from({file_json({phase_json(0, {task_json(7, 0, 1), task_json(9, 0, 1)},
                                          {sent_json(7, 9, 1, 100), to_rank, nowhere})}),
                    file_json({phase_json(0, {task_json(8, 1, 1)}, {sent_json(7, 8, 2, 10)})})});
    const Placement recorded = recorded_placement(trace);
    const Traffic before = traffic_between_ranks(trace, trace.phases[0], recorded[0]);
    EXPECT_EQ(5, before.messages);
    EXPECT_EQ(18.0, before.bytes);
    EXPECT_EQ(5, before.unplaced);
    // With 7 on rank 1 the message to 9 crosses, and those to 8 and to the rank do not.
    const Traffic after = traffic_between_ranks(trace, trace.phases[0], {1, 0, 1});
    EXPECT_EQ(1, after.messages);
    EXPECT_EQ(100.0, after.bytes);
}

TEST(TraceReader, KnowsObjectsByTheirNumberWithinHomeAndCollection) {
    const auto task = [](int home, int collection) {
        return R"({"entity":{"home":)" + std::to_string(home) +
               R"(,"seq_id":5,"migratable":true,"type":"object","collection_id":)" +
               std::to_string(collection) + R"(},"node":0,"resource":"cpu","time":1.0})";
    };
    EXPECT_EQ(3U, trace_from({file_json({phase_json(0, {task(0, 1), task(1, 1), task(0, 2)})})})
                      .entity_count);
}

TEST(TraceReader, KnowsAnObjectByEitherOfItsNames) {
    const std::string both =
        R"({"entity":{"home":0,"id":77,"seq_id":5,"migratable":true,"type":"object",)"
        R"("collection_id":3},"node":0,"resource":"cpu","time":1.0})";
    const std::string sent =
        R"({"bytes":8.0,"from":{"home":0,"id":77,"type":"object"},"messages":3,)"
        R"("to":{"home":0,"seq_id":5,"collection_id":3,"type":"object","migratable":true},)"
        R"("type":"SendRecv"})";
    const Trace trace = trace_from({file_json({phase_json(0, {both}, {sent})})});
    ASSERT_EQ(1U, trace.communications.size());
    EXPECT_EQ(0U, trace.communications[0].from.entity);
    EXPECT_EQ(0U, trace.communications[0].to.entity);
}

}  // namespace
}  // namespace equipoise::trace
