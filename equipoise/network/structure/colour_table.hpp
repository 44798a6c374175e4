#pragma once
// Which port of a node carries a colour: the working state of colouring algorithms.

#include <bit>
#include <cstdint>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::network {

inline constexpr Port no_port = ~Port{0};

/// A partial proper edge colouring, found by (node, colour). Every node has a small open-addressed
/// row hashed by the colour's low bits, so colours below the row's size are found at once.
/// Memory: 24 bytes an arc or less; every operation O(1) expected, `free_colour` amortised.
class ColourTable {
  public:
    explicit ColourTable(const Network& network)
        : offsets_(std::size_t{network.node_count()} + 1), lowest_(network.node_count(), 0) {
        std::uint64_t slots = 0;
        for (NodeId node = 0; node < network.node_count(); ++node) {
            offsets_[node] = slots;
            const std::uint64_t degree = network.degree(node);
            slots += std::bit_ceil(degree + degree / 2 + 1);
        }
        offsets_.back() = slots;
        slots_.assign(slots, Slot{});
    }

    /// The port of the link with this colour, or `no_port`.
    [[nodiscard]] Port find(NodeId node, Colour colour) const {
        const Row row = row_of(node);
        for (std::uint64_t i = colour & row.mask;; i = (i + 1) & row.mask) {
            const Slot& slot = slots_[row.first + i];
            if (slot.colour == colour) return slot.port;
            if (slot.colour == no_colour) return no_port;
        }
    }
    [[nodiscard]] bool is_free(NodeId node, Colour colour) const {
        return find(node, colour) == no_port;
    }
    /// The smallest colour that no link of the node has.
    [[nodiscard]] Colour free_colour(NodeId node) {
        Colour& colour = lowest_[node];
        while (!is_free(node, colour))
            ++colour;
        return colour;
    }
    void insert(NodeId node, Colour colour, Port port) {
        const Row row = row_of(node);
        std::uint64_t i = colour & row.mask;
        while (slots_[row.first + i].colour != no_colour) {
            EQUIPOISE_ASSERT(slots_[row.first + i].colour != colour);
            i = (i + 1) & row.mask;
        }
        slots_[row.first + i] = {colour, port};
    }
    void erase(NodeId node, Colour colour) {
        const Row row = row_of(node);
        std::uint64_t hole = colour & row.mask;
        while (slots_[row.first + hole].colour != colour)
            hole = (hole + 1) & row.mask;
        // Entries that probed past the hole move back into it, so that no search stops short.
        for (std::uint64_t i = (hole + 1) & row.mask; slots_[row.first + i].colour != no_colour;
             i = (i + 1) & row.mask) {
            const std::uint64_t home = slots_[row.first + i].colour & row.mask;
            if (((i - home) & row.mask) < ((i - hole) & row.mask)) continue;
            slots_[row.first + hole] = slots_[row.first + i];
            hole = i;
        }
        slots_[row.first + hole] = Slot{};
        if (colour < lowest_[node]) lowest_[node] = colour;
    }

  private:
    struct Slot {
        Colour colour = no_colour;
        Port port = no_port;
    };
    struct Row {
        std::uint64_t first;
        std::uint64_t mask;
    };
    [[nodiscard]] Row row_of(NodeId node) const {
        return {offsets_[node], offsets_[std::size_t{node} + 1] - offsets_[node] - 1};
    }

    std::vector<std::uint64_t> offsets_;
    std::vector<Colour> lowest_;  ///< no colour below is free
    std::vector<Slot> slots_;
};

}  // namespace equipoise::network
