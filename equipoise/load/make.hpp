#pragma once
// Initial loads from a spec or a file, as the command line names them.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/base/spec_info.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::load {

/// A generator that a higher room adds to the generators here.
struct LoadGenerator {
    SpecInfo info;
    std::vector<std::string_view> keys;
    /// Throws InputError, or UnsuitableError when the network cannot carry such loads.
    Loads (*make)(const Spec& spec, const network::AnyNetwork& network) = nullptr;
};

/// All load generators of this room, in the order help shows them.
[[nodiscard]] const std::vector<SpecInfo>& load_generators();

/// Loads for a network: `spike:tokens=1000,node=0`, `uniform:tokens=1000`,
/// `zipf:tokens=1000,exponent=1.1`, ..., or the path of a CSV file with header `node,tokens`.
/// `node=` takes a node's name. `seed` is used if a random spec gives none. `more` are generators
/// besides `load_generators()`. Throws InputError that names the spec (or file and line) and what
/// was expected.
[[nodiscard]] Loads make_loads(std::string_view spec, const network::AnyNetwork& network,
                               std::uint64_t seed, std::span<const LoadGenerator> more = {});

/// The spec that `make_loads` reads as these loads: `at:0=4,3=5`, with the nodes that hold tokens;
/// `at:others=0` if none does. Nothing if one of them has a name that a spec cannot hold. Requires
/// loads of 0 or more. Cost O(nodes).
[[nodiscard]] std::optional<std::string> spec_of(std::span<const Tokens> loads,
                                                 const network::AnyNetwork& network);

/// The loads that `make_loads` gives nodes first .. last-1 of a network of `node_count` nodes named
/// by their numbers, for a process that holds only these nodes; with room for `more` loads behind
/// them. Memory 8 (last - first + more) bytes. Throws InputError as `make_loads`, and
/// UnsuitableError for a generator that needs all nodes at once, naming those that do not.
[[nodiscard]] Loads make_part_loads(std::string_view spec, NodeId node_count, NodeId first,
                                    NodeId last, std::uint64_t seed, NodeId more = 0);

/// Reads `node,tokens` lines; nodes without a line have 0 tokens. A name with a comma may be in
/// quotes. Throws InputError naming file and line for a node named twice, an unknown node, anything
/// but a whole number of tokens or a total beyond `tokens_max`.
[[nodiscard]] Loads read_csv(const std::string& path, const network::AnyNetwork& network);

/// Writes `node,tokens`, one line per node, to a temporary file that is then renamed.
void write_csv(const std::string& path, const network::AnyNetwork& network,
               std::span<const Tokens> loads);

}  // namespace equipoise::load
