#pragma once
// Registries: a row for each kind of thing that a spec can name. Help, docs, errors and makers all
// follow from the rows.

#include <algorithm>
#include <cstddef>
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

/// "a, b and c", with `last` before the last word.
[[nodiscard]] inline std::string listed(const std::vector<std::string>& words,
                                        std::string_view last) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 < words.size() ? std::string_view(", ") : last;
        text += words[i];
    }
    return text;
}

/// What a spec may begin with: "a, b or c".
template <class Row>
[[nodiscard]] std::string one_of(const std::vector<Row>& rows) {
    std::vector<std::string> words;
    for (const Row& row : rows)
        words.push_back(row.info.shown());
    return listed(words, " or ");
}

}  // namespace equipoise
