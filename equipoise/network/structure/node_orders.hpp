#pragma once
// Orders of the nodes that put neighbours near each other, so that code that reads the values of
// neighbours finds them in near caches.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

enum class NodeOrder : std::uint8_t {
    natural,        ///< by number
    cuthill_mckee,  ///< reverse Cuthill-McKee: neighbours are near each other
    degrees,        ///< the highest degree first: what is read most often lies together
    hilbert,        ///< along a Hilbert curve through the positions of the nodes
};

/// "natural", "cuthill-mckee", "degrees" or "hilbert".
[[nodiscard]] std::string to_string(NodeOrder order);
/// The order of that name. Throws InputError for another word.
[[nodiscard]] NodeOrder node_order_from_word(std::string_view word);
/// The words, without "natural".
[[nodiscard]] std::vector<std::string> node_order_words();

/// All nodes in this order; the same on every machine. Throws UnsuitableError for `hilbert` if the
/// nodes have no positions. Cost: O(nodes + links log degree) time, 8 bytes of memory for each node
/// besides the result; `hilbert` O(nodes log nodes) and 16 bytes.
[[nodiscard]] std::vector<NodeId> node_order(const AnyNetwork& network, NodeOrder order);

}  // namespace equipoise::network
