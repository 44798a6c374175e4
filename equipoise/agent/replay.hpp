#pragma once
// Plays a fleet again from what was recorded at its sites.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/agent/site_record.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::agent {

struct Replay {
    std::size_t sites = 0;
    std::uint64_t lives = 0;      ///< times that a node began
    std::uint64_t events = 0;     ///< that were played
    std::uint64_t sent = 0;       ///< messages of the program that left
    std::uint64_t received = 0;   ///< that were let in
    std::uint64_t unchecked = 0;  ///< of these, from sites of which there is no record
    Tokens given = 0;
    Tokens taken = 0;
    std::string refusal;  ///< where a record cannot be what happened, and why; or empty
};

// Problem: tell whether every node of a fleet that has run did what its program does.
// How: the nodes run again, in one process, hosted as they were (`SiteNode`); what the records
//   choose is what asynchrony leaves open: which messages arrive and when, when a node's time is
//   over, when agents die, and how many tokens jobs that come and are worked off leave. A node gets
//   a message only after the replayed node at the other end has sent it, and as that has sent it;
//   no clocks are compared.
// Guarantee: without a refusal, every node sent, gave and took what its program does; messages of
//   each direction of a link were received in the order in which they were sent, each at most once,
//   as in channels of capacity 1; and as long as both ends of a link live and hear each other, each
//   hands over the deals that the other took, in this order. What a life that was killed did last
//   may be missing.
// Cost: O(events), and for each message received those that were lost before it.
[[nodiscard]] Replay replay_fleet(const std::vector<SiteRecord>& records);

/// The outcome in words; `sites`: of the fleet.
[[nodiscard]] std::string replay_text(const Replay& replay, std::size_t sites);

}  // namespace equipoise::agent
