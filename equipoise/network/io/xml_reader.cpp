#include "equipoise/network/io/xml_reader.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/network/io/entities.hpp"

namespace equipoise::network {

namespace {

bool ends_a_name(int character) {
    return character == CharacterSource::end || is_space(character) || character == '=' ||
           character == '>' || character == '/' || character == '<' || character == '"' ||
           character == '\'';
}

std::string without_prefix(const std::string& name) {
    const std::size_t colon = name.rfind(':');
    return colon == std::string::npos ? name : name.substr(colon + 1);
}

std::string shown(int character) {
    return character == CharacterSource::end ? std::string()
                                             : std::string(1, static_cast<char>(character));
}

}  // namespace

void XmlReader::fail(std::string_view expected, std::string_view found) const {
    throw InputError::at(source_.name(), std::max<std::uint64_t>(line_, 1), expected, found);
}

std::string_view XmlReader::attribute(std::string_view key) const {
    for (const auto& [name, value] : attributes_)
        if (name == key) return value;
    return {};
}

std::string_view XmlReader::required(std::string_view key) const {
    const std::string_view value = attribute(key);
    if (value.empty()) fail(R"(an attribute ")" + std::string(key) + R"(" of <)" + name_ + ">", "");
    return value;
}

void XmlReader::next_root() {
    Event event = next();
    while (event == Event::text)
        event = next();
}

XmlReader::Event XmlReader::next() {
    if (end_due_) {
        end_due_ = false;
        return Event::end;
    }
    while (true) {
        line_ = characters_.line();
        const int character = characters_.peek();
        if (character == CharacterSource::end) {
            if (!open_.empty()) fail("</" + open_.back() + ">", "");
            if (!any_) fail("an XML element", "");
            return Event::finished;
        }
        if (character != '<') return read_text();
        characters_.take();
        switch (characters_.peek()) {
            case '?':
                skip_past("?>");
                break;
            case '!':
                if (read_declaration()) return Event::text;
                break;
            case '/':
                return read_end();
            default:
                return read_start();
        }
    }
}

XmlReader::Event XmlReader::read_text() {
    text_.clear();
    while (characters_.peek() != '<' && characters_.peek() != CharacterSource::end)
        text_ += static_cast<char>(characters_.take());
    if (open_.empty()) {
        const std::size_t from = text_.find_first_not_of(" \t\r\n");
        if (from != std::string::npos)
            fail("an XML element", text_.substr(from, text_.find_first_of("\r\n", from) - from));
    }
    text_ = without_entities(text_);
    return Event::text;
}

XmlReader::Event XmlReader::read_start() {
    name_ = take_name();
    attributes_.clear();
    any_ = true;
    while (true) {
        skip_spaces();
        const int character = characters_.peek();
        if (character == '>') {
            characters_.take();
            open_.push_back(name_);
            return Event::start;
        }
        if (character == '/') {
            characters_.take();
            expect('>');
            end_due_ = true;
            return Event::start;
        }
        std::string key = take_name();
        skip_spaces();
        expect('=');
        skip_spaces();
        attributes_.emplace_back(std::move(key), take_value());
    }
}

XmlReader::Event XmlReader::read_end() {
    characters_.take();
    name_ = take_name();
    skip_spaces();
    expect('>');
    if (open_.empty() || open_.back() != name_)
        fail(open_.empty() ? "no closing tag" : "</" + open_.back() + ">", "</" + name_ + ">");
    open_.pop_back();
    return Event::end;
}

bool XmlReader::read_declaration() {
    characters_.take();
    if (characters_.peek() == '-') {
        skip_past("-->");
        return false;
    }
    if (characters_.peek() == '[') {
        constexpr std::string_view opening = "[CDATA[";
        constexpr std::string_view closing = "]]>";
        for (const char c : opening)
            expect(c);
        text_.clear();
        while (!text_.ends_with(closing)) {
            if (characters_.peek() == CharacterSource::end) fail(closing, "");
            text_ += static_cast<char>(characters_.take());
        }
        text_.resize(text_.size() - closing.size());
        return true;
    }
    // A document type, which may have declarations of its own in brackets.
    for (std::int64_t depth = 1; depth > 0;) {
        const int character = characters_.take();
        if (character == CharacterSource::end) fail(R"(">" at the end of a declaration)", "");
        if (character == '<') ++depth;
        if (character == '>') --depth;
    }
    return false;
}

void XmlReader::skip_past(std::string_view mark) {
    std::string last;
    while (last != mark) {
        const int character = characters_.take();
        if (character == CharacterSource::end) fail(mark, "");
        last += static_cast<char>(character);
        if (last.size() > mark.size()) last.erase(0, 1);
    }
}

std::string XmlReader::take_name() {
    std::string name;
    while (!ends_a_name(characters_.peek()))
        name += static_cast<char>(characters_.take());
    name = without_prefix(name);
    if (name.empty()) fail("a name", shown(characters_.peek()));
    return name;
}

std::string XmlReader::take_value() {
    const int quote = characters_.take();
    if (quote != '"' && quote != '\'') fail("a value in quotes", shown(quote));
    std::string value;
    while (characters_.peek() != quote) {
        if (characters_.peek() == CharacterSource::end) fail("a closing quote", "");
        value += static_cast<char>(characters_.take());
    }
    characters_.take();
    return without_entities(value);
}

void XmlReader::skip_spaces() {
    while (is_space(characters_.peek()))
        characters_.take();
}

void XmlReader::expect(char character) {
    const int found = characters_.take();
    if (found != character) fail(std::string("\"") + character + "\"", shown(found));
}

}  // namespace equipoise::network
