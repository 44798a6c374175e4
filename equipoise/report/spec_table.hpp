#pragma once
// What an option takes, as a table.

#include <string>
#include <vector>

#include "equipoise/base/spec_info.hpp"

namespace equipoise::report {

/// An example for each row of a registry under the option that takes it, and what it is.
[[nodiscard]] std::string spec_table(const std::string& option, const std::vector<SpecInfo>& rows);

}  // namespace equipoise::report
