#pragma once
// Who is reached where: subjects and logins of a fleet.

#include <cstddef>
#include <string>

#include "equipoise/agent/fleet.hpp"
#include "equipoise/agent/nats.hpp"

namespace equipoise::agent {

/// The subject on a site's server where its agent is asked and commanded.
[[nodiscard]] std::string ask_subject(const Fleet& fleet, std::size_t site);
/// The subject where it says how the site stands, and takes no command.
[[nodiscard]] std::string status_subject(const Fleet& fleet, std::size_t site);
/// The subject on a site's server where messages of a link come, from a neighbour.
[[nodiscard]] std::string link_subject(const Fleet& fleet, std::size_t site,
                                       const std::string& neighbour);
/// How the agent of the site `who` reaches the server of a site at an address.
[[nodiscard]] Login agent_login(const Fleet& fleet, std::size_t at, const std::string& server,
                                const std::string& who);
/// How the agent of a site reaches the site's own server.
[[nodiscard]] Login own_login(const Fleet& fleet, std::size_t site);
/// An address without user and password, for people.
[[nodiscard]] std::string shown_address(const std::string& server);

}  // namespace equipoise::agent
