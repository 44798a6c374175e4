// Repeats the run of a record.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/plural.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
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

/// The first field that differs between two records, or nothing. The program's version, the time
/// that the run took, and fields that records of older versions or of interrupted runs lack are not
/// compared.
class FieldComparison {
  public:
    FieldComparison(const Record& before, const Record& now) : before_(before), now_(now) {}

    [[nodiscard]] std::string first_difference() {
        compare_task();
        compare_way();
        compare_ending();
        if (before_.asynchrony && now_.asynchrony)
            compare_asynchrony(*before_.asynchrony, *now_.asynchrony);
        return different_.empty() ? "" : "the recorded " + different_ + " differs from the new one";
    }

  private:
    template <class T>
    void expect_same(const char* field, const T& before, const T& now) {
        if (different_.empty() && !(before == now)) different_ = field;
    }
    template <class T>
    void expect_same(const char* field, const std::vector<T>& before, const std::vector<T>& now) {
        if (!different_.empty() || before == now) return;
        const auto [a, b] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
        different_ = field + ('[' + std::to_string(a - before.begin()) + ']');
    }

    void compare_task() {
        expect_same("model", before_.model, now_.model);
        // Older records lack parameters and constants that did not exist yet.
        const auto known = [](const auto& before, auto now) {
            std::erase_if(now, [&](const auto& entry) { return !before.contains(entry.first); });
            return now;
        };
        expect_same("parameters", before_.parameters, known(before_.parameters, now_.parameters));
        expect_same("constants", before_.constants, known(before_.constants, now_.constants));
        expect_same("given.matchings", before_.matchings, now_.matchings);
        expect_same("given.matrix", before_.matrix, now_.matrix);
        expect_same("given", before_.given, now_.given);
        expect_same("one_token_a_link", before_.one_token_a_link, now_.one_token_a_link);
        expect_same("on_spanning_tree", before_.on_spanning_tree, now_.on_spanning_tree);
        compare_deviations();
        // Whether moves were played or only counted depends on the observers.
        const auto step_kinds = [](const Record& record) {
            return record.moves ? std::pair(record.moves->distribution_steps,
                                            record.moves->computation_steps)
                                : std::pair(~std::uint64_t{0}, ~std::uint64_t{0});
        };
        expect_same("moves", step_kinds(before_), step_kinds(now_));
        expect_same("asynchrony", before_.asynchrony.has_value(), now_.asynchrony.has_value());
        expect_same("network.origin", before_.labels.origin, now_.labels.origin);
        expect_same("network.seed", before_.labels.seed, now_.labels.seed);
        expect_same("network.first_number", before_.labels.first_number, now_.labels.first_number);
        expect_same("network.names", before_.labels.names, now_.labels.names);
        expect_same("network.positions", before_.labels.positions, now_.labels.positions);
        expect_same("network.generated", before_.generated, now_.generated);
        expect_same("network.ends", before_.links, now_.links);
        expect_same("speeds", before_.speeds, now_.speeds);
        expect_same("load_scale", before_.load_scale, now_.load_scale);
        expect_same("loads_may_be_negative", before_.loads_may_be_negative,
                    now_.loads_may_be_negative);
        expect_same("initial_loads", before_.initial_loads, now_.initial_loads);
    }
    /// The oldest records do not hold the error, and today's result may be more exact.
    void compare_deviations() {
        if (!before_.deviation || !now_.deviation) {
            expect_same("deviation", before_.deviation, now_.deviation);
            return;
        }
        expect_same("deviation.value", before_.deviation->value, now_.deviation->value);
        if (!before_.deviation->error) return;
        model::Deviation now = *now_.deviation;
        if (now.error <= before_.deviation->error) now.error = before_.deviation->error;
        expect_same("deviation", *before_.deviation, now);
    }
    void compare_way() {
        expect_same("samples", before_.samples, now_.samples);
        expect_same("transfers", before_.transfers, now_.transfers);
        expect_same("created", before_.created, now_.created);
        expect_same("destroyed", before_.destroyed, now_.destroyed);
        expect_same("world", before_.world, now_.world);
        expect_same("world.switches", before_.switches, now_.switches);
    }
    void compare_ending() {
        expect_same("initial_discrepancy", before_.initial_discrepancy, now_.initial_discrepancy);
        expect_same("final_discrepancy", before_.final_discrepancy, now_.final_discrepancy);
        expect_same("local_imbalance", before_.local_imbalance, now_.local_imbalance);
        expect_same("final_loads", before_.final_loads, now_.final_loads);
        if (before_.stopped_because == "interrupted") return;
        expect_same("stop", before_.stop, now_.stop);
        expect_same("steps_max", before_.steps_max, now_.steps_max);
        expect_same("stopped_because", before_.stopped_because, now_.stopped_because);
        if (!before_.asked_stop) return;
        expect_same("asked_stop", before_.asked_stop, now_.asked_stop);
        expect_same("guarantee", before_.guarantee, now_.guarantee);
        expect_same("reached", before_.reached, now_.reached);
    }
    void compare_asynchrony(const model::Asynchrony& before, const model::Asynchrony& now) {
        expect_same("asynchrony.time", before.time, now.time);
        expect_same("asynchrony.largest_message_bits", before.largest_message_bits,
                    now.largest_message_bits);
        expect_same("asynchrony.memory_bits", before.memory_bits, now.memory_bits);
        // Records of earlier versions have none, and neither have runs on ranks.
        if (!before.phases.empty() && before.ranks == 0)
            expect_same("asynchrony.phases", before.phases, now.phases);
        expect_same("asynchrony.faults_met", before.faults_met, now.faults_met);
        if (!before.digest) return;
        expect_same("asynchrony.kinds", before.kinds, now.kinds);
        expect_same("asynchrony.deliveries", before.deliveries, now.deliveries);
    }

    const Record& before_;
    const Record& now_;
    std::string different_;
};

/// Chooses the stop rule and the cap that lead to the recorded ones.
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
        throw UnsuitableError("the rule of this run, \"" + record.algorithm +
                              "\", was given by its caller: expected that rule, to replay it with");
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
    if (difference.empty()) difference = FieldComparison(record, now).first_difference();
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
