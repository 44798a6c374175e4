#pragma once
// Link delays from a file.

#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::optimum {

/// Reads `from,to,steps` lines: how many whole steps, 1 or more, a token takes over a link, in
/// either direction; links without a line have 1. Returns them by link. Throws InputError naming
/// file and line for an unknown node, a pair that no link joins, a link named twice or anything but
/// a whole number.
[[nodiscard]] std::vector<Step> read_link_delays(const std::string& path,
                                                 const network::AnyNetwork& network);

}  // namespace equipoise::optimum
