#pragma once
// The agent of a site: shares the jobs of its stream with the neighbours' streams.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "equipoise/agent/fleet.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::agent {

struct AgentOptions {
    Fleet fleet;
    std::size_t site = 0;
    Tokens leave_at_least = 0;          ///< jobs that stay at the site whatever its neighbours hold
    Tokens batch = 1000;                ///< jobs offered at a time
    std::uint64_t transfers_max = 100;  ///< a job that was moved this often stays where it is
    std::string state_folder = ".";     ///< where the file SITE.held is
    std::string page;                   ///< where people see its state, or empty
    /// Takes a line for people: what is shared with whom, once it is, or why the agent must wait.
    std::function<void(const std::string& line)> tell;
    /// Takes a line of the log: an object.
    std::function<void(const nlohmann::ordered_json& line)> log;
    /// Takes what reaches and leaves the node program (site_record.hpp), before it leaves.
    std::function<void(const nlohmann::ordered_json& line)> record;
    /// Takes the agent's state every quarter of a second, as `ask` answers it.
    std::function<void(const nlohmann::ordered_json& state)> show;
    /// Takes the fleet, and the number of the site in it, whenever its file has changed.
    std::function<void(const Fleet& fleet, std::size_t site)> renew;
};

/// How an agent ended.
enum class AgentEnd : std::uint8_t { stopped, drained };

/// Runs until it is asked to stop or has drained its site. What it holds then goes back to the
/// stream or, if it is owed, to the neighbour, for at most 5 seconds.
/// Source and guarantee: see `Core` (core.hpp). A job is acknowledged here only when the
/// neighbour's server has said that it is stored there: jobs are never lost. Throws InputError for
/// a server, stream or file that cannot be used.
AgentEnd run_agent(const AgentOptions& options, const std::stop_token& stop);

}  // namespace equipoise::agent
