#pragma once
// The order in which the messages of an asynchronous run arrived: enough to replay the run.

#include <cstdint>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::model {

/// What `Delivery::kind` says of a node's own events: it started or one of its timers fired; the
/// channel it asked for is now its own; or that channel is busy. Hosts that answer at once have no
/// entries of the last two kinds.
inline constexpr std::uint32_t clock_event = 0;
inline constexpr std::uint32_t granted_event = 1;
inline constexpr std::uint32_t refused_event = 2;

/// A message that arrived: the one sent first of those that were then under way from `from` to
/// `to`. If both are the same node, an event of that node alone. Times are ticks of the host and
/// never decrease along a list. A list of deliveries is the order of a run; nodes whose first entry
/// has time 0 start together, before anything arrives.
struct Delivery {
    std::uint64_t sent = 0;
    std::uint64_t arrived = 0;
    NodeId from = 0;
    NodeId to = 0;
    std::uint32_t kind = 0;  ///< of message, as its program numbers kinds; or of the node's event
    Tokens tokens = 0;       ///< that travelled in it
    friend bool operator==(const Delivery&, const Delivery&) = default;
};

}  // namespace equipoise::model
