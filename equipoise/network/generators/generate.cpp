#include "equipoise/network/generators/generate.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/base/spec_rows.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/network/generators/classic.hpp"
#include "equipoise/network/generators/composite.hpp"
#include "equipoise/network/generators/connected.hpp"
#include "equipoise/network/generators/free_trees.hpp"
#include "equipoise/network/generators/hypercubic.hpp"
#include "equipoise/network/generators/link_stream.hpp"
#include "equipoise/network/generators/random.hpp"
#include "equipoise/network/generators/size.hpp"
#include "equipoise/network/generators/trees.hpp"
#include "equipoise/network/memory.hpp"

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

struct Generator {
    SpecInfo info;
    std::vector<std::string_view> keys;  ///< besides `seed`
    AnyNetwork (*make)(const Spec& spec, std::uint64_t seed);
    /// Yields its links one by one; null if they can only be made together.
    LinkStream (*stream)(const Spec& spec, std::uint64_t seed) = nullptr;
};

const std::vector<Generator>& table() {
    static const std::vector<Generator> entries = {
        {{"path", "path:n=9", "n nodes in a line"},
         {"n"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork { return make_path(path_nodes(s)); },
         [](const Spec& s, std::uint64_t) {
             return stream_grid(Grid({path_nodes(s)}, Grid::Shape::mesh));
         }},
        {{"cycle", "cycle:n=12", "n nodes in a ring"},
         {"n"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork { return make_cycle(cycle_nodes(s)); },
         [](const Spec& s, std::uint64_t) {
             return stream_grid(Grid({cycle_nodes(s)}, Grid::Shape::torus));
         }},
        {{"star", "star:leaves=6", "a centre, node 0, with leaves around it"},
         {"leaves"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_star(nodes(s, "leaves", 0, nodes_max - 1));
         }},
        {{"complete", "complete:n=8", "n nodes, every two of them linked"},
         {"n"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_complete(nodes(s, "n", 1, clique_max));
         }},
        {{"tree", "tree:k=2,h=10", "the complete k-ary tree of height h, numbered by levels"},
         {"k", "h"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_complete_tree(nodes(s, "k", 1), nodes(s, "h", 0));
         }},
        {{"random-tree", "random-tree:n=100", "uniform among all labelled trees on n nodes", true},
         {"n"},
         [](const Spec& s, std::uint64_t seed) -> AnyNetwork {
             return make_random_tree(nodes(s, "n", 1), seed);
         }},
        {{"caterpillar", "caterpillar:spine=10,legs=3", "a path with `legs` leaves at every node"},
         {"spine", "legs"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_caterpillar(nodes(s, "spine", 1), nodes(s, "legs", 0));
         }},
        {{"broom", "broom:handle=8,bristles=8", "a path with leaves at its last node"},
         {"handle", "bristles"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_broom(nodes(s, "handle", 1), nodes(s, "bristles", 0));
         }},
        {{"spider", "spider:2x2x1", "a centre, node 0, with legs of these lengths"},
         {},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_spider(s.sides(1, nodes_max));
         }},
        {{"binomial-tree", "binomial-tree:d=8", "the binomial tree on 2^d nodes"},
         {"d"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_binomial_tree(nodes(s, "d", 0, 31));
         }},
        {{"free-tree", "free-tree:n=10,number=57",
          "one of all trees on n nodes, each once up to isomorphism; numbers begin at 1, with the "
          "path, and end with the star (n at most 20)"},
         {"n", "number"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             const NodeId n = nodes(s, "n", 1, free_tree_nodes_max);
             return make_free_tree(n, s.whole("number", 1, free_tree_count(n)));
         }},
        {{"mesh", "mesh:8x8", "a mesh with the given sides, in any dimension"},
         {},
         [](const Spec& s, std::uint64_t) -> AnyNetwork { return grid(s, Grid::Shape::mesh); },
         [](const Spec& s, std::uint64_t) { return stream_grid(grid(s, Grid::Shape::mesh)); }},
        {{"torus", "torus:64x64", "a mesh with every line of at least 3 nodes closed to a ring"},
         {},
         [](const Spec& s, std::uint64_t) -> AnyNetwork { return grid(s, Grid::Shape::torus); },
         [](const Spec& s, std::uint64_t) { return stream_grid(grid(s, Grid::Shape::torus)); }},
        {{"hypercube", "hypercube:d=10", "2^d nodes, linked where one bit differs"},
         {"d"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_hypercube(hypercube_dimension(s));
         },
         [](const Spec& s, std::uint64_t) { return stream_hypercube(hypercube_dimension(s)); }},
        {{"de-bruijn", "de-bruijn:d=6",
          "k^d nodes (k=2 if not given), v linked to (v*k + digit) mod k^d"},
         {"k", "d"},
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
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_cube_connected_cycles(nodes(s, "d", 3, 27));
         }},
        {{"butterfly", "butterfly:d=4,wrap=1",
          "d+1 levels of 2^d nodes; wrap=1: d levels, closed into a ring"},
         {"d", "wrap"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             const bool wrapped = s.whole("wrap", 0, 1, 0) == 1;
             return make_butterfly(nodes(s, "d", wrapped ? 3 : 1, 27), wrapped);
         }},
        {{"random-regular", "random-regular:n=1000,d=4", "every node with d links; connected",
          true},
         {"n", "d"},
         [](const Spec& s, std::uint64_t seed) -> AnyNetwork {
             return make_random_regular(nodes(s, "n", 1), nodes(s, "d", 0), seed);
         }},
        {{"gnp", "gnp:n=100,p=0.05", "every pair of n nodes linked with probability p", true},
         {"n", "p"},
         [](const Spec& s, std::uint64_t seed) -> AnyNetwork {
             return make_gnp(nodes(s, "n", 1), link_probability(s), seed);
         },
         [](const Spec& s, std::uint64_t seed) {
             return stream_gnp(nodes(s, "n", 1), link_probability(s), seed);
         }},
        {{"gnm", "gnm:n=100,m=300", "m links, uniform among all networks on n nodes", true},
         {"n", "m"},
         [](const Spec& s, std::uint64_t seed) -> AnyNetwork {
             return make_gnm(nodes(s, "n", 1), s.whole("m", 0, std::uint64_t{1} << 40U), seed);
         }},
        {{"preferential-attachment", "preferential-attachment:n=1000,k=3",
          "every new node linked to k old ones, drawn by degree", true},
         {"n", "k"},
         [](const Spec& s, std::uint64_t seed) -> AnyNetwork {
             return make_preferential_attachment(nodes(s, "n", 2), nodes(s, "k", 1), seed);
         }},
        {{"barbell", "barbell:clique=8,path=4", "two complete graphs joined by a path"},
         {"clique", "path"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_barbell(nodes(s, "clique", 1, clique_max), nodes(s, "path", 0));
         }},
        {{"lollipop", "lollipop:clique=8,path=20", "a complete graph with a path attached"},
         {"clique", "path"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_lollipop(nodes(s, "clique", 1, clique_max), nodes(s, "path", 0));
         }},
        {{"ring-of-cliques", "ring-of-cliques:cliques=6,size=5", "complete graphs in a ring"},
         {"cliques", "size"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_ring_of_cliques(nodes(s, "cliques", 3), nodes(s, "size", 1, clique_max));
         }},
        {{"complete-with-tail", "complete-with-tail:n=8",
          "a complete graph on n nodes with a path of n nodes attached"},
         {"n"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             const NodeId half = nodes(s, "n", 1, clique_max);
             return make_lollipop(half, half);
         }},
        {{"mesh-plus-complete", "mesh-plus-complete:s=4",
          "an s x s mesh whose corner is linked to a complete graph of s*s nodes"},
         {"s"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_mesh_plus_complete(nodes(s, "s", 1, 362));
         }},
        {{"connected", "connected:n=5,number=12",
          "all connected networks on n <= 7 nodes, one of each shape, by number: 1, 1, 2, 6, 21, "
          "112, 853 of them"},
         {"n", "number"},
         [](const Spec& s, std::uint64_t) -> AnyNetwork {
             return make_connected(nodes(s, "n", 1, connected_nodes_max),
                                   s.whole("number", 1, nodes_max));
         }},
    };
    return entries;
}

