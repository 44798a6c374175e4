#include "equipoise/base/suggest.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace equipoise {

namespace {

/// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
std::size_t edits(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min(
                {last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row[b.size()];
}

std::string quoted_list(const std::vector<std::string>& words) {
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) list += i + 1 == words.size() ? " or " : ", ";
        list += '"' + words[i] + '"';
    }
    return list;
}

}  // namespace

std::vector<std::string> near_words(std::string_view word, const std::vector<std::string>& known) {
    constexpr std::size_t shown_max = 3;
    const std::size_t edits_max = std::max<std::size_t>(1, word.size() / 3);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& candidate : known) {
        const bool begins = !word.empty() && candidate.starts_with(word);
        const std::size_t distance = begins ? 0 : edits(word, candidate);
        if (distance <= edits_max) near.emplace_back(distance, candidate);
    }
    std::stable_sort(near.begin(), near.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> best;
    for (const auto& [distance, candidate] : near)
        if (best.size() < shown_max && distance == near.front().first) best.push_back(candidate);
    return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
    const std::vector<std::string> near = near_words(word, known);
    if (!near.empty()) return ": did you mean " + quoted_list(near) + '?';
    if (known.empty()) return "";
    std::string list;
    for (const std::string& candidate : known)
        list += (list.empty() ? "" : ", ") + candidate;
    return ": expected one of " + list;
}

}  // namespace equipoise
