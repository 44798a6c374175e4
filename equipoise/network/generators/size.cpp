#include "equipoise/network/generators/size.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "equipoise/base/error.hpp"

namespace equipoise::network {

namespace {

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

struct Family {
    std::string_view name;
    NetworkSize (*size)(const Spec& spec);
};

constexpr std::array<Family, 27> families = {{
    {"path", [](const Spec& s) { return tree(number(s, "n")); }},
    {"cycle", [](const Spec& s) { return exactly(number(s, "n"), number(s, "n")); }},
    {"star", [](const Spec& s) { return tree(number(s, "leaves") + 1); }},
    {"complete", [](const Spec& s) { return exactly(number(s, "n"), pairs(number(s, "n"))); }},
    {"tree", complete_tree},
    {"random-tree", [](const Spec& s) { return tree(number(s, "n")); }},
    {"caterpillar",
     [](const Spec& s) { return tree(number(s, "spine") * (number(s, "legs") + 1)); }},
    {"broom", [](const Spec& s) { return tree(number(s, "handle") + number(s, "bristles")); }},
    {"spider", spider},
    {"binomial-tree", [](const Spec& s) { return tree(power(2, number(s, "d"))); }},
    {"free-tree", [](const Spec& s) { return tree(number(s, "n")); }},
    {"mesh", [](const Spec& s) { return grid(s, false); }},
    {"torus", [](const Spec& s) { return grid(s, true); }},
    {"hypercube",
     [](const Spec& s) {
         const UInt128 nodes = power(2, number(s, "d"));
         return exactly(nodes, nodes * number(s, "d") / 2);
     }},
    {"de-bruijn", de_bruijn},
    {"cube-connected-cycles",
     [](const Spec& s) {
         const UInt128 nodes = power(2, number(s, "d")) * number(s, "d");
         return exactly(nodes, nodes * 3 / 2);
     }},
    {"butterfly", butterfly},
    {"random-regular",
     [](const Spec& s) { return exactly(number(s, "n"), number(s, "n") * number(s, "d") / 2); }},
    {"gnp",
     [](const Spec& s) {
         return NetworkSize{number(s, "n"), 0, pairs(number(s, "n"))};
     }},
    {"gnm",
     [](const Spec& s) {
         return exactly(number(s, "n"), s.whole("m", 0, std::numeric_limits<std::uint64_t>::max()));
     }},
    {"preferential-attachment", preferential},
    {"barbell",
     [](const Spec& s) {
         const UInt128 clique = number(s, "clique");
         const UInt128 path = number(s, "path");
         return exactly(2 * clique + path, 2 * pairs(clique) + path + 1);
     }},
    {"lollipop", [](const Spec& s) { return with_tail(number(s, "clique"), number(s, "path")); }},
    {"ring-of-cliques", ring_of_cliques},
    {"complete-with-tail", [](const Spec& s) { return with_tail(number(s, "n"), number(s, "n")); }},
    {"mesh-plus-complete", mesh_plus_complete},
    {"connected",
     [](const Spec& s) {
         const UInt128 nodes = number(s, "n");
         return NetworkSize{nodes, nodes == 0 ? 0 : nodes - 1, pairs(nodes)};
     }},
}};

}  // namespace

NetworkSize size_of(const Spec& spec) {
    const auto* const found =
        std::find_if(families.begin(), families.end(),
                     [&](const Family& family) { return family.name == spec.name(); });
    if (found == families.end())
        throw InputError("network '" + spec.text() + "': expected a generator, found \"" +
                         spec.name() + '"');
    return found->size(spec);
}

}  // namespace equipoise::network
