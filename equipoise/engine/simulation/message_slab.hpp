#pragma once
// Messages on their way and waiting, as bytes: each is written once when it is sent, and read once
// when it is received.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/large_pages.hpp"
#include "equipoise/base/prefetch.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_message.hpp"

namespace equipoise::engine {

/// The messages of one program, all of one size, by numbers. Cost O(1) a call.
/// Memory: 16 bytes a message besides its own.
class MessageSlab {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    explicit MessageSlab(std::size_t message_bytes)
        : message_bytes_(message_bytes),
          grains_each_(
              static_cast<std::uint32_t>((sizeof(Head) + message_bytes + grain - 1) / grain)) {}

    [[nodiscard]] std::uint32_t store(const model::MessageBytes& message) {
        std::uint32_t number = free_;
        if (number == none)
            number = fresh();
        else
            free_ = head(number).next;
        head(number) = {message.tokens, none, message.kind};
        copy_bytes(body(number), static_cast<const std::byte*>(message.bytes));
        return number;
    }
    [[nodiscard]] std::uint32_t copy(std::uint32_t number) {
        std::vector<std::byte> bytes(body(number), body(number) + message_bytes_);
        return store({bytes.data(), tokens(number), kind(number)});
    }
    [[nodiscard]] Tokens tokens(std::uint32_t number) const { return head(number).tokens; }
    [[nodiscard]] std::uint32_t kind(std::uint32_t number) const { return head(number).kind; }
    /// The message that waits behind this one, `none` at first.
    [[nodiscard]] std::uint32_t& next(std::uint32_t number) { return head(number).next; }
    [[nodiscard]] std::uint32_t next(std::uint32_t number) const { return head(number).next; }

    /// Copies a message to where it is received, and frees its number.
    void take(std::uint32_t number, void* to) {
        copy_bytes(static_cast<std::byte*>(to), body(number));
        drop(number);
    }
    void drop(std::uint32_t number) {
        head(number).next = free_;
        free_ = number;
    }
    void prefetch(std::uint32_t number) const { equipoise::prefetch(at(number)); }

  private:
    struct Head {
        Tokens tokens;
        std::uint32_t next;  ///< of those that wait, or of those that are free
        std::uint32_t kind;
    };
    static constexpr std::size_t grain = 8;  ///< numbers count in units of this many bytes

    [[nodiscard]] std::byte* at(std::uint32_t number) { return bytes_.data() + grain * number; }
    [[nodiscard]] const std::byte* at(std::uint32_t number) const {
        return bytes_.data() + grain * number;
    }
    [[nodiscard]] Head& head(std::uint32_t number) { return *reinterpret_cast<Head*>(at(number)); }
    [[nodiscard]] const Head& head(std::uint32_t number) const {
        return *reinterpret_cast<const Head*>(at(number));
    }
    [[nodiscard]] std::byte* body(std::uint32_t number) { return at(number) + sizeof(Head); }

    /// Messages are a few words: a loop costs less than a call.
    void copy_bytes(std::byte* to, const std::byte* from) const {
        std::size_t left = message_bytes_;
        for (; left >= grain; left -= grain, to += grain, from += grain)
            std::memcpy(to, from, grain);
        if (left > 0) std::memcpy(to, from, left);
    }
    /// Room for one more message, at the end of all.
    [[nodiscard]] std::uint32_t fresh() {
        const std::size_t end = grain * (std::size_t{end_} + grains_each_);
        EQUIPOISE_ASSERT(end / grain < none);
        if (end > bytes_.size())
            bytes_.resize(std::max(2 * bytes_.size(), grain * grains_each_ * std::size_t{64}));
        return std::exchange(end_, static_cast<std::uint32_t>(end / grain));
    }

    std::size_t message_bytes_;
    std::uint32_t grains_each_;
    std::uint32_t end_ = 0;
    std::uint32_t free_ = none;
    std::vector<std::byte, LargePages<std::byte>> bytes_;
};

}  // namespace equipoise::engine
