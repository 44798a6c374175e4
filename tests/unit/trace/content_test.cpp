#include "equipoise/trace/content.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/sample_traces.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::trace {
namespace {

using test::file_json;
using test::phase_json;
using test::task_json;

std::string complaint(const std::string& text) {
    return test::thrown_by([&] { static_cast<void>(parse_content(text, "x", 0, true)); });
}

/// The sample with one text in the place of another.
std::string complaint_with(const std::string& old, const std::string& replacement) {
    std::string text = file_json(
        {phase_json(
            4,
            {task_json(7, 0, 1.5, true, R"(,"subphases":[{"id":0,"time":1.5}],"attributes":{})")},
            {test::sent_json(7, 7, 2, 10)})},
        R"("metadata":{"type":"LBDatafile","rank":0,"shared_node":{"id":0,"size":1,"rank":0,)"
        R"("num_nodes":1},"phases":{"count":2,"skipped":{"list":[],"range":[]},)"
        R"("identical_to_previous":{"list":[5],"range":[]}},"attributes":{"a":1}},)");
    if (old.empty()) return complaint(text);
    const std::size_t at = text.find(old);
    EXPECT_NE(std::string::npos, at) << old << " in " << text;
    return complaint(text.replace(at, old.size(), replacement));
}

TEST(TraceContent, TakesAllThatTheFormatHas) {
    EXPECT_EQ("nothing", complaint_with("", ""));
    EXPECT_EQ("nothing", complaint(R"({"phases":[]})"));
    EXPECT_EQ("nothing", complaint(R"({"phases":[{"id":0,"tasks":[]}]})"));
}

TEST(TraceContent, TakesWhatLoadBalancingTriedAndKeepsIt) {
    const std::string tried = R"("lb_iterations":[{"id":0,"tasks":[)" + task_json(7, 1, 2, true) +
                              R"(],"communications":[)" + test::sent_json(7, 7, 2, 10) +
                              R"(],"user_defined":{"x":1}},{"id":1,"tasks":[]}])";
    const std::string phase = R"({"id":0,"tasks":[)" + task_json(7, 0, 1.5) + "]," + tried + "}";
    const FileContent content = parse_content(file_json({phase}), "x", 0, true);
    ASSERT_EQ(1U, content.phases[0].tasks.size());  // and none of those tried
    EXPECT_TRUE(content.phases[0].kept.starts_with(R"("lb_iterations":[{)"));
    EXPECT_TRUE(parse_content(file_json({phase}), "x", 0, false).phases[0].kept.empty());
    const auto complaint_of_iteration = [](const std::string& iteration) {
        return complaint(file_json({R"({"id":0,"lb_iterations":[)" + iteration + "]}"}));
    };
    EXPECT_EQ("input: x: phases[0].lb_iterations[0]: expected the key \"id\", found none",
              complaint_of_iteration("{}"));
    EXPECT_EQ("input: x: phases[0].lb_iterations[0]: unknown key \"task\": did you mean \"tasks\"?",
              complaint_of_iteration(R"({"id":0,"task":[]})"));
    EXPECT_EQ(
        "input: x: phases[0].lb_iterations[0].tasks[0].time: expected seconds (a number, 0 or "
        "more), found -1.0",
        complaint_of_iteration(R"({"id":0,"tasks":[)" + task_json(7, 0, -1) + "]}"));
}

TEST(TraceContent, TakesTheFactorOfARanksLoads) {
    const auto with_alpha = [](const std::string& alpha) {
        return file_json({}, R"("metadata":{"rank":0,"rank_alpha":)" + alpha + "},");
    };
    EXPECT_EQ("nothing", complaint(with_alpha("0.0")));
    // As vt's schema wants it, with a point.
    EXPECT_EQ(R"({"rank":0,"rank_alpha":1.0})",
              parse_content(with_alpha("1"), "x", 0, true).metadata);
    for (const char* alpha : {"-0.5", "\"1\"", "null"})
        EXPECT_EQ(
            "input: x: metadata.rank_alpha: expected a factor of loads (a number, 0 or more), "
            "found " +
                std::string(alpha),
            complaint(with_alpha(alpha)));
}

TEST(TraceContent, ReadsTimesBytesAndPhasesInOrder) {
    const std::string sized =
        task_json(8, 3, 0.25, true,
                  R"(,"user_defined":{"task_footprint_bytes":9,"task_serialized_bytes":5})");
    const FileContent content = parse_content(
        file_json({phase_json(9, {}), phase_json(2, {task_json(7, 3, 1.5), sized})}), "x", 3, true);
    ASSERT_EQ(2U, content.phases.size());
    EXPECT_EQ(2, content.phases[0].id);
    EXPECT_EQ(9, content.phases[1].id);
    ASSERT_EQ(2U, content.phases[0].tasks.size());
    EXPECT_EQ(1.5, content.phases[0].tasks[0].seconds);
    EXPECT_FALSE(content.phases[0].tasks[0].bytes.has_value());
    EXPECT_EQ(5.0, content.phases[0].tasks[1].bytes);
}

TEST(TraceContent, NamesUnknownKeysAndTheNearest) {
    EXPECT_EQ("input: x: phases[0].tasks[0]: unknown key \"tme\": did you mean \"time\"?",
              complaint_with("\"time\":1.500000,", "\"tme\":1.500000,"));
    EXPECT_EQ("input: x: phases[0].tasks[0].entity: unknown key \"hom\": did you mean \"home\"?",
              complaint_with("\"home\"", "\"hom\""));
    EXPECT_EQ(
        "input: x: phases[0].communications[0]: unknown key \"size\": expected bytes, from, "
        "messages, to or type",
        complaint_with("\"messages\"", "\"size\""));
    EXPECT_EQ("input: x: unknown key \"phase\": did you mean \"phases\"?",
              complaint_with("\"phases\":[", "\"phase\":["));
}

TEST(TraceContent, SaysWhatIsMissing) {
    for (const auto& [text, key] :
         std::vector<std::pair<std::string, std::string>>{{",\"time\":1.500000", "time"},
                                                          {"\"node\":0,", "node"},
                                                          {"\"resource\":\"cpu\",", "resource"}})
        EXPECT_EQ("input: x: phases[0].tasks[0]: expected the key \"" + key + "\", found none",
                  complaint_with(text, ""));
    EXPECT_EQ("input: x: phases[0].tasks[0].entity: expected \"id\" or \"seq_id\", found neither",
              complaint_with(",\"id\":7", ""));
    EXPECT_EQ(
        "input: x: phases[0].tasks[0].entity: expected \"collection_id\" beside \"seq_id\" "
        "of what may migrate, found none",
        complaint_with("\"id\":7", "\"seq_id\":7"));
    EXPECT_EQ("nothing", complaint_with("\"id\":7", "\"collection_id\":3,\"seq_id\":7"));
    EXPECT_EQ("input: x: expected the key \"phases\", found none", complaint("{}"));
}

TEST(TraceContent, RefusesValuesOfAWrongKind) {
    const std::string task = "input: x: phases[0].tasks[0]";
    for (const std::string found : {"-1.0", "null", "\"1\"", "[]"})
        EXPECT_EQ(task + ".time: expected seconds (a number, 0 or more), found " + found,
                  complaint_with("\"time\":1.500000,", "\"time\":" + found + ","));
    EXPECT_TRUE(complaint_with("\"time\":1.500000,", "\"time\":NaN,")
                    .starts_with("input: x:1: expected well-formed JSON, found \"NaN,"));
    EXPECT_EQ("input: x: expected numbers within 64 bits, found a larger one",
              complaint_with("\"time\":1.500000,", "\"time\":1e999,"));
    EXPECT_EQ(task + ".subphases[0].time: expected seconds (a number, 0 or more), found -2",
              complaint_with("\"time\":1.5}", "\"time\":-2}"));
    EXPECT_EQ(task + ".node: expected 0, the rank of the file, found 1",
              complaint_with("\"node\":0", "\"node\":1"));
    EXPECT_EQ(task + ".node: expected a whole number, found 0.5",
              complaint_with("\"node\":0", "\"node\":0.5"));
    EXPECT_EQ(task + ".entity.migratable: expected true or false, found 1",
              complaint_with("\"migratable\":true", "\"migratable\":1"));
    EXPECT_EQ(task + ".entity.id: expected a whole number, 0 or more, found -7",
              complaint_with("\"id\":7", "\"id\":-7"));
    EXPECT_EQ(task + ".attributes: expected an object, found 3",
              complaint_with("\"attributes\":{}", "\"attributes\":3"));
    EXPECT_EQ(
        "input: x: phases[0].communications[0].messages: expected a whole number from 0 to "
        "2305843009213693951, found 2.0",
        complaint_with("\"messages\":2", "\"messages\":2.0"));
    EXPECT_EQ(
        "input: x: phases[0].id: expected a whole number from 0 to 9007199254740992, found "
        "-4",
        complaint_with("\"id\":4", "\"id\":-4"));
    EXPECT_EQ("input: x: type: expected \"LBDatafile\", found \"LBStatsfile\"",
              complaint_with("LBDatafile", "LBStatsfile"));
    EXPECT_EQ("input: x: phases: expected a list, found 3", complaint(R"({"phases":3})"));
    EXPECT_EQ("input: x: expected an object, found []", complaint("[]"));
}

TEST(TraceContent, JudgesRangesOfPhasesBeforeItExpandsThem) {
    EXPECT_EQ(
        "input: x: metadata.phases.identical_to_previous: expected at most 1000000 phases, "
        "found more",
        complaint_with("\"list\":[5],\"range\":[]",
                       "\"list\":[5],\"range\":[[6,9007199254740992]]"));
    EXPECT_EQ(
        "input: x: metadata.phases.identical_to_previous.range[0]: expected the first and "
        "the last phase, found [9,6]",
        complaint_with("\"list\":[5],\"range\":[]", "\"list\":[5],\"range\":[[9,6]]"));
    EXPECT_EQ(
        "input: x: metadata.phases.identical_to_previous: expected every phase once, found "
        "5 twice",
        complaint_with("\"list\":[5],\"range\":[]", "\"list\":[5],\"range\":[[5,6]]"));
    EXPECT_EQ("input: x: phases: expected every phase once, found 2 twice",
              complaint(file_json({phase_json(2, {}), phase_json(2, {})})));
}

TEST(TraceContent, HoldsTheMetadataToTheFilesName) {
    EXPECT_EQ("input: x: metadata: expected rank 0, as the file's name says, found 3",
              complaint_with("\"rank\":0", "\"rank\":3"));
    EXPECT_EQ(3, parse_content(R"({"phases":[],"metadata":{"rank":3}})", "x", {}, true).rank);
}

TEST(TraceContent, RefusesATextThatIsCutShortAnywhere) {
    const std::string text = file_json({phase_json(0, {task_json(7, 0, 1.5)})});
    for (std::size_t size = 0; size < text.size(); ++size)
        EXPECT_TRUE(complaint(text.substr(0, size)).starts_with("input: x:")) << size;
}

}  // namespace
}  // namespace equipoise::trace
