#pragma once
// Numbers of things in messages, which have no thousands separators (those of tables: figures.hpp).

#include <cstdint>
#include <string>
#include <string_view>

namespace equipoise {

/// "1 entry", "0 entries", "2000 entries".
[[nodiscard]] inline std::string with_noun(std::uint64_t number, std::string_view one,
                                           std::string_view several) {
    return std::to_string(number).append(" ").append(number == 1 ? one : several);
}

}  // namespace equipoise
