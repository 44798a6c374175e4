#pragma once
// What options take, as tables.

#include <string>
#include <vector>

#include "equipoise/base/spec_info.hpp"

namespace equipoise::report {

/// An option and the registry of what it takes.
struct SpecTable {
    std::string option;
    std::vector<SpecInfo> rows;
};

/// For each row of a registry an example, under the option that takes it, and what it is; below the
/// last table, what "(random)" means.
[[nodiscard]] std::string spec_tables(const std::vector<SpecTable>& tables);

}  // namespace equipoise::report
