#include <map>
#include <string>
#include <utility>
#include <vector>

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
        nodes_.set_label(xml_.attribute("id"));
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
            const std::string id(xml_.attribute("id"));
            attribute_names_[id] = xml_.attribute("attr.name");
            if (xml_.attribute("for") != "edge")
                meanings_[id] = meaning_of(xml_.attribute("attr.name"));
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
        } else if (in_edge_ && name == "data") {
            begin_reading(name, Meaning::nothing);
        }
    }

    void start_in_node(const std::string& name) {
        if (name == "data") {
            const auto found = meanings_.find(std::string(xml_.attribute("key")));
            begin_reading(name, found == meanings_.end() ? Meaning::nothing : found->second);
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
        in_edge_ = true;
        source_ = xml_.required("source");
        target_ = xml_.required("target");
        edge_line_ = xml_.line();
        edge_attributes_.clear();
    }

    void begin_reading(const std::string& element, Meaning meaning) {
        reading_ = element;
        reading_key_ = xml_.attribute("key");
        reading_line_ = xml_.line();
        meaning_ = meaning;
        text_.clear();
    }

    void end() {
        if (!reading_.empty() && xml_.name() == reading_) {
            reading_.clear();
            take_text();
        } else if (xml_.name() == "edge" && in_edge_) {
            in_edge_ = false;
            nodes_.add_link(source_, target_, edge_line_, std::move(edge_attributes_));
        } else if (xml_.name() == "node") {
            in_node_ = false;
            nodes_.add_node(node_);
        }
    }

    void take_text() {
        if (!in_edge_) node_.take(meaning_, text_);
        const auto found = attribute_names_.find(reading_key_);
        if (meaning_ != Meaning::nothing || found == attribute_names_.end()) return;
        (in_edge_ ? edge_attributes_ : node_.attributes)
            .push_back({found->second, label_of(text_), reading_line_});
    }

    XmlReader xml_;
    DeclaredNodes nodes_;
    std::map<std::string, std::string> attribute_names_;  ///< of data keys
    std::map<std::string, Meaning> meanings_;             ///< of data keys
    bool graph_met_ = false;
    std::string directed_by_default_;  ///< what says so, or empty
    std::uint64_t directed_line_ = 0;
    bool in_node_ = false;
    DeclaredNode node_;
    bool in_edge_ = false;
    std::string source_;  ///< of the edge
    std::string target_;
    std::uint64_t edge_line_ = 0;
    std::vector<Attribute> edge_attributes_;
    std::string reading_;      ///< the element whose text is being read, or empty
    std::string reading_key_;  ///< its data key
    std::uint64_t reading_line_ = 0;
    Meaning meaning_ = Meaning::nothing;
    std::string text_;
};

}  // namespace

RawNetwork parse_graphml(LineSource& source, const ParseOptions& options) {
    return GraphmlParser(source, options).parse();
}

}  // namespace equipoise::network
