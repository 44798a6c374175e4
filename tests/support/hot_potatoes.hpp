#pragma once
// A node program that goes on for ever, until it fails or asks to be stopped.

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

    model::NodeTask operator()(model::NodeContext<Message> context, State& state,
                               std::span<PortState> /*ports*/) const {
        for (;; ++state.events) {
            static_cast<void>(co_await context.receive_any_within(4));
            if (state.events > 20 && enough) {
                if (stop != nullptr)
                    stop->request_stop();
                else if (out_of_memory)
                    throw std::bad_alloc();
                else
                    throw std::runtime_error("a potato too many");
            }
            for (Port port = 0; port < context.degree(); ++port)
                if (context.tokens() > 0) context.send(port, {1, Kind::potato});
        }
    }
};

}  // namespace equipoise::test
