#pragma once
// What networks take of memory, judged before it is taken.

#include <string>

#include "equipoise/base/tokens.hpp"

namespace equipoise::network {

/// Throws InputError that begins with `name` if a stored network of this size is more than memory
/// holds (`equipoise::expect_memory`).
void expect_to_fit(UInt128 nodes, UInt128 links, const std::string& name);

}  // namespace equipoise::network
