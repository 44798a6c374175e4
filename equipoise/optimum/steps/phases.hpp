#pragma once
// When nodes take part in a flow whose time is counted along the ways of the tokens.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/base/view.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

// Problem: cut time into few phases with constant rates, such that little is lost to any node.
// Model: off-line, plain problems, both port models.
// Source: own. Every node has a place, and tokens go from a place to the next one. A node at place
//   d counts its steps from d on, so that a token that is sent on at once moves in one and the same
//   moment of this count, and a stream at a constant rate needs no tokens in store, however far it
//   goes.
// Method: phases begin and end where nodes with too many tokens begin and where those with room
//   end, or at some of these moments. A node that begins or ends within a phase takes part in what
//   is left of it. Streams that reach a node in its first phase must begin together; a node that
//   sends before it receives holds enough tokens until then, and one that receives a step longer
//   than it sends keeps what comes in that step.
// Guarantee: a flow over time, if in every phase no gate passes more than is said here and nodes
//   hold 0 tokens or more at its end. Cost O(links + nodes log nodes); 40 bytes a node.

class Phases {
  public:
    using Time = std::int64_t;
    static constexpr Time never = std::numeric_limits<Time>::max();

    /// The moments first, ..., end - 1; none if end <= first.
    struct Span {
        Time first = never;
        Time end = never;
        [[nodiscard]] Tokens length() const { return end > first ? end - first : 0; }
    };

    /// So many pieces that every node takes part in each of its phases from beginning to end.
    static constexpr std::uint32_t whole = std::numeric_limits<std::uint32_t>::max();

    /// `places` by node, the least of them 0; they outlive this. About `pieces` moments are taken
    /// from the beginnings, and as many from the ends. No piece: one phase of `steps` steps in
    /// which all nodes take part from beginning to end, which is only necessary.
    Phases(const Problem& problem, View<std::uint32_t> places, Step steps, std::uint32_t pieces);
    /// One phase of `steps` steps, less for each node the steps that it may lose at both ends of
    /// time where a flow that passes is delayed (delayed_flow.hpp), which then takes `steps` steps.
    [[nodiscard]] static Phases delayed(const Problem& problem, View<std::uint32_t> places,
                                        Step steps);

    [[nodiscard]] Step steps() const { return static_cast<Step>(end_); }
    [[nodiscard]] std::uint32_t count() const {
        return static_cast<std::uint32_t>(moments_.size() - 1);
    }
    /// Whether more pieces would be the same.
    [[nodiscard]] bool finest() const { return finest_; }
    /// The pairs of a node and a phase in which it takes part.
    [[nodiscard]] std::uint64_t units() const;
    [[nodiscard]] Span span(std::uint32_t phase) const {
        return {moments_[phase], moments_[phase + std::size_t{1}]};
    }
    /// The phase of a moment; the first or the last for those outside.
    [[nodiscard]] std::uint32_t phase_of(Time time) const;

    [[nodiscard]] std::uint32_t place(NodeId node) const { return places_[node]; }
    /// All nodes, those at the first place first.
    [[nodiscard]] std::vector<NodeId> by_place() const;
    /// The first and the last phase in which a node takes part.
    [[nodiscard]] std::uint32_t first(NodeId node) const { return parts_[node].first; }
    [[nodiscard]] std::uint32_t last(NodeId node) const { return parts_[node].last; }
    /// When a node sends in a phase.
    [[nodiscard]] Span sending(NodeId node, std::uint32_t phase) const;
    /// When a node receives in one of its phases.
    [[nodiscard]] Span receiving(NodeId node, std::uint32_t phase) const;
    /// Whether `from` may send to its neighbour `to` in a phase of both.
    [[nodiscard]] bool open(NodeId from, NodeId to, std::uint32_t phase) const;
    /// The most tokens that a node may send in a phase; with all ports, over each link.
    [[nodiscard]] Tokens most_sent(NodeId node, std::uint32_t phase) const;
    /// The most tokens that a node may receive in one of its phases; with all ports, over each
    /// link.
    [[nodiscard]] Tokens most_received(NodeId node, std::uint32_t phase) const;

  private:
    struct Part {
        Time starts = never;  ///< sends from this moment on
        Time inflow = never;  ///< when the first of those that can send to it starts
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        Port before = 0;  ///< neighbours at the place before
        bool sends_at_last = true;
        bool slow_at_last = false;  ///< receives no more a step than it keeps in the end
    };

    [[nodiscard]] Time end_of(NodeId node) const {
        return relaxed_ ? end_ : end_ - Time{places_[node]};
    }
    void find_moments(std::uint32_t pieces);
    void find_parts();
    void find_first(NodeId node);
    void find_last(NodeId node, bool filled);
    /// Visits the neighbours that take part at the place before, or at the next one.
    template <class Look>
    void for_neighbours(NodeId node, bool before, const Look& look) const;
    [[nodiscard]] std::vector<Time> find_late(const std::vector<NodeId>& order);
    [[nodiscard]] std::vector<Time> find_early(const std::vector<NodeId>& order) const;
    void find_delays();

    const Problem* problem_;
    View<std::uint32_t> places_;
    Time end_;
    bool relaxed_;
    bool finest_ = false;
    std::vector<Time> moments_;  ///< at which phases begin, and the end of the last
    std::vector<Part> parts_;    ///< by node
};

}  // namespace equipoise::optimum