/// The approximate number of links of a network; a generator may draw more, or some of them twice.
UInt128 likely_links(const Spec& spec, const NetworkSize& size) {
    if (spec.name() != "gnp") return size.links_most;
    return static_cast<UInt128>(static_cast<double>(size.links_most) * link_probability(spec));
}

/// Nothing for a spec that the generator refuses.
std::optional<LikelySize> likely_size_of(const Spec& spec) {
    try {
        const NetworkSize size = size_of(spec);
        const bool stored = spec.name() != "mesh" && spec.name() != "torus";
        return LikelySize{size.nodes, likely_links(spec, size), stored};
    } catch (const InputError&) {
        return std::nullopt;
    }
}

/// Throws InputError for a network that memory cannot hold, before any is taken. Other errors in a
/// spec are left to the generator.
void expect_to_fit(const Spec& spec) {
    const std::optional<LikelySize> size = likely_size_of(spec);
    if (size && size->stored)
        network::expect_to_fit(size->nodes, size->links, "network '" + spec.text() + '\'');
}

/// The generator of a spec; throws unless the spec has the generator's keys and no others.
const Generator& generator_of(const Spec& spec) {
    const Generator* const generator = find_row(table(), spec.name());
    if (generator == nullptr) throw InputError(unknown_row("network", spec.text(), generators()));
    std::vector<std::string_view> keys = generator->keys;
    if (generator->info.random) keys.emplace_back("seed");
    spec.expect_only(keys, generator->keys.empty());
    return *generator;
}

