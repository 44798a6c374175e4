#pragma once
// What was probably meant by a spec that is none, such as `path:9` or `torus(8,8)`.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/spec_info.hpp"

namespace equipoise {

/// A kind of spec.
struct SpecForm {
    std::string_view name;
    std::vector<std::string_view> keys;  ///< in the order in which people would name the values
    bool sides = false;                  ///< it takes one value without a key, AxB
    std::string_view example;
};

/// Words of others for a kind, and the one that is known here.
using OtherNames = std::span<const std::pair<std::string_view, std::string_view>>;

/// The spec of this form that has the values of `text`, which is its name and, behind a colon,
/// values without keys. Empty if nothing comes to mind.
[[nodiscard]] std::string with_keys(std::string_view text, const SpecForm& form);

/// What an error may say to a text that this form refuses: ": did you mean "path:n=9"?" or, where
/// there are no values, " (as in path:n=100)"; empty if nothing comes to mind.
[[nodiscard]] std::string remedy(std::string_view text, const SpecForm& form);

/// The spec that was meant by a text that does not begin with the name of a form and a colon:
/// `grid:8x8`, `torus-8x8`, `path,n=9`, `Ring(8)`; the example of the form if there are no values.
[[nodiscard]] std::string meant_spec(std::string_view text, std::span<const SpecForm> forms,
                                     OtherNames others);

/// ": did you mean "path:n=9"?"; empty for nothing.
[[nodiscard]] std::string did_you_mean_spec(const std::string& spec);

}  // namespace equipoise
