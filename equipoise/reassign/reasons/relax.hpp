#pragma once
// Why rules cannot all hold, and what would have to give.

#include <string>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/search/search.hpp"

namespace equipoise::reassign {

/// A rule that cannot hold together with the others, and by how much it must give.
struct Conflict {
    BrokenRule rule;  ///< where it is broken in the best placement found
    Tokens short_by = 0;
    std::string words;  ///< "machine 3: disk: 12 more capacity"
    std::string relax;  ///< what to change, and to what: "capacity of machine 3: disk 112, not 100"
    bool proved = false;  ///< whether it is certain that the rules cannot all hold without
};

/// One set of relaxations under which all rules can hold, each of them necessary: with any one of
/// them taken back, no placement was found (`proved`: there is none). Empty if the placement
/// breaks no rule, and where no waves were found that lead to where they hold. Taken from the
/// rules that it breaks; each is tried in turn, in small problems by a search through all
/// placements, and of many only the first ones.
[[nodiscard]] std::vector<Conflict> relaxations(const Problem& problem,
                                                const SearchedPlacement& best,
                                                const SearchOptions& options);

}  // namespace equipoise::reassign
