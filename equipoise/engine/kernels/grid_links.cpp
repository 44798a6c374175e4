#include "equipoise/engine/kernels/grid_links.hpp"

namespace equipoise::engine {

namespace {

// The largest difference across links that begin at nodes begin .. end-1.
template <class Word>
Tokens largest_among(const GridPart& part, const Word* loads, NodeId begin, NodeId end) {
    Tokens largest = 0;
    part.for_each_stretch(begin, end, [&](NodeId tail, NodeId distance, NodeId links) {
        const Word* const near = loads + tail;
        const Word* const far = near + distance;
        Word most = 0;
#if defined(_OPENMP)
#pragma omp simd reduction(max : most)
#endif
        for (NodeId i = 0; i < links; ++i) {
            const Word apart =
                static_cast<Word>(near[i] < far[i] ? far[i] - near[i] : near[i] - far[i]);
            most = std::max(most, apart);
        }
        largest = std::max(largest, static_cast<Tokens>(most));
    });
    return largest;
}

}  // namespace

Tokens largest_difference(const GridPart& part, const PackedLoads& loads) {
    return loads.visit(
        [&](const auto* words) { return largest_among(part, words, 0, part.count); });
}

std::optional<NodeId> steep_node(const GridPart& part, const PackedLoads& loads, NodeId from) {
    constexpr NodeId block = 1U << 14U;
    const NodeId blocks = (part.count + block - 1) / block;
    return loads.visit([&](const auto* words) -> std::optional<NodeId> {
        const auto steep = [&](NodeId begin, NodeId end) {
            return largest_among(part, words, begin, end) > 1;
        };
        for (NodeId i = 0; i < blocks; ++i) {
            const NodeId begin = (from / block + i) % blocks * block;
            const NodeId end = std::min(part.count - begin, block) + begin;
            if (!steep(begin, end)) continue;
            NodeId node = begin;
            while (!steep(node, node + 1))
                ++node;
            return node;
        }
        return std::nullopt;
    });
}

}  // namespace equipoise::engine
