#pragma once
// A node program that never ends unless it fails or asks to be stopped.

#include <cstdint>
#include <new>
#include <span>
#include <stdexcept>
#include <stop_token>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"

namespace equipoise::test {

/// Nodes throw tokens at each other for ever, until one of them has had enough.
struct HotPotatoes {
    enum class Kind : std::uint8_t { potato };
    struct Message {
        Tokens carried;
        Kind kind;
        [[nodiscard]] Tokens tokens() const { return carried; }
    };
    struct State {
        int events = 0;
    };
    struct PortState {};
    bool enough = false;  ///< on this rank
    bool out_of_memory = false;
    std::stop_source* stop = nullptr;  ///< asked to stop, instead of throwing

    struct Node {
        const HotPotatoes& program;
        model::NodeContext<Message> context;
        State& state;

        static void start() {}
        [[nodiscard]] static model::Ask awaited() {
            return model::Ask::message(model::any_port, model::KindSet::all(), 4);
        }
        void handle(const model::Received<Message>& /*potato*/) { timer(); }
        void timer() {
            if (state.events > 20 && program.enough) {
                if (program.stop != nullptr)
                    program.stop->request_stop();
                else if (program.out_of_memory)
                    throw std::bad_alloc();
                else
                    throw std::runtime_error("a potato too many");
            }
            for (Port port = 0; port < context.degree(); ++port)
                if (context.tokens() > 0) context.send(port, {1, Kind::potato});
            ++state.events;
        }
    };
    [[nodiscard]] Node node(model::NodeContext<Message> context, State& state,
                            std::span<PortState> /*ports*/) const {
        return {*this, context, state};
    }
};

}  // namespace equipoise::test
