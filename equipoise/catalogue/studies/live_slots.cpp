#include "equipoise/catalogue/studies/live_slots.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "equipoise/adapters/redis/cluster.hpp"
#include "equipoise/adapters/redis/connection.hpp"
#include "equipoise/adapters/redis/sizes.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::catalogue {

namespace {

constexpr double answer_timeout = 10;  // seconds

}  // namespace

bool is_live(const ReassignRequest& request) {
    return redis::is_address(request.items) && !request.texts.contains("items");
}

void expect_options_of_slots(const ReassignRequest& request) {
    if (!is_live(request)) {
        for (const auto& [option, given] :
             {std::pair("--user", &request.user), std::pair("--password", &request.password)})
            if (!given->empty())
                throw InputError(std::string(option) +
                                 ": expected the slots of a Redis Cluster (redis://HOST:PORT), "
                                 "found " +
                                 printable(request.items));
        return;
    }
    // Not even the error shows a password.
    if (request.items.find('@') != std::string::npos)
        throw InputError(
            "redis://: expected HOST:PORT behind it, found a user or a password, which --user and "
            "--password-file take");
    static_cast<void>(redis::address_in(request.items));
    if (!request.log_dirs.empty())
        throw InputError("--log-dirs: expected items in a file of Kafka's (.json), found " +
                         request.items);
    if (!request.replicas.empty())
        throw InputError(
            "--replicas: expected items that can have several copies, found the slots of a Redis "
            "Cluster");
}

void set_aims_of_slots(const ReassignRequest& request, reassign::AskedAims& aims) {
    if (!is_live(request) || !request.objective.empty()) return;
    if (aims.fewest.empty()) aims.fewest = "bytes";
    if (!aims.level.empty()) return;
    aims.level = {"bytes", "slots"};
    if (aims.tolerance.empty()) aims.tolerance = "bytes:0.01,slots:0.02";
}

redis::Dial dial_as_asked(const ReassignRequest& request, double timeout) {
    return redis::dial_with({request.user, request.password}, timeout);
}

redis::Holdings ask_for_masters(const ReassignRequest& request) {
    constexpr double patience = 5;  // of a cluster that agrees on what was just changed
    const redis::Dial dial = dial_as_asked(request, answer_timeout);
    const redis::Address seed = redis::address_in(request.items);
    try {
        // Whether anybody is there is known at once.
        static_cast<void>(dial(seed));
        redis::Holdings holdings;
        holdings.cluster = redis::read_cluster(dial, seed, patience);
        holdings.states = redis::read_states(dial, holdings.cluster);
        return holdings;
    } catch (const redis::ConnectionLost& lost) {
        throw InputError(lost.what());
    }
}

redis::Holdings ask_cluster(const ReassignRequest& request) {
    redis::Holdings holdings = ask_for_masters(request);
    try {
        holdings.sizes =
            redis::read_sizes(dial_as_asked(request, answer_timeout), holdings.cluster);
    } catch (const redis::ConnectionLost& lost) {
        throw InputError(lost.what());
    }
    return holdings;
}

void complete_masters(const ReassignRequest& request, report::ReassignInstance& instance) {
    const redis::Holdings& holdings = *instance.holdings;
    const auto masters = static_cast<reassign::MachineId>(holdings.cluster.masters.size());
    if (instance.problem.machine_count() > masters)
        throw InputError("--machines: expected masters of the cluster at " + request.items +
                         ", found \"" + printable(instance.problem.machine_name(masters)) + '"');
    redis::set_memory_limits(holdings, instance.problem);
    for (std::string& note : redis::notes_of(holdings))
        instance.notes.push_back(std::move(note));
}

void set_least_slots(reassign::Problem& problem) {
    constexpr Int128 whole = 100;
    constexpr Int128 with_tolerance = 102;
    const reassign::Problem::Shares shares = problem.shares(reassign::items_resource);
    if (problem.least_items.empty()) problem.least_items.assign(problem.machine_count(), 0);
    for (reassign::MachineId machine = 0; machine < problem.machine_count(); ++machine) {
        if (!problem.may_take(machine)) continue;
        const Int128 share = shares.numerators[machine];
        const Int128 divisor = shares.denominator * with_tolerance;
        const Int128 within = (share * whole + divisor - 1) / divisor;
        const auto least = static_cast<Tokens>(std::min(within, share / shares.denominator));
        problem.least_items[machine] = std::max(problem.least_items[machine], least);
    }
}

}  // namespace equipoise::catalogue
