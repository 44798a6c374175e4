#include "equipoise/load/make.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/memory.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/base/spec_meant.hpp"
#include "equipoise/base/spec_rows.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/load/spread.hpp"
#include "equipoise/load/targets.hpp"
#include "equipoise/network/node_names.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/eccentricities.hpp"

namespace equipoise::load {

namespace {

using network::AnyNetwork;

constexpr std::uint64_t most_tokens = static_cast<std::uint64_t>(tokens_max);

/// The stream of a spec's own seed, or else of the caller's.
RandomStream random_of(const Spec& spec, std::uint64_t seed) {
    constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
    return {spec.whole("seed", 0, any, seed), Purpose::loads};
}

/// Up to this many tokens are drawn one by one; a larger number is halved over ranges of nodes.
constexpr std::uint64_t drawn_tokens_most = std::uint64_t{1} << 30U;

/// Makes loads from one spec.
struct Request {
    const Spec& spec;
    const AnyNetwork& network;
    std::uint64_t seed;

    [[nodiscard]] NodeId nodes() const { return network.node_count(); }
    [[nodiscard]] Tokens tokens() const {
        return static_cast<Tokens>(spec.whole("tokens", 0, most_tokens));
    }
    [[nodiscard]] RandomStream random() const { return random_of(spec, seed); }
    [[noreturn]] void fail(const std::string& key, const std::string& expected,
                           const std::string& found) const {
        throw InputError("spec '" + spec.text() + "': " + key + "=: expected " + expected +
                         R"(, found ")" + found + "\"");
    }
    /// The node that `node=` names, or the first.
    [[nodiscard]] NodeId node() const {
        const std::string name = spec.word("node", network.name(0));
        const network::NodeNames names(network);
        const auto node = names.find(name);
        if (!node) fail("node", names.expected(), name);
        return *node;
    }
    [[nodiscard]] bool yes(std::string_view key, bool fallback) const {
        const std::string word = spec.word(key, fallback ? "yes" : "no");
        if (word != "yes" && word != "no") fail(std::string(key), "yes or no", word);
        return word == "yes";
    }
};

/// All nodes in random order (Fisher and Yates); only the first `wanted` places are filled fairly.
std::vector<NodeId> shuffled_nodes(NodeId node_count, NodeId wanted, RandomStream random) {
    std::vector<NodeId> order(node_count);
    for (NodeId node = 0; node < node_count; ++node)
        order[node] = node;
    for (NodeId place = 0; place < wanted; ++place) {
        const auto other = place + static_cast<NodeId>(random.below(node_count - place));
        std::swap(order[place], order[other]);
    }
    return order;
}

Loads spike(const Request& request) {
    Loads loads(request.nodes(), 0);
    loads[request.node()] = request.tokens();
    return loads;
}

Loads spikes(const Request& request) {
    const auto k = static_cast<NodeId>(request.spec.whole("k", 1, request.nodes()));
    const Loads heights = even_targets(request.tokens(), k);
    const std::vector<NodeId> order = shuffled_nodes(request.nodes(), k, request.random());
    Loads loads(request.nodes(), 0);
    for (NodeId i = 0; i < k; ++i)
        loads[order[i]] = heights[i];
    return loads;
}

Loads uniform(const Request& request) {
    const auto tokens = static_cast<std::uint64_t>(request.tokens());
    RandomStream random = request.random();
    Loads loads(request.nodes(), 0);
    if (tokens > drawn_tokens_most) {
        spread_at_random(request.tokens(), request.nodes(), 0, loads,
                         request.spec.whole("seed", 0, ~std::uint64_t{0}, request.seed));
        return loads;
    }
    for (std::uint64_t token = 0; token < tokens; ++token)
        ++loads[random.below(loads.size())];
    return loads;
}

Loads even(const Request& request) {
    return even_targets(request.tokens(), request.nodes());
}

Loads zipf(const Request& request) {
    constexpr double exponent_most = 100;
    const double exponent = request.spec.real("exponent", 0, exponent_most, 1);
    const bool shuffle = request.yes("shuffle", true);
    const RandomStream random = request.random();
    // Weights in fixed point, so that shares by largest remainder are exact integers.
    constexpr double unit = 0x1.0p62;
    std::vector<std::uint64_t> weights(request.nodes());
    for (std::size_t rank = 0; rank < weights.size(); ++rank)
        weights[rank] =
            static_cast<std::uint64_t>(unit * std::pow(static_cast<double>(rank + 1), -exponent));
    Loads by_rank = targets_by_speed(request.tokens(), weights);
    if (!shuffle) return by_rank;
    const std::vector<NodeId> order = shuffled_nodes(request.nodes(), request.nodes(), random);
    Loads loads(request.nodes());
    for (std::size_t rank = 0; rank < by_rank.size(); ++rank)
        loads[order[rank]] = by_rank[rank];
    return loads;
}

Loads staircase(const Request& request) {
    const auto rise = static_cast<Tokens>(request.spec.whole("rise", 0, most_tokens, 1));
    Loads loads(request.nodes());
    for (NodeId node = 0; node < request.nodes(); ++node)
        loads[node] = checked_multiply(rise, Tokens{node});
    return loads;
}

Loads bimodal(const Request& request) {
    const auto low = static_cast<Tokens>(request.spec.whole("low", 0, most_tokens, 0));
    const auto high = static_cast<Tokens>(request.spec.whole("high", 0, most_tokens));
    const double share = request.spec.real("share", 0, 1, 0.5);
    const bool shuffle = request.yes("shuffle", true);
    const auto high_count = static_cast<NodeId>(std::llround(share * request.nodes()));
    Loads loads(request.nodes(), low);
    if (!shuffle) {
        std::fill_n(loads.begin(), high_count, high);
        return loads;
    }
    const std::vector<NodeId> order = shuffled_nodes(request.nodes(), high_count, request.random());
    for (NodeId i = 0; i < high_count; ++i)
        loads[order[i]] = high;
    return loads;
}

/// The sides of the block in a corner, one for each axis: `8` for all axes, or `4x8`.
std::vector<std::uint64_t> block_sides(const Request& request, std::size_t dimension) {
    const std::string text = request.spec.word("block", "1");
    if (text.find('x') == std::string::npos)
        return std::vector<std::uint64_t>(dimension,
                                          request.spec.whole("block", 1, request.nodes(), 1));
    std::vector<std::uint64_t> sides;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('x', begin), text.size());
        const auto side =
            whole_number(std::string_view(text).substr(begin, end - begin), request.nodes());
        if (!side || *side == 0) break;
        sides.push_back(*side);
        begin = end + 1;
    }
    if (sides.size() != dimension || text.back() == 'x')
        request.fail("block", "a whole number, or one for each axis of the mesh as in 4x8", text);
    return sides;
}

