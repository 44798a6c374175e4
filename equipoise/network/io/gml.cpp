#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/network/io/character_source.hpp"
#include "equipoise/network/io/declared_nodes.hpp"
#include "equipoise/network/io/entities.hpp"

// GML: nested lists of keys and values. Of the list `graph` the lists `node` (id, label, Longitude
// and Latitude or graphics x and y) and `edge` (source, target) are used; other keys are skipped.

namespace equipoise::network {

namespace {

enum class TokenKind : std::uint8_t { word, text, open, close, end };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string value;
    std::uint64_t line = 0;
};

class GmlParser {
  public:
    GmlParser(LineSource& source, const ParseOptions& options)
        : source_(source), characters_(source), nodes_(source, options) {}

    RawNetwork parse() {
        bool graph_met = false;
        while (true) {
            const Token key = next();
            if (key.kind == TokenKind::end) break;
            expect_key(key);
            if (key.value != "graph") {
                skip_value(key);
            } else if (std::exchange(graph_met, true)) {
                fail(key.line, "one graph in the file", key.value);
            } else {
                read_graph(key);
            }
        }
        if (!graph_met) fail(source_.line_number(), R"(a list "graph [ ... ]")", "");
        return nodes_.finish();
    }

  private:
    [[noreturn]] void fail(std::uint64_t line, std::string_view expected,
                           std::string_view found) const {
        throw InputError::at(source_.name(), std::max<std::uint64_t>(line, 1), expected, found);
    }
    void expect_key(const Token& token) const {
        if (token.kind != TokenKind::word) fail(token.line, "a key", token.value);
    }

    Token next() {
        int character = characters_.peek();
        while (is_space(character) || character == '#') {
            if (character == '#')
                while (characters_.peek() != '\n' && characters_.peek() != CharacterSource::end)
                    characters_.take();
            else
                characters_.take();
            character = characters_.peek();
        }
        Token token;
        token.line = characters_.line();
        if (character == CharacterSource::end) return token;
        if (character == '"') return quoted(std::move(token));
        if (character == '[' || character == ']') {
            token.kind = character == '[' ? TokenKind::open : TokenKind::close;
            token.value = static_cast<char>(characters_.take());
            return token;
        }
        token.kind = TokenKind::word;
        while (character != CharacterSource::end && !is_space(character) && character != '[' &&
               character != ']' && character != '"') {
            token.value += static_cast<char>(characters_.take());
            character = characters_.peek();
        }
        return token;
    }

    Token quoted(Token token) {
        token.kind = TokenKind::text;
        characters_.take();
        while (characters_.peek() != '"') {
            if (characters_.peek() == CharacterSource::end)
                fail(token.line, R"(a string that ends in ")", token.value);
            token.value += static_cast<char>(characters_.take());
        }
        characters_.take();
        token.value = without_entities(token.value);
        return token;
    }

    /// The value of a key that must be a word, a number or a text.
    Token scalar(const Token& key) {
        Token value = next();
        if (value.kind != TokenKind::word && value.kind != TokenKind::text)
            fail(value.line, R"(a value of ")" + key.value + "\"", value.value);
        return value;
    }

    void open(const Token& key) {
        const Token bracket = next();
        if (bracket.kind != TokenKind::open)
            fail(bracket.line, R"("[" after ")" + key.value + "\"", bracket.value);
    }

    /// The next key of an open list; false at its end.
    bool next_key(Token& key, const Token& list) {
        key = next();
        if (key.kind == TokenKind::close) return false;
        if (key.kind == TokenKind::end)
            fail(list.line, R"("]" at the end of ")" + list.value + "\"", "");
        expect_key(key);
        return true;
    }

    void skip_value(const Token& key) { skip_rest(key, next()); }

    /// Keeps a single value, skips a list.
    void take_attribute(std::vector<Attribute>& attributes, const Token& key) {
        const Token value = next();
        if (value.kind != TokenKind::word && value.kind != TokenKind::text)
            return skip_rest(key, value);
        attributes.push_back({key.value, value.value, value.line});
    }

    /// Skips the value of a key, whose first token has been read.
    void skip_rest(const Token& key, const Token& value) {
        if (value.kind == TokenKind::close || value.kind == TokenKind::end)
            fail(value.line, R"(a value of ")" + key.value + "\"", value.value);
        if (value.kind != TokenKind::open) return;
        for (std::uint64_t depth = 1; depth > 0;) {
            const Token token = next();
            if (token.kind == TokenKind::end)
                fail(key.line, R"("]" at the end of ")" + key.value + "\"", "");
            if (token.kind == TokenKind::open) ++depth;
            if (token.kind == TokenKind::close) --depth;
        }
    }

    /// A value whose key may hold a list with another meaning in other files.
    void take_if_scalar(DeclaredNode& node, Meaning meaning, const Token& key) {
        const Token value = next();
        if (value.kind == TokenKind::word || value.kind == TokenKind::text)
            return node.take(meaning, value.value);
        skip_rest(key, value);
    }

    void read_graph(const Token& graph) {
        open(graph);
        Token key;
        while (next_key(key, graph)) {
            if (key.value == "node") {
                read_node(key);
            } else if (key.value == "edge") {
                read_edge(key);
            } else if (key.value == "directed") {
                const Token value = scalar(key);
                if (value.value == "1") nodes_.set_directed(value.line, "directed 1");
            } else if (key.value == "label") {
                std::vector<Attribute> label;
                take_attribute(label, key);
                if (!label.empty()) nodes_.set_label(label.front().value);
            } else {
                skip_value(key);
            }
        }
    }

    void read_node(const Token& list) {
        open(list);
        DeclaredNode node;
        node.line = list.line;
        Token key;
        while (next_key(key, list)) {
            if (key.value == "id") {
                node.id = scalar(key).value;
            } else if (key.value == "label") {
                node.label = scalar(key).value;
            } else if (const std::string word = lower_case(key.value);
                       word == "longitude" || word == "latitude") {
                take_if_scalar(node, meaning_of(word), key);
            } else if (key.value == "graphics") {
                read_graphics(key, node);
            } else {
                take_attribute(node.attributes, key);
            }
        }
        if (node.id.empty()) fail(list.line, R"(an "id" of the node)", "");
        nodes_.add_node(node);
    }

    void read_graphics(const Token& list, DeclaredNode& node) {
        if (const Token first = next(); first.kind != TokenKind::open)
            return skip_rest(list, first);
        Token key;
        while (next_key(key, list)) {
            if (key.value == "x" || key.value == "y") {
                take_if_scalar(node, meaning_of(key.value), key);
            } else {
                skip_value(key);
            }
        }
    }

    void read_edge(const Token& list) {
        open(list);
        std::string tail;
        std::string head;
        std::vector<Attribute> attributes;
        Token key;
        while (next_key(key, list)) {
            if (key.value == "source") {
                tail = scalar(key).value;
            } else if (key.value == "target") {
                head = scalar(key).value;
            } else {
                take_attribute(attributes, key);
            }
        }
        if (tail.empty()) fail(list.line, R"(a "source" of the edge)", "");
        if (head.empty()) fail(list.line, R"(a "target" of the edge)", "");
        nodes_.add_link(tail, head, list.line, std::move(attributes));
    }

    LineSource& source_;
    CharacterSource characters_;
    DeclaredNodes nodes_;
};

}  // namespace

RawNetwork parse_gml(LineSource& source, const ParseOptions& options) {
    return GmlParser(source, options).parse();
}

}  // namespace equipoise::network
