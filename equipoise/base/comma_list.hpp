#pragma once
// Lists in the value of an option: entries separated by commas.

#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

/// The entries of a list such as `a,b,"c,d"`: read like the fields of a CSV line, so that blanks
/// around entries do not count and quotes protect commas and blanks. Throws InputError, naming
/// `option` and its list (`entries`), if an entry is empty or a quote is not closed.
[[nodiscard]] std::vector<std::string> comma_list(std::string_view option, std::string_view entries,
                                                  std::string_view text);

}  // namespace equipoise
