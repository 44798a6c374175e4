#include <map>
#include <string>
#include <utility>

#include "equipoise/network/io/declared_nodes.hpp"
#include "equipoise/network/io/xml_reader.hpp"

// GraphML: elements `key`, which say which data are labels and coordinates, and `graph`, `node` and
// `edge`. Labels are data named label or name, or yEd's NodeLabel; coordinates are Longitude and
// Latitude, else x and y, or yEd's Geometry. Nested graphs and hyperedges are refused.

namespace equipoise::network {

namespace {

class GraphmlParser {
  public:
    GraphmlParser(LineSource& source, const ParseOptions& options)
        : xml_(source), nodes_(source, options) {}

    RawNetwork parse() {
        start_root();
        while (true) {
            switch (xml_.next()) {
                case XmlReader::Event::finished:
                    if (!graph_met_) xml_.fail("an element <graph>", "");
                    return nodes_.finish();
                case XmlReader::Event::start:
                    xml_.name() == "graph" ? start_graph() : start();
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
    /// Other kinds of XML have elements called node and edge too, which mean something else.
    void start_root() {
        xml_.next_root();
        const std::string_view space = xml_.attribute("xmlns");
        const bool foreign = !space.empty() && space.find("graphml") == std::string_view::npos;
        if (xml_.name() == "graphml") return;
        if (xml_.name() != "graph" || foreign)
            xml_.fail(
                "an element <graphml>",
                '<' + xml_.name() + (foreign ? " xmlns=\"" + std::string(space) + '"' : "") + '>');
        start_graph();
    }

    void start_graph() {
        if (std::exchange(graph_met_, true)) xml_.fail("one flat graph", "<graph>");
        directed_line_ = xml_.line();
        // Files without a root spell this attribute as XGMML does.
        const std::string_view directed = xml_.attribute("directed");
        if (xml_.attribute("edgedefault") == "directed") {
            directed_by_default_ = R"(edgedefault="directed")";
        } else if (directed == "1" || directed == "true") {
            directed_by_default_ = R"(directed=")" + std::string(directed) + '"';
        }
    }

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
            node_.id = xml_.required("id");
            node_.line = xml_.line();
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
            node_.take(Meaning::x, xml_.attribute("x"));
            node_.take(Meaning::y, xml_.attribute("y"));
        }
    }

    void start_edge() {
        const std::string_view own = xml_.attribute("directed");
        if (own == "true") nodes_.set_directed(xml_.line(), R"(directed="true")");
        if (own.empty() && !directed_by_default_.empty())
            nodes_.set_directed(directed_line_, directed_by_default_);
        nodes_.add_link(xml_.required("source"), xml_.required("target"), xml_.line());
    }

    void begin_reading(const std::string& element, Meaning meaning) {
        reading_ = element;
        meaning_ = meaning;
        text_.clear();
    }

    void end() {
        if (!reading_.empty() && xml_.name() == reading_) {
            reading_.clear();
            node_.take(meaning_, text_);
        } else if (xml_.name() == "node") {
            in_node_ = false;
            nodes_.add_node(node_);
        }
    }

    XmlReader xml_;
    DeclaredNodes nodes_;
    std::map<std::string, Meaning> meanings_;  ///< of data keys
    bool graph_met_ = false;
    std::string directed_by_default_;  ///< what says so, or empty
    std::uint64_t directed_line_ = 0;
    bool in_node_ = false;
    DeclaredNode node_;
    std::string reading_;  ///< the element whose text is being read, or empty
    Meaning meaning_ = Meaning::nothing;
    std::string text_;
};

}  // namespace

RawNetwork parse_graphml(LineSource& source, const ParseOptions& options) {
    return GraphmlParser(source, options).parse();
}

}  // namespace equipoise::network
