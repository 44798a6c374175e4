#pragma once
// Perfect token distribution on trees, asynchronous, anonymous, without global knowledge.

#include <cstdint>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"

namespace equipoise::programs {

// Problem: every node of a tree ends with floor(T/N) or ceil(T/N) tokens, and knows that it is
//   done.
// Model: asynchronous messages on first-in-first-out channels, with single ports or all (as the
//   run says); anonymous nodes.
// Source: Margara, Pistocchi, Vassura 2004, Sections 2 and 3 (Phases 1 to 3).
// Guarantee: perfect for all trees, loads and schedules (Theorems 1 to 3); time at most 3 D (T+d);
//   at most 2 H (T mod N) exchanges more than the fewest, H the height above the elected root.
// Cost: d (log T + log N) bits per node; one message per token and link, 2(N-1) in Phase 1.
// Deviations: (1) kinds of message keep the phases apart: a node in Phase 2 leaves its parent's
//   token-3 and finished messages waiting, which as printed lose tokens or deadlock; (2) subtree
//   averages are rational: T_i is compared with Avg*N_i, integer division loses tokens; (3) a
//   channel stays reserved until its message is delivered, otherwise both ends of the last channel
//   send and there is no root; (4) nodes wait where the paper polls in a loop; (5) sizes of the
//   sets bigger and smaller are counted and a cursor finds the next subtree: O(1) per token instead
//   of O(d).
class PerfectTree {
  public:
    /// How the two ends of the last channel decide which of them is the root.
    enum class RootChoice : std::uint8_t {
        reserve,   ///< as in the paper: who reserves the channel sends, the other end is root
        link_end,  ///< without locks: both send, and the link's tail becomes the root
    };

    enum class Kind : std::uint8_t { local, global, token_2, token_3, finished };

    struct Message {
        Tokens T;        ///< tokens of the sender's subtree, or of the tree
        std::int64_t N;  ///< nodes of the same
        Kind kind;

        [[nodiscard]] Tokens tokens() const {
            return kind == Kind::token_2 || kind == Kind::token_3 ? 1 : 0;
        }
        [[nodiscard]] unsigned bits() const {
            return 3 + model::number_bits(T) + model::number_bits(N);
        }
    };

    /// The paper's states; S1_2_busy: the channel was busy, so the neighbour's message is under
    /// way; S2_3_full: as S2.3, with no smaller subtree; S3_end: sending Finished; final: done.
    enum class At : std::uint8_t {
        start,
        S1_1,
        S1_2,
        S1_2_busy,
        S1_3,
        S1_4,
        S1_5,
        S2_1,
        S2_2,
        S2_3,
        S2_3_full,
        S2_4,
        S3_1,
        S3_2,
        S3_end,
        final,
    };

    static constexpr Port no_port = ~Port{0};

    struct State {
        Tokens T = 0;           ///< Phase 1: tokens known of; later: of the whole tree
        std::int64_t N = 0;     ///< nodes, likewise
        Tokens average = 0;     ///< Avg = floor(T/N)
        Port received = 0;      ///< R
        Port next = 0;          ///< the port to send through next
        Port parent = no_port;  ///< no_port: root
        Port former = no_port;  ///< p, the parent when Phase 3 began
        Port bigger = 0;        ///< children's subtrees with more than Avg a node
        Port smaller = 0;       ///< with less
        At at = At::start;
    };

    /// subTreeT and subTreeN of the neighbour behind a port; N = 0: not known yet.
    struct PortState {
        Tokens T = 0;
        std::int64_t N = 0;
    };

    static constexpr std::uint32_t phases = 3;
    [[nodiscard]] static std::uint32_t phases_ended(const State& state) {
        if (state.at < At::S2_1) return 0;
        return state.at < At::S3_1 ? 1U : state.at < At::final ? 2U : 3U;
    }
    [[nodiscard]] static std::uint64_t written_bits(const State& state,
                                                    std::span<const PortState> ports);

    explicit PerfectTree(RootChoice root_choice = RootChoice::reserve)
        : root_choice_(root_choice) {}

    struct Node;
    [[nodiscard]] Node node(model::NodeContext<Message> context, State& state,
                            std::span<PortState> ports) const;

  private:
    RootChoice root_choice_;
};

/// What a node does at an event.
struct PerfectTree::Node {
    model::NodeContext<Message> context;
    State& state;
    std::span<PortState> ports;
    RootChoice root_choice;

