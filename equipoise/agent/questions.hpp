#pragma once
// What people ask a fleet.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "equipoise/agent/fleet.hpp"

namespace equipoise::agent {

/// How all sites stand, as an object of the schema equipoise-fleet: every agent is asked on its
/// site's server; those that do not answer within `milliseconds` are not alive. `asking`: the site
/// whose agent asks, as the user that it is at its own server and at its neighbours'; without it
/// the user `status` asks. Throws InputError in builds without libnats.
[[nodiscard]] nlohmann::ordered_json ask_fleet(const Fleet& fleet, int milliseconds,
                                               std::optional<std::size_t> asking = std::nullopt);

/// The same from the answers of agents, one for each site; null: no answer.
[[nodiscard]] nlohmann::ordered_json fleet_state(const Fleet& fleet,
                                                 const nlohmann::ordered_json& answers);

/// The object of `fleet_state` as a table, with what is guaranteed.
[[nodiscard]] std::string fleet_text(const nlohmann::ordered_json& state);

/// Tells the agent of a site to `pause`, `resume` or `drain`. Throws InputError if it does not
/// answer within `milliseconds`.
void command_agent(const Fleet& fleet, std::size_t site, const std::string& command,
                   int milliseconds);

/// A piece of configuration for a site's nats-server 2.9: users for its agent, for those of its
/// neighbours, for its workers and for people who ask, each with no more rights than it needs.
/// Throws InputError for sites whose passwords would have one name.
[[nodiscard]] std::string permissions_text(const Fleet& fleet, std::size_t at);

}  // namespace equipoise::agent
