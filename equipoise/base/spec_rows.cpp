#include "equipoise/base/spec_rows.hpp"

#include "equipoise/base/suggest.hpp"

namespace equipoise {

std::string unknown_row(std::string_view kind, std::string_view spec,
                        const std::vector<SpecInfo>& rows, std::string_view also) {
    std::vector<std::string> names;
    for (const SpecInfo& row : rows)
        names.push_back(row.name);
    const std::vector<std::string> near = near_words(spec.substr(0, spec.find(':')), names);
    std::vector<std::string> shown;
    for (const SpecInfo& row : rows)
        if (near.empty() || std::find(near.begin(), near.end(), row.name) != near.end())
            shown.push_back(near.empty() ? row.shown() : '"' + row.shown() + '"');
    if (near.empty() && !also.empty()) shown.emplace_back(also);
    return "unknown " + std::string(kind) + " \"" + std::string(spec) + '"' +
           (near.empty() ? ": expected " : ": did you mean ") + listed(shown, " or ") +
           (near.empty() ? "" : "?");
}

}  // namespace equipoise
