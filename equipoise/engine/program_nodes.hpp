#pragma once
// Nodes that run one program, behind an interface: hosts of node programs know no program's types.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/large_pages.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_faults.hpp"
#include "equipoise/model/local/node_host.hpp"
#include "equipoise/model/local/node_phases.hpp"
#include "equipoise/model/local/node_program.hpp"

namespace equipoise::engine {

/// What nodes remember, and what their program does with it. Everything else about a run (channels,
/// time, tokens, faults, ranks) is a host's, which is compiled once and serves all programs.
class ProgramNodes {
  public:
    /// Sizes in bytes, and what the program supports (model/local/node_faults.hpp).
    struct Traits {
        std::uint32_t message_bytes = 0;
        std::uint32_t state_bytes = 0;
        std::uint32_t port_bytes = 0;
        std::uint32_t phases = 0;
        bool counts_bits = false;
        bool settles = false;
        bool supports_crashes = false;
        bool supports_corruption = false;
        bool supports_churn = false;
        bool supports_arrivals = false;
        bool knows_numbers = true;  ///< of nodes: they must be the names that others use
    };
    /// The ports of a node in the numbering of all ports.
    struct Ports {
        std::uint32_t first = 0;
        Port count = 0;
    };

    ProgramNodes(const ProgramNodes&) = delete;
    ProgramNodes& operator=(const ProgramNodes&) = delete;
    virtual ~ProgramNodes() = default;

    [[nodiscard]] const Traits& traits() const { return traits_; }
    /// The memory of a node of this degree, in bits.
    [[nodiscard]] std::uint64_t memory_bits(Port degree) const {
        return 8 * (traits_.state_bytes + std::uint64_t{degree} * traits_.port_bytes);
    }

    /// Makes this many nodes and ports, which remember nothing yet.
    virtual void lay_out(std::size_t nodes, std::size_t ports) = 0;
    /// The memory of all nodes and of all ports, in order; valid until the next `lay_out`.
    [[nodiscard]] virtual const std::byte* state_memory() const = 0;
    [[nodiscard]] virtual const std::byte* port_memory() const = 0;

    /// Plays a node until it must wait (`model::play_node`). Returns whether it has ended.
    [[nodiscard]] virtual bool take_turn(model::NodeHost& host, NodeId v, Ports ports,
                                         model::Turn turn, const model::Ask& awaited) = 0;
    /// The message that these bytes hold, viewed in place.
    [[nodiscard]] virtual model::MessageBytes view(const void* message) const = 0;
    /// The size of a message in bits, if the program's messages say it.
    [[nodiscard]] virtual unsigned message_bits(const void* message) const = 0;

    // ---- only for programs whose traits say so
    /// How many phases a node has completed.
    [[nodiscard]] virtual std::uint32_t phases_ended(NodeId /*v*/) const { return 0; }
    /// The bits of everything that a node remembers, where a number takes as many bits as
    /// `number_bits` says.
    [[nodiscard]] virtual std::uint64_t written_bits(NodeId /*v*/, Ports /*ports*/) const {
        return 0;
    }
    virtual void restart(NodeId v, Ports ports) = 0;
    virtual void corrupt(RandomStream& random, NodeId v, Ports ports) = 0;
    /// Writes a random message into `room`.
    [[nodiscard]] virtual model::MessageBytes draw_message(RandomStream& random,
                                                           void* room) const = 0;
    virtual void leave(NodeId v) = 0;
    /// Makes a node forget everything.
    virtual void forget(NodeId v) = 0;
    virtual void meet(std::uint32_t port) = 0;
    virtual void part(std::uint32_t port) = 0;
    [[nodiscard]] virtual Tokens spare(Tokens tokens, NodeId v, Ports ports) const = 0;
    virtual void arrive(NodeId v, Tokens tokens) = 0;
    /// How often anything changed at a node that `settled` depends on, besides tokens.
    [[nodiscard]] virtual std::uint64_t changes(NodeId /*v*/) const { return 0; }
    /// Whether a link is settled; its other end holds `there` and remembers `port_there`.
    [[nodiscard]] virtual bool settled(Tokens here, std::uint32_t port, Tokens there,
                                       const std::byte* port_there) const = 0;

  protected:
    explicit ProgramNodes(const Traits& traits) : traits_(traits) {}

  private:
    Traits traits_;
};

/// The nodes of a program, which must outlive them: the only part that is compiled anew for every
/// program.
template <model::NodeProgram Program>
class NodesOf final : public ProgramNodes {
  public:
    using Message = typename Program::Message;
    using State = typename Program::State;
    using PortState = typename Program::PortState;

    explicit NodesOf(const Program& program)
        : ProgramNodes({.message_bytes = sizeof(Message),
                        .state_bytes = sizeof(State),
                        .port_bytes = sizeof(PortState),
                        .phases = phases_of(),
                        .counts_bits = model::CountsBits<Message>,
                        .settles = model::Settles<Program>,
                        .supports_crashes = model::SupportsCrashes<Program>,
                        .supports_corruption = model::SupportsCorruption<Program>,
                        .supports_churn = model::SupportsChurn<Program>,
                        .supports_arrivals = model::SupportsArrivals<Program>,
                        .knows_numbers = false}),
          program_(program) {}

