#include "equipoise/network/generators/table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "equipoise/network/generators/classic.hpp"
#include "equipoise/network/generators/composite.hpp"
#include "equipoise/network/generators/connected.hpp"
#include "equipoise/network/generators/free_trees.hpp"
#include "equipoise/network/generators/hypercubic.hpp"
#include "equipoise/network/generators/links.hpp"
#include "equipoise/network/generators/random.hpp"
#include "equipoise/network/generators/trees.hpp"

namespace equipoise::network {

namespace {

constexpr std::uint64_t nodes_max = no_node - 1;
/// Keeps the links of a complete graph below 2^33, even if there is memory for more.
constexpr std::uint64_t clique_max = 131072;

NodeId nodes(const Spec& spec, std::string_view key, std::uint64_t least,
             std::uint64_t most = nodes_max) {
    return static_cast<NodeId>(spec.whole(key, least, most));
}

Grid grid(const Spec& spec, Grid::Shape shape) {
    std::vector<NodeId> sides;
    for (const std::uint64_t side : spec.sides(1, nodes_max))
        sides.push_back(static_cast<NodeId>(side));
    return {std::move(sides), shape};
}

NodeId path_nodes(const Spec& spec) {
    return nodes(spec, "n", 1);
}

NodeId cycle_nodes(const Spec& spec) {
    return nodes(spec, "n", 3);
}

unsigned hypercube_dimension(const Spec& spec) {
    return nodes(spec, "d", 0, 31);
}

struct DeBruijnShape {
    NodeId base = 2;
    unsigned digits = 1;
};
DeBruijnShape de_bruijn_shape(const Spec& spec) {
    return {static_cast<NodeId>(spec.whole("k", 2, 65535, 2)), nodes(spec, "d", 1, 31)};
}

double link_probability(const Spec& spec) {
    return spec.real("p", 0, 1);
}

// Sizes, which follow from the numbers of the spec alone.

constexpr UInt128 most = UInt128{1} << 64U;

UInt128 number(const Spec& spec, std::string_view key) {
    return spec.whole(key, 0, std::numeric_limits<std::uint32_t>::max());
}

UInt128 at_most(UInt128 value) {
    return std::min(value, most);
}

/// base^exponent, cut at 2^64.
UInt128 power(UInt128 base, UInt128 exponent) {
    UInt128 result = 1;
    for (UInt128 i = 0; i < exponent && base > 1 && result < most; ++i)
        result = at_most(result * base);
    return result;
}

/// The number of pairs of this many nodes.
UInt128 pairs(UInt128 nodes) {
    return nodes < 2 ? 0 : nodes * (nodes - 1) / 2;
}

NetworkSize exactly(UInt128 nodes, UInt128 links) {
    return {nodes, links, links};
}

NetworkSize tree(UInt128 nodes) {
    return exactly(nodes, nodes == 0 ? 0 : nodes - 1);
}

NetworkSize complete_tree(const Spec& s) {
    const UInt128 children = number(s, "k");
    const UInt128 height = number(s, "h");
    if (children == 1) return tree(height + 1);
    UInt128 nodes = 1;
    for (UInt128 level = 0; level < height && nodes < most; ++level)
        nodes = at_most(nodes * children + 1);
    return tree(nodes);
}

NetworkSize spider(const Spec& s) {
    UInt128 nodes = 1;
    for (const std::uint64_t leg : s.sides(0, std::numeric_limits<std::uint32_t>::max()))
        nodes = at_most(nodes + leg);
    return tree(nodes);
}

/// Lines of n nodes have n - 1 links, rings have n; a torus closes lines of at least 3 nodes.
NetworkSize grid(const Spec& s, bool closed) {
    const std::vector<std::uint64_t> sides = s.sides(0, std::numeric_limits<std::uint32_t>::max());
    UInt128 nodes = 1;
    for (const std::uint64_t side : sides)
        nodes = at_most(nodes * side);
    UInt128 links = 0;
    for (const std::uint64_t side : sides)
        if (side > 0) links += closed && side >= 3 ? nodes : nodes / side * (side - 1);
    return exactly(nodes, links);
}

NetworkSize de_bruijn(const Spec& s) {
    const UInt128 base = s.whole("k", 0, std::numeric_limits<std::uint32_t>::max(), 2);
    const UInt128 nodes = power(base, number(s, "d"));
    // Each node has a link for each of its shifts; loops and repeated links are dropped.
    return {nodes, nodes - 1, nodes * base};
}

NetworkSize butterfly(const Spec& s) {
    const UInt128 dimension = number(s, "d");
    const UInt128 rows = power(2, dimension);
    const UInt128 levels = s.whole("wrap", 0, 1, 0) == 1 ? dimension : dimension + 1;
    return exactly(rows * levels, rows * dimension * 2);
}

NetworkSize preferential(const Spec& s) {
    const UInt128 nodes = number(s, "n");
    const UInt128 links = number(s, "k");
    // A complete graph on links + 1 nodes, then `links` links for every other node.
    return exactly(nodes, pairs(links + 1) + (nodes > links + 1 ? nodes - links - 1 : 0) * links);
}

NetworkSize ring_of_cliques(const Spec& s) {
    const UInt128 cliques = number(s, "cliques");
    const UInt128 size = number(s, "size");
    return exactly(cliques * size, cliques * (pairs(size) + 1));
}

NetworkSize with_tail(UInt128 clique, UInt128 path) {
    return exactly(clique + path, pairs(clique) + path);
}

NetworkSize mesh_plus_complete(const Spec& s) {
    const UInt128 side = number(s, "s");
    const UInt128 lines = side == 0 ? 0 : 2 * side * (side - 1);
    return exactly(2 * side * side, lines + 1 + pairs(side * side));
}

}  // namespace

const std::vector<Generator>& generator_table() {
    static const std::vector<Generator> entries = {
        {{"path", "path:n=9", "n nodes in a line"},
         {"n"},
         [](const Spec& s) { return tree(number(s, "n")); },
         [](const Spec& s, std::uint64_t) -> AnyNetwork { return make_path(path_nodes(s)); },
         [](const Spec& s, std::uint64_t) {
             return stream_grid(Grid({path_nodes(s)}, Grid::Shape::mesh));
         }},
        {{"cycle", "cycle:n=12", "n nodes in a ring"},
         {"n"},
         [](const Spec& s) { return exactly(number(s, "n"), number(s, "n")); },
         [](const Spec& s, std::uint64_t) -> AnyNetwork { return make_cycle(cycle_nodes(s)); },
         [](const Spec& s, std::uint64_t) {
             return stream_grid(Grid({cycle_nodes(s)}, Grid::Shape::torus));
         }},
        {{"star", "star:leaves=6", "a centre, node 0, with leaves around it"},
         {"leaves"},
         [](const Spec& s) { return tree(number(s, "leaves") + 1); },
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_star(nodes(s, "leaves", 0, nodes_max - 1));
         }},
        {{"complete", "complete:n=8", "n nodes, every two of them linked"},
         {"n"},
         [](const Spec& s) { return exactly(number(s, "n"), pairs(number(s, "n"))); },
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_complete(nodes(s, "n", 1, clique_max));
         }},
        {{"tree", "tree:k=2,h=10", "the complete k-ary tree of height h, numbered by levels"},
         {"k", "h"},
         complete_tree,
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_complete_tree(nodes(s, "k", 1), nodes(s, "h", 0));
         }},
        {{"random-tree", "random-tree:n=100", "uniform among all labelled trees on n nodes", true},
         {"n"},
         [](const Spec& s) { return tree(number(s, "n")); },
         [](const Spec& s, std::uint64_t seed) -> AnyNetwork {
             return make_random_tree(nodes(s, "n", 1), seed);
         }},
        {{"caterpillar", "caterpillar:spine=10,legs=3", "a path with `legs` leaves at every node"},
         {"spine", "legs"},
         [](const Spec& s) { return tree(number(s, "spine") * (number(s, "legs") + 1)); },
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_caterpillar(nodes(s, "spine", 1), nodes(s, "legs", 0));
         }},
        {{"broom", "broom:handle=8,bristles=8", "a path with leaves at its last node"},
         {"handle", "bristles"},
         [](const Spec& s) { return tree(number(s, "handle") + number(s, "bristles")); },
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_broom(nodes(s, "handle", 1), nodes(s, "bristles", 0));
         }},
        {{"spider", "spider:2x2x1", "a centre, node 0, with legs of these lengths"},
         {},
         spider,
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_spider(s.sides(1, nodes_max));
         }},
        {{"binomial-tree", "binomial-tree:d=8", "the binomial tree on 2^d nodes"},
         {"d"},
         [](const Spec& s) { return tree(power(2, number(s, "d"))); },
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_binomial_tree(nodes(s, "d", 0, 31));
         }},
        {{"free-tree", "free-tree:n=10,number=57",
          "a tree on n <= 20 nodes by its number: all trees, up to isomorphism, from "
          "1, the path, to the star"},
         {"n", "number"},
         [](const Spec& s) { return tree(number(s, "n")); },
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             const NodeId n = nodes(s, "n", 1, free_tree_nodes_max);
             return make_free_tree(n, s.whole("number", 1, free_tree_count(n)));
         }},
        {{"mesh", "mesh:8x8", "a mesh with the given sides, in any dimension"},
         {},
         [](const Spec& s) { return grid(s, false); },
         [](const Spec& s, std::uint64_t) -> AnyNetwork { return grid(s, Grid::Shape::mesh); },
         [](const Spec& s, std::uint64_t) { return stream_grid(grid(s, Grid::Shape::mesh)); }},
        {{"torus", "torus:64x64", "a mesh with every line of at least 3 nodes closed to a ring"},
         {},
         [](const Spec& s) { return grid(s, true); },
         [](const Spec& s, std::uint64_t) -> AnyNetwork { return grid(s, Grid::Shape::torus); },
         [](const Spec& s, std::uint64_t) { return stream_grid(grid(s, Grid::Shape::torus)); }},
        {{"hypercube", "hypercube:d=10", "2^d nodes, linked where one bit differs"},
         {"d"},
         [](const Spec& s) {
             const UInt128 nodes = power(2, number(s, "d"));
             return exactly(nodes, nodes * number(s, "d") / 2);
         },
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_hypercube(hypercube_dimension(s));
         },
         [](const Spec& s, std::uint64_t) { return stream_hypercube(hypercube_dimension(s)); }},
        {{"de-bruijn", "de-bruijn:d=6",
          "k^d nodes (k=2 if not given), v linked to (v*k + digit) mod k^d"},
         {"k", "d"},
         de_bruijn,
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             const auto [base, digits] = de_bruijn_shape(s);
             return make_de_bruijn(base, digits);
         },
         [](const Spec& s, std::uint64_t) {
             const auto [base, digits] = de_bruijn_shape(s);
             return stream_de_bruijn(base, digits);
         }},
        {{"cube-connected-cycles", "cube-connected-cycles:d=4",
          "the hypercube with a ring of d nodes at every corner"},
         {"d"},
         [](const Spec& s) {
             const UInt128 nodes = power(2, number(s, "d")) * number(s, "d");
             return exactly(nodes, nodes * 3 / 2);
         },
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_cube_connected_cycles(nodes(s, "d", 3, 27));
         }},
        {{"butterfly", "butterfly:d=4,wrap=1",
          "d+1 levels of 2^d nodes; wrap=1: d levels, closed into a ring"},
         {"d", "wrap"},
         butterfly,
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             const bool wrapped = s.whole("wrap", 0, 1, 0) == 1;
             return make_butterfly(nodes(s, "d", wrapped ? 3 : 1, 27), wrapped);
         }},
        {{"random-regular", "random-regular:n=1000,d=4", "every node with d links; connected",
          true},
         {"n", "d"},
         [](const Spec& s) { return exactly(number(s, "n"), number(s, "n") * number(s, "d") / 2); },
         [](const Spec& s, std::uint64_t seed) -> AnyNetwork {
             return make_random_regular(nodes(s, "n", 1), nodes(s, "d", 0), seed);
         }},
        {{"gnp", "gnp:n=100,p=0.05", "every pair of n nodes linked with probability p", true},
         {"n", "p"},
         [](const Spec& s) {
             return NetworkSize{number(s, "n"), 0, pairs(number(s, "n"))};
         },
         [](const Spec& s, std::uint64_t seed) -> AnyNetwork {
             return make_gnp(nodes(s, "n", 1), link_probability(s), seed);
         },
         [](const Spec& s, std::uint64_t seed) {
             return stream_gnp(nodes(s, "n", 1), link_probability(s), seed);
         }},
        {{"gnm", "gnm:n=100,m=300", "m links, uniform among all networks on n nodes", true},
         {"n", "m"},
         [](const Spec& s) {
             return exactly(number(s, "n"),
                            s.whole("m", 0, std::numeric_limits<std::uint64_t>::max()));
         },
         [](const Spec& s, std::uint64_t seed) -> AnyNetwork {
             return make_gnm(nodes(s, "n", 1), s.whole("m", 0, std::uint64_t{1} << 40U), seed);
         }},
        {{"preferential-attachment", "preferential-attachment:n=1000,k=3",
          "every new node linked to k old ones, drawn in proportion to their degrees", true},
         {"n", "k"},
         preferential,
         [](const Spec& s, std::uint64_t seed) -> AnyNetwork {
             return make_preferential_attachment(nodes(s, "n", 2), nodes(s, "k", 1), seed);
         }},
        {{"barbell", "barbell:clique=8,path=4", "two complete graphs joined by a path"},
         {"clique", "path"},
         [](const Spec& s) {
             const UInt128 clique = number(s, "clique");
             const UInt128 path = number(s, "path");
             return exactly(2 * clique + path, 2 * pairs(clique) + path + 1);
         },
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_barbell(nodes(s, "clique", 1, clique_max), nodes(s, "path", 0));
         }},
        {{"lollipop", "lollipop:clique=8,path=20", "a complete graph with a path attached"},
         {"clique", "path"},
         [](const Spec& s) { return with_tail(number(s, "clique"), number(s, "path")); },
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_lollipop(nodes(s, "clique", 1, clique_max), nodes(s, "path", 0));
         }},
        {{"ring-of-cliques", "ring-of-cliques:cliques=6,size=5", "complete graphs in a ring"},
         {"cliques", "size"},
         ring_of_cliques,
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_ring_of_cliques(nodes(s, "cliques", 3), nodes(s, "size", 1, clique_max));
         }},
        {{"complete-with-tail", "complete-with-tail:n=8",
          "a complete graph on n nodes with a path of n nodes attached"},
         {"n"},
         [](const Spec& s) { return with_tail(number(s, "n"), number(s, "n")); },
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             const NodeId half = nodes(s, "n", 1, clique_max);
             return make_lollipop(half, half);
         }},
        {{"mesh-plus-complete", "mesh-plus-complete:s=4",
          "an s x s mesh whose corner is linked to a complete graph of s*s nodes"},
         {"s"},
         mesh_plus_complete,
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_mesh_plus_complete(nodes(s, "s", 1, 362));
         }},
        {{"connected", "connected:n=5,number=12",
          "a connected network on n <= 7 nodes by its number: all of them, up to "
          "isomorphism; there are 1, 1, 2, 6, 21, 112, 853"},
         {"n", "number"},
         [](const Spec& s) {
             const UInt128 nodes = number(s, "n");
             return NetworkSize{nodes, nodes == 0 ? 0 : nodes - 1, pairs(nodes)};
         },
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_connected(nodes(s, "n", 1, connected_nodes_max),
                                   s.whole("number", 1, nodes_max));
         }},
        {{"linked", "linked:0-1+1-2+1-3",
          "these links; the nodes are 0 to the largest number, which may also stand alone"},
         {},
         [](const Spec& s) { return size_of_links(s.positional()); },
         [](const Spec& s, std::uint64_t) -> AnyNetwork { return make_links(s.positional()); }},
    };
    return entries;
}

}  // namespace equipoise::network
