#pragma once
// Numbers that stand in files but are not used.

#include <string_view>

namespace equipoise::network {

/// Whether a word is a number as programs print them, usable or not: `-1`, `.5`, `1e-3`, `1.0D+00`
/// and `1.0+100` of Fortran, `nan`, `Infinity`, `-1.#IND`. For weights, which are not read further.
[[nodiscard]] bool is_printed_number(std::string_view word);

}  // namespace equipoise::network
