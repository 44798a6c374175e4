#pragma once
// Tickets: how a link keeps the capacity that its program is proved for.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/random.hpp"

namespace equipoise::agent {

// Problem: let at most k messages that were sent before any moment arrive after it, over a network
//   that delays, doubles and reorders messages as it likes.
// How: a receiver draws k random numbers, the tickets, and tells them to the sender. It admits only
//   messages that bear one of them, and replaces the ticket of each message that it admits.
// Guarantee: whatever is under way, at most k of these messages can still be admitted, whoever sent
//   them and when: each uses up a ticket, and newer tickets are not known to them (except with
//   probability 2^-64 a ticket). This holds from any state, and after either end has forgotten all.
// Cost: k words in each direction.

/// The receiver's side of one direction of a link.
class Gate {
  public:
    /// `capacity`: k. Draws the first tickets.
    Gate(std::uint64_t seed, std::uint64_t link, unsigned capacity)
        : random_(seed, Purpose::program, link, 1) {
        for (unsigned at = 0; at < capacity; ++at)
            tickets_.push_back(draw());
    }

    [[nodiscard]] const std::vector<std::uint64_t>& tickets() const { return tickets_; }
    /// Whether a message with this ticket is let in, which uses the ticket up.
    [[nodiscard]] bool admits(std::uint64_t ticket) {
        const auto found = std::find(tickets_.begin(), tickets_.end(), ticket);
        if (found == tickets_.end()) return false;
        *found = draw();
        return true;
    }

  private:
    /// Never 0, which stands for none.
    std::uint64_t draw() { return std::max<std::uint64_t>(random_(), 1); }

    RandomStream random_;
    std::vector<std::uint64_t> tickets_;
};

/// The sender's side: the tickets that the receiver named last. Times are in microseconds.
class Purse {
  public:
    /// Patience grows up to so many times what it was at first.
    static constexpr std::uint64_t growth_max = 8;

    /// A ticket that was used may be used again after `patience`, since its message may be lost;
    /// then after twice as long, and so on: where answers are slow, more messages make them slower.
    explicit Purse(std::uint64_t patience) : patience_(patience) {}

    /// Takes the receiver's present tickets.
    void fill(std::span<const std::uint64_t> tickets) {
        std::vector<Held> held;
        for (const std::uint64_t ticket : tickets) {
            const auto known = std::find_if(held_.begin(), held_.end(), [&](const Held& before) {
                return before.ticket == ticket;
            });
            held.push_back(known == held_.end() ? Held{ticket, 0, patience_} : *known);
        }
        held_ = std::move(held);
    }
    /// A ticket that may be used now, or 0.
    [[nodiscard]] std::uint64_t take(std::uint64_t now) {
        for (Held& held : held_) {
            if (now < held.free_from) continue;
            held.free_from = now + held.patience;
            held.patience = std::min(2 * held.patience, growth_max * patience_);
            return held.ticket;
        }
        return 0;
    }

  private:
    struct Held {
        std::uint64_t ticket = 0;
        std::uint64_t free_from = 0;
        std::uint64_t patience = 0;  ///< when it is used next
    };

    std::uint64_t patience_;
    std::vector<Held> held_;
};

}  // namespace equipoise::agent
