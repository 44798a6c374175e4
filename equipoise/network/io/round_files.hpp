#pragma once
// Files in which people describe rounds and the links they use: matchings in turn, an edge
// colouring, a spanning tree, or the weights of a round matrix.
//
// All list one link per line by the names of its nodes, names with blanks in double quotes, with
// quotes inside them doubled; text from a '#' on is a comment.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise {
class LineSource;
}

namespace equipoise::network {

/// P_uv as a fraction in lowest terms; 0/1 if the matrix has no entry.
struct Weight {
    Tokens numerator = 0;
    Tokens denominator = 1;
    friend bool operator==(const Weight&, const Weight&) = default;
};

/// A round matrix by link number: one weight a link if it is symmetric; else P_tail,head of every
/// link and then P_head,tail of every link. The diagonal makes every row sum to 1.
using RoundWeights = std::vector<Weight>;

/// The largest denominator of a weight.
inline constexpr Tokens weight_denominator_max = 1'000'000;

/// Reads matchings: a line `tail head` is a pair, oriented from tail to head; an empty line begins
/// the next matching (a line that holds only a comment does not). Throws InputError `file:line:
/// ...` unless every pair is a link of the network and no matching uses a node twice, or if there
/// are no pairs.
///
///     0 1   # the first matching
///     2 3
///
///     1 2   # the second
[[nodiscard]] MatchingSequence read_matchings(LineSource& source, const AnyNetwork& network);
[[nodiscard]] MatchingSequence read_matchings(const std::string& path, const AnyNetwork& network);

/// Reads an edge colouring as the matchings of its colours in turn: the same format, and every link
/// exactly once. Pairs are returned in ascending order, tail < head. Throws InputError as above,
/// and for a link that has no colour or more than one.
[[nodiscard]] MatchingSequence read_colouring(LineSource& source, const AnyNetwork& network);
[[nodiscard]] MatchingSequence read_colouring(const std::string& path, const AnyNetwork& network);

/// Reads a spanning tree: a line `u v` is a link of it. Throws InputError `file:line: ...` for a
/// pair that is not a link of the network or closes a cycle, InputError when links are missing.
[[nodiscard]] std::vector<Ends> read_spanning_tree(LineSource& source, const AnyNetwork& network);
[[nodiscard]] std::vector<Ends> read_spanning_tree(const std::string& path,
                                                   const AnyNetwork& network);

/// Reads the entries of a doubly stochastic matrix: a line `u v p/q` (or a whole number for p/q) is
/// P_uv, and P_vu too unless a line of its own gives that. A diagonal entry `u u p/q` may be given
/// and must then make the row sum to 1; entries that are not given are 0. Throws InputError
/// `file:line: ...` for an entry off the links, a negative one, one given twice with different
/// values, and InputError for a row whose sum exceeds 1 or differs from that of its column, in
/// exact arithmetic.
[[nodiscard]] RoundWeights read_round_weights(LineSource& source, const AnyNetwork& network);
[[nodiscard]] RoundWeights read_round_weights(const std::string& path, const AnyNetwork& network);

/// Throws InputError unless there are one or two weights from 0 to 1 a link, no row sums to more
/// than 1, and every row has the same sum as its column.
void expect_round_weights(const RoundWeights& weights, const AnyNetwork& network);

/// The same matrix with all weights in lowest terms, and one weight a link if both directions
/// agree: bounds depend on the denominators, and on whether a matrix is symmetric. `weights` are as
/// `expect_round_weights` demands, for a network of this many links.
[[nodiscard]] RoundWeights in_lowest_terms(RoundWeights weights, LinkId links);

/// "0>1 2>3;1>2": node numbers, for people, and as records of version 1 hold them.
/// `matchings_from_text` throws InputError for another text.
[[nodiscard]] std::string to_text(const MatchingSequence& matchings);
[[nodiscard]] MatchingSequence matchings_from_text(std::string_view text);

/// "1/3 0/1 1/4", by link number. Throws as above.
[[nodiscard]] std::string to_text(const RoundWeights& weights);
[[nodiscard]] RoundWeights round_weights_from_text(std::string_view text);

}  // namespace equipoise::network
