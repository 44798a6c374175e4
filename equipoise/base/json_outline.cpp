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
    if (first_) {
        if (const auto kind = kind_other_than_text(block))
            throw InputError(name_ + ": expected JSON, found " + std::string(*kind));
        // Windows begins files with a byte order mark, which the parser skips too.
        if (block.starts_with("\xEF\xBB\xBF")) block.remove_prefix(3);
    }
    first_ = false;
    for (std::size_t at = 0; at < block.size(); ++at) {
        const char c = block[at];
        if (c == '\n') ++line_;
        if (in_text_) {
            in_text_ = escaped_ || c != '"';
            escaped_ = !escaped_ && c == '\\';
        } else if (!is_blank(c)) {
            take(c, block.substr(at));
        }
    }
}

void JsonOutline::take(char c, std::string_view rest) {
    const bool opens = c == '{' || c == '[';
    if (levels_ == 0 && begun_) fail("nothing after the end of the document", rest);
    if (levels_ == 0 && !opens) fail("well-formed JSON", rest);
    if (static_cast<unsigned char>(c) < ' ') fail("well-formed JSON", rest);
    begun_ = true;
    if (opens && ++levels_ > json_levels_max)
        fail("at most " + std::to_string(json_levels_max) + " levels of nested objects and lists",
             rest);
    if (c == '}' || c == ']') --levels_;
    in_text_ = c == '"';
}

void JsonOutline::fail(const std::string& expected, std::string_view rest) const {
    throw InputError::at(name_, line_, expected, rest.substr(0, rest.find('\n')));
}

}  // namespace equipoise
