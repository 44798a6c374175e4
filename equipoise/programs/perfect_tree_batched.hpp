#pragma once
// Perfect token distribution on trees with tokens in bundles, in O(D) time.

#include <algorithm>
#include <cstdint>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/programs/tree_totals.hpp"

namespace equipoise::programs {

// Problem: every node of a tree ends with floor(T/N) or ceil(T/N) tokens, and knows that it is
//          done.
// Model:   asynchronous messages on first-in-first-out channels; anonymous nodes; a message may
//          carry many tokens.
// Source:  the decisions of Margara, Pistocchi, Vassura 2004, Section 3.
// Guarantee: perfect under every schedule; with the same root, the same exchanges and the same
//          final loads as with single tokens.
// Cost:    at most 4N - 3 messages, within 5D + 1 time units; d (log T + log N) bits per node.
// Deviations: after Phase 1 every node knows how many tokens must cross each of its links, so in
//          Phase 2 it waits for all that arrive and sends the others at once; the bundle of Phase
//          3, empty or not, also says Finished; the root is the tail of the link on which two local
//          messages cross.
class PerfectTreeBatched {
  public:
    enum class Kind : std::uint8_t { local, global, bundle_2, bundle_3 };

    struct Message {
        Tokens T;        ///< tokens of the sender's subtree, of the tree, or carried
        std::int64_t N;  ///< nodes of the same
        Kind kind;

        [[nodiscard]] Tokens tokens() const {
            return kind == Kind::bundle_2 || kind == Kind::bundle_3 ? T : 0;
        }
        [[nodiscard]] unsigned bits() const {
            return 2 + model::number_bits(T) + model::number_bits(N);
        }
    };

    /// What a node waits for: local information from all neighbours but one; from the last one, or
    /// totals of the tree; tokens of Phase 2; those of Phase 3 from the parent.
    enum class At : std::uint8_t { start, gather, last, phase_2, phase_3, final };

    static constexpr Port no_port = Totals::no_port;

    struct State {
        Totals totals;
        Tokens surplus = 0;  ///< of the subtree: tokens above Avg a node, bound for the parent
        At at = At::start;
    };

    /// What a node knows of the subtree behind a port; N = 0: nothing yet.
    struct PortState {
        Tokens T = 0;
        std::int64_t N = 0;
    };

    static constexpr std::uint32_t phases = 3;
    [[nodiscard]] static std::uint32_t phases_ended(const State& state) {
        if (state.at < At::phase_2) return 0;
        return state.at == At::phase_2 ? 1U : state.at == At::phase_3 ? 2U : 3U;
    }
    [[nodiscard]] static std::uint64_t written_bits(const State& state,
                                                    std::span<const PortState> ports);

    struct Node;
    [[nodiscard]] Node node(model::NodeContext<Message> context, State& state,
                            std::span<PortState> ports) const;
};

/// What a node does at an event.
struct PerfectTreeBatched::Node {
    model::NodeContext<Message> context;
    State& state;
    std::span<PortState> ports;

    // ---- Phase 1: T, N and a root
    [[nodiscard]] TreeTotals<Message> totals() const { return {context, state.totals}; }
    void start() {
        totals().begin(context.tokens(), 1);
        gather();
    }
    void gather() {
        if (ports.empty()) return begin_phase_2();
        const bool told = totals().tell_the_last([&](Port port) { return ports[port].N != 0; });
        state.at = told ? At::last : At::gather;
    }
    void add_local(const Message& message, Port port) const {
        totals().add_local(message.T, message.N);
        ports[port] = {message.T, message.N};
    }
    void add_last(const Message& message) {
        const Port last = state.totals.parent;
        if (!totals().add_last(message.kind, message.T, message.N)) return;
        if (state.totals.parent == no_port) ports[last] = {message.T, message.N};
        begin_phase_2();
    }

    // ---- Phase 2: Avg tokens everywhere, the rest at the root
    [[nodiscard]] Tokens average() const { return state.totals.T / state.totals.S; }
    /// Tokens that are to leave through a port; negative: that are to arrive.
    [[nodiscard]] Tokens leaving(Port port) const {
        if (port == state.totals.parent) return state.surplus;
        return average() * ports[port].N - ports[port].T;
    }
    void begin_phase_2() {
        state.at = At::phase_2;
        state.surplus = context.tokens() - average();
        for (Port port = 0; port < ports.size(); ++port)
            if (port != state.totals.parent) state.surplus -= leaving(port);
        state.totals.waiting = 0;
        for (Port port = 0; port < ports.size(); ++port)
            if (leaving(port) < 0) ++state.totals.waiting;
        if (state.totals.waiting == 0) end_phase_2();
    }
    void end_phase_2() {
        for (Port port = 0; port < ports.size(); ++port)
            if (const Tokens tokens = leaving(port); tokens > 0)
                context.send(port, {tokens, 0, Kind::bundle_2});
        state.at = At::phase_3;
        if (state.totals.parent == no_port) share_extras();
    }

    // ---- Phase 3: the extra tokens go down again, one per node
    void share_extras() {
        Tokens extras = std::max<Tokens>(0, context.tokens() - average() - 1);
        for (Port port = 0; port < ports.size(); ++port) {
            if (port == state.totals.parent) continue;
            const Tokens there = std::min(extras, ports[port].N);
            extras -= there;
            context.send(port, {there, 0, Kind::bundle_3});
        }
        state.at = At::final;
    }

    // ---- what the states wait for, and what follows
    [[nodiscard]] model::Ask awaited() const {
        using model::Ask;
        using model::KindSet;
        switch (state.at) {
            case At::last:
                return Ask::message(state.totals.parent, KindSet::of(Kind::local, Kind::global));
            case At::phase_2:
                return Ask::message(model::any_port, KindSet::of(Kind::bundle_2));
            case At::phase_3:
                return Ask::message(state.totals.parent, KindSet::of(Kind::bundle_3));
            case At::final:
                return Ask::nothing();
            default:
                return Ask::message(model::any_port, KindSet::of(Kind::local));
        }
    }
    void handle(const model::Received<Message>& received) {
        const auto& [message, port] = received;
        switch (message.kind) {
            case Kind::local:
                if (state.at == At::last) return add_last(message);
                add_local(message, port);
                return gather();
            case Kind::global:
                return add_last(message);
            case Kind::bundle_2:
                if (--state.totals.waiting == 0) end_phase_2();
                return;
            case Kind::bundle_3:
                return share_extras();
        }
    }
};

inline std::uint64_t PerfectTreeBatched::written_bits(const State& state,
                                                      std::span<const PortState> ports) {
    constexpr std::uint64_t at_bits = 3;
    std::uint64_t bits = at_bits;
    for (const Tokens number : {state.totals.T, state.totals.S, state.surplus})
        bits += model::number_bits(number);
    for (const Port port : {state.totals.parent, state.totals.waiting})
        bits += port == no_port ? 1 : model::number_bits(port);
    for (const PortState& port : ports)
        bits += model::number_bits(port.T) + model::number_bits(port.N);
    return bits;
}

inline PerfectTreeBatched::Node PerfectTreeBatched::node(model::NodeContext<Message> context,
                                                         State& state,
                                                         std::span<PortState> ports) const {
    return {context, state, ports};
}

}  // namespace equipoise::programs
