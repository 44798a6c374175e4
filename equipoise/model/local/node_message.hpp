#pragma once
// What node programs send each other: flat messages of a few kinds, some of which carry tokens.

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::model {

/// A message: trivially copyable (and without member initialisers, so that it can be defined inside
/// the class of its program), with a data member `kind` of an enumeration with fewer than 32
/// values, and `tokens()`, the tokens that travel in it. Sending such a message takes its tokens
/// from the sender, receiving it gives them to the receiver. Lists travel one element per message.
template <class M>
concept NodeMessage =
    std::is_trivially_copyable_v<M> && std::is_default_constructible_v<M> &&
    std::is_enum_v<std::remove_cvref_t<decltype(M::kind)>> && requires(const M& message) {
        { message.tokens() } -> std::same_as<Tokens>;
    };

/// The bits that a number takes: its sign and its digits. Messages that count their bits with this
/// have a member `bits()`, from which hosts find the largest message.
[[nodiscard]] constexpr unsigned number_bits(std::int64_t number) {
    const auto digits = static_cast<std::uint64_t>(number);
    return 1 + static_cast<unsigned>(std::bit_width(number < 0 ? 0 - digits : digits));
}

template <class M>
concept CountsBits = NodeMessage<M> && requires(const M& message) {
    { message.bits() } -> std::same_as<unsigned>;
};

/// A set of kinds of message, for example those that a node in some state is ready for.
class KindSet {
  public:
    constexpr KindSet() = default;
    template <class... Kinds>
        requires(std::is_enum_v<Kinds> && ...)
    [[nodiscard]] static constexpr KindSet of(Kinds... kinds) {
        KindSet set;
        set.bits_ = (0U | ... | bit(kinds));
        return set;
    }
    [[nodiscard]] static constexpr KindSet all() {
        KindSet set;
        set.bits_ = ~0U;
        return set;
    }
    template <class Kind>
    [[nodiscard]] constexpr bool contains(Kind kind) const {
        return (bits_ & bit(kind)) != 0;
    }
    friend bool operator==(const KindSet&, const KindSet&) = default;

  private:
    template <class Kind>
    [[nodiscard]] static constexpr std::uint32_t bit(Kind kind) {
        return 1U << static_cast<std::uint32_t>(kind);
    }
    std::uint32_t bits_ = 0;
};

/// A message and the port through which it came.
template <NodeMessage Message>
struct Received {
    Message message = {};
    Port port = 0;
};

/// A message as hosts see it, which know no program's types: its bytes, and what else hosts must
/// know.
struct MessageBytes {
    const void* bytes = nullptr;  ///< as many as each message of the program has
    Tokens tokens = 0;
    std::uint32_t kind = 0;

    template <NodeMessage Message>
    [[nodiscard]] static MessageBytes of(const Message& message) {
        return {&message, message.tokens(), static_cast<std::uint32_t>(message.kind)};
    }
    template <NodeMessage Message>
    [[nodiscard]] Message as() const {
        Message message = {};
        std::memcpy(&message, bytes, sizeof(Message));
        return message;
    }
};

/// Where a host puts a message that a node receives, and the port that it came through.
struct Reception {
    void* bytes = nullptr;  ///< room for a message of the program
    Port port = 0;

    template <NodeMessage Message>
    void put(const Message& message, Port through) {
        std::memcpy(bytes, &message, sizeof(Message));
        port = through;
    }
};

}  // namespace equipoise::model
