#pragma once
// What of a file is not in the network as it stands there, in words.

#include <string>

#include "equipoise/network/io/read.hpp"

namespace equipoise::report {

/// "2 loops dropped, 13 repeated links dropped", or nothing.
[[nodiscard]] std::string dropped_text(const network::ReadReport& report);

}  // namespace equipoise::report
