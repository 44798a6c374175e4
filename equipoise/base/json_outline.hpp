#pragma once
// JSON judged while it is being read.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

/// Follows brackets and texts through one document, or all documents among other lines, byte by
/// byte, in constant memory for each. `name`, which it borrows, stands for the text in messages.
class JsonOutline {
  public:
    /// What may stand around the objects and lists of a text.
    enum class Around : std::uint8_t { nothing, lines };

    /// A document, as bytes of the text; `end` is 0 if it is not complete.
    struct Span {
        std::size_t begin;
        std::size_t end;
        std::size_t line;  ///< on which it begins, counted from 1
    };

    explicit JsonOutline(const std::string& name, Around around = Around::nothing)
        : name_(name), around_(around) {}

    /// Takes the next bytes. Throws InputError at one that no document of at most `json_levels_max`
    /// levels can continue with, and at the beginning of a file that is not text.
    void follow(std::string_view block);

    /// The documents so far.
    [[nodiscard]] const std::vector<Span>& documents() const { return documents_; }

  private:
    /// What a line outside all documents has held so far.
    enum class LineState : std::uint8_t { blank, other, ends_document };

    void pass_line(char c, std::size_t at, std::string_view rest);
    void take(char c, std::size_t at, std::string_view rest);
    [[noreturn]] void fail(const std::string& expected, std::string_view rest) const;

    const std::string& name_;
    Around around_;
    std::size_t line_ = 1;
    std::size_t followed_ = 0;  ///< bytes
    int levels_ = 0;
    bool in_text_ = false;
    bool escaped_ = false;
    LineState line_state_ = LineState::blank;
    std::vector<Span> documents_;
};

}  // namespace equipoise
