#pragma once
// Node programs that the caller gives as functions at run time.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/link_end.hpp"
#include "equipoise/model/local/node_host.hpp"
#include "equipoise/model/local/node_message.hpp"

namespace equipoise::model {

/// A message of a given program: a kind, some whole numbers, and the tokens that travel in it.
struct GivenMessage {
    static constexpr std::size_t fields_max = 4;

    std::array<std::int64_t, fields_max> fields;
    Tokens carried;
    std::uint32_t kind;
    std::uint32_t field_count;

    [[nodiscard]] unsigned bits() const {
        unsigned bits = 5;
        for (std::size_t i = 0; i < field_count; ++i)
            bits += number_bits(fields[i]);
        return bits + (carried > 0 ? number_bits(carried) : 0);
    }
};

/// A node of a given program, for the time of one call. It is anonymous: its ports are all that it
/// knows of its neighbours. All members throw InputError, which names the program and the node,
/// when asked for something impossible.
class GivenNode {
  public:
    virtual ~GivenNode() = default;
    GivenNode() = default;
    GivenNode(const GivenNode&) = delete;
    GivenNode& operator=(const GivenNode&) = delete;

    [[nodiscard]] virtual NodeId number() const = 0;  ///< for hosts; programs must not use it
    [[nodiscard]] virtual Port degree() const = 0;
    /// The tokens that the node holds and has not promised: neither those it has sent nor those
    /// that a neighbour has taken over.
    [[nodiscard]] virtual Tokens tokens() const = 0;
    [[nodiscard]] virtual Tokens speed() const = 0;
    /// Which end of the link this node is: the one bit in which its ends differ.
    [[nodiscard]] virtual LinkEnd link_end(Port port) const = 0;
    /// The next of the node's random words.
    [[nodiscard]] virtual std::uint64_t random_word() = 0;

    /// Sends a message, with tokens that the node holds.
    virtual void send(Port port, const GivenMessage& message) = 0;
    /// For programs whose messages may be lost or duplicated, and therefore carry no tokens. The
    /// end that takes over tokens calls `take_over`: from then on they are its own. The other end
    /// must call `hand_over` with the same number before the first end's next `take_over`.
    virtual void take_over(Port port, Tokens tokens) = 0;
    virtual void hand_over(Port port, Tokens tokens) = 0;
    /// `timer` is called if no message comes for this many ticks from now, 1 or more; the timer is
    /// forgotten when a message comes.
    virtual void wake_after(Ticks ticks) = 0;
    /// Ends the node: nothing of it is called any more.
    virtual void end() = 0;
};

/// What the nodes of a run do and remember.
class GivenBehaviour {
  public:
    virtual ~GivenBehaviour() = default;
    GivenBehaviour() = default;
    GivenBehaviour(const GivenBehaviour&) = delete;
    GivenBehaviour& operator=(const GivenBehaviour&) = delete;

    virtual void start(GivenNode& node) = 0;
    virtual void receive(GivenNode& node, Port port, const GivenMessage& message) = 0;
    virtual void timer(GivenNode& node) = 0;
    /// A crashed node starts again: it forgets what it has lost. Then `timer` is called.
    virtual void restart(NodeId node) = 0;
};

struct GivenProgram {
    std::string name;
    std::vector<std::string> kinds;  ///< of messages: 1 to 31 names
    KindSet acknowledgements = {};   ///< the kinds that `hold-acks` holds back
    bool supports_crashes = false;   ///< whether `restart` restores what is needed
    /// The nodes of a new run.
    std::function<std::unique_ptr<GivenBehaviour>(NodeId nodes)> begin;
};

}  // namespace equipoise::model
