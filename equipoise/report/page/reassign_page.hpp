#pragma once
// The page of a plan of named items on machines.

#include <string>

#include "equipoise/report/answers/reassign.hpp"

namespace equipoise::report {

/// A self-contained page: the machines as bars before and after, the waves played one by one, and
/// what is proved. Everything that comes from files is escaped.
[[nodiscard]] std::string reassign_page(const ReassignAnswer& answer);

}  // namespace equipoise::report
