#include "equipoise/network/io/round_files.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/separated_values.hpp"
#include "equipoise/network/node_names.hpp"

namespace equipoise::network {

namespace {

/// The words of a line up to a comment, which begins with a '#' that is not in quotes. Nothing if a
/// quote is not closed or touches other text.
std::optional<std::vector<std::string>> words_of(std::string_view line) {
    bool in_quotes = false;
    const auto* const end = std::find_if(line.begin(), line.end(), [&](char c) {
        if (c == '"') in_quotes = !in_quotes;
        return c == '#' && !in_quotes;
    });
    std::vector<Field> fields;
    if (!split_fields({line.begin(), end}, Separator::blanks, fields)) return std::nullopt;
    std::vector<std::string> words;
    words.reserve(fields.size());
    for (Field& field : fields)
        words.push_back(std::move(field.text));
    return words;
}

/// Lines of words, and nodes by their names.
class NodeLines {
  public:
    NodeLines(LineSource& source, const AnyNetwork& network)
        : source_(source), network_(network), names_(network) {}

    [[nodiscard]] std::vector<std::string> words(std::string_view line) const {
        auto words = words_of(line);
        if (!words) source_.fail("a closing quote, then a blank", line);
        return std::move(*words);
    }
    [[nodiscard]] NodeId node(const std::string& name) const {
        const auto found = names_.find(name);
        if (!found) source_.fail(names_.expected(), name);
        return *found;
    }
    /// The link between two nodes.
    [[nodiscard]] LinkId link(NodeId one, NodeId other) const {
        if (const auto port = port_to(network_, one, other)) return network_.link(one, *port);
        source_.fail("two nodes that share a link",
                     network_.name(one) + ' ' + network_.name(other));
    }

  private:
    LineSource& source_;
    const AnyNetwork& network_;
    NodeNames names_;
};

std::optional<Weight> weight_of(std::string_view text) {
    constexpr auto most = static_cast<std::uint64_t>(weight_denominator_max);
    const std::size_t slash = text.find('/');
    const auto numerator = whole_number(text.substr(0, slash), most);
    const auto denominator = slash == std::string_view::npos
                                 ? std::optional<std::uint64_t>(1)
                                 : whole_number(text.substr(slash + 1), most);
    if (!numerator || !denominator || *denominator == 0 || *numerator > *denominator)
        return std::nullopt;
    const std::uint64_t common = std::gcd(*numerator, *denominator);
    return Weight{static_cast<Tokens>(*numerator / common),
                  static_cast<Tokens>(*denominator / common)};
}

/// 1 minus the sum of a row of the matrix, as an exact fraction.
class Rest {
  public:
    explicit Rest(std::string node) : node_(std::move(node)) {}

    void take(const Weight& weight) {
        const Int128 common = std::gcd(static_cast<std::uint64_t>(denominator_),
                                       static_cast<std::uint64_t>(weight.denominator));
        const Int128 denominator = denominator_ / common * weight.denominator;
        if (denominator > std::numeric_limits<Tokens>::max())
            throw InputError("matrix: the denominators in the row of node " + node_ +
                             " have no common multiple that fits into 64 bits");
        numerator_ = numerator_ * (denominator / denominator_) -
                     weight.numerator * (denominator / weight.denominator);
        denominator_ = denominator;
        if (numerator_ < 0)
            throw InputError("matrix: the row of node " + node_ +
                             " sums to more than 1: expected at most 1");
    }
    [[nodiscard]] bool equals(const Weight& weight) const {
        return numerator_ * weight.denominator == denominator_ * weight.numerator;
    }
    [[nodiscard]] bool equals(const Rest& other) const {
        return numerator_ * other.denominator_ == denominator_ * other.numerator_;
    }

