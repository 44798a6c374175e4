#include "equipoise/catalogue/studies/carry_out_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "equipoise/adapters/redis/slot_moves.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/catalogue/studies/live_slots.hpp"
#include "equipoise/reassign/waits/partial_order.hpp"

namespace equipoise::catalogue {

namespace {

/// The number of the slot that an item is.
std::uint16_t slot_of(const reassign::Problem& problem, reassign::ItemId item) {
    const std::optional<std::uint64_t> slot =
        whole_number(problem.item_name(item), redis::slot_count - 1);
    EQUIPOISE_ASSERT(slot.has_value());
    return static_cast<std::uint16_t>(*slot);
}

/// Whether moves in any order could break something that the order of the plan keeps.
bool has_limits_on_the_way(const report::ReassignAnswer& answer) {
    const reassign::Problem& problem = answer.problem;
    return answer.plan.detours > 0 || !problem.gives.empty() || !problem.takes.empty() ||
           !problem.least_items.empty() || !problem.spread.empty() || !problem.near.empty() ||
           std::any_of(problem.capacities.begin(), problem.capacities.end(),
                       [](Tokens capacity) { return capacity != tokens_max; });
}

/// In milliseconds: a server that waits for another one longer than the smallest time-out of the
/// cluster is taken for dead, and two batches may wait one after the other.
std::uint64_t migrate_timeout(const std::vector<redis::MasterState>& states) {
    constexpr double least = 100;
    constexpr double most = 5000;
    constexpr double part_in_milliseconds = 400;
    double timeout = most;
    for (const redis::MasterState& state : states)
        if (state.node_timeout > 0)
            timeout = std::min(timeout, std::floor(state.node_timeout * part_in_milliseconds));
    return static_cast<std::uint64_t>(std::max(timeout, least));
}

redis::CarriedOut carry_out_moves(const ReassignRequest& request,
                                  const report::ReassignAnswer& answer,
                                  const std::vector<redis::PlannedMove>& moves,
                                  const CarryOutControl& control) {
    redis::CarryOutOptions options = carry_out_options(request, answer);
    options.stop = control.stop;
    options.progress = control.progress;
    options.note = control.note;
    // A server answers while it waits for others, each of which may take that long.
    constexpr double timeout_least = 10;
    constexpr double timeouts = 4;
    const double timeout =
        std::max(timeout_least, timeouts * static_cast<double>(options.move.timeout_ms) / 1000);
    return redis::carry_out(dial_as_asked(request, timeout), answer.holdings->cluster, moves,
                            options);
}

}  // namespace

void expect_request_to_carry_out(const char* option, const ReassignRequest& request) {
    if (!is_live(request))
        throw InputError(std::string(option) +
                         ": expected the slots of a Redis Cluster (redis://HOST:PORT), found " +
                         printable(request.items));
    if (!request.resume.empty())
        throw InputError(std::string(option) +
                         ": cannot be used with --resume: the cluster says where its slots are");
}

void expect_instance_to_carry_out(const char* option, const report::ReassignInstance& instance) {
    const reassign::Problem& problem = instance.problem;
    const reassign::Resource& copied = problem.resources[problem.copied];
    const bool limited = !problem.gives_a_second.empty() || !problem.takes_a_second.empty();
    if (limited && !copied.in_bytes)
        throw InputError(std::string(option) +
                         ": expected rates of bytes, by which moves are paced, found those of " +
                         printable(copied.name) + " (--rates with --fewest)");
}

std::vector<redis::PlannedMove> planned_moves(const report::ReassignAnswer& answer) {
    EQUIPOISE_ASSERT(answer.holdings.has_value());
    const redis::SlotSizes& sizes = answer.holdings->sizes;
    const reassign::Plan& plan = answer.plan;
    if (!plan.replayed.allowed)
        throw InputError("--execute: expected moves that are allowed, found a fault: " +
                         printable(plan.replayed.fault));
    const bool wait = has_limits_on_the_way(answer);
    if (wait && plan.order.waits_for.size() != plan.moves.size())
        throw InputError("--execute: expected moves that wait for at most " +
                         grouped(std::uint64_t{reassign::waits_most}) +
                         " others in all, found more");
    std::vector<redis::PlannedMove> moves;
    moves.reserve(plan.moves.size());
    for (std::size_t at = 0; at < plan.moves.size(); ++at) {
        const reassign::Move& move = plan.moves[at];
        const std::uint16_t slot = slot_of(answer.problem, move.item);
        moves.push_back({slot, move.from, move.to, sizes.keys[slot], sizes.bytes[slot], {}});
        if (wait) moves.back().waits_for = plan.order.waits_for[at];
    }
    return moves;
}

redis::CarryOutOptions carry_out_options(const ReassignRequest& request,
                                         const report::ReassignAnswer& answer) {
    const reassign::Problem& problem = answer.problem;
    redis::CarryOutOptions options;
    options.move.credentials = {request.user, request.password};
    options.move.timeout_ms = migrate_timeout(answer.holdings->states);
    if (request.at_once) options.slots_at_once = *request.at_once;
    options.gives_a_second = problem.gives_a_second;
    // No master gives and takes at a time, so that a rate of both holds for each.
    options.takes_a_second = problem.half_duplex ? problem.gives_a_second : problem.takes_a_second;
    return options;
}

redis::CarriedOut settle_open_slots(const ReassignRequest& request,
                                    const CarryOutControl& control) {
    report::ReassignAnswer nothing_planned;
    nothing_planned.holdings = ask_for_masters(request);
    if (nothing_planned.holdings->cluster.open.empty()) return {};
    return carry_out_moves(request, nothing_planned, {}, control);
}

redis::CarriedOut carry_out_plan(const ReassignRequest& request,
                                 const report::ReassignAnswer& answer,
                                 const CarryOutControl& control) {
    if (answer.plan.interrupted) {
        redis::CarriedOut nothing;
        nothing.interrupted = true;
        return nothing;
    }
    return carry_out_moves(request, answer, planned_moves(answer), control);
}

std::string commands_of_plan(const ReassignRequest& request, const report::ReassignAnswer& answer) {
    const redis::Cluster& cluster = answer.holdings->cluster;
    const redis::CarryOutOptions options = carry_out_options(request, answer);
    std::string text;
    if (!request.user.empty() || !request.password.empty())
        text +=
            "# each redis-cli with --user or REDISCLI_AUTH, and MIGRATE with AUTH2 USER "
            "PASSWORD before KEYS\n";
    if (!cluster.open.empty())
        text += "# first, " + counted(std::uint64_t{cluster.open.size()}, "open slot") +
                " finished or closed, by where their keys are then\n";
    for (const redis::PlannedMove& move : planned_moves(answer))
        text += "# slot " + std::to_string(move.slot) + ", " + counted(move.keys, "key") + '\n' +
                redis::commands_of(cluster, move.slot, move.from, move.to, options.move);
    return text;
}

}  // namespace equipoise::catalogue
