#pragma once
// What the words mean that texts and pages print, each in one line. docs/glossary.md has all of
// them, and more.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise::report {

struct GlossaryEntry {
    std::string_view word;
    std::string_view meaning;  ///< begins with a lower-case letter, ends without a full stop
};

/// All words that are explained where they are printed.
[[nodiscard]] std::span<const GlossaryEntry> glossary();

/// The meaning of a word; empty if it has none here.
[[nodiscard]] std::string_view meaning_of(std::string_view word);

/// One line "word: meaning." for each word. The words must have a meaning.
[[nodiscard]] std::string explained(const std::vector<std::string>& words);

/// The words among `known` that stand in a text, perhaps in the plural, in the order of `known`.
[[nodiscard]] std::vector<std::string> words_in(std::string_view text,
                                                const std::vector<std::string>& known);

}  // namespace equipoise::report