Loads between(const Request& request) {
    const std::uint64_t low = request.spec.whole("low", 0, most_tokens, 0);
    const std::uint64_t high = request.spec.whole("high", 0, most_tokens);
    if (low > high)
        request.fail("high", "at least low, " + std::to_string(low), std::to_string(high));
    RandomStream random = request.random();
    Loads loads(request.nodes());
    for (Tokens& load : loads)
        load = static_cast<Tokens>(low + random.below(high - low + 1));
    return loads;
}

Loads corner(const Request& request) {
    const network::Grid* const grid = request.network.grid();
    if (grid == nullptr)
        throw UnsuitableError("spec '" + request.spec.text() + "': corner needs a mesh or torus");
    const std::vector<std::uint64_t> block = block_sides(request, grid->dimension());
    std::vector<NodeId> cells;
    for (NodeId node = 0; node < request.nodes(); ++node) {
        bool inside = true;
        for (std::size_t axis = 0; axis < grid->dimension(); ++axis)
            inside = inside && grid->coordinate(node, axis) < block[axis];
        if (inside) cells.push_back(node);
    }
    const Loads heights = even_targets(request.tokens(), static_cast<NodeId>(cells.size()));
    Loads loads(request.nodes(), 0);
    for (std::size_t i = 0; i < cells.size(); ++i)
        loads[cells[i]] = heights[i];
    return loads;
}

