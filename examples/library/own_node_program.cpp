// A node program of your own, without a clock: tokens that are too many go on, port after port.
// Build: the target example_own_node_program, or as examples/README.md says.
// Look at Node, which is all of it, and at the number of messages, which delays do not change.

#include <cstdint>
#include <iostream>
#include <span>

#include <equipoise/catalogue/registry/given_rule.hpp>
#include <equipoise/equipoise.hpp>

namespace model = equipoise::model;
using equipoise::Port;
using equipoise::Tokens;

struct Rotor {
    enum class Kind : std::uint8_t { surplus };
    struct Message {
        Tokens carried;
        Kind kind;
        [[nodiscard]] Tokens tokens() const { return carried; }  // these travel with the message
    };
    struct State {
        Port next = 0;  // the port that the next surplus token leaves through
    };
    struct PortState {};

    Tokens room;  // what a node keeps

    struct Node {
        const Rotor& program;
        model::NodeContext<Message> context;
        State& state;

        void start() { pass_on(); }
        [[nodiscard]] static model::Ask awaited() { return model::Ask::message(); }
        void handle(const model::Received<Message>& /*tokens came with it*/) { pass_on(); }

        void pass_on() {
            while (context.tokens() > program.room) {
                context.send(state.next, {1, Kind::surplus});
                state.next = (state.next + 1) % context.degree();
            }
        }
    };
    [[nodiscard]] Node node(model::NodeContext<Message> context, State& state,
                            std::span<PortState> /*ports*/) const {
        return {*this, context, state};
    }
};

int main() {
    const auto network = equipoise::network::generate("torus:8x8", 0);
    const auto loads = equipoise::load::make_loads("spike:tokens=640", network, 0);
    const auto rotor = equipoise::catalogue::given_algorithm("rotor", Rotor{10}, {"surplus"});
    for (const char* delays : {"unit", "random:max=16", "heavy-tail"}) {
        equipoise::RunOptions options;
        options.asynchrony.delays = delays;
        const auto run = equipoise::run(rotor, network, loads, options);
        std::cout << "delays " << delays << ": discrepancy " << run.discrepancy() << " after "
                  << run.messages() << " messages (" << run.stopped_because() << ")\n";
    }
}
