// Checks of a record's statements about its algorithm, constants, speeds and level, apart from
// loads.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/record_network.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/verify/examiner.hpp"

namespace equipoise::verify {

namespace {

using load::to_decimal;
using model::RecordLevel;

constexpr Tokens speed_max = 1'000'000'000;

/// The shortest text that reads back as this number.
std::string digits(double value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

}  // namespace

/// Checks that the algorithm is known, and that the record's statements about its kind are true of
/// it.
void Examiner::check_claims() {
    known_ = find_known(record_.algorithm);
    std::string wrong;
    const auto expect = [&](bool fine, const std::string& what) {
        if (!fine && wrong.empty()) wrong = what;
    };
    if (record_.given_rule) {
        wrong = wrong_of_given_rule();
        leave_open({"algorithm", "model", "given_rule", "loads_may_be_negative"},
                   "what the caller's rule was, and that it may leave nodes below 0");
    } else if (known_ == nullptr) {
        wrong = "there is no algorithm \"" + record_.algorithm + '"';
    } else {
        const bool clockless = known_->model == "asynchronous";
        const bool corrupt = record_.asynchrony &&
                             record_.asynchrony->faults.find("corrupt-start") != std::string::npos;
        expect(record_.model == known_->model, record_.algorithm + " is " +
                                                   std::string(known_->model) + ", recorded \"" +
                                                   record_.model + '"');
        expect(record_.asynchrony.has_value() == clockless,
               clockless ? "asynchronous, but without times and messages"
                         : "times and messages of a synchronous algorithm");
        expect(record_.loads_may_be_negative == (known_->may_be_negative || corrupt),
               std::string("loads of ") + record_.algorithm +
                   (record_.loads_may_be_negative ? " are never negative"
                                                  : " may be negative in such a run"));
        expect(!record_.one_token_a_link || known_->one_token_a_link,
               record_.algorithm + " may move several tokens over a link in a step");
        // Old records do not contain this claim.
        if (known_->one_token_a_link && !record_.one_token_a_link)
            leave_open({"one_token_a_link"}, "that no step moved two tokens over a link");
        expect(
            std::has_single_bit(record_.load_scale) && (record_.load_scale == 1 || is_in_units()),
            record_.algorithm + " uses whole tokens; recorded " +
                std::to_string(record_.load_scale) + " units per token");
    }
    note("algorithm", wrong.empty(),
         !wrong.empty()       ? wrong
         : record_.given_rule ? record_.algorithm + ", " + record_.model + ", given by the caller"
                              : record_.algorithm + ", " + record_.model);
    check_units();
    leave_open({"algorithm", "parameters", "given", "seed"},
               "that the rule of " + record_.algorithm + " asked for these transfers" +
                   (record_.given_rule ? "" : " (run --replay checks that)"));
}

/// What the record of a caller's rule must not claim; nothing if it claims nothing more.
std::string Examiner::wrong_of_given_rule() const {
    const bool clockless = record_.model == "asynchronous";
    if (known_ != nullptr)
        return "\"" + record_.algorithm + "\" is an algorithm of the program, not the caller's";
    if (!clockless && record_.model != "single-port" && record_.model != "multi-port")
        return "a rule cannot be \"" + record_.model + '"';
    if (record_.asynchrony.has_value() != clockless)
        return clockless ? "asynchronous, but without times and messages"
                         : "times and messages of a synchronous rule";
    if (record_.one_token_a_link)
        return "nothing says that at most one token moves over a link in a step";
    if (!record_.parameters.empty()) return "a caller's rule has no parameters";
    const model::Guarantee& promise = record_.guarantee;
    if (promise.discrepancy || promise.steps || !promise.source.empty())
        return "no theorem covers a caller's rule";
    return record_.load_scale == 1 ? ""
                                   : "the caller's rule uses whole tokens; recorded " +
                                         std::to_string(record_.load_scale) + " units per token";
}

/// Whether loads are counted in units of a token, judged by the algorithm and its parameters.
/// Records that lack the parameter have its default, "no".
bool Examiner::is_in_units() const {
    if (known_ == nullptr) return false;
    const auto idealised = record_.parameters.find("idealised");
    return known_->in_units || (known_->idealised_in_units &&
                                idealised != record_.parameters.end() && idealised->second != "no");
}

/// Runs begin with whole numbers of tokens; the units per token follow from what the record holds.
void Examiner::check_units() {
    const auto units = record_.constants.find("units_per_token");
    const bool said = units != record_.constants.end();
    if (!is_in_units() && !said) return;
    const auto scale =
        static_cast<Tokens>(std::min<std::uint64_t>(record_.load_scale, 1ULL << 62U));
    const bool whole = std::all_of(record_.initial_loads.begin(), record_.initial_loads.end(),
                                   [&](Tokens load) { return load % scale == 0; });
    std::string wrong = whole ? "" : "the initial loads are not whole numbers of tokens";
    if (said) {
        if (units->second != std::to_string(record_.load_scale))
            wrong = units->second + " units per token by the constants, " +
                    std::to_string(record_.load_scale) + " by load_scale";
    } else if (wrong.empty() && known_->in_units) {
        wrong = "the constants lack units_per_token";
    } else if (wrong.empty()) {
        // As many bits as keep the total within range, 24 at most.
        const Int128 tokens = std::max<Int128>(1, sum(record_.initial_loads) / scale);
        std::uint64_t expected = 1;
        while (expected < (1ULL << 24U) && tokens * 2 * static_cast<Int128>(expected) <= tokens_max)
            expected *= 2;
        if (expected != record_.load_scale)
            wrong = std::to_string(record_.load_scale) + " units per token, expected " +
                    std::to_string(expected) + " for this number of tokens";
    }
    note("units", wrong.empty(),
         wrong.empty() ? std::to_string(record_.load_scale) + " per token" : wrong);
}

/// If there are speeds, they differ, and the algorithm uses them.
void Examiner::check_speeds() {
    const std::vector<Tokens>& speeds = record_.speeds;
    const bool serves = record_.given_rule || (known_ != nullptr && known_->serves_speeds);
    if (serves) leave_open({"speeds"}, "that the nodes had these speeds");
    if (speeds.empty()) return;
    const auto [least, most] = std::minmax_element(speeds.begin(), speeds.end());
    const std::string wrong = !serves             ? record_.algorithm + " does not use speeds"
                              : *most > speed_max ? "a speed of " + std::to_string(*most)
                              : *least == *most   ? "speeds that all equal each other"
                                                  : "";
    note("speeds", wrong.empty(),
         wrong.empty() ? std::to_string(*least) + " to " + std::to_string(*most) : wrong);
}

/// Labels that a generator gives besides links; files may give any.
void Examiner::check_labels() {
    const network::Labels& labels = record_.labels;
    const bool names_generator = network::names_generator(labels.origin);
    std::string wrong;
    if (record_.generated != names_generator)
        wrong =
            "\"" + labels.origin + "\" is " + (names_generator ? "a" : "no") + " generator's spec";
    else if (record_.generated && !record_.links.empty())
        wrong = "links that the spec makes are listed";
    if (!record_.generated) {
        leave_open({"network.origin", "network.seed", "network.first_number", "network.names",
                    "network.positions"},
                   "what the file called the network and its nodes");
    } else if (network_) {
        const network::Labels& made = network_->labels();
        if (made.origin != labels.origin || made.seed != labels.seed || !labels.names.empty() ||
            !labels.positions.empty() || labels.first_number != made.first_number)
            wrong = "origin, seed, names or positions are not those of " + labels.origin;
        const auto& all = network::generators();
        const std::string name = labels.origin.substr(0, labels.origin.find(':'));
        if (std::any_of(all.begin(), all.end(),
                        [&](const auto& info) { return info.random && info.name == name; }))
            leave_open({"network.origin", "network.seed"},
                       "whether another draw would have given the same links");
    }
    note("labels", wrong.empty(), wrong.empty() ? labels.origin : wrong);
}

/// The level of a record determines which lists it contains.
void Examiner::check_level() {
    const bool full = record_.level == RecordLevel::full;
    std::string wrong;
    const auto expect = [&](bool fine, const std::string& what) {
        if (!fine && wrong.empty()) wrong = what;
    };
    expect(full || record_.transfers.empty(), "lists transfers");
    expect(full || record_.switches.empty(), "lists switches");
    if (record_.level == RecordLevel::summary) {
        expect(record_.samples.empty(), "lists samples");
    } else {
        expect(!record_.samples.empty(), "has no samples");
        expect(record_.samples.empty() || (record_.samples.front().step == 0 &&
                                           record_.samples.back().step == record_.costs.steps),
               "has no sample of the first or of the last loads");
    }
    const auto expect_account = [&](const std::vector<model::Transfer>& account,
                                    NodeId model::Transfer::*node) {
        Step before = 0;
        for (const model::Transfer& entry : account) {
            expect(entry.tokens >= 1, "books less than one token");
            expect(entry.step >= before && entry.step < std::max<Step>(1, record_.costs.steps),
                   "books tokens out of order or after the last step");
            expect(full == (entry.*node != no_node),
                   "books tokens at nodes where it does not "
                   "follow them, or at none where it does");
            before = entry.step;
        }
    };
    expect_account(record_.created, &model::Transfer::to);
    expect_account(record_.destroyed, &model::Transfer::from);
    note("level", wrong.empty(),
         "a record of level " + model::to_string(record_.level) +
             (wrong.empty() ? "" : ' ' + wrong));
    const bool books = !record_.created.empty() || !record_.destroyed.empty();
    if (record_.level == RecordLevel::summary) {
        leave_open({"costs.steps"}, "how long it took (summary level)");
        open_together("initial_loads and final_loads: how one led to the other (summary level)");
        if (books) leave_open({"created", "destroyed"}, "the steps in which tokens came and went");
    }
    if (record_.level == RecordLevel::sampled && books && !every_step_is_sampled())
        leave_open({"created", "destroyed"}, "their steps between two samples");
    if (record_.level == RecordLevel::sampled)
        open_together(
            "initial_loads, samples and final_loads: how each led to the next (sampled level)");
    if (record_.costs.exchanges == 0 && record_.level != RecordLevel::summary)
        leave_open({"level"}, "without transfers, full records and sampled ones are alike");
}

void Examiner::check_closed() {
    const bool faulty = record_.asynchrony && !record_.asynchrony->faults.empty();
    if (record_.world || faulty || (known_ != nullptr && known_->makes_tokens)) return;
    const bool closed = record_.created.empty() && record_.destroyed.empty();
    note("closed run", closed,
         closed ? "no token came or went"
                : "tokens came or went, which nothing in the record allows");
}

/// The largest deviation from the idealised process against Theorem 2, sharpened.
void Examiner::check_deviation() {
    if (!record_.deviation) return;
    const model::Deviation& found = *record_.deviation;
    leave_open({"deviation"}, "that the tokens were this far from the idealised process");
    const double error = found.error.value_or(0);
    const bool sound = found.value >= 0 && error >= 0 && (!found.bound || *found.bound >= 0);
    // Deviation and bound are recorded with six digits.
    constexpr double rounding = 1e-5;
    // The true value is within the error of the recorded one; the promise is broken only if it is
    // certainly exceeded.
    const bool met =
        sound && (!found.bound || found.value - error <= *found.bound * (1 + rounding));
    std::string text = digits(found.value);
    if (found.error) text += " +- " + digits(error);
    if (found.bound)
        text += std::string(met ? " is" : " is not") + " at most " + digits(*found.bound) +
                " (Rabani, Sinclair, Wanka 1998, Theorem 2, sharpened)";
    if (found.bound || !met) note("deviation", met, sound ? text : text + " is no distance");
}

/// The steps of an algorithm that chooses its own moves are of two kinds, which must add up.
void Examiner::check_moves() {
    const bool chooses = known_ != nullptr && known_->model == "single-token";
    std::string wrong;
    if (chooses)
        leave_open({"moves"},
                   "what each step was for (run --replay does), and whether moves were "
                   "made one by one");
    if (record_.moves && !chooses) wrong = record_.algorithm + " does not choose its moves";
    if (record_.moves) {
        const Int128 steps =
            Int128{record_.moves->distribution_steps} + record_.moves->computation_steps;
        if (steps != Int128{record_.costs.steps})
            wrong = to_decimal(steps) + " steps of both kinds, recorded " +
                    std::to_string(record_.costs.steps);
    }
    if (record_.moves)
        note("moves", wrong.empty(), wrong.empty() ? "both kinds of steps are all steps" : wrong);
}

/// Checks that the run did not beat the best possible.
void Examiner::check_optimum() {
    if (!record_.optimum) return;
    leave_open({"optimum"}, "that nothing better is possible (plan proves it)");
    const bool fine = record_.optimum->exchanges >= 0 &&
                      Int128{record_.optimum->exchanges} <= Int128{record_.costs.exchanges} &&
                      record_.optimum->steps.value_or(0) <= record_.costs.steps;
    note("optimum", fine,
         fine ? "is not beaten" : "steps or exchanges are below the recorded optimum");
}

/// Checks that the structures that the caller gave belong to the network; whether the run is on a
/// tree follows from both.
void Examiner::check_given() {
    if (!network_) return;
    std::string wrong;
    try {
        model::expect_given(record_, *network_);
    } catch (const InputError& error) {
        wrong = error.what();
    }
    const bool is_tree = network_->link_count() + 1 == network_->node_count();
    const bool on_tree = known_ != nullptr && known_->on_tree && !is_tree;
    if (record_.on_spanning_tree && !on_tree)
        wrong = record_.algorithm + " does not run on a spanning tree of this network";
    // Old records do not say this.
    if (on_tree && !record_.on_spanning_tree)
        leave_open({"on_spanning_tree"}, "that the run was on a spanning tree");
    if (!wrong.empty()) note("given", false, wrong);
}

/// Checks constants that follow from the rest of the record; others are listed as unchecked.
void Examiner::check_constants() {
    std::string wrong;
    const auto find = [&](const char* name) {
        const auto found = record_.constants.find(name);
        return found == record_.constants.end() ? nullptr : &found->second;
    };
    const auto expect = [&](const char* name, Int128 value) {
        if (const std::string* text = find(name); text != nullptr && *text != to_decimal(value))
            wrong = std::string(name) + " is " + to_decimal(value) + ", recorded " + *text;
    };
    const Int128 created = booked(record_.created);
    expect("dummies_made", created);
    expect("dummies_left", created - booked(record_.destroyed));
    expect("tokens_from_outside", created);
    expect("target",
           sum(record_.initial_loads) / static_cast<Int128>(record_.initial_loads.size()));
    if (!wrong.empty()) note("constants", false, wrong);
    leave_open({"constants"}, "what was computed once and does not follow from the loads");
}

}  // namespace equipoise::verify
