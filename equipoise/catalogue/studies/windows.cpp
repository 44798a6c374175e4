#include "equipoise/catalogue/studies/windows.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/plural.hpp"
#include "equipoise/base/timed_stop.hpp"
#include "equipoise/optimum/checks/cut_check.hpp"
#include "equipoise/optimum/checks/flow_check.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/steps/window_schedule.hpp"
#include "equipoise/optimum/windows/file.hpp"

namespace equipoise::catalogue {

namespace {

/// The name of a target whose final loads do not follow from its words.
constexpr const char* listed_target = "as listed";

bool same(const optimum::FinalLoads& one, const optimum::FinalLoads& other) {
    if (one.base != other.base || one.extras != other.extras) return false;
    for (NodeId node = 0; node < one.base.size(); ++node)
        if (one.extra_at(node) != other.extra_at(node)) return false;
    return true;
}

/// The final loads of a target that needs no file; nothing for others.
std::optional<optimum::FinalLoads> made_anew(const std::string& target,
                                             const optimum::Problem& problem) {
    const std::optional<Target> named = find_target(target, plan_targets());
    if (!named || named->kind == Target::Kind::speeds) return std::nullopt;
    std::vector<bool> pins;
    for (NodeId node = 0; node < problem.ports.size(); ++node)
        if (problem.ports[node] == 0) {
            pins.resize(problem.ports.size(), false);
            pins[node] = true;
        }
    return optimum::within_capacities(level_loads(*named, problem.loads, pins), problem.capacities);
}

class WindowsExaminer {
  public:
    explicit WindowsExaminer(optimum::WindowsFile file) : file_(std::move(file)) {}

    verify::Report examine() {
        note("digest", file_.digest() == file_.written_digest,
             file_.digest() == file_.written_digest
                 ? "of all numbers and texts"
                 : "expected that of what was written: numbers or texts have been altered");
        try {
            about_ = optimum::problem_of(file_);
        } catch (const InputError& error) {
            note("problem", false, error.what());
            return std::move(report_);
        }
        about_.problem.network = &about_.network;
        note("problem", true,
             counted(std::uint64_t{file_.nodes}, "node") + ", " +
                 counted(file_.link_count, "link") + ", " +
                 counted(load::total(about_.problem.loads), "token") +
                 (file_.generated ? "; the spec makes the network again" : ""));
        check_target();
        check_flow();
        check_cut();
        check_steps();
        return std::move(report_);
    }

