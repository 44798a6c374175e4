#pragma once
// Links as their two sides see them, and the messages that have arrived and were not yet received.

#include <cstdint>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/large_pages.hpp"
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
    bool released = false;         ///< and gives it back when its messages have arrived
    bool taken = false;            ///< the other side holds the channel
    bool awaited = false;          ///< this side waits for the channel
};

/// The ports of one node at which messages wait, the longest waiting first.
struct ReadyPorts {
    std::uint32_t head = LinkSide::none;
    std::uint32_t tail = LinkSide::none;
};

/// All sides of all links, node by node, port by port, and their waiting messages in one slab.
/// Cost O(1) a call, `find` also O(ports whose first message is of another kind).
template <model::NodeMessage Message>
class Mailboxes {
  public:
    static constexpr std::uint32_t none = LinkSide::none;

    explicit Mailboxes(const network::Network& network) : first_(1, 0) {
        EQUIPOISE_ASSERT(2 * network.link_count() < none);
        first_.reserve(std::size_t{network.node_count()} + 1);
        sides_.resize(2 * network.link_count());
        std::vector<std::uint32_t> seen(network.link_count(), none);
        for (NodeId v = 0; v < network.node_count(); ++v) {
            first_.push_back(first_.back() + network.degree(v));
            for (Port port = 0; port < network.degree(v); ++port) {
                const std::uint32_t here = first_[v] + port;
                sides_[here].neighbour = network.neighbour(v, port);
                std::uint32_t& other = seen[network.link(v, port)];
                if (other == none) {
                    other = here;
                } else {
                    sides_[here].reverse = other;
                    sides_[other].reverse = here;
                }
            }
        }
    }

    /// The sides of the nodes from `begin` to before `end` alone, which count from 0 here; their
    /// other sides are not known.
    Mailboxes(const network::Network& network, NodeId begin, NodeId end) : first_(1, 0) {
        EQUIPOISE_ASSERT(2 * network.link_count() < none);
        first_.reserve(std::size_t{end - begin} + 1);
        for (NodeId v = begin; v < end; ++v) {
            for (Port port = 0; port < network.degree(v); ++port)
                sides_.emplace_back().neighbour = network.neighbour(v, port);
            first_.push_back(static_cast<std::uint32_t>(sides_.size()));
        }
    }

    [[nodiscard]] std::uint32_t first(NodeId node) const { return first_[node]; }
    [[nodiscard]] Port degree(NodeId node) const { return first_[node + 1] - first_[node]; }
    [[nodiscard]] std::size_t side_count() const { return sides_.size(); }
    [[nodiscard]] LinkSide& operator[](std::uint32_t side) { return sides_[side]; }
    [[nodiscard]] const LinkSide& operator[](std::uint32_t side) const { return sides_[side]; }

    /// A message has arrived at a side of the node whose ready ports are given: whether it is the
    /// first to wait there.
    bool arrive(ReadyPorts& ready, std::uint32_t side, const Message& message) {
        const std::uint32_t slot = store(message);
        LinkSide& here = sides_[side];
        const bool first = here.head == none;
        if (first) {
            here.head = slot;
            append(ready, side);
        } else {
            waiting_[here.tail].next = slot;
        }
        here.tail = slot;
        return first;
    }
    /// The side of a node whose first message is of one of these kinds, `none` when there is none.
    [[nodiscard]] std::uint32_t find(NodeId node, const ReadyPorts& ready, Port port,
                                     model::KindSet kinds) const {
        const auto fits = [&](std::uint32_t side) {
            const std::uint32_t slot = sides_[side].head;
            return slot != none && kinds.contains(waiting_[slot].message.kind);
        };
        if (port != model::any_port) return fits(first_[node] + port) ? first_[node] + port : none;
        std::uint32_t side = ready.head;
        while (side != none && !fits(side))
            side = sides_[side].next;
        return side;
    }
    /// Takes the first message of a side.
    [[nodiscard]] Message take(ReadyPorts& ready, std::uint32_t side) {
        LinkSide& here = sides_[side];
        const std::uint32_t slot = here.head;
        here.head = waiting_[slot].next;
        waiting_[slot].next = free_;
        free_ = slot;
        remove(ready, side);
        if (here.head != none) append(ready, side);
        return waiting_[slot].message;
    }
    /// Fetches what the arrival of a message at a side touches.
    void prefetch(NodeId node, std::uint32_t side) const {
        __builtin_prefetch(&first_[node]);
        __builtin_prefetch(&sides_[side]);
    }
    /// Visits every waiting message.
    template <class Visit>
    void for_each_waiting(Visit visit) const {
        for (const LinkSide& side : sides_)
            for (std::uint32_t slot = side.head; slot != none; slot = waiting_[slot].next)
                visit(waiting_[slot].message);
    }

  private:
    struct Waiting {
        Message message;
        std::uint32_t next;
    };

    std::uint32_t store(const Message& message) {
        if (free_ == none) {
            waiting_.push_back({message, none});
            EQUIPOISE_ASSERT(waiting_.size() < none);
            return static_cast<std::uint32_t>(waiting_.size() - 1);
        }
        const std::uint32_t slot = free_;
        free_ = waiting_[slot].next;
        waiting_[slot] = {message, none};
        return slot;
    }
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
    std::vector<Waiting> waiting_;
    std::uint32_t free_ = none;
};

}  // namespace equipoise::engine
