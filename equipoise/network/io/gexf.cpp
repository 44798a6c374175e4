#include <map>
#include <string>
#include <utility>

#include "equipoise/network/io/declared_nodes.hpp"
#include "equipoise/network/io/xml_reader.hpp"

// GEXF, versions 1.1 to 1.3: elements `graph` (whose links may be directed by default),
// `attributes` of class node, whose elements `attribute` say which of them are coordinates, `node`
// with its label, `attvalue` and `position`, and `edge`, which may have a type of its own. A mutual
// link is one in both directions, and so undirected. Nodes inside nodes are refused. Anything about
// times is skipped.

namespace equipoise::network {

namespace {

class GexfParser {
  public:
    GexfParser(LineSource& source, const ParseOptions& options)
        : xml_(source), nodes_(source, options) {}

    RawNetwork parse() {
        xml_.next_root();
        if (xml_.name() != "gexf") xml_.fail("an element <gexf>", '<' + xml_.name() + '>');
        while (true) {
            switch (xml_.next()) {
                case XmlReader::Event::finished:
                    if (!graph_met_) xml_.fail("an element <graph>", "");
                    return nodes_.finish();
                case XmlReader::Event::start:
                    in_node_ ? start_in_node() : start();
                    break;
                case XmlReader::Event::end:
                    if (xml_.name() == "node" && in_node_) {
                        in_node_ = false;
                        nodes_.add_node(node_);
                    }
                    break;
                case XmlReader::Event::text:
                    break;
            }
        }
    }

  private:
    void start() {
        const std::string& name = xml_.name();
        if (name == "graph") {
            if (std::exchange(graph_met_, true)) xml_.fail("one flat graph", "<graph>");
            directed_line_ = xml_.line();
            directed_by_default_ = xml_.attribute("defaultedgetype") == "directed";
        } else if (name == "attributes") {
            of_nodes_ = xml_.attribute("class") == "node";
        } else if (name == "attribute" && of_nodes_) {
            meanings_[std::string(xml_.required("id"))] = meaning_of(xml_.attribute("title"));
        } else if (name == "node") {
            in_node_ = true;
            node_ = DeclaredNode{};
            node_.id = xml_.required("id");
            node_.label = xml_.attribute("label");
            node_.line = xml_.line();
        } else if (name == "edge") {
            start_edge();
        }
    }

    void start_in_node() {
        const std::string& name = xml_.name();
        if (name == "node") xml_.fail("one flat graph", "<node> inside <node>");
        if (name == "attvalue") {
            std::string_view key = xml_.attribute("for");
            if (key.empty()) key = xml_.attribute("id");  // version 1.1
            const auto found = meanings_.find(std::string(key));
            const bool names = found != meanings_.end() && found->second == Meaning::label;
            if (found != meanings_.end())
                node_.take(names ? Meaning::name : found->second, xml_.attribute("value"));
        } else if (name == "position") {
            node_.take(Meaning::x, xml_.attribute("x"));
            node_.take(Meaning::y, xml_.attribute("y"));
        }
    }

    void start_edge() {
        const std::string_view own = xml_.attribute("type");
        if (own == "directed") nodes_.set_directed(xml_.line(), R"(type="directed")");
        if (own.empty() && directed_by_default_)
            nodes_.set_directed(directed_line_, R"(defaultedgetype="directed")");
        nodes_.add_link(xml_.required("source"), xml_.required("target"), xml_.line());
    }

    XmlReader xml_;
    DeclaredNodes nodes_;
    std::map<std::string, Meaning> meanings_;  ///< of attributes, by their ids
    bool of_nodes_ = false;                    ///< whether attributes are those of nodes
    bool graph_met_ = false;
    bool directed_by_default_ = false;
    std::uint64_t directed_line_ = 0;
    bool in_node_ = false;
    DeclaredNode node_;
};

}  // namespace

RawNetwork parse_gexf(LineSource& source, const ParseOptions& options) {
    return GexfParser(source, options).parse();
}

}  // namespace equipoise::network
