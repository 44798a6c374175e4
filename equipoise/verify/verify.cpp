#include "equipoise/verify/verify.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/verify/examiner.hpp"
#include "equipoise/verify/live_links.hpp"

namespace equipoise::verify {

using load::to_decimal;
using model::RecordLevel;

Int128 sum(const std::vector<Tokens>& loads) {
    Int128 total = 0;
    for (const Tokens load : loads)
        total += load;
    return total;
}

Int128 spread(const std::vector<Tokens>& loads) {
    if (loads.empty()) return 0;
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    return Int128{*most} - Int128{*least};
}

bool Report::passed() const {
    return std::all_of(checks.begin(), checks.end(), [](const Check& c) { return c.passed; });
}

Report verify(const model::Record& record) {
    return Examiner(record).examine();
}

Report Examiner::examine() {
    if (check_sizes() && check_loads()) {
        check_network();
        check_conservation();
        check_figures();
        check_samples();
        check_ending();
        check_guarantee();
        check_deviation();
        check_transfers();
    } else {
        report_.unchecked.emplace_back("everything that rests on the loads");
    }
    list_unchecked();
    return std::move(report_);
}

bool Examiner::check_sizes() {
    const auto fits = [&](const char* what, std::size_t size) {
        const bool fine = size == record_.node_count;
        if (!fine)
            note("sizes", false,
                 "expected " + std::to_string(record_.node_count) + ' ' + what + ", found " +
                     std::to_string(size));
        return fine;
    };
    bool fine = fits("initial loads", record_.initial_loads.size());
    fine = fits("final loads", record_.final_loads.size()) && fine;
    if (!record_.speeds.empty()) fine = fits("speeds", record_.speeds.size()) && fine;
    const auto [least, most] = std::minmax_element(record_.speeds.begin(), record_.speeds.end());
    const bool speeds_fine = record_.speeds.empty() || (*least >= 0 && *most >= 1);
    if (record_.load_scale < 1 || !speeds_fine) {
        note("sizes", false,
             "expected speeds of 0 or more, one above 0, and at least 1 unit a token");
        fine = false;
    }
    for (const model::Sample& sample : record_.samples)
        if (!sample.loads.empty()) fine = fits("loads in a sample", sample.loads.size()) && fine;
    if (record_.node_count == 0) {
        note("sizes", false, "expected at least one node, found none");
        fine = false;
    }
    if (fine) note("sizes", true, "loads of " + std::to_string(record_.node_count) + " nodes");
    return fine;
}

bool Examiner::check_loads() {
    std::string wrong;
    const auto look = [&](const char* moment, const std::vector<Tokens>& loads) {
        if (!wrong.empty()) return;
        for (std::size_t node = 0; node < loads.size(); ++node) {
            if (loads[node] >= 0 || record_.loads_may_be_negative) continue;
            wrong = std::string(moment) + ": node " +
                    record_.labels.name(static_cast<NodeId>(node)) + " has " +
                    std::to_string(loads[node]) + " tokens";
            return;
        }
        Int128 amount = 0;
        for (const Tokens load : loads)
            amount += load < 0 ? -Int128{load} : Int128{load};
        if (amount > tokens_max)
            wrong = std::string(moment) + ": more tokens than " + std::to_string(tokens_max);
    };
    look("initial loads", record_.initial_loads);
    look("final loads", record_.final_loads);
    for (const model::Sample& sample : record_.samples)
        look(("sample at step " + std::to_string(sample.step)).c_str(), sample.loads);
    note("loads", wrong.empty(),
         !wrong.empty()                  ? wrong
         : record_.loads_may_be_negative ? "loads are within range"
                                         : "no load is negative");
    return wrong.empty();
}

void Examiner::check_network() {
    const bool from_spec = record_.generated && record_.links.empty();
    try {
        if (from_spec) {
            network_ = network::generate(record_.labels.origin, record_.labels.seed);
        } else {
            network_ = network::AnyNetwork(network::Network(record_.node_count, record_.links));
        }
    } catch (const InputError& error) {
        note("network", false, error.what());
        return;
    }
    const std::uint64_t found =
        network_->visit([](const auto& graph) { return network::digest(graph); });
    const bool fine = network_->node_count() == record_.node_count &&
                      network_->link_count() == record_.link_count &&
                      found == record_.network_digest;
    note("network", fine,
         fine ? std::to_string(record_.link_count) + " links, " +
                    (from_spec ? "generated anew from the spec" : "as listed") +
                    ", have the recorded digest"
              : std::to_string(network_->node_count()) + " nodes and " +
                    std::to_string(network_->link_count()) +
                    " links do not have the recorded counts and digest");
    if (!fine) network_.reset();
}

void Examiner::check_conservation() {
    const auto booked = [](const std::vector<model::Transfer>& account) {
        Int128 tokens = 0;
        for (const model::Transfer& entry : account)
            tokens += entry.tokens;
        return tokens;
    };
    const Int128 initial = sum(record_.initial_loads);
    const Int128 created = booked(record_.created);
    const Int128 destroyed = booked(record_.destroyed);
    const Int128 final_sum = sum(record_.final_loads);
    const bool fine = initial + created - destroyed == final_sum;
    note("conservation", fine,
         to_decimal(initial) + " initial + " + to_decimal(created) + " created - " +
             to_decimal(destroyed) + " destroyed " + (fine ? "= " : "is not ") +
             to_decimal(final_sum) + " final tokens");
}

void Examiner::check_figures() {
    const auto compare = [&](const char* name, Int128 found, Tokens claimed) {
        const bool fine = found == claimed;
        note(name, fine,
             fine
                 ? to_decimal(found)
                 : "recorded " + std::to_string(claimed) + ", the loads give " + to_decimal(found));
    };
    compare("initial discrepancy", spread(record_.initial_loads), record_.initial_discrepancy);
    compare("final discrepancy", spread(record_.final_loads), record_.final_discrepancy);
    if (!network_) return;
    const Tokens imbalance = network_->visit([&](const auto& graph) {
        return load::local_imbalance(graph, std::span<const Tokens>(record_.final_loads));
    });
    compare("local imbalance", imbalance, record_.local_imbalance);
}

void Examiner::check_samples() {
    if (record_.samples.empty()) return;
    std::string wrong;
    std::size_t with_loads = 0;
    for (std::size_t i = 0; i < record_.samples.size() && wrong.empty(); ++i) {
        const model::Sample& sample = record_.samples[i];
        const std::string where = "sample at step " + std::to_string(sample.step) + ": ";
        if (i > 0 && sample.step <= record_.samples[i - 1].step)
            wrong = where + "steps do not ascend";
        if (sample.step > record_.costs.steps) wrong = where + "after the last step";
        if (sample.loads.empty()) continue;
        ++with_loads;
        if (spread(sample.loads) != sample.discrepancy)
            wrong = where + "recorded discrepancy " + std::to_string(sample.discrepancy) +
                    ", the loads give " + to_decimal(spread(sample.loads));
        try {
            const std::string potential = to_decimal(load::potential(sample.loads));
            if (potential != sample.potential)
                wrong = where + "recorded potential " + sample.potential + ", the loads give " +
                        potential;
        } catch (const OverflowError& error) {
            wrong = where + error.what();
        }
        if (sample.step == 0 && sample.loads != record_.initial_loads)
            wrong = where + "the loads are not the initial ones";
        if (sample.step == record_.costs.steps && sample.loads != record_.final_loads)
            wrong = where + "the loads are not the final ones";
        if (record_.created.empty() && record_.destroyed.empty() &&
            sum(sample.loads) != sum(record_.initial_loads))
            wrong = where + to_decimal(sum(sample.loads)) + " tokens, initially " +
                    to_decimal(sum(record_.initial_loads));
    }
    note("samples", wrong.empty(),
         wrong.empty() ? std::to_string(with_loads) + " sampled loads give the recorded figures"
                       : wrong);
}

/// The number behind a part of the stop rule, "quiet:12"; nothing where there is no such part, and
/// the largest one where what stands there is no number.
std::optional<Step> Examiner::stop_part(std::string_view name) const {
    for (std::size_t begin = 0; begin <= record_.stop.size();) {
        const std::size_t end = std::min(record_.stop.find('+', begin), record_.stop.size());
        std::string_view part = std::string_view(record_.stop).substr(begin, end - begin);
        begin = end + 1;
        if (!part.starts_with(name)) continue;
        part.remove_prefix(name.size());
        if (part.empty()) return Step{0};
        if (part.front() != ':') return ~Step{0};
        return whole_number(part.substr(1)).value_or(~Step{0});
    }
    return std::nullopt;
}

/// Whether a run with this stop rule can end for a reason. Programs without a common clock, and
/// those on meshes, end when nothing is left to do, whatever the rule.
bool Examiner::may_end_by(std::string_view reason) const {
    constexpr std::array<std::string_view, 4> always = {"max-steps", "interrupted", "nothing-to-do",
                                                        "smoothing-rounds"};
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> by_rule = {
        {{"own-termination", "own-termination"},
         {"discrepancy-reached", "discrepancy"},
         {"one-balanced", "one-balanced"},
         {"quiet", "quiet"},
         {"stable", "stable"},
         {"no-progress", "stable"}}};
    if (std::find(always.begin(), always.end(), reason) != always.end()) return true;
    const auto* const found = std::find_if(by_rule.begin(), by_rule.end(),
                                           [&](const auto& pair) { return pair.first == reason; });
    if (found == by_rule.end()) return false;
    const bool rests = reason == "own-termination" || reason == "quiet";
    return stop_part(found->second) ||
           (rests && (record_.asynchrony || record_.model == "single-token"));
}

Step Examiner::quiet_steps() const {
    return record_.asynchrony ? 0 : stop_part("quiet").value_or(0);
}

/// Steps after the last transfer; all of them where transfers were not recorded.
Step Examiner::idle_steps_at_end() const {
    const bool full = record_.level == RecordLevel::full && !record_.transfers.empty();
    const Step steps = record_.costs.steps;
    return full ? steps - std::min(steps, record_.transfers.back().step + 1) : steps;
}

/// How the final loads contradict an end by a rule that looks at them; empty where they do not, or
/// where nodes were away and the record does not say which.
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
    // In a changing world a run without a stop rule ends when its steps are over.
    const bool whole = record_.world.has_value() && record_.stop.empty();
    const bool cut_short = (reason == "max-steps" && !whole) || reason == "interrupted";
    std::string wrong;
    if (record_.reached && cut_short) wrong = "ended by " + reason + " and yet counts as reached";
    if (!may_end_by(reason)) wrong = "\"" + reason + "\" is no end by \"" + record_.stop + '"';
    if (const Step idle = idle_steps_at_end(); reason == "quiet" && idle < quiet_steps())
        wrong = "quiet after " + std::to_string(idle) + " steps without a transfer, expected " +
                std::to_string(quiet_steps());
    if (record_.costs.steps > record_.steps_max)
        wrong = std::to_string(record_.costs.steps) + " steps, at most " +
                std::to_string(record_.steps_max) + " were allowed";
    if (wrong.empty()) wrong = contradicted_ending();
    note("ending", wrong.empty(),
         wrong.empty() ? reason + " after " + std::to_string(record_.costs.steps) + " steps"
                       : wrong);
}

