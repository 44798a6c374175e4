#include "equipoise/network/structure/numberings.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/network/generators/links.hpp"

namespace equipoise::network {

std::vector<Numbering> numberings(const AnyNetwork& network) {
    const NodeId nodes = network.node_count();
    EQUIPOISE_ASSERT(nodes <= numbered_nodes_max);
    const std::vector<Ends> links = all_links(network);
    Numbering numbers(nodes);
    std::iota(numbers.begin(), numbers.end(), NodeId{0});
    // A set of links is a set of bits, one for each pair of numbers.
    std::unordered_set<std::uint64_t> seen;
    std::vector<Numbering> found;
    do {
        std::uint64_t renamed = 0;
        for (const Ends& ends : links) {
            const auto [low, high] = std::minmax(numbers[ends.tail], numbers[ends.head]);
            renamed |= std::uint64_t{1} << (high * (high - 1) / 2 + low);
        }
        if (seen.insert(renamed).second) found.push_back(numbers);
    } while (std::next_permutation(numbers.begin(), numbers.end()));
    return found;
}

AnyNetwork renumber(const AnyNetwork& network, std::span<const NodeId> numbers) {
    EQUIPOISE_ASSERT(numbers.size() == network.node_count() && !numbers.empty());
    std::vector<Ends> links = all_links(network);
    for (Ends& ends : links)
        ends = {numbers[ends.tail], numbers[ends.head]};
    AnyNetwork renumbered = Network(network.node_count(), std::move(links));
    renumbered.labels().origin = links_spec(renumbered);
    return renumbered;
}

}  // namespace equipoise::network
