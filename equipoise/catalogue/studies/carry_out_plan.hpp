#pragma once
// Plans for a Redis Cluster that is running: the moves that carry them out, and their commands.

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "equipoise/adapters/redis/carry_out.hpp"
#include "equipoise/catalogue/studies/reassign.hpp"
#include "equipoise/report/answers/reassign.hpp"

namespace equipoise::catalogue {

/// How a caller follows and ends what is carried out.
struct CarryOutControl {
    std::stop_token stop = {};
    std::function<void(const redis::CarryOutProgress&)> progress = {};
    std::function<void(const std::string&)> note = {};
};

/// Throws InputError, which names `option`, for options of a request whose plan is to be carried
/// out: its items are slots of a running cluster, as they are now.
void expect_request_to_carry_out(const char* option, const ReassignRequest& request);

/// The same for what was read: rates a second are those of bytes, by which moves are paced.
void expect_instance_to_carry_out(const char* option, const report::ReassignInstance& instance);

/// The moves of a plan, in its order. Each waits for others only where something could be broken
/// on the way: room, a rule, or an item that goes on from where it was put. Throws InputError where
/// what they wait for is not known.
[[nodiscard]] std::vector<redis::PlannedMove> planned_moves(const report::ReassignAnswer& answer);

/// How they are carried out: slots at once, rates, and a time-out of MIGRATE below half of what
/// makes a cluster take a server for dead.
[[nodiscard]] redis::CarryOutOptions carry_out_options(const ReassignRequest& request,
                                                       const report::ReassignAnswer& answer);

/// Finishes or closes the open slots of the cluster, so that a plan can be made of what is where
/// then. Throws InputError.
[[nodiscard]] redis::CarriedOut settle_open_slots(const ReassignRequest& request,
                                                  const CarryOutControl& control);

/// Carries the plan out; nothing if the search for it was interrupted. Throws InputError.
[[nodiscard]] redis::CarriedOut carry_out_plan(const ReassignRequest& request,
                                               const report::ReassignAnswer& answer,
                                               const CarryOutControl& control);

/// The commands that would do the same, in the order of the plan, without a password.
[[nodiscard]] std::string commands_of_plan(const ReassignRequest& request,
                                           const report::ReassignAnswer& answer);

}  // namespace equipoise::catalogue
