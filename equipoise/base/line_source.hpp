#pragma once
// Lines of a text file, read in large blocks, and the words and numbers on them.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

/// The lines of a file or stream, one after the other, without ever holding the whole text.
///
/// Lines may end in LF, CRLF or CR; the last one needs no end; a byte order mark is skipped;
/// archives, compressed files and the like are refused with a message that names their kind, and
/// any other file at its first byte of value 0. Lines are given out in UTF-8; a line that is not
/// UTF-8 is taken for Windows-1252, which includes the printable characters of ISO 8859-1. Memory:
/// one block, or the longest line. Cost: about that of finding the ends of lines.
class LineSource {
  public:
    /// Opens a file. Throws InputError when it cannot be read.
    explicit LineSource(const std::string& path);
    /// Reads a stream that outlives this source; `name` stands for the file in messages.
    LineSource(std::istream& stream, std::string name);
    LineSource(LineSource&&) = default;
    LineSource& operator=(LineSource&&) = default;

    /// Steps to the next line; false at the end. `line` stays valid until the next call.
    bool next(std::string_view& line) {
        const char* const from = buffer_.data() + at_;
        const void* const end = at_ < filled_ ? find_newline(from, filled_ - at_) : nullptr;
        if (end == nullptr) return next_across_blocks(line);
        take(line, static_cast<std::size_t>(static_cast<const char*>(end) - from));
        ++at_;
        return true;
    }
    /// The beginning of the text, before any line is taken: a block, or all of a shorter text.
    [[nodiscard]] std::string_view beginning();
    /// Whether a line that was given out is not UTF-8 in the file.
    [[nodiscard]] bool windows_1252() const { return windows_1252_; }
    /// The number of the line that `next` gave last, counted from 1; 0 before the first.
    [[nodiscard]] std::uint64_t line_number() const { return line_number_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    /// The number of bytes, if it is known beforehand.
    [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }

    /// Begins again at the first line; false if the source cannot be read twice (a pipe).
    [[nodiscard]] bool rewind();

    /// Throws InputError `name:line: expected E, found "F"` for the current line.
    [[noreturn]] void fail(std::string_view expected, std::string_view found) const;
    /// The same without quotes, for findings that are not words of the text ("2 lines").
    [[noreturn]] void fail_plainly(std::string_view expected, std::string_view found) const;

  private:
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    static const void* find_newline(const char* from, std::size_t size);
    void take(std::string_view& line, std::size_t length) {
        const char* const from = buffer_.data() + at_;
        at_ += length;
        ++line_number_;
        if (length > 0 && from[length - 1] == '\r') --length;
        line = {from, length};
        if (beyond_ascii_) line = in_utf8(line);
    }
    /// The line itself, or its conversion from Windows-1252; valid until the next call.
    std::string_view in_utf8(std::string_view line);
    bool next_across_blocks(std::string_view& line);
    /// Reads more behind the text that is left; false at the end of the text.
    bool refill();
    void end_lines_at_lone_returns(std::size_t from);
    void expect_text(std::string_view block) const;
    void expect_no_other_kind() const;
    std::size_t read_some(char* to, std::size_t size);

    std::string name_;
    std::unique_ptr<std::FILE, Closer> file_;
    std::istream* stream_ = nullptr;
    std::optional<std::uint64_t> size_;
    std::vector<char> buffer_;
    std::size_t at_ = 0;      ///< first byte not yet given out
    std::size_t filled_ = 0;  ///< bytes of the buffer that hold text
    std::uint64_t line_number_ = 0;
    bool beyond_ascii_ = false;  ///< whether the buffer holds bytes from 128 on
    bool windows_1252_ = false;
    std::string converted_;  ///< the last line that was not UTF-8
};

/// Takes the next word, a run of characters other than blanks and tabs, off the front of `rest`;
/// empty when there is none.
[[nodiscard]] inline std::string_view take_word(std::string_view& rest) {
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    std::size_t from = 0;
    while (from < rest.size() && blank(rest[from]))
        ++from;
    std::size_t to = from;
    while (to < rest.size() && !blank(rest[to]))
        ++to;
    const std::string_view word = rest.substr(from, to - from);
    rest.remove_prefix(to);
    return word;
}

/// Parses a whole number: digits only, at most `most`; nothing for any other text.
[[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view text,
                                                        std::uint64_t most = UINT64_MAX);

/// Whether a text is how `std::to_string` would print the number it stands for.
[[nodiscard]] bool is_canonical_number(std::string_view text);

/// Parses a real number in decimal notation; nothing for any other text.
[[nodiscard]] std::optional<double> real_number(std::string_view text);

}  // namespace equipoise
