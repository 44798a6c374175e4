#pragma once
// Whether ranks have room for all bytes: what can be said without placing items.

#include <string>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/few_moves/capacity.hpp"

namespace equipoise::placement {

/// A number of bytes with its noun.
[[nodiscard]] std::string bytes_text(const UnitScale& scale, Int128 units);

/// What one rank holds and may hold, in units of one scale.
struct ByteRoom {
    Units bytes = 0;    ///< that it holds
    Units most = 0;     ///< that it may hold, at least what is pinned
    Units free = 0;     ///< those of `most` that nothing pinned takes
    Units largest = 0;  ///< the bytes of its largest item that is not pinned
    int rank = 0;
    Tokens place = 0;  ///< of that item among its items
};

/// The rooms of all ranks.
class ByteRooms {
  public:
    void add(const ByteRoom& room);
    /// Throws InputError that says how many bytes are too many, or names an item that no rank has
    /// room for. Its absence does not mean that there is a placement: that is bin packing.
    void expect_room(const UnitScale& scale) const;

  private:
    Int128 bytes_ = 0;
    Int128 most_ = 0;
    Units free_ = 0;    // the most of a rank
    ByteRoom largest_;  // the rank with the largest item
};

}  // namespace equipoise::placement
