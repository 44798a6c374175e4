#pragma once
// Links as their two sides see them, and the messages that have arrived but were not yet received.

#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/large_pages.hpp"
#include "equipoise/base/prefetch.hpp"
#include "equipoise/engine/simulation/message_slab.hpp"
#include "equipoise/engine/simulation/node_order.hpp"
#include "equipoise/model/local/node_host.hpp"
#include "equipoise/model/local/node_message.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// A node's side of one of its links, 32 bytes.
struct LinkSide {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    std::uint32_t head = none;  ///< messages that have arrived here, in order
    std::uint32_t tail = none;
    std::uint32_t next = none;  ///< in the node's list of ports with waiting messages
    std::uint32_t previous = none;
    std::uint32_t reverse = none;  ///< the other side
    NodeId neighbour = no_node;
    std::uint32_t on_the_way = 0;  ///< messages sent from here that have not arrived
    bool reserved = false;         ///< this side holds the channel
    bool released = false;         ///< and gives it up when its messages have arrived
    bool taken = false;            ///< the other side holds the channel
    bool awaited = false;          ///< this side waits for the channel
};

/// The ports of one node at which messages wait, the longest waiting first.
struct ReadyPorts {
    std::uint32_t head = LinkSide::none;
    std::uint32_t tail = LinkSide::none;
};

/// All sides of all links, node by node, port by port, and the messages that wait there, by their
/// numbers in a slab, which must outlive the boxes.
/// Cost O(1) a call, `find` also O(ports whose first message is of another kind).
class Mailboxes {
  public:
    static constexpr std::uint32_t none = LinkSide::none;

    /// Nodes lie as `order` says: all numbers of nodes here, also those of neighbours, are places
    /// in it.
    Mailboxes(const network::Network& network, MessageSlab& messages, const NodeOrder& order);
    /// Only the sides of nodes begin .. end-1, which have numbers from 0 on here; the other sides
    /// of their links are not known.
    Mailboxes(const network::Network& network, MessageSlab& messages, NodeId begin, NodeId end);

    [[nodiscard]] std::uint32_t first(NodeId node) const { return first_[node]; }
    [[nodiscard]] Port degree(NodeId node) const { return first_[node + 1] - first_[node]; }
    [[nodiscard]] std::size_t side_count() const { return sides_.size(); }
    [[nodiscard]] LinkSide& operator[](std::uint32_t side) { return sides_[side]; }
    [[nodiscard]] const LinkSide& operator[](std::uint32_t side) const { return sides_[side]; }

    /// Notes that a message has arrived at a side of the node with these ready ports. Returns
    /// whether it is the first to wait there.
    bool arrive(ReadyPorts& ready, std::uint32_t side, std::uint32_t message) {
        LinkSide& here = sides_[side];
        const bool first = here.head == none;
        if (first) {
            here.head = message;
            append(ready, side);
        } else {
            messages_.next(here.tail) = message;
        }
        here.tail = message;
        return first;
    }
    /// The side of a node whose first message is of one of these kinds, `none` if there is none.
    [[nodiscard]] std::uint32_t find(NodeId node, const ReadyPorts& ready, Port port,
                                     model::KindSet kinds) const {
        return find_from(first_[node], ready, port, kinds);
    }
    /// The same, given the first side of the node.
    [[nodiscard]] std::uint32_t find_from(std::uint32_t first, const ReadyPorts& ready, Port port,
                                          model::KindSet kinds) const {
        const auto fits = [&](std::uint32_t side) {
            const std::uint32_t message = sides_[side].head;
            return message != none && kinds.contains(messages_.kind(message));
        };
        if (port != model::any_port) return fits(first + port) ? first + port : none;
        std::uint32_t side = ready.head;
        while (side != none && !fits(side))
            side = sides_[side].next;
        return side;
    }
    /// Takes the first message of a side and returns its number.
    [[nodiscard]] std::uint32_t take(ReadyPorts& ready, std::uint32_t side) {
        LinkSide& here = sides_[side];
        const std::uint32_t message = here.head;
        here.head = std::exchange(messages_.next(message), none);
        remove(ready, side);
        if (here.head != none) append(ready, side);
        return message;
    }
    /// Prefetches the memory that the arrival of a message at a side touches.
    void prefetch(NodeId node, std::uint32_t side) const {
        equipoise::prefetch(&first_[node]);
        equipoise::prefetch(&sides_[side]);
    }
    /// Visits every waiting message.
    template <class Visit>
    void for_each_waiting(Visit visit) const {
        for (const LinkSide& side : sides_)
            for (std::uint32_t at = side.head; at != none; at = messages_.next(at))
                visit(at);
    }

  private:
    void append(ReadyPorts& ready, std::uint32_t side) {
        sides_[side].previous = ready.tail;
        sides_[side].next = none;
        (ready.tail == none ? ready.head : sides_[ready.tail].next) = side;
        ready.tail = side;
    }
    void remove(ReadyPorts& ready, std::uint32_t side) {
        const LinkSide& here = sides_[side];
        (here.previous == none ? ready.head : sides_[here.previous].next) = here.next;
        (here.next == none ? ready.tail : sides_[here.next].previous) = here.previous;
    }

    std::vector<std::uint32_t, LargePages<std::uint32_t>> first_;
    std::vector<LinkSide, LargePages<LinkSide>> sides_;
    MessageSlab& messages_;
};

}  // namespace equipoise::engine
