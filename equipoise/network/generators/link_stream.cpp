#include "equipoise/network/generators/link_stream.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "equipoise/base/digest.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/network/generators/checked_nodes.hpp"
#include "equipoise/network/generators/random.hpp"
#include "equipoise/network/io/edge_list_writer.hpp"
#include "equipoise/network/io/read.hpp"

namespace equipoise::network {

namespace {

using Visit = LinkStream::Visit;

/// The largest number that a node may have, so that the number of nodes is still a NodeId.
constexpr std::uint64_t node_most = std::uint64_t{no_node} - 2;

/// Calls `visit` for every line of two numbers of a file, and with a loop for every node that a
/// comment declares.
void read_links(LineSource& source, const Visit& visit) {
    std::string_view line;
    const auto node = [&](std::string_view& rest) {
        const std::string_view word = take_word(rest);
        const auto number = whole_number(word, node_most);
        if (!number || !is_canonical_number(word))
            source.fail("two numbers of nodes, counted from 0", line);
        return static_cast<NodeId>(*number);
    };
    while (source.next(line)) {
        std::string_view rest = line;
        const std::string_view word = take_word(rest);
        const bool declares = line.starts_with(node_mark);
        if (!declares && (word.empty() || word.front() == '#' || word.front() == '%')) continue;
        rest = declares ? line.substr(node_mark.size()) : line;
        const NodeId tail = node(rest);
        const NodeId head = declares ? tail : node(rest);
        if (!declares && tail == head) source.fail("two different nodes", line);
        if (!take_word(rest).empty()) source.fail("two numbers of nodes and no more", line);
        visit(tail, head);
    }
}

}  // namespace

LinkStream stream_grid(Grid grid) {
    const NodeId count = grid.node_count();
    return {count, [grid = std::move(grid)](NodeId first, NodeId last, const Visit& visit) {
                for (NodeId node = first; node < last; ++node)
                    for (Port port = 0; port < grid.degree(node); ++port)
                        visit(node, grid.neighbour(node, port));
            }};
}

LinkStream stream_hypercube(unsigned dimension) {
    return {NodeId{1} << dimension, [dimension](NodeId first, NodeId last, const Visit& visit) {
                for (NodeId node = first; node < last; ++node)
                    for (unsigned bit = 0; bit < dimension; ++bit)
                        visit(node, node ^ NodeId{1} << bit);
            }};
}

/// v is linked to (v * base + digit) mod n, and therefore from v / base + digit * n / base.
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

LinkStream stream_gnp(NodeId nodes, double probability, std::uint64_t seed) {
    return {nodes, [=](NodeId first, NodeId last, const Visit& visit) {
                each_link_of_gnp(nodes, probability, seed, first, last, visit);
            }};
}

LinkStream stream_edge_list(const std::string& path) {
    std::error_code ignored;
    if (format_of_path(path) != Format::edge_list ||
        !std::filesystem::is_regular_file(path, ignored))
        throw UnsuitableError("cannot read " + path + " in pieces: expected an edge list");
    LinkStream stream;
    stream.file = path;
    stream.each_link = [path](NodeId /*first*/, NodeId /*last*/, const Visit& visit) {
        LineSource again(path);
        read_links(again, visit);
    };
    Digest digest;
    std::uint64_t ends = 0;
    stream.each_link(0, 0, [&](NodeId tail, NodeId head) {
        stream.node_count = std::max({stream.node_count, tail + 1, head + 1});
        digest.add(std::uint64_t{tail} << 32U | head);
        ends += 2;
    });
    stream.digest = digest.value();
    if (stream.node_count == 0 || stream.node_count > ends)
        throw InputError(path + ": expected links whose nodes are called 0 to n-1");
    std::vector<bool> named(stream.node_count);
    stream.each_link(0, 0, [&](NodeId tail, NodeId head) { named[tail] = named[head] = true; });
    const auto missing = std::find(named.begin(), named.end(), false);
    if (missing != named.end())
        throw InputError(path + ": expected links whose nodes are called 0 to n-1, found none of " +
                         std::to_string(missing - named.begin()));
    return stream;
}

void sort_once(std::vector<Ends>& ends, const LinkStream& stream) {
    std::sort(ends.begin(), ends.end());
    const auto twice = std::adjacent_find(ends.begin(), ends.end());
    if (twice == ends.end()) return;
    if (!stream.file.empty())
        throw InputError(stream.file + ": expected every link once, found " +
                         std::to_string(twice->tail) + ' ' + std::to_string(twice->head) +
                         " twice");
    ends.erase(std::unique(twice, ends.end()), ends.end());
}

}  // namespace equipoise::network
