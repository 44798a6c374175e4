#pragma once
// Registries: a row for each kind of thing that a spec can name. Help, docs, errors and makers all
// follow from the rows.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/spec_info.hpp"

namespace equipoise {

/// The rows of a registry as help and docs show them. A row has a member `info`.
template <class Row>
[[nodiscard]] std::vector<SpecInfo> infos_of(const std::vector<Row>& rows) {
    std::vector<SpecInfo> infos;
    infos.reserve(rows.size());
    for (const Row& row : rows)
        infos.push_back(row.info);
    return infos;
}

/// The row with this name; null if there is none.
template <class Row>
[[nodiscard]] const Row* find_row(const std::vector<Row>& rows, std::string_view name) {
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const Row& row) { return row.info.name == name; });
    return found == rows.end() ? nullptr : &*found;
}

/// `unknown kind of loads "spke:tokens=3": did you mean "spike"?`, or, if no name is near, what a
/// spec may begin with: `: expected a, b or c`, then `also` ("a file").
[[nodiscard]] std::string unknown_row(std::string_view kind, std::string_view spec,
                                      const std::vector<SpecInfo>& rows,
                                      std::string_view also = "");

}  // namespace equipoise
