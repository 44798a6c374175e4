#pragma once
// Where items are to end, as a table says it.

#include <string>
#include <vector>

#include "equipoise/base/line_source.hpp"
#include "equipoise/load/items.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// Where things are to end, and who leads them then.
struct AskedEnds {
    load::EndsByThing machines;  ///< by thing, in order; empty: its items stay
    std::vector<bool> leads;     ///< by thing: whether the first machine is to lead; empty: none is
};

/// Reads a table with a column `item` and one of machines, a line for each item, in any order of
/// columns; where there is a column `leader`, the machine that is to lead a thing comes first.
/// Throws InputError naming file and line, also for items and machines that the problem does not
/// have, items that are listed twice on a machine, and a second leader.
[[nodiscard]] AskedEnds read_ends(LineSource& source, const Problem& problem);

/// Sets `given_ends`, so that as few items move as possible, and `given_leaders`; aims at levels of
/// resources are dropped. Throws InputError, which names `name`, if a thing is to end on more or
/// fewer machines than it is on.
void set_given_ends(const AskedEnds& asked, const std::string& name, Problem& problem);

}  // namespace equipoise::reassign
