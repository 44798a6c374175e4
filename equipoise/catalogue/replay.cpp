// A record's run, once more.
#include <algorithm>
#include <string>

#include "equipoise/catalogue/instance.hpp"
#include "equipoise/catalogue/run.hpp"
#include "equipoise/catalogue/stop.hpp"
#include "equipoise/report/table.hpp"

namespace equipoise::catalogue {

namespace {

using model::Record;
using model::Transfer;

std::string describe(const Transfer& t) {
    return std::to_string(t.tokens) + " from node " + std::to_string(t.from) + " to node " +
           std::to_string(t.to) + " in step " + std::to_string(t.step);
}

/// The first difference between two runs, or nothing.
std::string first_difference(const Record& before, const Record& now) {
    if (before.level == model::RecordLevel::full) {
        const auto [a, b] = std::mismatch(before.transfers.begin(), before.transfers.end(),
                                          now.transfers.begin(), now.transfers.end());
        if (a != before.transfers.end() && b != now.transfers.end())
            return "recorded " + describe(*a) + ", now " + describe(*b);
        if (a != before.transfers.end()) return "recorded " + describe(*a) + ", now nothing";
        if (b != now.transfers.end()) return "recorded nothing more, now " + describe(*b);
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
    const auto deviation = before.constants.find("deviation");
    if (deviation != before.constants.end()) {
        const auto again = now.constants.find("deviation");
        if (again == now.constants.end() || again->second != deviation->second)
            return "recorded a deviation of " + deviation->second + ", now " +
                   (again == now.constants.end() ? "none" : again->second);
    }
    const std::uint64_t digest = before.asynchrony ? before.asynchrony->digest : 0;
    if (digest != 0 && digest != now.asynchrony->digest) return "events came in another order";
    const auto [a, b] = std::mismatch(before.final_loads.begin(), before.final_loads.end(),
                                      now.final_loads.begin(), now.final_loads.end());
    if (a != before.final_loads.end() && b != now.final_loads.end()) {
        const auto node = static_cast<NodeId>(a - before.final_loads.begin());
        return "node " + before.labels.name(node) + " was left with " + std::to_string(*a) +
               " tokens, now with " + std::to_string(*b);
    }
    return "";
}

}  // namespace

Replay replay(const Record& record, const RunOptions& options) {
    const Instance instance = instance_of(record);
    RunOptions again = options;
    again.seed = record.seed;
    again.parameters = record.parameters;
    if (!record.stop.empty()) again.stop = parse_stop(record.stop);
    again.steps_max = record.steps_max;
    if (record.stopped_because == "interrupted") again.steps_max = record.costs.steps;
    again.record_level = record.level;
    again.speeds = record.speeds;
    again.arrivals = record.arrivals;
    again.churn = record.churn;
    if (record.asynchrony)
        again.world = {record.asynchrony->delays, record.asynchrony->adversary,
                       record.asynchrony->faults};
    if (record.asynchrony && !record.asynchrony->deliveries.empty())
        again.deliveries = &record.asynchrony->deliveries;
    again.stop_in_units = true;
    if (const auto found = record.constants.find("matchings"); found != record.constants.end())
        again.matchings = network::matchings_from_text(found->second);
    if (const auto found = record.constants.find("matrix"); found != record.constants.end())
        again.weights = network::round_weights_from_text(found->second);
    again.with_deviation = record.constants.contains("deviation");
    load::Loads loads = instance.loads;
    const auto scale = static_cast<Tokens>(std::max<std::uint64_t>(1, record.load_scale));
    for (Tokens& load : loads) {
        if (load % scale != 0)
            throw InputError("the record's initial loads are no whole numbers of tokens");
        load /= scale;
    }

    Replay result;
    result.outcome = run(record.algorithm, instance.network, loads, again);
    const std::string difference = first_difference(record, result.outcome.record);
    result.same = difference.empty();
    result.detail = difference;
    if (result.same) {
        result.detail = report::counted(std::uint64_t{record.costs.steps}, "step") + " and " +
                        report::counted(record.costs.exchanges, "exchange") + " came out the same";
        if (again.deliveries != nullptr)
            result.detail += ", from " +
                             report::counted(std::uint64_t{again.deliveries->size()}, "event") +
                             " in the recorded order";
    }
    return result;
}

}  // namespace equipoise::catalogue
