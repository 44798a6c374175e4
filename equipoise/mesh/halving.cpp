#include "equipoise/mesh/halving.hpp"

#include "equipoise/base/assert.hpp"

namespace equipoise::mesh {

Levels deepest_levels(const Box& whole, std::uint64_t side_min) {
    EQUIPOISE_ASSERT(side_min >= 1);
    Levels levels{};
    for (std::size_t i = 0; i < whole.dimension(); ++i)
        while (whole.axis(i).side >> (levels[i] + 1U) >= side_min)
            ++levels[i];
    return levels;
}

Box Part::box() const {
    NodeId origin = whole_->origin();
    std::array<Axis, Box::dimension_max> axes;
    for (std::size_t i = 0; i < whole_->dimension(); ++i) {
        const NodeId stride = whole_->axis(i).stride;
        origin += first_[i] * stride;
        axes[i] = {count_[i], stride};
    }
    return {origin, std::span<const Axis>(axes.data(), whole_->dimension())};
}

}  // namespace equipoise::mesh
