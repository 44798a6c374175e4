#include "equipoise/trace/write.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/trace/brotli.hpp"
#include "tests/support/property.hpp"
#include "tests/support/sample_traces.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::trace {
namespace {

namespace fs = std::filesystem;
using test::file_json;
using test::phase_json;
using test::sent_json;
using test::task_json;
using test::trace_from;

Trace two_ranks() {
    return trace_from({file_json({phase_json(0, {task_json(7, 0, 1), task_json(0, 0, 2, false)},
                                             {sent_json(8, 7, 1, 100)}),
                                  phase_json(1, {task_json(7, 0, 1)})}),
                       file_json({phase_json(0, {task_json(8, 1, 3)}, {sent_json(7, 8, 2, 10)}),
                                  phase_json(1, {task_json(8, 1, 3)})})});
}

TEST(TraceWriter, GivesBackTheSameFilesWhereNothingMoves) {
    const Trace trace = two_ranks();
    const std::vector<std::string> once = test::texts_of(trace, recorded_placement(trace));
    const Trace again = trace_from(once);
    EXPECT_EQ(once, test::texts_of(again, recorded_placement(again)));
    EXPECT_EQ(recorded_placement(trace), recorded_placement(again));
}

TEST(TraceWriter, PutsTasksAndWhatTheyReceiveInTheFileOfTheirRank) {
    const Trace trace = two_ranks();
    // 7 goes to rank 1 in phase 0; phase 1 stays.
    const Trace moved = trace_from(test::texts_of(trace, {{1, 0, 1}, {0, 1}}));
    ASSERT_EQ(2U, moved.phases.size());
    const Phase& phase = moved.phases[0];
    ASSERT_EQ(1U, phase.ranks[0].tasks.size());
    EXPECT_FALSE(moved.tasks[phase.ranks[0].tasks[0]].migratable);
    ASSERT_EQ(2U, phase.ranks[1].tasks.size());
    EXPECT_EQ(3.0, moved.tasks[phase.ranks[1].tasks[0]].seconds);  // what stays comes first
    EXPECT_TRUE(phase.ranks[0].communications.empty());
    EXPECT_EQ(2U, phase.ranks[1].communications.size());
    EXPECT_EQ(1U, moved.phases[1].ranks[0].tasks.size());
}

TEST(TraceWriter, WritesIdenticalPhasesOutOnlyWhereTheyBecomeDifferent) {
    const std::string metadata =
        R"("metadata":{"rank":RANK,"phases":{"count":5,"skipped":{"list":[],"range":[]},)"
        R"("identical_to_previous":{"list":[],"range":[[1,4]]}}},)";
    std::vector<std::string> texts;
    for (int rank = 0; rank < 2; ++rank) {
        std::string own = metadata;
        own.replace(own.find("RANK"), 4, std::to_string(rank));
        texts.push_back(file_json(
            {phase_json(0, {task_json(static_cast<std::uint64_t>(7 + rank), rank, 1)})}, own));
    }
    const Trace trace = trace_from(texts);
    // 7 moves to rank 1 in phase 2 and stays there.
    const Placement placement = {{0, 1}, {0, 1}, {1, 1}, {1, 1}, {1, 1}};
    const std::vector<std::string> written = test::texts_of(trace, placement);
    for (const std::string& text : written)
        EXPECT_NE(std::string::npos,
                  text.find(R"("identical_to_previous":{"list":[1],"range":[[3,4]]})"))
            << text;
    const Trace again = trace_from(written);
    ASSERT_EQ(5U, again.phases.size());
    for (std::size_t phase = 0; phase < 5; ++phase) {
        EXPECT_EQ(phase < 2 ? 1U : 0U, again.phases[phase].ranks[0].tasks.size());
        EXPECT_EQ(phase < 2 ? 1U : 2U, again.phases[phase].ranks[1].tasks.size());
    }
}

TEST(TraceWriter, LosesNoTaskNorCommunicationUnderAnyPlacement) {
    EXPECT_TRUE(test::holds("tasks by rank, and all communications", [] {
        const int ranks = *rc::gen::inRange(1, 5);
        const int objects = *rc::gen::inRange(0, 9);
        std::vector<std::vector<std::string>> tasks(static_cast<std::size_t>(ranks));
        std::vector<std::vector<std::string>> sent(static_cast<std::size_t>(ranks));
        for (int object = 0; object < objects; ++object) {
            const int rank = *rc::gen::inRange(0, ranks);
            tasks[static_cast<std::size_t>(rank)].push_back(
                task_json(static_cast<std::uint64_t>(object), rank, object));
        }
        for (int k = 0; objects > 0 && k < 6; ++k)
            sent[*rc::gen::inRange<std::size_t>(0, sent.size())].push_back(
                sent_json(*rc::gen::inRange<std::uint64_t>(0, 9),
                          *rc::gen::inRange<std::uint64_t>(0, 9), k, 1 << k));
        std::vector<std::string> texts;
        for (std::size_t rank = 0; rank < tasks.size(); ++rank)
            texts.push_back(file_json({phase_json(0, tasks[rank], sent[rank])}));
        const Trace trace = trace_from(texts);
        Placement placement = recorded_placement(trace);
        for (int& rank : placement[0])
            rank = *rc::gen::inRange(0, ranks);
        const Trace moved = trace_from(test::texts_of(trace, placement));
        std::map<double, int> wanted;
        std::map<double, int> found;
        std::size_t place = 0;
        for (const RankPhase& part : trace.phases[0].ranks)
            for (const std::uint32_t task : part.tasks)
                wanted[trace.tasks[task].seconds] = placement[0][place++];
        for (std::size_t rank = 0; rank < moved.rank_count(); ++rank)
            for (const std::uint32_t task : moved.phases[0].ranks[rank].tasks)
                found[moved.tasks[task].seconds] = static_cast<int>(rank);
        RC_ASSERT(found == wanted);
        RC_ASSERT(moved.communications.size() == trace.communications.size());
        const Traffic as_planned = traffic_between_ranks(trace, trace.phases[0], placement[0]);
        const Traffic as_written =
            traffic_between_ranks(moved, moved.phases[0], recorded_placement(moved)[0]);
        RC_ASSERT(as_planned.bytes == as_written.bytes);
        RC_ASSERT(as_planned.messages == as_written.messages);
    }));
}

class WrittenFolder : public testing::Test {
  protected:
    void SetUp() override {
        fs::remove_all(root_);
        fs::create_directories(root_);
    }
    void TearDown() override { fs::remove_all(root_); }

