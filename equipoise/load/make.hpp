#pragma once
// Initial loads from a spec or a file, as the command line names them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/load/loads.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::load {

struct LoadInfo {
    std::string name;
    std::string example;
    std::string help;
    bool random = false;  ///< depends on the seed
};

/// All load generators, in the order help shows them.
[[nodiscard]] const std::vector<LoadInfo>& load_generators();

/// Loads for a network: `spike:tokens=1000,node=0`, `uniform:tokens=1000`,
/// `zipf:tokens=1000,exponent=1.1`, ..., or the path of a CSV file with header `node,tokens`.
/// `node=` takes a node's name. `seed` is used where a random spec gives none.
/// Throws InputError that names the spec (or file and line) and what was expected.
[[nodiscard]] Loads make_loads(std::string_view spec, const network::AnyNetwork& network,
                               std::uint64_t seed);

/// Reads `node,tokens` lines; nodes that are not named have 0 tokens. A name that holds a comma may
/// stand in quotes. Throws InputError naming file and line for a node named twice, an unknown node,
/// anything but a whole number of tokens or a total beyond `tokens_max`.
[[nodiscard]] Loads read_csv(const std::string& path, const network::AnyNetwork& network);

/// Writes `node,tokens`, one line a node, to a temporary file that is then renamed.
void write_csv(const std::string& path, const network::AnyNetwork& network,
               std::span<const Tokens> loads);

}  // namespace equipoise::load
