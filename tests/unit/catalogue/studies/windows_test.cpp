// Proofs of plans as files: honest ones pass, altered ones do not.

#include "equipoise/catalogue/studies/windows.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/timed_stop.hpp"
#include "equipoise/catalogue/studies/verify_text.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/windows/file.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::catalogue {
namespace {

struct Made {
    network::AnyNetwork network;
    PlannedInstance plan;
    optimum::WindowsFile file;
};

Made made_plan(const std::string& spec, const load::Loads& loads, const std::string& ports = "1") {
    Made made;
    made.network = network::generate(spec, 0);
    PlanRequest request;
    request.loads.value = loads;
    request.ports = ports;
    made.plan = plan(request, made.network);
    made.file =
        optimum::windows_file(made.plan.plan, made.plan.problem, made.network, "floor-ceil");
    return made;
}

verify::Report verified(optimum::WindowsFile file, bool sign) {
    if (sign) file.written_digest = file.digest();
    return verify_text(optimum::windows_text(file), "w.json");
}

/// Calls `visit` with every number that proves something.
void for_all_numbers(optimum::WindowsFile& file, const std::function<void(std::int64_t&)>& visit) {
    const auto change = [&](auto& number) {
        auto value = static_cast<std::int64_t>(number);
        const std::int64_t before = value;
        number = static_cast<std::remove_reference_t<decltype(number)>>(value + 1);
        visit(value);
        if (before > 0) {
            number = static_cast<std::remove_reference_t<decltype(number)>>(before - 1);
            visit(value);
        }
        number = static_cast<std::remove_reference_t<decltype(number)>>(before);
    };
    change(file.at_least);
    change(*file.at_most);
    change(file.flow->steps);
    for (optimum::Window& window : file.flow->windows) {
        change(window.from);
        change(window.to);
        change(window.first);
        change(window.steps);
        change(window.tokens);
    }
    if (file.zones) {
        change(file.zones->steps);
        change(file.zones->surplus);
        change(file.zones->crossings);
        for (optimum::Zone& zone : file.zones->zones) {
            change(zone.first);
            change(zone.steps);
            for (auto* nodes : {&zone.nodes, &zone.senders, &zone.receivers})
                for (NodeId& node : *nodes)
                    change(node);
        }
        for (NodeId& node : file.zones->last_zone)
            change(node);
    }
    if (!file.cut) return;
    change(file.cut->steps);
    change(file.cut->surplus);
    change(file.cut->crossings);
    for (optimum::Runs::Run& run : file.inside.runs)
        change(run.value);
    for (optimum::Runs& gate : file.gates)
        for (optimum::Runs::Run& run : gate.runs)
            change(run.value);
}

TEST(PlanWindows, PassWhenVerifiedAndFailWhenAnyNumberIsAltered) {
    for (const char* ports : {"1", "2", "all"}) {
        Made made = made_plan("mesh:3x3", {18, 0, 0, 0, 9, 0, 0, 0, 0}, ports);
        const verify::Report honest = verified(made.file, false);
        EXPECT_TRUE(honest.passed());
        EXPECT_EQ(honest.unchecked, std::vector<std::string>{});
        const Step steps = made.plan.plan.at_least;
        int altered = 0;
        int refused_though_signed = 0;
        for_all_numbers(made.file, [&](std::int64_t&) {
            ++altered;
            EXPECT_FALSE(verified(made.file, false).passed());
            // With a digest that fits, what is still believed is still true.
            const verify::Report report = verified(made.file, true);
            if (report.passed()) {
                EXPECT_LE(made.file.at_least, steps);
                EXPECT_GE(*made.file.at_most, steps);
            } else {
                ++refused_though_signed;
            }
        });
        EXPECT_GT(altered, 40);
        EXPECT_GT(refused_though_signed, altered / 2);
    }
}

TEST(PlanWindows, OfAnotherProblemAreRefused) {
    const Made made = made_plan("path:n=5", {10, 0, 0, 0, 0});
    const auto passes = [&](auto&& change) {
        optimum::WindowsFile file = made.file;
        change(file);
        return verified(std::move(file), true).passed();
    };
    using W = optimum::WindowsFile;
    EXPECT_TRUE(passes([](W&) {}));
    EXPECT_FALSE(passes([](W& f) { f.loads.runs[0].value = 11; }));
    EXPECT_FALSE(passes([](W& f) { f.target = "at-most:3"; }));
    EXPECT_FALSE(passes([](W& f) { f.base.runs[0].value = 3; }));
    EXPECT_FALSE(passes([](W& f) { f.origin = "path:n=6"; }));
    EXPECT_FALSE(passes([](W& f) { f.origin = "star:leaves=4"; }));
    EXPECT_FALSE(passes([](W& f) { f.all_ports = true; }));
    EXPECT_FALSE(passes([](W& f) { f.flow.reset(); }));
    EXPECT_FALSE(passes([](W& f) { f.at_most.reset(); }));
    EXPECT_FALSE(passes([](W& f) { f.zones.reset(); }));
    EXPECT_FALSE(passes([](W& f) { f.zones->zones[0].nodes = {7}; }));
    EXPECT_FALSE(passes([](W& f) { f.zones->zones[0].nodes = {0, 0}; }));
    EXPECT_FALSE(passes([](W& f) { f.zones->zones[0].dropped = {0}; }));
}

TEST(PlanWindows, AnIntervalIsWhatTheProofsSay) {
    Made made = made_plan("path:n=5", {10, 0, 0, 0, 0});
    optimum::WindowsFile file = made.file;
    file.at_least = 0;
    file.zones.reset();
    const verify::Report report = verified(file, true);
    EXPECT_TRUE(report.passed());
    EXPECT_EQ(report.checks.back().detail, "0 to 8, as the proofs say");
}

TEST(PlanWindows, OfMoreMovesThanAreWrittenProvePlansWithCapacitiesAndDelays) {
    const network::AnyNetwork network = network::generate("path:n=2", 0);
    for (const bool with_delays : {false, true}) {
        PlanRequest request;
        request.loads.value = load::Loads{100'000'000, 0};
        request.ports = "10000000";
        if (with_delays)
            request.link_delays.value = std::vector<Step>{3};
        else
            request.capacities.value = load::Loads{100'000'000, 60'000'000};
        PlannedInstance made = plan(request, network);
        EXPECT_EQ(made.plan.at_least, with_delays ? 7U : 5U);
        EXPECT_TRUE(made.is_done);
        const optimum::WindowsFile file =
            optimum::windows_file(made.plan, made.problem, network, made.target);
        EXPECT_TRUE(verify_text(optimum::windows_text(file), "w.json").passed());
        EXPECT_EQ(test::thrown_by([&] {
                      write_out_schedule(made, std::uint64_t{2} << 30U,
                                         TimedStop({}, std::nullopt));
                  }).rfind("input: the schedule has 50000000 moves, more than the 20000000", 0),
                  0U);
    }
}

TEST(PlanWindows, AreNotWrittenOutAsMoreMovesThanMemoryHolds) {
    const network::AnyNetwork network = network::generate("path:n=2", 0);
    PlanRequest request;
    request.loads.value = load::Loads{200'000, 0};
    request.memory_mib = 1;
    PlannedInstance made = plan(request, network);
    ASSERT_TRUE(made.plan.flow);
    const TimedStop never({}, std::nullopt);
    EXPECT_NE(test::thrown_by([&] { write_out_schedule(made, request.memory_bytes(), never); })
                  .find("100000 moves, more than the 32768 that half of --memory (1 MiB) holds: "
                        "expected --memory 4"),
              std::string::npos);
    write_out_schedule(made, std::uint64_t{4} << 20U, never);
    EXPECT_EQ(made.plan.schedule.size(), 100'000U);
}

TEST(PlanWindows, OfLargeNetworksPassAndBecomeSchedules) {
    const network::AnyNetwork network = network::generate("torus:100x100", 0);
    load::Loads loads(10'000, 2);
    for (NodeId node = 0; node < 100; ++node)
        loads[node] = 10;
    PlanRequest request;
    request.loads.value = loads;
    PlannedInstance made = plan(request, network);
    ASSERT_TRUE(made.plan.flow);
    const optimum::WindowsFile file =
        optimum::windows_file(made.plan, made.problem, network, made.target);
    EXPECT_TRUE(verify_text(optimum::windows_text(file), "w.json").passed());
    write_out_schedule(made, std::uint64_t{2} << 30U, TimedStop({}, std::nullopt));
    ASSERT_TRUE(made.plan.schedule_written);
    const optimum::ScheduleVerdict verdict =
        optimum::check_schedule(made.problem, made.plan.schedule);
    EXPECT_EQ(verdict.fault, "");
    EXPECT_LE(verdict.steps, *made.plan.at_most);
}

}  // namespace
}  // namespace equipoise::catalogue
