#include "equipoise/network/generators/link_stream.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/network/generators/checked_nodes.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/generators/random.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/network/io/edge_list_writer.hpp"

namespace equipoise::network {

namespace {

using Visit = LinkStream::Visit;

/// The largest number that a node may have, and be counted.
constexpr std::uint64_t node_most = std::uint64_t{no_node} - 2;

LinkStream stream_grid(Grid grid) {
    const NodeId count = grid.node_count();
    return {count, [grid = std::move(grid)](NodeId first, NodeId last, const Visit& visit) {
                for (NodeId node = first; node < last; ++node)
                    for (Port port = 0; port < grid.degree(node); ++port)
                        visit(node, grid.neighbour(node, port));
            }};
}

LinkStream stream_sides(const Spec& spec, Grid::Shape shape) {
    std::vector<NodeId> sides;
    for (const std::uint64_t side : spec.sides(1, no_node - 1))
        sides.push_back(static_cast<NodeId>(side));
    return stream_grid(Grid(std::move(sides), shape));
}

LinkStream stream_hypercube(unsigned dimension) {
    return {NodeId{1} << dimension, [dimension](NodeId first, NodeId last, const Visit& visit) {
                for (NodeId node = first; node < last; ++node)
                    for (unsigned bit = 0; bit < dimension; ++bit)
                        visit(node, node ^ NodeId{1} << bit);
            }};
}

/// v is linked to (v * base + digit) mod n, and so from v / base + digit * n / base.
LinkStream stream_de_bruijn(NodeId base, unsigned digits) {
    std::uint64_t count = 1;
    for (unsigned i = 0; i < digits; ++i)
        count = checked_nodes(count * base);
    return {
        static_cast<NodeId>(count), [base, count](NodeId first, NodeId last, const Visit& visit) {
            for (NodeId node = first; node < last; ++node)
                for (NodeId digit = 0; digit < base; ++digit) {
                    visit(node, static_cast<NodeId>((std::uint64_t{node} * base + digit) % count));
                    visit(static_cast<NodeId>(node / base + digit * (count / base)), node);
                }
        }};
}

/// Calls `visit` for every line of two numbers of a file, and with a loop for every node that a
/// comment declares.
void read_links(LineSource& source, const Visit& visit) {
    const auto end_of = [&](std::string_view& rest, std::string_view line) {
        const auto number = whole_number(take_word(rest), node_most);
        if (!number) source.fail("two numbers of nodes, counted from 0", line);
        return static_cast<NodeId>(*number);
    };
    std::string_view line;
    while (source.next(line)) {
        std::string_view rest = line;
        const std::string_view word = take_word(rest);
        if (line.starts_with(node_mark)) {
            rest = line.substr(node_mark.size());
            const NodeId node = end_of(rest, line);
            visit(node, node);
        }
        if (word.empty() || word.front() == '#' || word.front() == '%') continue;
        rest = line;
        const NodeId tail = end_of(rest, line);
        visit(tail, end_of(rest, line));
    }
}

LinkStream stream_file(const std::string& path) {
    LinkStream stream;
    LineSource source(path);
    read_links(source, [&](NodeId tail, NodeId head) {
        stream.node_count = std::max({stream.node_count, tail + 1, head + 1});
    });
    stream.each_link = [path](NodeId /*first*/, NodeId /*last*/, const Visit& visit) {
        LineSource again(path);
        read_links(again, visit);
    };
    return stream;
}

}  // namespace

LinkStream stream_links(std::string_view spec, std::uint64_t seed) {
    if (!names_generator(spec)) return stream_file(std::string(spec));
    const Spec parsed = Spec::parse(spec);
    const auto nodes = [&](std::string_view key, std::uint64_t least, std::uint64_t most) {
        return static_cast<NodeId>(parsed.whole(key, least, most));
    };
    LinkStream stream;
    if (parsed.name() == "path") {
        stream = stream_grid(Grid({nodes("n", 1, node_most)}, Grid::Shape::mesh));
    } else if (parsed.name() == "cycle") {
        stream = stream_grid(Grid({nodes("n", 3, node_most)}, Grid::Shape::torus));
    } else if (parsed.name() == "mesh") {
        stream = stream_sides(parsed, Grid::Shape::mesh);
    } else if (parsed.name() == "torus") {
        stream = stream_sides(parsed, Grid::Shape::torus);
    } else if (parsed.name() == "hypercube") {
        stream = stream_hypercube(nodes("d", 0, 31));
    } else if (parsed.name() == "de-bruijn") {
        const auto base = static_cast<NodeId>(parsed.whole("k", 2, 65535, 2));
        stream = stream_de_bruijn(base, nodes("d", 1, 31));
    } else if (parsed.name() == "gnp") {
        stream.node_count = nodes("n", 1, node_most);
        const double probability = parsed.real("p", 0, 1);
        const std::uint64_t own_seed = parsed.whole("seed", 0, ~std::uint64_t{0}, seed);
        stream.each_link = [count = stream.node_count, probability, own_seed](
                               NodeId first, NodeId last, const Visit& visit) {
            each_link_of_gnp(count, probability, own_seed, first, last, visit);
        };
    } else {
        throw UnsuitableError(
            "cannot make " + parsed.name() +
            " in pieces: expected path, cycle, mesh, torus, hypercube, de-bruijn, gnp or a file "
            "of links");
    }
    parsed.expect_done();
    return stream;
}

}  // namespace equipoise::network