  private:
    std::string node_;
    Int128 numerator_ = 1;
    Int128 denominator_ = 1;
};

/// What is left of 1 in every row. Throws InputError for a row whose sum exceeds 1 or differs from
/// that of its column.
std::vector<Rest> rests_of(const RoundWeights& weights, const AnyNetwork& network) {
    const LinkId links = network.link_count();
    const bool symmetric = weights.size() == links;
    std::vector<Rest> rests;
    rests.reserve(network.node_count());
    for (NodeId node = 0; node < network.node_count(); ++node) {
        rests.emplace_back(network.name(node));
        Rest of_column(network.name(node));
        for (Port port = 0; port < network.degree(node); ++port) {
            const LinkId link = network.link(node, port);
            const bool is_tail = network.ends(link).tail == node;
            rests.back().take(weights[symmetric || is_tail ? link : links + link]);
            if (!symmetric) of_column.take(weights[is_tail ? links + link : link]);
        }
        if (!symmetric && !rests.back().equals(of_column))
            throw InputError("matrix: row and column of node " + network.name(node) +
                             " have different sums: expected a doubly stochastic matrix");
    }
    return rests;
}

NodeId number_of(std::string_view text) {
    const auto number = whole_number(text, no_node - 1);
    if (!number)
        throw InputError("matchings: expected the number of a node, found \"" + std::string(text) +
                         '"');
    return static_cast<NodeId>(*number);
}

}  // namespace

MatchingSequence read_matchings(LineSource& source, const AnyNetwork& network) {
    const NodeLines lines(source, network);
    MatchingSequence matchings;
    std::vector<std::size_t> used_in(network.node_count(), 0);
    bool begin = true;
    std::string_view line;
    while (source.next(line)) {
        if (is_blank(line)) begin = true;
        const std::vector<std::string> words = lines.words(line);
        if (words.empty()) continue;
        if (words.size() != 2) source.fail("two nodes, tail head", line);
        if (begin) matchings.emplace_back();
        begin = false;
        const Ends pair{lines.node(words[0]), lines.node(words[1])};
        static_cast<void>(lines.link(pair.tail, pair.head));
        for (const NodeId node : {pair.tail, pair.head}) {
            if (used_in[node] == matchings.size())
                source.fail("every node at most once in a matching (an empty line begins the next)",
                            network.name(node));
            used_in[node] = matchings.size();
        }
        matchings.back().push_back(pair);
    }
    if (matchings.empty()) source.fail("at least one pair, tail head", "");
    return matchings;
}

MatchingSequence read_matchings(const std::string& path, const AnyNetwork& network) {
    LineSource source(path);
    return read_matchings(source, network);
}

MatchingSequence read_colouring(LineSource& source, const AnyNetwork& network) {
    MatchingSequence colours = read_matchings(source, network);
    std::vector<bool> coloured(network.link_count(), false);
    for (std::vector<Ends>& links : colours) {
        for (Ends& ends : links) {
            if (ends.tail > ends.head) std::swap(ends.tail, ends.head);
            const LinkId link =
                network.link(ends.tail, port_to(network, ends.tail, ends.head).value());
            if (coloured[link])
                throw InputError(source.name() +
                                 ": expected one colour for every link, found two for " +
                                 network.name(ends.tail) + ' ' + network.name(ends.head));
            coloured[link] = true;
        }
        std::sort(links.begin(), links.end());
    }
    const auto bare = std::find(coloured.begin(), coloured.end(), false);
    if (bare != coloured.end()) {
        const auto [tail, head] = network.ends(static_cast<LinkId>(bare - coloured.begin()));
        throw InputError(source.name() + ": expected a colour for every link, found none for " +
                         network.name(tail) + ' ' + network.name(head));
    }
    return colours;
}

MatchingSequence read_colouring(const std::string& path, const AnyNetwork& network) {
    LineSource source(path);
    return read_colouring(source, network);
}

std::vector<Ends> read_spanning_tree(LineSource& source, const AnyNetwork& network) {
    const NodeLines lines(source, network);
    std::vector<Ends> links;
    std::vector<NodeId> part(network.node_count());
    std::iota(part.begin(), part.end(), NodeId{0});
    const auto part_of = [&](NodeId node) {
        while (part[node] != node)
            node = part[node] = part[part[node]];
        return node;
    };
    std::string_view line;
    while (source.next(line)) {
        const std::vector<std::string> words = lines.words(line);
        if (words.empty()) continue;
        if (words.size() != 2) source.fail("two nodes, u v", line);
        const Ends link{lines.node(words[0]), lines.node(words[1])};
        static_cast<void>(lines.link(link.tail, link.head));
        const NodeId one = part_of(link.tail);
        const NodeId other = part_of(link.head);
        if (one == other) source.fail("a link that closes no cycle", line);
        part[one] = other;
        links.push_back(link);
    }
    if (links.size() + 1 < network.node_count())
        throw InputError(source.name() + ": expected the " +
                         std::to_string(network.node_count() - 1) +
                         " links of a spanning tree, found " + std::to_string(links.size()));
    return links;
}

std::vector<Ends> read_spanning_tree(const std::string& path, const AnyNetwork& network) {
    LineSource source(path);
    return read_spanning_tree(source, network);
}

RoundWeights read_round_weights(LineSource& source, const AnyNetwork& network) {
    const NodeLines lines(source, network);
    const LinkId links = network.link_count();
    RoundWeights weights(2 * links);  // there, and back
    std::vector<bool> given(2 * links, false);
    std::vector<std::pair<NodeId, Weight>> diagonal;
    std::string_view line;
    while (source.next(line)) {
        const std::vector<std::string> words = lines.words(line);
        if (words.empty()) continue;
        if (words.size() != 3) source.fail("two nodes and their weight, u v p/q", line);
        const auto weight = weight_of(words[2]);
        if (!weight)
            source.fail(
                "a weight p/q from 0 to 1 with q at most " + std::to_string(weight_denominator_max),
                words[2]);
        const NodeId one = lines.node(words[0]);
        const NodeId other = lines.node(words[1]);
        if (one == other) {
            diagonal.emplace_back(one, *weight);
            continue;
        }
        const LinkId link = lines.link(one, other);
        const LinkId entry = network.ends(link).tail == one ? link : links + link;
        if (given[entry] && weights[entry] != *weight)
            source.fail("the weight that this entry of the matrix already has", words[2]);
        given[entry] = true;
        weights[entry] = *weight;
    }
    for (LinkId link = 0; link < links; ++link) {
        if (!given[link]) weights[link] = weights[links + link];
        if (!given[links + link]) weights[links + link] = weights[link];
    }
    weights = in_lowest_terms(std::move(weights), links);
    const std::vector<Rest> rests = rests_of(weights, network);
    for (const auto& [node, weight] : diagonal)
        if (!rests[node].equals(weight))
            throw InputError(source.name() + ": the row of node " + network.name(node) +
                             " does not sum to 1 with its diagonal entry");
    return weights;
}

RoundWeights read_round_weights(const std::string& path, const AnyNetwork& network) {
    LineSource source(path);
    return read_round_weights(source, network);
}

void expect_round_weights(const RoundWeights& weights, const AnyNetwork& network) {
    const LinkId links = network.link_count();
    if (weights.size() != links && weights.size() != 2 * links)
        throw InputError("expected one weight, or two, for each of " + std::to_string(links) +
                         " links, found " + std::to_string(weights.size()));
    for (const auto& [numerator, denominator] : weights)
        if (denominator < 1 || denominator > weight_denominator_max || numerator < 0 ||
            numerator > denominator)
            throw InputError("matrix: expected a weight p/q from 0 to 1 with q at most " +
                             std::to_string(weight_denominator_max) + ", found " +
                             std::to_string(numerator) + '/' + std::to_string(denominator));
    static_cast<void>(rests_of(weights, network));
}

RoundWeights in_lowest_terms(RoundWeights weights, LinkId links) {
    for (Weight& weight : weights) {
        const Tokens common = std::gcd(weight.numerator, weight.denominator);
        weight = {weight.numerator / common, weight.denominator / common};
    }
    if (weights.size() != 2 * links) return weights;
    const auto middle = weights.begin() + static_cast<std::ptrdiff_t>(links);
    if (std::equal(weights.begin(), middle, middle)) weights.resize(links);
    return weights;
}

std::string to_text(const MatchingSequence& matchings) {
    std::string text;
    for (std::size_t k = 0; k < matchings.size(); ++k) {
        if (k > 0) text += ';';
        for (std::size_t i = 0; i < matchings[k].size(); ++i)
            text += (i > 0 ? " " : "") + std::to_string(matchings[k][i].tail) + '>' +
                    std::to_string(matchings[k][i].head);
    }
    return text;
}

MatchingSequence matchings_from_text(std::string_view text) {
    MatchingSequence matchings;
    while (true) {
        const std::size_t end = std::min(text.find(';'), text.size());
        std::string_view pairs = text.substr(0, end);
        matchings.emplace_back();
        for (std::string_view pair = take_word(pairs); !pair.empty(); pair = take_word(pairs)) {
            const std::size_t arrow = std::min(pair.find('>'), pair.size() - 1);
            matchings.back().push_back(
                {number_of(pair.substr(0, arrow)), number_of(pair.substr(arrow + 1))});
        }
        if (end == text.size()) return matchings;
        text.remove_prefix(end + 1);
    }
}

std::string to_text(const RoundWeights& weights) {
    std::string text;
    for (const Weight& weight : weights)
        text += (text.empty() ? "" : " ") + std::to_string(weight.numerator) + '/' +
                std::to_string(weight.denominator);
    return text;
}

RoundWeights round_weights_from_text(std::string_view text) {
    RoundWeights weights;
    for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
        const auto weight = weight_of(word);
        if (!weight) throw InputError("weights: expected p/q, found \"" + std::string(word) + '"');
        weights.push_back(*weight);
    }
    return weights;
}

}  // namespace equipoise::network
