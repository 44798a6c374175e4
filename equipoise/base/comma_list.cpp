#include "equipoise/base/comma_list.hpp"

#include <algorithm>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise {

std::vector<std::string> comma_list(std::string_view option, std::string_view entries,
                                    std::string_view text) {
    const auto fail = [&](const char* found) {
        throw InputError(std::string(option) + ": expected " + std::string(entries) +
                         ", separated by commas, found " + found + " \"" +
                         printable(std::string(text)) + '"');
    };
    const auto fields = csv_fields(text);
    if (!fields) fail("a quote that is not closed, or text after a closing one, in");
    if (std::any_of(fields->begin(), fields->end(), [](const auto& one) { return one.empty(); }))
        fail("an empty one in");
    return *fields;
}

}  // namespace equipoise
