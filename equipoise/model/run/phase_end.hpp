#pragma once
// When a phase of a node program ended.

#include <cstdint>
#include <optional>

namespace equipoise::model {

/// The end of a phase, in ticks. Nodes need not end a phase together.
struct PhaseEnd {
    std::optional<std::uint64_t> first;  ///< at the first node to end it; nothing: none did
    std::optional<std::uint64_t> last;   ///< at the last node; nothing: not all nodes ended it
    /// The most bits that any node remembers at the end of the phase, where a number takes as many
    /// bits as `number_bits` says.
    std::uint64_t memory_bits = 0;
    friend bool operator==(const PhaseEnd&, const PhaseEnd&) = default;
};

}  // namespace equipoise::model
