#pragma once
// What the checks of certificates share: how files list nodes and links, and the checks of each
// kind of claim of a file of schema equipoise-certificate.

#include <cstddef>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/verify/verify.hpp"

namespace equipoise::verify {

/// Enough for every certificate, and far from overflows.
inline constexpr Tokens load_max = 1'000'000;
inline constexpr NodeId nodes_max = 100'000;

/// A number for each node of a list.
template <class Number>
std::vector<Number> by_node(const JsonValue& list, NodeId nodes, Number least, Number most) {
    const std::string expected = "a list of " + std::to_string(nodes) + " numbers";
    if (list.size(expected) != nodes) list.refuse(expected);
    std::vector<Number> values;
    list.for_each([&](const JsonValue& value) { values.push_back(value.whole(least, most)); });
    return values;
}

/// A list of links, each between two different nodes below `nodes`. Throws InputError.
[[nodiscard]] std::vector<Ends> links_of(const JsonValue& list, NodeId nodes);

/// Which nodes a list holds, each once. Throws InputError.
[[nodiscard]] std::vector<bool> set_of(const JsonValue& list, NodeId nodes);

/// Twelve digits of a number.
[[nodiscard]] std::string real_text(double number);

/// "claim 3, averaging-tail (complete:n=8)"
[[nodiscard]] std::string claim_name(const JsonValue& claim, std::size_t number);

/// Examines an entry of a list, the first of which has number 1.
using ExamineEntry = void (*)(const JsonValue& entry, std::size_t number, Report& report);

/// Checks a file that has a schema, words for people ("about") and a list of entries. Throws
/// InputError, naming `origin`, unless the text is one, and has an entry.
[[nodiscard]] Report examine_list(const std::string& text, const std::string& origin,
                                  const char* schema, const std::string& list,
                                  ExamineEntry examine);

/// One random link a step shares its tokens and a coin places the odd one: with which probability
/// a discrepancy above `above` is left after `steps` steps. Plays all loads that can come about
/// forwards, in whole multiples of 2^-100; what is rounded away is known and widens the interval.
void examine_averaging_tail(const JsonValue& claim, const std::string& which, Report& report);

/// The local divergence of a circuit of matchings with even balancers. Adds up rounds by
/// definition, from every source, until all rows are within delta of level in sum; what follows is
/// at most delta times the whole.
void examine_circuit_divergence(const JsonValue& claim, const std::string& which, Report& report);

/// Fewest steps to a target, each node sending and receiving at most one token a step: replays a
/// schedule, adds up a cut, and does the same for the bound of all sets of nodes.
void examine_fewest_steps(const JsonValue& claim, const std::string& which, Report& report);

/// That every finite machine of a size leaves some loads of two nodes uneven: plays each table, and
/// sees that whatever a machine does is in one of them.
void examine_finite_machines(const JsonValue& claim, const std::string& which, Report& report);

/// That all rules of a number of entries on rings but some keep a discrepancy of 2 or more from one
/// of some loads: plays all of them.
void examine_ring_tables(const JsonValue& claim, const std::string& which, Report& report);

}  // namespace equipoise::verify
