#include "equipoise/base/json_outline.hpp"

#include "equipoise/base/error.hpp"
#include "equipoise/base/file_kind.hpp"
#include "equipoise/base/json.hpp"

namespace equipoise {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

void JsonOutline::follow(std::string_view block) {
    const std::size_t whole = block.size();
    if (followed_ == 0) {
        if (const auto kind = kind_other_than_text(block))
            throw InputError(name_ + ": expected JSON, found " + std::string(*kind));
        // Windows begins files with a byte order mark, which the parser skips too.
        if (block.starts_with("\xEF\xBB\xBF")) block.remove_prefix(3);
    }
    const std::size_t begin = followed_ + whole - block.size();
    for (std::size_t at = 0; at < block.size(); ++at) {
        const char c = block[at];
        if (c == '\n') ++line_;
        if (in_text_) {
            in_text_ = escaped_ || c != '"';
            escaped_ = !escaped_ && c == '\\';
        } else if (levels_ == 0 && around_ == Around::lines) {
            pass_line(c, begin + at, block.substr(at));
        } else if (!is_blank(c)) {
            take(c, begin + at, block.substr(at));
        }
    }
    followed_ += whole;
}

/// A byte outside all documents: a line is skipped unless it begins one.
void JsonOutline::pass_line(char c, std::size_t at, std::string_view rest) {
    constexpr std::size_t skipped_max = std::size_t{1} << 20U;
    if (c == '\n') {
        line_state_ = LineState::blank;
    } else if (c == '{' && line_state_ == LineState::blank) {
        take(c, at, rest);
    } else if (c == '\0') {
        fail("well-formed JSON", rest);
    } else if (!is_blank(c)) {
        if (line_state_ == LineState::ends_document)
            fail("nothing after the end of the document", rest);
        line_state_ = LineState::other;
        if (at - (documents_.empty() ? 0 : documents_.back().end) > skipped_max)
            fail("a line that begins with {", rest);
    }
}

void JsonOutline::take(char c, std::size_t at, std::string_view rest) {
    const bool opens = c == '{' || c == '[';
    if (levels_ == 0 && around_ == Around::nothing && !documents_.empty())
        fail("nothing after the end of the document", rest);
    if (levels_ == 0 && !opens) fail("well-formed JSON", rest);
    if (static_cast<unsigned char>(c) < ' ') fail("well-formed JSON", rest);
    if (levels_ == 0) documents_.push_back({at, 0, line_});
    if (opens && ++levels_ > json_levels_max)
        fail("at most " + std::to_string(json_levels_max) + " levels of nested objects and lists",
             rest);
    if (c == '}' || c == ']') --levels_;
    in_text_ = c == '"';
    if (levels_ > 0) return;
    documents_.back().end = at + 1;
    line_state_ = LineState::ends_document;
}

void JsonOutline::fail(const std::string& expected, std::string_view rest) const {
    throw InputError::at(name_, line_, expected, rest.substr(0, rest.find('\n')));
}

}  // namespace equipoise
