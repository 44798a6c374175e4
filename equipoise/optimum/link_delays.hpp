#pragma once
// Link delays from a file.

#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::optimum {

/// Reads `from,to,steps` lines: the whole steps, 1 or more, that a token takes over a link, in
/// either direction; links that are not named have 1. By link. Throws InputError naming file and
/// line for an unknown node, a pair that no link joins, a link named twice or anything but a whole
/// number.
[[nodiscard]] std::vector<Step> read_link_delays(const std::string& path,
                                                 const network::AnyNetwork& network);

}  // namespace equipoise::optimum
