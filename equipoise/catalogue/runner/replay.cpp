// Repeats the run of a record.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/plural.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/model/run/record_fields.hpp"
#include "equipoise/model/run/record_network.hpp"
#include "equipoise/report/runs/words.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::catalogue {

namespace {

using model::Record;
using model::Transfer;

std::string describe(const Transfer& t) {
    return with_noun(static_cast<std::uint64_t>(t.tokens), "token", "tokens") + " from node " +
           std::to_string(t.from) + " to node " + std::to_string(t.to) + " in step " +
           std::to_string(t.step);
}

/// Whether a record can be compared with a run event by event: the oldest records cannot.
bool holds_trace(const Record& record) {
    return record.asynchrony && record.asynchrony->digest;
}

/// The fields that a replay cannot compare, since the oldest records lack them.
std::string not_compared(const Record& before) {
    std::string text;
    if (before.asynchrony && !holds_trace(before)) text += "the order of events";
    if (!before.asked_stop)
        text += std::string(text.empty() ? "" : ", ") + "the end that was asked for";
    return text.empty() ? "" : "; not compared, as this old record does not hold it: " + text;
}

/// The first difference between two runs, or nothing.
std::string first_difference(const Record& before, const Record& now) {
    if (before.level == model::RecordLevel::full) {
        const auto [a, b] = std::mismatch(before.transfers.begin(), before.transfers.end(),
                                          now.transfers.begin(), now.transfers.end());
        if (a != before.transfers.end() && b != now.transfers.end())
            return "recorded " + describe(*a) + ", now " + describe(*b);
        if (a != before.transfers.end())
            return "recorded " + describe(*a) + ", which the new run does not move";
        if (b != now.transfers.end()) return "the new run also moves " + describe(*b);
    }
    const auto differ = [](const char* what, std::uint64_t a, std::uint64_t b) {
        return "recorded " + report::grouped(a) + ' ' + what + ", now " + report::grouped(b);
    };
    if (before.costs.steps != now.costs.steps)
        return differ("steps", before.costs.steps, now.costs.steps);
    if (before.costs.exchanges != now.costs.exchanges)
        return differ("exchanges", before.costs.exchanges, now.costs.exchanges);
    if (before.costs.messages != now.costs.messages)
        return differ("messages", before.costs.messages, now.costs.messages);
    if (before.costs.rounds != now.costs.rounds)
        return differ("rounds", before.costs.rounds, now.costs.rounds);
    if (before.deviation && (!now.deviation || now.deviation->value != before.deviation->value))
        return "recorded a deviation of " + report::deviation_value(before) + ", now " +
               (now.deviation ? report::deviation_value(now) : "none");
    if (holds_trace(before) &&
        (!now.asynchrony || before.asynchrony->digest != now.asynchrony->digest))
        return "events came in another order";
    const auto [a, b] = std::mismatch(before.final_loads.begin(), before.final_loads.end(),
                                      now.final_loads.begin(), now.final_loads.end());
    if (a != before.final_loads.end() && b != now.final_loads.end()) {
        const auto node = static_cast<NodeId>(a - before.final_loads.begin());
        return "node " + before.labels.name(node) + " was left with " + std::to_string(*a) +
               " tokens, now with " + std::to_string(*b);
    }
    return "";
}

/// Whether a replay must come to what the record says: old records and those of interrupted runs
/// lack some of it.
bool must_agree(const Record& before, model::Replayed replayed) {
    const bool ended = before.stopped_because != "interrupted";
    switch (replayed) {
        case model::Replayed::always:
        case model::Replayed::no_larger:
            return true;
        case model::Replayed::unless_interrupted:
            return ended;
        case model::Replayed::if_goal_is_known:
            return ended && before.asked_stop;
        case model::Replayed::if_error_is_known:
            return before.deviation && before.deviation->error;
        case model::Replayed::if_events_are_known:
            return holds_trace(before);
        case model::Replayed::if_phases_are_known:
            // Runs on ranks do not tell them.
            return !before.asynchrony->phases.empty() && before.asynchrony->ranks == 0;
        case model::Replayed::if_level_is_known:
            return before.level_since.has_value();
        case model::Replayed::no:
            return false;
    }
    return false;
}

/// Visits the fields of two records and keeps the name of the first that differs.
class FieldComparison {
  public:
    explicit FieldComparison(const Record& before) : before_(before) {}

    /// Lists of rows are of different types in two records, but their values are not.
    template <class Before, class Now>
    void operator()(const char* key, model::FieldFacts facts, const Before& before,
                    const Now& now) {
        if (!concerns(facts)) return;
        if constexpr (requires { before.value; }) {
            compare(key, facts, before.value, now.value);
        } else {
            compare(key, facts, before, now);
        }
    }
    template <class Fields>
    void object(const char* key, model::FieldFacts facts, const Fields& fields) {
        if (!concerns(facts)) return;
        const std::string outside = inside_;
        inside_ += std::string(key) + '.';
        fields(*this);
        inside_ = outside;
    }
    template <class Fields, class T>
    void optional(const char* key, model::FieldFacts facts, const Fields& fields,
                  const std::optional<T>& before, const std::optional<T>& now) {
        if (!concerns(facts)) return;
        if (before && now) {
            object(key, facts, [&](FieldComparison& inner) { fields(inner, *before, *now); });
        } else if (before || now) {
            differs(key);
        }
    }
    template <class Fields, class T>
    void list(const char* key, model::FieldFacts facts, const Fields& /*fields*/,
              const std::vector<T>& before, const std::vector<T>& now) {
        (*this)(key, facts, before, now);
    }
    void delays(const char* /*key*/, model::FieldFacts /*facts*/,
                const model::Asynchrony& /*before*/, const model::Asynchrony& /*now*/) {}