Loads distance_from_end(const Request& request) {
    // Diffusion changes nothing if the loads of neighbours differ by at most the degree.
    const Tokens rise = request.spec.word("rise", "1") == "degree"
                            ? Tokens{request.network.degree_max()}
                            : static_cast<Tokens>(request.spec.whole("rise", 0, most_tokens, 1));
    const NodeId end = network::far_end(request.network);
    Loads loads;
    loads.reserve(request.nodes());
    for (const std::uint32_t distance : network::distances_from(request.network, end))
        loads.push_back(checked_multiply(rise, Tokens{distance}));
    return loads;
}

/// `whole` * part / of, rounded to the nearest whole number.
Tokens share_of(Tokens whole, NodeId part, NodeId of) {
    const Int128 doubled = Int128{2} * whole * part + of;
    const Int128 rounded_down =
        (doubled < 0 ? doubled - (Int128{2} * of - 1) : doubled) / (Int128{2} * of);
    return static_cast<Tokens>(rounded_down);
}

/// What must cross the borders between cells of a row that is uneven at several scales: in the row,
/// its halves, its quarters, ..., one half has `flow` tokens more than its share of the block.
class Cascade {
  public:
    Cascade(NodeId cells, Tokens flow, std::uint64_t levels)
        : flow_(flow), over_(std::size_t{cells} + 1, 0) {
        split(0, cells, levels);
    }

    /// How much a cell holds above its share.
    [[nodiscard]] Tokens surplus(NodeId cell) const { return over_[cell + 1] - over_[cell]; }

  private:
    /// What crosses the border before `cell` if the tokens of the block are spread evenly.
    [[nodiscard]] Tokens even(NodeId first, NodeId last, NodeId cell) const {
        return over_[first] + share_of(over_[last] - over_[first], cell - first, last - first);
    }
    /// The border in the middle gets `flow` more or less than an even spread would send across it,
    /// always against the sign, so that no border exceeds `flow`.
    void split(NodeId first, NodeId last, std::uint64_t levels) {
        if (levels == 0 || last - first < 2) {
            for (NodeId cell = first + 1; cell < last; ++cell)
                over_[cell] = even(first, last, cell);
            return;
        }
        const NodeId middle = first + (last - first + 1) / 2;
        const Tokens between = even(first, last, middle);
        over_[middle] = between > 0 ? between - flow_ : between + flow_;
        split(first, middle, levels - 1);
        split(middle, last, levels - 1);
    }

    Tokens flow_;
    std::vector<Tokens> over_;
};

Loads cascade(const Request& request) {
    constexpr std::uint64_t flow_most = std::uint64_t{1} << 40U;
    const auto flow = static_cast<Tokens>(request.spec.whole("flow", 0, flow_most));
    const std::uint64_t levels = request.spec.whole("levels", 1, 32);
    const network::Grid* const grid = request.network.grid();
    const NodeId cells = grid == nullptr ? request.nodes() : grid->sides().front();
    const Cascade row(cells, flow, levels);
    Tokens least = 0;
    for (NodeId cell = 0; cell < cells; ++cell)
        least = std::min(least, row.surplus(cell));
    Loads loads(request.nodes());
    for (NodeId node = 0; node < request.nodes(); ++node)
        loads[node] = row.surplus(grid == nullptr ? node : grid->coordinate(node, 0)) - least;
    return loads;
}

/// In `at`, all nodes that are not named.
constexpr std::string_view others = "others";

