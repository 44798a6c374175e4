#pragma once
// The slots of a Redis Cluster that is running, as the items of a request.

#include "equipoise/adapters/redis/server.hpp"
#include "equipoise/adapters/redis/take_slots.hpp"
#include "equipoise/catalogue/studies/reassign.hpp"
#include "equipoise/reassign/input/aims.hpp"
#include "equipoise/report/answers/reassign.hpp"

namespace equipoise::catalogue {

/// Whether a cluster is to be asked for the items (`redis://HOST:PORT`).
[[nodiscard]] bool is_live(const ReassignRequest& request);

/// Throws InputError for options that make no sense with slots, and for those that make sense with
/// slots alone.
void expect_options_of_slots(const ReassignRequest& request);

/// The aims of slots that nobody asked for: bytes and slots are to be level, and the fewest bytes
/// move. A level that was asked for has the tolerance of all levels.
void set_aims_of_slots(const ReassignRequest& request, reassign::AskedAims& aims);

/// Connections as the user of the request, that wait for each answer up to `timeout` seconds.
/// Throws InputError in builds without hiredis.
[[nodiscard]] redis::Dial dial_as_asked(const ReassignRequest& request, double timeout);

/// Asks the cluster for its masters and their settings; sizes stay unknown. Throws InputError.
[[nodiscard]] redis::Holdings ask_for_masters(const ReassignRequest& request);

/// The same, and what they hold.
[[nodiscard]] redis::Holdings ask_cluster(const ReassignRequest& request);

/// Throws InputError if a table of machines names some that are no masters; sets the limits of
/// memory, and adds what people should know to the notes. Called when all machines are there.
void complete_masters(const ReassignRequest& request, report::ReassignInstance& instance);

/// By default, masters that take part end with at least their share of slots divided by 1.02, or
/// rounded down: `redis-cli --cluster rebalance` finds nothing to do within 2 %.
void set_least_slots(reassign::Problem& problem);

}  // namespace equipoise::catalogue
