#include "equipoise/reassign/checks/copy_sources.hpp"

#include <algorithm>

namespace equipoise::reassign {

CopySources::CopySources(const Problem& problem)
    : problem_(problem), leader_(leaders_of(problem)), first_(leader_) {
    // A thing of which all is outside comes from there.
    for (const bool outside : {false, true})
        for (ItemId item = 0; item < problem.item_count(); ++item) {
            ItemId& first = first_[problem.thing[item]];
            if (first == no_item && (problem.places[item] == problem.outside) == outside)
                first = item;
        }
    const bool any_leads =
        std::any_of(leader_.begin(), leader_.end(), [](ItemId item) { return item != no_item; });
    are_own_ = problem.outside == no_machine && !(problem.copies_from_leader && any_leads);
}

}  // namespace equipoise::reassign