/// The tokens of nodes that are named, and of all others.
Loads at(const Request& request) {
    const Spec& spec = request.spec;
    const network::NodeNames names(request.network);
    Loads loads(request.nodes(), static_cast<Tokens>(spec.whole(others, 0, most_tokens, 0)));
    std::vector<bool> named(request.nodes(), false);
    std::string_view rest = spec.text();
    rest.remove_prefix(std::min(spec.name().size() + 1, rest.size()));
    if (rest.empty() || !spec.positional().empty())
        throw InputError("spec '" + spec.text() + "': expected nodes and their tokens, as in " +
                         "at:0=4,others=1");
    while (!rest.empty()) {
        const std::string_view key = rest.substr(0, rest.find('='));
        rest.remove_prefix(std::min(rest.find(','), rest.size() - 1) + 1);
        if (key == others) continue;
        const auto node = names.find(key);
        if (!node)
            throw InputError("spec '" + spec.text() + "': unknown key \"" + std::string(key) +
                             "\": expected " + names.expected() + " or others");
        // A number may be written in several ways: 1, 01.
        if (named[*node])
            throw InputError("spec '" + spec.text() + "': expected node " +
                             request.network.name(*node) + " once, found \"" + std::string(key) +
                             "\" too");
        named[*node] = true;
        loads[*node] = static_cast<Tokens>(spec.whole(key, 0, most_tokens));
    }
    return loads;
}

/// Loads of consecutive nodes of a network whose nodes are named by their numbers.
struct PartRequest {
    const Spec& spec;
    NodeId nodes;
    NodeId first;
    NodeId last;
    std::uint64_t seed;
    NodeId more;

    [[nodiscard]] Loads none() const {
        Loads loads;
        loads.reserve(std::size_t{last} - first + more);
        loads.resize(last - first);
        return loads;
    }
    void add(Loads& loads, std::uint64_t node, Tokens tokens) const {
        if (first <= node && node < last) loads[node - first] += tokens;
    }
};

Loads part_of_spike(const PartRequest& request) {
    Loads loads = request.none();
    const std::uint64_t node = request.spec.whole("node", 0, request.nodes - 1, 0);
    request.add(loads, node, static_cast<Tokens>(request.spec.whole("tokens", 0, most_tokens)));
    return loads;
}

/// Every process draws all tokens and keeps those of its own nodes; where there are too many to
/// draw, each process finds those of its own nodes directly.
Loads part_of_uniform(const PartRequest& request) {
    Loads loads = request.none();
    const std::uint64_t tokens = request.spec.whole("tokens", 0, most_tokens);
    if (tokens > drawn_tokens_most) {
        spread_at_random(static_cast<Tokens>(tokens), request.nodes, request.first, loads,
                         request.spec.whole("seed", 0, ~std::uint64_t{0}, request.seed));
        return loads;
    }
    RandomStream random = random_of(request.spec, request.seed);
    for (std::uint64_t left = tokens; left > 0; --left)
        request.add(loads, random.below(request.nodes), 1);
    return loads;
}

Loads part_of_even(const PartRequest& request) {
    const std::uint64_t tokens = request.spec.whole("tokens", 0, most_tokens);
    Loads loads = request.none();
    for (NodeId node = request.first; node < request.last; ++node)
        loads[node - request.first] =
            static_cast<Tokens>(tokens / request.nodes + (node < tokens % request.nodes ? 1 : 0));
    return loads;
}

Loads part_of_staircase(const PartRequest& request) {
    const auto rise = static_cast<Tokens>(request.spec.whole("rise", 0, most_tokens, 1));
    // The sum over all nodes must be a valid number of tokens, as in a process that makes all
    // loads.
    const UInt128 pairs = UInt128{request.nodes} * (request.nodes - 1) / 2;
    if (rise > 0 && pairs > most_tokens / static_cast<std::uint64_t>(rise))
        throw OverflowError("total number of tokens");
    Loads loads = request.none();
    for (NodeId node = request.first; node < request.last; ++node)
        loads[node - request.first] = rise * Tokens{node};
    return loads;
}

