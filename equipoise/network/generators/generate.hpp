#pragma once
// Networks from a spec, as the command line names them.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "equipoise/base/spec_info.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

struct LinkStream;

/// All generators, in the order help shows them.
[[nodiscard]] const std::vector<SpecInfo>& generators();

/// Whether a spec names a generator (otherwise it is a file).
[[nodiscard]] bool names_generator(std::string_view spec);

/// The network of a spec such as `torus:64x64` or `random-regular:n=1000,d=4,seed=7`. `seed` is
/// used if the spec gives none. The labels keep spec and seed. Throws InputError that names the
/// spec and what was expected.
[[nodiscard]] AnyNetwork generate(std::string_view spec, std::uint64_t seed);

/// How large a network will be, about.
struct LikelySize {
    UInt128 nodes = 0;
    UInt128 links = 0;
    bool stored = true;  ///< implicit grids store no links
};

/// The size of a spec's network, found without making it; nothing if the spec names no generator,
/// or if its generator refuses it.
[[nodiscard]] std::optional<LikelySize> likely_size(std::string_view spec);

/// The links of the same network one by one, without storing any: for generators whose links follow
/// from numbers or hashes, and for edge lists (`stream_edge_list`): a spec that names no generator
/// is taken for a file. Throws as `generate`, and UnsuitableError for other generators, naming
/// those that can do this.
[[nodiscard]] LinkStream stream_links(std::string_view spec, std::uint64_t seed);

}  // namespace equipoise::network