  private:
    void note(const char* name, bool passed, std::string detail) {
        report_.checks.push_back({name, passed, std::move(detail)});
    }
    static std::string counted(std::uint64_t number, const std::string& what) {
        return with_noun(number, what, what + 's');
    }
    static std::string counted(Tokens number, const std::string& what) {
        return counted(static_cast<std::uint64_t>(number), what);
    }
    void check_target() {
        try {
            const auto anew = made_anew(file_.target, about_.problem);
            if (!anew) {
                report_.unchecked.push_back("final_loads: that they are those of the target " +
                                            file_.target);
                return;
            }
            const bool agrees = same(*anew, about_.problem.target);
            note("target", agrees,
                 file_.target + (agrees ? "" : ": expected other final loads for these loads"));
        } catch (const InputError& error) {
            note("target", false, error.what());
        }
    }
    void check_flow() {
        if (!file_.flow) return;
        const std::size_t windows = file_.flow->windows.size();
        try {
            const optimum::FlowVerdict verdict = optimum::check_flow(about_.problem, *file_.flow);
            flow_holds_ = verdict.holds;
            note("flow", verdict.holds,
                 verdict.holds
                     ? counted(windows, "window") + ", " + counted(verdict.exchanges, "exchange") +
                           ": " + counted(file_.flow->steps, "step") + " are enough"
                     : verdict.fault);
        } catch (const InputError& error) {
            note("flow", false, error.what());
        }
    }
    void check_cut() {
        if (!about_.cut && !file_.zones) return;
        if (about_.cut && file_.zones)
            return note("cut", false, "expected a cut or zones, not both");
        try {
            const std::string fault =
                about_.cut ? optimum::check_cut(about_.problem, *about_.cut)
                           : optimum::check_certificate(about_.problem, *file_.zones);
            refuted_ = about_.cut ? about_.cut->steps : file_.zones->steps;
            const Tokens surplus = about_.cut ? about_.cut->surplus : file_.zones->surplus;
            const Tokens crossings = about_.cut ? about_.cut->crossings : file_.zones->crossings;
            cut_holds_ = fault.empty();
            note("cut", cut_holds_,
                 cut_holds_ ? counted(surplus, "token") + " must leave it, " +
                                  std::to_string(crossings) + " can: " + counted(refuted_, "step") +
                                  (refuted_ == 1 ? " is" : " are") + " not enough"
                            : fault);
        } catch (const InputError& error) {
            note("cut", false, error.what());
        }
    }
    void check_steps() {
        const Step least = file_.at_least;
        const bool has_cut = about_.cut || file_.zones;
        const bool below = has_cut ? cut_holds_ && refuted_ + 1 == least : least == 0;
        const bool above =
            file_.at_most ? flow_holds_ && file_.flow->steps == *file_.at_most : !file_.flow;
        const bool orderly = !file_.at_most || least <= *file_.at_most;
        std::string detail = std::to_string(least);
        if (!file_.at_most) {
            detail += " or more";
        } else if (*file_.at_most != least) {
            detail += " to " + std::to_string(*file_.at_most);
        } else {
            detail += " exactly";
        }
        const bool passed = below && above && orderly;
        note("steps", passed,
             detail + (passed ? ", as the proofs say" : ": not what the proofs say"));
    }

    optimum::WindowsFile file_;
    optimum::WindowsProblem about_;
    verify::Report report_;
    bool flow_holds_ = false;
    bool cut_holds_ = false;
    Step refuted_ = 0;
};

/// Says what a search for moves lacked.
[[noreturn]] void throw_no_schedule(const PlannedInstance& made, const TimedStop& end) {
    const bool late = end.is_late();
    if (!late && end.token().stop_requested())
        throw InputError(
            "--schedule: interrupted before a schedule of whole tokens was found, "
            "although the windows prove that one exists");
    constexpr std::uint64_t mib = std::uint64_t{1} << 20U;
    std::string expected = "more --seconds";
    if (!late) {
        const auto bytes = optimum::window_schedule_bytes(made.problem, *made.plan.flow);
        expected =
            bytes ? "more --memory (" + std::to_string(*bytes / mib + 1) + " MiB)" : "fewer tokens";
    }
    throw InputError(std::string("--schedule: no schedule of whole tokens was found within ") +
                     (late ? "time" : "memory") +
                     ", although the windows prove that one exists: expected " + expected +
                     ", or --windows");
}

}  // namespace

void write_windows(const std::string& path, const PlannedInstance& made,
                   const network::AnyNetwork& network) {
    optimum::FinalLoads final =
        optimum::within_capacities(made.problem.target, made.problem.capacities);
    std::string target = made.target;
    if (const auto anew = made_anew(target, made.problem); anew && !same(*anew, final))
        target = listed_target;
    optimum::write_windows(path, optimum::windows_file(made.plan, made.problem, network, target));
}

void write_out_schedule(PlannedInstance& made, std::uint64_t memory_bytes, const TimedStop& end) {
    optimum::Plan& plan = made.plan;
    if (plan.schedule_written || !plan.flow) return;
    optimum::WindowScheduleOptions options;
    options.memory_bytes_max = memory_bytes;
    options.stop = end.token();
    auto schedule = optimum::window_schedule(made.problem, *plan.flow, options);
    if (!schedule) throw_no_schedule(made, end);
    plan.schedule = std::move(*schedule);
    plan.schedule_written = true;
    plan.exchanges = static_cast<Tokens>(plan.schedule.size());
}

verify::Report verify_windows(const std::string& text, const std::string& origin) {
    return WindowsExaminer(optimum::read_windows(text, origin)).examine();
}

}  // namespace equipoise::catalogue
