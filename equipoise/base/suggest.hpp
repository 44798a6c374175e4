#pragma once
// "Did you mean ...?"

#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

/// The words nearest to a mistyped one, best first: those that begin with it, or that a few
/// insertions, deletions, substitutions or swaps of neighbouring letters turn into it (at most a
/// third of its letters, at least one). Cost O(letters^2) a word.
[[nodiscard]] std::vector<std::string> near_words(std::string_view word,
                                                  const std::vector<std::string>& known);

/// `: did you mean "a" or "b"?`, or `: expected one of a, b, c` when nothing is near; empty if
/// there are no words.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace equipoise