struct Generator {
    SpecInfo info;
    std::vector<std::string_view> keys;  ///< none: `make` checks them
    Loads (*make)(const Request&);
    /// The same for some of the nodes; null if loads can only be made together.
    Loads (*part)(const PartRequest&) = nullptr;
};

const std::vector<Generator>& table() {
    static const std::vector<Generator> generators = {
        {{"spike", "spike:tokens=1000,node=0", "all tokens at one node (default: the first)",
          false},
         {"tokens", "node"},
         spike,
         part_of_spike},
        {{"spikes", "spikes:tokens=1000,k=3", "tokens evenly on k random nodes", true},
         {"tokens", "k", "seed"},
         spikes},
        {{"uniform", "uniform:tokens=1000", "every token at a random node, independently", true},
         {"tokens", "seed"},
         uniform,
         part_of_uniform},
        {{"even", "even:tokens=1000", "floor or ceiling of the mean everywhere", false},
         {"tokens"},
         even,
         part_of_even},
        {{"zipf", "zipf:tokens=1000,exponent=1.1",
          "tokens in proportion to rank^-exponent; nodes are ranked at random (shuffle=no: by "
          "number)",
          true},
         {"tokens", "exponent", "shuffle", "seed"},
         zipf},
        {{"staircase", "staircase:rise=1", "node i holds i * rise tokens", false},
         {"rise"},
         staircase,
         part_of_staircase},
        {{"bimodal", "bimodal:low=0,high=100,share=0.5",
          "a random share of the nodes (shuffle=no: the first) holds `high` tokens, the others "
          "`low`",
          true},
         {"low", "high", "share", "shuffle", "seed"},
         bimodal},
        {{"between", "between:low=0,high=2",
          "every node, independently, any number of tokens from `low` to `high`", true},
         {"low", "high", "seed"},
         between},
        {{"corner", "corner:tokens=256,block=1",
          "tokens evenly on a corner block of a mesh or torus, `block` nodes per side (or a side "
          "for each axis: block=4x8)",
          false},
         {"tokens", "block"},
         corner},
        {{"cascade", "cascade:flow=64,levels=2",
          "uneven at `levels` scales at once along a mesh's first axis: one half of "
          "the nodes holds `flow` tokens above its share, and so does one half of "
          "every half, of every quarter, ...",
          false},
         {"flow", "levels"},
         cascade},
        {{"at", "at:0=4,3=5,others=1",
          "these numbers of tokens at these nodes, and `others` (default 0) at every "
          "other node",
          false},
         {},
         at},
        {{"distance-from-end", "distance-from-end:rise=1",
          "rise * distance from an end of a longest shortest path: with rise 1 the most uneven "
          "loads that threshold-2 leaves unchanged (Houle, Symvonis, Wood, Theorem 5); "
          "rise=degree: the largest degree, loads that diffusion leaves unchanged",
          false},
         {"rise"},
         distance_from_end},
    };
    return generators;
}

bool is_file_name(std::string_view spec) {
    return spec.ends_with(".csv") || spec.find('/') != std::string_view::npos;
}

/// Runs an action that may refuse the spec, and adds the spec that was probably meant.
template <class Action>
Loads with_remedy(std::string_view spec, const SpecInfo& info,
                  const std::vector<std::string_view>& keys, const Action& action) {
    try {
        return action();
    } catch (const UnsuitableError&) {
        throw;
    } catch (const InputError& error) {
        throw InputError(error.what() + remedy(spec, {info.name, keys, false, info.example}));
    }
}

/// "at:0=5,1=6,2=7" for "5,6,7"; empty for anything but numbers between commas.
std::string tokens_of_nodes(std::string_view text) {
    std::string each;
    for (NodeId node = 0;; ++node) {
        const std::string_view tokens = text.substr(0, text.find(','));
        if (!whole_number(tokens)) return "";
        each.append(node == 0 ? "at:" : ",")
            .append(std::to_string(node))
            .append("=")
            .append(tokens);
        if (tokens.size() == text.size()) return each;
        text.remove_prefix(tokens.size() + 1);
    }
}