    // ---- Phase 1: T, N and a root
    void start() {
        state.T = context.tokens();
        state.N = 1;
        gather();
    }
    /// Adds a neighbour's totals of its subtree.
    void add_local(const Message& message, Port port) {
        state.T = checked_add(state.T, message.T);
        state.N += message.N;
        ports[port] = {message.T, message.N};
        ++state.received;
    }
    /// S1.1 until one neighbour is left, then S1.2. A node without neighbours knows everything at
    /// once.
    void gather() {
        if (ports.empty()) return begin_phase_2();
        if (state.received + 1 < ports.size()) {
            state.at = At::S1_1;
            return;
        }
        state.parent = 0;
        while (ports[state.parent].N != 0)
            ++state.parent;
        state.at = At::S1_2;
        if (root_choice == RootChoice::link_end) send_local();
    }
    void send_local() {
        context.send(state.parent, {state.T, state.N, Kind::local});
        state.at = At::S1_3;
    }
    /// The channel to the last neighbour is ours: send, unless its message has arrived first.
    void send_unless_received() {
        const auto message = context.poll(state.parent, model::KindSet::of(Kind::local));
        if (message) {
            context.release(state.parent);
            become_root(*message);
        } else {
            send_local();
            context.release(state.parent);
        }
    }
    void become_root(const Message& message) {
        add_local(message, state.parent);
        state.parent = no_port;
        state.next = 0;
        state.at = At::S1_4;
    }
    void add_global(const Message& message) {
        ports[state.parent] = {message.T - state.T, message.N - state.N};
        state.T = message.T;
        state.N = message.N;
        state.next = 0;
        state.at = At::S1_5;
        skip_parent(state.parent);
        if (state.next == ports.size()) begin_phase_2();
    }
    /// S1.3 without locks: two local messages that crossed; the tail of their link becomes the
    /// root.
    void cross(const Message& message) {
        if (context.link_end(state.parent) == model::LinkEnd::tail) become_root(message);
    }
    void send_global() {
        send_through_next({state.T, state.N, Kind::global});
        ++state.next;
        skip_parent(state.parent);
        if (state.next == ports.size()) begin_phase_2();
    }

    // ---- Phase 2: Avg tokens everywhere, the rest at the root
    void begin_phase_2() {
        state.average = state.T / state.N;
        for (Port i = 0; i < ports.size(); ++i) {
            if (i == state.parent) continue;
            const Tokens balanced = state.average * ports[i].N;
            if (ports[i].T > balanced) ++state.bigger;
            if (ports[i].T < balanced) ++state.smaller;
        }
        state.next = 0;
        choose_phase_2();
    }
    /// One token came up from a child, or down from the parent.
    void add_token_2(Port port) {
        --ports[port].T;
        if (port != state.parent && ports[port].T == state.average * ports[port].N) --state.bigger;
    }
    void receive_waiting_tokens() {
        while (const auto token = context.poll_any(model::KindSet::of(Kind::token_2)))
            add_token_2(token->port);
    }
    void send_token_2_down() {
        send_through_next({0, 0, Kind::token_2});
        ++ports[state.next].T;
        if (ports[state.next].T == state.average * ports[state.next].N) --state.smaller;
        receive_waiting_tokens();
        choose_phase_2();
    }
    void send_token_2_up() {
        send_through_next({0, 0, Kind::token_2});
        ++ports[state.parent].T;
        choose_phase_2();
    }
    /// Chooses the state of Phase 2 by subTreeBalanced, T_v and parent.
    void choose_phase_2() {
        const bool balanced = state.bigger == 0 && state.smaller == 0;
        const Tokens own = context.tokens();
        if (balanced && (own == state.average || state.parent == no_port)) return begin_phase_3();
        if (balanced) {
            state.at = own < state.average ? At::S2_2 : At::S2_4;
            state.next = state.parent;
        } else if (own <= state.average) {
            state.at = At::S2_1;
        } else if (state.smaller == 0) {
            state.at = At::S2_3_full;
        } else {
            state.at = At::S2_3;
            while (state.next == state.parent ||
                   ports[state.next].T >= state.average * ports[state.next].N)
                ++state.next;
        }
    }

