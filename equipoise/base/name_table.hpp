#pragma once
// Names, numbered in the order in which they appear.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

/// Numbers distinct names 0, 1, 2, ... in the order of their first appearance. Open addressing over
/// one array of characters: the characters, 8 bytes and 12 to 24 bytes of slots per name.
class NameTable {
  public:
    /// The number of a name, new or known. Throws OverflowError beyond 2^32 - 1 names.
    std::uint32_t number_of(std::string_view name);
    /// The number of a name, if it is known.
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;

    [[nodiscard]] std::uint32_t size() const {
        return static_cast<std::uint32_t>(ends_.size() - 1);
    }
    /// The name with this number; valid until the next name is added.
    [[nodiscard]] std::string_view name(std::uint32_t number) const {
        return std::string_view(characters_)
            .substr(ends_[number], ends_[number + std::size_t{1}] - ends_[number]);
    }

  private:
    static constexpr std::uint32_t no_number = ~std::uint32_t{0};

    /// Part of the hash is kept beside the number, so that most other names need not be compared.
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t number = no_number;  ///< `no_number` if free
    };

    /// The slot of a name, or the free one where it belongs. Some slot must be free.
    [[nodiscard]] std::size_t slot_of(std::string_view name, std::uint32_t hash) const;
    void grow();

    std::string characters_;                 ///< all names, one after the other
    std::vector<std::uint64_t> ends_ = {0};  ///< where each name ends
    std::vector<Slot> slots_;                ///< a power of two of them
};

}  // namespace equipoise
