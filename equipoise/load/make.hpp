#pragma once
// Initial loads from a spec or a file, as the command line names them.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/spec.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::load {

struct LoadInfo {
    std::string name;
    std::string example;
    std::string help;
    bool random = false;  ///< depends on the seed
};

/// A generator that a higher room adds to the generators here.
struct LoadGenerator {
    LoadInfo info;
    /// Throws InputError, or UnsuitableError when the network cannot carry such loads.
    Loads (*make)(const Spec& spec, const network::AnyNetwork& network) = nullptr;
};

/// All load generators of this room, in the order help shows them.
[[nodiscard]] const std::vector<LoadInfo>& load_generators();

/// Loads for a network: `spike:tokens=1000,node=0`, `uniform:tokens=1000`,
/// `zipf:tokens=1000,exponent=1.1`, ..., or the path of a CSV file with header `node,tokens`.
/// `node=` takes a node's name. `seed` is used if a random spec gives none. `more` are generators
/// besides `load_generators()`. Throws InputError that names the spec (or file and line) and what
/// was expected.
[[nodiscard]] Loads make_loads(std::string_view spec, const network::AnyNetwork& network,
                               std::uint64_t seed, std::span<const LoadGenerator> more = {});

/// Reads `node,tokens` lines; nodes that are not named have 0 tokens. A name with a comma may be in
/// quotes. Throws InputError naming file and line for a node named twice, an unknown node, anything
/// but a whole number of tokens or a total beyond `tokens_max`.
[[nodiscard]] Loads read_csv(const std::string& path, const network::AnyNetwork& network);

/// Writes `node,tokens`, one line per node, to a temporary file that is then renamed.
void write_csv(const std::string& path, const network::AnyNetwork& network,
               std::span<const Tokens> loads);

}  // namespace equipoise::load