    // ---- Phase 3: the extra tokens go down again, one per node
    void begin_phase_3() {
        state.former = state.parent;
        state.next = 0;
        choose_phase_3();
    }
    void choose_phase_3() {
        if (state.parent != no_port) {
            state.at = At::S3_2;
        } else if (context.tokens() > state.average + 1) {
            state.at = At::S3_1;
            while (state.next == state.former ||
                   ports[state.next].T >= (state.average + 1) * ports[state.next].N)
                ++state.next;
        } else {
            state.at = At::S3_end;
            state.next = 0;
            skip_parent(state.former);
            if (state.next == ports.size()) state.at = At::final;
        }
    }
    void send_token_3() {
        send_through_next({0, 0, Kind::token_3});
        ++ports[state.next].T;
        choose_phase_3();
    }
    void add_token_3_or_finished(const Message& message) {
        if (message.kind == Kind::finished)
            state.parent = no_port;
        else
            --ports[state.parent].T;
        choose_phase_3();
    }
    void send_finished() {
        send_through_next({0, 0, Kind::finished});
        ++state.next;
        skip_parent(state.former);
        if (state.next == ports.size()) state.at = At::final;
    }

    // ---- what the states wait for, and what follows
    [[nodiscard]] model::Ask awaited() const {
        using model::Ask;
        using model::KindSet;
        switch (state.at) {
            case At::S1_1:  // waitany(i)
                return Ask::message(model::any_port, KindSet::of(Kind::local));
            case At::S2_1:
            case At::S2_3_full:
                return Ask::message(model::any_port, KindSet::of(Kind::token_2));
            case At::S1_2:  // reserve(parent)
                return Ask::reserve(state.parent);
            case At::S1_2_busy:  // wait(parent)
                return Ask::message(state.parent, KindSet::of(Kind::local));
            case At::S1_3:
                return Ask::message(state.parent, KindSet::of(Kind::local, Kind::global));
            case At::S2_2:
                return Ask::message(state.parent, KindSet::of(Kind::token_2));
            case At::S3_2:
                return Ask::message(state.parent, KindSet::of(Kind::token_3, Kind::finished));
            case At::final:
                return Ask::nothing();
            default:  // safeSend(next, msg)
                return Ask::acquire(state.next);
        }
    }
    /// Upon receiving a message.
    void handle(const model::Received<Message>& received) {
        const auto& [message, port] = received;
        switch (message.kind) {
            case Kind::token_2:
                add_token_2(port);
                return choose_phase_2();
            case Kind::token_3:
            case Kind::finished:
                return add_token_3_or_finished(message);
            case Kind::global:
                return add_global(message);
            case Kind::local:
                if (state.at == At::S1_3) return cross(message);
                if (state.at == At::S1_2_busy) return become_root(message);
                add_local(message, port);
                return gather();
        }
    }
    /// The channel has answered: reserve(parent), or the first half of safeSend(next, msg).
    void answered(bool granted) {
        if (state.at != At::S1_2) return send_to_next();
        if (granted) return send_unless_received();
        state.at = At::S1_2_busy;
    }
    /// The rest of safeSend, once the channel has been acquired.
    void send_to_next() {
        switch (state.at) {
            case At::S2_3:
                return send_token_2_down();
            case At::S2_4:
                return send_token_2_up();
            case At::S3_1:
                return send_token_3();
            case At::S3_end:
                return send_finished();
            default:
                return send_global();
        }
    }
    void send_through_next(const Message& message) const {
        context.send(state.next, message);
        context.release(state.next);
    }
    void skip_parent(Port parent) {
        if (state.next == parent) ++state.next;
    }
};

inline std::uint64_t PerfectTree::written_bits(const State& state,
                                               std::span<const PortState> ports) {
    constexpr std::uint64_t at_bits = 4;
    std::uint64_t bits = at_bits;
    for (const Tokens number : {state.T, state.N, state.average})
        bits += model::number_bits(number);
    for (const Port port :
         {state.received, state.next, state.parent, state.former, state.bigger, state.smaller})
        bits += port == no_port ? 1 : model::number_bits(port);
    for (const PortState& port : ports)
        bits += model::number_bits(port.T) + model::number_bits(port.N);
    return bits;
}

inline PerfectTree::Node PerfectTree::node(model::NodeContext<Message> context, State& state,
                                           std::span<PortState> ports) const {
    return {context, state, ports, root_choice_};
}

}  // namespace equipoise::programs
