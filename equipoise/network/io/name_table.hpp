#pragma once
// Names of nodes in the order in which they appear, numbered by first appearance.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"

namespace equipoise::network {

/// Numbers distinct names 0, 1, 2, ... in the order of their first appearance. Open addressing over
/// one array of characters: the characters, 8 bytes and 12 to 24 bytes of slots per name.
class NameTable {
  public:
    /// The number of a name, new or known. Throws OverflowError when NodeIds run out.
    NodeId number_of(std::string_view name);

    [[nodiscard]] NodeId size() const { return static_cast<NodeId>(ends_.size() - 1); }
    [[nodiscard]] std::string_view name(NodeId number) const {
        return std::string_view(characters_)
            .substr(ends_[number], ends_[number + std::size_t{1}] - ends_[number]);
    }

  private:
    /// Part of the hash is kept beside the number, so that most other names need not be compared.
    struct Slot {
        std::uint32_t hash = 0;
        NodeId number = no_node;  ///< `no_node` if free
    };

    void grow();

    std::string characters_;                 ///< all names, one after the other
    std::vector<std::uint64_t> ends_ = {0};  ///< where each name ends
    std::vector<Slot> slots_;                ///< a power of two of them
};

}  // namespace equipoise::network
