#pragma once
// YAML as a JSON value, by yaml-cpp, where this build has it.

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace equipoise::experts {

/// Whether this build has the library.
[[nodiscard]] bool has_yaml();

/// The one document of a YAML text: plain scalars that are whole numbers from 0 to 2^63 - 1 as
/// numbers, all others as texts, the keys of maps as texts. At most `json_levels_max` levels, no
/// aliases and no key twice. `name` stands for the text in messages. Throws InputError naming the
/// line; UnsuitableError in builds without the library.
[[nodiscard]] nlohmann::json json_of_yaml(std::string_view text, const std::string& name);

}  // namespace equipoise::experts
