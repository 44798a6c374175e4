// Checks of what is recorded only by runs without a common clock or in a changing world.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/digest.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/verify/examiner.hpp"

namespace equipoise::verify {

namespace {

using load::to_decimal;
using model::Delivery;

bool is_message(const Delivery& delivery) {
    return delivery.from != delivery.to;
}

/// What is wrong with the recorded ports of nodes; empty: nothing.
std::string problem_of_ports(const model::Asynchrony& found) {
    if (!found.ports.empty() && found.ports != "1" && found.ports != "all")
        return "ports \"" + found.ports + "\", expected 1 or all";
    if (found.ports != "1") return "";
    std::map<NodeId, std::uint64_t> latest;  // tick in which a node last received a message
    for (const Delivery& event : found.deliveries) {
        if (!is_message(event)) continue;
        const auto [at, first] = latest.try_emplace(event.to, event.arrived);
        if (!first && at->second == event.arrived)
            return "node " + std::to_string(event.to) + " received two messages in tick " +
                   std::to_string(event.arrived) + " through a single port";
        at->second = event.arrived;
    }
    return "";
}

/// What is wrong with the recorded ends of phases; empty: nothing. A node ends its phases in order.
std::string problem_of_phases(const model::Asynchrony& found) {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    for (std::size_t k = 0; k < found.phases.size(); ++k) {
        const model::PhaseEnd& end = found.phases[k];
        const std::string name = "phase " + std::to_string(k + 1);
        if (end.last && !end.first) return name + " ends everywhere, but at no first node";
        if (end.first && (*end.first < first || *end.first > found.time))
            return name + " ends first at " + std::to_string(*end.first) +
                   ", which is not between the phase before and the last event";
        if (end.last && (*end.last < std::max(last, *end.first) || *end.last > found.time))
            return name + " ends last at " + std::to_string(*end.last) +
                   ", which is not between the phase before and the last event";
        first = end.first.value_or(first);
        last = end.last.value_or(last);
    }
    return "";
}

}  // namespace

/// Checks that every event of the order is possible; returns the first contradiction, or nothing.
std::string Examiner::problem_of_deliveries(const std::vector<Delivery>& deliveries,
                                            std::size_t kinds) const {
    for (std::size_t i = 0; i < deliveries.size(); ++i) {
        const Delivery& d = deliveries[i];
        const std::string where = "event " + std::to_string(i) + ": ";
        if (d.from >= record_.node_count || d.to >= record_.node_count)
            return where + "there is no such node";
        if (d.tokens < 0) return where + "a negative number of tokens";
        if (is_message(d) && network_ && !network::port_to(*network_, d.from, d.to))
            return where + "there is no such link";
        if (is_message(d) && kinds > 0 && d.kind >= kinds)
            return where + "there is no such kind of message";
        if (!is_message(d) && (d.kind > model::refused_event || d.tokens != 0))
            return where + "no event of a node alone";
    }
    return "";
}

void Examiner::check_asynchrony() {
    if (!record_.asynchrony) return;
    const model::Asynchrony& found = *record_.asynchrony;
    leave_open(
        {"asynchrony.delays", "asynchrony.adversary", "asynchrony.faults", "asynchrony.ports"},
        "that messages met these delays and faults");
    const std::string program = "what only the program knows (run --replay does)";
    leave_open({"asynchrony.largest_message_bits", "asynchrony.memory_bits", "asynchrony.kinds",
                "asynchrony.digest", "asynchrony.faults_met", "asynchrony.phases"},
               program);
    const std::vector<Delivery>& order = found.deliveries;
    const bool keeps = record_.level == model::RecordLevel::full || found.ranks > 0;
    std::string wrong = problem_of_deliveries(order, found.kinds.size());
    if (!order.empty() && (!keeps || !found.faults.empty() || record_.world))
        wrong = "an order of events that such runs do not record";
    if (found.faults_met && found.faults.empty()) wrong = "what faults did, but no faults";
    if (wrong.empty()) wrong = problem_of_ports(found);
    if (wrong.empty()) wrong = problem_of_phases(found);
    if (order.empty()) {
        leave_open({"asynchrony.time", "asynchrony.deliveries"},
                   "the order of events, which the record does not hold");
    } else if (wrong.empty()) {
        leave_open(
            {"asynchrony.deliveries"},
            "the times and kinds of messages, and that the nodes acted so (run --replay does)");
        if (order.back().arrived != found.time)
            wrong = "the last event came at " + std::to_string(order.back().arrived) +
                    ", recorded " + std::to_string(found.time);
        const auto messages =
            static_cast<std::uint64_t>(std::count_if(order.begin(), order.end(), is_message));
        if (messages > record_.costs.messages)
            wrong = std::to_string(messages) + " messages arrived, recorded " +
                    std::to_string(record_.costs.messages) + " sent";
    }
    note("events", wrong.empty(),
         !wrong.empty()  ? wrong
         : order.empty() ? "their order is not recorded"
                         : std::to_string(order.size()) + " in order, along links");
}

void Examiner::check_world() {
    std::string wrong;
    const bool changes = !record_.arrivals.empty() || !record_.churn.empty();
    if (!record_.world) {
        if (changes) note("world", false, "arrivals or churn without their figures");
        return;
    }
    const model::WorldFigures& world = *record_.world;
    const auto expect = [&](bool fine, const std::string& what) {
        if (!fine && wrong.empty()) wrong = what;
    };
    expect(changes, "figures of a changing world without arrivals and churn");
    const Int128 net = Int128{world.arrived} - world.consumed;
    const Int128 created = booked(record_.created);
    const Int128 destroyed = booked(record_.destroyed);
    expect(net == created - destroyed,
           to_decimal(net) + " tokens more arrived than were consumed, but " +
               to_decimal(created - destroyed) + " more were made than removed");
    expect(world.arrived >= created && world.consumed >= destroyed,
           "fewer tokens arrived or were consumed than were made or removed");
    const double moved = world.arrived > 0 ? static_cast<double>(record_.costs.exchanges) /
                                                 static_cast<double>(world.arrived)
                                           : 0;
    expect(moved == world.moved_per_arrival, std::to_string(moved) +
                                                 " moved per arrival, recorded " +
                                                 std::to_string(world.moved_per_arrival));
    expect(world.discrepancy_50 >= 0 && world.discrepancy_50 <= world.discrepancy_99 &&
               world.discrepancy_99 <= world.discrepancy_max,
           "median, 99th percentile and maximum of the discrepancy do not ascend");
    const bool by_samples = record_.churn.empty() && every_step_is_sampled();
    if (by_samples) expect_quantiles(wrong);
    note("world", wrong.empty(),
         wrong.empty() ? to_decimal(Int128{world.arrived}) + " arrived, " +
                             to_decimal(Int128{world.consumed}) + " consumed"
                       : wrong);
    leave_open({"world.arrivals", "world.churn", "world.switches"},
               "that this world makes these tokens, nodes and links come and go");
    // Without arrivals a world leaves no trace in the sums.
    if (record_.arrivals.empty()) leave_open({"world"}, "that nodes and links came and went");
    leave_open({"world.arrived", "world.consumed"},
               "tokens that came and went at a node in one step");
    if (!by_samples)
        leave_open({"world.discrepancy_50", "world.discrepancy_99", "world.discrepancy_max"},
                   "the discrepancy after every step");
}

/// Whether the samples show the loads after every single step.
bool Examiner::every_step_is_sampled() const {
    return !record_.samples.empty() && record_.samples.size() == record_.costs.steps + 1;
}

/// The quantiles are nearest ranks among the discrepancies after the first tenth of the steps.
void Examiner::expect_quantiles(std::string& wrong) const {
    std::vector<Tokens> after;
    for (std::size_t step = 1 + record_.costs.steps / 10; step < record_.samples.size(); ++step)
        after.push_back(record_.samples[step].discrepancy);
    if (after.empty() || !wrong.empty()) return;
    std::sort(after.begin(), after.end());
    const auto rank = [&](std::size_t percent) {
        return after[(after.size() * percent + 99) / 100 - 1];
    };
    const model::WorldFigures& world = *record_.world;
    if (world.discrepancy_50 != rank(50) || world.discrepancy_99 != rank(99) ||
        world.discrepancy_max != after.back())
        wrong = "the samples give discrepancies of " + std::to_string(rank(50)) + ", " +
                std::to_string(rank(99)) + " and " + std::to_string(after.back());
}

}  // namespace equipoise::verify
