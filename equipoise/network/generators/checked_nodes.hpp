#pragma once
// Checks that the size of a family of networks fits into node numbers.

#include <cstdint>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/base/ids.hpp"

namespace equipoise::network {

/// `nodes` as a NodeId. Throws InputError when there are too many to number.
[[nodiscard]] inline NodeId checked_nodes(std::uint64_t nodes) {
    if (nodes >= no_node)
        throw InputError("a network of more than " + std::to_string(no_node - 1) +
                         " nodes is too large");
    return static_cast<NodeId>(nodes);
}

}  // namespace equipoise::network
