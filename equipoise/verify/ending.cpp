// Why a run ended, whether that is what was asked for, and what a theorem promised about it.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "equipoise/base/line_source.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/verify/examiner.hpp"
#include "equipoise/verify/live_links.hpp"

namespace equipoise::verify {

namespace {

using load::to_decimal;
using model::RecordLevel;

/// The number behind a part of a stop rule, "quiet:12"; nothing if there is no such part, and the
/// largest number if the text after the colon is not a number.
std::optional<Step> part_of(std::string_view rule, std::string_view name) {
    for (std::size_t begin = 0; begin <= rule.size();) {
        const std::size_t end = std::min(rule.find('+', begin), rule.size());
        std::string_view part = rule.substr(begin, end - begin);
        begin = end + 1;
        if (!part.starts_with(name)) continue;
        part.remove_prefix(name.size());
        if (part.empty()) return Step{0};
        if (part.front() != ':') return ~Step{0};
        return whole_number(part.substr(1)).value_or(~Step{0});
    }
    return std::nullopt;
}

/// Whether a text is a stop rule: known parts, each once at most, with or without a number.
bool is_stop_rule(std::string_view rule) {
    constexpr std::array<std::pair<std::string_view, bool>, 5> parts = {{{"own-termination", false},
                                                                         {"discrepancy", true},
                                                                         {"one-balanced", false},
                                                                         {"quiet", true},
                                                                         {"stable", true}}};
    if (rule.empty()) return true;
    for (std::size_t begin = 0; begin <= rule.size();) {
        const std::size_t end = std::min(rule.find('+', begin), rule.size());
        const std::string_view part = rule.substr(begin, end - begin);
        const std::string_view name = part.substr(0, part.find(':'));
        const auto* const known = std::find_if(parts.begin(), parts.end(),
                                               [&](const auto& p) { return p.first == name; });
        if (known == parts.end()) return false;
        const bool has_number = name.size() < part.size();
        if (has_number != known->second) return false;
        if (has_number && !whole_number(part.substr(name.size() + 1))) return false;
        if (rule.find(std::string(name), end) != std::string_view::npos) return false;
        begin = end + 1;
    }
    return true;
}

/// Whether a run that ended for this reason was at rest: nothing would have moved any more.
bool at_rest(std::string_view reason) {
    return reason == "quiet" || reason == "own-termination" || reason == "nothing-to-do";
}

}  // namespace

std::optional<Step> Examiner::stop_part(std::string_view name) const {
    return part_of(record_.stop, name);
}

/// Whether a run with this stop rule can end for a reason. Programs without a common clock, those
/// on meshes, and runs on networks without links end when nothing is left to do, whatever the rule.
bool Examiner::may_end_by(std::string_view reason) const {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> by_rule = {
        {{"own-termination", "own-termination"},
         {"discrepancy-reached", "discrepancy"},
         {"one-balanced", "one-balanced"},
         {"quiet", "quiet"},
         {"stable", "stable"},
         {"no-progress", "stable"}}};
    if (reason == "interrupted") return true;
    if (reason == "max-steps" || reason == "smoothing-rounds") {
        const Step at_once = known_ == nullptr ? 1 : known_->steps_at_once;
        return record_.costs.steps <= record_.steps_max &&
               record_.steps_max - record_.costs.steps < at_once;
    }
    const bool without_rounds = record_.asynchrony || record_.model == "single-token";
    if (reason == "nothing-to-do") return without_rounds || record_.link_count == 0;
    const auto* const found = std::find_if(by_rule.begin(), by_rule.end(),
                                           [&](const auto& pair) { return pair.first == reason; });
    if (found == by_rule.end()) return false;
    return stop_part(found->second) || (at_rest(reason) && without_rounds);
}

Step Examiner::quiet_steps() const {
    return record_.asynchrony ? 0 : stop_part("quiet").value_or(0);
}

/// Steps after the last transfer; all of them if transfers were not recorded.
Step Examiner::idle_steps_at_end() const {
    const bool full = record_.level == RecordLevel::full && !record_.transfers.empty();
    const Step steps = record_.costs.steps;
    return full ? steps - std::min(steps, record_.transfers.back().step + 1) : steps;
}

/// How the final loads contradict an end by a rule about them; empty if they do not, or if nodes
/// were away and the record does not say which.
std::string Examiner::contradicted_ending() const {
    const bool knows_live_part =
        record_.churn.empty() || (record_.level == RecordLevel::full && network_.has_value());
    if (!knows_live_part) return "";
    Int128 discrepancy = record_.final_discrepancy;
    Int128 imbalance = record_.local_imbalance;
    std::string where;
    if (!record_.churn.empty()) {
        LiveLinks live(record_, *network_);
        live.switch_until(~Step{0});
        discrepancy = live.discrepancy(record_.final_loads);
        imbalance = live.imbalance(record_.final_loads);
        where = " over live links";
    }
    if (record_.stopped_because == "one-balanced" && imbalance > 1)
        return "one-balanced with a local imbalance of " + to_decimal(imbalance) + where;
    const std::optional<Step> target = stop_part("discrepancy");
    if (record_.stopped_because == "discrepancy-reached" && target && discrepancy > Int128{*target})
        return "discrepancy " + to_decimal(discrepancy) + where + ", asked for " +
               std::to_string(*target);
    return "";
}

void Examiner::check_ending() {
    const std::string& reason = record_.stopped_because;
    std::string wrong;
    if (!is_stop_rule(record_.stop))
        wrong = "\"" + record_.stop + "\" is not a stop rule";
    else if (!may_end_by(reason))
        wrong = "\"" + reason + "\" cannot end a run under \"" + record_.stop + '"';
    if (const Step idle = idle_steps_at_end(); reason == "quiet" && idle < quiet_steps())
        wrong = "quiet after " + std::to_string(idle) + " steps without a transfer, expected " +
                std::to_string(quiet_steps());
    if (const Step window = stop_part("stable").value_or(0);
        (reason == "stable" || reason == "no-progress") && record_.costs.steps < window)
        wrong = reason + " after " + std::to_string(record_.costs.steps) +
                " steps, expected at least " + std::to_string(window);
    if (record_.costs.steps > record_.steps_max)
        wrong = std::to_string(record_.costs.steps) + " steps, at most " +
                std::to_string(record_.steps_max) + " were allowed";
    if (wrong.empty()) wrong = contradicted_ending();
    if (!record_.churn.empty() && record_.level != RecordLevel::full)
        open_together("an end by the final loads: which nodes were away is in full records only");
    note("ending", wrong.empty(),
         wrong.empty() ? reason + " after " + std::to_string(record_.costs.steps) + " steps"
                       : wrong);
    const bool by_cap = reason == "max-steps" || reason == "smoothing-rounds";
    leave_open({"stop"}, "those conditions of the stop rule that did not end the run");
    if (!by_cap || (known_ != nullptr && known_->steps_at_once > 1))
        leave_open({"steps_max"}, "how many more steps were allowed");
    leave_open({"stopped_because"},
               "which of the ends that the rule and the loads allow came first");
}

/// Whether a rule that was asked for is satisfied at the end.
bool Examiner::satisfies(std::string_view asked) const {
    const std::string& reason = record_.stopped_because;
    const bool rests = at_rest(reason);
    const bool steady = rests || reason == "stable" || reason == "no-progress";
    const std::optional<Step> discrepancy = part_of(asked, "discrepancy");
    // The algorithm's own rule may end the run at a larger discrepancy than the one asked for.
    const bool as_asked = !discrepancy || stop_part("discrepancy") == discrepancy;
    return (reason == "discrepancy-reached" && as_asked) ||
           (discrepancy && record_.final_discrepancy <= Int128{*discrepancy}) ||
           (part_of(asked, "one-balanced") &&
            (reason == "one-balanced" || record_.local_imbalance <= 1)) ||
           (part_of(asked, "own-termination") && rests) || (part_of(asked, "quiet") && rests) ||
           (part_of(asked, "stable") && steady);
}

/// Whether this end is the one that was asked for: the caller's rule, else the algorithm's goal.
bool Examiner::is_reached() const {
    const std::string& reason = record_.stopped_because;
    if (reason == "interrupted") return false;
    // In a changing world a run without a stop rule ends when its steps are over.
    if (reason == "max-steps") return record_.world.has_value() && record_.asked_stop->empty();
    if (!record_.asked_stop->empty()) return satisfies(*record_.asked_stop);
    if (known_ == nullptr) return record_.reached;
    if (known_->goal_one_balanced && record_.speeds.empty() && record_.local_imbalance > 1)
        return false;
    return !known_->goal_discrepancy || record_.final_discrepancy <= *known_->goal_discrepancy;
}

void Examiner::check_reached() {
    const bool cut_short = record_.stopped_because == "interrupted" ||
                           (record_.stopped_because == "max-steps" && !record_.world);
    if (!record_.asked_stop) {
        note("reached", !(record_.reached && cut_short),
             record_.stopped_because + (cut_short ? " is" : " may be") + " no end");
        leave_open({"reached", "asked_stop"}, "what was asked for: an older record does not say");
        return;
    }
    std::string wrong;
    if (!is_stop_rule(*record_.asked_stop))
        wrong = "\"" + *record_.asked_stop + "\" is not a stop rule";
    for (const std::string_view name :
         {"own-termination", "discrepancy", "one-balanced", "quiet", "stable"})
        if (const auto asked = part_of(*record_.asked_stop, name);
            asked && (name == "discrepancy" ? stop_part(name) < asked : stop_part(name) != asked))
            wrong = "\"" + *record_.asked_stop + "\" was asked for, \"" + record_.stop +
                    "\" ended the run";
    const bool expected = is_reached();
    if (wrong.empty() && record_.reached != expected)
        wrong = std::string("recorded ") + (record_.reached ? "true" : "false") + ", but " +
                record_.stopped_because + " at these loads is " + (expected ? "the" : "not the") +
                " end that was requested";
    note("reached", wrong.empty(),
         !wrong.empty()    ? wrong
         : record_.reached ? "the run ended as requested"
                           : "cut short");
    leave_open({"asked_stop"}, "what else the caller asked for");
    if (known_ != nullptr && known_->serves_speeds && known_->goal_one_balanced)
        leave_open({"reached"}, "other speeds, or none, may make it another end");
}

void Examiner::check_guarantee() {
    const model::Guarantee& promise = record_.guarantee;
    leave_open({"guarantee"}, "that the theorem promises this, and no more, of such a run");
    const bool speaks = promise.discrepancy || promise.steps || !promise.source.empty();
    const bool late = record_.asynchrony && (record_.asynchrony->delays != "unit" ||
                                             !record_.asynchrony->adversary.empty());
    std::string wrong;
    if (speaks && record_.world) wrong = "no theorem covers a changing world";
    if (speaks && record_.asked_stop && !record_.asked_stop->empty())
        wrong = "no theorem covers a run that ends by the caller's rule";
    if (speaks && !record_.speeds.empty() && !record_.asynchrony)
        wrong = "no theorem covers speeds";
    if (promise.steps && late) wrong = "steps count time with unit delays only";
    if ((promise.discrepancy || promise.steps) && promise.source.empty())
        wrong = "a promise without a source";
    if (!wrong.empty()) note("guarantee", false, wrong);
    if (!record_.reached) return;
    if (promise.discrepancy) {
        const bool met = record_.final_discrepancy <= *promise.discrepancy;
        note("guaranteed discrepancy", met,
             std::to_string(record_.final_discrepancy) + (met ? " is" : " is not") + " at most " +
                 std::to_string(*promise.discrepancy) + " (" + promise.source + ")");
    }
    if (promise.steps) {
        const bool met = record_.costs.steps <= *promise.steps;
        note("guaranteed steps", met,
             std::to_string(record_.costs.steps) + (met ? " is" : " is not") + " at most " +
                 std::to_string(*promise.steps) + " (" + promise.source + ")");
    }
}

}  // namespace equipoise::verify
