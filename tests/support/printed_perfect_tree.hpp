#pragma once
// Phases 2 and 3 of Margara, Pistocchi, Vassura 2004 as printed, to show where they fail.

#include <cstdint>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/programs/tree_totals.hpp"

namespace equipoise::test {

/// Phase 1 is sound (`TreeTotals`). In Phase 2 a node accepts whatever comes from where its state
/// waits, and a Finished that comes then is lost; in Phase 3 it reads from its parent only. Where
/// the paper polls in a loop, the node waits.
class PrintedPerfectTree {
  public:
    enum class Kind : std::uint8_t { local, global, token, finished };
    /// How subTreeT/subTreeN is computed, which the paper does not say.
    enum class Division : std::uint8_t { exact, whole };

    struct Message {
        Tokens T;
        Tokens N;
        Kind kind;
        [[nodiscard]] Tokens tokens() const { return kind == Kind::token ? 1 : 0; }
    };
    enum class At : std::uint8_t { start, gather, last, phase_2, phase_3, final };
    static constexpr Port no_port = programs::Totals::no_port;

    struct State {
        programs::Totals totals;
        Tokens average = 0;
        Port parent = no_port;   ///< 0 in the paper: root
        Port former = no_port;   ///< p
        Port listens = no_port;  ///< where a message is waited for; no_port: anywhere
        At at = At::start;
    };
    struct PortState {
        Tokens T = 0;
        Tokens N = 0;
    };

    explicit PrintedPerfectTree(Division division = Division::exact) : division_(division) {}

    struct Node;
    [[nodiscard]] Node node(model::NodeContext<Message> context, State& state,
                            std::span<PortState> ports) const;

  private:
    Division division_;
};

struct PrintedPerfectTree::Node {
    model::NodeContext<Message> context;
    State& state;
    std::span<PortState> ports;
    Division division;

    // ---- Phase 1
    [[nodiscard]] programs::TreeTotals<Message> totals() const { return {context, state.totals}; }
    void start() {
        totals().begin(context.tokens(), 1);
        gather();
    }
    void gather() {
        if (ports.empty()) return begin_phase_2();
        const bool told = totals().tell_the_last([&](Port port) { return ports[port].N != 0; });
        state.at = told ? At::last : At::gather;
        state.listens = told ? state.totals.parent : no_port;
    }
    void add_last(const Message& message) {
        const Port last = state.totals.parent;
        const Tokens own_tokens = state.totals.T;
        const Tokens own_nodes = state.totals.S;
        if (!totals().add_last(message.kind, message.T, message.N)) return;
        ports[last] = message.kind == Kind::local
                          ? PortState{message.T, message.N}
                          : PortState{message.T - own_tokens, message.N - own_nodes};
        begin_phase_2();
    }

    // ---- Phase 2
    /// The sign of subTreeAvg(i) - average.
    [[nodiscard]] int compare(Port i, Tokens average) const {
        const Tokens least = average * ports[i].N;
        if (division == Division::exact)
            return ports[i].T > least ? 1 : ports[i].T < least ? -1 : 0;
        const Tokens whole = ports[i].T / ports[i].N;
        return whole > average ? 1 : whole < average ? -1 : 0;
    }
    /// The first child whose subtree compares with Avg in this way; no_port: none.
    [[nodiscard]] Port child(int sign) const {
        for (Port i = 0; i < ports.size(); ++i)
            if (i != state.parent && compare(i, state.average) == sign) return i;
        return no_port;
    }
    void send_token(Port port) const {
        context.send(port, {0, 0, Kind::token});
        ++ports[port].T;
    }
    void begin_phase_2() {
        state.average = state.totals.T / state.totals.S;
        state.parent = state.totals.parent;
        state.at = At::phase_2;
        go_on_with_phase_2();
    }
    void go_on_with_phase_2() {
        while (true) {
            const bool balanced = child(1) == no_port && child(-1) == no_port;
            const Tokens own = context.tokens();
            if (balanced && (own == state.average || state.parent == no_port))
                return begin_phase_3();
            if (balanced && own > state.average) {
                send_token(state.parent);
            } else if (!balanced && own > state.average && child(-1) != no_port) {
                send_token(child(-1));
            } else {
                state.listens = balanced ? state.parent : no_port;
                return;
            }
        }
    }

    // ---- Phase 3
    void begin_phase_3() {
        state.at = At::phase_3;
        state.former = state.parent;
        go_on_with_phase_3();
    }
    void go_on_with_phase_3() {
        state.listens = state.parent;
        if (state.parent != no_port) return;
        for (Port i = 0; i < ports.size(); ++i)
            while (i != state.former && context.tokens() > state.average + 1 &&
                   compare(i, state.average + 1) < 0)
                send_token(i);
        for (Port i = 0; i < ports.size(); ++i)
            if (i != state.former) context.send(i, {0, 0, Kind::finished});
        state.at = At::final;
    }

    [[nodiscard]] model::Ask awaited() const {
        return state.at == At::final ? model::Ask::nothing() : model::Ask::message(state.listens);
    }
    void handle(const model::Received<Message>& received) {
        const auto& [message, port] = received;
        switch (state.at) {
            case At::gather:
                totals().add_local(message.T, message.N);
                ports[port] = {message.T, message.N};
                return gather();
            case At::last:
                return add_last(message);
            case At::phase_2:
                if (message.kind == Kind::token) --ports[port].T;
                return go_on_with_phase_2();
            default:
                if (message.kind == Kind::finished)
                    state.parent = no_port;
                else
                    --ports[port].T;
                return go_on_with_phase_3();
        }
    }
};

inline PrintedPerfectTree::Node PrintedPerfectTree::node(model::NodeContext<Message> context,
                                                         State& state,
                                                         std::span<PortState> ports) const {
    return {context, state, ports, division_};
}

}  // namespace equipoise::test