    [[nodiscard]] const State& state(NodeId v) const { return states_[v]; }
    [[nodiscard]] std::span<const PortState> port_states(Ports ports) const {
        return {ports_.data() + ports.first, ports.count};
    }
    [[nodiscard]] std::span<PortState> port_states(Ports ports) { return all(ports); }

    void lay_out(std::size_t nodes, std::size_t ports) override {
        states_.assign(nodes, State());
        ports_.assign(ports, PortState());
    }
    [[nodiscard]] const std::byte* state_memory() const override {
        return std::as_bytes(std::span(states_)).data();
    }
    [[nodiscard]] const std::byte* port_memory() const override {
        return std::as_bytes(std::span(ports_)).data();
    }
    [[nodiscard]] bool take_turn(model::NodeHost& host, NodeId v, Ports ports, model::Turn turn,
                                 const model::Ask& awaited) override {
        return model::play_node(program_, host, v, states_[v], all(ports), turn, awaited);
    }
    [[nodiscard]] model::MessageBytes view(const void* message) const override {
        const auto copy = model::MessageBytes{message}.template as<Message>();
        model::MessageBytes seen = model::MessageBytes::of(copy);
        seen.bytes = message;
        return seen;
    }
    [[nodiscard]] unsigned message_bits(const void* message) const override {
        if constexpr (model::CountsBits<Message>)
            return model::MessageBytes{message}.template as<Message>().bits();
        return unsupported<unsigned>();
    }

    [[nodiscard]] std::uint32_t phases_ended(NodeId v) const override {
        if constexpr (model::HasPhases<Program>) return program_.phases_ended(states_[v]);
        return unsupported<std::uint32_t>();
    }
    [[nodiscard]] std::uint64_t written_bits(NodeId v, Ports ports) const override {
        if constexpr (model::HasPhases<Program>)
            return program_.written_bits(states_[v], port_states(ports));
        return unsupported<std::uint64_t>();
    }
    void restart(NodeId v, Ports ports) override {
        if constexpr (model::SupportsCrashes<Program>)
            return program_.restart(states_[v], all(ports));
        unsupported<void>();
    }
    void corrupt(RandomStream& random, NodeId v, Ports ports) override {
        if constexpr (model::SupportsCorruption<Program>)
            return program_.corrupt(random, states_[v], all(ports));
        unsupported<void>();
    }
    [[nodiscard]] model::MessageBytes draw_message(RandomStream& random,
                                                   void* room) const override {
        if constexpr (model::SupportsCorruption<Program>) {
            const Message message = program_.arbitrary_message(random);
            std::memcpy(room, &message, sizeof(Message));
            return view(room);
        }
        return unsupported<model::MessageBytes>();
    }
    void leave(NodeId v) override {
        if constexpr (model::SupportsChurn<Program>) return program_.leave(states_[v]);
        unsupported<void>();
    }
    void forget(NodeId v) override { states_[v] = {}; }
    void meet(std::uint32_t port) override {
        if constexpr (model::SupportsChurn<Program>) return program_.meet(ports_[port]);
        unsupported<void>();
    }
    void part(std::uint32_t port) override {
        if constexpr (model::SupportsChurn<Program>) return program_.part(ports_[port]);
        unsupported<void>();
    }
    [[nodiscard]] Tokens spare(Tokens tokens, NodeId v, Ports ports) const override {
        if constexpr (model::SupportsArrivals<Program>)
            return program_.spare(tokens, states_[v], port_states(ports));
        return unsupported<Tokens>();
    }
    void arrive(NodeId v, Tokens tokens) override {
        if constexpr (model::SupportsArrivals<Program>) return program_.arrive(states_[v], tokens);
        unsupported<void>();
    }
    [[nodiscard]] std::uint64_t changes(NodeId v) const override {
        if constexpr (requires { program_.changes(states_[v]); })
            return program_.changes(states_[v]);
        return 0;
    }
    [[nodiscard]] bool settled(Tokens here, std::uint32_t port, Tokens there,
                               const std::byte* port_there) const override {
        if constexpr (model::Settles<Program>) {
            PortState other = {};
            std::memcpy(&other, port_there, sizeof(PortState));
            return program_.settled(here, ports_[port], there, other);
        }
        return unsupported<bool>();
    }

  private:
    static constexpr std::uint32_t phases_of() {
        if constexpr (model::HasPhases<Program>) return Program::phases;
        return 0;
    }
    [[nodiscard]] std::span<PortState> all(Ports ports) {
        return {ports_.data() + ports.first, ports.count};
    }
    /// Hosts call only what the traits declare.
    template <class Result>
    static Result unsupported() {
        EQUIPOISE_ASSERT(false);
        return Result();
    }

    const Program& program_;
    std::vector<State, LargePages<State>> states_;
    std::vector<PortState, LargePages<PortState>> ports_;
};

}  // namespace equipoise::engine
