#pragma once
// What an agent logs. docs/reference/agent.md says what each event means and which fields it has.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace equipoise::agent {

enum class LogEvent : std::uint8_t {
    started,
    waiting,
    connected,
    disconnected,
    restarted,
    recovered,
    lapsed,
    unreadable,
    links,
    paused,
    resumed,
    draining,
    moved,
    repeated,
    refused,
    withdrawn,
    malformed,
    excess,
    level,
    not_level,
    drained,
    stopped,
};

/// The words of all events, in the order of `LogEvent`.
inline constexpr std::array<std::string_view, 22> log_event_words = {
    "started", "waiting",    "connected", "disconnected", "restarted", "recovered",
    "lapsed",  "unreadable", "links",     "paused",       "resumed",   "draining",
    "moved",   "repeated",   "refused",   "withdrawn",    "malformed", "excess",
    "level",   "not_level",  "drained",   "stopped"};

[[nodiscard]] constexpr std::string_view word_of(LogEvent event) {
    return log_event_words[static_cast<std::size_t>(event)];
}

}  // namespace equipoise::agent
