#pragma once
// What newcomers probably mean by arguments that the program does not take.

#include <string>
#include <string_view>
#include <vector>

namespace equipoise::cli {

/// Complains of a name of an algorithm that is a network, loads or a list; otherwise empty.
[[nodiscard]] std::string complaint_of_algorithm(const std::string& name);

/// ": did you mean "--network torus:8x8"?" of an argument that is too many for a verb with these
/// options; empty if nothing comes to mind.
[[nodiscard]] std::string meant_by_argument(const std::string& argument, const std::string& verb,
                                            const std::vector<std::string>& options);

/// The same of an option, "--rounding=down", that a verb with these options does not have.
[[nodiscard]] std::string meant_by_option(const std::string& option,
                                          const std::vector<std::string>& options);

/// The same of a word that is no verb, such as an algorithm.
[[nodiscard]] std::string meant_by_verb(const std::string& word);

}  // namespace equipoise::cli
