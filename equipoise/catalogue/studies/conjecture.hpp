#pragma once
// The conjecture of Houle, Symvonis, Wood 2004 on complete k-ary trees, compared with the truth.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "equipoise/base/ranges.hpp"
#include "equipoise/report/answers/conjecture.hpp"
#include "equipoise/verify/verify.hpp"

namespace equipoise::catalogue {

/// "7" or "2..32". Throws InputError, naming `option`.
[[nodiscard]] Range parse_range(const std::string& text, const std::string& option);

struct ConjectureOptions {
    Range arities{2, 8};
    Range heights{1, 16};
    /// The effort: how many cost profiles are kept on a level. With few, the bounds may not meet,
    /// but they are still rigorous.
    std::uint64_t profiles_max = 128;
    std::function<bool()> stopped;  ///< asked often; rows of arities not begun are left out
};

/// The rows, by arity, then height. Throws InputError for arities below 2 or heights below 1.
[[nodiscard]] std::vector<report::ConjectureRow> tabulate_conjecture(
    const ConjectureOptions& options);

/// Re-checks a list by other means than those by which it was made: the witness's stability by
/// exact integers; both bounds by a bitset search over all gaps of trees of up to
/// `search_nodes_max` nodes. Throws InputError, naming `origin`, when the text is not such a list.
[[nodiscard]] verify::Report verify_conjecture(const std::string& text, const std::string& origin,
                                               std::uint64_t search_nodes_max = 1ULL << 31U);

}  // namespace equipoise::catalogue
