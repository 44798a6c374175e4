#pragma once
// How the file of a network was read, and which parts of it are not in the network, in words.

#include <string>

#include "equipoise/network/io/read.hpp"

namespace equipoise::report {

/// The things that were dropped, and what a first line that might name columns was taken for: "2
/// loops dropped, 13 repeated links dropped"; empty if there is nothing to say.
[[nodiscard]] std::string reading_text(const network::ReadReport& report);

}  // namespace equipoise::report