void Examiner::check_guarantee() {
    const model::Guarantee& promise = record_.guarantee;
    if (!promise.discrepancy && !promise.steps) return;
    if (!record_.reached) {
        report_.unchecked.emplace_back("the guarantee: the run did not reach its end");
        return;
    }
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

/// The largest deviation from the idealised process against Theorem 2, sharpened.
void Examiner::check_deviation() {
    const auto deviation = record_.constants.find("deviation");
    const auto bound = record_.constants.find("deviation_bound");
    if (deviation == record_.constants.end() || bound == record_.constants.end()) return;
    // Both are printed with six digits.
    constexpr double rounding = 1e-5;
    const auto number = [](const std::string& text) {
        double value = 0;
        const char* const last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data(), last, value);
        return error != std::errc() || end != last ? std::numeric_limits<double>::quiet_NaN()
                                                   : value;
    };
    const double allowed = number(bound->second) * (1 + rounding);
    const bool met = number(deviation->second) <= allowed;
    note("deviation", met,
         deviation->second + (met ? " is" : " is not") + " at most " + bound->second +
             " (Rabani, Sinclair, Wanka 1998, Theorem 2, sharpened)");
}

void Examiner::list_unchecked() {
    if (record_.level == RecordLevel::summary)
        report_.unchecked.emplace_back("the way between initial and final loads (summary level)");
    if (record_.level == RecordLevel::sampled)
        report_.unchecked.emplace_back("the way between the samples (sampled level)");
    if (record_.level != RecordLevel::full)
        report_.unchecked.emplace_back("the count of exchanges");
    report_.unchecked.emplace_back("that the rule of " + record_.algorithm +
                                   " asked for these transfers (run --replay does)");
    if (!record_.churn.empty() && record_.level != RecordLevel::full)
        report_.unchecked.emplace_back(
            "an end by the final loads: which nodes were away is in full records only");
    if (record_.world)
        report_.unchecked.emplace_back(
            "the discrepancy over time, and tokens that came and went at a node in one step");
    if (record_.guarantee.discrepancy || record_.guarantee.steps)
        report_.unchecked.emplace_back("that the theorem promises this of such a run");
    report_.unchecked.emplace_back(
        "steps in which nothing moved, the counts of messages and rounds, and the seconds");
}

}  // namespace equipoise::verify
