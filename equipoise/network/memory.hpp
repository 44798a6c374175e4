#pragma once
// The memory that networks need, checked before it is taken.

#include <string>

#include "equipoise/base/tokens.hpp"

namespace equipoise::network {

/// Throws an InputError that begins with `name` if a stored network of this size does not fit into
/// memory (`equipoise::expect_memory`).
void expect_to_fit(UInt128 nodes, UInt128 links, const std::string& name);

}  // namespace equipoise::network
