#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "equipoise/network/io/declared_nodes.hpp"
#include "equipoise/network/io/xml_reader.hpp"

// GraphML: elements `key` (which data are labels and coordinates), `graph`, `node` and `edge`.
// Labels are data named label or name, or NodeLabel of yEd; coordinates are Longitude and Latitude,
// x and y, or Geometry of yEd. Nested graphs and hyperedges are refused.

namespace equipoise::network {

namespace {

enum class Meaning : std::uint8_t { nothing, label, name, x, y };

Meaning meaning_of(std::string_view attribute_name) {
    std::string word(attribute_name);
    for (char& c : word)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (word == "label") return Meaning::label;
    if (word == "name") return Meaning::name;
    if (word == "longitude" || word == "lon" || word == "x") return Meaning::x;
    if (word == "latitude" || word == "lat" || word == "y") return Meaning::y;
    return Meaning::nothing;
}

class GraphmlParser {
  public:
    GraphmlParser(LineSource& source, const ParseOptions& options)
        : xml_(source), nodes_(source, options) {}

    RawNetwork parse() {
        bool graph_met = false;
        while (true) {
            switch (xml_.next()) {
                case XmlReader::Event::finished:
                    if (!graph_met) xml_.fail("an element <graph>", "");
                    return nodes_.finish();
                case XmlReader::Event::start:
                    if (xml_.name() == "graph") {
                        if (std::exchange(graph_met, true)) xml_.fail("one flat graph", "<graph>");
                        directed_line_ = xml_.line();
                        directed_by_default_ = xml_.attribute("edgedefault") == "directed";
                    } else {
                        start();
                    }
                    break;
                case XmlReader::Event::end:
                    end();
                    break;
                case XmlReader::Event::text:
                    if (!reading_.empty()) text_ += xml_.text();
                    break;
            }
        }
    }

  private:
    void start() {
        const std::string& name = xml_.name();
        if (name == "hyperedge") xml_.fail("links between two nodes", "<hyperedge>");
        if (name == "key") {
            if (xml_.attribute("for") != "edge")
                meanings_[std::string(xml_.attribute("id"))] =
                    meaning_of(xml_.attribute("attr.name"));
        } else if (name == "node") {
            if (in_node_) xml_.fail("the end of the previous node", "<node>");
            in_node_ = true;
            node_ = DeclaredNode{};
            node_.id = required("id");
            node_.line = xml_.line();
            plain_name_.clear();
        } else if (name == "edge") {
            start_edge();
        } else if (in_node_) {
            start_in_node(name);
        }
    }

    void start_in_node(const std::string& name) {
        if (name == "data") {
            const auto found = meanings_.find(std::string(xml_.attribute("key")));
            if (found == meanings_.end() || found->second == Meaning::nothing) return;
            begin_reading(name, found->second);
        } else if (name == "NodeLabel") {
            begin_reading(name, Meaning::label);
        } else if (name == "Geometry") {
            node_.x = coordinate(xml_.attribute("x"));
            node_.y = coordinate(xml_.attribute("y"));
        }
    }

    void start_edge() {
        const std::string_view own = xml_.attribute("directed");
        if (own == "true") nodes_.set_directed(xml_.line(), R"(directed="true")");
        if (own.empty() && directed_by_default_)
            nodes_.set_directed(directed_line_, R"(edgedefault="directed")");
        nodes_.add_link(required("source"), required("target"), xml_.line());
    }

    void begin_reading(const std::string& element, Meaning meaning) {
        reading_ = element;
        meaning_ = meaning;
        text_.clear();
    }

    void end() {
        if (!reading_.empty() && xml_.name() == reading_) {
            reading_.clear();
            switch (meaning_) {
                case Meaning::label:
                    node_.label = text_;
                    break;
                case Meaning::name:
                    plain_name_ = text_;
                    break;
                case Meaning::x:
                    node_.x = coordinate(text_);
                    break;
                case Meaning::y:
                    node_.y = coordinate(text_);
                    break;
                case Meaning::nothing:
                    break;
            }
        } else if (xml_.name() == "node") {
            in_node_ = false;
            if (node_.label.empty()) node_.label = plain_name_;
            nodes_.add_node(node_);
        }
    }

    /// The number that a text is; nothing if it is blank.
    [[nodiscard]] std::optional<double> coordinate(std::string_view text) const {
        while (!text.empty() && is_space(text.front()))
            text.remove_prefix(1);
        while (!text.empty() && is_space(text.back()))
            text.remove_suffix(1);
        if (text.empty()) return std::nullopt;
        const auto number = real_number(text);
        if (!number) xml_.fail("a number as coordinate", text);
        return number;
    }

    [[nodiscard]] std::string_view required(std::string_view key) const {
        const std::string_view value = xml_.attribute(key);
        if (value.empty())
            xml_.fail(R"(an attribute ")" + std::string(key) + R"(" of <)" + xml_.name() + ">", "");
        return value;
    }

    XmlReader xml_;
    DeclaredNodes nodes_;
    std::map<std::string, Meaning> meanings_;  ///< of data keys
    bool directed_by_default_ = false;
    std::uint64_t directed_line_ = 0;
    bool in_node_ = false;
    DeclaredNode node_;
    std::string plain_name_;
    std::string reading_;  ///< the element whose text is being read, or empty
    Meaning meaning_ = Meaning::nothing;
    std::string text_;
};

}  // namespace

RawNetwork parse_graphml(LineSource& source, const ParseOptions& options) {
    return GraphmlParser(source, options).parse();
}

}  // namespace equipoise::network
