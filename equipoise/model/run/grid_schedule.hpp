#pragma once
// Dimension exchange on meshes and tori without stored links.

#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/model/run/schedule.hpp"
#include "equipoise/network/grid.hpp"

namespace equipoise::model {

/// The natural colouring of a grid, axis by axis: along an axis the link from coordinate x to x + 1
/// has colour x mod 2; the link that closes a line of even side has the colour of the odd links,
/// one that closes a line of odd side a third colour. Steps, slots and orientation (smaller to
/// larger node) are those of a `PeriodicSchedule` over the same classes. Memory: O(dimension).
class GridSchedule {
  public:
    explicit GridSchedule(const network::Grid& grid);

    [[nodiscard]] Step period() const { return classes_.size(); }
    [[nodiscard]] std::uint64_t slot_count() const { return slot_count_; }
    [[nodiscard]] std::uint64_t row_count(Step step) const;
    [[nodiscard]] LinkRow row(Step step, std::uint64_t index) const;

  private:
    /// The links of one colour: on every line along an axis, possibly the link between the first
    /// and the last node, then links between coordinates x and x + 1 for x = first, first + 2, ...
    struct Class {
        NodeId stride = 1;  ///< distance in numbers between neighbours along the axis
        NodeId side = 0;
        NodeId first = 0;
        NodeId count = 0;      ///< links of a line without the closing one
        bool closing = false;  ///< whether the closing link has this colour
        std::uint64_t first_slot = 0;
        std::uint64_t links_per_line = 0;

        [[nodiscard]] bool last_axis() const { return stride == 1; }
    };
    [[nodiscard]] std::uint64_t rows_per_block(const Class& of) const;

    NodeId node_count_ = 0;
    std::uint64_t slot_count_ = 0;
    std::vector<Class> classes_;
};

static_assert(RowSchedule<GridSchedule>);

}  // namespace equipoise::model
