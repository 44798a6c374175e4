#pragma once
// The scripts of this folder, compiled in.

#include <string_view>

namespace equipoise::kafka {

/// The contents of a script, by the name of its file.
[[nodiscard]] std::string_view script_file(std::string_view name);

}  // namespace equipoise::kafka
