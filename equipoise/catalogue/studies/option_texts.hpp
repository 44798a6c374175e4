#pragma once
// What files of options hold, or texts that callers give in their place.

#include <map>
#include <sstream>
#include <string>

#include "equipoise/base/line_source.hpp"

namespace equipoise::catalogue {

/// By option ("items", "rates", ...) a text in place of its file, whose name then only stands in
/// messages.
using OptionTexts = std::map<std::string, std::string>;

/// The text in place of an option's file, or what `read` returns for that file.
[[nodiscard]] std::string option_text(const OptionTexts& texts, const char* option,
                                      const std::string& file,
                                      std::string (*read)(const std::string&));

/// Whether an option's file, or the text in its place, is what a tool of Kafka's takes or printed.
[[nodiscard]] bool is_kafkas(const OptionTexts& texts, const char* option, const std::string& file);

/// What `read` returns for the lines of an option's file, or of the text in its place.
template <class Read>
auto with_option_lines(const OptionTexts& texts, const char* option, const std::string& file,
                       const Read& read) {
    const auto text = texts.find(option);
    if (text == texts.end()) {
        LineSource source(file);
        return read(source);
    }
    std::istringstream stream(text->second);
    LineSource source(stream, file);
    return read(source);
}

}  // namespace equipoise::catalogue