    [[nodiscard]] std::vector<std::string> names(const fs::path& folder) const {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(folder))
            found.push_back(entry.path().filename().string());
        std::sort(found.begin(), found.end());
        return found;
    }

    fs::path root_ = testing::TempDir() + "trace_written_" +
                     testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(WrittenFolder, AppearsWholeOrNotAtAll) {
    const Trace trace = two_ranks();
    const std::string folder = (root_ / "out").string();
    int files = 0;
    const auto fail_at_second = [&files] {
        if (++files == 2) throw std::runtime_error("interrupted");
    };
    EXPECT_THROW(write_trace(trace, recorded_placement(trace), folder, fail_at_second),
                 std::runtime_error);
    EXPECT_TRUE(names(root_).empty());
    write_trace(trace, recorded_placement(trace), folder + "/");
    EXPECT_EQ(std::vector<std::string>{"out"}, names(root_));
    EXPECT_EQ((std::vector<std::string>{"data.0.json", "data.1.json"}), names(folder));
}

TEST_F(WrittenFolder, MayBeEmptyAndMustNotHoldFiles) {
    const Trace trace = two_ranks();
    const std::string folder = (root_ / "out").string();
    fs::create_directories(folder);
    write_trace(trace, recorded_placement(trace), folder);
    EXPECT_EQ(2U, names(folder).size());
    EXPECT_EQ("input: " + folder + ": expected a folder that is new or empty, found files in it",
              test::thrown_by([&] { write_trace(trace, recorded_placement(trace), folder); }));
    std::ofstream(root_ / "file") << "x";
    const std::string file = (root_ / "file").string();
    EXPECT_EQ("input: " + file + ": expected a folder that is new or empty, found a file",
              test::thrown_by([&] { write_trace(trace, recorded_placement(trace), file); }));
    const std::string lost = (root_ / "no" / "out").string();
    EXPECT_EQ("input: " + lost + ": cannot be written: No such file or directory",
              test::thrown_by([&] { write_trace(trace, recorded_placement(trace), lost); }));
}

TEST_F(WrittenFolder, HoldsCompressedFilesWhereTheyWereCompressed) {
    if (!has_brotli()) GTEST_SKIP() << "built without brotli";
    Trace trace = two_ranks();
    trace.files[1].compressed = true;
    trace.files[1].name += ".br";
    const std::string folder = (root_ / "out").string();
    write_trace(trace, recorded_placement(trace), folder);
    EXPECT_EQ((std::vector<std::string>{"data.0.json", "data.1.json.br"}), names(folder));
    const Trace again = read_trace({folder}, {.keep_text = true});
    EXPECT_EQ(test::texts_of(trace, recorded_placement(trace)),
              test::texts_of(again, recorded_placement(again)));
}

}  // namespace
}  // namespace equipoise::trace
