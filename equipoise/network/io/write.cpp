#include "equipoise/network/io/write.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/network/io/declared_nodes.hpp"
#include "equipoise/network/io/edge_list_writer.hpp"
#include "equipoise/network/io/entities.hpp"
#include "equipoise/network/io/read.hpp"

namespace equipoise::network {

namespace {

/// Calls `use(tail, head)` for every link, tail < head, in the order of their numbers.
template <class F>
void for_each_link(const AnyNetwork& network, F&& use) {
    network.visit([&](const auto& graph) {
        for (NodeId node = 0; node < graph.node_count(); ++node)
            for (Port port = 0; port < graph.degree(node); ++port)
                if (const NodeId other = graph.neighbour(node, port); node < other)
                    use(node, other);
    });
}

std::string shortest(double value) {
    std::array<char, 32> digits{};
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return {digits.data(), result.ptr};
}

std::string number_from_one(NodeId node) {
    return std::to_string(std::uint64_t{node} + 1);
}

void expect_distinct(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    const auto twin = std::adjacent_find(names.begin(), names.end());
    if (twin != names.end())
        throw InputError("edge list: expected a name of its own for every node, found \"" +
                         printable(beginning_of(*twin)) + "\" twice");
}

void write_edge_list(const AnyNetwork& network, AtomicFile& file) {
    const std::vector<std::string>& names = network.labels().names;
    expect_distinct(names);
    const bool numbers = std::all_of(names.begin(), names.end(), is_canonical_number);
    EdgeListWriter writer(file, network.node_count(), network.link_count());
    for (NodeId node = 0; node < network.node_count(); ++node)
        if (!numbers || network.degree(node) == 0) writer.declare(network.name(node));
    for_each_link(network, [&](NodeId tail, NodeId head) {
        writer.link(network.name(tail), network.name(head));
    });
}

void write_metis(const AnyNetwork& network, AtomicFile& file) {
    file.write(std::to_string(network.node_count()) + " " + std::to_string(network.link_count()) +
               "\n");
    std::string row;
    for (NodeId node = 0; node < network.node_count(); ++node) {
        row.clear();
        for (Port port = 0; port < network.degree(node); ++port) {
            if (port > 0) row += ' ';
            row += number_from_one(network.neighbour(node, port));
        }
        row += '\n';
        file.write(row);
    }
}

void write_matrix_market(const AnyNetwork& network, AtomicFile& file) {
    const std::string nodes = std::to_string(network.node_count());
    file.write("%%MatrixMarket matrix coordinate pattern symmetric\n" + nodes + " " + nodes + " " +
               std::to_string(network.link_count()) + "\n");
    for_each_link(network, [&](NodeId tail, NodeId head) {  // below the diagonal: row > column
        file.write(number_from_one(head) + " " + number_from_one(tail) + "\n");
    });
}

/// Throws InputError unless every node keeps a name of its own when the file is read again.
void expect_labels_to_last(const AnyNetwork& network, const std::string& path) {
    std::vector<std::string> labels;
    for (const std::string& name : network.labels().names)
        labels.push_back(label_of(name));
    std::sort(labels.begin(), labels.end());
    const auto twin = std::adjacent_find(labels.begin(), labels.end());
    if (twin != labels.end())
        throw InputError(path + ": expected a name of its own for every node, found \"" + *twin +
                         "\" twice");
    if (!labels.empty() && labels.front().empty())
        throw InputError(path + ": expected a name for every node, found an empty one");
}

void write_gml(const AnyNetwork& network, AtomicFile& file) {
    const Labels& labels = network.labels();
    const auto id = [&](NodeId node) {
        return labels.names.empty() ? network.name(node) : std::to_string(node);
    };
    file.write("graph [\n  directed 0\n");
    for (NodeId node = 0; node < network.node_count(); ++node) {
        file.write("  node [\n    id " + id(node) + "\n");
        if (!labels.names.empty())
            file.write(R"(    label ")" + with_entities(labels.names[node]) + "\"\n");
        if (!labels.positions.empty())
            file.write("    Longitude " + shortest(labels.positions[node].x) + "\n    Latitude " +
                       shortest(labels.positions[node].y) + "\n");
        file.write("  ]\n");
    }
    for_each_link(network, [&](NodeId tail, NodeId head) {
        file.write("  edge [\n    source " + id(tail) + "\n    target " + id(head) + "\n  ]\n");
    });
    file.write("]\n");
}

void write_graphml(const AnyNetwork& network, AtomicFile& file) {
    const Labels& labels = network.labels();
    const auto id = [&](NodeId node) {
        return labels.names.empty() ? network.name(node) : "n" + std::to_string(node);
    };
    file.write(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "  <key id=\"label\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n"
        "  <key id=\"x\" for=\"node\" attr.name=\"Longitude\" attr.type=\"double\"/>\n"
        "  <key id=\"y\" for=\"node\" attr.name=\"Latitude\" attr.type=\"double\"/>\n"
        "  <graph edgedefault=\"undirected\">\n");
    for (NodeId node = 0; node < network.node_count(); ++node) {
        file.write(R"(    <node id=")" + id(node) + R"(">)");
        if (!labels.names.empty())
            file.write(R"(<data key="label">)" + with_entities(labels.names[node]) + "</data>");
        if (!labels.positions.empty())
            file.write(R"(<data key="x">)" + shortest(labels.positions[node].x) +
                       R"(</data><data key="y">)" + shortest(labels.positions[node].y) + "</data>");
        file.write("</node>\n");
    }
    for_each_link(network, [&](NodeId tail, NodeId head) {
        file.write(R"(    <edge source=")" + id(tail) + R"(" target=")" + id(head) + "\"/>\n");
    });
    file.write("  </graph>\n</graphml>\n");
}

std::string dot_text(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

void write_dot(const AnyNetwork& network, AtomicFile& file) {
    const Labels& labels = network.labels();
    file.write("graph {\n");
    for (NodeId node = 0; node < network.node_count(); ++node) {
        file.write("  " + std::to_string(node) + " [label=" + dot_text(network.name(node)));
        if (!labels.positions.empty())
            file.write(R"(, pos=")" + shortest(labels.positions[node].x) + "," +
                       shortest(labels.positions[node].y) + "\"");
        file.write("];\n");
    }
    for_each_link(network, [&](NodeId tail, NodeId head) {
        file.write("  " + std::to_string(tail) + " -- " + std::to_string(head) + ";\n");
    });
    file.write("}\n");
}

}  // namespace

void write(const AnyNetwork& network, const std::string& path) {
    const auto format = format_of_path(path);
    const bool dot = path.ends_with(".dot");
    if (format == Format::gexf || (!format && !dot))
        throw InputError(path +
                         ": expected a file name that ends in .edges, .edgelist, .txt, .graph, "
                         ".metis, .mtx, .gml, .graphml or .dot");
    if (format == Format::gml || format == Format::graphml) expect_labels_to_last(network, path);
    AtomicFile file(path);
    if (dot) {
        write_dot(network, file);
    } else {
        switch (*format) {
            case Format::metis:
                write_metis(network, file);
                break;
            case Format::matrix_market:
                write_matrix_market(network, file);
                break;
            case Format::gml:
                write_gml(network, file);
                break;
            case Format::graphml:
                write_graphml(network, file);
                break;
            case Format::automatic:
            case Format::gexf:
            case Format::edge_list:
                write_edge_list(network, file);
                break;
        }
    }
    file.commit();
}

}  // namespace equipoise::network
