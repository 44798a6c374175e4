#pragma once
// Token counts in JSON objects. A file of its own, because it includes a library that users of the
// package may lack.

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "equipoise/base/tokens.hpp"

namespace equipoise::report {

/// Loads and discrepancies in tokens: whole numbers if a unit is one token.
[[nodiscard]] nlohmann::ordered_json json_tokens(std::uint64_t load_scale, Tokens units);

}  // namespace equipoise::report
