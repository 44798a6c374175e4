#pragma once
// What agents send each other over a link, as JSON.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "equipoise/base/json_value.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/programs/deal_link.hpp"
#include "equipoise/programs/self_stabilising.hpp"

namespace equipoise::agent {

/// Counts of jobs stop here: many readers of JSON hold larger numbers inexactly.
inline constexpr Tokens counted_max = Tokens{1} << 53U;

/// The node program that every site runs.
using Program = programs::SelfStabilising<programs::LabelledLink>;
using Message = Program::Message;

/// Jobs that crossed a link from its sender, since the sender's agent began.
struct Crossed {
    Tokens given = 0;    ///< that the sender's program has handed over
    Tokens settled = 0;  ///< of these: stored at the receiver's server, or kept after all
    bool operator==(const Crossed&) const = default;
};

/// One message of a link.
struct LinkMessage {
    std::uint64_t incarnation = 0;       ///< of the sender's agent; drawn when it begins
    std::uint64_t ticket = 0;            ///< that admits this message; 0: none
    std::vector<std::uint64_t> tickets;  ///< that admit messages in the other direction
    bool asks = false;                   ///< the sender has no ticket, and wants to be told
    Crossed crossed;
    std::optional<Message> message;  ///< of the node program
};

/// Longer messages are not read.
inline constexpr std::size_t link_message_bytes_max = 2048;
/// More tickets are not read.
inline constexpr std::size_t tickets_max = 63;

/// A message of the program as an object.
[[nodiscard]] nlohmann::json written(const Message& message);
/// Any numbers are read: the program recovers from all. Throws InputError.
[[nodiscard]] Message read_message(const JsonValue& value);

[[nodiscard]] std::string written(const LinkMessage& message);
/// Nothing if the text is no link message of this version.
[[nodiscard]] std::optional<LinkMessage> read_link_message(std::string_view text);

/// Whether a message of the program offers jobs, which must then be at hand.
[[nodiscard]] inline bool offers_jobs(const Message& message) {
    return message.kind == Program::Kind::packet && message.amount > 0 && !message.closing;
}

}  // namespace equipoise::agent
