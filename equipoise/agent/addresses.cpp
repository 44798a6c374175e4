#include "equipoise/agent/addresses.hpp"

#include <algorithm>

namespace equipoise::agent {

namespace {

std::string subject_head(const Fleet& fleet, std::size_t site) {
    return "equipoise." + fleet.name + '.' + fleet.sites[site].name + '.';
}

}  // namespace

std::string ask_subject(const Fleet& fleet, std::size_t site) {
    return subject_head(fleet, site) + "ask";
}

std::string status_subject(const Fleet& fleet, std::size_t site) {
    return subject_head(fleet, site) + "status";
}

std::string link_subject(const Fleet& fleet, std::size_t site, const std::string& neighbour) {
    return subject_head(fleet, site) + "from." + neighbour;
}

Login agent_login(const Fleet& fleet, std::size_t at, const std::string& server,
                  const std::string& who) {
    const Site& site = fleet.sites[at];
    return {.server = server,
            .credentials = site.credentials,
            .authorities = site.authorities,
            .name = "agent-" + who};
}

Login own_login(const Fleet& fleet, std::size_t site) {
    // A server that was killed hands out what it has forgotten to whoever asks first: the sooner
    // the agent repeats its acknowledgements, the fewer workers have asked.
    constexpr int reconnect_after = 20;  // milliseconds
    const Site& own = fleet.sites[site];
    Login login = agent_login(fleet, site, own.server, own.name);
    login.reconnect_after = reconnect_after;
    return login;
}

std::string shown_address(const std::string& server) {
    const std::size_t at = server.rfind('@');
    if (at == std::string::npos) return server;
    const std::size_t scheme = server.find("://");
    const std::size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
    return server.substr(0, std::min(begin, at)) + server.substr(at + 1);
}

}  // namespace equipoise::agent
