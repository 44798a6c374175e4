#pragma once
// The loads with which a plan is to end, as --target names them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/base/spec_info.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::catalogue {

struct Target {
    enum class Kind : std::uint8_t {
        floor_ceil,  ///< the mean or the share, rounded down or up
        at_most,     ///< `number` at most
        exact,       ///< the mean, rounded up, and `number` at most
        speeds,      ///< in proportion to the speeds of `file`
        places,      ///< items where `file` says
    };
    Kind kind = Kind::floor_ceil;
    Tokens number = 0;
    std::string file = {};
};

/// The targets of plans for tokens, and of plans for items.
[[nodiscard]] std::vector<SpecInfo> plan_targets();
[[nodiscard]] std::vector<SpecInfo> items_targets();

/// The target that a text names, if it is one of `targets`. Throws InputError if a whole number is
/// missing.
[[nodiscard]] std::optional<Target> find_target(const std::string& text,
                                                const std::vector<SpecInfo>& targets);
/// The same. Throws InputError for any other text.
[[nodiscard]] Target target_of(const std::string& text, const std::vector<SpecInfo>& targets);

}  // namespace equipoise::catalogue
