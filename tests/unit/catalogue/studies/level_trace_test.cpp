#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "equipoise/catalogue/studies/trace.hpp"
#include "equipoise/report/page/load_trace_page.hpp"
#include "equipoise/trace/write.hpp"
#include "tests/support/property.hpp"
#include "tests/support/sample_traces.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::catalogue {
namespace {

using report::LoadTrace;
using report::PhaseLevels;
using test::file_json;
using test::phase_json;
using test::task_json;
using test::trace_from;
using trace::Placement;
using trace::Trace;

/// A trace of one phase: times by rank, 0 .. fixed - 1 of which may not migrate.
Trace one_phase(const std::vector<std::vector<double>>& times, std::size_t fixed = 0) {
    std::vector<std::string> texts;
    std::uint64_t id = 0;
    for (std::size_t rank = 0; rank < times.size(); ++rank) {
        std::vector<std::string> tasks;
        for (std::size_t k = 0; k < times[rank].size(); ++k)
            tasks.push_back(task_json(++id, static_cast<int>(rank), times[rank][k], k >= fixed));
        texts.push_back(file_json({phase_json(0, tasks)}));
    }
    return trace_from(texts);
}

/// The least largest load over all placements of one phase.
double least_largest(const Trace& trace) {
    const auto ranks = trace.rank_count();
    std::vector<double> loads(ranks, 0);
    std::vector<double> free;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        for (const std::uint32_t number : trace.phases[0].ranks[rank].tasks) {
            const trace::Task& task = trace.tasks[number];
            if (task.migratable) {
                free.push_back(task.seconds);
            } else {
                loads[rank] += task.seconds;
            }
        }
    double least = std::numeric_limits<double>::infinity();
    const std::function<void(std::size_t)> place = [&](std::size_t k) {
        if (k == free.size()) {
            least = std::min(least, *std::max_element(loads.begin(), loads.end()));
            return;
        }
        for (double& load : loads) {
            const double kept = load;
            load += free[k];
            place(k + 1);
            load = kept;
        }
    };
    place(0);
    return least;
}

TEST(LevelTrace, BoundsHoldOnAllSmallTraces) {
    EXPECT_TRUE(test::holds("bounds and what stays", [] {
        const auto times = *rc::gen::container<std::vector<std::vector<double>>>(
            3, rc::gen::resize(3, rc::gen::container<std::vector<double>>(rc::gen::map(
                                      rc::gen::inRange(0, 9), [](int n) { return n * 1.0; }))));
        const Trace trace = one_phase(times, 1);
        const double least = least_largest(trace);
        for (const char* policy : {"weighted", "minimum-moves", "keep-order"}) {
            TraceRequest request;
            request.policy = policy;
            const LevelledTrace made = level_trace(trace, request);
            const PhaseLevels& phase = made.levels.phases.front();
            RC_ASSERT(phase.largest_at_least <= least * (1 + 1e-9) + 1e-12);
            RC_ASSERT(least <= phase.largest_after * (1 + 1e-9) + 1e-12);
            RC_ASSERT(phase.moved_at_least <= phase.moved);
            const double all = std::accumulate(phase.after.begin(), phase.after.end(), 0.0);
            RC_ASSERT(std::abs(all - 3 * phase.average) < 1e-9);
            const Placement recorded = trace::recorded_placement(trace);
            std::size_t place = 0;
            for (const trace::RankPhase& part : trace.phases[0].ranks)
                for (const std::uint32_t task : part.tasks) {
                    if (!trace.tasks[task].migratable)
                        RC_ASSERT(made.placement[0][place] == recorded[0][place]);
                    ++place;
                }
        }
    }));
}

TEST(LevelTrace, CountsWithTheFewestMovesOrInOrder) {
    const Trace trace = one_phase({{1, 2, 3, 4, 5}, {}, {9}});
    TraceRequest request;
    request.policy = "minimum-moves";
    const LevelledTrace fewest = level_trace(trace, request);
    EXPECT_EQ((std::vector<int>{0, 0, 1, 1, 2, 2}), fewest.placement[0]);
    EXPECT_EQ(3, fewest.levels.phases[0].moved);
    EXPECT_EQ(3, fewest.levels.phases[0].moved_at_least);
    EXPECT_EQ(12.0, fewest.levels.phases[0].weight_moved);
    request.policy = "keep-order";
    EXPECT_EQ((std::vector<int>{0, 0, 1, 1, 2, 2}), level_trace(trace, request).placement[0]);
}

TEST(LevelTrace, WeightsEndLevelWhereTheyCan) {
    const LevelledTrace made = level_trace(one_phase({{1, 1, 1, 1}, {}, {}, {}}), {});
    EXPECT_EQ(0.0, made.levels.imbalance_after());
    EXPECT_EQ(3.0, made.levels.imbalance_before());
    EXPECT_EQ(3, made.levels.phases[0].moved);
}

TEST(LevelTrace, MovesNothingBelowALoadThatCannotFall) {
    // Rank 0 has 10 seconds that may not migrate: the others may differ as they like.
    const Trace trace = trace_from(
        {file_json({phase_json(0, {task_json(1, 0, 10, false), task_json(2, 0, 1)})}),
         file_json({phase_json(0, {task_json(3, 1, 1), task_json(4, 1, 1), task_json(5, 1, 1)})}),
         file_json({phase_json(0, {})})});
    const LoadTrace own = level_trace(trace, {}).levels;
    EXPECT_EQ(10.0, own.phases[0].largest_after);
    EXPECT_EQ(1, own.phases[0].moved);
    EXPECT_EQ(1, own.phases[0].moved_at_least);
}

TEST(LevelTrace, AtRunTimeLevelsTheOthersBesideALoadThatCannotFall) {
    // In phase 0, rank 0 has 10 seconds that may not migrate; in phase 1 they are gone.
    const std::string fixed = task_json(1, 0, 10, false);
    const std::string idle = task_json(1, 0, 0, false);
    const std::vector<std::string> full = {task_json(3, 1, 1), task_json(4, 1, 1),
                                           task_json(5, 1, 1), task_json(6, 1, 1)};
    const Trace trace = trace_from({file_json({phase_json(0, {fixed}), phase_json(1, {idle})}),
                                    file_json({phase_json(0, full), phase_json(1, full)}),
                                    file_json({phase_json(0, {}), phase_json(1, {})})});
    TraceRequest request;
    request.times = "previous";
    const LoadTrace levels = level_trace(trace, request).levels;
    EXPECT_EQ(2, levels.phases[1].moved);
    EXPECT_EQ(2.0, levels.phases[1].largest_after);
    EXPECT_EQ(10.0, levels.phases[0].largest_at_least);
}

/// Two objects of which one takes 3 seconds from phase 1 on; a third appears in phase 2.
Trace three_phases() {
    return trace_from(
        {file_json({phase_json(0, {task_json(1, 0, 1), task_json(2, 0, 1)}),
                    phase_json(1, {task_json(1, 0, 3), task_json(2, 0, 3)}),
                    phase_json(2, {task_json(1, 0, 3), task_json(2, 0, 3), task_json(3, 0, 1)})}),
         file_json({phase_json(0, {}), phase_json(1, {}), phase_json(2, {})})});
}

TEST(LevelTrace, EveryPhaseBeginsWhereTheOneBeforeWasPlanned) {
    const LevelledTrace own = level_trace(three_phases(), {});
    EXPECT_EQ(1, own.levels.phases[0].moved);
    EXPECT_EQ(0, own.levels.phases[1].moved);
    EXPECT_EQ(own.placement[0], own.placement[1]);
    EXPECT_EQ(0, own.placement[2][2]);  // where it ran
}

TEST(LevelTrace, PlansFromThePhaseBeforeAsAtRunTime) {
    TraceRequest request;
    request.times = "previous";
    const LevelledTrace made = level_trace(three_phases(), request);
    EXPECT_EQ((std::vector<int>{0, 0}), made.placement[0]);
    EXPECT_NE(made.placement[1][0], made.placement[1][1]);
    EXPECT_EQ(0, made.levels.phases[0].moved);
    EXPECT_EQ(1, made.levels.phases[1].moved);
    EXPECT_EQ(1.0, made.levels.phases[1].weight_moved);  // seconds of the phase planned from
}

TEST(LevelTrace, CountsTheMovesThatWereRecorded) {
    const Trace trace =
        trace_from({file_json({phase_json(0, {task_json(1, 0, 1)}), phase_json(1, {})}),
                    file_json({phase_json(0, {}), phase_json(1, {task_json(1, 1, 1)})})});
    const LevelledTrace made = level_trace(trace, {});
    EXPECT_EQ(1, made.levels.total().moved_recorded);
    EXPECT_EQ(0, made.levels.total().moved);
    EXPECT_EQ(made.placement[0], made.placement[1]);
}

/// n phases in which two objects begin on one of two ranks.
Trace lopsided(int phases) {
    std::vector<std::string> full;
    std::vector<std::string> empty;
    for (int phase = 0; phase < phases; ++phase) {
        full.push_back(phase_json(phase, {task_json(1, 0, 1), task_json(2, 0, 1)}));
        empty.push_back(phase_json(phase, {}));
    }
    return trace_from({file_json(full), file_json(empty)});
}

TEST(LevelTrace, AdviceBalancesOnceWhereNothingChanges) {
    TraceRequest request;
    request.advise = true;
    request.cost = 0.5;
    const LoadTrace levels = level_trace(lopsided(20), request).levels;
    ASSERT_TRUE(levels.advised.has_value());
    EXPECT_EQ(1U, levels.advised->after.size());
    EXPECT_EQ(40.0, levels.advised->recorded);
    EXPECT_EQ(21.5, levels.advised->best);  // 2 s of the first phase, 0.5 s, 19 times 1 s
    EXPECT_EQ(21.0 + 19 * 0.5, levels.advised->every_phase);
    EXPECT_LE(levels.advised->best, levels.advised->advised);
    EXPECT_LE(levels.advised->advised, 25.0);
    EXPECT_TRUE(levels.phases.front().advice.has_value());
}

TEST(LevelTrace, AdviceNeverLosesMoreThanOneTrialWhereBalancingIsInVain) {
    // One object cannot be split: no balance helps.
    const Trace trace = trace_from(
        {file_json({phase_json(0, {task_json(1, 0, 1)}), phase_json(1, {task_json(1, 0, 1)}),
                    phase_json(2, {task_json(1, 0, 1)})}),
         file_json({phase_json(0, {}), phase_json(1, {}), phase_json(2, {})})});
    TraceRequest request;
    request.advise = true;
    request.cost = 0.25;
    const LoadTrace levels = level_trace(trace, request).levels;
    EXPECT_LE(levels.advised->advised, levels.advised->recorded + 0.25);
}

TEST(LevelTrace, RefusesWhatMakesNoSense) {
    const auto complaint = [](const std::function<void(TraceRequest&)>& change) {
        TraceRequest request;
        request.paths = {"x"};
        change(request);
        return test::thrown_by([&] { request.verify(); });
    };
    EXPECT_EQ("nothing", complaint([](TraceRequest&) {}));
    EXPECT_EQ(
        "input: --policy: expected weighted, minimum-moves or keep-order, found \"wieghted\": "
        "did you mean \"weighted\"?",
        complaint([](TraceRequest& r) { r.policy = "wieghted"; }));
    EXPECT_EQ("input: --times: expected own or previous, found \"next\"",
              complaint([](TraceRequest& r) { r.times = "next"; }));
    EXPECT_EQ(
        "input: --tolerance: expected a number, 0 or more, found nan",
        complaint([](TraceRequest& r) { r.tolerance = std::numeric_limits<double>::quiet_NaN(); }));
    EXPECT_EQ("input: --tolerance: expected the policy weighted, found keep-order",
              complaint([](TraceRequest& r) {
                  r.tolerance = 0.1;
                  r.policy = "keep-order";
              }));
    EXPECT_EQ("input: --advise: expected the times of the previous phase, found --times own",
              complaint([](TraceRequest& r) {
                  r.advise = true;
                  r.times = "own";
              }));
    EXPECT_EQ("input: --cost: expected --advise with it, found none",
              complaint([](TraceRequest& r) { r.cost = 1; }));
}

TEST(LevelTrace, SumsThatAreNotFiniteAreRefused) {
    std::string huge = file_json({phase_json(3, {task_json(1, 0, 1), task_json(2, 0, 1)})});
    for (std::size_t at = huge.find("1.000000"); at != std::string::npos;
         at = huge.find("1.000000"))
        huge.replace(at, 8, "1.7e308");
    EXPECT_EQ("input: phase 3: expected seconds with a finite sum, found larger ones",
              test::thrown_by([&] { static_cast<void>(level_trace(trace_from({huge}), {})); }));
}

TEST(LevelTrace, OfNothingIsLevel) {
    const LoadTrace none = level_trace(trace_from({file_json({})}), {}).levels;
    EXPECT_EQ(0.0, none.imbalance_after());
    const LoadTrace idle = level_trace(one_phase({{}, {}}), {}).levels;
    EXPECT_EQ(0.0, idle.imbalance_before());
    EXPECT_EQ(0, idle.phases[0].moved);
}

TEST(LevelTrace, JsonHasTheKeysThatAreAPromise) {
    TraceRequest request;
    request.advise = true;
    const auto object =
        nlohmann::json::parse(report::load_trace_json(level_trace(three_phases(), request).levels));
    for (const char* key : {"ranks", "tasks", "phases", "seconds"})
        EXPECT_TRUE(object.at(key).is_number()) << key;
    for (const char* key : {"before", "after", "lower_bound"})
        EXPECT_TRUE(object.at("imbalance").at(key).is_number()) << key;
    for (const char* key : {"tasks", "weight", "at_least"})
        EXPECT_TRUE(object.at("moved").at(key).is_number()) << key;
    EXPECT_EQ(3U, object.at("each_phase").size());
    EXPECT_TRUE(object.at("schema").at("version").is_number());
}

std::size_t count_of(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++count;
    return count;
}

TEST(LevelTrace, PageHasABarForEveryRankAndEscapesNames) {
    LoadTrace levels = level_trace(three_phases(), {}).levels;
    levels.name = "a<b>";
    const std::string page = report::load_trace_page(levels);
    EXPECT_EQ(3U, count_of(page, "<h2>Phase "));
    EXPECT_EQ(3U * 2U * 2U, count_of(page, "<rect "));
    EXPECT_EQ(std::string::npos, page.find("<b>"));
    EXPECT_NE(std::string::npos, page.find("a&lt;b&gt;"));
    EXPECT_EQ(std::string::npos, page.find("http"));
}

TEST(LevelTrace, PageOfManyRanksAndPhasesStaysSmall) {
    std::vector<std::string> texts;
    for (int rank = 0; rank < 300; ++rank) {
        std::vector<std::string> phases;
        for (int phase = 0; phase < 20; ++phase)
            phases.push_back(
                phase_json(phase, {task_json(static_cast<std::uint64_t>(rank), rank, rank % 7)}));
        texts.push_back(file_json(phases));
    }
    const std::string page = report::load_trace_page(level_trace(trace_from(texts), {}).levels);
    EXPECT_EQ(12U * 2U * 150U, count_of(page, "<rect "));
    EXPECT_NE(std::string::npos, page.find("The 12 of 20 phases"));
    EXPECT_NE(std::string::npos, page.find("ranks 298 to 299"));
}

class RealTraces : public testing::TestWithParam<const char*> {};

TEST_P(RealTraces, EndNoHigherAndAreWrittenAsPlanned) {
    const std::string name = GetParam();
    const std::string folder = EQUIPOISE_SOURCE_DIR "/" + name;
    if (name.starts_with("../") && !std::filesystem::exists(folder))
        GTEST_SKIP() << folder << " is absent";
    const Trace trace = trace::read_trace({folder}, {.keep_text = true});
    for (const char* policy : {"weighted", "minimum-moves", "keep-order"}) {
        TraceRequest request;
        request.policy = policy;
        const LevelledTrace made = level_trace(trace, request);
        const LoadTrace again =
            level_trace(trace_from(test::texts_of(trace, made.placement)), request).levels;
        for (std::size_t k = 0; k < again.phases.size(); ++k) {
            const PhaseLevels& planned = made.levels.phases[k];
            for (std::size_t rank = 0; rank < planned.after.size(); ++rank)
                EXPECT_NEAR(planned.after[rank], again.phases[k].before[rank], 1e-9);
            EXPECT_EQ(planned.traffic_after.messages, again.phases[k].traffic_before.messages);
            if (request.policy != "weighted") continue;
            EXPECT_LE(planned.largest_after, planned.largest_before);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Folders, RealTraces,
                         testing::Values("tests/cli/files/trace",
                                         "../shared/data/vt-8color-32ranks",
                                         "../shared/data/vt-toy"));

}  // namespace
}  // namespace equipoise::catalogue
