#pragma once
// What an agent shows over HTTP: its figures for Prometheus, and a page fed live.

#include <cstddef>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "equipoise/agent/fleet.hpp"

namespace equipoise::agent {

/// The state of an agent as Prometheus reads it (text format 0.0.4).
[[nodiscard]] std::string prometheus_text(const nlohmann::ordered_json& state);

/// Serves /metrics (Prometheus), /state.json (this site), /fleet.json (all sites, asked anew at
/// most once a second) and / (a page with the network, coloured by backlog), from threads of its
/// own.
class Web {
  public:
    /// `address`: [HOST:]PORT, by default on 127.0.0.1. Throws InputError for another word, for a
    /// port that cannot be listened at, and in builds without cpp-httplib. `site`: whose agent asks
    /// the others.
    Web(const std::string& address, const Fleet& fleet, std::size_t site);
    ~Web();
    Web(const Web&) = delete;
    Web& operator=(const Web&) = delete;

    /// Where the page is: http://HOST:PORT.
    [[nodiscard]] std::string url() const;
    /// The fleet that is shown from now on.
    void renew(const Fleet& fleet, std::size_t site);
    /// What is served from now on.
    void show(const nlohmann::ordered_json& state);

  private:
    struct Server;
    std::unique_ptr<Server> server_;
};

}  // namespace equipoise::agent
