#pragma once
// Tables of the values that options take.

#include <string>
#include <vector>

#include "equipoise/base/spec_info.hpp"

namespace equipoise::report {

/// An option, and the registry of the values that it takes.
struct SpecTable {
    std::string option;
    std::vector<SpecInfo> rows;
};

/// For each row of a registry an example and its meaning, under the option that takes it; below the
/// last table, the meaning of "(random)".
[[nodiscard]] std::string spec_tables(const std::vector<SpecTable>& tables, std::size_t width = 0);

}  // namespace equipoise::report
