#include "equipoise/base/suggest.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "equipoise/base/lower_case.hpp"

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

}  // namespace

std::string listed(const std::vector<std::string>& words, std::string_view last) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 < words.size() ? std::string_view(", ") : last;
        text += words[i];
    }
    return text;
}

std::vector<std::string> near_words(std::string_view word, const std::vector<std::string>& known) {
    constexpr std::size_t shown_max = 3;
    const std::size_t edits_max = std::max<std::size_t>(1, word.size() / 3);
    std::vector<std::pair<std::size_t, std::string>> near;
    const std::string small = lower_case(word);
    for (const std::string& candidate : known) {
        const std::string other = lower_case(candidate);
        const bool begins = !word.empty() && other.starts_with(small);
        const std::size_t distance = begins ? 0 : edits(small, other);
        if (begins || (distance <= edits_max && distance < word.size()))
            near.emplace_back(distance, candidate);
    }
    std::stable_sort(near.begin(), near.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> best;
    for (const auto& [distance, candidate] : near)
        if (best.size() < shown_max && distance == near.front().first) best.push_back(candidate);
    return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
    std::vector<std::string> near = near_words(word, known);
    if (near.empty()) return "";
    for (std::string& candidate : near)
        candidate = '"' + candidate + '"';
    return ": did you mean " + listed(near, " or ") + '?';
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
    if (std::string near = did_you_mean(word, known); !near.empty()) return near;
    return known.empty() ? "" : ": expected " + listed(known, " or ");
}

std::string expected_word(std::string_view word, const std::vector<std::string>& known) {
    return "expected " + listed(known, " or ") + ", found " +
           (word.empty() ? "nothing" : '"' + std::string(word) + '"') + did_you_mean(word, known);
}

}  // namespace equipoise
