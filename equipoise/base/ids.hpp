#pragma once
// Numbers that name nodes, ports, links and colours.

#include <compare>
#include <cstdint>

namespace equipoise {

/// A node, 0 .. node_count - 1.
using NodeId = std::uint32_t;
/// A link, 0 .. link_count - 1, in the order of (smaller end, larger end). Held in 32 bits inside
/// networks whose links fit, widened when read.
using LinkId = std::uint64_t;
/// A node's own name for one of its links: 0 .. degree - 1, in the order of the neighbours'
/// numbers.
using Port = std::uint32_t;
/// A colour of an edge colouring, or a slot of a schedule.
using Colour = std::uint32_t;
/// A synchronous parallel step, counted from 0.
using Step = std::uint64_t;

inline constexpr NodeId no_node = ~NodeId{0};
inline constexpr LinkId no_link = ~LinkId{0};
inline constexpr Colour no_colour = ~Colour{0};

/// The two ends of a link; `tail` < `head` in a network, any order in an oriented schedule.
struct Ends {
    NodeId tail = no_node;
    NodeId head = no_node;
    friend bool operator==(const Ends&, const Ends&) = default;
    friend auto operator<=>(const Ends&, const Ends&) = default;
};

}  // namespace equipoise
