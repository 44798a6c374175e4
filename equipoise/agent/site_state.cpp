#include "equipoise/agent/site_state.hpp"

#include <optional>

#include <nlohmann/json.hpp>

#include "equipoise/base/tokens.hpp"

namespace equipoise::agent {

nlohmann::ordered_json site_state(const SiteView& site, const Core& core,
                                  const Carriers::Totals& totals) {
    using Json = nlohmann::ordered_json;
    const CoreCounts& counts = core.counts();
    Json state = {{"version", 1},
                  {"name", site.name},
                  {"state", site.state},
                  {"backlog", core.backlog()},
                  {"held", core.held()},
                  {"offered", core.offered()},
                  {"owed", core.owed() + core.carried()},
                  {"incoming", core.incoming()},
                  {"in_doubt", totals.in_doubt},
                  {"moved", totals.stored},
                  {"received", core.taken()},
                  {"refused", totals.refused},
                  {"stored_before", totals.doubled},
                  {"malformed", counts.malformed + site.malformed},
                  {"turned_away", counts.turned_away},
                  {"excess", counts.excess},
                  {"withdrawn", counts.withdrawn},
                  {"messages_sent", counts.messages_sent},
                  {"messages_received", counts.messages_received},
                  {"level", core.level()},
                  {"level_since_time", nullptr},
                  {"neighbours", Json::array()}};
    if (site.level_since > 0) state["level_since_time"] = site.level_since;
    for (std::size_t at = 0; at < site.neighbours.size(); ++at) {
        const auto port = static_cast<Port>(at);
        std::optional<Tokens> load = core.load_of(port);
        // A site that leaves says so by a load that none has.
        if (load >= tokens_max) load.reset();
        state["neighbours"].push_back({{"name", site.neighbours[at].name},
                                       {"alive", core.is_alive(port)},
                                       {"connected", site.neighbours[at].is_connected},
                                       {"load", load ? Json(*load) : Json(nullptr)},
                                       {"moved", site.neighbours[at].moved}});
    }
    return state;
}

}  // namespace equipoise::agent
