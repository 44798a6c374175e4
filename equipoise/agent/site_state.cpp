#include "equipoise/agent/site_state.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::agent {

namespace {

constexpr Figure all_figures[] = {
    {"backlog", "gauge", "Jobs in the stream and held."},
    {"held", "gauge", "Jobs that are held for offers."},
    {"offered", "gauge", "Jobs that are offered to neighbours."},
    {"owed", "gauge", "Jobs on their way to neighbours."},
    {"incoming", "gauge", "Jobs on their way from neighbours."},
    {"in_doubt", "gauge", "Jobs of which it is not known whether they are stored."},
    {"moved", "counter", "Jobs that neighbours have stored."},
    {"received", "counter", "Jobs that were taken over from neighbours."},
    {"refused", "counter", "Jobs that a neighbour's server refused."},
    {"stored_before", "counter", "Jobs that a server had already."},
    {"malformed", "counter", "Messages that could not be read."},
    {"turned_away", "counter", "Messages with a spent or foreign ticket."},
    {"excess", "counter", "Jobs that neighbours asked for beyond what was offered."},
    {"withdrawn", "counter", "Jobs that were owed when there were none."},
    {"messages_sent", "counter", "Messages to neighbours."},
    {"messages_received", "counter", "Messages from neighbours that were let in."},
};
constexpr const char* states[] = {"running", "paused", "draining", "waiting"};
constexpr double time_max = 1e11;  // seconds since 1970: the year 5138

nlohmann::ordered_json read_neighbour(const JsonValue& value) {
    nlohmann::ordered_json neighbour = {{"name", value.at("name").text()},
                                        {"alive", value.at("alive").truth()},
                                        {"connected", value.at("connected").truth()},
                                        {"load", nullptr},
                                        {"moved", value.at("moved").whole<Tokens>(0, counted_max)}};
    if (const JsonValue load = value.at("load"); !load.is_null())
        neighbour["load"] = load.whole<Tokens>(0, tokens_max);
    return neighbour;
}

}  // namespace

std::span<const Figure> figures() {
    return all_figures;
}

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

nlohmann::ordered_json read_site_state(std::string_view text) {
    try {
        static const std::string name = "answer";
        nlohmann::json parsed = parse_json(text, name);
        const JsonValue value(parsed, name);
        nlohmann::ordered_json state = {{"version", value.at("version").whole<int>(1, 1)},
                                        {"name", value.at("name").text()},
                                        {"state", value.at("state").text()}};
        if (std::find(std::begin(states), std::end(states), state["state"]) == std::end(states))
            return nullptr;
        for (const Figure& figure : figures())
            state[figure.key] = value.at(figure.key).whole<Tokens>(0, counted_max);
        state["level"] = value.at("level").truth();
        state["level_since_time"] = nullptr;
        if (const JsonValue since = value.at("level_since_time"); !since.is_null()) {
            const double time = since.real();
            if (!(time >= 0 && time <= time_max)) return nullptr;
            state["level_since_time"] = time;
        }
        state["neighbours"] = nlohmann::ordered_json::array();
        value.at("neighbours").for_each([&](const JsonValue& neighbour) {
            state["neighbours"].push_back(read_neighbour(neighbour));
        });
        return state;
    } catch (const InputError&) {
        return nullptr;
    }
}

}  // namespace equipoise::agent
