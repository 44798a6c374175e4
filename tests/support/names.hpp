#pragma once
// The names of a table as a list, for comparisons.

#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/base/name_table.hpp"

namespace equipoise::test {

/// All names, in the order of their numbers.
inline std::vector<std::string> names_of(const NameTable& table) {
    std::vector<std::string> names;
    for (std::uint32_t number = 0; number < table.size(); ++number)
        names.emplace_back(table.name(number));
    return names;
}

}  // namespace equipoise::test
