#include "equipoise/placement/byte_rooms.hpp"

#include <algorithm>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/joint_error.hpp"

namespace equipoise::placement {

std::string bytes_text(const UnitScale& scale, Int128 units) {
    const double bytes = scale.real(static_cast<double>(units));
    return grouped_real(bytes) + (bytes == 1 ? " byte" : " bytes");
}

void ByteRooms::add(const ByteRoom& room) {
    bytes_ += room.bytes;
    most_ += room.most;
    free_ = std::max(free_, room.free);
    if (room.largest > largest_.largest) largest_ = room;
}

void ByteRooms::expect_room(const UnitScale& scale) const {
    const auto text = [&](Int128 units) { return bytes_text(scale, units); };
    if (bytes_ > most_)
        throw JointError("expected room for " + text(bytes_) +
                         " on ranks with a speed above 0, found room for " + text(most_) + ": " +
                         text(bytes_ - most_) + " too few");
    if (largest_.largest > free_)
        throw JointError("expected a rank with room for item " + std::to_string(largest_.place) +
                         " of rank " + std::to_string(largest_.rank) + ", of " +
                         text(largest_.largest) + ", found room for at most " + text(free_));
}

}  // namespace equipoise::placement
