#pragma once
// The part of XML that graph files use: elements, attributes, text, comments, character data.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/line_source.hpp"
#include "equipoise/network/io/character_source.hpp"

namespace equipoise::network {

/// A pull reader: one event after another, nothing kept. Namespace prefixes are dropped,
/// declarations and document types skipped, entities replaced. Start and end tags must match.
class XmlReader {
  public:
    enum class Event : std::uint8_t { start, end, text, finished };

    explicit XmlReader(LineSource& source) : source_(source), characters_(source) {}

    /// The next event. Throws InputError if the text is not well formed.
    Event next();

    /// Steps to the start of the first element. Throws InputError if there is none.
    void next_root();

    /// The name of the element that starts or ends.
    [[nodiscard]] const std::string& name() const { return name_; }
    /// The contents of a text.
    [[nodiscard]] const std::string& text() const { return text_; }
    /// The value of an attribute of the element that starts, or empty.
    [[nodiscard]] std::string_view attribute(std::string_view key) const;
    /// The same; throws InputError where it is empty.
    [[nodiscard]] std::string_view required(std::string_view key) const;
    /// The line where the event begins.
    [[nodiscard]] std::uint64_t line() const { return line_; }

    [[noreturn]] void fail(std::string_view expected, std::string_view found) const;

  private:
    Event read_text();
    Event read_start();
    Event read_end();
    /// Skips or reads what begins with `<!`; true when it was character data.
    bool read_declaration();
    void skip_past(std::string_view mark);
    std::string take_name();
    std::string take_value();
    void skip_spaces();
    void expect(char character);

    LineSource& source_;
    CharacterSource characters_;
    std::vector<std::string> open_;
    std::string name_;
    std::string text_;
    std::vector<std::pair<std::string, std::string>> attributes_;
    std::uint64_t line_ = 1;
    bool end_due_ = false;  ///< the last start closed itself: its end comes next
    bool any_ = false;
};

}  // namespace equipoise::network