    /// Empty: none.
    [[nodiscard]] const std::string& first_difference() const { return different_; }

  private:
    [[nodiscard]] bool concerns(model::FieldFacts facts) const {
        return different_.empty() && must_agree(before_, facts.replayed);
    }
    void differs(const std::string& key) { different_ = inside_ + key; }

    template <class T>
    void compare(const char* key, model::FieldFacts /*facts*/, const T& before, const T& now) {
        if (!(before == now)) differs(key);
    }
    template <class T>
    void compare(const char* key, model::FieldFacts facts, const std::optional<T>& before,
                 const std::optional<T>& now) {
        if (facts.replayed == model::Replayed::no_larger && (!before || now <= before)) return;
        if (before != now) differs(key);
    }
    template <class T>
    void compare(const char* key, model::FieldFacts /*facts*/, const std::vector<T>& before,
                 const std::vector<T>& now) {
        if (before == now) return;
        const auto [a, b] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
        differs(key + ('[' + std::to_string(a - before.begin()) + ']'));
    }
    /// Older records lack parameters and constants that there were not yet.
    void compare(const char* key, model::FieldFacts /*facts*/,
                 const std::map<std::string, std::string>& before,
                 std::map<std::string, std::string> now) {
        std::erase_if(now, [&](const auto& entry) { return !before.contains(entry.first); });
        if (before != now) differs(key);
    }

    const Record& before_;
    std::string inside_;  ///< of the object that is visited, with a dot
    std::string different_;
};

/// The first field that differs between two records, or nothing.
std::string first_field_that_differs(const Record& before, const Record& now) {
    FieldComparison comparison(before);
    model::record_fields(comparison, before, now);
    const std::string& field = comparison.first_difference();
    return field.empty() ? "" : "the recorded " + field + " differs from the new one";
}

/// The stop rule and the cap that lead to the recorded ones.
void choose_ends(const Record& record, RunOptions& again) {
    again.stop_in_units = true;
    again.steps_max = record.steps_max;
    const std::string& asked = record.asked_stop.value_or(record.stop);
    if (!asked.empty()) {
        again.stop = parse_stop(asked);
        // Without a cap given by the caller, the algorithm's own ends are part of the rule.
        if (asked != record.stop) again.steps_max.reset();
    }
    if (record.stopped_because == "interrupted") again.steps_max = record.costs.steps;
}

}  // namespace

Replay replay(const Record& record, const RunOptions& options) {
    if (record.given_rule)
        throw UnsuitableError(
            "the rule of this run, \"" + record.algorithm +
            "\", was given by the caller: expected the same rule again, to replay the run");
    return replay(record, find_algorithm(record.algorithm), options);
}

Replay replay(const Record& record, const Algorithm& algorithm, const RunOptions& options) {
    const Instance instance = instance_of(record);
    RunOptions again = options;
    again.seed = record.seed;
    again.parameters = record.parameters;
    choose_ends(record, again);
    again.record_level = record.level;
    again.speeds = record.speeds;
    again.arrivals = record.arrivals;
    again.churn = record.churn;
    if (record.asynchrony)
        again.asynchrony = {record.asynchrony->delays, record.asynchrony->adversary,
                            record.asynchrony->faults, record.asynchrony->ports};
    if (record.asynchrony) again.replayed_ranks = record.asynchrony->ranks;
    if (record.asynchrony && !record.asynchrony->deliveries.empty())
        again.deliveries = &record.asynchrony->deliveries;
    model::expect_given(record, instance.network);
    again.matchings = record.matchings;
    again.weights = record.matrix;
    again.with_deviation = record.deviation.has_value();
    load::Loads loads = instance.loads;
    const auto scale = static_cast<Tokens>(std::max<std::uint64_t>(1, record.load_scale));
    for (Tokens& load : loads) {
        if (load % scale != 0)
            throw InputError("the record's initial loads are not whole numbers of tokens");
        load /= scale;
    }

    Replay result;
    const NetworkFacts facts(instance.network, record.given);
    result.outcome = run(algorithm, facts, loads, again);
    const Record& now = result.outcome.record;
    std::string difference = first_difference(record, now);
    if (difference.empty()) difference = first_field_that_differs(record, now);
    result.same = difference.empty();
    result.detail = difference;
    if (result.same) {
        result.detail = report::counted(std::uint64_t{record.costs.steps}, "step") + " and " +
                        report::counted(record.costs.exchanges, "exchange") + " came out the same";
        if (again.deliveries != nullptr)
            result.detail += ", from " +
                             report::counted(std::uint64_t{again.deliveries->size()}, "event") +
                             " in the recorded order";
        result.detail += not_compared(record);
    }
    return result;
}

}  // namespace equipoise::catalogue
