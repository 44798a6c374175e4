#include "equipoise/verify/verify.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/record_fields.hpp"
#include "equipoise/model/run/record_network.hpp"
#include "equipoise/verify/examiner.hpp"

namespace equipoise::verify {

using load::to_decimal;
using model::RecordLevel;

Int128 sum(const std::vector<Tokens>& loads) {
    Int128 total = 0;
    for (const Tokens load : loads)
        total += load;
    return total;
}

Int128 booked(const std::vector<model::Transfer>& account) {
    Int128 tokens = 0;
    for (const model::Transfer& entry : account)
        tokens += entry.tokens;
    return tokens;
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
        check_labels();
        check_claims();
        check_speeds();
        check_conservation();
        check_closed();
        check_figures();
        check_level();
        check_samples();
        check_ending();
        check_reached();
        check_guarantee();
        check_deviation();
        check_moves();
        check_optimum();
        check_given();
        check_constants();
        check_asynchrony();
        check_world();
        check_transfers();
        check_level_since();
    } else {
        report_.unchecked.emplace_back("everything that rests on the loads");
    }
    leave_costs_open();
    std::vector<std::string> idle;
    for (const auto& [field, facts] : model::named_fields())
        if (facts.proof == model::Proof::never) idle.push_back(field);
    leave_open(idle, "nothing else in the record depends on them");
    return std::move(report_);
}

void Examiner::leave_open(const std::vector<std::string>& fields, const std::string& why) {
    std::string names;
    for (const std::string& field : fields) {
        const auto& known = model::named_fields();
        EQUIPOISE_ASSERT(std::any_of(known.begin(), known.end(), [&](const auto& one) {
            return one.name == field && one.facts.proof != model::Proof::always;
        }));
        names += (names.empty() ? "" : ", ") + field;
        report_.unchecked_fields.push_back(field);
    }
    report_.unchecked.push_back(names + ": " + why);
}

void Examiner::leave_costs_open() {
    if (record_.level != RecordLevel::full)
        leave_open({"costs.exchanges"}, "how often tokens moved on their way");
    leave_open({"costs.rounds", "costs.messages"}, "messages of steps in which no token moved");
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
             "expected speeds of 0 or more, one above 0, and at least 1 unit per token");
        fine = false;
    }
    // One line for all samples: if the number of nodes is wrong, it is wrong for each of them.
    for (const model::Sample& sample : record_.samples) {
        const std::string what = "loads in the sample at step " + std::to_string(sample.step);
        if (sample.loads.empty() || fits(what.c_str(), sample.loads.size())) continue;
        fine = false;
        break;
    }
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
    try {
        network_ = model::network_of(record_);
    } catch (const InputError& error) {
        note("network", false, error.what());
        return;
    }
    const bool from_spec = record_.generated && record_.links.empty();
    note("network", true,
         std::to_string(record_.link_count) + " links, " +
             (from_spec ? "generated anew from the spec" : "as listed") +
             ", have the recorded digest");
}

void Examiner::check_conservation() {
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

/// How one sample contradicts its own loads and the first and last ones.
std::string Examiner::problem_of_sample(const model::Sample& sample) const {
    const std::string where = "sample at step " + std::to_string(sample.step) + ": ";
    if (sample.loads.size() != record_.node_count) return where + "no loads";
    if (spread(sample.loads) != sample.discrepancy)
        return where + "recorded discrepancy " + std::to_string(sample.discrepancy) +
               ", the loads give " + to_decimal(spread(sample.loads));
    try {
        const std::string potential = to_decimal(load::potential(sample.loads));
        if (potential != sample.potential)
            return where + "recorded potential " + sample.potential + ", the loads give " +
                   potential;
    } catch (const OverflowError& error) {
        return where + error.what();
    }
    if (sample.step == 0 && sample.loads != record_.initial_loads)
        return where + "the loads are not the initial ones";
    if (sample.step == record_.costs.steps && sample.loads != record_.final_loads)
        return where + "the loads are not the final ones";
    const auto until = [&](const std::vector<model::Transfer>& account) {
        Int128 tokens = 0;
        for (const model::Transfer& entry : account)
            if (entry.step < sample.step) tokens += entry.tokens;
        return tokens;
    };
    const Int128 expected =
        sum(record_.initial_loads) + until(record_.created) - until(record_.destroyed);
    if (sum(sample.loads) != expected)
        return where + to_decimal(sum(sample.loads)) + " tokens, expected " + to_decimal(expected);
    return "";
}

/// Samples are equally far apart; only the last one may come earlier.
std::string Examiner::problem_of_spacing() const {
    const std::vector<model::Sample>& samples = record_.samples;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const Step before = samples[i - 1].step;
        const std::string where = "sample at step " + std::to_string(samples[i].step) + ": ";
        if (samples[i].step <= before) return where + "steps do not ascend";
        const Step gap = samples[i].step - before;
        const Step first = samples[1].step - samples[0].step;
        if (gap > first || (gap < first && i + 1 < samples.size()))
            return where + std::to_string(gap) + " steps after the one before, expected " +
                   std::to_string(first);
    }
    return "";
}

void Examiner::check_samples() {
    if (record_.samples.empty()) return;
    std::string wrong = problem_of_spacing();
    for (std::size_t i = 0; i < record_.samples.size() && wrong.empty(); ++i)
        wrong = problem_of_sample(record_.samples[i]);
    note("samples", wrong.empty(),
         wrong.empty()
             ? std::to_string(record_.samples.size()) + " sampled loads give the recorded figures"
             : wrong);
    if (record_.samples.size() < 4 && !every_step_is_sampled())
        leave_open({"samples"}, "at which steps they were taken, as they are too few to tell");
}

}  // namespace equipoise::verify
