#pragma once
// How large a generator's network will be, before it is made.

#include "equipoise/base/spec.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::network {

/// Counts in 128 bits: a spec may ask for anything.
struct NetworkSize {
    UInt128 nodes = 0;
    /// Both equal if the spec fixes the number of links; otherwise bounds.
    UInt128 links_least = 0;
    UInt128 links_most = 0;
    friend bool operator==(const NetworkSize&, const NetworkSize&) = default;
};

/// The size of the network that `generate` makes of a spec, exact up to 2^64 nodes; for more it
/// only says that there are more. Checks only that the spec gives its numbers. Cost O(1). Throws
/// InputError that names the spec and what was expected.
[[nodiscard]] NetworkSize size_of(const Spec& spec);

}  // namespace equipoise::network
