#pragma once
// What reaches and leaves the node program of a site, as lines of a file.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "equipoise/agent/link_messages.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/link_end.hpp"
#include "equipoise/model/local/node_program.hpp"

namespace equipoise::agent {

/// The program of a site, as its agent begins it.
struct SiteBegin {
    std::string site;
    std::vector<std::string> neighbours;  ///< by port
    std::vector<model::LinkEnd> ends;     ///< of the links behind the ports
    std::uint64_t seed = 0;               ///< of what the program draws
    std::uint64_t incarnation = 0;        ///< that its messages bear
    model::Ticks period = 0;
    Tokens batch = 0;
};

/// One event at the node of a site.
struct SiteEvent {
    enum class Kind : std::uint8_t {
        // What reaches it.
        begin,      ///< a node in its initial state, which takes its first turn
        receive,    ///< a message was let in
        time_over,  ///< nothing came for as long as it asked to wait
        part,       ///< the neighbour behind a port is taken for gone
        withdraw,   ///< an offer that was not sent is taken back
        leave,      ///< it shall hand over what it has
        tokens,     ///< it saw that it holds so many, from now on
        // What leaves it.
        send,
        give,  ///< tokens are handed over through a port
        take,  ///< tokens are taken over from a port
        // The agent ended by itself: nothing is missing before.
        end,
    };

    Kind kind = Kind::end;
    Port port = 0;
    Tokens tokens = 0;              ///< held, given or taken
    std::uint64_t incarnation = 0;  ///< of the sender of what was received
    std::uint64_t ticket = 0;       ///< of a message; 0: it was not sent, but lost
    Message message = {};
    std::shared_ptr<const SiteBegin> begun = nullptr;  ///< of `begin` only

    /// Of `begun`: whether it is the same object.
    bool operator==(const SiteEvent&) const = default;
};

/// Passes events on, of tokens only those that tell something new.
class Recorder {
  public:
    explicit Recorder(std::function<void(const SiteEvent& event)> put) : put_(std::move(put)) {}

    void note(const SiteEvent& event) {
        if (event.kind == SiteEvent::Kind::begin) tokens_.reset();
        if (event.kind == SiteEvent::Kind::tokens) {
            if (tokens_ == event.tokens) return;
            tokens_ = event.tokens;
        }
        put_(event);
    }

  private:
    std::function<void(const SiteEvent& event)> put_;
    std::optional<Tokens> tokens_;  ///< as last passed on
};

/// An event as an object, to which its time may be added.
[[nodiscard]] nlohmann::ordered_json written(const SiteEvent& event);

/// What was recorded at one site.
struct SiteRecord {
    std::string file;
    std::vector<SiteEvent> events;  ///< one a line
};

/// Reads a record to its end. Throws InputError naming file, line, what was expected and found.
[[nodiscard]] SiteRecord read_site_record(LineSource& lines);

}  // namespace equipoise::agent
