#pragma once
// How a site stands, as its agent answers it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "equipoise/agent/carriers.hpp"
#include "equipoise/agent/core.hpp"

namespace equipoise::agent {

/// What neither the core nor the carriers know.
struct SiteView {
    struct Linked {
        std::string name;
        bool is_connected = false;
        std::uint64_t moved = 0;
    };
    std::string name;
    std::string state;
    std::uint64_t malformed = 0;
    double level_since = 0;          ///< seconds since 1970; 0: it is not level
    std::vector<Linked> neighbours;  ///< by port
};

/// A number that a site tells: of jobs or of messages.
struct Figure {
    const char* key;
    const char* kind;  ///< for Prometheus: a gauge, or a counter since the agent began
    const char* help;
};
[[nodiscard]] std::span<const Figure> figures();

/// The object that questions are answered with.
[[nodiscard]] nlohmann::ordered_json site_state(const SiteView& site, const Core& core,
                                                const Carriers::Totals& totals);

/// An object that a site, or whoever answers on its subject, says to be one of these: known keys
/// alone, with values that they may have. Null for any other text.
[[nodiscard]] nlohmann::ordered_json read_site_state(std::string_view text);

}  // namespace equipoise::agent
