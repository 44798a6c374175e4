#pragma once
// The rooms of ranks in a row, and the first of them into which an item fits.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <vector>

#include "equipoise/placement/few_moves/capacity.hpp"

namespace equipoise::placement {

/// A tournament over places 0 .. places-1.
class RoomTree {
  public:
    static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

    /// All rooms are empty. Cost O(places).
    explicit RoomTree(std::size_t places)
        : leaves_(std::bit_ceil(std::max(places, std::size_t{1}))), most_(2 * leaves_, lowest) {}

    /// Cost O(log places).
    void set(std::size_t place, Units room) {
        std::size_t node = leaves_ + place;
        most_[node] = room;
        for (node /= 2; node > 0; node /= 2)
            most_[node] = std::max(most_[2 * node], most_[2 * node + 1]);
    }
    [[nodiscard]] Units largest() const { return most_[1]; }

    /// The first place from `first` to before `last` with a room of at least `size`. Cost
    /// O(log places).
    [[nodiscard]] std::size_t first_with(Units size, std::size_t first, std::size_t last) const {
        std::size_t node = leaves_ + first;
        if (first >= last) return nowhere;
        // Up and to the right until a subtree has room, then down into it.
        while (most_[node] < size) {
            while (node % 2 == 1)
                node /= 2;
            if (node == 0) return nowhere;
            ++node;
        }
        while (node < leaves_) {
            node *= 2;
            if (most_[node] < size) ++node;
        }
        const std::size_t place = node - leaves_;
        return place < last ? place : nowhere;
    }

  private:
    static constexpr Units lowest = std::numeric_limits<Units>::min();
    std::size_t leaves_;
    std::vector<Units> most_;
};

}  // namespace equipoise::placement
