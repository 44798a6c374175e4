#pragma once
// What fuzzers feed to the readers of agents.

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "equipoise/agent/fleet.hpp"
#include "equipoise/agent/held_file.hpp"
#include "equipoise/agent/link_messages.hpp"
#include "equipoise/agent/questions.hpp"
#include "equipoise/agent/replay.hpp"
#include "equipoise/agent/site_record.hpp"
#include "equipoise/agent/site_state.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/line_source.hpp"
#include "tests/fuzz/reassign_targets.hpp"

namespace equipoise::fuzz {

/// What is read as a message is written so that it is read as the same.
inline void feed_link_message(std::string_view text) {
    const auto message = agent::read_link_message(text);
    if (!message) return;
    const std::string written = agent::written(*message);
    const auto again = agent::read_link_message(written);
    EQUIPOISE_ASSERT(again && agent::written(*again) == written);
}

/// What is read as an answer is read as the same again, and can be added up and shown.
inline void feed_site_state(std::string_view text) {
    const nlohmann::ordered_json state = agent::read_site_state(text);
    if (state.is_null()) return;
    EQUIPOISE_ASSERT(agent::read_site_state(json_text(state)) == state);
    agent::Fleet fleet;
    fleet.sites.resize(2);
    fleet.neighbours.resize(2);
    const auto both = agent::fleet_state(fleet, nlohmann::ordered_json::array({state, state}));
    EQUIPOISE_ASSERT(both.at("alive") == 2 && !agent::fleet_text(both).empty());
}

/// Sites have names of their own, and each is a neighbour of its neighbours.
inline void feed_fleet(std::string_view text) {
    reads([&] {
        std::istringstream stream{std::string(text)};
        LineSource source(stream, text.starts_with('<') ? "fuzz.graphml" : "fuzz.gml");
        const agent::Fleet fleet = agent::read_fleet(source);
        EQUIPOISE_ASSERT(!fleet.sites.empty() && fleet.neighbours.size() == fleet.sites.size());
        for (std::size_t at = 0; at < fleet.sites.size(); ++at) {
            EQUIPOISE_ASSERT(fleet.number_of(fleet.sites[at].name) == at);
            for (const agent::Neighbour& neighbour : fleet.neighbours[at]) {
                const auto& back = fleet.neighbours[neighbour.site];
                EQUIPOISE_ASSERT(!neighbour.server.empty());
                EQUIPOISE_ASSERT(std::count_if(back.begin(), back.end(), [&](const auto& other) {
                                     return other.site == at &&
                                            other.is_lower != neighbour.is_lower;
                                 }) == 1);
            }
        }
    });
}

/// What is read is written so that it is read as the same.
inline void feed_held_jobs(std::string_view text) {
    reads([&] {
        const std::string written = agent::held_text(agent::held_jobs_of(text, "fuzz"));
        EQUIPOISE_ASSERT(agent::held_text(agent::held_jobs_of(written, "written")) == written);
    });
}

/// What is read is written so that it is read as the same; it is played, or refused.
inline void feed_site_record(std::string_view text) {
    reads([&] {
        std::istringstream stream{std::string(text)};
        LineSource lines(stream, "fuzz");
        const agent::SiteRecord record = agent::read_site_record(lines);
        std::string written;
        for (const agent::SiteEvent& event : record.events)
            written += json_text(agent::written(event)) + '\n';
        std::istringstream again{written};
        LineSource written_lines(again, "written");
        std::string twice;
        for (const agent::SiteEvent& event : agent::read_site_record(written_lines).events)
            twice += json_text(agent::written(event)) + '\n';
        EQUIPOISE_ASSERT(twice == written);
        const agent::Replay replay = agent::replay_fleet({record});
        EQUIPOISE_ASSERT(replay.events <= record.events.size());
    });
}

}  // namespace equipoise::fuzz
