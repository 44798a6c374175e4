#pragma once
// Which machines give items when only those above some multiple of their share are to be touched.

#include <vector>

#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// By machine, whether it gives items under `Problem::only_if_above`, as items lie in the
/// beginning: it is not pinned, and it holds more than so many times its share of a levelled
/// resource, or more than a threshold, or is part of a broken rule: a machine on which a rule is
/// broken; those that hold items of a value that is not spread as it must be, or of services that
/// are not near; and, where a machine has fewer items than it must, all that have more than they
/// must. All are true where `only_if_above` is 0.
[[nodiscard]] std::vector<bool> givers(const Problem& problem);

/// The same problem, in which the items of all machines that do not give stay, and `only_if_above`
/// is 0: what the other parts of a plan understand.
[[nodiscard]] Problem with_givers_only(Problem problem);

}  // namespace equipoise::reassign
