#include "equipoise/mesh/colours.hpp"

#include <algorithm>

#include "equipoise/mesh/reduce.hpp"

namespace equipoise::mesh {

void colour(const Box& box, std::size_t axis, Tokens threshold, const Layer& tokens, Layer& black,
            Layer& white) {
    for (NodeId r = 0; r < box.axis(axis).side; ++r) {
        Tokens left = threshold;
        box.slice(axis, r).for_each_cell([&](NodeId cell) {
            black[cell] = std::min(tokens[cell], left);
            white[cell] = tokens[cell] - black[cell];
            left -= black[cell];
        });
    }
}

void select_least_of_slices(const Box& box, std::size_t axis, Layer& tokens, Layer& selected) {
    for (NodeId r = 0; r < box.axis(axis).side; ++r) {
        const Box slice = box.slice(axis, r);
        const Tokens least = extremes(slice, tokens).least;
        slice.for_each_cell([&](NodeId cell) {
            tokens[cell] -= least;
            selected[cell] = least;
        });
    }
}

void select_least_of_lines(const Box& box, std::size_t axis, Layer& tokens, Layer& selected) {
    const auto [side, stride] = box.axis(axis);
    box.for_each_line(axis, [&, side = side, stride = stride](NodeId first) {
        Tokens least = tokens[first];
        for (NodeId i = 1; i < side; ++i)
            least = std::min(least, tokens[first + i * stride]);
        for (NodeId i = 0; i < side; ++i) {
            tokens[first + i * stride] -= least;
            selected[first + i * stride] = least;
        }
    });
}

void unite(const Box& box, Layer& tokens, const Layer& other) {
    box.for_each_cell([&](NodeId cell) { tokens[cell] += other[cell]; });
}

void unite(const Box& box, Layer& tokens, const Layer& one, const Layer& other) {
    box.for_each_cell([&](NodeId cell) { tokens[cell] = one[cell] + other[cell]; });
}

}  // namespace equipoise::mesh