std::uint64_t own_seed(const Spec& spec, std::uint64_t seed) {
    return spec.whole("seed", 0, ~std::uint64_t{0}, seed);
}

/// Runs an action that may refuse the spec, and makes its errors name the spec.
template <class Action>
auto naming(const Spec& spec, const Action& action) {
    try {
        return action();
    } catch (const InputError& error) {
        const std::string message = error.what();
        if (message.find(spec.text()) != std::string::npos) throw;
        throw InputError("network '" + spec.text() + "': " + message);
    }
}

}  // namespace

const std::vector<SpecInfo>& generators() {
    static const std::vector<SpecInfo> infos = infos_of(table());
    return infos;
}

bool names_generator(std::string_view spec) {
    return find_row(table(), spec.substr(0, spec.find(':'))) != nullptr;
}

std::optional<LikelySize> likely_size(std::string_view spec) {
    if (!names_generator(spec)) return std::nullopt;
    try {
        return likely_size_of(Spec::parse(spec));
    } catch (const InputError&) {
        return std::nullopt;
    }
}

AnyNetwork generate(std::string_view spec, std::uint64_t seed) {
    const Spec parsed = Spec::parse(spec);
    const Generator& generator = generator_of(parsed);
    expect_to_fit(parsed);
    Labels labels;
    labels.origin = parsed.text();
    if (generator.info.random) {
        seed = own_seed(parsed, seed);
        labels.seed = seed;
    }
    AnyNetwork network =
        naming(parsed, [&]() -> AnyNetwork { return generator.make(parsed, seed); });
    network.labels() = std::move(labels);
    return network;
}

LinkStream stream_links(std::string_view spec, std::uint64_t seed) {
    if (!names_generator(spec)) return stream_edge_list(std::string(spec));
    const Spec parsed = Spec::parse(spec);
    const Generator& generator = generator_of(parsed);
    if (generator.stream == nullptr) {
        std::vector<std::string> known;
        for (const Generator& other : table())
            if (other.stream != nullptr) known.push_back(other.info.name);
        known.emplace_back("an edge list");
        throw UnsuitableError("cannot make the network '" + parsed.text() +
                              "' in pieces: expected " + listed(known, " or "));
    }
    if (generator.info.random) seed = own_seed(parsed, seed);
    return naming(parsed, [&] { return generator.stream(parsed, seed); });
}

}  // namespace equipoise::network
