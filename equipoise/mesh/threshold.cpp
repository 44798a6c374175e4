#include "equipoise/mesh/threshold.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "equipoise/base/assert.hpp"
#include "equipoise/mesh/integer_root.hpp"

namespace equipoise::mesh {

namespace {

std::uint64_t natural(Tokens tokens) {
    return static_cast<std::uint64_t>(tokens);
}

}  // namespace

Corner corner(const Box& box, Tokens total, Tokens most) {
    EQUIPOISE_ASSERT(total > 0 && box.dimension() > 0);
    EQUIPOISE_ASSERT(total <= Int128{most} * box.cells());
    std::array<NodeId, Box::dimension_max> sides{};
    for (std::size_t i = 0; i < box.dimension(); ++i)
        sides[i] = box.axis(i).side;
    std::sort(sides.begin(), sides.begin() + static_cast<std::ptrdiff_t>(box.dimension()));
    Corner found{static_cast<unsigned>(box.dimension()), 1};
    // Cuts off the shortest free axis as long as a cube of its side does not hold the tokens.
    for (std::size_t i = 0; found.free_axes > 1; ++i) {
        UInt128 room = static_cast<UInt128>(most) * found.full_cells;
        for (unsigned j = 0; j < found.free_axes; ++j)
            room *= sides[i];
        if (room > static_cast<UInt128>(total)) break;
        found.full_cells *= sides[i];
        --found.free_axes;
    }
    return found;
}

Tokens tokens_per_layer(const Box& box, Tokens total, Tokens most) {
    const auto [free_axes, full_cells] = corner(box, total, most);
    return static_cast<Tokens>(floor_root(
        {{natural(total), free_axes - 1}, {natural(most), 1}, {full_cells, 1}}, free_axes));
}

Tokens tokens_per_layer_reduced(const Box& box, Tokens total, Tokens most) {
    const auto [free_axes, full_cells] = corner(box, total, most);
    const auto part = floor_root(
        {{natural(total), free_axes - 1}, {natural(most), 1}, {full_cells, 1}}, free_axes, 2);
    return tokens_per_layer(box, total, most) - static_cast<Tokens>(part);
}

Tokens root(const Box& box, Tokens total, Tokens most) {
    if (total == 0) return 0;
    // (k a)^j = N k^(j-1) / P.
    const auto [free_axes, full_cells] = corner(box, total, most);
    return static_cast<Tokens>(
        floor_root({{natural(total), 1}, {natural(most), free_axes - 1}}, free_axes, full_cells));
}

}  // namespace equipoise::mesh