/// What was probably meant by "1000", "5,6,7", "tokens=1000" or "random:1000".
std::string meant_loads(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> others = {
        {{"random", "uniform"},
         {"constant", "even"},
         {"equal", "even"},
         {"flat", "even"},
         {"point", "spike"},
         {"single", "spike"}}};
    if (whole_number(text)) return "spike:tokens=" + std::string(text);
    if (text.starts_with("tokens=")) return "spike:" + std::string(text);
    if (const std::string each = tokens_of_nodes(text); !each.empty()) return each;
    std::vector<SpecForm> forms;
    for (const Generator& generator : table())
        forms.push_back({generator.info.name, generator.keys, false, generator.info.example});
    return meant_spec(text, forms, others);
}

}  // namespace

const std::vector<SpecInfo>& load_generators() {
    static const std::vector<SpecInfo> infos = infos_of(table());
    return infos;
}

Loads make_loads(std::string_view spec, const AnyNetwork& network, std::uint64_t seed,
                 std::span<const LoadGenerator> more) {
    if (is_file_name(spec)) return read_csv(std::string(spec), network);
    const std::string_view name = spec.substr(0, spec.find(':'));
    const auto checked = [](Loads loads) {
        static_cast<void>(total(loads));  // refuses what would overflow later
        return loads;
    };
    if (const Generator* const generator = find_row(table(), name)) {
        return with_remedy(spec, generator->info, generator->keys, [&] {
            const Spec parsed = Spec::parse(spec);
            if (!generator->keys.empty()) parsed.expect_only(generator->keys);
            expect_memory(UInt128{network.node_count()} * sizeof(Tokens),
                          "the loads of " + std::to_string(network.node_count()) + " nodes");
            return network.node_count() == 0 ? Loads{}
                                             : checked(generator->make({parsed, network, seed}));
        });
    }
    std::vector<SpecInfo> known = load_generators();
    for (const LoadGenerator& generator : more) {
        known.push_back(generator.info);
        if (generator.info.name != name) continue;
        return with_remedy(spec, generator.info, generator.keys, [&] {
            const Spec parsed = Spec::parse(spec);
            parsed.expect_only(generator.keys);
            return checked(generator.make(parsed, network));
        });
    }
    if (const std::string meant = did_you_mean_spec(meant_loads(spec)); !meant.empty())
        throw InputError("unknown kind of loads \"" + std::string(spec) + '"' + meant);
    throw InputError(unknown_row("kind of loads", spec, known, "the path of a .csv file"));
}

std::optional<std::string> spec_of(std::span<const Tokens> loads, const AnyNetwork& network) {
    std::string text = "at:";
    for (NodeId node = 0; node < loads.size(); ++node) {
        if (loads[node] == 0) continue;
        const std::string name = network.name(node);
        if (name.empty() || name == others || name.find_first_of(",=") != std::string::npos)
            return std::nullopt;
        if (text.back() != ':') text += ',';
        text += name + '=' + std::to_string(loads[node]);
    }
    if (text.back() == ':') text += std::string(others) + "=0";
    return text;
}

Loads make_part_loads(std::string_view spec, NodeId node_count, NodeId first, NodeId last,
                      std::uint64_t seed, NodeId more) {
    const Spec parsed = Spec::parse(spec);
    const Generator* const generator = find_row(table(), parsed.name());
    if (generator == nullptr || generator->part == nullptr) {
        std::vector<std::string> known;
        for (const Generator& other : table())
            if (other.part != nullptr) known.push_back(other.info.name);
        throw UnsuitableError("cannot make the loads '" + std::string(spec) +
                              "' in pieces: expected " + listed(known, " or "));
    }
    parsed.expect_only(generator->keys);
    expect_memory((UInt128{last - first} + more) * sizeof(Tokens),
                  "the loads of " + std::to_string(last - first) + " nodes");
    return generator->part({parsed, node_count, first, last, seed, more});
}

}  // namespace equipoise::load
