#pragma once
// Logs what an agent counts.

#include <cstdint>
#include <functional>
#include <map>

#include <nlohmann/json_fwd.hpp>

#include "equipoise/agent/carriers.hpp"
#include "equipoise/agent/core.hpp"
#include "equipoise/agent/log_events.hpp"

namespace equipoise::agent {

/// Remembers what it has logged.
class FigureLog {
  public:
    using Log = std::function<void(LogEvent, const nlohmann::ordered_json&)>;

    explicit FigureLog(Log log);

    /// Logs what has changed since this was last called. `malformed`: questions that nobody
    /// understands, beside the messages that the core counts.
    void note(const Carriers& carriers, const Core& core, std::uint64_t malformed);

  private:
    void note_count(LogEvent event, std::uint64_t count);

    Log log_;
    std::map<LogEvent, std::uint64_t> logged_;
};

}  // namespace equipoise::agent
