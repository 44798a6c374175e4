#pragma once
// Words in errors and help: lists of them, and "did you mean ...?"

#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

/// "a, b or c", with `last` (" or ") before the last word.
[[nodiscard]] std::string listed(const std::vector<std::string>& words, std::string_view last);

/// The words nearest to a mistyped one, best first: those that begin with it, or that a few
/// insertions, deletions, substitutions or swaps of neighbouring letters turn into it (at most a
/// third of its letters, at least one, but not all). Cost O(letters^2) a word.
[[nodiscard]] std::vector<std::string> near_words(std::string_view word,
                                                  const std::vector<std::string>& known);

/// `: did you mean "a" or "b"?`; empty if no word is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& known);

/// `: did you mean "a" or "b"?`, or `: expected a, b or c` if no word is near; empty if there are
/// no words.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& known);

/// `expected a, b or c, found "word"`, and the nearest of them if there is one.
[[nodiscard]] std::string expected_word(std::string_view word,
                                        const std::vector<std::string>& known);

}  // namespace equipoise
